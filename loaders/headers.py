"""What the header of a table says: where its triples are, which columns qualify them, or what each row is about.

Besides the words of `ROLES`, the headers of property-graph exports are known: ``:START_ID``, ``:TYPE``, ``:END_ID`` for
edges and ``:ID``, ``:LABEL`` for nodes, with id spaces in brackets (``:ID(Person)``) and types behind a colon
(``born:int``), as in Neo4j's import format; and ``source,target,type`` and their like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SUBJECT, PREDICATE, OBJECT = "subject", "predicate", "object"
ROLES = {
    **dict.fromkeys(("subject", "s", "head", "h", "source", "start_id"), SUBJECT),
    **dict.fromkeys(("predicate", "p", "relation", "r", "property", "relationship", "edge", "rel_type"), PREDICATE),
    **dict.fromkeys(("object", "o", "tail", "t", "target", "end_id"), OBJECT),
    **dict.fromkeys(("lang", "language"), "lang"),
    "datatype": "datatype",
    "object_type": "kind",
}
_GRAPH = re.compile(r"(.*):(ID|START_ID|END_ID|TYPE|LABEL|IGNORE)(?:\((.*)\))?", re.IGNORECASE)
_PARTS = {"START_ID": SUBJECT, "TYPE": PREDICATE, "END_ID": OBJECT}
NAMES = ("label", "name")


@dataclass(frozen=True, slots=True)
class Layout:
    """
    :param roles: column of subject, predicate, object (and of ``lang``, ``datatype``, ``kind``) in a table of triples;
        empty for a table with one row per thing
    :param subject: column of what a row is about
    :param label: column of its name, where it has one besides
    :param columns: the other columns and their headers: qualifiers of a triple, properties of a thing
    :param types: column of a property graph's node labels, several separated by semicolons
    :param spaces: id space of subject and object, where the header names one
    :param ids: subjects and objects are ids of nodes that another file names
    """

    roles: dict[str, int]
    subject: int
    label: int | None
    columns: dict[int, str]
    types: int | None = None
    spaces: dict[str, str] = field(default_factory=dict)
    ids: bool = False


def layout_of(header: list[str]) -> Layout:
    """
    >>> layout_of(["s", "p", "o", "since"]).columns
    {3: 'since'}
    >>> layout_of(["id", "name", "born"]).roles
    {}
    """
    graph = {at: match for at, text in enumerate(header) if (match := _GRAPH.fullmatch(text))}
    told = {match[2].upper(): at for at, match in reversed(graph.items())}
    rest = {at: text for at, text in enumerate(header) if text and at not in graph}
    if {"START_ID", "END_ID"} <= set(told):
        return _edges(header, graph, told, rest)
    roles: dict[str, int] = {}
    for at, text in enumerate(header):
        if (role := ROLES.get(text.casefold())) is not None:
            roles.setdefault(role, at)
    if PREDICATE not in roles and _pair(header) and "type" in (lower := [text.casefold() for text in header]):
        roles[PREDICATE] = lower.index("type")
    if {SUBJECT, PREDICATE, OBJECT} <= set(roles):
        columns = {at: text for at, text in rest.items() if at not in roles.values()}
        return Layout(roles, roles[SUBJECT], None, columns, ids=_pair(header))
    if "ID" in told:
        at = told["ID"]
        named = next((place for place, text in rest.items() if text.partition(":")[0].casefold() in NAMES), None)
        space = graph[at][3] or ""
        return Layout({}, at, named, rest, told.get("LABEL"), {SUBJECT: space} if space else {})
    return _things(header)


def _edges(header: list[str], graph: dict[int, re.Match[str]], told: dict[str, int], rest: dict[int, str]) -> Layout:
    roles = {role: told[part] for part, role in _PARTS.items() if part in told}
    if PREDICATE not in roles:
        named = next((at for at, text in rest.items() if text.casefold() in (*NAMES, "type", "relationship")), None)
        if named is None:
            return _things(header)
        roles[PREDICATE] = named
    spaces = {role: graph[at][3] for role, at in roles.items() if at in graph and graph[at][3]}
    columns = {at: text for at, text in rest.items() if at not in roles.values()}
    return Layout(roles, roles[SUBJECT], None, columns, spaces=spaces, ids=True)


def _things(header: list[str]) -> Layout:
    lower = [text.casefold() for text in header]
    at = lower.index("id") if "id" in lower else 0
    label = next((place for place, text in enumerate(lower) if text in NAMES), None)
    columns = {place: text for place, text in enumerate(header) if text and (place != at or lower[at] in NAMES)}
    return Layout({}, at, label, columns)


def _pair(header: list[str]) -> bool:
    """Are the ends called source and target, as lists of edges call ids of nodes?"""
    return {"source", "target"} <= {text.casefold() for text in header}


def is_kgtk(header: list[str]) -> bool:
    """Is this the header of KGTK edges (see `kgstore.loaders.kgtk`)?"""
    return {"node1", "label", "node2"} <= set(header)
