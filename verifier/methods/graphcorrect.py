"""GraphCorrect: what a document does not bear out in a text, put right triple by triple with a language model.

After Sansford et al., GraphEval (2024), section 6. Each triple that GraphEval flags is corrected by the document (step
1), then put into the text in place of the old one (step 2). The baseline asks for both at once (`direct`).

A reply of the model is never taken as it is. A new triple may use only words of the document and of the old triple; a
new text may differ from the old one only in words of the two triples, and only in sentences that hold a flagged one.
What breaks this is refused, and the refusals are counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.document.open_facts import spoken
from kgstore.verifier.document.source import Document
from kgstore.verifier.english.words import either, words
from kgstore.verifier.llm.edits import Span, changes, foreign, inside
from kgstore.verifier.llm.prompts import Task, Triple
from kgstore.verifier.llm.reply import parse_reply
from kgstore.verifier.llm.windows import sentences
from kgstore.verifier.methods.correction_prompts import (
    DIRECT,
    HIDDEN,
    INSERT,
    TAIL,
    TEXT_SCHEMA,
    TRIPLE,
    about_insert,
    about_tail,
    about_text,
    about_triple,
)
from kgstore.verifier.methods.grapheval import Checked
from kgstore.verifier.protocols import ChatModel

Detect = Callable[[str], Sequence[Checked]]
"""The flagged triples of a text, see `kgstore.verifier.methods.grapheval`."""

EVIDENCE = 500
"""Characters of the document that one question shows; where it is longer, its sentences nearest in meaning."""

MORE_WORDS = 2
"""By so many words a new tail may be longer than the old one: a whole clause in its place fits no sentence."""

PRONOUN = "the tail is a pronoun, which no other words can replace"
TOO_LONG = "the new tail is much longer than the old one"
NO_TRIPLE = "the model gave no other triple"
UNKNOWN = "the new triple says what the document does not"
NO_TEXT = "the model gave no other text"
BEYOND = "the new text differs in words of neither triple"
ELSEWHERE = "the new text differs in a sentence without a flagged triple"
NO_BETTER = "the new text has no fewer flagged triples"


@dataclass(frozen=True, slots=True)
class Edit:
    """A triple and what became of it in the text; None where its last phrase was left out."""

    old: Triple
    new: Triple | None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text after correction.

    :param edits: the triples that were put right; none for `direct`, which knows of no triples
    :param before: the flagged triples of the old text, ``after`` those of the new one
    :param refused: why a reply of the model was not taken, and how often
    :param notices: what was left out, or done otherwise than asked
    """

    text: str
    edits: tuple[Edit, ...]
    before: tuple[Checked, ...]
    after: tuple[Checked, ...]
    refused: Counter[str] = field(default_factory=Counter)
    notices: tuple[str, ...] = ()


_PREPOSITIONS = words("prepositions.of_phrases")
"""Those whose phrase can be left out; without "of" or "to" what stays is often no phrase."""
_PHRASE = re.compile(rf"\s+{either('prepositions.of_phrases')}\s+(?=\S)")
_ENDING = re.compile(r"""[.!?…]["'”’)\]]*\s*$""")
_SMALL = words("written.between") | _PREPOSITIONS


class _Refused(Exception):
    """The reply is not taken; the argument says why."""


def graphcorrect(text: str, document: Document, detect: Detect, model: ChatModel) -> Rewritten:
    """Correct the flagged triples one by one, each edit checked again before it is made.

    Three things differ from `published`. The model sees head and relation, and says what the document has for a tail,
    because a small model that sees a wrong tail mostly repeats it; its answer is put in place of the old tail without
    asking again. Where that is no answer that can be taken, a phrase at the end of the triple may be left out
    (`shortened`). And an edit is made only if the text then has fewer flagged triples.

    :raises KgError: if the model cannot be asked
    """
    before = tuple(detect(text))
    places = _places(text, before)
    now, new, edits, refused, tried = before, text, [], Counter[str](), set[Triple]()

    def better(offered: str) -> bool:
        nonlocal now, new
        again = tuple(detect(offered))
        if len(again) < len(now):
            now, new = again, offered
            return True
        return False

    while fresh := [one for one in now if spoken(new, one.claim) not in tried]:
        claim = fresh[0].claim
        old = spoken(new, claim)
        tried.add(old)
        try:
            triple = _completed(old, claim, document, model)
            offered = replaced(new, claim.tail, triple[2])
            _check(text, new, offered, old, triple, places)
            if not better(offered):
                raise _Refused(NO_BETTER)
            edits.append(Edit(old, triple))
        except _Refused as why:
            refused[str(why)] += 1
            if any(better(offered) for offered in shortened(new, claim)):
                edits.append(Edit(old, None))
    return Rewritten(new, tuple(edits), before, now, refused)


def published(text: str, document: Document, detect: Detect, model: ChatModel) -> Rewritten:
    """GraphCorrect as in the paper: the model does both steps for each triple that was flagged, and every edit stays.

    :raises KgError: if the model cannot be asked
    """
    before = tuple(detect(text))
    places = _places(text, before)
    new, edits, refused = text, [], Counter[str]()
    for old in dict.fromkeys(spoken(text, one.claim) for one in before):
        try:
            triple = _corrected(old, document, model)
            offered = _written(model, INSERT, about_insert(new, old, triple), new)
            _check(text, new, offered, old, triple, places)
        except _Refused as why:
            refused[str(why)] += 1
        else:
            new = offered
            edits.append(Edit(old, triple))
    return Rewritten(new, tuple(edits), before, tuple(detect(new)), refused)


