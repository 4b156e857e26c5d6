"""What a catalog holds: entities, names, properties; and how names are compared."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

STATED = ("label", "alias")
"""Kinds of names that the graph itself gives."""
_GAPS, _BLANKS = re.compile(r"[\W_]+"), re.compile(r"[\x00-\x20\x7f]+")


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the graph.

    :param index: its number in catalog and topology, 0 for the most popular one
    :param label: its name in the first language that has one, its short id where it has none
    :param types: what it is an instance of, most popular first
    :param degree: entity-valued statements (best rank) in which it is subject or object
    """

    iri: str
    index: int
    label: str
    description: str = ""
    types: tuple[str, ...] = ()
    degree: int = 0
    sitelinks: int = 0


@dataclass(frozen=True, slots=True)
class NameHit:
    """An entity that bears a name.

    :param name: as the graph writes it; of a form, as it must stand in a text
    :param kind: ``label`` or ``alias``, or a form that follows from a label, see `kgstore.short_names`
    :param prior: its share, 0 to 1, of the popularity (logarithm of sitelinks + degree) of all entities of that name;
        forms have shares of their own
    """

    iri: str
    name: str
    kind: str
    lang: str
    prior: float


@dataclass(frozen=True, slots=True)
class Property:
    """A property and how it behaves in this graph, over the values of best rank.

    :param datatype: ``entity time quantity string text coordinate url external-id media property ..``; what was
        declared, else what most values are; empty where there is neither
    :param functionality: share of its subjects that have exactly one value
    :param inverse_functionality: share of its values that have exactly one subject
    :param value_kinds: share of the statements by kind of value; ``unknown`` is Wikibase's somevalue
    :param subject_types: share of its subjects that are instances of a type, for the types of at least 2 % of them,
        after the declared ones (rdfs:domain, Wikidata's type constraint), which have 1; ``object_types`` likewise
    :param single_valued: declared so (True) or declared otherwise (False); None where nothing is said
    :param inverse: the property that says the same the other way round
    :param symmetric_share: share of its entity-valued statements that are there the other way round, too
    :param time_qualified: share of its statements (any rank) with a start, an end or a point in time
    """

    iri: str
    label: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    datatype: str = ""
    statements: int = 0
    subjects: int = 0
    objects: int = 0
    functionality: float = 0.0
    inverse_functionality: float = 0.0
    value_kinds: dict[str, float] | None = None
    subject_types: tuple[tuple[str, float], ...] = ()
    object_types: tuple[tuple[str, float], ...] = ()
    single_valued: bool | None = None
    inverse: str | None = None
    symmetric: bool | None = None
    symmetric_share: float = 0.0
    transitive: bool | None = None
    time_qualified: float = 0.0


def fold(text: str) -> str:
    """A text as names are compared: no marks, no case, every run of other signs one space.

    >>> fold("  Gabriel GARCÍA-Márquez "), fold("ＡＢＣ"), fold("東京"), fold("C++"), fold("?!")
    ('gabriel garcia marquez', 'abc', '東京', 'c', '?!')
    """
    bare = text
    if text.isascii():
        if text.replace(" ", "").isalnum():  # as most are: three times as fast
            return " ".join(text.lower().split())
    else:
        signs = unicodedata.normalize("NFKD", text)
        bare = "".join(sign for sign in signs if sign < "\x80" or unicodedata.category(sign)[0] != "M")
    return _GAPS.sub(" ", bare.casefold()).strip() or _BLANKS.sub(" ", text.casefold()).strip() or text.casefold()
