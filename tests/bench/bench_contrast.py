"""How often does a language model say a contrast (KEA Explain) and nothing beyond the evidence, so that its words stay?

Run:    python -m tests.bench.bench_contrast small.kg claims.jsonl --gguf model.gguf --limit 50 [--show]
Prints: one JSON line: claims with the label contradictory that were read, those that `--method kernel` calls so, how
many explanations are in the model's words and how many stayed plain.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.methods import kea as kernel
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.reading import Reading


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.claims.read_text(encoding="utf-8").splitlines()]
    texts = [row["text"] for row in rows if row["label"] == Label.CONTRADICTORY]
    found, read = [], 0
    with Store(given.kg) as store:
        verifier = Verifier(store, Reading(gguf=given.gguf), method=kernel.NAME)
        for text in texts:
            if len(found) >= given.limit:
                break
            read += 1
            found += [one for one in verifier.verify(text).verdicts if one.label is Label.CONTRADICTORY]
    kept = [one for one in found if one.method == kernel.PHRASED]
    if given.show:
        for one in found:
            print(f"{'model' if one in kept else 'plain'}  {one.claim.text}\n       {one.reason}")
    line = {
        "gguf": given.gguf.name,
        "read": read,
        "contradictory": len(found),
        "in the model's words": len(kept),
        "plain": len(found) - len(kept),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
