"""Do claims get the same verdicts from every form of one graph, and what does that cost?

Run:    python -m tests.bench.remote KG CLAIMS.jsonl.. [--texts 500] [--seed 7] [--work build/remote]
                                     [--engines sealed oxigraph virtuoso] [--no-batches 100]
Prints: a table with a row for the embedded KG, the sealed one, `oxigraph serve-read-only` and Virtuoso, which are made
        and started here: texts with the labels of the embedded KG, and with its methods and ends; milliseconds a text
        at the 50th and 95th percentile; requests a claim, and with one name or entity a request (of that many texts);
        milliseconds of a name's look-up. Then one JSON line, with the first texts that differ. The sealed KG and
        Virtuoso's database stay in the work folder for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from unittest.mock import patch

from kgstore.opening import open_kg
from kgstore.remote import entities as remote_entities
from kgstore.remote.names import Names
from kgstore.seal import seal
from kgstore.verifier.pipeline import Verifier
from tests import servers

ENGINES = ("sealed", "oxigraph", "virtuoso")
_HEAD = ("", "same labels", "same methods and ends", "ms a text p50", "p95", "requests a claim", "unbatched",
         "ms a name p50", "p95")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """:param found: per text, (label, method, ends) of each claim"""

    found: list[list[tuple[str, ...]]]
    times: list[float]
    requests: int

    @property
    def claims(self) -> int:
        return sum(map(len, self.found))


def drawn(files: Sequence[Path], count: int, seed: int) -> list[str]:
    """As many texts of each file, as far as it has them."""
    draw, every = random.Random(seed), []
    for one in files:
        texts = [json.loads(line)["text"] for line in one.read_text(encoding="utf-8").splitlines()]
        every.append(draw.sample(texts, len(texts)))
    return [text for text in chain(*zip_longest(*every)) if text is not None][:count]


def run(kg: str, texts: Sequence[str]) -> Run:
    with open_kg(Path(kg), lambda message: print(message, file=sys.stderr)) as graph:
        verifier, found, times = Verifier(graph), [], []
        verifier.verify("Douglas Adams was born in Cambridge.")
        asked = requests(graph)
        for text in texts:
            started = time.perf_counter()
            verdicts = verifier.verify(text).verdicts
            times.append(1000 * (time.perf_counter() - started))
            ends = [[one.head and one.head.iri, one.tail and one.tail.iri] for one in verdicts]
            found.append([(one.label.value, one.method, str(end)) for one, end in zip(verdicts, ends, strict=True)])
        return Run(found, times, requests(graph) - asked)


def requests(graph: object) -> int:
    endpoint = getattr(graph, "endpoint", None)
    return 0 if endpoint is None else endpoint.requests


def unbatched(kg: str, texts: Sequence[str]) -> Run:
    """One name or one entity a request, and nothing fetched that may be asked for next."""
    read = Names._read

    def each(self: Names, names: Sequence[str]) -> None:
        for name in names:
            read(self, [name])

    alone = {"BATCH": 1, "LIGHT": 1, "CLIMBING": 1, "MOST_LINKED": 0}
    with patch.object(Names, "_read", each), patch.multiple(remote_entities, **alone):
        return run(kg, texts)


def lookups(kg: str, names: Sequence[str]) -> list[float]:
    """Milliseconds of looking up each name on its own."""
    with open_kg(Path(kg)) as graph:
        times = []
        for name in names:
            started = time.perf_counter()
            graph.lookup([name])
            times.append(1000 * (time.perf_counter() - started))
        return times


def spread(times: Sequence[float]) -> list[float]:
    cuts = statistics.quantiles(times, n=20)
    return [round(cuts[9], 2), round(cuts[18], 2)]


@contextmanager
def opened(engine: str, kg: Path, work: Path) -> Iterator[str]:
    """What a command would be given as its KG."""
    if engine == "oxigraph":
        with servers.oxigraph(kg) as url:
            yield url
    elif engine == "virtuoso":
        folder = work / "virtuoso"
        if not folder.exists():
            servers.make_virtuoso(kg, folder)
        with servers.virtuoso(folder) as url:
            yield url
    elif engine == "sealed":
        if not (work / "sealed").exists():
            seal(kg, work / "sealed")
        yield str(work / "sealed")
    else:
        yield str(kg)


def measured(engine: str, kg: Path, work: Path, texts: Sequence[str], some: int) -> tuple[Run, dict[str, object]]:
    names = sorted({word for text in texts for word in text.split() if word[:1].isupper()})[:300]
    with opened(engine, kg, work) as at:
        of = run(at, texts)
        row: dict[str, object] = {"ms a text": spread(of.times), "ms a name": spread(lookups(at, names))}
        if of.requests:
            row["requests a claim"] = round(of.requests / of.claims, 2)
            if some:
                apart = unbatched(at, texts[:some])
                row["unbatched"] = round(apart.requests / apart.claims, 2)
                row["same unbatched"] = sum(map(list.__eq__, apart.found, of.found))
    return of, row


def compared(texts: Sequence[str], here: Run, there: Run) -> dict[str, object]:
    pairs = list(zip(texts, here.found, there.found, strict=True))
    differ = [text for text, a, b in pairs if [x[0] for x in a] != [x[0] for x in b]]
    rest = [text for text, a, b in pairs if a != b and text not in differ]
    return {"same labels": len(texts) - len(differ), "same methods and ends": len(texts) - len(differ) - len(rest),
            "other labels": differ[:9], "other ends": rest[:9]}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("claims", nargs="+", type=Path)
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--work", type=Path, default=Path("build/remote"))
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=ENGINES)
    parser.add_argument("--no-batches", type=int, default=100, help="texts that are read without batches, too")
    args = parser.parse_args()
    texts = drawn(args.claims, args.texts, args.seed)
    rows: dict[str, dict[str, object]] = {}
    first: Run | None = None
    for engine in ("embedded", *args.engines):
        if engine in ("oxigraph", "virtuoso") and (why := servers.missing(engine)):
            print(f"without {engine}: {why}", file=sys.stderr)
            continue
        of, rows[engine] = measured(engine, args.kg, args.work, texts, args.no_batches)
        first = first or of
        rows[engine] = {**compared(texts, first, of), **rows[engine]}
        print(f"{engine}: {rows[engine]}", file=sys.stderr)
    assert first is not None
    print(f"{len(texts)} texts, {first.claims} claims; load of the machine {os.getloadavg()[0]:.1f}\n")
    print("| " + " | ".join(_HEAD) + " |\n" + "| --- " * len(_HEAD) + "|")
    for name, row in rows.items():
        cells = [row["same labels"], row["same methods and ends"], *row["ms a text"],  # type: ignore[misc]
                 row.get("requests a claim", ""), row.get("unbatched", ""), *row["ms a name"]]  # type: ignore[misc]
        print(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    print(json.dumps({"texts": len(texts), "claims": first.claims, "engines": rows}))


if __name__ == "__main__":
    main()
