"""How a value that a text claims stands to a value that the graph holds."""

from __future__ import annotations

from enum import StrEnum


class Agreement(StrEnum):
    """Ordered from the best news for a claim to the worst; `best` relies on that order.

    SAME and COARSER support a claim, DIFFERENT speaks against it, FINER and UNKNOWN decide nothing.
    """

    SAME = "same"
    COARSER = "coarser"        # the claim says less than the graph, and the graph fits it
    FINER = "finer"            # the claim says more than the graph, and fits it
    UNKNOWN = "unknown"        # cannot be compared: units, or too close to call
    DIFFERENT = "different"


_ORDER = list(Agreement)


def best(agreements: list[Agreement]) -> Agreement:
    """The most favourable reading; a claim is only wrong when every reading of it is.

    >>> best([Agreement.DIFFERENT, Agreement.COARSER])
    <Agreement.COARSER: 'coarser'>
    """
    return min(agreements, key=_ORDER.index, default=Agreement.UNKNOWN)
