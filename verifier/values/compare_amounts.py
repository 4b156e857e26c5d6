"""How a claimed amount stands to a stored quantity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from functools import lru_cache

from kgstore.model import Quantity
from kgstore.verifier.english.words import words
from kgstore.verifier.values.agreement import Agreement, best
from kgstore.verifier.values.amounts import Amount, significant
from kgstore.verifier.values.units import COUNTING, Unit, factors, fold, readings

Names = Callable[[str], Sequence[str]]
"""Unit IRI -> its names, label first."""

_AGE_OR_SHARE = frozenset(("time", "ratio"))
_PHYSICAL = words("units.physical")
_CLOSE = Decimal("1.03").log10()


def compare_amount(claimed: Amount, stored: Quantity, unit_label: Names) -> Agreement:
    """How a claimed amount stands to a stored one, after conversion into the claim's unit.

    Equal means: equal after rounding to the last place that was written. 560,000 for a stored 563,803 is COARSER, and
    SAME when the text says "about". About also forgives 2 %, and leaves up to 10 % undecided. A number that fits only
    as far as the stored one is rounded is FINER. Units that cannot be compared leave the claim undecided, and so does
    one that is missing, unless the numbers are the same, or no unit that the stored one may be in makes them so.

    :param unit_label: unit IRI -> its names, label first

    >>> metre = Quantity(Decimal("27"), "http://www.wikidata.org/entity/Q11573")
    >>> compare_amount(Amount(Decimal("88.6"), "foot", digits=3, step=Decimal("0.1")), metre, lambda unit: ["metre"])
    <Agreement.SAME: 'same'>
    """
    names = tuple(unit_label(stored.unit)) if stored.unit else ()
    plain = _numbers(claimed, stored, None, None)
    targets = _units(names)
    if not claimed.unit:
        return _without_unit(claimed, stored, names, targets, plain)
    if not stored.unit:
        return _in_some_unit(claimed, stored, plain)
    if not targets:
        return plain if _named(claimed.unit, names) else Agreement.UNKNOWN
    pairs = [(unit, target) for unit in readings(claimed.unit) for target in targets
             if unit.dimension == target.dimension]
    certain = any(unit.sure and target.sure for unit, target in pairs)
    results = []
    for unit, target in pairs:
        result = _numbers(claimed, stored, unit, target)
        sure = unit.sure and target.sure
        if sure or result in (Agreement.SAME, Agreement.COARSER):
            results.append(result)
        elif not certain:                                               # "degrees" may be Celsius: accuses nobody
            results.append(Agreement.UNKNOWN if result is Agreement.DIFFERENT else result)
    return best(results)


def in_unit(stored: Quantity, unit: str, unit_label: Names) -> Decimal | None:
    """A stored amount in another unit, None where that cannot be said: to correct a text in its own words."""
    targets = _units(tuple(unit_label(stored.unit))) if stored.unit else ()
    for wanted in readings(unit):
        for target in targets:
            if wanted.sure and wanted.dimension == target.dimension:
                return _convert(stored.amount, target, wanted)
    return None


def in_base_unit(stored: Quantity, unit_label: Names) -> tuple[str, Decimal] | None:
    """Dimension and amount in its base unit, None for an unknown unit; things that are counted have the dimension "".

    >>> in_base_unit(Quantity(Decimal(2), "km"), lambda unit: ["kilometre"])
    ('length', Decimal('2000'))
    """
    names = tuple(unit_label(stored.unit)) if stored.unit else ()
    if not stored.unit or fold(names[0] if names else "") in COUNTING:
        return "", stored.amount
    for unit in _units(names)[:1]:
        return unit.dimension, stored.amount * unit.factor + unit.offset
    return None


def _without_unit(claimed: Amount, stored: Quantity, names: tuple[str, ...], targets: tuple[Unit, ...],
                  plain: Agreement) -> Agreement:
    """A bare number is read in the stored unit; a noun has to be a count, or the stored unit's name."""
    if not stored.unit or fold(names[0] if names else "") in COUNTING:
        return plain
    if claimed.noun and not _named(claimed.noun, names):
        begins = any(fold(name).startswith(f"{fold(claimed.noun)} ") for name in names)  # "inhabitants per square mile"
        return _alone(claimed, plain) if begins else Agreement.UNKNOWN
    if claimed.noun:
        return plain
    clear = bool(targets) and targets[0].dimension in _AGE_OR_SHARE
    return plain if clear or plain is not Agreement.DIFFERENT else Agreement.UNKNOWN


def _alone(claimed: Amount, plain: Agreement) -> Agreement:
    """How numbers stand to each other of which one has a unit: the same one is hardly chance, another says nothing."""
    same = plain in (Agreement.SAME, Agreement.COARSER) and not claimed.bound
    return plain if same else Agreement.UNKNOWN


