""" "She was honoured for The English Patient": the tail is not a statement's value but one of its qualifiers."""

from __future__ import annotations

from collections.abc import Iterator

from kgstore.model import NamedNode, Rank, Statement
from kgstore.verifier.claims import Candidate, Claim
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.outcome import supports
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge

_ALIKE = 0.5
"""How close the words have to be to the name of the statement's property or of the qualifier."""
_MEANT = 0.3
_MOST = 100


def decide_qualified(claim: Claim, know: Knowledge, aligner: Aligner) -> Finding | None:
    """Support by a statement of the head that has the tail as a qualifier, None where there is no such statement."""
    for head in claim.head.candidates:
        for tail in claim.tail.candidates:
            if min(head.score, tail.score) < _MEANT:
                continue
            for statement, name in _statements(know, head, tail):
                words = (statement.predicate.value, name)
                if max(aligner.likeness(claim.relation, one) for one in words) >= _ALIKE:
                    label = know.store.label
                    fact = f"{label(statement.predicate.value)} of {label(statement.subject.value)}"
                    reason = f"the KG states {fact}: {_value(know, statement)}, with {label(name)}: {tail.label}"
                    return Finding(supports(Tier.QUALIFIER, [statement], reason), head=head, tail=tail)
    return None


def _statements(know: Knowledge, head: Candidate, tail: Candidate) -> Iterator[tuple[Statement, str]]:
    """Statements about the head, or with it as their value, that have the tail as a qualifier, and which one."""
    own = [one for listed in know.about(head.iri).values() for one in listed]
    for statement in (*own, *know.store.incoming(head.iri, None, _MOST)):
        if statement.rank is not Rank.DEPRECATED:
            for name, value in statement.qualifiers:
                if isinstance(value, NamedNode) and value.value == tail.iri:
                    yield statement, name.value


def _value(know: Knowledge, statement: Statement) -> str:
    return know.store.label(statement.value.value) if isinstance(statement.value, NamedNode) else "a value"
