"""What texts claim and the KG lacks, as statements that somebody may want to add: a list to look through, no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.errors import InputError
from kgstore.locks import locked
from kgstore.model import Literal, NamedNode
from kgstore.prefixes import WELL_KNOWN, compact
from kgstore.verifier.claims import Label, Verdict
from kgstore.verifier.values import Amount, DateValue

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import KnowledgeGraph
    from kgstore.verifier.report.report import Report

_XSD = WELL_KNOWN["xsd"]
_MARK = " .  # "
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LONGEST = 300
"""Characters of a sentence that a comment quotes."""
_MOST_TYPES = 8
"""Of the types of a property's values, the most frequent ones: a curator wants few candidates that are odd."""


def candidates(report: Report, store: KnowledgeGraph) -> list[str]:
    """A line of Turtle for each claim that was left open, whose ends and relation are known, and which the KG lacks;
    what the text says is a comment behind it.

    What is denied, doubted, dated, counted, compared or said in several steps is no statement, and left out.
    """
    found = []
    for verdict in report.verdicts:
        if (triple := _triple(verdict)) is None or _is_known(triple, store) or not _fits(triple, store):
            continue
        subject, predicate, value = triple
        words = _BLANKS.sub(" ", verdict.claim.text)[:_LONGEST]
        where = f" ({_BLANKS.sub(' ', report.id)[:100]})" if report.id else ""
        names = f"{store.label(subject.value)} / {store.label(predicate.value)}"
        found.append(f"{subject} {_direct(predicate)} {value}{_MARK}{_BLANKS.sub(' ', names)}: “{words}”{where}")
    return found


def add(path: Path, lines: Sequence[str]) -> int:
    """Add to a list what it does not hold yet; returns how many lines. Several processes may do so at once.

    :raises InputError: if the file cannot be written
    """
    if not lines:
        return 0
    try:
        with path.open("a+", encoding="utf-8") as file:
            locked(file.fileno(), wait=True)
            file.seek(0)
            known = {line.partition(_MARK)[0] for line in file}
            new = {line.partition(_MARK)[0]: line for line in reversed(lines)}
            kept = [line for statement, line in reversed(new.items()) if statement not in known]
            file.writelines(line + "\n" for line in kept)
    except (OSError, UnicodeDecodeError) as error:
        why = f"cannot write {path}: {str(getattr(error, 'strerror', None) or error).lower()}"
        raise InputError(why, "name another file for --candidates") from None
    return len(kept)


Triple = tuple[NamedNode, NamedNode, NamedNode | Literal]


def _triple(verdict: Verdict) -> Triple | None:
    claim = verdict.claim
    if verdict.label is not Label.EXTRAPOLATORY or verdict.head is None or verdict.relation is None:
        return None
    if claim.negated or claim.hedged or claim.bridge or claim.measure or claim.when or claim.until:
        return None
    value = NamedNode(verdict.tail.iri) if verdict.tail is not None else _value(claim.tail.value)
    if value is None:
        return None
    return NamedNode(verdict.head.iri), NamedNode(verdict.relation), value


def _value(value: DateValue | Amount | None) -> Literal | None:
    """A year, month or day, or a plain number; what is vague or has a unit is left out."""
    if isinstance(value, DateValue):
        vague = value.approximate or value.part or value.last_year or value.swap or not value.certain
        if vague or value.precision < 9 or value.year <= 0:
            return None
        parts = [f"{value.year:04}", *(f"{one:02}" for one in (value.month, value.day) if one)]
        kind = ("gYear", "gYearMonth", "date")[len(parts) - 1]
        return Literal("-".join(parts), datatype=NamedNode(_XSD + kind))
    if isinstance(value, Amount) and not (value.approximate or value.bound or value.unit):
        return Literal(str(value.value), datatype=NamedNode(_XSD + "decimal"))
    return None


def _is_known(triple: Triple, store: KnowledgeGraph) -> bool:
    subject, predicate, value = triple
    return any(one.value == value for one in store.statements(subject.value, predicate.value))


def _fits(triple: Triple, store: KnowledgeGraph) -> bool:
    """Is the value of a type that the property's values have? "works for the BBC" is no occupation."""
    _, predicate, value = triple
    known = store.properties().get(predicate.value)
    usual = {iri for iri, _ in known.object_types[:_MOST_TYPES]} if known else set()
    types = store.instance_types(value.value) if isinstance(value, NamedNode) else ()
    return not usual or not types or not usual.isdisjoint(types)


def _direct(predicate: NamedNode) -> NamedNode:
    """As triples have it: ``wdt:P19`` for Wikidata's ``wd:P19``."""
    short = compact(predicate.value)
    return NamedNode(WELL_KNOWN["wdt"] + short) if re.fullmatch(r"P\d+", short) else predicate
