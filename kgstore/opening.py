"""Opens whatever ``--kg`` names: a folder, or the address of a SPARQL endpoint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Union

from kgstore.remote.address import is_remote
from kgstore.store import Store

if TYPE_CHECKING:
    from kgstore.remote.graph import RemoteGraph

KG = Union[Store, "RemoteGraph"]


def open_kg(kg: Path, report: Callable[[str], None] = lambda message: None, recount: bool = False) -> KG:
    """A graph for reading; ``sparql+http://host:port/path`` is one behind a server.

    :param report: told what takes long
    :param recount: count anew how the properties of a server's graph behave
    :raises StoreNotFound: if there is no such folder
    :raises EndpointFailed: if there is no such server
    """
    if is_remote(kg):
        from kgstore.remote.graph import RemoteGraph

        return RemoteGraph(kg, report=report, anew=recount)
    return Store(kg)
