"""How many texts in which everything is true are accused against a graph of the world?

Run:    python -m tests.bench.true_texts --kg KG [FILE...]
Prints: each accusation with its sentence, then one JSON line: texts, how many of them are accused, claims by label.

The graph of `kgstore demo` is made for it. Without files the texts of `data/true_texts` are read: 135 about well-known
people, places and works, written from memory.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

TEXTS = Path(__file__).parents[2] / "data" / "true_texts"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(TEXTS.glob("*.jsonl")))
    parser.add_argument("--kg", type=Path, required=True)
    given = parser.parse_args()
    labels: Counter[str] = Counter()
    texts = accused = 0
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        for path in given.files:
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                verdicts = verifier.verify(row["text"]).verdicts
                wrong = [one for one in verdicts if one.label is Label.CONTRADICTORY]
                texts, accused = texts + 1, accused + bool(wrong)
                labels.update(one.label.value for one in verdicts)
                for one in wrong:
                    print(f"{row['id']}: {one.claim.text}\n    {one.method}: {one.reason}")
    print(json.dumps({"texts": texts, "accused": accused, **labels}))


if __name__ == "__main__":
    main()
