"""Which entities the cells of tables name: found in a first reading, in other tables, and in the KG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kgstore.loaders.headers import NAMES, OBJECT, PREDICATE, Layout, is_kgtk, layout_of
from kgstore.loaders.protocol import Skipped
from kgstore.loaders.rows import rows
from kgstore.loaders.sources import MOST_RATIO, Source
from kgstore.prefixes import WELL_KNOWN

WIKIDATA = re.compile(r"(?:wdt?:)?([QP][1-9]\d*)", re.ASCII)
_LABELS = (*NAMES, "rdfs:label", WELL_KNOWN["rdfs"] + "label")
_SAYS = frozenset((*_LABELS, "description", "type", "alias", "aliases"))


class Known(Protocol):
    """What a KG knows already."""

    def entity(self, name: str) -> str | None:
        """The IRI of the one entity with this label; None if there is none, or several."""

    def otherwise(self, iri: str, label: str, language: str) -> bool:
        """Has this entity labels, but not this one?"""


@dataclass(slots=True)
class Names:
    """What the first reading of a table found.

    :ivar by_name: name -> subject; None where two rows bear it
    :ivar labelled: subjects that have a name besides their id
    :ivar wikidata: whether all subjects and properties are Wikidata ids
    """

    subjects: set[str] = field(default_factory=set)
    by_name: dict[str, str | None] = field(default_factory=dict)
    labelled: set[str] = field(default_factory=set)
    wikidata: bool = True

    def add(self, subject: str) -> None:
        self.subjects.add(subject)
        self.wikidata = self.wikidata and WIKIDATA.fullmatch(subject) is not None

    def call(self, subject: str, name: str) -> None:
        self.labelled.add(subject)
        known = self.by_name.setdefault(name, subject)
        if known != subject:
            self.by_name[name] = None

    def subject(self, text: str) -> str | None:
        """The subject that a cell names by its id or its name, if it is no number."""
        if is_number(text):
            return None
        return text if text in self.subjects else self.by_name.get(text)


def is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).replace(",", "").isdecimal()


def names_of(path: Path | str, separator: str | None = None, ratio: int = MOST_RATIO) -> Names:
    """
    :param ratio: see `Source`
    :raises LoadError: if the file cannot be read, or has no header
    """
    names = Names()
    with Source(path, ratio) as source:
        table = (item for item in rows(source, separator) if not isinstance(item, Skipped))
        header = next(table)[1]
        if is_kgtk(header):
            return Names(wikidata=False)
        layout = layout_of(header)
        space = layout.spaces.get("subject", "")
        for _, cells in table:
            if subject := cells[layout.subject]:
                _note(names, layout, f"{space}/{subject}" if space else subject, cells)
    return names


def _note(names: Names, layout: Layout, subject: str, cells: list[str]) -> None:
    names.add(subject)
    if not layout.roles:
        if layout.label is not None and cells[layout.label]:
            names.call(subject, cells[layout.label])
        return
    predicate = cells[layout.roles[PREDICATE]]
    if predicate.casefold() in _LABELS:
        names.call(subject, cells[layout.roles[OBJECT]])
    elif WIKIDATA.fullmatch(predicate) is None and predicate.casefold() not in _SAYS:
        names.wikidata = False


def subject_among(tables: Sequence[Names], text: str) -> str | None:
    """The subject that a cell names in other tables of the same load, if they agree on it."""
    found = {subject for names in tables if (subject := names.subject(text)) is not None}
    return found.pop() if len(found) == 1 else None
