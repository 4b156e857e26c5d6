"""How a text can be checked against a document, beside `kgstore.verifier.methods.registry` for a KG."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from kgstore.verifier.methods.registry import AUTO, Judged

if TYPE_CHECKING:
    from kgstore.verifier.document.source import Document
    from kgstore.verifier.document.tools import Tools

_HOMES = {
    AUTO: "kgstore.verifier.document.combined",
    "nli": "kgstore.verifier.document.bare",
    "grapheval": "kgstore.verifier.document.triples",
    "kernel": "kgstore.verifier.document.graphs",
}
"""The module that holds each method, as its function ``judged``; imported when it is asked for."""

DOCUMENT_METHODS = tuple(_HOMES)


class DocumentMethod(Protocol):
    """Decides what a text says by a document; finds the claims in its own way."""

    def __call__(self, text: str, document: Document, tools: Tools) -> Judged: ...


def open_document_method(name: str) -> DocumentMethod:
    """:param name: one of `DOCUMENT_METHODS`"""
    return import_module(_HOMES[name]).judged