def direct(text: str, document: Document, detect: Detect, model: ChatModel) -> Rewritten:
    """The paper's baseline: the model sees document and text, and writes the text anew.

    :raises KgError: if the model cannot be asked
    """
    before = tuple(detect(text))
    if not before:
        return Rewritten(text, (), before, before)
    try:
        new = _written(model, DIRECT, about_text(shown(document, text), text), text)
        if not inside(changes(text, new), _places(text, before)):
            raise _Refused(ELSEWHERE)
    except _Refused as why:
        return Rewritten(text, (), before, before, Counter([str(why)]))
    return Rewritten(new, (), before, tuple(detect(new)))


def shown(document: Document, about: str, most: int = EVIDENCE) -> str:
    """The document, or its sentences nearest to a statement, in their order.

    :param most: characters; one sentence is shown even if it is longer
    """
    lengths = [len(one) + 1 for one in document.sentences]
    if sum(lengths) <= most:
        return " ".join(document.sentences)
    order = np.argsort(-document.likeness([about])[0], kind="stable").tolist()
    kept = [order[0]]
    for number in order[1:]:
        if sum(lengths[one] for one in kept) + lengths[number] <= most:
            kept.append(number)
    return document.read(tuple(sorted(kept)))


def replaced(text: str, mention: Mention, words: str) -> str:
    """The text with other words where a mention stands.

    >>> replaced("Ann was born in Rome.", Mention(16, 20, "Rome"), "Oslo")
    'Ann was born in Oslo.'
    """
    if mention.start == 0 or text[: mention.start].rstrip().endswith((".", "!", "?")):
        words = words[:1].upper() + words[1:]
    end = mention.end - text[mention.start : mention.end].endswith(".") * (not words.endswith("."))
    return text[: mention.start] + words + text[end:]


def shortened(text: str, claim: Claim) -> list[str]:
    """The text without a prepositional phrase at the end of the triple, the shortest first.

    >>> text = "Ann met Bob at a fair in Rome."
    >>> shortened(text, Claim(0, 29, text[:29], Mention(0, 3, "Ann"), "met", Mention(4, 29, "Bob at a fair in Rome")))
    ['Ann met Bob at a fair.', 'Ann met Bob.']
    """
    tail, start = claim.tail, claim.tail.start
    if tail.refers_to is not None:
        return []
    *before, last = text[claim.head.end : start].split() or [""]
    if last in _PREPOSITIONS and sum(word not in _SMALL for word in before) > 1:  # "sold a house in", not "was born in"
        start = text.rfind(last, 0, start) - 1
    end = tail.end - text[tail.start : tail.end].endswith(".")
    after = text[end:]
    if after.startswith(","):  # what comes may belong to it: "in Rome, Italy, with a loss"
        return []
    kept = [text[: found.start()] for found in reversed(list(_PHRASE.finditer(text, start, end)))]
    return [(one.rstrip(",;") if _ENDING.match(after[:1]) else one) + after for one in kept]


def _completed(old: Triple, claim: Claim, document: Document, model: ChatModel) -> Triple:
    """Step 1 of `graphcorrect`: the old head and relation with another tail."""
    if claim.tail.refers_to is not None:
        raise _Refused(PRONOUN)
    head, relation, tail = old
    found, _ = parse_reply(model.ask(TAIL, about_tail(shown(document, " ".join(old)), old), 1))
    new = found[0].tail if found else ""
    if not new or new.casefold() in (tail.casefold(), HIDDEN):
        raise _Refused(NO_TRIPLE)
    if foreign(new, document.text):
        raise _Refused(UNKNOWN)
    if len(new.split()) > len(tail.split()) + MORE_WORDS:
        raise _Refused(TOO_LONG)
    return head, relation, new


def _corrected(old: Triple, document: Document, model: ChatModel) -> Triple:
    """Step 1 of the paper."""
    reply = model.ask(TRIPLE, about_triple(shown(document, " ".join(old)), old), 1)
    found, _ = parse_reply(reply)
    if not found or not all((found[0].head, found[0].relation, found[0].tail)):
        raise _Refused(NO_TRIPLE)
    new = (found[0].head, found[0].relation, found[0].tail)
    if [part.casefold() for part in new] == [part.casefold() for part in old]:
        raise _Refused(NO_TRIPLE)
    if foreign(" ".join(new), document.text, *old):
        raise _Refused(UNKNOWN)
    return new


def _written(model: ChatModel, task: Task, question: str, old: str) -> str:
    """A text that the model writes anew, within the white space of the old one."""
    reply = model.write(task, question, 64 + len(old.encode()) // 2, TEXT_SCHEMA)
    try:
        match json.loads(reply):
            case {"text": str(new)} if new.strip().casefold() not in ("", old.strip().casefold()):
                if not _ENDING.search(old) or _ENDING.search(new):  # else it breaks off
                    return old.replace(old.strip(), new.strip())
    except (ValueError, RecursionError):
        pass
    raise _Refused(NO_TEXT)


def _check(text: str, current: str, offered: str, old: Triple, new: Triple, places: Sequence[Span]) -> None:
    made = changes(current, offered)
    if any(foreign(one.old, *old) or foreign(one.new, *new) for one in made):
        raise _Refused(BEYOND)
    if not inside(changes(text, offered), places):
        raise _Refused(ELSEWHERE)


def _places(text: str, flagged: Sequence[Checked]) -> list[Span]:
    """The sentences that hold a flagged triple."""
    return [(a, b) for a, b in sentences(text) if any(one.claim.start < b and a < one.claim.end for one in flagged)]
