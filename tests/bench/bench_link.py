"""How many mentions a second are found in texts and linked to entities?

Run:    python -m tests.bench.bench_link my.kg texts.jsonl --times 3
Prints: one JSON line (arguments, mentions, and mentions per CPU second, found and linked, and linked alone).

Each line of the texts is an object with a "text", as in the claim sets. Finding is the catalog's look-up of every name
in a text; linking ranks what each name may mean, on its own and beside the other names of the text. The first pass
warms the caches and is not timed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from kgstore.catalog import fold
from kgstore.store import Store
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.link.coherence import Company
from kgstore.verifier.link.linker import link
from kgstore.verifier.link.mentions import Found, find_mentions


def texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file if line.strip()]


def linked(store: Store, found: Sequence[Found]) -> int:
    """Links every mention that the KG has a name for; returns how many names there are, known or not."""
    count = 0
    for one in found:
        mentions = []
        for mention in one.mentions:
            hits = one.hits.get((mention.start, mention.end))
            count += mention.value is None
            if mention.value is None and hits:
                mentions.append(link(store, mention, hits))
        company = Company(store, mentions)
        for mention in mentions:
            company.linked(mention)
    return count


def measure(store: Store, given: list[str], times: int) -> dict[str, float]:
    is_noun = Aligner(store).is_noun
    both, alone, mentions = [], [], 0
    for _ in range(times + 1):
        began = time.process_time()
        found = [find_mentions(text, store.catalog, fold, is_noun) for text in given]
        between = time.process_time()
        mentions = linked(store, found)
        ended = time.process_time()
        both.append(ended - began)
        alone.append(ended - between)
    return {
        "mentions": mentions,
        "found_and_linked_per_s": round(mentions / min(both[1:]), 1),
        "linked_per_s": round(mentions / min(alone[1:]), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kg", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    with Store(given.kg, read_only=True) as store:
        measured = measure(store, texts(given.texts), given.times)
    print(json.dumps({"kg": given.kg.name, "texts": given.texts.name, "times": given.times, **measured}))


if __name__ == "__main__":
    main()
