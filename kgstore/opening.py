"""Opens whatever ``--kg`` names: a folder, or what a backend holds. A backend is a file, and a line of `BACKENDS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Union

from kgstore.remote.address import is_remote

if TYPE_CHECKING:
    from kgstore.remote.graph import RemoteGraph
    from kgstore.store import Store

KG = Union["Store", "RemoteGraph"]


@dataclass(frozen=True, slots=True)
class Backend:
    """What holds graphs in another way than in a folder of ours.

    :param takes: does ``--kg`` name one of this kind?
    :param home: module, and what there opens one, given the name, ``report`` and ``anew``; what it opens can
        be closed (``close``, ``with``) and has the members of `kgstore.verifier.kg.protocol.KnowledgeGraph`
    """

    takes: Callable[[Path], bool]
    home: str


BACKENDS = (Backend(is_remote, "kgstore.remote.graph:RemoteGraph"),)


def is_elsewhere(kg: Path | str | None) -> bool:
    """Is it no folder?"""
    return kg is not None and any(one.takes(Path(kg)) for one in BACKENDS)


def open_kg(kg: Path, report: Callable[[str], None] = lambda message: None, recount: bool = False) -> KG:
    """A graph for reading; ``sparql+http://host:port/path`` is one behind a server.

    :param report: told what takes long
    :param recount: count anew how the properties of a server's graph behave
    :raises StoreNotFound: if there is no such folder
    :raises EndpointFailed: if there is no such server
    """
    for one in BACKENDS:
        if one.takes(kg):
            module, _, opener = one.home.partition(":")
            return getattr(import_module(module), opener)(kg, report=report, anew=recount)
    from kgstore.store import Store

    return Store(kg)
