"""An embedded knowledge graph database: triples in Oxigraph, names and counts in DuckDB, vectors in FAISS.

``from kgstore import Store`` is all that most programs need. Importing this package loads none of those libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgstore.store import Store as Store
    from kgstore.writer import StoreWriter as StoreWriter

__all__ = ["Store", "StoreWriter"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "Store":
        from kgstore.store import Store

        return Store
    if name == "StoreWriter":
        from kgstore.writer import StoreWriter

        return StoreWriter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
