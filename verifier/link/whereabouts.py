"""Where a text says that a place lies: "Memphis, Egypt" is no town in Tennessee, whatever else the KG calls Memphis."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Mention, Passage
from kgstore.verifier.english.words import either, words
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.link.linker import described

_BEHIND = re.compile(r"(?:,|,? in)(?: the)? ((?:[A-Z][\w.’'-]*)(?: (?:of (?:the )?|and )?[A-Z][\w.’'-]*){0,3})")
_LISTED = re.compile(r",? and [A-Z]|, [A-Z]")
_SETTLED = re.compile(rf"\b{either('classes.settled')}\b", re.I)
_PART = re.compile(rf"\b{either('classes.parts')}\b", re.I)
_REGIONS = words("classes.regions")
"""Labels of classes of places whose names stand behind those of towns, as those of countries do."""
_MOST = 5
"""Places of one name that are looked at, best known first."""


def located(text: str, claims: Sequence[Claim], know: Knowledge) -> list[Claim]:
    """The claims, without the candidates of a town's name that lie elsewhere than in the region named right behind it.

    What is said once, "Memphis, Egypt" or "Memphis in Egypt", holds wherever the text has the name. Where no candidate
    is left, the KG does not know the town: the mention is then the name with the region.
    """
    mentions = [mention for claim in claims for mention in (claim.head, claim.tail)]
    left = _left(text, mentions, know)
    return [replace(claim, head=left(claim.head), tail=left(claim.tail)) for claim in claims]


def located_places(text: str, passages: Sequence[Passage], know: Knowledge) -> list[Passage]:
    """The same of all that sentences name, whether or not something is claimed of it."""
    left = _left(text, [one for passage in passages for one in passage.places], know)
    return [replace(one, places=tuple(map(left, one.places))) for one in passages]


def _left(text: str, mentions: Sequence[Mention], know: Knowledge) -> Callable[[Mention], Mention]:
    """What is left of a mention, of which the text has these."""
    elsewhere: dict[str, set[str]] = {}
    ends: dict[int, int] = {}
    claimed = {mention.end for mention in mentions}
    for mention in mentions:
        start, end = mention.refers_to or (mention.start, mention.end)
        named = mention.candidates and _BEHIND.match(text, end)
        if not named or not _is_town(know, mention.candidates[0].iri):
            continue
        regions, last = _regions(text, end, know, claimed)
        if len(mention.candidates) == 1 and not know.wider(mention.candidates[0].iri):
            continue  # the KG does not say where it lies, and knows no other
        gone = {one.iri for one in mention.candidates if regions and not _lies_in(know, one.iri, regions)}
        if gone:
            elsewhere.setdefault(text[start:end], set()).update(gone)
            ends[end] = last

    def left(mention: Mention) -> Mention:
        start, end = mention.refers_to or (mention.start, mention.end)
        gone = elsewhere.get(text[start:end])
        if not gone:
            return mention
        kept = tuple(one for one in mention.candidates if one.iri not in gone)
        if mention.candidates and not kept and mention.refers_to is None:
            last = ends.get(end, end)
            return replace(mention, end=last, text=text[start:last], candidates=())
        return replace(mention, candidates=kept)

    return left


def _regions(text: str, end: int, know: Knowledge, claimed: set[int]) -> tuple[list[str], int]:
    """The regions, if any, whose name follows a comma, or "in", at this place of the text; and where the name ends.

    :param claimed: where the names end of which something is claimed: "Munich, Nuremberg and Augsburg" are three towns
    """
    behind = _BEHIND.match(text, end)
    words = behind.group(1).rstrip(".").split() if behind else []
    while words:
        name = " ".join(words)
        hits = know.store.lookup([name]).get(name, ())[:_MOST]
        if hits and behind is not None:
            last = behind.start(1) + len(name)
            if text[end] == "," and last in claimed and _LISTED.match(text, last) and _is_town(know, hits[0].iri):
                return [], end
            found = [hit.iri for hit in hits if _is_region(know, hit.iri) and not know.past(hit.iri)]
            return found, last
        words.pop()
    return [], end


def _lies_in(know: Knowledge, place: str, regions: Sequence[str]) -> bool:
    return any(know.related(place, one) or described(know.store, place, know.store.label(one)) for one in regions)


def _is_town(know: Knowledge, place: str) -> bool:
    labels = _labels(know, place)
    part = any(map(_PART.search, labels)) and not _is_region(know, place)  # a state may be an electoral district
    return (part or any(map(_SETTLED.search, labels))) and labels.isdisjoint(know.store.profile.country)


def _is_region(know: Knowledge, place: str) -> bool:
    labels = _labels(know, place)
    return bool(labels & _REGIONS) or not labels.isdisjoint(know.store.profile.country)


def _labels(know: Knowledge, place: str) -> set[str]:
    return {know.store.label(kind) for kind in know.kinds(place)}
