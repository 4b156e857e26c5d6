"""Whole sentences as claims, for methods that take no triples, and for what no triple was read from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.document.verbatim import uncited
from kgstore.verifier.english.words import either
from kgstore.verifier.llm.windows import sentences

_ASKS = re.compile(r"\?[\"'”’)\s]*$")
_TELLS = re.compile(r"(?:(?:and|but|so|well|hey|oh),? )?(?:did|do) you know|(?:is|was|did)n['’]t", re.IGNORECASE)
"""Questions that say something all the same."""
_LEAD = re.compile(rf"^(?:{either('said.answers')}\s*[,!.;]\s*|\d{{1,2}}[.)]\s+)+(?=\S+\s+\S)", re.IGNORECASE)
"""An answer's first word, or a number of a list."""


def sentence_claims(text: str, claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each sentence that says something, in reading order. Its triple is the first that was read from
    the sentence; where none was, the whole sentence stands as the tail. A question says nothing, nor does the number
    of a source.

    :param claims: the triples of the text

    >>> [one.text for one in sentence_claims("Ann left. [2] Why? Did you know that Bob stayed?", [])]
    ['Ann left.', 'Did you know that Bob stayed?']
    """
    found = []
    for start, end in sentences(text):
        if not _says(text[start:end]) or asks(text[start:end]):
            continue
        first = next((claim for claim in claims if start <= claim.start and claim.end <= end), None)
        found.append(
            whole(text, start, end) if first is None else replace(first, start=start, end=end, text=text[start:end])
        )
    return found


def hypothesis(claim: Claim) -> str:
    """What a judge is asked of a whole sentence: its text in one line, without the numbers of its sources, and without
    what only answers or counts.

    >>> [hypothesis(whole(text, 0, len(text))) for text in ("Yes, Ann  left [1].", "No.", "2. Ann stayed.")]
    ['Ann left.', 'No.', 'Ann stayed.']
    """
    said = uncited(" ".join(claim.text.split()))
    bare = _LEAD.sub("", said)
    return f"{bare[:1].upper()}{bare[1:]}" if bare != said else said


def _says(sentence: str) -> bool:
    return any(char.isalnum() for char in uncited(sentence))


def asks(sentence: str) -> bool:
    """Is it a question that says nothing by itself?"""
    return _ASKS.search(sentence) is not None and _TELLS.match(sentence) is None


def as_written(text: str, claim: Claim) -> Claim:
    """The claim in the letters of the text, where it was read with other capitals."""
    head, tail = (replace(end, text=text[end.start : end.end]) for end in (claim.head, claim.tail))
    return replace(claim, text=text[claim.start : claim.end], head=head, tail=tail)


def only_asked(text: str) -> list[Claim]:
    """The questions of a text that says nothing besides, each as one claim.

    >>> [one.text for one in only_asked("Why? Who left?")], only_asked("Why? Ann left.")
    (['Why?', 'Who left?'], [])
    """
    spans = [span for span in sentences(text) if _says(text[slice(*span)])]
    return [whole(text, *span) for span in spans] if all(asks(text[slice(*span)]) for span in spans) else []


def questions(text: str) -> tuple[str, ...]:
    """How many questions of a text are not checked, for the notices."""
    match sum(asks(text[start:end]) for start, end in sentences(text)):
        case 0:
            return ()
        case 1:
            return ("1 question is not checked",)
        case many:
            return (f"{many} questions are not checked",)


def unread(text: str, claims: Sequence[Claim]) -> list[Claim]:
    """The sentences from which no triple was read, each as one claim."""
    spans = [span for span in sentences(text) if not any(span[0] < one.end and one.start < span[1] for one in claims)]
    return [whole(text, *span) for span in spans if _says(text[slice(*span)])]


def left_out(text: str, claims: Sequence[Claim]) -> tuple[str, ...]:
    """How many sentences a method that knows only triples does not check, for its notices."""
    match len(unread(text, claims)):
        case 0:
            return ()
        case 1:
            return ("1 sentence from which no triple was read is not checked",)
        case many:
            return (f"{many} sentences from which no triple was read are not checked",)


def whole(text: str, start: int, end: int) -> Claim:
    """A stretch of text as a claim without parts."""
    said = text[start:end]
    return Claim(start, end, said, Mention(start, start, ""), "", Mention(start, end, said))
