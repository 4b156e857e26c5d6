"""The beginning of a file, looked at before its parser sees it; for RDF/XML, what must not be in it."""

from __future__ import annotations

import re

from kgstore.errors import LoadError
from kgstore.loaders.nesting import Watch
from kgstore.loaders.sources import Source

PROLOG = 1 << 16
"""Bytes of a file that are looked at before it is parsed."""
_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_HARMLESS = re.compile(
    rb"<!DOCTYPE\s+[\w:.-]+\s*(\[(\s|<!ENTITY\s+[\w.-]+\s+\"[^\"<&%\]]{0,1000}\"\s*>)*\]\s*)?>", re.IGNORECASE
)
_EXTERNAL = re.compile(
    rb"<!DOCTYPE\s+[\w:.-]+\s+(SYSTEM|PUBLIC)\b|.*<!ENTITY[^>]{0,300}\s(SYSTEM|PUBLIC)\b", re.DOTALL | re.IGNORECASE
)
_INLINE = "write the entities' text into the file and load it again"


class Ahead:
    """A source that can be looked at before it is parsed, and in which some words may be forbidden."""

    def __init__(self, source: Source) -> None:
        self._source, self._ready, self._tail, self.allowed = source, b"", b"", 0
        self.forbidden: re.Pattern[bytes] | None = None
        self.watch: Watch | None = None
        self.error: LoadError | None = None

    def head(self, size: int) -> bytes:
        while len(self._ready) < size and (more := self._source.read(size - len(self._ready))):
            self._ready += more
        return self._ready

    def read(self, size: int = -1) -> bytes:
        if not self._ready:
            try:
                piece = self._source.read(size)
            except LoadError as error:
                self.error = error  # the parser may wrap it
                raise
        else:
            piece = self._ready if size < 0 else self._ready[:size]
            self._ready = self._ready[len(piece) :]
        if self.forbidden is not None:
            self._check(piece)
        if self.watch is not None and self.watch(piece):
            self.error = LoadError(self._source.name, "it nests too deep", "split what it says into flat statements")
            raise self.error
        return piece

    def _check(self, piece: bytes) -> None:
        assert self.forbidden is not None
        if self.allowed:
            checked, self.allowed = piece[self.allowed :], max(0, self.allowed - len(piece))
        else:
            checked = self._tail + piece
        if self.forbidden.search(checked):
            self.error = LoadError(self._source.name, "it declares a document type after its beginning", _INLINE)
            raise self.error
        self._tail = checked[-10:]


def guard(stream: Ahead, name: str) -> None:
    """Let nothing of a document type through that can expand or fetch.

    Oxigraph expands entities as soon as it reads their definition, wherever that stands; so we look before it does.

    :raises LoadError: if the document type at the beginning is not harmless
    """
    stream.forbidden = _DOCTYPE
    head = stream.head(PROLOG)
    start = _DOCTYPE.search(head)
    if start is None:
        return
    if _EXTERNAL.match(head, start.start()):
        raise LoadError(name, "it refers to another file (external entity)", _INLINE)
    whole = _HARMLESS.match(head, start.start())
    if whole is None:
        raise LoadError(name, "its document type defines entities that may expand", _INLINE)
    stream.allowed = whole.end()
