"""The published methods, one option away: each decides the claims that the shared parts found, in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from kgstore.verifier.claims import Claim, Verdict

if TYPE_CHECKING:
    from kgstore.verifier.pipeline import Verifier

AUTO = "auto"
"""All tiers together, see `kgstore.verifier.pipeline`."""

_HOMES: dict[str, str] = {
    "kernel": "kgstore.verifier.methods.kea",
    "factum": "kgstore.verifier.methods.factum",
    "claimver": "kgstore.verifier.methods.claimver",
}
"""The module that holds each other method, as its function ``judged``; imported when it is asked for."""

METHODS = (AUTO, *_HOMES)

MATCHING = ("claimver",)
"""Methods whose verdicts are scored by `kgstore.verifier.methods.matching`."""

REWRITING = ("graphcorrect", "published", "direct")
"""Ways to correct a text by a document, see `kgstore.verifier.methods.graphcorrect`."""

ASKING = ("kernel", "claimver", *REWRITING)
"""Methods that ask a language model, where one is named."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a method makes of the claims of one text.

    :param verdicts: in reading order, one a claim; of a method that takes the text apart itself, one each of its own
    :param scores: of the whole text: ``kas``, ``fd``, ``kernel``, as far as the method has them
    :param notices: what was done otherwise than asked, or left out
    """

    verdicts: tuple[Verdict, ...]
    scores: dict[str, float | None] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


class Method(Protocol):
    """Decides the claims of one text against the verifier's store."""

    def __call__(self, text: str, claims: Sequence[Claim], verifier: Verifier) -> Judged: ...


def open_method(name: str) -> Method:
    """:param name: one of `METHODS` other than ``auto``"""
    return import_module(_HOMES[name]).judged
