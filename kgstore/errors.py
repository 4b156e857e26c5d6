"""Every error that we raise on purpose, all under KgError. A wrong argument is a plain ValueError.

StoreError     StoreNotFound, NotAStore, FormatTooNew, StoreLocked, DiskFull, IndexMissing, WidthMismatch
QueryError     QuerySyntax, QueryRefused, QueryTimeout, QueryStopped
LoadError      a source file cannot be read at all, or ended early
ModelMissing   a local model file is absent; names the path we looked at
InputError     a text, filter or option that we cannot work with

Each message is one line that ends with what to do next.
"""

from __future__ import annotations

from pathlib import Path


class KgError(Exception):
    """The root of the tree; the command line prints it as one line and exits with 2."""


class StoreError(KgError):
    """Something is wrong with a KG folder."""


class StoreNotFound(StoreError):
    """There is no folder at this path."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"no KG at {self.path}: make one with `kgstore load FILE --kg {self.path}`"


class NotAStore(StoreError):
    """The path exists and is no KG."""

    def __init__(
        self, path: Path, why: str = "it holds no manifest.json", instead: str = "name a folder made by `kgstore load`"
    ) -> None:
        super().__init__(path, why, instead)
        self.path, self.why, self.instead = path, why, instead

    def __str__(self) -> str:
        return f"{self.path} is not a KG ({self.why}): {self.instead}"


class FormatTooNew(StoreError):
    """A later kgstore wrote this KG."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(path, found, known)
        self.path, self.found, self.known = path, found, known

    def __str__(self) -> str:
        return f"{self.path} has format {self.found}, this kgstore reads up to {self.known}: upgrade kgstore"


class StoreLocked(StoreError):
    """Another process is writing to this KG."""

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(path, owner)
        self.path, self.owner = path, owner

    def __str__(self) -> str:
        return f"{self.path} is being written by {self.owner}: wait until that ends, or stop it"


class DiskFull(StoreError):
    """There was no room for a new generation; it is removed, and the KG is as it was.

    :param free: bytes that are free when it is removed
    :param needed: bytes that the whole load needs, where that can be told
    """

    def __init__(self, path: Path, free: int, needed: int | None = None) -> None:
        super().__init__(path, free, needed)
        self.path, self.free, self.needed = path, free, needed

    def __str__(self) -> str:
        needed = "more" if self.needed is None else f"about {self.needed / 1e6:,.0f} MB"
        return (
            f"the disk is full: {self.path} is as it was, {self.free / 1e6:,.0f} MB are free now, {needed} needed: "
            "make room (`kgstore prune` deletes old generations), or choose another disk"
        )


class IndexMissing(StoreError):
    """A derived part of the KG (catalog, topology, vectors) is absent."""

    def __init__(self, path: Path | str, part: str, instead: str = "") -> None:
        super().__init__(path, part, instead)
        self.path, self.part = path, part
        self.instead = instead or f"run `kgstore index --kg {path}`"

    def __str__(self) -> str:
        return f"{self.path} has no {self.part}: {self.instead}"


class WidthMismatch(StoreError):
    """Query vectors are not as wide as the vectors in the index."""

    def __init__(self, expected: int, got: int) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got

    def __str__(self) -> str:
        return f"index holds {self.expected}-wide vectors, query is {self.got} wide: run `kgstore index` again"


class QueryError(KgError):
    """A SPARQL query that we do not answer."""


class QuerySyntax(QueryError):
    """The query does not parse."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"the query does not parse: {self.message}; correct it and run it again"


class QueryRefused(QueryError):
    """The query parses, but it would write or ask another server."""

    def __init__(self, why: str, instead: str) -> None:
        super().__init__(why, instead)
        self.why, self.instead = why, instead

    def __str__(self) -> str:
        return f"query refused: {self.why}; {self.instead}"


class QueryTimeout(QueryError):
    """The query ran into its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"the query was stopped after {self.seconds:g} s: narrow it, add a LIMIT, or raise --timeout"


class QueryStopped(QueryError):
    """Whoever asked the query told it to stop."""

    def __str__(self) -> str:
        return "the query was stopped, since nobody waits for it any more; run it again"


class LoadError(KgError):
    """A source file cannot be read at all, or not to its end."""

    def __init__(self, path: Path | str, why: str, instead: str = "check the file and load it again") -> None:
        super().__init__(path, why, instead)
        self.path, self.why, self.instead = path, why, instead

    def __str__(self) -> str:
        return f"{self.path}: {self.why}; {self.instead}"


class ModelMissing(KgError):
    """A local model is absent. Nothing is ever downloaded in its place."""

    def __init__(self, what: str, path: Path | str, instead: str) -> None:
        super().__init__(what, path, instead)
        self.what, self.path, self.instead = what, path, instead

    def __str__(self) -> str:
        return f"{self.what} not found at {self.path}: {self.instead}"


class InputError(KgError):
    """A text, a filter or an option that we cannot work with."""

    def __init__(self, why: str, instead: str) -> None:
        super().__init__(why, instead)
        self.why, self.instead = why, instead

    def __str__(self) -> str:
        return f"{self.why}: {self.instead}"
