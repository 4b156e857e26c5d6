"""Dates, amounts and units: found in text, compared with what a graph holds, written as a text writes them."""

from __future__ import annotations

from kgstore.verifier.values.agreement import Agreement, best
from kgstore.verifier.values.amounts import Amount, as_year, find_amounts
from kgstore.verifier.values.compare_amounts import compare_amount, in_unit
from kgstore.verifier.values.compare_dates import compare_date
from kgstore.verifier.values.dates import DateValue, find_dates

__all__ = [
    "Agreement", "Amount", "DateValue", "as_year", "best", "compare_amount", "compare_date", "find_amounts",
    "find_dates", "in_unit",
]
