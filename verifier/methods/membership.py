"""ClaimVer's membership check: a triplet that somebody names counts only if the KG holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgstore.model import Statement
from kgstore.verbalise import value_text
from kgstore.verifier.claims import Triple

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import Facts



def in_kg(statement: Statement, store: Facts) -> bool:
    """Does the KG hold exactly this statement (references apart)?"""
    return any(
        (one.id, one.value, one.rank, one.qualifiers)
        == (statement.id, statement.value, statement.rank, statement.qualifiers)
        for one in store.statements(statement.subject.value, statement.predicate.value)
    )


def words(statement: Statement, store: Facts) -> Triple:
    """A statement's three parts by their labels."""
    label = store.label
    return label(statement.subject.value), label(statement.predicate.value), value_text(statement.value, label)

