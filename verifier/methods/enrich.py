"""Factum's second half: facts of the KG that go with a text and are not in it yet, and the text with them.

L. Kwan, P. G. Omran, K. Taylor (ISWC 2024), section 2. The facts are those about the entities of the text and of the
statements that `verifier.methods.factum` found closest to its facts. Of their predicates the n closest to the text
are kept, and of the facts with these the m closest to it. Left out, unlike the paper, are facts that the text states
already, identifiers, links and pictures, what has ended or has a less than best rank, and facts about which the text
says something else: those are for `kgstore correct`.

A language model writes them into each paragraph, or they are put behind it as sentences. What a model wrote is kept
only if it names nothing that neither the paragraph nor the facts name, loses nothing of the paragraph, and is not
contradicted where the paragraph was not; else that paragraph gets plain sentences.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgstore.catalog import fold
from kgstore.model import Literal, NamedNode, Quantity, Rank, Statement, Time
from kgstore.verbalise import OPAQUE, plural, value_text, verbalise
from kgstore.verifier.claims import Label, Mention, Verdict
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.llm.faithful import lost, strange
from kgstore.verifier.llm.prompts import task
from kgstore.verifier.llm.windows import trim
from kgstore.verifier.methods.factum import Embed, degree, facts_about, in_words, judged
from kgstore.verifier.methods.membership import words
from kgstore.verifier.methods.registry import VerifierParts
from kgstore.verifier.read.paragraphs import paragraphs

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import KnowledgeGraph
    from kgstore.verifier.protocols import ChatModel

TASK = task("enrich")
_NOT_TOLD = OPAQUE | {"coordinate"}
PREDICATES, FACTS = 5, 5
"""The paper's n and m."""
_READ = 1000
"""Characters of a long text that make up one vector; the vector of the text is their mean."""
_TOKENS = 600
"""Room for a paragraph that a model writes."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that was added.

    :param sentence: it in words
    :param similarity: cosine of the sentence and the text, -1 to 1
    :param at: where in the text the entity is named because of which it was added
    """

    statement: Statement
    sentence: str
    similarity: float
    at: int


@dataclass(frozen=True, slots=True)
class Enriched:
    """A text with facts added.

    :param facts: closest to the text first
    :param before: the factuality degree of the text; ``after`` that of the new one; None where there is no fact
    :param notices: what was left out or done otherwise than asked
    """

    text: str
    facts: tuple[Fact, ...]
    before: float | None
    after: float | None
    notices: tuple[str, ...] = ()


def enrich(
    text: str, verifier: VerifierParts, n: int = PREDICATES, m: int = FACTS, model: ChatModel | None = None
) -> Enriched:
    """The text with at most ``m`` facts of at most ``n`` predicates.

    :param model: writes the facts into the text; without it they become sentences at the ends of paragraphs
    """
    store = verifier.store
    claims = verifier.claims(text)
    first = judged(text, claims, verifier)
    wrong = _wrong(text, verifier)
    mentioned = named_in(verifier.rules.mentions(text))
    named = dict(mentioned)
    for verdict in first.verdicts:
        for one in verdict.evidence:
            if isinstance(one.statement.value, NamedNode) and verdict.head is not None:
                named.setdefault(one.statement.value.value, verdict.claim.head.start)
    disputed = {key for verdict in wrong for key in _asked(verdict)}
    known = [one for entity in named for one in current(entity, verifier.knowledge) if tellable(one, store)]
    fresh = [one for one in known if not _told(one, text, mentioned, store)]
    open_ = [one for one in fresh if (one.subject.value, one.predicate.value) not in disputed]
    facts = select(text, open_, named, store, n, m)
    new, notices = _written(text, facts, verifier, model, len(wrong))
    if wrong:
        notices.append(f"the KG contradicts {len(wrong)} of the text's claims: correct it first (kgstore correct)")
    after = degree(new, verifier) if facts else first.scores["fd"]
    return Enriched(new, tuple(facts), first.scores["fd"], after, tuple(notices))


