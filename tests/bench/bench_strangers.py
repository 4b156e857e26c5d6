"""How often is what a sentence says of somebody whom a KG does not know borne out by what it says of somebody else?

Run:    python -m tests.bench.bench_strangers --kg KG [--people 30] [--seed 3]
Prints: for each sentence how many of its texts were supported and accused, then a JSON line with the sums.

Each text names a person of the KG and a made-up one beside; of the latter it says what the KG holds of the former: a
place of birth or death, an occupation. Any support by these is false. The sentences of `LOOKED_AT` were read when the
rule was made (`kgstore.verifier.reader.strangers`), those of `KEPT` were not. The KG is one of Wikidata.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

PEOPLE = """
SELECT ?person ?born ?died ?calling { ?person wdt:P31 wd:Q5; wdt:P19 ?born; wdt:P20 ?died; wdt:P106 ?calling }
"""
TOLD = ("place of birth", "place of death", "occupation")
LOOKED_AT = (
    "{head}'s brother was born in {born}.",
    "{head}'s father, John Amsel, was {calling}.",
    "{head}'s sister Ruth Amsel was born in {born}.",
    "The brother of {head}, Tom Amsel, was {calling} born in {born}.",
    "{head}'s colleague Paul Amsel, {calling}, died in {died}.",
    "Ruth Amsel, the daughter of {head}, was born in {born}.",
    "Ruth Amsel, {head}'s daughter, died in {died}.",
    "{head} met Tom Amsel, {calling} from {born}.",
    "Tom Amsel, who knew {head}, was born in {born}.",
    "Unlike {head}, Tom Amsel was born in {born}.",
    "The biographer of {head}, Tom Amsel, died in {died}.",
    "The biographer of {head} was {calling} born in {born}.",
    "{head} and Tom Amsel met once; Amsel died in {died}.",
    "Tom Amsel was born in {born}, where {head} gave a talk.",
    "{head} knew Tom Amsel, {calling}.",
    "{head} had a rival, Tom Amsel, who died in {died}.",
    "{head} was followed by Tom Amsel, {calling} who died in {died}.",
    "Together with Tom Amsel, {calling}, {head} travelled.",
    "{head} is buried beside Nina Falk, {calling}.",
    "{head} was taught by Nina Falk, {calling} born in {born}.",
    "According to Nina Falk, {calling}, {head} was a genius.",
    "{head} named a daughter after Nina Falk, who had died in {died}.",
    "Nina Falk, who was born in {born}, wrote a book about {head}.",
    "Nina Falk, {calling}, succeeded {head}.",
    "{head} shared a flat with Nina Falk, {calling}.",
    "{head}'s successor, Nina Falk, was born in {born} and became {calling}.",
    "In a letter to {head}, Nina Falk, {calling} living in {died}, asked for money.",
    "{head}, whom Nina Falk of {born} adored, never answered.",
)
KEPT = (
    "{head} quarrelled with Ida Brandt, who was {calling}.",
    "When {head} was ill, Ida Brandt of {born} took over.",
    "Ida Brandt died in {died} a year after {head}.",
    "{head} admired the work of Ida Brandt, born in {born}.",
    "Ida Brandt, born in {born}, painted {head}.",
    "The hall was named after {head} and opened by Ida Brandt, {calling}.",
    "{head} wrote the foreword; Ida Brandt, who lived in {died} and was {calling}, did the rest.",
    "Like many admirers of {head}, Ida Brandt became {calling}.",
)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--kg", type=Path, required=True)
    given.add_argument("--people", type=int, default=30)
    given.add_argument("--seed", type=int, default=3)
    wanted = given.parse_args()
    sums: Counter[str] = Counter()
    with Store(wanted.kg, read_only=True) as store:
        verifier, people = Verifier(store), list(known(store, wanted.people, wanted.seed))
        for group, sentences in (("looked at", LOOKED_AT), ("kept", KEPT)):
            for sentence in sentences:
                counts = Counter(texts=0, supported=0, accused=0)
                for one in people:
                    counts += judged(verifier, sentence.format(**one))
                print(f"{counts['supported']:3} {counts['accused']:3} of {counts['texts']}  {sentence}", flush=True)
                sums += Counter({f"{group}: {name}": count for name, count in counts.items()})
    print(json.dumps(sums))


def known(store: Store, count: int, seed: int) -> Iterator[dict[str, str]]:
    """People of whom the KG holds all three, each once, by name."""
    rows = {row[0].value: row for row in store.query(PEOPLE, limit=100_000).rows}  # type: ignore[union-attr]
    for iri in random.Random(seed).sample(sorted(rows), min(count, len(rows))):
        head, born, died, calling = (store.label(one.value) for one in rows[iri])  # type: ignore[union-attr]
        article = "an" if calling[0] in "aeiou" else "a"
        yield {"head": head, "born": born, "died": died, "calling": f"{article} {calling}"}


def judged(verifier: Verifier, text: str) -> Counter[str]:
    verdicts, called = verifier.verify(text).verdicts, verifier.store.label
    told = {one.label for one in verdicts for item in one.evidence if called(item.statement.predicate.value) in TOLD}
    accused = any(one.label is Label.CONTRADICTORY for one in verdicts)
    return Counter(texts=1, supported=Label.ATTRIBUTABLE in told, accused=accused)


if __name__ == "__main__":
    main()
