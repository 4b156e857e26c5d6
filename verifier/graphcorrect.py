"""GraphCorrect: what a document does not bear out in a text, put right triple by triple with a language model.

After Sansford et al., GraphEval (2024), section 6. Each triple that GraphEval flags is corrected by the document (step
1), then put into the text in place of the old one (step 2). The baseline asks for both at once (`direct`).

A reply of the model is never taken as it is. A new triple may use only words of the document and of the old triple; a
new text may differ from the old one only in words of the two triples, and only in sentences that hold a flagged one.
What breaks this is refused, and the refusals are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from verifier.claims import Claim, Mention
from verifier.correction_prompts import DIRECT, INSERT, TEXT_SCHEMA, TRIPLE, about_insert, about_text, about_triple
from verifier.document.source import Document
from verifier.edits import Span, changes, foreign, inside
from verifier.extract.chat import ChatModel
from verifier.extract.open import spoken
from verifier.extract.prompts import Task, Triple
from verifier.extract.reply import parse_reply
from verifier.extract.windows import sentences
from verifier.grapheval import Checked

Detect = Callable[[str], Sequence[Checked]]
"""The flagged triples of a text, see `verifier.grapheval`."""

EVIDENCE = 500
"""Characters of the document that one question shows; where it is longer, its sentences nearest in meaning."""

NO_TRIPLE = "the model gave no other triple"
UNKNOWN = "the new triple says what the document does not"
NO_TEXT = "the model gave no other text"
BEYOND = "the new text differs in words of neither triple"
ELSEWHERE = "the new text differs in a sentence without a flagged triple"
NO_BETTER = "the new text has no fewer flagged triples"


@dataclass(frozen=True, slots=True)
class Edit:
    """A triple and what became of it in the text."""

    old: Triple
    new: Triple


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


class _Refused(Exception):
    """The reply is not taken; the argument says why."""


def graphcorrect(text: str, document: Document, detect: Detect, model: ChatModel) -> Rewritten:
    """Correct the flagged triples one by one, each edit checked again before it is made.

    Two things differ from `published`. Where one end of the triple changed and stands in the text, it is replaced
    there, without the model, which otherwise sees the triple's sentence and not the whole text. And an edit is made
    only if the text then has fewer flagged triples.

    :raises KgError: if the model cannot be asked
    """
    before = tuple(detect(text))
    places = _places(text, before)
    now, new, edits, refused, tried = before, text, [], Counter[str](), set[Triple]()
    while fresh := [one for one in now if spoken(new, one.claim) not in tried]:
        claim = fresh[0].claim
        old = spoken(new, claim)
        tried.add(old)
        try:
            triple = _corrected(old, document, model)
            offered = replaced(new, claim, old, triple) or _resaid(new, claim, old, triple, model)
            _check(text, new, offered, old, triple, places)
            again = tuple(detect(offered))
            if len(again) >= len(now):
                raise _Refused(NO_BETTER)
        except _Refused as why:
            refused[str(why)] += 1
        else:
            new, now = offered, again
            edits.append(Edit(old, triple))
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


METHODS = {"graphcorrect": graphcorrect, "published": published, "direct": direct}
"""By the names that the command line has for them."""


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


def replaced(text: str, claim: Claim, old: Triple, new: Triple) -> str | None:
    """The text with the other head, or the other tail, where the old one stands; None where that is not all.

    >>> text = "Ann Smith was born in Rome."
    >>> claim = Claim(0, 26, text[:26], Mention(0, 9, "Ann Smith"), "was born in", Mention(22, 26, "Rome"))
    >>> replaced(text, claim, ("Ann Smith", "was born in", "Rome"), ("Ann Smith", "was born in", "Oslo"))
    'Ann Smith was born in Oslo.'
    """
    other = [a.casefold() != b.casefold() for a, b in zip(old, new, strict=True)]
    if other == [True, False, False]:
        mention, words = claim.head, new[0]
    elif other == [False, False, True]:
        mention, words = claim.tail, new[2]
    else:
        return None
    if mention.refers_to is not None:
        return None  # a pronoun: what it stands for is said elsewhere
    return _put(text, mention, words)


def _put(text: str, mention: Mention, words: str) -> str:
    if mention.start == 0 or text[: mention.start].rstrip().endswith((".", "!", "?")):
        words = words[:1].upper() + words[1:]
    end = mention.end - text[mention.start : mention.end].endswith(".") * (not words.endswith("."))
    return text[: mention.start] + words + text[end:]


def _corrected(old: Triple, document: Document, model: ChatModel) -> Triple:
    """Step 1."""
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


def _resaid(text: str, claim: Claim, old: Triple, new: Triple, model: ChatModel) -> str:
    """Step 2 within the sentence of the triple."""
    (start, end), *_ = _places(text, (claim,))
    sentence = text[start:end]
    return text[:start] + _written(model, INSERT, about_insert(sentence, old, new), sentence) + text[end:]


def _written(model: ChatModel, task: Task, question: str, old: str) -> str:
    """A text that the model writes anew, within the white space of the old one."""
    reply = model.write(task, question, 64 + len(old.encode()) // 2, TEXT_SCHEMA)
    try:
        match json.loads(reply):
            case {"text": str(new)} if new.strip().casefold() not in ("", old.strip().casefold()):
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


def _places(text: str, flagged: Sequence[Checked] | Sequence[Claim]) -> list[Span]:
    """The sentences that hold a flagged triple."""
    claims = [one.claim if isinstance(one, Checked) else one for one in flagged]
    return [(a, b) for a, b in sentences(text) if any(claim.start < b and a < claim.end for claim in claims)]
