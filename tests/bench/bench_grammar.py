"""What does each part of the grammar earn, now that a reader is there?

Run:    python -m tests.bench.bench_grammar --prose FOLDER... --claims FILE=KG... --work DIR [--limit N] [--part NAME]
Prints: a JSON line with all parts, then one a part: what is different without it.

A part that is off finds nothing and changes nothing. For a folder of prose, of the whole pipeline: ``recall`` of gold
triples, ``found`` replaced values and the share of accusations that are ``right``, ``accused`` texts and ``crossed``
relations, as `bench_reader` has them. For claims: the share with the right label, and the false accusations. With
``--part none`` only the first line is printed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.verifier.claims import Label, Role, Verdict
from kgstore.verifier.judges.remembering import Remembering
from kgstore.verifier.measure.ablation import _verdict
from kgstore.verifier.measure.evaluate import evaluate
from kgstore.verifier.measure.labelled import read_gold
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read import shapes
from tests.bench.bench_reader import _holds, _joins, _said, _value, rows_of

NONE = lambda *_, **__: None  # noqa: E731
EMPTY = lambda *_, **__: []  # noqa: E731
FIRST = lambda first, *_, **__: first  # noqa: E731
PARTS: dict[str, Callable] = {
    "fronted.fronted": lambda sentence, *_: (sentence, []), "shapes.usual": FIRST,
    "linear.linear": EMPTY, "linear.listed": EMPTY, "lifespans.lifespans": EMPTY, "lifespans.keyed_brackets": EMPTY,
    "territory.territory_of": lambda *_: {}, "times.times_of": NONE, "times.interval": lambda times: (None, None),
    "misread.misread": lambda *_: {}, "sorts.without_sort": NONE, "measures.Measures.read": EMPTY,
    "measures.Measures._told": EMPTY, "measures.Measures._ranked": EMPTY, "measures.Measures._peopled": EMPTY,
    "measures.Measures._compared": EMPTY, "measures.Measures._of_two": EMPTY, "measures.Measures._as_much": EMPTY,
    "measures.Measures._first": EMPTY, "measures.Measures.apposed": NONE, "measures.counted": NONE,
    "grammar.Grammar.titles": EMPTY, "grammar.Grammar.appositions": EMPTY, "grammar.Grammar._shared": EMPTY,
    "grammar.Grammar._begun": EMPTY, "grammar.Grammar._owned": EMPTY, "grammar.Grammar._where": EMPTY,
    "grammar.Grammar._reciprocal": EMPTY, "grammar.Grammar._stray": EMPTY,
    "coreference.Coreference.short_form": NONE, "coreference.Coreference.noun": NONE,
}  # fmt: skip
"""Functions and methods of the grammar, and what stands for each when it is off."""
SHAPES = {f"shape:{one.name}": one for one in shapes.ORDER}
"""Sentence shapes, which are left out of the order."""
ROOMS = dict.fromkeys(("brackets", "coreference", "forms", "mentions", "sorts"), "link")
"""Where a module lies that is not in `kgstore.verifier.read`."""


@contextmanager
def without(part: str) -> Iterator[None]:
    """The part finds nothing, whoever calls it."""
    if part in SHAPES:
        every = shapes.ORDER
        shapes.ORDER = tuple(one for one in every if one is not SHAPES[part])
        try:
            yield
        finally:
            shapes.ORDER = every
        return
    module_name, *path = part.split(".")
    module = importlib.import_module(f"kgstore.verifier.{ROOMS.get(module_name, 'read')}.{module_name}")
    if len(path) == 2:
        places, real = [(getattr(module, path[0]), path[1])], getattr(getattr(module, path[0]), path[1])
    else:
        real = getattr(module, path[0])
        loaded = [one for name, one in list(sys.modules.items()) if name.startswith("kgstore.verifier.")]
        places = [(one, name) for one in loaded for name, value in list(vars(one).items()) if value is real]
    for holder, name in places:
        setattr(holder, name, PARTS[part])
    try:
        yield
    finally:
        for holder, name in places:
            setattr(holder, name, real)


def _remembering(verifier: Verifier) -> Verifier:
    verifier.second = Remembering(verifier.second, most=sys.maxsize) if verifier.second else None
    verifier.reader = Remembering(verifier.reader, most=sys.maxsize) if verifier.reader else None
    return verifier


def _statements(verdict: Verdict, role: Role | None = None) -> frozenset:
    shown = (one.statement for one in verdict.evidence if role in (None, one.role))
    return frozenset((one.subject.value, one.predicate.value, _value(one.value)) for one in shown)


def of_prose(rows: Sequence[dict], verifiers: dict[str, Verifier]) -> dict[str, float]:
    """Shares of a folder of prose."""
    made = {
        name: {row["id"]: verifier.verdicts(row["text"], *verifier.read(row["text"])) for row in rows}
        for name, verifier in verifiers.items()
    }

    def of(graph: str, row: dict, label: Label) -> list[frozenset]:
        return [_statements(one) for one in made[graph][row["id"]] if one.label is label]

    gold = [(row, triple) for row in rows for triple in row["triples"] if _said(triple)]
    crossed = [(row, triple) for row in rows for triple in row["triples"] if triple.get("crossed_to")]
    replaced = [(row, [t for t in row["triples"] if t.get("altered") == "replaced"]) for row in rows]
    replaced = [(row, triples) for row, triples in replaced if triples]
    against = [
        any(_holds(statements, triple, value=False) for triple in row["triples"] if triple.get("altered") == "replaced")
        for row in rows
        for statements in of("kg_altered", row, Label.CONTRADICTORY)
    ]
    return {
        "recall": _share([any(_holds(s, t) for s in of("kg", row, Label.ATTRIBUTABLE)) for row, t in gold]),
        "found": _share([
            any(_holds(s, t, value=False) for s in of("kg_altered", row, Label.CONTRADICTORY) for t in triples)
            for row, triples in replaced
        ]),
        "right": _share(against),
        "accused": _share([bool(of("kg", row, Label.CONTRADICTORY)) for row in rows]),
        "crossed": _share([any(_joins(s, t) for s in of("kg_crossed", row, Label.ATTRIBUTABLE)) for row, t in crossed]),
    }  # fmt: skip


def of_claims(gold: Sequence[dict], verifier: Verifier) -> dict[str, float]:
    """Shares of a file of labelled claims."""
    reports = {
        row["id"]: {
            "text": row["text"],
            "claims": [_verdict(one) for one in verifier.verdicts(row["text"], *verifier.read(row["text"]))],
        }
        for row in gold
    }
    found = evaluate(gold, reports, seconds=1.0).measures
    return {name: found[name] or 0.0 for name in ("accuracy", "label_accuracy", "false_accusations") if name in found}


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prose", nargs="*", type=Path, default=[])
    parser.add_argument("--claims", nargs="*", default=[], help="FILE=KG")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="texts of each set, at most")
    parser.add_argument("--reader", help="as for kgstore verify")
    parser.add_argument("--part", action="append", choices=[*PARTS, *SHAPES, "none"])
    given = parser.parse_args(arguments)
    sets: list[tuple[str, Callable[[], dict[str, float]]]] = []
    for folder in given.prose:
        verifiers = {}
        for name in ("kg", "kg_altered", "kg_crossed"):
            target = given.work / f"{folder.name}-{name}.kg"
            if not target.exists():
                load([folder / f"{name}.nt.gz"], target, vectors=False)
            verifiers[name] = _remembering(Verifier(Store(target, read_only=True), reader=given.reader))
        sets.append((folder.name, _bound(of_prose, rows_of(folder)[: given.limit], verifiers)))
    for pair in given.claims:
        file, kg = pair.split("=")
        gold = list(read_gold(Path(file)))[: given.limit]
        verifier = _remembering(Verifier(Store(Path(kg), read_only=True), reader=given.reader))
        sets.append((Path(file).stem, _bound(of_claims, gold, verifier)))
    whole = {name: run() for name, run in sets}
    print(json.dumps({"all parts": _rounded(whole)}), flush=True)
    for part in [one for one in given.part or [*PARTS, *SHAPES] if one != "none"]:
        with without(part):
            found = {name: run() for name, run in sets}
        changes = {
            name: {key: round(value - whole[name][key], 4) for key, value in one.items() if value != whole[name][key]}
            for name, one in found.items()
        }
        print(json.dumps({"without": part, **{name: one for name, one in changes.items() if one}}), flush=True)


def _bound(run: Callable, *parts: Any) -> Callable[[], dict[str, float]]:
    return lambda: run(*parts)


def _rounded(found: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {name: {key: round(value, 4) for key, value in one.items()} for name, one in found.items()}


if __name__ == "__main__":
    main()
