"""The claims of a text and what a KG says about the same entities, as two sets of triples in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from kgstore.embedding import Embedder
from kgstore.model import NamedNode, Rank, Special, Statement
from kgstore.prefixes import compact
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Candidate, Mention, Verdict
from kgstore.verifier.decide.accuse import CLEAR, SURE
from kgstore.verifier.decide.direct import tail_kinds
from kgstore.verifier.decide.literals import compare
from kgstore.verifier.kernel.graphs import Triple
from kgstore.verifier.kg.align import Aligned, Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.report.report import triple
from kgstore.verifier.values import Agreement

PROPERTIES = 8
"""Properties of an entity that are compared with a claim whose words name none: those closest to it in meaning."""
MOST = 40
"""Statements of one entity for one claim; what is left out is counted."""


@dataclass(slots=True)
class Graphs:
    """Both sets of triples.

    :param claim: one triple a claim, in their order
    :param known: the triples of the KG, each once
    :param statements: one for each of ``known``
    :param about: for each claim the positions in ``known`` of what was found for it
    :param names: labels that name one entity or one property each
    :param left_out: statements that would have been compared but for `MOST`
    """

    claim: list[Triple] = field(default_factory=list)
    known: list[Triple] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    about: list[list[int]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    left_out: int = 0


class Grounder:
    """Makes `Graphs` of the claims of one text.

    An entity has the KG's own label on both sides, so that it is the same or another, whatever the words; where two
    have one label, the id is added. A relation that names a property outright is given in the property's words, head
    and tail in its order, and is that property or another: "place of birth" is no "place of death". A date or an
    amount of the KG that agrees with the claim's is given in the claim's words. A name that the KG does not know is no
    other name.
    """

    def __init__(self, know: Knowledge, aligner: Aligner, embedder: Embedder) -> None:
        self._know, self._aligner, self._embedder = know, aligner, embedder
        self._labels: dict[str, str] = {}
        self._places: dict[tuple[Statement, Triple], int] = {}
        self.graphs = Graphs()

    def add(self, text: str, verdict: Verdict) -> None:
        """One claim as the shared parts read it: which entities its ends are."""
        claim = verdict.claim
        head, relation, tail = triple(claim, text)
        first, last = (claim.head, head, verdict.head), (claim.tail, tail, verdict.tail)
        reading = self._reading(verdict)
        if reading is not None:
            relation = self._know.store.label(reading.property.iri)
            self.graphs.names.add(relation)
            first, last = (last, first) if reading.turned else (first, last)
        relation = f"not {relation}" if claim.negated else relation
        self.graphs.claim.append((self._end(*first), relation, self._end(*last)))
        found = () if claim.bridge else self._statements(relation, reading, first[2], last[2])
        self.graphs.about.append(list(dict.fromkeys(self._place(one, last[0]) for one in found)))

    def _reading(self, verdict: Verdict) -> Aligned | None:
        """The likeliest property that the words name outright."""
        claim = verdict.claim
        if claim.bridge or claim.measure:
            return None
        heads, tails = ([one.iri] if one else [] for one in (verdict.head, verdict.tail))
        aligned = self._aligner.align(claim.relation, tail_kinds(claim.tail), heads, tails)
        return next((one for one in aligned if one.text >= CLEAR and one.score >= SURE), None)

    def _end(self, mention: Mention, words: str, entity: Candidate | None) -> str:
        words = self._named(entity.iri) if entity is not None else words
        if entity is not None or (mention.value is None and not words.islower()):
            self.graphs.names.add(words)
        return words

    def _named(self, iri: str) -> str:
        """The KG's label, with the id where another entity has it already."""
        label = self._know.store.label(iri)
        return label if self._labels.setdefault(label, iri) == iri else f"{label} ({compact(iri)})"

    def _statements(
        self, relation: str, reading: Aligned | None, subject: Candidate | None, other: Candidate | None
    ) -> Iterator[Statement]:
        """What links both ends, and the properties of the subject that are closest to the relation: just the one that
        the words name outright, if the subject has it.
        """
        if subject is None:
            return
        if other is not None:
            yield from self._know.links(subject.iri, other.iri)
            yield from self._know.links(other.iri, subject.iri)
        about = self._know.about(subject.iri)
        named = reading.property.iri if reading else ""
        properties = [named] if named in about else self._closest(relation, list(about))
        held = (one for prop in properties for one in about[prop])
        listed = [one for one in held if one.rank is not Rank.DEPRECATED and not isinstance(one.value, Special)]
        self.graphs.left_out += max(0, len(listed) - MOST)
        yield from listed[:MOST]

    def _closest(self, relation: str, properties: Sequence[str]) -> list[str]:
        labels = [self._know.store.label(iri) for iri in properties]
        vectors = self._embedder.embed([relation, *labels])
        cosines = vectors[1:] @ vectors[0]
        return [properties[i] for i in np.argsort(-cosines, kind="stable")[:PROPERTIES]]

    def _place(self, statement: Statement, other: Mention) -> int:
        """Where the statement stands among what is known, added if it is new."""
        store = self._know.store
        subject, value = self._named(statement.subject.value), self._value(statement, other)
        words = (subject, store.label(statement.predicate.value), value)
        self.graphs.names.update(words[:2])
        place = self._places.setdefault((statement, words), len(self.graphs.known))
        if place == len(self.graphs.known):
            self.graphs.known.append(words)
            self.graphs.statements.append(statement)
        return place

    def _value(self, statement: Statement, other: Mention) -> str:
        """:param other: the end of the claim that stands where the value does"""
        value = statement.value
        if isinstance(value, NamedNode):
            self.graphs.names.add(self._named(value.value))
            return self._named(value.value)
        agreement = compare(self._know, statement, other.text, other.value)
        if agreement in (Agreement.SAME, Agreement.COARSER):
            return other.text
        return value_text(value, self._know.store.label)
