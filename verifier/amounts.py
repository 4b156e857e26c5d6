"""Amounts in running text, and how they compare with stored quantities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kgstore.model import Quantity
from verifier.agreement import Agreement


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as a text gives it.

    :param unit: the unit as written, singular ("metre", "US dollar", "%", "€"), "" where there is none
    :param noun: what is counted, as written ("people", "career points"), where no unit follows
    :param digits: significant digits written; the closing zeros of a whole number do not count
    :param step: one unit in the last written place: 1 for 14,976, 0.01 for 1.63, 100000 for "4.4 million"
    :param bound: "", "at least", "at most", "more than" or "less than"
    """

    value: Decimal
    unit: str = ""
    approximate: bool = False
    digits: int = 1
    bound: str = ""
    step: Decimal = Decimal(1)
    noun: str = ""


def find_amounts(text: str) -> list[tuple[int, int, Amount]]:
    """Amounts with offsets, in reading order. The span covers number, scale word and unit, not "about" or the noun."""
    return []


def compare_amount(claimed: Amount, stored: Quantity, unit_label: Callable[[str], Sequence[str]]) -> Agreement:
    """How a claimed amount stands to a stored one.

    :param unit_label: unit IRI -> its names, label first
    """
    return Agreement.UNKNOWN
