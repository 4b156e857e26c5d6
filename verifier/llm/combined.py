"""The rules' claims, and those that a language model adds where the rules are silent and the text supports them.

Rules come first: what they read is never replaced, and what they read otherwise is not added. A claim of the model is
added only if its ends and its relation stand in one plain statement of the text, so that a denied, doubted, reported or
asked sentence gives nothing, if the KG can know what it speaks of, and if the model says yes when asked about it alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.english.words import either, words
from kgstore.verifier.llm.extractor import DENIED, LlmExtractor, with_context
from kgstore.verifier.llm.reply import denied, fold, is_question, same_ends, unsure
from kgstore.verifier.llm.windows import Span, sentences
from kgstore.verifier.protocols import ChatModel, LinkingExtractor

_EMPTY = words("written.empty")
"""Words that say nothing of which relation is meant."""

_IMPLIED = words("relation.implied")
"""Relations that a text states without a word for them: "Mira Holt (1921 Graz - 1980), an Austrian chemist"."""

_REPORTED = re.compile(rf"\b{either('written.reported')}\b", re.IGNORECASE)
"""What stands beside somebody else's word, or beside what is not so."""


def opened(rules: LinkingExtractor, model: ChatModel | None, careful: bool) -> CombinedExtractor:
    """See `kgstore.verifier.read.reading.EXTRACTORS`."""
    return CombinedExtractor(rules, LlmExtractor(model, rules, careful=careful))


class CombinedExtractor:
    """An `Extractor` that joins the rules' claims with a language model's.

    ``notices`` tells what of the model's claims was left out, and why.
    """

    def __init__(self, rules: LinkingExtractor, llm: LlmExtractor) -> None:
        self.rules, self.llm = rules, llm
        self.notices: list[str] = []

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order; those of the rules are all there."""
        known = self.rules.extract(text)
        claims, why = self.llm.read(text)
        self.notices = list(self.llm.notices)
        if claims is None:
            self.notices.append(f"llama: {why}; the text has the claims of the rules only")
            return known
        added, left_out = supported(text, known, self.rules.linked(text, claims))
        if not self.llm.careful:
            kept = self._asserted(text, added)
            left_out[DENIED] += len(added) - len(kept)
            added = kept
        left_out = +left_out
        if left_out:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
            self.notices.append(f"combined: {left_out.total()} claims of the model not added ({reasons})")
        return sorted([*known, *added], key=lambda claim: claim.start)

    def _asserted(self, text: str, claims: Sequence[Claim]) -> list[Claim]:
        """The claims to which the model says yes when it is shown their sentences once more."""
        kept: list[Claim] = []
        for start, end in sentences(text):
            here = [claim for claim in claims if start <= claim.tail.start < end]
            kept += self.llm.asserted(text, (with_context(text, 0, start), end), here)
        return kept

    def close(self) -> None:
        """Free what the model holds."""
        self.llm.close()


def supported(text: str, known: Sequence[Claim], more: Sequence[Claim]) -> tuple[list[Claim], Counter[str]]:
    """Those of ``more`` that the text supports and ``known`` does not have, and how many of the others, by reason."""
    plain = sentences(text)
    added: list[Claim] = []
    left_out: Counter[str] = Counter()
    for claim in more:
        why = _fault(text, plain, [*known, *added], claim)
        if not why:
            added.append(claim)
        elif why != "known":
            left_out[why] += 1
    return added, left_out


def _fault(text: str, spans: Sequence[Span], known: Sequence[Claim], claim: Claim) -> str:
    """Why a claim is not added: ``known`` if another says it, "" if there is no reason."""
    if any(same_ends(claim, other) for other in known):
        return "known"
    sentence = next((span for span in spans if span[0] <= claim.tail.start < span[1]), None)
    if sentence is None or not _within(claim.tail, sentence):
        return "not in one sentence"
    words = text[slice(*sentence)]
    if claim.negated or claim.hedged or denied(words) or unsure(words) or _REPORTED.search(words) or is_question(words):
        return "denied, doubted, reported or asked"
    if not _within(claim.head, sentence):
        return "head not in the sentence of the tail"
    if any(_covers(other, claim.tail) or _is_relation(other, claim) for other in known):
        return "read otherwise by the rules"
    if not all(_knowable(end) for end in (claim.head, claim.tail)):
        return "about nothing that a KG could name"
    if not relation_stands(claim.relation, words):
        return "relation not in the text"
    return ""


def relation_stands(relation: str, sentence: str) -> bool:
    """Whether all the words of a relation that say something stand in a sentence, in whatever form, or are implied.

    >>> relation_stands("was educated at", "Her education took her to Rome."), relation_stands("owns", "She left Rome.")
    (True, False)
    """
    known = re.findall(r"\w+", fold(sentence)[0])
    wanted = [word for word in re.findall(r"\w+", fold(relation)[0]) if word not in _EMPTY]
    return all(word in _IMPLIED or any(_kin(word, other) for other in known) for word in wanted)


def _kin(a: str, b: str) -> bool:
    """Whether two words share their beginning: "educated" and "education", "lives" and "lived"."""
    shared = max(3, min(len(a), len(b)) - 3)
    return a == b or a[:shared] == b[:shared]


def _within(mention: Mention, sentence: Span) -> bool:
    return sentence[0] <= mention.start and mention.end <= sentence[1]


def _covers(claim: Claim, tail: Mention) -> bool:
    """Whether a claim already has a tail as an end of its own; "the Swiss chemist" for a name is none."""
    ends = (end for end in (claim.head, claim.tail) if end.refers_to is None)
    return any(tail.start < end.end and end.start < tail.end for end in ends)


def _is_relation(known: Claim, claim: Claim) -> bool:
    """Whether a tail is but a word of the relation that is known: "is a production" in "is a production of Lang"."""
    here = known.start < claim.tail.end and claim.tail.start < known.end
    return here and f" {fold(claim.tail.text)[0]} " in f" {fold(known.relation)[0]} "


def _knowable(mention: Mention) -> bool:
    """Whether this is a name, a date, an amount, or a word that the KG has."""
    named = mention.refers_to is not None or any(word[:1].isupper() for word in mention.text.split())
    return bool(mention.candidates) or mention.value is not None or named
