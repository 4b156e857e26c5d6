"""What does the relation reader find on prose that other people wrote, at which threshold?

Run:    python -m tests.bench.bench_reader FOLDER... --work DIR [--limit N] [--reader FOLDER]
Prints: for each folder (with claims.jsonl, kg, kg_altered and kg_crossed.nt.gz) a line a threshold: the
        reader alone, without what the grammar decides.

``recall`` is the share of gold triples whose statement the reader supports; ``crossed`` the share of exchanged
relations that it supports; ``accused`` the texts that it contradicts on the graph that they agree with; ``found`` the
replaced values that it contradicts, and ``right`` the share of its contradictions that are about such a value.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader import assertions as reading
from kgstore.verifier.training.reader_rows import is_held_out

THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)
LEAST = 0.25


@dataclass(frozen=True, slots=True)
class Seen:
    """One assertion: how sure, whether no other relation is likelier, what the graph says, and on which statements."""

    text: str
    sure: float
    best: bool
    label: Label
    statements: frozenset[tuple[str, str, str]]


def rows_of(folder: Path) -> list[dict]:
    path = next(one for one in (folder / "claims.jsonl", folder / "claims.jsonl.gz") if one.exists())
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        return [json.loads(line) for line in lines]


def seen(rows: Sequence[dict], graph: Path, work: Path, reader: str | None) -> Iterator[Seen]:
    """Every assertion of the texts against one graph."""
    target = work / f"{graph.parent.name}-{graph.name.split('.')[0]}.kg"
    if not target.exists():
        load([graph], target, vectors=False)
    with Store(target, read_only=True) as store:
        verifier = Verifier(store, judge="none", reader=reader)
        assert verifier.reader is not None, "no reader came with this installation"
        for row in rows:
            _, passages = verifier.read(row["text"])
            made, _ = reading.assertions(row["text"], passages, verifier.guide, verifier.reader, least=LEAST)
            for one in made:
                verdict = verifier.judge(one.claim)
                statements = frozenset(
                    (each.statement.subject.value, each.statement.predicate.value, _value(each.statement.value))
                    for each in verdict.evidence
                )
                yield Seen(row["id"], one.sure, one.is_best, verdict.label, statements)


def _value(value: object) -> str:
    return str(getattr(value, "value", getattr(value, "iso", value)))


def _key(triple: dict) -> tuple[str, str, str]:
    return triple["head"], triple["property"], triple.get("tail") or triple["tail_name"]


def _said(triple: dict) -> bool:
    return triple.get("named", True) and triple.get("direct", True)


def _holds(statements: frozenset[tuple[str, str, str]], triple: dict, value: bool = True) -> bool:
    head, item, tail = _key(triple)
    if not triple.get("tail"):
        return any(one[:2] == (head, item) for one in statements)
    return (head, item, tail) in statements if value else any(one[:2] == (head, item) for one in statements)


def _joins(statements: frozenset[tuple[str, str, str]], triple: dict) -> bool:
    ends = {triple["head"], triple.get("tail")}
    return any({one[0], one[2]} == ends for one in statements)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--reader")
    given = parser.parse_args(arguments)
    for folder in given.folders:
        rows = rows_of(folder)[: given.limit]
        made = {
            name: list(seen(rows, folder / f"{name}.nt.gz", given.work, given.reader))
            for name in ("kg", "kg_altered", "kg_crossed")
        }
        for threshold in THRESHOLDS:
            print(json.dumps(_line(folder.name, rows, made, threshold)))
        by_property = _properties(rows, made["kg"])
        print(json.dumps({"set": folder.name, "threshold": reading.SUPPORTED, "properties": by_property}))


def _properties(rows: Sequence[dict], made: Sequence[Seen]) -> dict[str, list]:
    """Label -> gold triples, the share that is supported, and whether training ever saw the relation."""
    by_text: dict[str, list[Seen]] = {}
    for one in made:
        if one.sure >= reading.SUPPORTED and one.best and one.label is Label.ATTRIBUTABLE:
            by_text.setdefault(one.text, []).append(one)
    found: dict[str, list[bool]] = {}
    for row in rows:
        for triple in filter(_said, row["triples"]):
            right = any(_holds(one.statements, triple) for one in by_text.get(row["id"], ()))
            found.setdefault(triple["property_label"].strip(), []).append(right)
    ordered = sorted(found.items(), key=lambda one: -len(one[1]))
    return {label: [len(flags), _share(flags), "unseen" if is_held_out(label) else "seen"] for label, flags in ordered}


def _line(name: str, rows: Sequence[dict], made: dict[str, list[Seen]], threshold: float) -> dict:
    kept = {
        graph: [one for one in found if one.sure >= threshold and one.best] for graph, found in made.items()
    }
    by_text = {graph: {} for graph in kept}
    for graph, found in kept.items():
        for one in found:
            by_text[graph].setdefault((one.text, one.label), []).append(one)

    def of(graph: str, row: dict, label: Label) -> list[Seen]:
        return by_text[graph].get((row["id"], label), [])

    gold = [(row, triple) for row in rows for triple in row["triples"] if _said(triple)]
    supported = [any(_holds(one.statements, t) for one in of("kg", row, Label.ATTRIBUTABLE)) for row, t in gold]
    crossed = [(row, t) for row in rows for t in row["triples"] if t.get("crossed_to")]
    wrong = [any(_joins(one.statements, t) for one in of("kg_crossed", row, Label.ATTRIBUTABLE)) for row, t in crossed]
    accused = [bool(of("kg", row, Label.CONTRADICTORY)) for row in rows]
    replaced = {row["id"]: [t for t in row["triples"] if t.get("altered") == "replaced"] for row in rows}
    texts = [row for row in rows if replaced[row["id"]]]

    def right(one: Seen) -> bool:
        return any(_holds(one.statements, t, value=False) for t in replaced[one.text])

    against = [one for one in kept["kg_altered"] if one.label is Label.CONTRADICTORY]
    found = [any(right(one) for one in of("kg_altered", row, Label.CONTRADICTORY)) for row in texts]
    return {
        "set": name,
        "threshold": threshold,
        "recall": _share(supported),
        "crossed": _share(wrong),
        "accused": _share(accused),
        "found": _share(found),
        "right": _share([right(one) for one in against]),
    }


def _share(flags: Sequence[bool]) -> float | None:
    return round(sum(flags) / len(flags), 3) if flags else None


if __name__ == "__main__":
    main()
