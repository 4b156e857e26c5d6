"""Do claims get the same verdicts from a server as from the embedded KG, and what does that cost?

Run:    python -m tests.bench.remote KG sparql+http://host:port/path CLAIMS.jsonl.. [--each 100]
Prints: one JSON line: texts and claims, how many texts have the same labels, and the same methods and ends; requests
        a claim; milliseconds a text at the 50th and 95th percentile, embedded and remote; of a name look-up; and the
        first texts that differ. The server must hold the same data, as `oxigraph serve-read-only --location
        KG/generations/000001/graph` does.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from kgstore.opening import open_kg
from kgstore.verifier.pipeline import Verifier


def run(kg: str, texts: list[str]) -> tuple[list[list[tuple[str, ...]]], list[float], int]:
    """Per text what became of its claims; milliseconds of each; requests of all."""
    with open_kg(Path(kg), print) as graph:
        verifier, found, times = Verifier(graph), [], []
        verifier.verify("Douglas Adams was born in Cambridge.")
        asked = graph.endpoint.requests if hasattr(graph, "endpoint") else 0
        for text in texts:
            started = time.perf_counter()
            verdicts = verifier.verify(text).verdicts
            times.append(1000 * (time.perf_counter() - started))
            ends = [[one.head and one.head.iri, one.tail and one.tail.iri] for one in verdicts]
            found.append([(one.label.value, one.method, str(end)) for one, end in zip(verdicts, ends, strict=True)])
        return found, times, (graph.endpoint.requests if hasattr(graph, "endpoint") else 0) - asked


def lookups(kg: str, names: list[str]) -> list[float]:
    """Milliseconds of looking up each name on its own."""
    with open_kg(Path(kg)) as graph:
        times = []
        for name in names:
            started = time.perf_counter()
            graph.lookup([name])
            times.append(1000 * (time.perf_counter() - started))
        return times


def spread(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20)
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg")
    parser.add_argument("url")
    parser.add_argument("claims", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=100, help="texts of each file")
    args = parser.parse_args()
    rows = [json.loads(line) for one in args.claims for line in one.read_text().splitlines()[: args.each]]
    texts = [row["text"] for row in rows]
    here, local, _ = run(args.kg, texts)
    there, remote, requests = run(args.url, texts)
    claims = sum(map(len, here))
    names = sorted({word for text in texts for word in text.split() if word[:1].isupper()})[:300]
    differ = [text for text, a, b in zip(texts, here, there, strict=True) if [x[:1] for x in a] != [x[:1] for x in b]]
    print(json.dumps({
        "texts": len(texts), "claims": claims, "same labels": len(texts) - len(differ),
        "same methods and ends": sum(a == b for a, b in zip(here, there, strict=True)),
        "requests a claim": round(requests / max(1, claims), 2), "embedded ms": spread(local),
        "remote ms": spread(remote), "name look-up ms": spread(lookups(args.url, names)), "differ": differ[:5],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
