"""Dates, amounts and units: found in text, compared with what a graph holds, written as a text writes them."""
