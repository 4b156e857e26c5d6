"""How a topology is written: the edges of a catalog, while that is made, into the arrays of `kgstore.topology`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kgstore.duck import Connection
from kgstore.lines import new_array

_CHUNK = 4_000_000


def build_topology(db: Connection, properties: Sequence[str], catalog: Path, folder: Path) -> None:
    """Write the arrays. Memory stays flat: edges come in runs of about 4 million.

    :param db: holds the tables ``entity`` and ``edge``
    :param properties: in the order of the numbers that edges use
    :param catalog: the folder of its files
    """
    folder.mkdir(parents=True, exist_ok=True)
    degree = _degrees(db)
    entities = len(degree)
    start = np.zeros(entities + 1, np.int64)
    np.cumsum(degree, out=start[1:])
    np.save(folder / "start.npy", start)
    width = np.uint16 if 2 * len(properties) < 2**16 else np.uint32
    other = new_array(folder / "other.npy", np.uint32, int(start[-1]))
    link = new_array(folder / "link.npy", width, int(start[-1]))
    first = 0
    while first < entities:
        last = max(first + 1, int(np.searchsorted(start, start[first] + _CHUNK, side="right")) - 1)
        other[start[first]:start[last]], link[start[first]:start[last]] = _edges(db, first, last)
        first = last
    other.flush()
    link.flush()
    uses = dict(db.execute("SELECT p, count(*) FROM edge GROUP BY p").fetchall())
    meta = {
        "properties": list(properties),
        "uses": [uses.get(number, 0) for number in range(len(properties))],
        "catalog": os.path.relpath(catalog, folder),
    }
    (folder / "topology.json").write_text(json.dumps(meta), encoding="utf-8")


def _degrees(db: Connection) -> np.ndarray:
    """Number of edges at each entity, in the order of their numbers; an edge to itself counts twice."""
    found = db.execute("""
        SELECT id, coalesce(n, 0) n FROM entity
        LEFT JOIN (SELECT s id, count(*) n FROM (SELECT s FROM edge UNION ALL SELECT o FROM edge) GROUP BY s)
        USING (id)
        ORDER BY id
    """).fetchnumpy()
    return found["n"].astype("int64")


def _edges(db: Connection, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours and links of the entities from ``first`` to before ``last``."""
    found = db.execute("""
        SELECT other, link FROM (
            SELECT s one, o other, 2 * p link FROM edge WHERE s >= $1 AND s < $2
            UNION ALL SELECT o, s, 2 * p + 1 FROM edge WHERE o >= $1 AND o < $2
        ) ORDER BY one, other, link
    """, [first, last]).fetchnumpy()
    return found["other"], found["link"]
