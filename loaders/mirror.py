"""A part of a graph behind a SPARQL endpoint, copied into files of N-Triples that a load takes.

Entities are asked for some at a time, one request after the other with a pause between. Each answer becomes a file at
once; a mirror that is interrupted goes on behind the last one. What belongs to the part is decided before its first
file is written, and kept beside the files, hop by hop, so that a resumed mirror is the same one.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pyoxigraph import BlankNode, NamedNode

from kgstore import layout
from kgstore.errors import InputError
from kgstore.prefixes import WELL_KNOWN, expand
from kgstore.profile import Profile
from kgstore.remote.endpoint import Endpoint, Row, chunks, terms
from kgstore.remote.entities import about

BATCH = 40
"""Entities of one request, and of one file."""
_WD, _WDT, _STATE, _SEEDS = WELL_KNOWN["wd"], WELL_KNOWN["wdt"], "mirror.json", "hop-{}.txt"
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Part:
    """What to copy.

    :param classes: everything that is an instance of one of these; ``entities``: these themselves
    :param query: a SELECT; every IRI in its first column
    :param hops: statements to follow from there to further entities
    :param limit: entities at most
    """

    classes: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    query: str = ""
    hops: int = 0
    limit: int = 1_000_000


class Mirror:
    """:param folder: of the files; made if it is not there
    :param pause: seconds between two requests
    :raises InputError: if the folder holds a mirror of something else
    """

    def __init__(
        self, endpoint: Endpoint, profile: Profile, languages: Sequence[str], folder: Path, pause: float, report: Report
    ) -> None:
        self.endpoint, self.profile, self.folder = endpoint, profile, folder
        self._tags, self._pause, self._report = tuple(dict.fromkeys((*languages, "mul", ""))), pause, report
        self.entities = self.triples = 0

    def copy(self, part: Part) -> list[Path]:
        """Ask for all of it; the finished files.

        :raises InputError: if nothing belongs to the part
        :raises EndpointFailed: if an answer does not arrive whole; what arrived before is kept
        """
        self._begin(part)
        seen: dict[str, None] = {}
        front = self._front(0, lambda: self._seeds(part))
        if not front:
            raise InputError("nothing at the endpoint belongs to this part", "check the class, the query or the ids")
        for hop in range(part.hops + 1):
            fresh = [iri for iri in front if iri not in seen][:max(0, part.limit - len(seen))]
            seen.update(dict.fromkeys(fresh))
            for number, some in enumerate(chunks(fresh, BATCH)):
                self._file(f"{hop}-{number:06d}", some, hop, len(seen))
            if hop < part.hops:
                front = self._front(hop + 1, lambda: self._next(hop))  # noqa: B023 (called at once)
        named = self._front(part.hops + 1, self._others)
        for number, some in enumerate(chunks([iri for iri in named if iri not in seen], 5 * BATCH)):
            self._names(number, some)
        self.entities = len(seen)
        return sorted(self.folder.glob("*.nt.gz"))

    def _begin(self, part: Part) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        state, file = {"url": self.endpoint.url, **asdict(part), "tags": self._tags}, self.folder / _STATE
        wanted = json.loads(json.dumps(state))
        if not file.is_file():
            layout.write_json(file, state)
        elif json.loads(file.read_bytes()) != wanted:
            why = f"{self.folder} holds what another mirror has copied"
            raise InputError(why, "repeat that one, or remove the folder")

    def _front(self, hop: int, find: Callable[[], Iterable[str]]) -> list[str]:
        """The entities of a hop, as they were found when it was begun."""
        file = self.folder / _SEEDS.format(hop)
        if not file.is_file():
            text = "".join(f"{iri}\n" for iri in dict.fromkeys(find()) if terms((iri,)))
            new = file.with_suffix(".new")
            new.write_text(text, encoding="utf-8")
            new.replace(file)
        return file.read_text(encoding="utf-8").split()

    def _seeds(self, part: Part) -> Iterable[str]:
        yield from (expand(one) for one in part.entities)
        types = "|".join(f"<{one}>" for one in self.profile.type)
        for kind in part.classes:
            rows = self._ask(f"SELECT DISTINCT ?e {{ ?e {types} <{expand(kind)}> }} LIMIT {part.limit}")
            yield from (row["e"].value for row in rows if isinstance(row["e"], NamedNode))
        if part.query:
            columns, rows = self.endpoint.table(part.query)
            yield from (row[columns[0]].value for row in rows if isinstance(row.get(columns[0]), NamedNode))

    def _ask(self, query: str) -> list[Row]:
        time.sleep(self._pause)
        return self.endpoint.select(query)

    def _file(self, name: str, some: Sequence[str], hop: int, total: int) -> None:
        if (self.folder / f"{name}.nt.gz").is_file():
            return
        parts = about(some, self.profile, self._tags)
        rows = [row for one in parts for row in self._ask(f"SELECT ?s ?p ?o {{ {one} }}")]
        self._write(name, rows)
        self._report(f"hop {hop}: {int(name.split('-')[1]) * BATCH + len(some):,} entities, {self.triples:,} triples")

    def _names(self, number: int, some: Sequence[str]) -> None:
        """Of what lies just outside, and of the properties: names, types, and how properties are declared."""
        name = f"names-{number:06d}"
        if (self.folder / f"{name}.nt.gz").is_file():
            return
        properties = [iri for iri in some if iri.startswith(_WD + "P") or not self.profile.wikibase]
        rows = []
        for predicate in (*self.profile.label, *self.profile.description, *self.profile.type):
            values = f"VALUES ?s {{ {terms(some)} }} ?s <{predicate}> ?o BIND(<{predicate}> AS ?p)"
            tags = ", ".join(f'"{tag}"' for tag in self._tags)
            rows += self._ask(f"SELECT ?s ?p ?o {{ {values} FILTER(!ISLITERAL(?o) || LANG(?o) IN ({tags})) }}")
        for part in about(properties, self.profile, self._tags) if properties else ():
            rows += self._ask(f"SELECT ?s ?p ?o {{ {part} }}")
        self._write(name, rows)

    def _write(self, name: str, rows: Sequence[Row]) -> None:
        lines = {f"{_own(row['s'], name)} {row['p']} {_own(row['o'], name)} .\n" for row in rows}
        new = self.folder / f"{name}.new"
        with gzip.open(new, "wt", encoding="utf-8", compresslevel=3) as file:
            file.writelines(sorted(lines))
        new.replace(self.folder / f"{name}.nt.gz")
        self.triples += len(lines)

    def _next(self, hop: int) -> Iterable[str]:
        """What the simple statements of a hop lead to."""
        for file in sorted(self.folder.glob(f"{hop}-*.nt.gz")):
            for _, predicate, value in _lines(file):
                simple = predicate.startswith(f"<{_WDT}") or not self.profile.wikibase
                if simple and value.startswith("<") and (not self.profile.wikibase or value.startswith(f"<{_WD}Q")):
                    yield value[1:-1]

    def _others(self) -> Iterable[str]:
        """Everything that is mentioned: values, qualifiers' values, units; and the properties."""
        start = f"<{_WD}" if self.profile.wikibase else "<"
        for file in sorted(self.folder.glob("[0-9]*.nt.gz")):
            for _, predicate, value in _lines(file):
                if value.startswith(start) and "/statement/" not in value:
                    yield value[1:-1]
                if self.profile.wikibase and predicate.startswith(f"<{_WDT}"):
                    yield _WD + predicate[len(_WDT) + 1:-1]
                elif not self.profile.wikibase:
                    yield predicate[1:-1]


def _own(term: object, file: str) -> str:
    """A term as N-Triples write it; blank nodes of different answers are different ones."""
    return f"_:b{file.replace('-', 'x')}x{term.value}" if isinstance(term, BlankNode) else str(term)


def _lines(file: Path) -> Iterable[tuple[str, str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            subject, predicate, value = line[:-3].split(" ", 2)
            yield subject, predicate, value
