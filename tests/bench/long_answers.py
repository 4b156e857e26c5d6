"""Of what long answers say, in many words and mostly rightly, how much is supported, and how much of the false found?

Run:    python -m tests.bench.long_answers --kg KG --slice everyday|medium [FILE...]
Prints: each accusation of what is true, with its sentence, then one JSON line: facts said as the KG has them and how
        many of them are supported, facts with another value and how many are found, accusations elsewhere.

`data/answers` has 160 answers of an assistant about people, places, works and organisations, as one writes them to
somebody who asked: paragraphs, some lists, pronouns, and many sentences that do not say whom they are about. A fact
counts as supported if a verdict on its sentence cites a statement of its property, and as found if such a verdict is
a contradiction. The everyday slice is the graph of `kgstore demo`. The errors in ``first.jsonl`` were read before the
code was changed, those in ``second.jsonl`` were not.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kgstore.store import Store
from kgstore.verifier.claims import Label, Verdict
from kgstore.verifier.pipeline import Verifier

ANSWERS = Path(__file__).parents[2] / "data" / "answers"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(ANSWERS.glob("*.jsonl")))
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--slice", choices=("everyday", "medium"), required=True)
    given = parser.parse_args()
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        for path in given.files:
            counts: Counter[str] = Counter()
            for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                if row["slice"] == given.slice:
                    counts += of_answer(row, verifier)
            print(json.dumps({"file": path.name, **counts}))


def of_answer(row: dict[str, Any], verifier: Verifier) -> Counter[str]:
    """What one answer adds to the counts; accusations of what is true are printed."""
    counts = Counter(texts=1)
    verdicts = verifier.verify(row["text"]).verdicts
    false = []
    for fact in row["said"]:
        start = row["text"].index(fact["in"])
        end = start + len(fact["in"])
        labels = {one.label for one in _by(fact["property"], _within(verdicts, start, end))}
        if "for" in fact:
            false.append((start, end))
            counts += Counter(false=1, found=Label.CONTRADICTORY in labels)
        else:
            counts += Counter(true=1, supported=Label.ATTRIBUTABLE in labels)
    for one in verdicts:
        there = any(one.claim.start < end and start < one.claim.end for start, end in false)
        if one.label is Label.CONTRADICTORY and not there:
            counts["accused elsewhere"] += 1
            print(f"{row['id']}: {one.claim.text}\n    {one.method}: {one.reason}")
    return counts


def _within(verdicts: tuple[Verdict, ...], start: int, end: int) -> Iterator[Verdict]:
    return (one for one in verdicts if one.claim.start < end and start < one.claim.end)


def _by(property: str, verdicts: Iterator[Verdict]) -> Iterator[Verdict]:
    """Those that rest on a statement of a property."""
    for one in verdicts:
        if any(each.statement.predicate.value.endswith(f"/{property}") for each in one.evidence):
            yield one


if __name__ == "__main__":
    main()
