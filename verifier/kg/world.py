"""Open or closed world, for one property and one subject: does the value that a KG holds exclude another one?

Three sources, the surest first: what the graph declares (owl:FunctionalProperty, a single-value constraint), what the
relation means (`usual.toml`), and what the graph shows: the share of subjects with one value, as a lower bound, since
few subjects prove little.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kgstore.catalog import Property
from kgstore.model import Statement
from kgstore.verbalise import readable
from kgstore.verifier.english.wording import entries

FUNCTIONAL = 0.85
"""A property has one value in this graph where the share of subjects with one value is at least this."""
SURE = 1.28
"""Standard deviations below the share that was counted (one chance in ten to be further off): 10 subjects are needed
even where each of them has one value."""
ALWAYS = 0.99
"""From this share a graph has one value where its vocabulary means several to be possible: 165 subjects without one
exception."""
NEARLY_ALL = 0.9
"""The same where a text names all values that it knows of."""
_SOMETIMES = 0.6
"""Below this share a graph uses a property of one value in a way of its own, such as a town and its country both."""
_ALIKE = 0.3
"""From this share of statements that are there both ways round, a property links peers, who can have several."""
_TODAY = re.compile(r"\w+(?<![sui])s (?:to|for|in|at|with|on|under|from|within)\b")
"""How a property is named that speaks of today: "reports to", "works for"."""
_USUAL = Path(__file__).with_name("usual.toml")


@dataclass(frozen=True, slots=True)
class World:
    """Is the list of values complete, and why: ``why`` goes on after "because" or "and"."""

    closed: bool
    why: str


def of_property(item: Property) -> World:
    """Does one value of this property exclude another, in this graph?

    >>> of_property(Property("p", "place of birth", subjects=3, functionality=1.0)).closed
    True
    >>> of_property(Property("p", "supplier", subjects=3, functionality=1.0)).why
    'only 3 subjects in the KG have one, too few to tell whether there can be several (if not, --complete says so)'
    """
    if item.single_valued is not None:
        return World(item.single_valued, f"the KG declares that there {_can(item.single_valued)}")
    if item.symmetric or item.symmetric_share > _ALIKE:
        return World(False, "it goes both ways, so that one can have several")
    usual = _usual(item)
    proved = lower_bound(item.functionality, item.subjects, SURE)
    share = _share(item)
    if usual and item.functionality >= _SOMETIMES:
        return World(True, "there is only one by its meaning")
    if usual is False and proved < ALWAYS:
        return World(False, "one can have several")
    if proved >= FUNCTIONAL:
        return World(True, share)
    if item.functionality >= FUNCTIONAL:
        few = f"only {item.subjects} subject{'s' * (item.subjects != 1)} in the KG have one"
        return World(False, f"{few}, too few to tell whether there can be several (if not, --complete says so)")
    return World(False, f"only {share}")


def _share(item: Property) -> str:
    return f"{item.functionality:.0%} of the {item.subjects:,} subjects in the KG that have one have just one"


def of_values(item: Property, values: Sequence[Statement], read: bool = False) -> World:
    """The same for one subject, given the values that it has.

    :param read: of a sentence that the relation reader read, and that names none of these values
    """
    if len(values) > 1 and item.single_valued is not True:
        return World(False, f"{len(values)} are listed already, so there can be more")
    return World(True, _share(item)) if read and named_whole(item) else of_property(item)


def named_whole(item: Property) -> bool:
    """Do texts that name one value name them all, and has nearly everything in the graph just one?"""
    label, tables = readable(item.label).lower(), _tables()
    if label in tables[9]:
        return item.functionality >= FUNCTIONAL
    return label in tables[6] and lower_bound(item.functionality, item.subjects, SURE) >= NEARLY_ALL


def has_one(item: Property) -> bool:
    """Is there only one by its meaning, so that what a graph has beside it is another opinion?"""
    return _usual(item) is True


def changes(item: Property) -> bool:
    """Has it one value at a time, but hardly the same one for ever?"""
    return readable(item.label).lower() in _tables()[3]


def at_a_time(item: Property) -> bool:
    """Does one hold it after the other, so that of several that are listed one at most is the present one?"""
    return readable(item.label).lower() in _tables()[2]


def for_a_time(item: Property) -> bool:
    """Is it held for a while, as a post or a flat, so that one who once had another one is none too many?"""
    return readable(item.label).lower() in _tables()[5]


def from_year_to_year(item: Property) -> bool:
    """Is it an amount that is another one every year, and may double in a few?"""
    return readable(item.label).lower() in _tables()[4]


def over_the_years(item: Property) -> bool:
    """Is it an amount that was another one some years ago, as a population?"""
    return readable(item.label).lower() in _tables()[8]


def is_vague(item: Property) -> bool:
    """Does it say hardly more than that two things have to do with each other? Then it holds beside what says more."""
    return readable(item.label).lower() in _tables()[7]


def _can(one: bool) -> str:
    return "is only one" if one else "can be several"


def _usual(item: Property) -> bool | None:
    """One value (True) or several (False) by the relation's meaning, None where the table does not have it."""
    one, several = _tables()[:2]
    label = readable(item.label).lower()
    if label in several:
        return False
    return True if label in one else None


@lru_cache(maxsize=1)
def _tables() -> tuple[frozenset[str], ...]:
    """The names of relations: of one value, of several, of one after the other, of one that changes, of one a year, of
    one for a while, of all values that a text names, of hardly anything, of one that changes over the years."""
    with _USUAL.open("rb") as file:
        table = tomllib.load(file)
    also = {label.lower(): [name.lower() for name in entry.get("also", ())] for label, entry in entries().items()}

    def names(labels: list[str]) -> frozenset[str]:
        return frozenset(name.lower() for label in labels for name in (label, *also.get(label.lower(), ())))

    keys = "one several in_turn changing from_year_to_year for_a_time named_whole vague over_the_years named_alone"
    return tuple(names(table[key]) for key in keys.split())


def lower_bound(share: float, trials: int, z: float = 1.0) -> float:
    """Wilson's lower bound of a share seen in some trials (E. B. Wilson 1927), 0 to 1.

    >>> round(lower_bound(1.0, 10), 3), round(lower_bound(0.9, 1000), 3)
    (0.909, 0.89)
    """
    if trials <= 0:
        return 0.0
    spread = z * z / trials
    centre = share + spread / 2
    margin = z * ((share * (1 - share) + spread / 4) / trials) ** 0.5
    return (centre - margin) / (1 + spread)


def named_for_today(item: Property) -> bool:
    """Does the name of a property speak of today, as "reports to" and "works for" do?"""
    return _TODAY.match(readable(item.label).lower()) is not None
