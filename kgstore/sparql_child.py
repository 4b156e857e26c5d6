"""Answers one query in a process of its own, which can be killed: ``python sparql_child.py < request.json``.

Imports nothing but pyoxigraph, so that it starts at once. The request says which graph, which query and which limits;
the answer goes to stdout as SPARQL TSV or N-Triples, its kind (or what went wrong) to stderr as one JSON line.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import IO, Any

_RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_NAMES = (_RDFS_LABEL, _SKOS + "prefLabel", "http://schema.org/name")
_SERVICE = re.compile("service", re.IGNORECASE)
_ENTITY = "http://www.wikidata.org/entity/"


class Full(Exception):
    """As many rows as were asked for have been written."""


class Rows:
    """Passes on a header and so many lines. Both formats write one row a line and escape line breaks within values."""

    def __init__(self, target: IO[bytes], lines: int) -> None:
        self._target, self._left = target, lines
        self.truncated = False

    def write(self, data: bytes) -> int:
        count = data.count(b"\n")
        if count <= self._left:
            self._left -= count
            self._target.write(data)
            return len(data)
        end = -1
        for _ in range(self._left):
            end = data.index(b"\n", end + 1)
        self._target.write(data[: end + 1])
        self._left, self.truncated = 0, True
        raise Full

    def flush(self) -> None:
        self._target.flush()


def answer(
    store: Any, query: str, prefixes: dict[str, str], ledger: bool, limit: int, target: IO[bytes]
) -> dict[str, Any]:
    """Run one query, write its rows to ``target``, and say what they are."""
    import pyoxigraph as ox

    functions = {ox.NamedNode("urn:kgstore:label"): labels(store)}
    if "service" in query.lower():
        # Oxigraph would call the server that a SERVICE names. Ours are gone by now; should its parser see one that our
        # tokens did not show, then the query no longer parses with another word in its place (in names it does).
        ox.Store().query(_SERVICE.sub("servant", query), prefixes=prefixes, custom_functions=functions)
    solutions = store.query(
        query,
        prefixes=prefixes,
        named_graphs=[ox.NamedNode("urn:kgstore:ledger")] if ledger else [],
        custom_functions=functions,
    )
    if isinstance(solutions, ox.QueryBoolean):
        return {"kind": "boolean", "value": bool(solutions)}
    triples = isinstance(solutions, ox.QueryTriples)
    rows = Rows(target, limit if triples else limit + 1)
    form = ox.RdfFormat.N_TRIPLES if triples else ox.QueryResultsFormat.TSV
    try:
        solutions.serialize(rows, format=form)
    except (Full, OSError):
        if not rows.truncated:
            raise
    return {"kind": "triples" if triples else "solutions", "truncated": rows.truncated}


def labels(store: Any) -> Callable[..., Any]:
    """The function behind the label service: ``(term, predicate, "en,de")`` -> literal, as that would answer."""
    import pyoxigraph as ox

    default = ox.DefaultGraph()
    known: dict[Any, Any] = {}

    def texts(node: Any, predicate: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for quad in store.quads_for_pattern(node, ox.NamedNode(predicate), None, default):
            if isinstance(quad.object, ox.Literal):
                found.setdefault((quad.object.language or "").lower(), []).append(quad.object.value)
        return found

    def read(term: Any, predicate: str, languages: list[str]) -> Any:
        for one in _NAMES if predicate == _RDFS_LABEL else (predicate,):
            found = texts(term, one)
            for language in (*languages, "mul", ""):
                if language in found:
                    names = sorted(found[language])
                    text = ", ".join(names) if predicate == _SKOS + "altLabel" else names[0]
                    return ox.Literal(text, language=language) if language else ox.Literal(text)
        if predicate != _RDFS_LABEL:
            return None
        return ox.Literal(term.value.removeprefix(_ENTITY))

    def label(term: Any, predicate: Any, languages: Any) -> Any:
        if not isinstance(term, (ox.NamedNode, ox.BlankNode)):
            plain = isinstance(term, ox.Literal) and predicate.value == _RDFS_LABEL
            return ox.Literal(term.value) if plain else None
        key = (term, predicate.value, languages.value)
        if key not in known:
            if len(known) > 100_000:
                known.clear()
            known[key] = read(term, predicate.value, languages.value.split(","))
        return known[key]

    return label


def _guard(seconds: float, memory: int) -> None:
    """End by the system's hand if the parent died and cannot do it, or if memory runs away."""
    try:
        import resource
        import signal
    except ImportError:  # Windows, where only the parent's clock ends it
        return
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    request = json.load(sys.stdin)
    sys.path.append(request["packages"])
    _guard(request["timeout"], request["memory"])
    import pyoxigraph as ox

    try:
        store = ox.Store.read_only(request["graph"])
        output = sys.stdout.buffer
        arguments = (request["query"], request["prefixes"], request["ledger"], request["limit"])
        outcome = answer(store, *arguments, output)
        output.flush()
    except SyntaxError as error:
        outcome = {"kind": "syntax", "message": str(error)}
    except (ValueError, RuntimeError, OSError) as error:
        outcome = {"kind": "error", "message": f"{type(error).__name__}: {error}"}
    sys.stderr.write("\n" + json.dumps(outcome) + "\n")


if __name__ == "__main__":
    main()
