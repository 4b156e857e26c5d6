"""How many of the things that a text speaks of are found by their names and linked?

Run:    python -m tests.bench.bench_linking tekgen.kg claims.jsonl --nouns --misses 20
Prints: the first misses, then one JSON line (arguments; gold ends of triples whose name stands in the text; the share
        with a mention that may mean the right one, with the right one first, and with others only).

Each line of the claims is an object with "text" and "triples" as in data/prose: "head" and "tail" are IRIs of the KG,
"head_name" is the name, and "head_spans", where they are given, say where the text names it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def ends(row: dict) -> Iterator[tuple[str, str, list[tuple[int, int]]]]:
    """The entities of the gold triples, each once: IRI, name, and where it stands in the text."""
    seen = set()
    for triple in row["triples"]:
        for end in ("head", "tail"):
            iri, name = triple[end], triple[f"{end}_name"]
            if iri in seen or not str(iri).startswith("http"):
                continue
            seen.add(iri)
            spans = [tuple(span) for span in triple.get(f"{end}_spans", ())]
            named = rf"(?<!\w){re.escape(name)}(?!\w)"
            spans = spans or [one.span() for one in re.finditer(named, row["text"], re.IGNORECASE)]
            if spans:
                yield iri, name, spans


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kg", type=Path)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--nouns", action="store_true", help="names in lower case, too")
    parser.add_argument("--misses", type=int, default=0)
    given = parser.parse_args()
    count: Counter[str] = Counter()
    with Store(given.kg, read_only=True) as store:
        rules = Verifier(store).rules
        for row in rows(given.claims):
            mentions = rules.mentions(row["text"], given.nouns)
            count["linked"] += sum(bool(one.candidates) for one in mentions)
            for iri, name, spans in ends(row):
                there = [one for one in mentions if any(one.start < end and start < one.end for start, end in spans)]
                means = [[meant.iri for meant in one.candidates] for one in there]
                right = any(iri in one for one in means)
                count["gold"] += 1
                count["found"] += right
                count["first"] += any(one[:1] == [iri] for one in means)
                count["others_only"] += any(means) and not right
                if not right and count["misses"] < given.misses:
                    count["misses"] += 1
                    print(f"{name!r}: {[one.text for one in there]} in {row['text'][:120]!r}")
    shares = {key: round(count[key] / (count["gold"] or 1), 4) for key in ("found", "first", "others_only")}
    counts = {"gold": count["gold"], "linked": count["linked"]}
    print(json.dumps({"kg": given.kg.name, "claims": given.claims.name, "nouns": given.nouns, **counts, **shares}))


if __name__ == "__main__":
    main()
