"""What a KG answers, as plain values for JSON: the same from a command and from a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeGuard

from kgstore.cli.render import note
from kgstore.cli.resolve import resolve_entity
from kgstore.errors import InputError
from kgstore.model import Literal, Rank, Statement
from kgstore.naming import resolve_property
from kgstore.prefixes import compact
from kgstore.verbalise import OPAQUE
from kgstore.verifier.report.report import statement_dict

if TYPE_CHECKING:
    from kgstore.catalog import Entity
    from kgstore.opening import KG
    from kgstore.store import Store
    from kgstore.topology import Edge

Json = dict[str, Any]
Tell = Callable[[str], None]


def entity_answer(store: KG, name: str, tell: Tell = note) -> Json:
    """What the KG knows an entity by: names, description, types.

    :param name: a name, an id (Q42) or an IRI
    :param tell: is told which other entities have the name
    :raises InputError: if there is none, or several equally well known
    """
    found = resolve_entity(store, name, tell)
    types = {iri: store.label(iri) for iri in found.types}
    return {**asdict(found), "id": compact(found.iri), "names": names(store, found.iri), "types": types}


def names(store: KG, iri: str) -> list[str]:
    """Labels and aliases in the KG's languages, labels first."""
    found = []
    for predicate in (*store.profile.label, *store.profile.alias):
        for triple in store.match(iri, predicate):
            if isinstance(triple.object, Literal) and triple.object.language in (None, "mul", *store.languages):
                found.append(triple.object.value)
    return list(dict.fromkeys(found))


def facts_about(
    store: KG,
    entity: str,
    prop: str | None = None,
    incoming: bool = False,
    references: bool = False,
    limit: int = 1000,
    tell: Tell = note,
) -> tuple[Entity, list[Statement], bool]:
    """The entity that is meant, its statements, what people ask for first, and whether there are more than ``limit``.

    :param incoming: statements about others whose value it is
    :raises InputError: if there is no such entity or property
    """
    found = resolve_entity(store, entity, tell)
    wanted = None if prop is None else resolve_property(store, prop).iri
    if incoming:
        statements = store.incoming(found.iri, wanted, limit=limit + 1)
    else:
        statements = store.statements(found.iri, wanted, references=references)
    statements.sort(key=_order(store))
    return found, statements[:limit], len(statements) > limit


def _order(store: KG) -> Callable[[Statement], tuple[object, ...]]:
    """What people ask for first: properties that many entities have, those that say little to a reader last."""
    properties = store.catalog.properties()

    def key(one: Statement) -> tuple[object, ...]:
        known = properties.get(one.predicate.value)
        opaque, often = (known.datatype in OPAQUE, known.subjects) if known else (False, 0)
        return opaque, -often, store.label(one.predicate.value), list(Rank).index(one.rank)

    return key


def facts_answer(statements: list[Statement], store: KG) -> list[Json]:
    return [statement_dict(one, store) for one in statements]


def paths_between(
    store: KG, start: str, end: str, hops: int = 3, k: int = 4, tell: Tell = note
) -> tuple[str, list[tuple[Edge, ...]]]:
    """The IRI of the start, and the shortest chains of statements from there to the end.

    :raises InputError: if either is not found
    """
    ends = [resolve_entity(store, one, tell).iri for one in (start, end)]
    return ends[0], store.paths(ends[:1], ends[1:], max_hops=hops, k=k)


def path_answer(edges: tuple[Edge, ...], store: KG) -> list[Json]:
    """A chain as a list of statements."""
    return [_edge(edge, store) for edge in edges]


def _edge(edge: Edge, store: KG) -> Json:
    parts = [edge.subject, edge.property, edge.object]
    keys = ["subject", "predicate", "object"]
    return {**dict(zip(keys, map(compact, parts), strict=True)), "labels": [store.label(part) for part in parts]}


def has_vectors(store: KG) -> TypeGuard[Store]:
    """Was the KG loaded with vectors of its statements?"""
    return bool(store.manifest and store.manifest.counts.get("vectors"))


def no_vectors(store: KG) -> InputError:
    """Why statements cannot be searched, and what makes vectors of them."""
    from kgstore.remote.graph import RemoteGraph
    from kgstore.sealed import SealedGraph

    if isinstance(store, RemoteGraph):
        return InputError("an endpoint has no search by meaning", "copy a part of it with `kgstore mirror`")
    why = "this KG has no vectors of its statements"
    if isinstance(store.graph, SealedGraph):
        return InputError(why, f"`kgstore unseal {store.path} --kg KG --vectors` makes an open one that has them")
    return InputError(why, f"`kgstore index --vectors --kg {store.path}` makes them")


def search_answer(store: KG, text: str, by: str = "both", limit: int = 10) -> Json:
    """Entities by name and statements by meaning.

    :param by: ``name``, ``meaning`` or ``both``; without vectors ``both`` finds names only
    :raises InputError: if the text is empty, or ``meaning`` is asked for and there are no vectors
    """
    if not text.strip():
        raise InputError("there is nothing to search for", "name an entity, or say what statements are about")
    if by == "meaning" and not has_vectors(store):
        raise no_vectors(store)
    return {
        "entities": named(store, text, limit) if by != "meaning" else [],
        "statements": _statements(store, text, limit) if by != "name" and has_vectors(store) else [],
    }


def named(store: KG, text: str, limit: int) -> list[Json]:
    """Entities by name: of exactly that name, then with names that begin so, then with similar ones."""
    hits = store.search(text, k=limit)
    entities = store.catalog.entities([hit.iri for hit in hits])
    return [
        {
            "id": compact(hit.iri),
            "label": entities[hit.iri].label,
            "description": entities[hit.iri].description,
            "name": hit.name,
            "kind": hit.kind,
            "language": hit.lang,
            "score": hit.prior,
        }
        for hit in hits
        if hit.iri in entities
    ]


def _statements(store: Store, text: str, limit: int) -> list[Json]:
    found = store.nearest(store.embedder.embed([text]), k=limit)[0]
    return [
        {
            "subject": compact(one.subject),
            "predicate": compact(one.predicate),
            "object": one.object_text,
            "sentence": one.sentence,
            "score": float(one.score),
        }
        for one in found
    ]
