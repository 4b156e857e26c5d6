"""How often is a claim supported by a statement of another property? "A died in Oslo", of whom the KG says "born in".

Takes values that the KG states of an entity, and says each of them of another property: one that things with the first
property often have, with values of the same kind, and for which the KG has nothing, or another value, of that entity.
None of these claims is supported by the KG, though a few follow in truth ("wrote in French" from "spoke French").

Run:    python -m tests.bench.bench_crossed KG [--claims 400] [--seed 3] [--show]
Prints: one JSON object: claims, and how many were called attributable, by method. ``--show`` lists them on stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kgstore.catalog import Property
from kgstore.model import NamedNode
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.training.kg_pairs import Fact, KgPairs
from kgstore.verifier.training.sayings import say


class Crossed(KgPairs):
    """Claims that put a value under another property."""

    def __init__(self, store: Store, seed: int) -> None:
        super().__init__(store, seed)
        self.beside: dict[str, set[str]] = {}

    def facts(self, subject: str) -> list[Fact]:
        found = super().facts(subject)
        held = {fact.item.iri for fact in found}
        for iri in held:
            self.beside.setdefault(iri, set()).update(held)
        return found

    def claims(self, number: int) -> Iterator[str]:
        while number:
            facts = self.facts(self._subject())
            fact = self._one(facts) if facts else None
            rivals = self._rivals(fact) if fact is not None else []
            if fact is not None and rivals:
                number -= 1
                text = say(self.chance, fact.subject, self.chance.choice(rivals), fact.value)
                yield text[0].upper() + text[1:]

    def _rivals(self, fact: Fact) -> list[Property]:
        """Properties that could have the value, by its kind, and do not."""
        found, place = [], self.know.of_place(fact.item)
        for iri in sorted(self.beside[fact.item.iri] - {fact.item.iri} - self.kinds):
            rival, label = self.properties[iri], fact.item.label
            alike = rival.label in label or label in rival.label or (place and self.know.of_place(rival))
            held = self.know.values(fact.statement.subject.value, rival)
            known = fact.value in (value_text(one.value, self.store.label) for one in held)
            if rival.datatype == fact.item.datatype and not alike and not known:
                sorts = set(self.store.catalog.instance_types(fact.iri)) if fact.iri else set()
                if fact.iri is None or any(
                    sorts & set(self.store.catalog.instance_types(one.value.value))
                    for one in self._values[iri][:30]
                    if isinstance(one.value, NamedNode)
                ):
                    found.append(rival)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("--claims", type=int, default=400)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    supported: Counter[str] = Counter()
    claims = 0
    with Store(given.kg) as store:
        verifier = Verifier(store)
        for text in Crossed(store, given.seed).claims(given.claims):
            for verdict in verifier.verify(text).verdicts:
                claims += 1
                if verdict.label is Label.ATTRIBUTABLE:
                    supported[verdict.method] += 1
                    if given.show:
                        print(f"{verdict.method}: {text} ({verdict.reason})", file=sys.stderr)
    print(json.dumps({"kg": given.kg.name, "claims": claims, "supported": supported.total(), "by": dict(supported)}))


if __name__ == "__main__":
    main()
