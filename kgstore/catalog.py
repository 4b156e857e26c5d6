"""What a KG knows by which name: entities, names and properties, with the counts that the verifier reasons from.

Everything here follows from the graph and can be built anew (`kgstore.catalog_build`). What every run asks for lies
in memory-mapped files, in the folder ``catalog`` beside ``catalog.duckdb``; the database itself is opened for searches
only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

import orjson

from kgstore.catalog_entries import STATED, Entity, NameHit, Property, fold
from kgstore.errors import IndexMissing
from kgstore.lines import Lines
from kgstore.prefixes import compact

if TYPE_CHECKING:
    from kgstore.duck import Connection

MOST_HITS = 50
"""At most so many entities of one name; the most popular ones."""
_CACHED = 50_000


class Catalog:
    """A finished catalog, for reading.

    :raises IndexMissing: if there is none at this path
    """

    def __init__(self, path: Path) -> None:
        self.path, self.folder = Path(path), Path(path).with_suffix("")
        try:
            self._entities = Lines(self.folder / "entities.txt")
            self._names = Lines(self.folder / "names.txt")
        except FileNotFoundError:
            raise IndexMissing(self.path.parent, "catalog") from None
        self._known: dict[str, tuple[Entity, tuple[str, ...]] | None] = {}
        self._above: dict[tuple[str, int], dict[str, int]] = {}
        self._properties: dict[str, Property] | None = None
        self._database: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """Number of entities."""
        return len(self._entities)

    def close(self) -> None:
        """Let go of the files. Twice is harmless."""
        self._entities.close()
        self._names.close()
        if self._database is not None:
            self._database.close()
            self._database = None

    # -- entities ---------------------------------------------------------------------------------

    def entity(self, iri: str) -> Entity | None:
        return self.entities((iri,)).get(iri)

    def entities(self, iris: Iterable[str]) -> dict[str, Entity]:
        """Those of the IRIs that the graph has an entity for."""
        wanted = list(dict.fromkeys(iris))
        return {iri: entry[0] for iri, entry in zip(wanted, self._entries(wanted), strict=True) if entry is not None}

    def at(self, index: int) -> Entity:
        """The entity with this number, 0 or more and less than the catalog's length."""
        return _entry(index, self._entities[index])[0]

    def instance_types(self, iri: str) -> tuple[str, ...]:
        """What an entity is an instance of, as far as the graph says so itself."""
        entity = self.entity(iri)
        return entity.types if entity else ()

    def supertypes(self, iri: str, depth: int = 8) -> dict[str, int]:
        """A class and all classes above it, with the least number of subclass steps to each; 0 for the class itself."""
        if (iri, depth) not in self._above:
            if len(self._above) > _CACHED:
                self._above.clear()
            above, level = {iri: 0}, [iri]
            for distance in range(1, depth + 1):
                parents = chain.from_iterable(entry[1] for entry in self._entries(level) if entry)
                level = [parent for parent in dict.fromkeys(parents) if parent not in above]
                above.update(dict.fromkeys(level, distance))
            self._above[iri, depth] = above
        return self._above[iri, depth]

    def _entries(self, iris: list[str]) -> list[tuple[Entity, tuple[str, ...]] | None]:
        known = self._known
        if len(known) > _CACHED:
            known = self._known = {}
        if new := [iri for iri in iris if iri not in known]:
            known.update(dict.fromkeys(new))
            for iri, row, fields in self._entities.find(new):
                known[iri] = _entry(row, fields)
        return [known[iri] for iri in iris]

    # -- names ------------------------------------------------------------------------------------

    def lookup(self, names: Iterable[str], forms: bool = False) -> dict[str, list[NameHit]]:
        """The entities that bear each name, most popular first, at most 50; names that nobody bears are left out.

        :param forms: also those of whose label it is only a form ("Alien" of "Alien (film)"), after the others
        """
        folded: dict[str, list[str]] = {}
        for name in names:
            folded.setdefault(fold(name), []).append(name)
        found: dict[str, list[NameHit]] = {}
        for text, row, fields in self._names.find(list(folded)):
            hits = []
            for follower in range(row + 1, row + MOST_HITS + 1):
                if not forms and fields[1] not in STATED:
                    break
                hits.append(NameHit(fields[5], fields[2], fields[1], fields[3], float(fields[4])))
                if follower == len(self._names) or (fields := self._names[follower])[0] != text:
                    break
            if hits:
                found.update((name, list(hits)) for name in folded[text])
        return found

    def search(self, text: str, k: int = 10) -> list[NameHit]:
        """Entities by name, each once: of exactly that name, then with names that begin so, then with similar names.

        A similar name begins with the same letter and differs in few letters, or shares the longest word.
        """
        from kgstore.catalog_search import similar, starting

        best = {hit.iri: hit for hit in self.lookup([text]).get(text, ())}
        for more in (starting, similar):
            if len(best) < k and text.strip():
                for hit in more(self._db(), fold(text), k):
                    best.setdefault(hit.iri, hit)
        return list(best.values())[:k]

    def _db(self) -> Connection:
        if self._database is None:
            from kgstore.duck import read_only

            self._database = read_only(self.path)
        return self._database.cursor()

    # -- properties -------------------------------------------------------------------------------

    def properties(self) -> dict[str, Property]:
        """All properties by IRI (``wd:P19`` in Wikibase data, else the predicate), also those without a statement."""
        if self._properties is None:
            with (self.folder / "properties.jsonl").open("rb") as file:
                rows = [property_of_row(orjson.loads(line)) for line in file]
            self._properties = {row.iri: row for row in rows}
        return self._properties


def _entry(row: int, fields: list[str]) -> tuple[Entity, tuple[str, ...]]:
    iri, label, description, types, above, degree, sitelinks = fields
    kinds = tuple(types.split(" ")) if types else ()
    entity = Entity(iri, row, label or compact(iri), description, kinds, int(degree), int(sitelinks))
    return entity, tuple(above.split(" ")) if above else ()


def property_of_row(row: dict) -> Property:
    """A property as JSON keeps it."""
    for key in ("subject_types", "object_types"):
        row[key] = tuple((iri, share) for iri, share in row[key])
    if "://" in row["label"]:  # no label: the identifier in words is better than nothing
        from kgstore.verbalise import readable

        row["label"] = readable(row["label"])
    return Property(**{**row, "aliases": tuple(row["aliases"])})
