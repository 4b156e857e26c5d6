"""The values that everything else speaks of: RDF terms (pyoxigraph's own) and statements.

A Wikidata statement is more than a triple: it has a rank, qualifiers and references, and its value may be a time with a
precision or a quantity with a unit. Sources without such things (plain RDF, CSV) give statements of normal rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, StrEnum

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

__all__ = [
    "BlankNode", "Coordinate", "Literal", "NamedNode", "Quantity", "Rank", "Snak", "Special", "Statement", "Time",
    "Triple", "Value",
]


class Rank(StrEnum):
    """Wikibase rank. A deprecated statement is known to be wrong and never supports a claim."""

    PREFERRED = "preferred"
    NORMAL = "normal"
    DEPRECATED = "deprecated"


class Special(Enum):
    """The two values of Wikibase that are no value: ``SOME`` (exists, unknown) and ``NONE`` (does not exist)."""

    SOME = "somevalue"
    NONE = "novalue"


@dataclass(frozen=True, slots=True)
class Time:
    """A point in time as Wikibase keeps it.

    :param iso: ``+1931-05-05T00:00:00Z``; years may have more than four digits and a minus (BCE); month and day are 00
        where the precision does not reach them
    :param precision: 0 (billion years) .. 7 century, 8 decade, 9 year, 10 month, 11 day .. 14 second
    :param calendar: ``gregorian`` or ``julian``, as the source shows the date; the stored date is in that calendar
    """

    iso: str
    precision: int = 11
    calendar: str = "gregorian"


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact decimal amount; ``unit`` is the unit's IRI, or None for a plain number; bounds are inclusive."""

    amount: Decimal
    unit: str | None = None
    lower: Decimal | None = None
    upper: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Degrees, latitude -90 to 90, longitude -180 to 180 (or to 360 off Earth); ``globe`` is an IRI, None for Earth."""

    latitude: float
    longitude: float
    precision: float | None = None
    globe: str | None = None


Value = NamedNode | Literal | Time | Quantity | Coordinate | Special | BlankNode
Snak = tuple[NamedNode, Value]
"""A property and its value: one qualifier, or one line of a reference."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact of the graph.

    :param id: the statement's own IRI where the source has one, else None
    :param predicate: the property's entity IRI (``wd:P19``) for Wikibase data, the predicate itself elsewhere
    """

    subject: NamedNode
    predicate: NamedNode
    value: Value
    id: str | None = None
    rank: Rank = Rank.NORMAL
    qualifiers: tuple[Snak, ...] = ()
    references: tuple[tuple[Snak, ...], ...] = ()
