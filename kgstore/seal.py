"""From an open KG to a sealed one, and back.

DuckDB numbers the terms and sorts the triples, within its share of the memory; what it finds goes into the arrays that
`kgstore.sealed` maps. Catalog, topology and the vectors of property names are the open KG's own files.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kgstore import layout, ledger
from kgstore.catalog_rows import FOLDER as ROWS
from kgstore.derive import ignore
from kgstore.duck import Connection, connect, lines
from kgstore.errors import InputError, NotAStore
from kgstore.layout import Manifest
from kgstore.lines import new_array
from kgstore.sealed import FOLDER, SealedGraph, write_terms
from kgstore.store import Store
from kgstore.writer import StoreWriter

_ROWS = 4_000_000
_SHARD = 4_000_000
_TERM = r"^(<[^>]*>|_:\S+) (<[^>]*>) (.*) \.$"


def seal(kg: Path, target: Path, report: Callable[[str], None] = ignore) -> Manifest:
    """Write the sealed form of a KG's current generation into a new folder; the KG stays as it is.

    :raises InputError: if the target is there already, or the KG is sealed
    """
    if target.exists():
        raise InputError(f"{target} is there already", "remove it, or choose another name")
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    with Store(kg) as store:
        manifest = store.manifest
        assert manifest is not None
        if isinstance(store.graph, SealedGraph):
            raise InputError(f"{kg} is sealed already", "copy the folder")
        old, new = (layout.generation_path(one, manifest.generation) for one in (kg, partial))
        try:
            (new / FOLDER).mkdir(parents=True)
            _seal_graph(store, new / FOLDER, report)
            for part in ("catalog", "topology"):
                shutil.copytree(old / part, new / part, ignore=shutil.ignore_patterns(ROWS))
            (new / "vectors").mkdir()
            for path in (old / "vectors").glob("property_names.*"):
                shutil.copy2(path, new / "vectors")
            shutil.copy2(old / "catalog.duckdb", new)
            counts = {name: n for name, n in manifest.counts.items() if name != "vectors"}
            sealed = replace(manifest, counts=counts)
            layout.write_manifest(new, sealed)
            layout.sync_tree(partial)
            layout.write_manifest(partial, sealed)
            partial.rename(target)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    return sealed


def unseal(sealed: Path, kg: Path, vectors: bool = False, report: Callable[[str], None] = ignore) -> Manifest:
    """Make an open KG of a sealed one: the same triples and names.

    Several sources become one, which has the name of the sealed folder: it does not keep which of them says what.

    :raises InputError: if the KG is there already, or the other one is not sealed
    """
    if kg.exists():
        raise InputError(f"{kg} is there already", "remove it, or choose another name")
    with Store(sealed) as store:
        if not isinstance(store.graph, SealedGraph):
            raise NotAStore(sealed, "it is not sealed", "copy the folder")
        assert store.manifest is not None
        report("writing the triples")
        with StoreWriter(kg, store.manifest.name, store.profile, store.manifest.languages) as writer:
            writer.bulk_load(_blocks(store.graph))
            writer.ledger(_record(sealed, store.graph, store.manifest.fingerprint))
            return writer.commit(vectors=vectors, report=report)


def _record(sealed: Path, graph: SealedGraph, fingerprint: str) -> ledger.Record:
    """What the ledger of the open KG says: the only source's record, else one for all of them."""
    records, counts = ledger.read(graph), {"triples": len(graph)}
    if len(records) == 1:
        return {**records[0], "counts": {**records[0].get("counts", {}), **counts}}
    size = sum(one.get("bytes", 0) for one in records)
    record = {"name": sealed.resolve().name, "sha256": fingerprint, "bytes": size, "counts": counts}
    return {**record, "incomplete": True} if any(one.get("incomplete") for one in records) else record


def _blocks(graph: SealedGraph, most: int = 50_000) -> Iterator[bytes]:
    some: list[str] = []
    for triple in graph.match():
        some.append(f"{triple.subject} {triple.predicate} {triple.object} .\n")
        if len(some) >= most:
            yield "".join(some).encode()
            some = []
    yield "".join(some).encode()


