"""Which bearer of a shared name a text speaks of: the one that the KG links to what else the text names.

"Putnam County borders Rockland County" speaks of the county in New York, so "It was founded in 1845", true of another
Putnam County, is wrong there. Two things keep this from accusing falsely. What a claim itself says does not tell whom
it is about: "John Smith was born in Boston" does not become a claim about the John Smith who worked there. And nothing
that a name may mean is left out unless another claim of the text links the name to something that the KG links to
another one of its kind; names that merely stand in one text only shift the weights.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp, log

from kgstore.errors import IndexMissing
from kgstore.verifier.claims import Candidate, Claim, MeasureKind, Mention
from kgstore.verifier.kg.protocol import KnowledgeGraph

NEAR = 12
"""Names are compared with at most so many others before and after them."""
APART = 60
"""After so many other names a name may mean something else than before."""
STATED = 0.6
"""What a statement that links a candidate to another name weighs, times how telling it is: the logarithm of one over
the share of all entities that have a statement with that other one. Things that both are linked to (types, a country)
were tried as well and did not help."""
MOST_WAYS = 40
UNLIKELY = 0.05
"""A candidate with a smaller share than this is left out where the text stays with one thing."""


@dataclass(slots=True, eq=False)
class _Name:
    """One name of the text with what it may mean, at one or more places."""

    candidates: tuple[Candidate, ...]
    places: list[int] = field(default_factory=list)


class Company:
    """The names of one text, and how well what each may mean goes with the others."""

    def __init__(self, store: KnowledgeGraph, mentions: Sequence[Mention]) -> None:
        self.store = store
        self._names: list[_Name] = []
        self._at: dict[tuple[int, int], _Name] = {}
        self._together = cache(self._read)
        self._near = cache(self._others)
        self._shares = cache(self._weighed)
        latest: dict[tuple[str, ...], _Name] = {}
        for mention in mentions:
            if not mention.candidates:
                continue
            place, key = len(self._names), tuple(one.iri for one in mention.candidates)
            name = latest.get(key)
            if name is None or place - name.places[-1] > APART:
                name = latest[key] = _Name(mention.candidates)
            name.places.append(place)
            self._names.append(name)
            self._at[mention.start, mention.end] = name

    def linked(self, mention: Mention) -> Mention:
        """The mention with its candidates weighed by all other names near it, likeliest first."""
        name = self._at.get((mention.start, mention.end))
        if name is None or len(name.candidates) < 2:
            return mention
        shares = self._shares(name, None)
        return replace(mention, candidates=_ordered(name.candidates, shares, shares))

    def apart(self, claims: Iterable[Claim]) -> list[Claim]:
        """The claims, the two ends of each weighed by the names that are not its own; of a comparison, which no
        statement makes true, by these, too."""
        ends = [(claim, self._name(claim.head), self._name(claim.tail)) for claim in claims]
        related = {frozenset((id(head), id(tail))) for claim, head, tail in ends if not (claim.negated or claim.hedged)}
        return [
            replace(
                claim,
                head=self._beside(claim.head, head, None if _compares(claim) else tail, related),
                tail=self._beside(claim.tail, tail, None if _compares(claim) else head, related),
            )
            for claim, head, tail in ends
        ]

    def _name(self, mention: Mention) -> _Name | None:
        name = self._at.get(mention.refers_to or (mention.start, mention.end))
        same = name is not None and {one.iri for one in name.candidates} == {one.iri for one in mention.candidates}
        return name if same else None

    def _beside(
        self, mention: Mention, name: _Name | None, other: _Name | None, related: Collection[frozenset[int]]
    ) -> Mention:
        if name is None or len(name.candidates) < 2:
            return mention
        every, apart = self._shares(name, None), self._shares(name, other)
        found = _ordered(name.candidates, apart, every)
        surest = max(apart, key=lambda iri: apart[iri])
        if self._stated(name, surest, other, related):
            found = tuple(
                one
                for one in found
                if max(every[one.iri], apart[one.iri]) >= UNLIKELY
                or not (mention.refers_to or self._alike(one.iri, surest))
            )
        return replace(mention, candidates=found)

    def _alike(self, one: str, other: str) -> bool:
        """Are both of one kind, such as two counties? Then a text that names one does not go over to the other."""
        kinds = [
            {above for kind in self.store.instance_types(iri) for above in self.store.supertypes(kind, 1)}
            for iri in (one, other)
        ]
        return bool(kinds[0] & kinds[1])

    def _stated(self, name: _Name, iri: str, without: _Name | None, related: Collection[frozenset[int]]) -> bool:
        """Does a claim of the text say something of the name that the KG states of this candidate?"""
        return any(
            other is not without and frozenset((id(name), id(other))) in related and iri in self._together(name, other)
            for other in self._near(name)
        )

    def _weighed(self, name: _Name, without: _Name | None) -> dict[str, float]:
        """Each candidate's share by its popularity and the other names, ``without`` left aside."""
        weights = {one.iri: log(max(one.score, 1e-4)) for one in name.candidates}
        for other in self._near(name):
            if other is not without:
                for iri, weight in self._together(name, other).items():
                    weights[iri] += weight
        most = max(weights.values())
        total = sum(exp(weight - most) for weight in weights.values())
        return {iri: exp(weight - most) / total for iri, weight in weights.items()}

    def _others(self, name: _Name) -> list[_Name]:
        """The names nearest to its places."""
        found: dict[int, _Name] = {}
        for step in range(1, NEAR + 1):
            for place in name.places:
                for at in (place - step, place + step):
                    if 0 <= at < len(self._names) and self._names[at] is not name:
                        found.setdefault(id(self._names[at]), self._names[at])
            if len(found) >= NEAR:
                break
        return list(found.values())[:NEAR]

    def _read(self, name: _Name, other: _Name) -> dict[str, float]:
        """How much the other name speaks for the candidates that a statement links to what it may mean."""
        ours = [one.iri for one in name.candidates]
        theirs = {one.iri: one.score for one in other.candidates if one.iri not in ours}
        try:
            ways = self.store.paths(ours, list(theirs), 1, MOST_WAYS)
        except IndexMissing:
            return {}
        found = dict[str, float]()
        for (edge,) in ways:
            iri, far = (edge.object, edge.subject) if edge.subject in theirs else (edge.subject, edge.object)
            entity = self.store.entities((far,)).get(far)
            telling = log(self.store.entity_count / entity.degree) if entity and entity.degree else 0.0
            found[iri] = max(found.get(iri, 0.0), STATED * telling * theirs[far])
        return found


def _compares(claim: Claim) -> bool:
    return claim.measure is not None and claim.measure.kind is MeasureKind.COMPARISON


def _ordered(
    candidates: tuple[Candidate, ...], shares: dict[str, float], order: dict[str, float]
) -> tuple[Candidate, ...]:
    """The candidates with their shares as scores, in the order of other ones."""
    weighed = [replace(one, score=round(shares[one.iri], 4)) for one in candidates]
    return tuple(sorted(weighed, key=lambda one: -order[one.iri]))
