"""Names of units and what they are worth in SI: enough to compare amounts, never to convert currencies.

A name may have several readings ("pound", "degree", "$"). A reading that is only possible, not usual, is not ``sure``.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from kgstore.verifier.english.words import entry


@dataclass(frozen=True, slots=True)
class Unit:
    """``value * factor + offset`` is the value in the base unit of the dimension; a currency is its own dimension."""

    name: str
    dimension: str
    factor: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)
    sure: bool = True


COUNTING = frozenset(entry("units.counting"))
"""Stored "units" that only say what is counted."""

_IRREGULAR: dict[str, str] = entry("units.plurals")
_KEEP = ("ss", "us", "is")


def singular(word: str) -> str:
    """``word`` without its plural ending, by rule of thumb; case is kept.

    >>> [singular(word) for word in ("metres", "feet", "inches", "countries", "Celsius", "glass")]
    ['metre', 'foot', 'inch', 'country', 'Celsius', 'glass']
    """
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if len(low) < 4 or not low.endswith("s") or low.endswith(_KEEP):
        return word
    if low.endswith("ies") and len(low) > 5:
        return word[:-3] + "y"
    return word[:-2] if low.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def fold(name: str) -> str:
    """A unit's name for comparison: no case, no plural, single spaces."""
    return " ".join(singular(word) for word in re.findall(r"[^\W_]+|[^\w\s.-]+", name.casefold()))


def _symbol(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.replace("µ", "μ").replace("²", "2").replace("³", "3"))
    return text.translate({ord(char): None for char in " ^.·"})


def readings(name: str) -> tuple[Unit, ...]:
    """What a unit's name or symbol may mean; empty when it is not known.

    >>> [(unit.name, unit.sure) for unit in readings("pounds")]
    [('pound', True), ('GBP', True)]
    """
    names, symbols, loose = _tables()
    symbol = _symbol(name)
    found = names.get(fold(name), ()) or symbols.get(symbol, ())
    return tuple(found or (loose.get(symbol.casefold(), ()) if len(symbol) > 1 else ()))


@cache
def factors(dimension: str) -> frozenset[Decimal]:
    """What the units of a dimension are worth in its base unit.

    >>> Decimal("0.3048") in factors("length")
    True
    """
    names, symbols, _ = _tables()
    every = (unit for table in (names, symbols) for units in table.values() for unit in units)
    return frozenset(unit.factor for unit in every if unit.dimension == dimension)


Table = dict[str, list[Unit]]


@cache
def _tables() -> tuple[Table, Table, Table]:
    """Names, symbols, and symbols without case where that changes nothing."""
    names: Table = {}
    symbols: Table = {}

    def put(table: Table, key: str, unit: Unit) -> None:
        if unit not in (known := table.setdefault(key, [])):
            known.append(unit)

    for unit, words, signs in (*_plain(), *_metric(), *_temperatures(), *_currencies()):
        for word in words:
            put(names, fold(word.lstrip("~")), replace(unit, sure=unit.sure and not word.startswith("~")))
        for sign in signs:
            put(symbols, _symbol(sign.lstrip("~")), replace(unit, sure=unit.sure and not sign.startswith("~")))
    for table in (names, symbols):                                      # an area and a volume for every length
        for key, units in list(table.items()):
            for unit in units:
                if unit.dimension == "length" and unit.name.lower() not in ("light year", "parsec"):
                    for power, word, short, dimension in ((2, "square", "sq", "area"), (3, "cubic", "cu", "volume")):
                        factor = unit.factor ** power * (1000 if power == 3 else 1)
                        raised = Unit(f"{word} {unit.name}", dimension, factor)
                        if table is names:
                            put(names, f"{word} {key}", raised)
                            put(names, f"{short} {key}", raised)
                        else:
                            put(symbols, f"{key}{power}", raised)
                            put(symbols, f"{short}{key}", raised)
                            put(names, f"{word} {key.casefold()}", raised)
    loose: Table = {}
    for key, units in symbols.items():
        loose.setdefault(key.casefold(), []).extend(units)
    return names, symbols, {key: units for key, units in loose.items() if len({unit.name for unit in units}) == 1}


Row = tuple[Unit, list[str], list[str]]


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("units.toml").read_text(encoding="utf-8"))


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in _file()[table].strip().splitlines()]


def _plain() -> list[Row]:
    rows: list[Row] = []
    for head, words, signs in _rows("units"):
        dimension, factor = head.split()
        spelled = [word.strip() for word in words.split(",")]
        rows.append((Unit(spelled[0].lstrip("~"), dimension, Decimal(factor)), spelled, signs.split()))
    return rows


def _metric() -> list[Row]:
    rows: list[Row] = []
    for words, signs, dimension, factor, prefixes in _rows("metric"):
        spelled = [word.replace("-", " ") for word in words.split()]
        rows.append((Unit(spelled[0], dimension, Decimal(factor)), spelled, signs.split()))
        for sign in prefixes.split():
            prefix, power = _file()["prefixes"][sign]
            unit = Unit(prefix + spelled[0], dimension, Decimal(factor).scaleb(power))
            more = ["kilo"] if unit.name == "kilogram" else []
            rows.append((unit, [prefix + word for word in spelled] + more, [sign + one for one in signs.split()[:2]]))
    return rows


def _temperatures() -> list[Row]:
    fifth, zero = Decimal(5) / 9, Decimal("273.15")
    fahrenheit = Unit("degree Fahrenheit", "temperature", fifth, Decimal("459.67") * fifth)
    return [
        (Unit("kelvin", "temperature"), ["kelvin", "kelvin degree"], ["K"]),
        (Unit("degree Celsius", "temperature", offset=zero),
         ["degree celsius", "celsius", "degree centigrade", "centigrade", "~degree"], ["°C", "~°"]),
        (fahrenheit, ["degree fahrenheit", "fahrenheit", "~degree"], ["°F", "~°"]),
    ]


def _currencies() -> list[Row]:
    rows: list[Row] = []
    taken: set[str] = set()
    for code, own, shared in _rows("currencies"):
        every = [name.strip() for name in own.split(",")]
        for name in (name.strip() for name in shared.split(",") if name.strip()):
            every.append(("~" if name in taken or name.startswith("?") else "") + name.lstrip("?"))
            taken.add(name)
        rows.append((Unit(code, f"currency {code}"), every, every))
    return rows
