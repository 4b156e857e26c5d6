"""Does a KG keep the rules of its domain? SHACL shapes, checked by pySHACL on the graph as it lies there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.store import Store

FORMATS = {".ttl": "turtle", ".nt": "nt", ".rdf": "xml", ".xml": "xml", ".owl": "xml", ".n3": "n3"}
"""JSON-LD is left out: its contexts may lie on other servers."""
_TOLD = ("focusNode", "resultPath", "value", "resultSeverity", "sourceConstraintComponent", "resultMessage")
_QUERIES = ("select", "ask", "construct")


@dataclass(frozen=True, slots=True)
class Violation:
    """One result of a validation; what it does not tell is empty.

    :param focus: the thing that breaks a rule, an IRI or a blank node
    :param path: the property, or a path of them
    :param severity: Violation, Warning, Info
    :param rule: which kind of constraint, as MinCount
    """

    focus: str
    path: str
    value: str
    severity: str
    rule: str
    message: str


def violations(store: Store, shapes: Path) -> list[Violation]:
    """All results, in the order of focus and path.

    :raises InputError: if the file holds no shapes that can be checked here
    """
    from pyshacl import validate
    from pyshacl.errors import ConstraintLoadError, ReportableRuntimeError, ShapeLoadError

    rules = _shapes(shapes)
    try:
        _, results, text = validate(store.as_rdflib(), shacl_graph=rules, inplace=True)
    except (ConstraintLoadError, ReportableRuntimeError, ShapeLoadError, ValueError) as error:
        why = " ".join(str(error).split())[:300]
        raise InputError(f"the shapes of {shapes} cannot be checked: {why}", "correct them") from None
    if not hasattr(results, "subjects"):
        raise InputError(f"the shapes of {shapes} cannot be checked: {text}", "correct them")
    return sorted(_found(results), key=lambda one: (one.focus, one.path, one.rule, one.value))


def _shapes(path: Path) -> Any:
    from rdflib import SH, Graph

    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(FORMATS)
        raise InputError(f"{path} is in no format for shapes", f"write them as Turtle; read are {known}")
    rules = Graph()
    try:
        rules.parse(data=path.read_bytes(), format=kind)
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}", "check the path") from None
    except Exception as error:  # each of rdflib's parsers has its own
        why = " ".join(str(error).split())[:300]
        raise InputError(f"{path} does not parse: {why}", "correct it") from None
    if not any(str(one).startswith(str(SH)) for one in rules.predicates()):
        raise InputError(f"{path} holds no SHACL shapes", "name a file with sh:NodeShape or sh:PropertyShape")
    for name in _QUERIES:
        if any(re.search(r"\bSERVICE\b", str(query), re.IGNORECASE) for query in rules.objects(None, SH[name])):
            raise InputError(f"a query in {path} asks another server", "leave SERVICE out")
    return rules


def _found(results: Any) -> Iterator[Violation]:
    from rdflib import RDF, SH

    for one in results.subjects(RDF.type, SH.ValidationResult):
        focus, path, value, severity, rule, message = (str(results.value(one, SH[name]) or "") for name in _TOLD)
        rule = rule.rpartition("#")[2].removesuffix("ConstraintComponent")
        yield Violation(focus, path, value, severity.rpartition("#")[2], rule, " ".join(message.split()))
