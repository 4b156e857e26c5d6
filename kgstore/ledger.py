"""The ledger: which sources a KG was made of. It lies in the graph's named graph ``urn:kgstore:ledger``.

A record is a table with these keys (``name`` and ``sha256`` are required): ``name``, ``sha256`` (of the source's
bytes), ``bytes``, ``options`` (table: whatever changes what is taken from the source), ``counts`` (table), ``skipped``
(table: reason -> how many), ``time``, ``incomplete`` (true where the source ended early). In RDF each record is one
node with a literal for each key, its value as JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode, Triple

from kgstore.layout import FORMAT, now

if TYPE_CHECKING:
    from kgstore.graph import Graph
    from kgstore.sealed import SealedGraph

Record = Mapping[str, Any]
_URN = "urn:kgstore:"
KEYS = ("name", "sha256", "bytes", "options", "counts", "skipped", "time", "incomplete")


def read(graph: Graph | SealedGraph) -> list[dict[str, Any]]:
    """All records, oldest first."""
    return list(numbered(graph).values())


def numbered(graph: Graph | SealedGraph) -> dict[int, dict[str, Any]]:
    """All records by their numbers, ascending; a number that was removed leaves a gap."""
    records: dict[int, dict[str, Any]] = {}
    triples: Iterator[Any] = graph.ledger_triples()
    for triple in triples:
        key = triple.predicate.value.removeprefix(_URN)
        records.setdefault(_number(triple), {})[key] = json.loads(triple.object.value)
    return dict(sorted(records.items()))


def remove(graph: Graph, number: int) -> None:
    """Take one record out."""
    graph.remove_from_ledger(triple for triple in list(graph.ledger_triples()) if _number(triple) == number)


def recount(graph: Graph, number: int, triples: int) -> None:
    """Note that a source has so many triples left; killed at any instant, the record stays whole."""
    counts = numbered(graph)[number].get("counts", {})
    node, key = NamedNode(f"{_URN}source:{number:06d}"), NamedNode(f"{_URN}counts")
    new = Triple(node, key, Literal(json.dumps({**counts, "triples": triples}, ensure_ascii=False, sort_keys=True)))
    old = [one for one in graph.ledger_triples() if (one.subject, one.predicate) == (node, key) and one != new]
    graph.add_to_ledger([new])
    graph.remove_from_ledger(old)


def _number(triple: Any) -> int:
    return int(triple.subject.value.rsplit(":", 1)[1])


def write(graph: Graph, record: Record, number: int | None = None) -> None:
    """Add one record.

    :param number: one more than the last unless told
    :raises ValueError: if a key is missing or unknown
    """
    if not record.get("name") or not record.get("sha256"):
        raise ValueError("a ledger record needs at least name and sha256")
    if unknown := set(record) - set(KEYS):
        raise ValueError(f"a ledger record has no {', '.join(sorted(unknown))}; its keys are {', '.join(KEYS)}")
    record = {"time": now(), **record}
    if number is None:
        number = max(map(_number, graph.ledger_triples()), default=0) + 1
    node = NamedNode(f"{_URN}source:{number:06d}")
    graph.add_to_ledger(
        Triple(node, NamedNode(_URN + key), Literal(json.dumps(value, ensure_ascii=False, sort_keys=True)))
        for key, value in record.items()
    )


def fingerprint(records: Iterable[Record], triples: int) -> str:
    """Equal for the same sources loaded with the same options, in whatever order, under whatever name."""
    sources = sorted(json.dumps([record["sha256"], record.get("options", {})], sort_keys=True) for record in records)
    return hashlib.sha256(json.dumps([FORMAT, sources, triples]).encode()).hexdigest()
