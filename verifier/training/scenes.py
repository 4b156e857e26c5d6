"""Rows from scenes: sentences with slots, in which every relation between the slots is written down.

``data/scenes`` was written by hand for what no corpus at hand tells: which of several names of one kind goes with
which relation, and which way round a relation goes. A file begins with names for its slots; a scene has ``facts`` (all
that it asserts) and ``maybe`` (what may be read into it; not learnt either way). ``chains`` are facts of two steps by
way of what has no name in the sentence; ``nofacts`` and ``nochains`` are what is denied, or what a reader in a hurry
takes to be said. Nothing else is asserted.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kgstore.verifier.claims import Triple
from kgstore.verifier.reader.asking import Span
from kgstore.verifier.training.reader_rows import SYMMETRIC, Row, read

SOURCE = "scenes"
"""Of rows, before a colon and the name of their file."""
_SLOT = re.compile(r"\{(\w+)\}")
_LOOSE = frozenset(("follows", "followed by", "part of", "has part", "sibling", "shares border with"))
"""Relations that pass much of what is said on, so that two steps of them are no news."""
_DENIED = 1.3
"""Pairs that are denied a relation of the scene, for each that has one."""


def scenes(folder: Path, times: int, chance: random.Random) -> Iterator[Row]:
    """Each scene of each file, filled with so many sets of names."""
    for path in sorted(folder.glob("*.jsonl")):
        first, *lines = read(path)
        usual = _by_kinds(lines)
        for line in lines:
            for _ in range(times):
                rows = _rows(line, first["fillers"], usual, chance)
                yield from (replace(row, source=f"{SOURCE}:{path.stem}") for row in rows)


def _by_kinds(lines: Sequence[Mapping]) -> dict[tuple[str, str], list[str]]:
    """Kinds of head and tail -> the relations between such, as often as they occur."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        for head, label, tail in line["facts"]:
            found.setdefault((line["slots"][head], line["slots"][tail]), []).append(label)
    return found


def _rows(
    scene: Mapping,
    fillers: Mapping[str, Sequence[str]],
    usual: Mapping[tuple[str, str], Sequence[str]],
    chance: random.Random,
) -> Iterator[Row]:
    kinds: Mapping[str, str] = scene["slots"]
    text, at = _filled(scene["text"], kinds, fillers, chance)
    yield from _in_two_steps(scene, Row(text, (0, 0), (0, 0), ()), at, chance)
    facts: dict[tuple[str, str], list[str]] = {}
    doubt: dict[tuple[str, str], list[str]] = {}
    for kept, triples in ((facts, scene["facts"]), (doubt, scene["maybe"])):
        for head, label, tail in triples:
            kept.setdefault((head, tail), []).append(label)
    for (head, tail), said in facts.items():
        rivals = _elsewhere(scene["facts"], kinds, head, tail)
        unsure = doubt.get((head, tail), [])
        denied = tuple(one for one in rivals if one not in said and one not in unsure)
        yield Row(text, at[head], at[tail], tuple(said), denied, tuple(unsure))
    wrong = [one for one in _wrong(scene["facts"], kinds) if one[1] not in _of(facts, doubt, one)]
    if not scene["facts"]:
        wrong = [one for one in _wrong(scene["maybe"], kinds) if one[1] not in _of(facts, doubt, one)]
    chance.shuffle(wrong)
    for head, label, tail in wrong[: max(2, round(_DENIED * len(facts)))]:
        yield Row(text, at[head], at[tail], (), (label,))
    for head, label, tail in scene.get("nofacts", ()):
        yield Row(text, at[head], at[tail], (), (label,))
    pairs = [(one, other) for one in kinds for other in kinds if one != other and usual.get((kinds[one], kinds[other]))]
    chance.shuffle(pairs)
    pairs.sort(key=lambda ends: ends not in facts)  # what else such two are is denied of those that are something
    for head, tail in [*pairs[: len(facts)], *pairs[-max(2, len(facts)) :]]:
        doubtful = (*facts.get((head, tail), ()), *doubt.get((head, tail), ()))
        label = chance.choice(usual[kinds[head], kinds[tail]])
        turned = label in SYMMETRIC and label in facts.get((tail, head), ())
        if label not in doubtful and not turned:
            yield Row(text, at[head], at[tail], (), (label,), doubtful)


