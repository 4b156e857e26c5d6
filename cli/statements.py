"""Statements as JSON values and as lines; the same shape as the evidence in a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kgstore.model import BlankNode, Literal, NamedNode, Rank, Snak, Statement, Value
from kgstore.prefixes import compact
from kgstore.verbalise import value_text

if TYPE_CHECKING:
    from kgstore.store import Store


def statement_dict(statement: Statement, store: Store) -> dict[str, Any]:
    """Ids and labels of all parts; ``qualifiers`` and each reference are lists of property and value."""
    subject, predicate = statement.subject.value, statement.predicate.value
    return {
        "subject": compact(subject),
        "predicate": compact(predicate),
        "object": value_id(statement.value, store),
        "labels": [store.label(subject), store.label(predicate), value_text(statement.value, store.label)],
        "statement": compact(statement.id) if statement.id else None,
        "rank": statement.rank.value,
        "qualifiers": _snaks(statement.qualifiers, store),
        "references": [_snaks(reference, store) for reference in statement.references],
    }


def value_id(value: Value, store: Store) -> str:
    """A value in the least ambiguous words: an id, a literal's own text, else as it reads."""
    if isinstance(value, NamedNode):
        return compact(value.value)
    if isinstance(value, Literal):
        return value.value
    return str(value) if isinstance(value, BlankNode) else value_text(value, store.label)


def remarks(statement: Statement, store: Store) -> str:
    """Rank (unless normal) and qualifiers on one line; empty where there is nothing to say."""
    rank = [] if statement.rank is Rank.NORMAL else [statement.rank.value]
    said = [f"{store.label(prop.value)}: {value_text(value, store.label)}" for prop, value in statement.qualifiers]
    return "; ".join(rank + said)


def _snaks(snaks: Iterable[Snak], store: Store) -> list[dict[str, str]]:
    return [
        {
            "property": compact(prop.value),
            "label": store.label(prop.value),
            "object": value_id(value, store),
            "value": value_text(value, store.label),
        }
        for prop, value in snaks
    ]
