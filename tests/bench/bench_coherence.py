"""Are names that several entities bear linked to the one that the rest of the text speaks of?

Run:    python -m tests.bench.bench_coherence my.kg --half report --write homonyms.jsonl
Prints: one JSON line: texts, how many names are linked right, wrong, and to none clearly, with 95 % intervals.

The texts are made from the KG: for an entity whose label others bear, one sentence that tells which one is meant (a
statement about another thing, whose name is its own), and one that claims something of it, true or false. Their order
and whether the second sentence repeats the name change by the entity's hash, and so does the half (tune or report).
What is claimed is

- ``true``: a date or amount that the KG has for the entity;
- ``rival``: the one that it has for another bearer of the name (contradictory);
- ``other``: one that it has for neither (contradictory);
- ``silent``: what another bearer has and the entity has not (extrapolatory);
- ``beside``: what the KG has for the entity, while the other sentence only speaks of something that the KG links to
  another bearer (attributable: nothing tells which one is meant, so nobody may be accused). Not counted for linking.

A name counts as linked where its first candidate has at least half of the weight. ``--write`` keeps the texts for
``kgstore evaluate``, which measures the labels, with intervals, and compares two runs claim by claim (``--against``).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from kgstore.model import NamedNode, Quantity, Rank, Statement, Time
from kgstore.prefixes import compact
from kgstore.store import Store
from kgstore.verifier.kg.world import of_property
from kgstore.verifier.measure.exact import exact_interval
from kgstore.verifier.measure.labelled import half_of
from kgstore.verifier.pipeline import Verifier

LINKED = 0.5
ANCHORS = {
    "director": "{s} was directed by {o}.",
    "author": "{s} was written by {o}.",
    "composer": "The composer of {s} is {o}.",
    "cast member": "{o} appears in {s}.",
    "performer": "{s} was performed by {o}.",
    "narrative location": "{s} is set in {o}.",
    "distributed by": "{s} was distributed by {o}.",
    "country of origin": "{s} comes from {o}.",
    "filming location": "{s} was filmed in {o}.",
    "shares border with": "{s} borders {o}.",
    "located in the administrative territorial entity": "{s} is in {o}.",
    "country": "{s} is a place in {o}.",
    "capital": "The capital of {s} is {o}.",
    "capital of": "{s} is the capital of {o}.",
    "named after": "{s} was named after {o}.",
    "twinned administrative body": "{s} is twinned with {o}.",
    "place of birth": "{s} was born in {o}.",
    "place of death": "{s} died in {o}.",
    "educated at": "{s} studied at {o}.",
    "employer": "{s} worked for {o}.",
    "spouse": "{s} was married to {o}.",
    "award received": "{s} won {o}.",
    "nominated for": "{s} was nominated for {o}.",
    "member of sports team": "{s} played for {o}.",
    "member of": "{s} was a member of {o}.",
    "record label": "{s} was signed to {o}.",
    "country of citizenship": "{s} was a citizen of {o}.",
    "located in or next to body of water": "{s} lies on {o}.",
    "parent taxon": "The parent taxon of {s} is {o}.",
}
"""Label of a property -> a sentence that says it."""
CLAIMS = {
    "date of birth": "{s} was born in {o}.",
    "date of death": "{s} died in {o}.",
    "inception": "{s} was founded in {o}.",
    "publication date": "{s} was released in {o}.",
    "area": "{s} has an area of {o}.",
    "length": "{s} has a length of {o}.",
    "elevation above sea level": "{s} has an elevation of {o}.",
    "duration": "{s} has a duration of {o}.",
}
KINDS = {"true": "attributable", "rival": "contradictory", "other": "contradictory", "silent": "extrapolatory"}
BESIDE = 6
"""Every so manieth text has a bystander."""


class Maker:
    """Texts of one KG; always the same ones."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.bearers: dict[str, set[str]] = defaultdict(set)
        self.properties = store.catalog.properties()
        names = store.catalog._names
        for row in range(len(names)):
            _, kind, name, _, _, iri = names[row]
            if kind == "label" and name[:1].isupper():
                self.bearers[name].add(iri)

    def texts(self) -> Iterator[dict[str, Any]]:
        """At most one text an entity, in the order of their hashes."""
        shared = ((iri, name) for name, iris in self.bearers.items() if len(iris) > 1 for iri in iris)
        for iri, name in sorted(shared, key=lambda pair: digest(pair[0])):
            if (made := self._text(iri, name)) is not None:
                yield made

    def _text(self, iri: str, name: str) -> dict[str, Any] | None:
        number = int(digest(iri), 16)
        anchors, own = sorted(self._anchors(iri, name)), self._values(iri)
        rivals = sorted(self.bearers[name] - {iri})
        if not anchors or not rivals:
            return None
        beside = number % BESIDE == 0 and self._bystander(rivals, name)
        if beside and (said := [(label, one[1]) for label, value in own.items() if (one := self._said(value))]):
            claimed, value = said[number // 11 % len(said)]
            parts = [beside, CLAIMS[claimed].format(s=name, o=value)]
            return _row(iri, name, "beside", parts, ["attributable", "attributable"])
        claims = self._claims(number, iri, own, [rivals[(number // 7 + i) % len(rivals)] for i in range(len(rivals))])
        if claims is None:
            return None
        kind, claimed, said = claims
        turned, repeated = number // 13 % 2 == 0, number // 17 % 2 == 0
        anchor = anchors[number // 19 % len(anchors)]
        first, second = (CLAIMS[claimed], anchor[1]) if turned else (anchor[1], CLAIMS[claimed])
        subject = name if repeated or "{s}" not in second[:3] else self._pronoun(iri)
        values = (said, anchor[2]) if turned else (anchor[2], said)
        parts = [first.format(s=name, o=values[0]), second.format(s=subject, o=values[1])]
        labels = [KINDS[kind], "attributable"] if turned else ["attributable", KINDS[kind]]
        return _row(iri, name, kind, parts, labels)

    def _bystander(self, rivals: list[str], name: str) -> str | None:
        """A true sentence about something that is linked to another bearer of the name."""
        for rival in rivals:
            for _, _, label in sorted(self._anchors(rival, name)):
                (hit,) = self.store.catalog.lookup([label])[label]
                for _, pattern, other in sorted(self._anchors(hit.iri, label)):
                    if name not in other:
                        return pattern.format(s=label, o=other)
        return None

    def _anchors(self, iri: str, name: str) -> Iterator[tuple[str, str, str]]:
        for statement in self.store.statements(iri):
            pattern = ANCHORS.get(self.store.label(statement.predicate.value))
            if pattern is None or statement.rank is Rank.DEPRECATED or not isinstance(statement.value, NamedNode):
                continue
            label = self.store.label(statement.value.value)
            alone = len(self.store.catalog.lookup([label]).get(label, ())) == 1
            if alone and label[:1].isupper() and name not in label and label not in name:
                yield digest(iri + statement.value.value), pattern, label

    def _values(self, iri: str) -> dict[str, Statement]:
        """The claimable properties that have just one value."""
        found: dict[str, list[Statement]] = defaultdict(list)
        for statement in self.store.statements(iri):
            if statement.rank is not Rank.DEPRECATED:
                found[self.store.label(statement.predicate.value)].append(statement)
        return {label: found[label][0] for label in CLAIMS if len(found.get(label, ())) == 1}

    def _claims(
        self, number: int, iri: str, own: dict[str, Statement], rivals: list[str]
    ) -> tuple[str, str, str] | None:
        """A kind of claim, the property's label, and what is claimed; the first of the kinds that the KG allows."""
        start = number % len(KINDS)
        for kind in (*list(KINDS)[start:], "rival", "other", "silent", "true"):
            for rival in rivals:
                found = sorted(self._of_kind(kind, iri, own, self._values(rival)))
                if found:
                    return kind, *found[number // 11 % len(found)]
        return None

    def _of_kind(
        self, kind: str, iri: str, own: dict[str, Statement], other: dict[str, Statement]
    ) -> Iterator[tuple[str, str]]:
        for label in CLAIMS:
            mine, theirs = (self._said(held.get(label)) for held in (own, other))
            if kind == "silent":
                if label in other and theirs is not None and self._may_have(iri, other[label]):
                    yield label, theirs[1]
            elif mine is None or (kind != "true" and not of_property(self.properties[_of(own[label])]).closed):
                continue
            elif kind == "true":
                yield label, mine[1]
            elif theirs is not None and abs(mine[0] - theirs[0]) > abs(mine[0]) / (100 if _dated(own[label]) else 4):
                if kind == "rival":
                    yield label, theirs[1]
                elif _dated(own[label]):
                    yield label, str(int(max(mine[0], theirs[0])) - 31)
                else:
                    yield label, f"{int(max(mine[0], theirs[0])) * 3 + 8:,} {mine[1].partition(' ')[2]}"

    def _may_have(self, iri: str, statement: Statement) -> bool:
        """Does the entity lack the property, though things of its kind have it?"""
        kinds = self.store.catalog.instance_types(iri)
        above = {one for kind in kinds for one in self.store.catalog.supertypes(kind)}
        usual = {kind for kind, _ in self.properties[_of(statement)].subject_types}
        return bool(above & usual) and not self.store.statements(iri, _of(statement))

    def _said(self, statement: Statement | None) -> tuple[Decimal, str] | None:
        value = statement.value if statement is not None else None
        if isinstance(value, Time) and value.precision >= 9 and value.iso.startswith("+1"):
            return Decimal(value.iso[1:5]), value.iso[1:5]
        if isinstance(value, Quantity) and value.unit:
            return value.amount, f"{value.amount:,f} {self.store.label(value.unit)}s"
        return None

    def _pronoun(self, iri: str) -> str:
        kinds = {self.store.label(kind) for kind in self.store.catalog.instance_types(iri)}
        if "human" not in kinds:
            return "It"
        told = [self.store.label(one.value.value) for one in self.store.statements(iri) if _gender(self.store, one)]
        return "She" if told == ["female"] else "He"


def _row(iri: str, name: str, kind: str, parts: list[str], labels: list[str]) -> dict[str, Any]:
    short, starts = compact(iri), [0, len(parts[0]) + 1]
    spans = [
        {"start": start, "end": start + len(part) - 1, "text": part[:-1], "label": label}
        for start, part, label in zip(starts, parts, labels, strict=True)
    ]
    return {
        "id": f"{short}-{kind}",
        "text": " ".join(parts),
        "subject": short,
        "name": name,
        "kind": kind,
        "claims": spans,
    }


def _of(statement: Statement) -> str:
    return statement.predicate.value


def _dated(statement: Statement) -> bool:
    return isinstance(statement.value, Time)


def _gender(store: Store, statement: Statement) -> bool:
    return store.label(statement.predicate.value) == "sex or gender" and isinstance(statement.value, NamedNode)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def measure(store: Store, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How the shared names of the texts are linked."""
    rules = Verifier(store).rules
    counts = {"right": 0, "wrong": 0, "unclear": 0}
    for row in (row for row in rows if row["kind"] != "beside"):
        for one in rules.mentions(row["text"]):
            if one.text != row["name"]:
                continue
            best = one.candidates[0] if one.candidates else None
            clear = best is not None and best.score >= LINKED
            right = clear and compact(best.iri) == row["subject"]
            counts["right" if right else "wrong" if clear else "unclear"] += 1
    names = sum(counts.values())
    intervals = {key: [round(end, 3) for end in exact_interval(count, names)] for key, count in counts.items()}
    return {"texts": len(rows), "names": names, **counts, "intervals": intervals}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("--half", choices=("tune", "report"))
    parser.add_argument("--texts", type=int, default=200, help="at most so many")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with Store(given.kg, read_only=True) as store:
        made = (row for row in Maker(store).texts() if given.half in (None, half_of(row)))
        rows = [row for row, _ in zip(made, range(given.texts), strict=False)]
        if given.write is not None:
            given.write.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        print(json.dumps({"kg": given.kg.name, "half": given.half, **measure(store, rows)}))


if __name__ == "__main__":
    main()