def select(
    text: str,
    known: Sequence[Statement],
    named: dict[str, int],
    store: KnowledgeGraph,
    n: int = PREDICATES,
    m: int = FACTS,
) -> list[Fact]:
    """The ``m`` facts closest to the text, of the ``n`` predicates closest to it.

    :param named: entities of the text and where it names them
    """
    if not known:
        return []
    vector = text_vector(text, store.embedder.embed)
    predicates = list(dict.fromkeys(in_words(one, store)[0] for one in known))
    cosines = store.embedder.embed(predicates) @ vector
    kept = {predicates[i] for i in np.argsort(-cosines, kind="stable")[:n]}
    facts: dict[str, Statement] = {}
    for one in known:
        predicate, value = in_words(one, store)
        if predicate in kept:
            facts.setdefault(verbalise(store.label(one.subject.value), predicate, value), one)
    sentences = list(facts)
    closeness = store.embedder.embed(sentences) @ vector
    best = [sentences[i] for i in np.argsort(-closeness, kind="stable")[:m]]
    close = dict(zip(sentences, map(float, closeness), strict=True))
    return [Fact(facts[one], one, close[one], named[facts[one].subject.value]) for one in best]


def text_vector(text: str, embed: Embed) -> np.ndarray:
    """``(dim,)``, of length 1: the embedded text, of a long one the mean of its stretches."""
    parts = [text[start:end] for start, end in paragraphs(text, _READ) if text[start:end].strip()]
    if len(text) <= _READ:
        parts = [text]
    mean = embed(parts).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def joined(facts: Iterable[Fact], store: KnowledgeGraph) -> str:
    """Facts as sentences, one for each subject and property."""
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.statement.subject.value, fact.statement.predicate.value), []).append(fact)
    return " ".join(_sentence(group, store) for group in groups.values())


def _sentence(group: Sequence[Fact], store: KnowledgeGraph) -> str:
    if len(group) == 1:
        return group[0].sentence
    values = list(dict.fromkeys(value_text(fact.statement.value, store.label) for fact in group))
    subject, predicate = words(group[0].statement, store)[:2]
    if len(values) == 1:
        return verbalise(subject, predicate, values[0])
    said = f"{', '.join(values[:-1])} and {values[-1]}"
    sentence = verbalise(subject, predicate, said)
    noun = re.match(rf"The {re.escape(predicate)} (of|by) ", sentence)
    return f"The {several(predicate)} {noun[1]} {subject} include {said}." if noun else sentence


def several(noun: str) -> str:
    """A property's noun for more than one value.

    >>> [several(noun) for noun in ("occupation", "award received", "place of birth", "languages spoken")]
    ['occupations', 'awards received', 'places of birth', 'languages spoken']
    """
    first, _, last = noun.rpartition(" ")
    return f"{plural(first)} {last}" if first and last.endswith(("ed", "en")) else plural(noun)


# -- which facts -------------------------------------------------------------------------------------------------------


def named_in(mentions: Iterable[Mention]) -> dict[str, int]:
    """The likeliest meaning of each linked name, and where it is first named."""
    found: dict[str, int] = {}
    for mention in mentions:
        if mention.candidates:
            found.setdefault(mention.candidates[0].iri, mention.start)
    return found


