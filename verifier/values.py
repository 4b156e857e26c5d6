"""Dates and amounts: found in text, compared with what a graph holds."""

from __future__ import annotations

from verifier.agreement import Agreement, best
from verifier.amounts import Amount, compare_amount, find_amounts
from verifier.dates import DateValue, compare_date, find_dates

__all__ = ["Agreement", "Amount", "DateValue", "best", "compare_amount", "compare_date", "find_amounts", "find_dates"]
