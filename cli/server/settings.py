"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kgstore.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Limits:
    """
    :param body: bytes of a request, uploaded files included
    :param text: characters of a text
    :param seconds: until an answer, waiting included
    :param query_seconds: until a SPARQL query is stopped; ``rows`` of its answer at most
    :param workers: threads, each with verifiers of its own
    :param waiting: requests that run or wait; one more is refused
    :param slow: seconds that a client may take to send a request, or to take a piece of an answer
    """

    body: int = 10_000_000
    text: int = 200_000
    seconds: float = 120.0
    query_seconds: float = 30.0
    rows: int = 10_000
    workers: int = 2
    waiting: int = 64
    slow: float = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    """
    :param kgs: folders of the KGs; the first is the one that is meant where none is named
    :param token: what clients must show; empty for none
    :param hosts: names, besides loopback's, by which clients may call the server, without port
    :param origins: of pages elsewhere that may ask this server, such as ``https://yasgui.example``
    :param candidates: where statements go that texts claim and the KG lacks
    :param secure: is it served by HTTPS?
    :param reviewer: who reviews unless the page is told another name
    """

    kgs: tuple[Path, ...]
    limits: Limits = field(default_factory=Limits)
    token: str = ""
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    candidates: Path | None = None
    judge: str | None = None
    reader: str | None = None
    embedder: Path | None = None
    complete: tuple[str, ...] = ()
    secure: bool = False
    reviewer: str = ""

    @property
    def named(self) -> dict[str, Path]:
        """The KGs by the name of their folder.

        >>> list(Settings((Path("a/one.kg"), Path("two"))).named)
        ['one', 'two']

        :raises InputError: if two have the same
        """
        found: dict[str, Path] = {}
        for path in self.kgs:
            name = path.absolute().stem
            if name in found:
                raise InputError(f"two KGs are called {name}", "rename one of the folders")
            found[name] = path
        return found
