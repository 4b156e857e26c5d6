"""Statements and property names by meaning: vectors of sentences in FAISS, names of properties in a plain array.

    vectors.faiss           the index, flat; if it is large, in its place what `kgstore.cells` writes
    statements.txt          one line a statement: subject, property, object, the value's text, the sentence
    statements.*.npy        where each line begins, and each statement's id with its line, see `kgstore.lines`
    property_names.npy/json vectors and names of the properties; there also without ``vectors.faiss``

A statement's id is a hash of its subject, property and value: the same after every rebuild.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgstore import cells
from kgstore.errors import IndexMissing, WidthMismatch
from kgstore.lines import FIELD, Lines, number_lines, open_array, save_keys
from kgstore.model import BlankNode, NamedNode, Rank, Special, Statement
from kgstore.prefixes import compact
from kgstore.verbalise import OPAQUE, readable, value_text, verbalise

if TYPE_CHECKING:
    from kgstore.catalog import Catalog, Property
    from kgstore.embedding import Embedder
    from kgstore.graph import Graph
    from kgstore.profile import Profile
    from kgstore.sealed import SealedGraph

SHARD = 16_384
"""Statements that are embedded, indexed and reported at a time; memory grows with this and not with the graph."""
FLAT = 200_000
"""Up to so many vectors every one is compared with the query; beyond, those of the nearest cells."""
_LONGEST = 1000
"""Characters of a value that are kept; the model reads less."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A statement close to a query.

    :param predicate: the property as `Statement.predicate` names it
    :param object_text: the value as the sentence has it
    :param score: cosine, -1 to 1
    :param object: IRI of the value where it is an entity, else empty
    """

    subject: str
    predicate: str
    object_text: str
    sentence: str
    score: float
    object: str = ""


class Vectors:
    """A finished index, for reading. FAISS is imported with the first search.

    :raises IndexMissing: if the folder holds no vectors of statements
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self._flat = self.folder / "vectors.faiss"
        if not self._flat.exists() and not cells.exist(self.folder):
            raise IndexMissing(self.folder.parent, "vectors of statements")
        self._cells = None if self._flat.exists() else cells.Cells(self.folder)
        table = self.folder / "statements.txt"
        self._lines, self._ids = Lines(table), open_array(table.with_suffix(".keys.npy"))
        self._rows = open_array(table.with_suffix(".rows.npy"))

    def __len__(self) -> int:
        return len(self._lines)

    def close(self) -> None:
        """Let go of the files. Twice is harmless."""
        self._lines.close()
        self._ids = self._rows = np.empty(0, np.int64)
        self.__dict__.pop("_index", None)
        if self._cells is not None:
            self._cells.close()

    @cached_property
    def _index(self) -> Any:
        """The flat one, mapped."""
        return cells.open_flat(self._flat)

    @property
    def dim(self) -> int:
        return self._index.d if self._cells is None else self._cells.shape.dim

    @property
    def half(self) -> bool:
        """Are they kept in half precision?"""
        return cells.is_half(self._index) if self._cells is None else self._cells.shape.half

    @property
    def cells(self) -> cells.Shape | None:
        """How a large index is searched; None where every vector is compared."""
        return None if self._cells is None else self._cells.shape

    @property
    def property_names(self) -> tuple[list[tuple[str, str]], np.ndarray]:
        """See `load_property_names`."""
        return load_property_names(self.folder)

    def nearest(self, vectors: np.ndarray, k: int = 10) -> list[list[Neighbour]]:
        """Statements closest in meaning to each query, best first.

        :param vectors: float32 ``(n, dim)``, each row of length 1
        :return: ``n`` lists of at most ``k``
        :raises WidthMismatch: if ``dim`` is not the index's width
        """
        queries = np.ascontiguousarray(np.atleast_2d(vectors), np.float32)
        if queries.shape[1] != self.dim:
            raise WidthMismatch(self.dim, queries.shape[1])
        if not len(queries) or not len(self):
            return [[] for _ in queries]
        if self._cells is None:
            scores, ids = self._index.search(queries, min(k, len(self)))
            known = np.minimum(np.searchsorted(self._ids, ids), len(self) - 1)
            rows = np.where(ids < 0, -1, self._rows[known].astype(np.int64))
        else:
            scores, rows = self._cells.search(queries, min(k, len(self)))
        return [
            [self._neighbour(one, score) for one, score in zip(*pair, strict=True) if one >= 0]
            for pair in zip(rows.tolist(), scores.tolist(), strict=True)
        ]

    def recall(self, facts: Sequence[Fact]) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of those facts that the index holds with the very same sentence.

        :return: positions in ``facts``, and the vectors row by row: float32 ``(found, dim)``
        """
        ids = np.array([fact[0] for fact in facts], np.int64)
        at = np.minimum(np.searchsorted(self._ids, ids), max(0, len(self._ids) - 1))
        known = np.flatnonzero(self._ids[at] == ids) if len(self._ids) else np.empty(0, np.int64)
        rows = self._rows[at[known]].astype(np.int64)
        pairs = zip(known.tolist(), rows.tolist(), strict=True)
        same = np.array([self._lines[row][4] == facts[place][-1] for place, row in pairs], bool)
        known, rows = known[same], rows[same]
        if not len(rows):
            return known, np.empty((0, self.dim), np.float32)
        return known, self._index.reconstruct_batch(ids[known]) if self._cells is None else self._cells.take(rows)

    def _neighbour(self, row: int, score: float) -> Neighbour:
        subject, predicate, object_, text, sentence = self._lines[row]
        return Neighbour(subject, predicate, text, sentence, max(-1.0, min(1.0, score)), object_)


# -- building ----------------------------------------------------------------------------------------------------------


def build_vectors(
    graph: Graph,
    profile: Profile,
    catalog: Catalog,
    embedder: Embedder,
    folder: Path,
    report: Callable[[str], None] = lambda message: None,
    earlier: Vectors | None = None,
    begun: Path | None = None,
    half: bool = False,
) -> int:
    """Embed every statement of best rank with a value that says something, and index the vectors.

    :param earlier: an index made with the same model: what it has is not embedded again
    :param half: keep the vectors in half precision, in half the room
    :param begun: a folder where this was begun with the same graph and model, and interrupted; it goes

    Left out, counted and reported: identifiers, addresses and the like, unknown and missing values, statements about
    properties.

    :return: number of statements in the index
    """
    folder.mkdir(parents=True, exist_ok=True)
    table, raw = folder / "statements.txt", folder / "vectors.raw"
    left_out: Counter[str] = Counter()
    ids: list[np.ndarray] = []
    start, done, new = time.monotonic(), 0, 0
    first = _Begun(begun, embedder.dim) if begun is not None else None
    try:
        with table.open("w", encoding="utf-8", newline="\n") as lines, raw.open("wb") as rows:
            facts = sentences(graph, profile, catalog, left_out)
            while shard := list(islice(facts, SHARD)):
                vectors, embedded = _embedded(shard, embedder, first, earlier)
                rows.write(vectors.tobytes())
                lines.writelines(_line_of(fact) for fact in shard)
                rows.flush()
                lines.flush()
                ids.append(np.array([fact[0] for fact in shard], np.int64))
                done, new = done + len(shard), new + embedded
                had = f", {done - new:,} of them before" if done > new else ""
                report(f"{done:,} statements embedded, {done / (time.monotonic() - start):,.0f} a second{had}")
        for why, count in left_out.most_common():
            report(f"{count:,} statements not embedded: {why}")
        every = np.concatenate(ids) if ids else np.empty(0, np.int64)
        number_lines(table, done)
        save_keys(table, every, np.arange(done))
        _index(raw, every, embedder.dim, folder, half, report)
    except Exception:  # an interrupt leaves it to go on from
        raw.unlink(missing_ok=True)
        raise
    raw.unlink(missing_ok=True)
    if begun is not None:
        shutil.rmtree(begun, ignore_errors=True)
    return done


def _line_of(fact: Fact) -> str:
    return FIELD.join(fact[1:]) + "\n"


def _embedded(
    facts: Sequence[Fact], embedder: Embedder, first: _Begun | None, earlier: Vectors | None
) -> tuple[np.ndarray, int]:
    """The facts' vectors, and how many of them had to be made."""
    vectors = np.empty((len(facts), embedder.dim), np.float32)
    missing = np.ones(len(facts), bool)
    if first is not None:
        rows = first.take(facts)
        vectors[: len(rows)], missing[: len(rows)] = rows, False
    if earlier is not None and missing.any():
        left = np.flatnonzero(missing)
        known, rows = earlier.recall([facts[place] for place in left.tolist()])
        vectors[left[known]], missing[left[known]] = rows, False
    left = np.flatnonzero(missing)
    if len(left):
        vectors[left] = embedder.embed([facts[place][-1] for place in left.tolist()])
    return vectors, len(left)