def _in_two_steps(scene: Mapping, empty: Row, at: Mapping[str, Span], chance: random.Random) -> Iterator[Row]:
    """What is said by way of what has no name, or has one; and that it is not said with another first step or name, nor
    of the head itself."""
    kinds, chains = scene["slots"], [(one, *steps, other) for one, steps, other in scene.get("chains", ())]
    steps = [*scene["facts"], *scene["maybe"]]
    through = [
        (one, first, second, tail)
        for one, first, middle in scene["facts"]
        for head, second, tail in scene["facts"]
        if head == middle and tail != one and not {first, second} & _LOOSE
    ]
    for one, first, second, tail in [*chains, *chance.sample(through, min(1, len(through)))]:
        row = replace(empty, head=at[one], tail=at[tail], said=(second,), through=first)
        yield row
        no = replace(row, said=(), rivals=(second,))
        also = {(a, b, d) for a, b, c, d in (*chains, *through) if c == second}
        other = [b for a, b, _, _ in (*chains, *through) if a == one and (one, b, tail) not in also]
        if other:
            yield replace(no, through=chance.choice(other))
        elsewhere = [(slot, tail) for slot in kinds if slot not in (one, tail) and kinds[slot] == kinds[one]] + [
            (one, slot) for slot in kinds if slot not in (one, tail) and kinds[slot] == kinds[tail]
        ]
        wrong = [ends for ends in elsewhere if (ends[0], first, ends[1]) not in also]
        for a, b in chance.sample(wrong, min(2, len(wrong))):
            yield replace(no, head=at[a], tail=at[b])
        direct = [label for label in (second, first) if [one, label, tail] not in steps]
        if direct and (one, first, second, tail) in chains:
            yield replace(no, through="", rivals=tuple(direct))
            if chance.random() < 0.3:
                yield replace(no, head=at[tail], tail=at[one])
    for one, (first, second), tail in scene.get("nochains", ()):
        yield replace(empty, head=at[one], tail=at[tail], rivals=(second,), through=first)
        if [one, second, tail] not in steps:
            yield replace(empty, head=at[one], tail=at[tail], rivals=(second,))


def _of(facts: Mapping, doubt: Mapping, one: Triple) -> list[str]:
    """What holds, or may hold, between the two."""
    ends = one[0], one[2]
    return [*facts.get(ends, ()), *doubt.get(ends, ())]


def _elsewhere(facts: Sequence[Triple], kinds: Mapping[str, str], head: str, tail: str) -> list[str]:
    """Relations of the scene between things of the same kinds, or that share an end."""
    return list(
        dict.fromkeys(
            label
            for one, label, other in facts
            if (kinds[one], kinds[other]) in ((kinds[head], kinds[tail]), (kinds[tail], kinds[head]))
            or one == head
            or other == tail
        )
    )


def _wrong(facts: Sequence[Triple], kinds: Mapping[str, str]) -> list[Triple]:
    """Each fact turned round, and with other names of the right kind."""
    found: dict[Triple, None] = {}
    for head, label, tail in facts:
        if label not in SYMMETRIC:
            found[tail, label, head] = None
        for other in kinds:
            if other not in (head, tail):
                if kinds[other] == kinds[tail]:
                    found[head, label, other] = None
                if kinds[other] == kinds[head]:
                    found[other, label, tail] = None
    return list(found)


def _filled(
    template: str, kinds: Mapping[str, str], fillers: Mapping[str, Sequence[str]], chance: random.Random
) -> tuple[str, dict[str, Span]]:
    """The sentence, and where each slot stands; no name twice."""
    names: dict[str, str] = {}
    for slot, kind in kinds.items():
        names[slot] = chance.choice([one for one in fillers[kind] if one not in names.values()] or fillers[kind])
    text, spans, last = "", {}, 0
    for match in _SLOT.finditer(template):
        text += template[last : match.start()]
        word = names[match[1]]
        if not text:
            word = word[:1].upper() + word[1:]
        spans[match[1]] = (len(text), len(text) + len(word))
        text += word
        last = match.end()
    return text + template[last:], spans