def _asked(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What a verdict is about: subjects and properties of its evidence."""
    for one in verdict.evidence:
        yield one.statement.subject.value, one.statement.predicate.value


def current(entity: str, know: Knowledge) -> Iterator[Statement]:
    """What holds now: of each property the values of the best rank, without those that have ended."""
    known = facts_about(entity, know.store)
    preferred = {one.predicate for one in known if one.rank is Rank.PREFERRED}
    for one in known:
        if (one.rank is Rank.PREFERRED or one.predicate not in preferred) and not know.ended(one):
            yield one


def tellable(statement: Statement, store: KnowledgeGraph) -> bool:
    """Is it something that one would write in a text?"""
    if statement.predicate.value in store.profile.meta:
        return False
    known = store.properties().get(statement.predicate.value)
    if known is not None and known.datatype in _NOT_TOLD:
        return False
    value = statement.value
    if isinstance(value, NamedNode):
        label = store.label(value.value)
        return value.value in store.entities((value.value,)) and fold(label) != fold(value.value.rpartition("/")[2])
    if isinstance(value, Literal):
        return "://" not in value.value and value.language in (None, *store.languages)
    return isinstance(value, Time | Quantity)


def _told(statement: Statement, text: str, mentioned: Container[str], store: KnowledgeGraph) -> bool:
    """Does the text name the value already?"""
    value = statement.value
    if isinstance(value, NamedNode) and value.value in mentioned:
        return True
    words = fold(value_text(value, store.label))
    if isinstance(value, Time):
        words = value.iso[1:].lstrip("0").partition("-")[0]
    return f" {words} " in f" {fold(text)} "


# -- the new text ------------------------------------------------------------------------------------------------------


def _written(
    text: str, facts: Sequence[Fact], verifier: VerifierParts, model: ChatModel | None, wrong: int
) -> tuple[str, list[str]]:
    """The new text, and what is to be said about how it was made."""
    plain, _ = _composed(text, facts, verifier.store, None)
    if model is None or not facts:
        return plain, []
    new, notices = _composed(text, facts, verifier.store, model)
    if new != plain and len(_wrong(new, verifier)) > max(wrong, len(_wrong(plain, verifier))):
        return plain, [*notices, "what the model wrote is contradicted by the KG: plain sentences are added instead"]
    missing = sum(not _told(one.statement, new, (), verifier.store) for one in facts)
    if missing:
        notices.append(f"{missing} of {len(facts)} facts were not taken up by the model")
    return new, notices


def _wrong(text: str, verifier: VerifierParts) -> list[Verdict]:
    """What the KG contradicts in a text."""
    return [one for one in verifier.verdicts(text, verifier.claims(text)) if one.label is Label.CONTRADICTORY]


def _composed(
    text: str, facts: Sequence[Fact], store: KnowledgeGraph, model: ChatModel | None
) -> tuple[str, list[str]]:
    pieces, done, notices = [], 0, []
    for start, end in paragraphs(text):
        here = [fact for fact in facts if start <= fact.at < end]
        if not here:
            continue
        first, last = trim(text, start, end)
        own = text[first:last]
        written, why = (None, "") if model is None else _by(model, own, here, store)
        if why:
            notices.append(f"a paragraph gets plain sentences, because what the model wrote {why}")
        if written is None:
            gap = " " if own.endswith((".", "!", "?", "…", "”", '"')) else "\n"
            written = own + gap + joined(here, store)
        pieces += [text[done:first], written]
        done = last
    return "".join([*pieces, text[done:]]), notices


def question(paragraph: str, facts: Sequence[str]) -> str:
    """The paragraph and the facts, one a line."""
    return "\n".join([f"Paragraph: {paragraph}", "Facts:", *(f"- {fact}" for fact in facts)])


def _by(model: ChatModel, paragraph: str, facts: Sequence[Fact], store: KnowledgeGraph) -> tuple[str | None, str]:
    """What a model makes of a paragraph and facts, or None and why that is not taken."""
    sentences = [fact.sentence for fact in facts]
    written = " ".join(model.write(TASK, question(paragraph, sentences), _TOKENS).split())
    if not written:
        return None, "is nothing"
    if names := strange(written, [paragraph, *sentences]):
        return None, f"names {', '.join(dict.fromkeys(names))}, of which neither the text nor the facts speak"
    if names := lost(written, paragraph):
        return None, f"leaves out {', '.join(dict.fromkeys(names))}"
    if len(written) > 2 * len(paragraph) + 2 * sum(map(len, sentences)):
        return None, "is too long"
    return written, ""