class _Begun:
    """What an interrupted `build_vectors` had written, handed out as long as it is what is to be written now."""

    def __init__(self, folder: Path, dim: int) -> None:
        raw, table, self._at = folder / "vectors.raw", folder / "statements.txt", 0
        rows = raw.stat().st_size // (4 * dim) if raw.exists() and table.exists() else 0
        self._rows = np.memmap(raw, np.float32, "r", shape=(rows, dim)) if rows else np.empty((0, dim), np.float32)
        self._lines = islice(_read(table), rows)

    def take(self, facts: Sequence[Fact]) -> np.ndarray:
        """The vectors of the first of these facts, as far as they are there."""
        count = 0
        for fact in facts:
            if next(self._lines, "") != _line_of(fact):
                self._lines = islice((), 0)
                break
            count += 1
        self._at += count
        return self._rows[self._at - count : self._at]


def _read(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        yield from lines


Fact = tuple[int, str, str, str, str, str]
"""Id, and the five fields of a line of ``statements.txt``."""


def sentences(
    graph: Graph | SealedGraph, profile: Profile, catalog: Catalog, left_out: Counter[str]
) -> Iterator[Fact]:
    """The statements to embed, of the most popular subjects first.

    :param left_out: counts what is not embedded, by reason
    """
    properties = catalog.properties()
    kinds = {iri: one.datatype for iri, one in properties.items()}
    kinds.update((profile.property_of(iri), "media") for iri in profile.image)
    kinds.update((profile.property_of(iri), "external-id") for iri in profile.same_as)

    def label_of(iri: str) -> str:
        if (entity := catalog.entity(iri)) is not None:
            return entity.label
        return properties[iri].label if iri in properties else compact(iri)

    for number in range(len(catalog)):
        subject = catalog.at(number)
        statements = graph.statements(subject.iri)
        if subject.iri in properties:
            left_out["about a property"] += len(statements)
            continue
        seen = set()
        for one in best_rank(statements):
            predicate = one.predicate.value
            if why := _no_sentence(one, kinds.get(predicate, "")):
                left_out[why] += 1
                continue
            id = statement_id(one)
            if id not in seen:  # the same value twice, with other qualifiers
                seen.add(id)
                text = _line(value_text(one.value, label_of))
                object_ = one.value.value if isinstance(one.value, NamedNode) else ""
                sentence = verbalise(_line(subject.label), _line(label_of(predicate)), text)
                yield id, subject.iri, predicate, object_, text, sentence


def best_rank(statements: list[Statement]) -> list[Statement]:
    """Those that count as true: of each property the preferred ones if there are any, else the normal ones."""
    preferred = {one.predicate for one in statements if one.rank is Rank.PREFERRED}
    return [
        one
        for one in statements
        if one.rank is Rank.PREFERRED or (one.rank is Rank.NORMAL and one.predicate not in preferred)
    ]


def _no_sentence(statement: Statement, datatype: str) -> str:
    if datatype in OPAQUE:
        return f"values of kind {datatype}"
    return "no known value" if isinstance(statement.value, (Special, BlankNode)) else ""


def statement_id(statement: Statement) -> int:
    """63 bits that follow from subject, property and value, and from nothing else."""
    text = FIELD.join((statement.subject.value, statement.predicate.value, str(statement.value)))
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def _line(text: str) -> str:
    """A text that fits into one field of a line."""
    return " ".join(text[:_LONGEST].replace(FIELD, " ").split())


def _index(
    raw: Path, ids: np.ndarray, dim: int, folder: Path, half: bool, report: Callable[[str], None]
) -> None:
    """Write the FAISS index of vectors that lie in a file of floats."""
    if len(ids) > FLAT:
        cells.build_cells(raw, dim, folder, half, report)
    else:
        cells.write_flat(np.fromfile(raw, np.float32).reshape(-1, dim), ids, folder / "vectors.faiss", half)


# -- names of properties -----------------------------------------------------------------------------------------------


def build_property_names(
    properties: Mapping[str, Property], embedder: Embedder, folder: Path, earlier: Path | None = None
) -> int:
    """Embed label and aliases of every property that the graph uses; return how many names those are.

    :param earlier: another folder of this kind, made with the same model: names that it has are not embedded again
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [
        (iri, name)
        for iri, one in properties.items()
        if one.statements
        for name in {name.casefold(): name for name in map(readable, (*one.aliases[::-1], one.label))}.values()
    ]
    known: dict[str, np.ndarray] = {}
    with suppress(IndexMissing):
        if earlier is not None:
            known = {name: row for (_, name), row in zip(*load_property_names(earlier), strict=False)}
    new = list(dict.fromkeys(name for _, name in names if name not in known))
    if new or not names:
        known.update(zip(new, embedder.embed(new), strict=True))
    rows = [known[name] for _, name in names]
    np.save(folder / "property_names.npy", np.stack(rows) if rows else np.zeros((0, embedder.dim), np.float32))
    (folder / "property_names.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
    return len(names)


def load_property_names(folder: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Property IRI and name of each row, and the rows: float32 ``(names, dim)``, mapped, of length 1.

    :raises IndexMissing: if they were not built
    """
    try:
        names = json.loads((folder / "property_names.json").read_text(encoding="utf-8"))
        return [(iri, name) for iri, name in names], open_array(folder / "property_names.npy")
    except FileNotFoundError:
        raise IndexMissing(folder.parent, "property names") from None
