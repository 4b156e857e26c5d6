"""Which dates of a clause belong to which of its objects, and which of them bound a time."""

from __future__ import annotations

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import Argument
from kgstore.verifier.read.parse import Word

_SINCE = words("prepositions.since")
_UNTIL = words("prepositions.until")


def times_of(argument: Argument, objects: list[Argument], times: list[Argument]) -> list[Argument] | None:
    """Those of the dates that go with one of several objects: "won A in 1975 and B in 1959".

    :return: None if all dates go with all objects
    """
    objects = sorted(objects, key=lambda one: one.word.start)
    groups: dict[int, list[Argument]] = {}
    for time in times:
        groups.setdefault(sum(one.word.end <= time.word.start for one in objects) - 1, []).append(time)
    if len(groups) < 2 or argument not in objects:
        return None
    at = objects.index(argument)
    after = next((groups[one] for one in sorted(groups) if one > at), [])
    return groups.get(at) or groups.get(-1) or after


def interval(times: list[Argument]) -> tuple[Word | None, Word | None]:
    """Both ends of "from 1971 to 1974", "between 1971 and 1974"; one of "since 1971" or "until 1974"."""
    ways = [(argument.path[-1].lower if argument.path else "", argument) for argument in times]
    last = next((one for way, one in ways if way in _UNTIL), None)
    first = next((one for way, one in ways if way in _SINCE), None)
    if last is None and first is not None and first.path[-1].lower == "between":
        last = next((one for way, one in ways if way == "between" and one.joined is not None), None)
    if last is None:
        return (first.word if first is not None else None), None
    return (first.word if first is not None and first is not last else None), last.word
