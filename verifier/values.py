"""Dates and amounts: found in text, compared with what a graph holds."""

from __future__ import annotations

from verifier.agreement import Agreement, best
from verifier.amounts import Amount, as_year, find_amounts
from verifier.compare_amounts import compare_amount, in_unit
from verifier.compare_dates import compare_date
from verifier.dates import DateValue, find_dates

__all__ = [
    "Agreement", "Amount", "DateValue", "as_year", "best", "compare_amount", "compare_date", "find_amounts",
    "find_dates", "in_unit",
]
