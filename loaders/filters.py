"""Which part of a source to keep."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from kgstore.errors import InputError

_ID = re.compile(r"(?:.*[:/#])?([QP][1-9]\d*)")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,12})*")


@dataclass(frozen=True, slots=True)
class Filters:
    """What to keep of a Wikidata dump; other sources know only ``limit``. None and 0 filter nothing.

    Property documents are always kept whole, because the meaning of every statement hangs on them.

    >>> Filters(properties={"wdt:P19", "P20"}).properties == {"P19", "P20"}
    True

    :param languages: of labels, aliases and descriptions; ``mul`` (Wikidata's "all languages") always comes along, and
        an entity with no label in any of them keeps one label in another language, so that it has a name
    :param statements: ``full``, or ``truthy``: best-rank statements only, no qualifiers, no references
    :param properties: keep statements of these properties only
    :param types: keep items that are an instance (P31, not deprecated) of one of these; subclasses must be listed
    :param entities: keep these items only
    :param limit: stop after so many entities (Wikidata), triples (RDF) or rows (tables)
    :raises InputError: if a value makes no sense
    """

    languages: tuple[str, ...] = ("en",)
    statements: str = "full"
    properties: frozenset[str] | None = None
    types: frozenset[str] | None = None
    entities: frozenset[str] | None = None
    min_sitelinks: int = 0
    limit: int | None = None

    def __post_init__(self) -> None:
        languages = (self.languages,) if isinstance(self.languages, str) else tuple(self.languages)
        for language in languages:
            if not _LANGUAGE.fullmatch(language):
                raise InputError(f"{language!r} is no language code", "give codes such as en or pt-br")
        object.__setattr__(self, "languages", languages)
        if self.statements not in ("truthy", "full"):
            raise InputError(f"statements {self.statements!r} is unknown", "choose truthy or full")
        for name, letter in (("properties", "P"), ("types", "Q"), ("entities", "Q")):
            object.__setattr__(self, name, _ids(getattr(self, name), letter, name))
        if self.min_sitelinks < 0:
            raise InputError("the least number of sitelinks is negative", "give 0 or more")
        if self.limit is not None and self.limit < 1:
            raise InputError("the limit is less than 1", "give a positive number, or none")

    def chosen(self) -> list[str]:
        """Names of the fields that differ from their default, ``languages`` apart."""
        return [one.name for one in fields(self) if one.name != "languages" and getattr(self, one.name) != one.default]


def read_ids(path: Path) -> list[str]:
    """Ids from a text file: one a line, anything after it on the line and lines that start with # are ignored.

    :raises InputError: if the file cannot be read
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = f"the list of entities {path} cannot be read ({error})"
        raise InputError(why, "name a text file with one id a line") from None
    return [line.split()[0].rstrip(",") for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _ids(given: Iterable[str] | None, letter: str, name: str) -> frozenset[str] | None:
    if given is None:
        return None
    found = set()
    for text in (given,) if isinstance(given, str) else given:
        match = _ID.fullmatch(text.strip().strip("<>"))
        if match is None or not match[1].startswith(letter):
            example = "P19" if letter == "P" else "Q42"
            raise InputError(f"{text!r} in the filter {name} is no id", f"give ids such as {example}")
        found.add(match[1])
    return frozenset(found)
