"""What the verifier makes of many texts, stage by stage, in one file; and how two such files differ.

Run:    python -m tests.bench.record -o FILE --work DIR [--shared FOLDER] [--limit N] [--sets NAME...]
        python -m tests.bench.record --compare A B [--most N]
Prints: with -o a JSON line of what was read and how long it took (median and total, ms); with --compare what is
        different, accusations first, and a JSON line of counts. It ends with 1 where a text is accused that was not.

Each line of a file is one text: what the grammar proposes, the claims, and the verdicts without and with the relation
reader. The texts are the golden ones of the tests, the labelled files of ``data`` and of ``shared/data/claims``, and
the development prose. What only one of two files has (a new field of a claim) is no difference.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Verdict
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.proposition import Phrase, Utterance
from tests.bench.bench_reader import rows_of

ROOT = Path(__file__).parent.parent.parent
Text = tuple[str, str]
"""Its name, unique in its set, and the text."""
Json = dict[str, Any]

ACCUSED, CLEARED, VERDICT = "accused", "no longer accused", "verdict"
CLAIM, PASSAGE, PROPOSED = "claim", "passage", "proposed"
KINDS = (ACCUSED, CLEARED, VERDICT, CLAIM, PASSAGE, PROPOSED)
"""Kinds of differences, gravest first."""
RULED, READ = "verdicts", "verdicts with reader"


# -- the texts --------------------------------------------------------------------------------------------------------


def sets(shared: Path) -> Iterator[tuple[str, Path, list[Text]]]:
    """Name of a set, the source of its graph, and its texts."""
    small, slices = ROOT / "data" / "wikidata-small.json.gz", shared / "data" / "slices"
    golden = sorted((ROOT / "tests" / "golden").glob("*.toml"))
    yield "golden", small, [(one.stem, tomllib.loads(one.read_text(encoding="utf-8"))["text"]) for one in golden]
    yield "labelled", small, _texts(ROOT / "data" / "labelled.jsonl")
    for path in sorted((shared / "data" / "claims").glob("*.jsonl")):
        rows = _rows(path)
        for name, source in (("small", small), ("medium", slices / "wikidata-medium.json.gz")):
            own = [(one["id"], one["text"]) for one in rows if (one.get("slice") == "small") is (name == "small")]
            if own:
                yield f"{path.stem}-{name}", source, own
    yield "everyday", slices / "wikidata-everyday.json.gz", _texts(shared / "data" / "everyday.jsonl")
    for folder in sorted((shared / "data" / "prose").iterdir()):
        texts = [(str(one["id"]), one["text"]) for one in rows_of(folder)]
        for graph in ("kg", "kg_altered"):
            yield f"{folder.name}-{graph}", folder / f"{graph}.nt.gz", texts


def wanted(given: argparse.Namespace) -> Iterator[tuple[str, Path, list[Text]]]:
    """Of the sets that are asked for: name, graph (made where it is not there yet), and the first texts."""
    for name, source, texts in sets(given.shared):
        if given.sets and not any(name.startswith(one) for one in given.sets):
            continue
        graph = given.work / (source.parent.name + "-" + source.name.split(".")[0] + ".kg")
        if not graph.exists():
            load([source], graph, vectors=False)
        yield name, graph, texts[: given.limit]


def _rows(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _texts(path: Path) -> list[Text]:
    return [(str(one["id"]), one["text"]) for one in _rows(path)]


# -- recording --------------------------------------------------------------------------------------------------------


def recorded(verifier: Verifier, text: str) -> tuple[Json, float]:
    """One text, stage by stage, and how long the stages took without the reader, in seconds."""
    start = perf_counter()
    claims, passages = verifier.read(text)
    ruled = verifier.verdicts(text, claims)
    took = perf_counter() - start
    heard = verifier.verdicts(text, claims, passages) if verifier.reader is not None else []
    names = verifier.rules.names(text)
    said = verifier.rules.propose(names, verifier.rules.parse(names))
    made: Json = {
        "proposed": [plain(one) for part in said if isinstance(part, Utterance) for one in part.propositions],
        "claims": [plain(one) for one in claims],
        "passages": [plain(one) for one in passages],
        RULED: [_told(one) for one in ruled],
    }
    return made | ({READ: [_told(one) for one in heard]} if verifier.reader is not None else {}), took


def plain(value: Any) -> Any:
    """A value of any stage as what JSON has; what is empty is left out, words and candidates are put short."""
    if isinstance(value, Candidate):
        return f"{value.iri} {value.score:.4f}"
    if isinstance(value, Phrase):
        return f"{value.start} {value.text}"
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((one.name, plain(getattr(value, one.name))) for one in fields(value))
        return {name: said for name, said in pairs if said not in (None, "", False, [], {})}
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _told(verdict: Verdict) -> Json:
    claim = verdict.claim
    return {
        "claim": [claim.start, claim.end, claim.head.text, claim.relation, claim.tail.text],
        "label": verdict.label.value,
        "method": verdict.method,
        "relation": verdict.relation,
        "evidence": [f"{one.role.value} {one.statement}" for one in verdict.evidence],
        "reason": verdict.reason,
        "probabilities": [round(one, 3) for one in verdict.probabilities],
    }


def record(given: argparse.Namespace) -> None:
    given.work.mkdir(parents=True, exist_ok=True)
    times: list[float] = []
    with gzip.open(given.output, "wt", encoding="utf-8", compresslevel=4) as out:
        for name, graph, texts in wanted(given):
            with Store(graph, read_only=True) as store:
                verifier = Verifier(store, reader=given.reader)
                for key, text in texts:
                    made, took = recorded(verifier, text)
                    times.append(took)
                    print(json.dumps({"set": name, "id": key, "text": text, **made}), file=out)
            print(name, len(texts), file=sys.stderr)
    told = {"texts": len(times), "median": round(1000 * median(times), 2), "total": round(1000 * sum(times))}
    print(json.dumps(told))


# -- comparing --------------------------------------------------------------------------------------------------------


def differences(before: Json, after: Json) -> Iterator[tuple[str, str]]:
    """What is different in one text: its kind and in words."""
    for stage in (one for one in (RULED, READ) if one in before and one in after):
        accused = {json.dumps(one["claim"][2:]) for one in before[stage] if one["label"] == "contradictory"}
        now = {json.dumps(one["claim"][2:]): one for one in after[stage] if one["label"] == "contradictory"}
        for key in now.keys() - accused:
            new = "" if accused else " (the text was not accused before)"
            yield ACCUSED, f"{stage}{new}: {key} {now[key]['method']}: {now[key]['reason']}"
        yield from ((CLEARED, f"{stage}: {key}") for key in sorted(accused - now.keys()))
        yield from ((VERDICT, f"{stage}: {told}") for told in _changes(before[stage], after[stage]))
    for kind, stage in ((CLAIM, "claims"), (PASSAGE, "passages"), (PROPOSED, "proposed")):
        yield from ((kind, told) for told in _changes(before.get(stage, ()), after.get(stage, ())))


def _changes(before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    if len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            changed = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
            if changed:
                told = (f"{key}: {json.dumps(one.get(key))} -> {json.dumps(other.get(key))}" for key in sorted(changed))
                yield "; ".join(told)
        return
    left, right = ([json.dumps(item, sort_keys=True) for item in items] for items in (before, after))
    yield from (f"gone: {item}" for item in (Counter(left) - Counter(right)))
    yield from (f"new: {item}" for item in (Counter(right) - Counter(left)))


def compare(first: Path, second: Path, most: int) -> int:
    """Print the differences; how many texts are accused that were not."""
    before, after = _recorded(first), _recorded(second)
    known = _fields(before.values()), _fields(after.values())
    shared = {stage: known[0][stage] & known[1][stage] for stage in known[0]}
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    newly: set[tuple[str, str]] = set()
    for key in before.keys() & after.keys():
        for kind, told in differences(_cut(before[key], shared), _cut(after[key], shared)):
            found[kind].append(f"{kind}  [{key[0]} {key[1]}] {before[key]['text'][:160]!r}\n    {told}")
            if kind == ACCUSED and "not accused before" in told:
                newly.add(key)
    for kind in KINDS:
        for told in sorted(found[kind])[:most]:
            print(told)
    both, apart = before.keys() & after.keys(), before.keys() ^ after.keys()
    counts = {"texts": len(both), "in one file only": len(apart), "newly accused": len(newly)}
    print(json.dumps(counts | {kind: len(found[kind]) for kind in KINDS}))
    return len(newly)


def _recorded(path: Path) -> dict[tuple[str, str], Json]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {(row["set"], row["id"]): row for row in map(json.loads, lines)}


def _fields(rows: Iterable[Json]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {stage: set() for stage in ("proposed", "claims", "passages", RULED, READ)}
    for row in rows:
        for stage in found:
            for item in row.get(stage, ()):
                found[stage] |= item.keys()
    return found


def _cut(row: Json, shared: dict[str, set[str]]) -> Json:
    return {
        stage: [{key: _in_order(key, one) for key, one in item.items() if key in names} for item in row[stage] if names]
        for stage, names in shared.items()
        if stage in row
    }


def _in_order(key: str, value: Any) -> Any:
    """Evidence has an order that depends on the graph's files, and says nothing."""
    return sorted(value) if key == "evidence" else value


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"))
    parser.add_argument("--work", type=Path, default=Path("build"), help="where the graphs are kept")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--sets", nargs="*", help="only sets whose names begin so")
    parser.add_argument("--limit", type=int, help="texts a set")
    parser.add_argument("--reader", help="another reader's folder, or none")
    parser.add_argument("--most", type=int, default=20, help="differences of a kind that are printed")
    given = parser.parse_args(arguments)
    if given.compare:
        return int(compare(*given.compare, given.most) > 0)
    if given.output is None:
        parser.error("say where to write with -o, or what to compare with --compare")
    record(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
