"""What a line about a statement adds to its three parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgstore.model import Rank, Statement
from kgstore.verbalise import value_text

if TYPE_CHECKING:
    from kgstore.opening import KG


def remarks(statement: Statement, store: KG) -> str:
    """Rank (unless normal) and qualifiers on one line; empty where there is nothing to say."""
    rank = [] if statement.rank is Rank.NORMAL else [statement.rank.value]
    said = [f"{store.label(prop.value)}: {value_text(value, store.label)}" for prop, value in statement.qualifiers]
    return "; ".join(rank + said)
