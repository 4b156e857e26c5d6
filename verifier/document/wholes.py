"""Whole sentences as claims, for methods that take no triples, and for what no triple was read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.claims import Claim, Mention
from verifier.extract.windows import sentences


def sentence_claims(text: str, claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each sentence, in reading order. Its triple is the first that was read from the sentence; where
    none was, the whole sentence stands as the tail.

    :param claims: the triples of the text
    """
    found = []
    for start, end in sentences(text):
        first = next((claim for claim in claims if start <= claim.start and claim.end <= end), None)
        found.append(
            whole(text, start, end) if first is None else replace(first, start=start, end=end, text=text[start:end])
        )
    return found


def unread(text: str, claims: Sequence[Claim]) -> list[Claim]:
    """The sentences from which no triple was read, each as one claim."""
    spans = [span for span in sentences(text) if not any(span[0] < one.end and one.start < span[1] for one in claims)]
    return [whole(text, *span) for span in spans if any(char.isalnum() for char in text[slice(*span)])]


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