def _seal_graph(store: Store, folder: Path, report: Callable[[str], None]) -> None:
    dump, scratch = folder / "scratch.nt", folder / "scratch"
    scratch.mkdir()
    report("writing all triples")
    store.graph.dump(dump)
    with connect(scratch / "seal.duckdb", scratch / "duckdb") as db:
        report("numbering terms")
        db.execute(f"""
            CREATE TABLE raw AS SELECT x.s s, x.p p, x.o o
            FROM (SELECT regexp_extract(line, '{_TERM}', ['s', 'p', 'o']) x FROM {lines(dump)});
            CREATE TABLE term AS SELECT (row_number() OVER (ORDER BY t) - 1)::UINTEGER id, t FROM (
                SELECT s t FROM raw UNION SELECT p FROM raw UNION SELECT o FROM raw) ORDER BY t;
            CREATE TABLE triple AS SELECT a.id s, b.id p, c.id o FROM raw
                JOIN term a ON a.t = raw.s JOIN term b ON b.t = raw.p JOIN term c ON c.t = raw.o;
            DROP TABLE raw
        """)
        dump.unlink()
        _check(db, store)
        report("compressing terms")
        write_terms(folder, _terms(db))
        _columns(db, folder, report)
    shutil.rmtree(scratch)
    text = "".join(f"{one.subject} {one.predicate} {one.object} .\n" for one in store.graph.ledger_triples())
    (folder / "ledger.nt").write_text(text, encoding="utf-8")


def _check(db: Connection, store: Store) -> None:
    """
    :raises InputError: if a triple was lost on the way, as one of more than 32 MB is
    """
    [(found,)] = db.execute("SELECT count(*) FROM triple").fetchall()
    assert store.manifest is not None
    wanted = store.manifest.counts["triples"]
    if found != wanted:
        raise InputError(f"{wanted - found:,} of {wanted:,} triples are too long to be sealed", "keep the open KG")


def _terms(db: Connection) -> Iterator[Sequence[bytes]]:
    asked = db.execute("SELECT t FROM term ORDER BY id")
    while rows := asked.fetchmany(200_000):
        yield [text.encode() for (text,) in rows]


def _columns(db: Connection, folder: Path, report: Callable[[str], None]) -> None:
    """The triples by subject and by object."""
    [(terms, triples)] = db.execute("SELECT (SELECT count(*) FROM term), (SELECT count(*) FROM triple)").fetchall()
    predicates = db.execute("SELECT DISTINCT p FROM triple ORDER BY p").fetchnumpy()["p"].astype(np.uint32)
    np.save(folder / "predicates.npy", predicates)
    kind = np.uint16 if len(predicates) < 1 << 16 else np.uint32
    for side, here, there in (("spo", "s", "o"), ("ops", "o", "s")):
        report(f"sorting triples by {'subject' if here == 's' else 'object'}")
        counted = db.execute(f"SELECT {here} t, count(*) n FROM triple GROUP BY 1").fetchnumpy()
        start = np.zeros(terms + 1, np.int64)
        start[counted["t"].astype(np.int64) + 1] = counted["n"]
        np.cumsum(start, out=start)
        np.save(folder / f"{side}.start.npy", start.astype(np.uint32 if triples < 1 << 32 else np.int64))
        preds = new_array(folder / f"{side}.p.npy", kind, triples)
        others = new_array(folder / f"{side}.x.npy", np.uint32, triples)
        first = 0
        while first < terms:
            last = max(first + 1, int(np.searchsorted(start, start[first] + _ROWS, side="right")) - 1)
            some = f"SELECT p, {there} x FROM triple WHERE {here} >= $1 AND {here} < $2 ORDER BY {here}, p, x"
            found = db.execute(some, [first, last]).fetchnumpy()
            at = slice(int(start[first]), int(start[last]))
            preds[at] = np.searchsorted(predicates, found["p"])
            others[at] = found["x"]
            first = last
        preds.flush()
        others.flush()
