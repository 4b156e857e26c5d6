"""How much of a property two things have: stored times and quantities of any unit on one line of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from kgstore.catalog import Property
from kgstore.model import Quantity, Rank, Statement, Time
from kgstore.verifier.decide.when import span_of
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.compare_amounts import in_base_unit
from kgstore.verifier.values.compare_dates import days_of

CLEAR = 0.86
"""How well a measure's name has to be that of the property."""


@dataclass(frozen=True, slots=True)
class Magnitude:
    """From the least to the most that a thing has, with the statements that say so.

    :param dimension: only magnitudes of one dimension can be compared ("time", "length", "" for counts)
    """

    dimension: str
    least: Decimal
    most: Decimal
    statements: tuple[Statement, ...]


def measured(names: Sequence[str], entities: Sequence[str], aligner: Aligner) -> list[Property]:
    """The properties of times or quantities that these names ("area", "was born") may mean, in that order."""
    found: dict[str, Property] = {}
    for name in names:
        for reading in aligner.align(name, frozenset(("time", "quantity")), entities, k=4):
            if reading.text >= CLEAR and reading.property.datatype in ("time", "quantity"):
                found.setdefault(reading.property.iri, reading.property)
    return list(found.values())


def magnitude(know: Knowledge, iri: str, item: Property) -> Magnitude | None:
    """What the KG says of one thing, None where it says nothing that can be compared.

    Of several values the preferred ones count, else the latest where points in time are given, else all.
    """
    held = [one for one in know.values(iri, item) if isinstance(one.value, Time | Quantity)]
    preferred = [one for one in held if one.rank is Rank.PREFERRED]
    chosen = preferred or _latest(know, held)
    placed = [(one, _placed(know, one)) for one in chosen]
    known = [(one, place) for one, place in placed if place is not None]
    if not known or len({place[0] for _, place in known}) > 1:
        return None
    least, most = min(place[1] for _, place in known), max(place[2] for _, place in known)
    return Magnitude(known[0][1][0], least, most, tuple(one for one, _ in known))


def _latest(know: Knowledge, held: list[Statement]) -> list[Statement]:
    dated = [(days[1], one) for one in held for at in span_of(know, one).at if (days := days_of(at)) is not None]
    if not dated or len(dated) < len(held):
        return held
    return [max(dated, key=lambda pair: pair[0])[1]]


def _placed(know: Knowledge, statement: Statement) -> tuple[str, Decimal, Decimal] | None:
    value = statement.value
    if isinstance(value, Time):
        days = days_of(value)
        return ("time", Decimal(days[0]), Decimal(days[1])) if days else None
    assert isinstance(value, Quantity)
    based = in_base_unit(value, know.names)
    return (based[0], based[1], based[1]) if based else None
