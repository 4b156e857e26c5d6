"""How many texts in which everything is true are accused against a graph of the world, and what is found in false ones?

Run:    python -m tests.bench.true_texts --kg KG [FILE...]
Prints: each accusation of a true text with its sentence, then one JSON line: texts, how many of them are accused,
claims by label; of rows that say which words are to be replaced (``said``, ``instead``) also how many texts so altered
are accused of the new words, and were not of the old ones, how many elsewhere, and of how many the KG supports the
old words.

The graph of `kgstore demo` is made for it. Without files the texts of `data/true_texts` are read: 135 about well-known
people, places and works, written from memory. `data/altered_texts` has 1,170 with one fact each to be replaced: on
``chosen_on.jsonl`` thresholds were chosen, on ``kept.jsonl`` none was.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label, Verdict
from kgstore.verifier.pipeline import Verifier

TEXTS = Path(__file__).parents[2] / "data" / "true_texts"


def main() -> None:
    given = arguments(__doc__)
    counts: Counter[str] = Counter()
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        for row in rows(given.files):
            counts += of_text(row, verifier)
    print(json.dumps(counts))


def arguments(doc: str | None) -> argparse.Namespace:
    """``files``, those of `TEXTS` where none is named, and ``kg``."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(TEXTS.glob("*.jsonl")))
    parser.add_argument("--kg", type=Path, required=True)
    return parser.parse_args()


def rows(files: Iterable[Path]) -> Iterator[dict[str, str]]:
    for path in files:
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def of_text(row: dict[str, str], verifier: Verifier) -> Counter[str]:
    """What one text adds to the counts; accusations are printed."""
    text = row["text"]
    verdicts = verifier.verify(text).verdicts
    wrong = _accused(verdicts)
    for one in wrong:
        print(f"{row['id']}: {one.claim.text}\n    {one.method}: {one.reason}")
    counts = Counter(one.label.value for one in verdicts)
    counts += Counter(texts=1, accused=bool(wrong))
    if "said" in row:
        at = text.index(row["said"])
        altered = verifier.verify(text.replace(row["said"], row["instead"], 1)).verdicts
        there = [touches(one, at, at + len(row["instead"])) for one in _accused(altered)]
        before = [one.label for one in verdicts if touches(one, at, at + len(row["said"]))]
        found = any(there) and Label.CONTRADICTORY not in before
        known = Label.ATTRIBUTABLE in before
        counts += Counter(altered=1, found=found, accused_elsewhere=not all(there), known=known)
    return counts


def _accused(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [one for one in verdicts if one.label is Label.CONTRADICTORY]


def touches(verdict: Verdict, start: int, end: int) -> bool:
    """Does one of its ends stand there?"""
    ends = (verdict.claim.head, verdict.claim.tail)
    return any(one.start < end and start < one.end for one in ends)


if __name__ == "__main__":
    main()
