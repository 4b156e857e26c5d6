"""Other ways to say a date or an amount, true ones and wrong ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from kgstore.model import Quantity, Time, Value
from kgstore.verbalise import MONTHS, time_text, value_text

Label = Callable[[str], str]


def coarser(value: Value, text: str, chance: random.Random) -> list[str]:
    """What is true where the value is: a date in another notation or less exact, an amount rounded."""
    if isinstance(value, Time):
        found = [time_text(replace(value, precision=level)) for level in (8, 9, 10) if level < value.precision]
        if value.precision == 11 and (day := text.split()) and len(day) == 3:
            found.append(f"{day[1]} {day[0]}, {day[2]}")
        return found
    if isinstance(value, Quantity) and abs(value.amount) >= 100:
        return [f"{chance.choice(('about', 'around', 'roughly', 'some'))} {_shown(_round(value.amount, 2))}"]
    return []


def finer(value: Time, chance: random.Random) -> str | None:
    """A more exact date than the one that is known."""
    if value.precision != 9:
        return None
    year = time_text(value)
    return f"{chance.randint(1, 28)} {chance.choice(MONTHS)} {year}"


def moved(value: Time | Quantity, chance: random.Random, label: Label) -> str | None:
    """Another date or amount, too far off to be a rounding."""
    if isinstance(value, Quantity):
        if value.amount == 0:
            return None
        factor = Decimal(str(chance.choice((0.1, 0.3, 0.5, 0.7, 0.8, 1.25, 1.4, 2, 3, 10))))
        amount = _round(value.amount * factor, 3)
        if value.amount == value.amount.to_integral_value():
            amount = amount.to_integral_value()
        return None if amount == value.amount else value_text(replace(value, amount=amount), label)
    if value.precision < 9 or value.iso[0] == "-":
        return None
    year, month, day = int(value.iso[1:5]), int(value.iso[6:8]), int(value.iso[9:11])
    kind = chance.random()
    if value.precision == 11 and kind < 0.25:
        day = (day + chance.randint(1, 26) - 1) % 28 + 1
    elif value.precision >= 10 and kind < 0.4:
        month = (month + chance.randint(1, 10) - 1) % 12 + 1
    else:
        year += chance.choice((-40, -21, -10, -5, -3, -2, -1, 1, 2, 3, 4, 7, 10, 30, 100))
    iso = f"+{max(1, year):04d}-{month:02d}-{min(day, 28) if day else 0:02d}{value.iso[11:]}"
    level = value.precision if kind < 0.4 else chance.choice((9, value.precision))
    new, old = time_text(replace(value, iso=iso, precision=level)), time_text(replace(value, precision=level))
    return None if new == old else new


def roughly(value: Quantity, chance: random.Random, label: Label) -> tuple[str, bool]:
    """A bound on an amount, and whether it holds."""
    word, above = chance.choice(
        (("more than", True), ("over", True), ("at least", True), ("less than", False), ("under", False))
    )
    holds = chance.random() < 0.5
    factor = Decimal(str(chance.choice((0.3, 0.5, 0.8) if above == holds else (1.3, 2, 4))))
    amount = _round(value.amount * factor, 2)
    holds = value.amount > amount if above else value.amount < amount
    return f"{word} {value_text(replace(value, amount=amount), label)}", holds


def _round(amount: Decimal, digits: int) -> Decimal:
    if not amount:
        return amount
    return amount.quantize(Decimal(1).scaleb(amount.adjusted() - digits + 1)) + Decimal(0)


def _shown(amount: Decimal) -> str:
    if abs(amount) >= 1_000_000:
        return f"{(amount / 1_000_000).normalize():f} million"
    return f"{amount:,f}"
