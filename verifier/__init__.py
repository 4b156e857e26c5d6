"""Checks the claims of a text against a knowledge graph.

``from kgstore.verifier import Verifier`` and the values that it hands out are all that most programs need. Importing
this package loads none of the libraries behind it: each name is fetched when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgstore.verifier.claims import Claim as Claim
    from kgstore.verifier.claims import Label as Label
    from kgstore.verifier.claims import Verdict as Verdict
    from kgstore.verifier.pipeline import Verifier as Verifier
    from kgstore.verifier.report.report import Report as Report

_HOMES = {"Claim": "claims", "Label": "claims", "Report": "report.report", "Verdict": "claims", "Verifier": "pipeline"}
__all__ = ["Claim", "Label", "Report", "Verdict", "Verifier"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
