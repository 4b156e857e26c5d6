"""The rows that a catalog is made of, kept beside it: after an update only those of the new triples are asked for.

Getting rows out of Oxigraph is what takes longest: it looks up the text of every term. So they stay, as Parquet, in the
folder ``rows``: subject, predicate and value as SPARQL writes them in TSV. A later generation shares these files and
adds one of what is new.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.duck import Connection, quote, tsv
from kgstore.layout import link

if TYPE_CHECKING:
    from kgstore.graph import Graph
    from kgstore.profile import Profile

FOLDER, _META, _VERSION = "rows", "rows.json", 1
MOST_UPDATES = 20
"""After so many updates the rows are asked for anew, which puts them into few files again."""


@dataclass(frozen=True, slots=True)
class Before:
    """What an update starts from.

    :param rows: the folder of an earlier state of the graph, with nothing removed since
    :param new: what was added since; triples that were there already do no harm
    """

    rows: Path
    new: Graph


@dataclass(frozen=True, slots=True)
class Asked:
    """Queries for all triples of some predicates.

    :param group: a word; each query of a catalog has its own
    :param codes: a number for each predicate
    :param files: TSV, with subject, number and value
    """

    group: str
    codes: dict[str, int]
    files: Sequence[Future[Path]]


def usable(folder: Path, profile: Profile) -> bool:
    """Whether the rows of a folder were asked for as they would be now."""
    updates = _updates(folder, profile)
    return updates is not None and updates < MOST_UPDATES


def _updates(folder: Path, profile: Profile) -> int | None:
    """How many updates the rows of a folder have seen; None if they cannot be used."""
    try:
        meta = json.loads((folder / _META).read_text(encoding="utf-8"))
        return int(meta["updates"]) if meta == _meta(profile, meta["updates"]) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _meta(profile: Profile, updates: int) -> dict[str, object]:
    return {"version": _VERSION, "profile": json.loads(json.dumps(profile.stored())), "updates": updates}


class Rows:
    """Writes the rows of a new catalog.

    :param folder: where they stay; must not exist
    :param earlier: rows of an earlier state, of which the new ones are only what was added
    """

    def __init__(self, db: Connection, folder: Path, profile: Profile, earlier: Path | None = None) -> None:
        self._db, self._folder, self._earlier = db, folder, earlier
        folder.mkdir()
        updates = (_updates(earlier, profile) or 0) + 1 if earlier is not None else 0
        (folder / _META).write_text(json.dumps(_meta(profile, updates)), encoding="utf-8")

    def parts(self, asked: Asked) -> Iterator[str]:
        """FROM clauses that give all rows, a few million at a time: ``s``, ``n`` (the number), ``o``."""
        db, codes = self._db, f"code_{asked.group}"
        db.execute(
            f"CREATE TEMP TABLE {codes} AS SELECT unnest($p) p, unnest($n)::INTEGER n",
            {"p": list(asked.codes), "n": list(asked.codes.values())},
        )
        old = sorted(self._earlier.glob(f"{asked.group}.*.parquet")) if self._earlier else []
        for path in old:
            link(path, self._folder / path.name)
            yield _clause(path, codes)
        for number, future in enumerate(asked.files, len(old)):
            file, path = future.result(), self._folder / f"{asked.group}.{number:04d}.parquet"
            rows = f"SELECT s, p, o FROM {tsv(file, s='VARCHAR', n='INTEGER', o='VARCHAR')} JOIN {codes} USING (n)"
            if old:
                known = f"SELECT s, p, o FROM {_parquet(old)} WHERE s IN (SELECT s FROM fresh)"
                db.execute(f"CREATE OR REPLACE TEMP TABLE fresh AS {rows}")
                rows = f"SELECT * FROM fresh ANTI JOIN ({known}) USING (s, p, o)"
            options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"
            db.execute(f"COPY ({rows}) TO {quote(str(path))} ({options})")
            file.unlink()
            yield _clause(path, codes)


def _parquet(paths: Sequence[Path]) -> str:
    return f"read_parquet([{', '.join(quote(str(path)) for path in paths)}])"


def _clause(path: Path, codes: str) -> str:
    return f"(SELECT s, n, o FROM {_parquet([path])} JOIN {codes} USING (p))"