def _in_some_unit(claimed: Amount, stored: Quantity, plain: Agreement) -> Agreement:
    """How a measurement stands to a bare number: another one only where no unit of its dimension, and no power of ten,
    brings the two within 3 %. Money is in whatever currency.

    >>> tall = Amount(Decimal("1.75"), "m", digits=3, step=Decimal("0.01"))
    >>> [_in_some_unit(tall, Quantity(Decimal(n)), Agreement.DIFFERENT).value for n in ("5.74", "175", "2.27")]
    ['unknown', 'unknown', 'different']
    """
    found, units = _alone(claimed, plain), readings(claimed.unit)
    vague = claimed.bound or claimed.approximate or min(claimed.value, stored.amount) <= 0
    if found is not Agreement.UNKNOWN or vague or not units or {one.dimension for one in units} - _PHYSICAL:
        return found
    ratios = (
        one.factor * claimed.value / other / stored.amount for one in units for other in factors(one.dimension)
    )
    logs = (one.log10() for one in ratios)  # of any size, which no float is
    return found if any(abs(one - one.to_integral_value()) < _CLOSE for one in logs) else Agreement.DIFFERENT


def _named(text: str, names: Sequence[str]) -> bool:
    return fold(text) in {fold(name) for name in names}


@lru_cache(maxsize=4096)
def _units(names: tuple[str, ...]) -> tuple[Unit, ...]:
    """What a stored unit is: the readings of its label, or of the first alias that is known."""
    return next((found for name in names if (found := readings(name))), ())


def _convert(value: Decimal, source: Unit, target: Unit) -> Decimal:
    if source == target:
        return value
    with localcontext() as context:
        context.prec = 50
        return (value * source.factor + source.offset - target.offset) / target.factor


def _numbers(claimed: Amount, stored: Quantity, unit: Unit | None, target: Unit | None) -> Agreement:
    converted = unit is not None and target is not None and (unit.factor, unit.offset) != (target.factor, target.offset)

    def value_of(number: Decimal) -> Decimal:
        return _convert(number, target, unit) if converted and unit and target else number

    claim, value = claimed.value, value_of(stored.amount)
    gap, size = abs(claim - value), max(abs(claim), abs(value))
    place = Decimal(1).scaleb(min(int(stored.amount.as_tuple().exponent), 0))
    place = abs(value_of(stored.amount + place) - value)
    if claimed.bound:
        return _bounded(claimed, value, gap)
    if gap <= claimed.step / 2 + size * Decimal("1E-12"):
        return Agreement.SAME
    if stored.lower is not None and stored.upper is not None \
            and value_of(stored.lower) <= claim <= value_of(stored.upper):
        return Agreement.SAME
    if gap <= _round_step(claimed) / 2:
        if claimed.approximate or claimed.step > 1:
            return Agreement.SAME
        if abs(claim) >= 1000 or converted:
            return Agreement.COARSER
        if abs(claim) >= 100:
            return Agreement.UNKNOWN
    if claimed.approximate and gap <= abs(claim) * Decimal("0.02"):
        return Agreement.SAME
    if converted and gap <= place / 2:
        return Agreement.SAME if place / 2 <= size * Decimal("0.025") else Agreement.UNKNOWN
    if not converted and _finer(claimed, stored, gap, place):
        return Agreement.FINER
    if claimed.approximate and gap <= max(abs(claim) / 10, claimed.step if abs(claim) < 100 else Decimal(0)):
        return Agreement.UNKNOWN
    truncated = place < claimed.step and gap < claimed.step and abs(claim) < abs(value)
    slack = converted and gap <= size / 100
    return Agreement.UNKNOWN if truncated or slack else Agreement.DIFFERENT


def _round_step(amount: Amount) -> Decimal:
    """One unit in the last significant place, at least two being meant: 1,000 for 30,000 and 10,000 for 540,000."""
    if not amount.value:
        return amount.step
    return max(amount.step, Decimal(1).scaleb(amount.value.adjusted() - max(2, amount.digits) + 1))


def _finer(claimed: Amount, stored: Quantity, gap: Decimal, place: Decimal) -> bool:
    """Does the claim give digits that the stored number has rounded away?"""
    if claimed.step < place and gap <= place / 2:
        return bool(stored.amount)
    digits = significant(stored.amount, place)
    if abs(stored.amount) < 1000 or stored.amount != stored.amount.to_integral_value() or claimed.digits <= digits:
        return False
    return gap <= Decimal(1).scaleb(stored.amount.adjusted() - max(2, digits) + 1) / 2


def _bounded(claimed: Amount, value: Decimal, gap: Decimal) -> Agreement:
    if claimed.bound.startswith("at") and gap <= claimed.step / 2:
        return Agreement.SAME
    above = value > claimed.value
    if gap and above == (claimed.bound in ("at least", "more than")):
        return Agreement.UNKNOWN if claimed.approximate and gap > abs(claimed.value) / 10 else Agreement.COARSER
    near = max(_round_step(claimed) / 2, abs(claimed.value) / (20 if claimed.approximate else 50))
    close = not gap or gap <= near and abs(claimed.value) >= 100
    return Agreement.UNKNOWN if close else Agreement.DIFFERENT
