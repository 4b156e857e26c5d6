"""Facts of a KG as language models lay them out, all of them true: how many are supported, and how many accused?

Run:    python -m tests.bench.bench_layouts --kg KG [--things 120] [--seed 5]
Prints: each accusation, then one JSON line: for each layout the facts laid out, and claims by label. A fact with
several values may become several claims.

Whatever a KG holds is tried, so this finds what no text written for the purpose would: things that share a name with
forty others, labels with colons, relations whose names are verbs.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from kgstore.duck import read_only
from kgstore.model import Coordinate
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.pipeline import Verifier

Facts = dict[str, str]
MOST, VALUES, LONGEST = 6, 3, 60
"""Facts of a thing, values of a fact, characters of a value."""
_SKIPPED = ("external-id", "url", "commonsMedia", "coordinate")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--things", type=int, default=120)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        known = list(islice(things(store, verifier, given.seed), given.things))
        for (name, facts), (other, others) in zip(known, [*known[1:], *known[:1]], strict=True):
            for layout, number, text in layouts(name, facts, other, others):
                count = counts.setdefault(layout, Counter())
                count["facts"] += number
                for one in verifier.verify(text).verdicts:
                    count[one.label.value] += 1
                    if one.label.value == "contradictory":
                        print(f"{layout}: {one.claim.text!r}\n    {one.method}: {one.reason}")
    print(json.dumps(counts))


def things(store: Store, verifier: Verifier, seed: int) -> Iterator[tuple[str, Facts]]:
    """Names of things with their facts, in an order that hangs on the seed."""
    query = "SELECT iri, label FROM entity WHERE NOT property AND degree >= 3 AND length(label) > 2"
    for iri, label in read_only(store.catalog.path).execute(f"{query} ORDER BY md5(iri || '{seed}')").fetchall():
        facts = facts_of(store, verifier, iri)
        if len(facts) > 1:
            yield label, facts


def facts_of(store: Store, verifier: Verifier, iri: str) -> Facts:
    """Names of relations, and the values."""
    found: dict[str, list[str]] = {}
    for one in store.statements(iri):
        item = verifier.aligner.properties.get(one.predicate.value)
        if item is None or item.datatype in _SKIPPED or ":" in item.label or isinstance(one.value, Coordinate):
            continue
        said = value_text(one.value, store.label)
        if said and len(said) <= LONGEST and "\n" not in said and not said.startswith("http"):
            found.setdefault(item.label, []).append(said)
    return {label: ", ".join(values[:VALUES]) for label, values in islice(found.items(), MOST)}


def layouts(name: str, facts: Facts, other: str, others: Facts) -> Iterator[tuple[str, int, str]]:
    """The name of a layout, how many facts it has, and the text."""
    keyed = [f"{key[:1].upper()}{key[1:]}: {said}" for key, said in facts.items()]
    rows = "\n".join(f"| {key} | {said} |" for key, said in facts.items())
    keys = dict.fromkeys([*facts, *others])
    both = "\n".join(f"| {key} | {facts.get(key, '—')} | {others.get(key, '')} |" for key in keys)
    many = len(facts)
    yield "lines", many, "\n".join((name, *keyed))
    yield "bullets", many, "\n".join((f"**{name}**", *(f"- **{key}**: {said}" for key, said in facts.items())))
    yield "one line", many, f"{name}: {'; '.join(keyed)}"
    yield "bars", many, f"{name} | {' | '.join(keyed)}"
    yield "brackets", many, f"{name} ({'; '.join(keyed)})"
    yield "sentences", many, f"{name}. {'. '.join(keyed)}."
    yield "JSON", many, json.dumps({"name": name, **facts}, ensure_ascii=False)
    yield "table below a heading", many, f"## {name}\n\n| Attribute | Value |\n|---|---|\n{rows}"
    yield "table of a name", many, f"| {name} | |\n|---|---|\n{rows}"
    yield "table with a name", many, f"| Name | {name} |\n|---|---|\n{rows}"
    yield "two side by side", many + len(others), f"| | {name} | {other} |\n|---|---|---|\n{both}"


if __name__ == "__main__":
    main()
