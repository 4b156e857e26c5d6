"""Tiers for claims whose tail is a date, an amount or a string."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import partial

from kgstore.catalog import Property, fold
from kgstore.model import Literal, NamedNode, Quantity, Special, Statement, Time, Value
from kgstore.verbalise import listed, value_text
from kgstore.verifier.claims import Candidate
from kgstore.verifier.decide.complete import WHY
from kgstore.verifier.decide.outcome import Outcome, contradicts, supports, undecided
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.decide.when import span_of, year_of
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.label_units import unit_in
from kgstore.verifier.kg.world import from_year_to_year, has_one, over_the_years
from kgstore.verifier.values import Agreement, Amount, DateValue, compare_amount, compare_date
from kgstore.verifier.values.compare_amounts import in_unit
from kgstore.verifier.values.written import SAID, worded, written

_STEADY = 0.9
"""A property changes with time of which a smaller share of the subjects has one amount alone."""
_NEAR = Decimal("0.03")
"""Two measurements of one thing may differ by this share."""
_DRIFT = Decimal("1.25")
"""So much may an amount with a date have grown or shrunk until the time that a text speaks of, which need not say."""
_FAR = Decimal(2)
"""The same for amounts that differ from year to year, such as money, where the text has a round one."""
_SLOWLY = Decimal("1.4")
"""The same for what is counted anew now and then, such as inhabitants."""
_ROUND = 3
"""Digits of a round amount; who writes more of them copies a certain figure."""


def decide_literal(
    know: Knowledge,
    item: Property,
    head: Candidate,
    text: str,
    value: DateValue | Amount | None,
    first: bool = False,
    undated: bool = True,
) -> Outcome:
    """What the KG says about head -property-> value.

    :param text: the tail as written, for codes and names that are no entity
    :param first: the text speaks of the first time ("premiered"), so that a later date is no further one
    :param undated: the text does not say when it was so
    """
    held = know.values(head.iri, item)
    label = item.label
    if know.none(held):
        return contradicts(Tier.NO_VALUE, know.none(held), f"the KG states that {head.label} has no {label}")
    if any(one.value is Special.SOME for one in held):
        return undecided(Tier.OPEN, held, f"the KG knows that {head.label} has a {label}, but not which")
    judged = [(one, compare(know, one, text, value, unit_in(label))) for one in held]
    by = {agreement: [one for one, found in judged if found is agreement] for agreement in Agreement}
    tier = Tier.DATE if isinstance(value, DateValue) else Tier.NUMBER if isinstance(value, Amount) else Tier.STRING
    if by[Agreement.SAME]:
        return supports(tier, by[Agreement.SAME], f"the KG holds the same {label} of {head.label}")
    if by[Agreement.COARSER]:
        return supports(tier, by[Agreement.COARSER], f"the KG's {label} of {head.label} is more exact and agrees")
    if not held:
        return undecided(Tier.OPEN, [], f"the KG has no {label} for {head.label}")
    if by[Agreement.FINER]:
        reason = f"the text is more exact than the KG's {label} of {head.label}"
        return undecided(tier.finer, by[Agreement.FINER], reason)
    other = by[Agreement.DIFFERENT]
    more = not know.mostly_single(item) or _apart(other) and not has_one(item)
    further = isinstance(value, DateValue) and more and not _before_all(value, other)
    declared = item.iri in know.complete and not any(map(know.ended, held))
    if other and further and not first and not declared:
        years = " and ".join(value_text(one.value, know.store.label) for one in other[:3])
        reason = f"the KG gives {years} as {label} of {head.label}, and there can be another one"
        return undecided(Tier.SEVERAL_VALUES, held, reason)
    if isinstance(value, Amount) and _measured_alike(value, _amounts(know, value, other)):
        return undecided(Tier.SEVERAL_VALUES, held, f"the KG's {label} of {head.label} is nearly the same")
    if undated and isinstance(value, Amount) and (known := _between_times(know, item, value, other)):
        reason = f"{label} of {head.label} changes with time: the KG has {known}"
        return undecided(Tier.SEVERAL_VALUES, held, reason)
    if other and len(other) == len(held) and (value is not None or know.single(item) or declared):
        names = ", ".join(value_text(one.value, know.store.label) for one in other[:3])
        if further and not first or value is None and not know.single(item):
            names = listed(value_text(one.value, know.store.label) for one in other)
            reason = f"under “{label}” the KG lists {names} for {head.label} and not {text}, and {WHY}"
            return contradicts(Tier.COMPLETE, other, reason)
        return contradicts(tier, other, f"{label} of {head.label} is {names}")
    return undecided(Tier.SEVERAL_VALUES, held, f"the KG's values for {label} cannot be compared with this one")


def _amounts(know: Knowledge, value: Amount, held: list[Statement]) -> dict[Decimal, str]:
    """Stored amounts above 0 in the unit of the claimed one, and how they are written."""
    found = {}
    for one in held:
        if isinstance(stored := spoken(one), Quantity):
            amount = in_unit(stored, value.unit, partial(_unit_names, know)) if value.unit else stored.amount
            if amount is not None and amount > 0:
                found[amount] = value_text(one.value, know.store.label)
    return found


def _measured_alike(value: Amount, amounts: Iterable[Decimal]) -> bool:
    """Is it a measurement, and so near to a stored one that both may be right? Things that are counted are exact."""
    return bool(value.unit) and any(abs(value.value - one) <= _NEAR * one for one in amounts)


def _between_times(know: Knowledge, item: Property, value: Amount, held: list[Statement]) -> str:
    """What an amount that changes with time was at its least and its most, where the claimed one may have been right at
    another time: no more than `_DRIFT` beyond either, `_SLOWLY` or `_FAR`; else nothing.
    """
    round_ = len(value.value.normalize().as_tuple().digits) <= _ROUND
    amounts = _amounts(know, value, held)
    varies = len(amounts) > 1 or item.functionality < _STEADY or any(span_of(know, one).known for one in held)
    most = _DRIFT if varies else Decimal(0)
    if round_:
        most = _FAR if from_year_to_year(item) else _SLOWLY if over_the_years(item) else most
    if not amounts or not most or not min(amounts) / most <= value.value <= max(amounts) * most:
        return ""
    return " to ".join(dict.fromkeys((amounts[min(amounts)], amounts[max(amounts)])))


def _before_all(value: DateValue, held: list[Statement]) -> bool:
    """ "Released in 2019" may be another release, but nothing is released before it is first released."""
    years = [year_of(one.value) for one in held if isinstance(one.value, Time)]
    return all((value.last_year or value.year) <= year for year in years)


def _apart(held: list[Statement]) -> bool:
    """Are these dates of several years, such as those of a state that was founded anew?"""
    years = [year_of(one.value) for one in held if isinstance(one.value, Time)]
    return bool(years) and max(years) - min(years) > 1


def compare(
    know: Knowledge, statement: Statement, text: str, value: DateValue | Amount | None, unit: str | None = None
) -> Agreement:
    """How a claim's value goes with a stored one.

    :param text: the value as written
    :param unit: of stored numbers that have none of their own, where the text names one
    """
    stored = spoken(statement)
    if isinstance(statement.value, Literal) and fold(statement.value.value) == fold(text):
        return Agreement.SAME
    if isinstance(stored, Quantity) and stored.unit is None and isinstance(value, Amount) and value.unit:
        stored = replace(stored, unit=unit)
    if isinstance(value, DateValue) and isinstance(stored, Time):
        return compare_date(value, stored)
    if isinstance(value, Amount) and isinstance(stored, Quantity):
        return compare_amount(value, stored, partial(_unit_names, know))
    if isinstance(stored, Literal):
        return _same_text(text, stored, value)
    if isinstance(stored, Quantity) and value is None:
        return _same_number(text, stored.amount)
    if isinstance(stored, NamedNode) and value is None and fold(know.store.label(stored.value)) == fold(text):
        return Agreement.SAME
    return Agreement.UNKNOWN


def spoken(statement: Statement) -> Value:
    """A statement's value; of a string the amount or the date that it is."""
    stored = statement.value
    return (written(stored.value) or stored) if isinstance(stored, Literal) else stored


def _same_text(text: str, stored: Literal, value: DateValue | Amount | None) -> Agreement:
    if fold(stored.value) == fold(text) or value is None and worded(stored.value).fullmatch(text):
        return Agreement.SAME
    if isinstance(value, Amount):
        return _same_number(stored.value, value.value)
    ours, theirs = f" {fold(text)} ", f" {fold(stored.value)} "
    part = ours in theirs or theirs in ours  # "CH" of "CH/1"
    return Agreement.UNKNOWN if value is not None or part else Agreement.DIFFERENT


def _same_number(text: str, amount: Decimal) -> Agreement:
    try:
        return Agreement.SAME if Decimal(text.replace(",", "").strip()) == amount else Agreement.DIFFERENT
    except InvalidOperation:
        return Agreement.UNKNOWN if not fold(text).isdigit() else Agreement.DIFFERENT


def _unit_names(know: Knowledge, unit: str) -> list[str]:
    return [unit.removeprefix(SAID)] if unit.startswith(SAID) else know.names(unit)
