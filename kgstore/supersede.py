"""An update: what older sources say of an entity gives way to what a newer one says of it.

A document of a Wikibase dump is all that its entity has: the entity's own lines, and those of the statement, value and
reference nodes that it leads to. Value and reference nodes are shared, so they stay while another entity needs them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kgstore import ledger
from kgstore.derive import Report
from kgstore.graph import Graph
from kgstore.prefixes import WELL_KNOWN
from kgstore.sources import SourceFile, blocks, only_in, source_path

_NODES = tuple(f"<{WELL_KNOWN[prefix]}".encode() for prefix in ("wds", "wdv", "wdref"))
"""How the nodes begin that belong to an entity's description."""
_PARTS = "superseding"


def take_out(graph: Graph, generation: Path, older: Sequence[int], report: Report) -> tuple[int, int]:
    """Take out of a graph, and of the files of the older sources, what all other sources of the ledger supersede.

    Killed at any instant, it can be repeated. An older source of which nothing is left goes.

    :param older: numbers of the older sources; their files are replaced, never written to
    :return: how many triples went out of the graph, and how many lines out of the files, less those that others have
    """
    records, folder = ledger.numbered(graph), generation / _PARTS
    paths = {number: source_path(generation, number) for number in records}
    newer = [path for number, path in paths.items() if number not in older]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    report("finding what is superseded")
    parts = parted([paths[number] for number in older], newer, folder)
    stay = [parts[path].rest if path in parts else path for path in paths.values()]
    lines = sum(record.get("counts", {}).get("triples", 0) for record in records.values())
    removed = changed = 0
    for some in only_in([one.gone for one in parts.values()], stay, lines):
        removed, changed = removed + graph.remove_lines(some), changed + len(some)
        report(f"{removed:,} triples removed")
    for number in older:
        path = paths[number]
        if path in parts and parts[path].left:
            ledger.recount(graph, number, parts[path].left)
            graph.flush()  # before the file is replaced: what is repeated finds nothing to count again
            parts[path].rest.replace(path)
        elif path in parts:
            ledger.remove(graph, number)
            path.unlink()
    shutil.rmtree(folder)
    return removed, changed


@dataclass(frozen=True, slots=True)
class Parted:
    """The file of a source in two, and how many lines either has."""

    gone: Path
    rest: Path
    went: int
    left: int


def parted(older: Sequence[Path], newer: Sequence[Path], folder: Path) -> dict[Path, Parted]:
    """Older files that tell of entities which newer ones describe, in two parts; the others are left out.

    Needs 16 bytes of memory for each line of the older files that leads to a node, and 8 for each entity that the newer
    ones describe. Lines are told apart by 64-bit hashes, as in `kgstore.sources.only_in`.

    :param folder: for the parts; it must be empty
    """
    dropped = _dropped(_described(newer), *_edges(older))
    found = {}
    for path in older:
        one = Parted(folder / f"gone.{path.name}", folder / f"rest.{path.name}", *_part(path, dropped, folder))
        if one.went:
            found[path] = one
    return found


def _lines(paths: Iterable[Path]) -> Iterator[list[bytes]]:
    for path in paths:
        for block in blocks(path):
            yield block.splitlines(keepends=True)


def _subject(line: bytes) -> bytes:
    return line[: line.find(b" ")]


def _described(paths: Sequence[Path]) -> np.ndarray:
    """Hashes of the subjects that are no nodes."""
    found = np.empty(0, np.int64)
    for lines in _lines(paths):
        subjects = {hash(_subject(line)) for line in lines if not line.startswith(_NODES)}
        found = np.union1d(found, np.fromiter(subjects, np.int64, len(subjects)))
    return found


def _edges(paths: Sequence[Path]) -> tuple[np.ndarray, np.ndarray]:
    """The subject of each line that leads to a node, and the node, as hashes."""
    pairs = [np.empty((0, 2), np.int64)]
    for lines in _lines(paths):
        some = []
        for line in lines:
            subject, _, value = line.split(b" ", 2)
            if value.startswith(_NODES):
                some.append((hash(subject), hash(value[: value.find(b">") + 1])))
        pairs.append(np.array(some, np.int64).reshape(-1, 2))
    both = np.concatenate(pairs)
    return both[:, 0], both[:, 1]


def _dropped(entities: np.ndarray, subjects: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The entities, and the nodes that only they lead to, as hashes."""
    reached = new = np.setdiff1d(nodes[np.isin(subjects, entities)], entities)
    while len(new):
        new = np.setdiff1d(nodes[np.isin(subjects, new)], reached)
        reached = np.union1d(reached, new)
    while True:
        dropped = np.union1d(entities, reached)
        needed = np.intersect1d(reached, nodes[~np.isin(subjects, dropped)])
        if not len(needed):
            return dropped
        reached = np.setdiff1d(reached, needed)


def _part(path: Path, dropped: np.ndarray, folder: Path) -> tuple[int, int]:
    """Write the two parts of a file; return how many lines either has."""
    gone, rest = SourceFile(folder / f"gone.{path.name}"), SourceFile(folder / f"rest.{path.name}")
    went = left = 0
    for lines in _lines([path]):
        go = np.isin(np.fromiter(map(hash, map(_subject, lines)), np.int64, len(lines)), dropped)
        gone.write(b"".join(lines[at] for at in np.flatnonzero(go).tolist()))
        rest.write(b"".join(lines[at] for at in np.flatnonzero(~go).tolist()))
        went, left = went + int(go.sum()), left + int((~go).sum())
    for file in (gone, rest):
        file.mark()
        file.close()
    return went, left
