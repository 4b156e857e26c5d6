"""How often is the date of a part taken for that of the thing ("Oslo, whose university was founded in 1811")?

Run:    python -m tests.bench.bench_of_parts --kg KG [--things 8] [--seed 5]
Prints: for each sentence that did any harm how often it was supported, and accused; then a JSON line for the sentences
whose parts `data/scenes/parts.jsonl` has, by their first letters, and one for the others.

Each sentence dates a part of a city or of an organization, by the year in which the KG has the thing itself founded,
which supports nothing, and by another one, which accuses nobody. The KG is one of Wikidata.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kgstore.model import Literal
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.bench.bench_mere_verbs import STEM, arguments, has, stems

SCENES = Path(__file__).parents[2] / "data" / "scenes" / "parts.jsonl"
KINDS = {"city": "wd:Q486972", "organization": "wd:Q43229"}
"""Classes of Wikidata: a human settlement, an organization."""
SENTENCES = (
    "{thing}, whose {part} was founded in {year}, is well known.",
    "{thing}'s {part} dates from {year}.",
    "In {thing} {a_part} opened in {year}.",
    "{thing}, where {a_part} was set up in {year}, draws many visitors.",
    "{thing} has had {a_part} since {year}.",
    "The oldest {part} of {thing} was built in {year}.",
)
PARTS = {
    "city": "university, harbour, zoo, synagogue, fire brigade, tram depot, mint, planetarium, gasworks, cricket club",
    "organization": "library, research department, youth section, canteen, choir, pension fund, archive, "
                    "spokesman's office, branch abroad, printing works",
}  # fmt: skip


def main() -> None:
    wanted = arguments(str(__doc__), "--things")
    learnt, chance = stems(SCENES), random.Random(wanted.seed)
    sums: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    with Store(wanted.kg, read_only=True) as store:
        verifier = Verifier(store)
        for kind, listed in PARTS.items():
            things = dated(store, KINDS[kind], wanted.things, chance)
            for part in listed.split(", "):
                for sentence in SENTENCES:
                    counts = Counter(of=len(things))
                    for thing, year in things:
                        counts["supported"] += has(verifier, said(sentence, thing, part, year), Label.ATTRIBUTABLE)
                        other = said(sentence, thing, part, chance.choice((-61, -34, 27, 58)) + year)
                        counts["accused"] += has(verifier, other, Label.CONTRADICTORY)
                    sums[part.split()[-1][:STEM] in learnt] += counts
                    if counts["supported"] or counts["accused"]:
                        told = sentence.format(thing=f"({kind})", part=part, a_part=part, year="...")
                        print(f"{counts['supported']:3} {counts['accused']:3} of {len(things)}  {told}", flush=True)
    for is_learnt, total in sums.items():
        print(json.dumps({"in the scenes": is_learnt, "supported": 0, "accused": 0, **total}))


def said(sentence: str, thing: str, part: str, year: int) -> str:
    article = "an" if part[0] in "aeio" else "a"
    return sentence.format(thing=thing, part=part, a_part=f"{article} {part}", year=year)


def dated(store: Store, kind: str, number: int, chance: random.Random) -> list[tuple[str, int]]:
    """Names of things of a class, and the year in which the KG has each founded."""
    query = f"SELECT ?thing ?when {{ ?thing wdt:P31/wdt:P279* {kind} ; wdt:P571 ?when }}"
    found = dict(_years(store, query))
    return [(store.label(one), found[one]) for one in chance.sample(sorted(found), min(number, len(found)))]


def _years(store: Store, query: str) -> Iterator[tuple[str, int]]:
    for thing, when in store.query(query, limit=100_000, timeout=600).rows:
        year = when.value.split("-")[0] if isinstance(when, Literal) else ""
        if thing is not None and year.isdigit() and int(year) > 1000:
            yield thing.value, int(year)


if __name__ == "__main__":
    main()
