"""How often is a sentence called wrong that the KG cannot decide?

Puts people, films and places of a Wikidata slice into sentences that say what no statement of a Wikidata item says or
excludes ("was raised in Lima", "was restored in 1956", "has 12 bridges"), with other entities and numbers drawn by a
seed. Each contradictory one is printed with its reason, to be read: "made a debut in 1757" of somebody whose work
began in 1951 is rightly called wrong.

Run:    python -m tests.bench.bench_accusations medium.kg --each 5
Prints: the contradictory sentences, then one JSON line (arguments, sentences, claims, contradictory).
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

_KINDS = {"person": "Q5", "film": "Q11424", "place": "Q6256 Q515 Q3624078 Q5119"}
_ASKED = """
SELECT DISTINCT ?name WHERE {{
  VALUES ?kind {{ {kinds} }} ?one wdt:P31 ?kind ; rdfs:label ?name . FILTER(LANG(?name) = "en")
}} ORDER BY ?name"""
_SAYINGS = {
    "person": """was raised in {place}|went to school in {place}|was arrested in {place}|performed in {place}|
        was last seen in {place}|moved to {place} as a child|fell ill in {place}|has roots in {place}|
        had a house in {place}|was discovered in {place}|gave lectures in {place}|was imprisoned in {place}|
        was honoured in {place}|fled to {place}|settled in {place}|was stationed in {place}|was born near {place}|
        grew up outside {place}|was known in {place} as a hero|was ambassador to {place}|was arrested in {year}|
        retired in {year}|became famous in {year}|moved to {place} in {year}|was injured in {year}|
        was honoured in {year}|wrote {number} letters|lost {number} elections|sold {number} million records|
        was influenced by {person}|was a friend of {person}|met {person}|worked with {person}|admired {person}|
        was portrayed by {person}|was engaged to {person}|was discovered by {person}|is a fan of {person}""",
    "film": """was announced in {year}|was restored in {year}|was banned in {place}|was nominated in {year}|
        was inspired by {person}|was praised by {person}|was co-directed by {person}|was remade in {year}|
        sold {number} million tickets|won {number} prizes|opened in {number} theatres|was turned down by {person}|
        was filmed partly in {place}|was popular in {place}|lost {number} million dollars|
        tells of a man from {place}|was dedicated to {person}|made {person} famous""",
    "place": """was bombed in {year}|was rebuilt in {year}|was besieged in {year}|was occupied in {year}|
        has {number} museums|has {number} bridges|lost {number} thousand inhabitants in the war|
        is {number} kilometres from {place}|lies near {place}|was visited by {person}|traded with {place}|
        was the home of {person}|was once part of {place}|was rich in {year}|was devastated by a fire in {year}|
        is famous for {person}|got a railway in {year}|has a consulate in {place}|was smaller in {year}|
        is connected with {place} by rail|was granted rights in {year}""",
}


def names(store: Store, kinds: str) -> list[str]:
    """English labels that are a name to a reader, too: capitals, and no digits."""
    answer = store.query(_ASKED.format(kinds=" ".join(f"wd:{one}" for one in kinds.split())))
    found = [row[0].value for row in answer.rows]
    return [name for name in found if name[:1].isupper() and len(name) < 40 and not any(map(str.isdigit, name))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("--each", type=int, default=5, help="sentences a saying")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    sentences = claims = contradictory = 0
    with Store(given.kg) as store:
        known = {kind: names(store, kinds) for kind, kinds in _KINDS.items()}
        verifier = Verifier(store)
        for kind, sayings in _SAYINGS.items():
            for saying in sayings.split("|"):
                for _ in range(given.each):
                    about, other = chance.sample(known[kind], 2)
                    values = {one: chance.choice(known[one]) for one in ("person", "place")} | {kind: other}
                    values |= {"year": chance.randint(1700, 2015), "number": chance.randint(2, 90)}
                    text = f"{about} {saying.strip().format(**values)}."
                    sentences += 1
                    for verdict in verifier.verify(text).verdicts:
                        claims += 1
                        if verdict.label is Label.CONTRADICTORY:
                            contradictory += 1
                            print(f"{text}  {verdict.method}: {verdict.reason}")
    counts = {"sentences": sentences, "claims": claims, "contradictory": contradictory}
    print(json.dumps({**vars(given), "kg": given.kg.name, **counts}))


if __name__ == "__main__":
    main()
