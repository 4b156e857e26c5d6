"""Units that stand in the name of a property: "maximum dose in milligrams", "height (cm)", "weight_kg"."""

from __future__ import annotations

import re
from functools import lru_cache

from kgstore.verifier.values.units import readings
from kgstore.verifier.values.written import SAID

_BEHIND = re.compile(r"(?:\bin | [(\[]\s?|_)([^\W\d][\w/ ²³%°]*?)\s?[)\]]?$")
_SYMBOL = re.compile(r" (kg|km|cm|mm|mg|ml|kwh|eur|usd|gbp)$", re.IGNORECASE)


@lru_cache(maxsize=4096)
def unit_in(label: str) -> str | None:
    """The unit that all numbers of a property are in, as an IRI of ours; None where its name says none.

    >>> unit_in("maximum dose in milligrams"), unit_in("height (cm)"), unit_in("lives in"), unit_in("page(s)")
    ('unit:milligrams', 'unit:cm', None, None)
    """
    for pattern in (_BEHIND, _SYMBOL):
        found = pattern.search(label.strip())
        if found is not None and any(unit.sure for unit in readings(found[1])):
            return SAID + found[1]
    return None
