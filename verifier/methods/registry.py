"""The published methods, one option away: each decides the claims of a text in its own way.

A method is one file and one line here. The file has the function that its kind asks for: ``judged`` where claims are
decided against a KG (`GraphMethod`) or against a document (`DocumentMethod`), any name where texts are corrected
(`Rewriting`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from kgstore.verifier.claims import Claim, Mention, Passage, Verdict

if TYPE_CHECKING:
    from kgstore.verifier.document.parts import DocumentParts
    from kgstore.verifier.document.source import Document
    from kgstore.verifier.kg.align import Aligner
    from kgstore.verifier.kg.knowledge import Knowledge
    from kgstore.verifier.kg.protocol import KnowledgeGraph
    from kgstore.verifier.methods.graphcorrect import Detect, Rewritten
    from kgstore.verifier.protocols import ChatModel

AUTO = "auto"
"""All tiers together, see `kgstore.verifier.pipeline`; against a document the kernel and the judge together."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What there is under one name.

    :param graph: the module that decides against a KG, imported when it is asked for
    :param document: the module that decides against a document
    :param rewrites: the module and function that correct a text by a document (`Rewriting`)
    :param asks: a language model that is named is asked
    :param scored: its verdicts get the scores of `kgstore.verifier.methods.matching`
    """

    graph: str | None = None
    document: str | None = None
    rewrites: str | None = None
    asks: bool = False
    scored: bool = False


REGISTRY: Mapping[str, Entry] = {
    AUTO: Entry(document="document.combined"),
    "kernel": Entry(graph="methods.kea", document="document.graphs", asks=True),
    "factum": Entry(graph="methods.factum"),
    "claimver": Entry(graph="methods.claimver", asks=True, scored=True),
    "nli": Entry(document="document.judge_only"),
    "grapheval": Entry(document="document.triples"),
    "graphcorrect": Entry(rewrites="methods.graphcorrect:graphcorrect", asks=True),
    "published": Entry(rewrites="methods.graphcorrect:published", asks=True),
    "direct": Entry(rewrites="methods.graphcorrect:direct", asks=True),
}
METHODS = (AUTO, *(name for name, one in REGISTRY.items() if one.graph))
DOCUMENT_METHODS = tuple(name for name, one in REGISTRY.items() if one.document)
REWRITING = tuple(name for name, one in REGISTRY.items() if one.rewrites)


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What a method makes of the claims of one text.

    :param verdicts: in reading order, one a claim; of a method that takes the text apart itself, one each of its own
    :param scores: of the whole text: ``kas``, ``fd``, ``kernel``, as far as the method has them
    :param notices: what was done otherwise than asked, or left out
    """

    verdicts: tuple[Verdict, ...]
    scores: dict[str, float | None] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


class _Names(Protocol):
    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The names, dates and amounts in a text; names come with the entities that they may mean."""


class VerifierParts(Protocol):
    """What a method may use of the verifier that runs it, `kgstore.verifier.pipeline.Verifier`."""

    @property
    def store(self) -> KnowledgeGraph: ...

    @property
    def knowledge(self) -> Knowledge: ...

    @property
    def aligner(self) -> Aligner: ...

    @property
    def rules(self) -> _Names: ...

    @property
    def language_model(self) -> ChatModel | None: ...

    def claims(self, text: str) -> list[Claim]:
        """What the text claims, with the entities that its names may mean."""

    def verdicts(self, text: str, claims: Sequence[Claim], passages: Sequence[Passage] = ()) -> list[Verdict]:
        """What all tiers together make of claims."""

    def judge(self, claim: Claim) -> Verdict:
        """The verdict of the rules on one claim."""


class GraphMethod(Protocol):
    """Decides the claims of one text against the verifier's graph."""

    def __call__(self, text: str, claims: Sequence[Claim], verifier: VerifierParts) -> MethodResult: ...


class DocumentMethod(Protocol):
    """Decides what a text says by a document; finds the claims in its own way."""

    def __call__(self, text: str, document: Document, parts: DocumentParts) -> MethodResult: ...


class Rewriting(Protocol):
    """Corrects a text by a document with a language model."""

    def __call__(self, text: str, document: Document, detect: Detect, model: ChatModel) -> Rewritten: ...


def open_method(name: str) -> GraphMethod:
    """:param name: one of `METHODS` other than ``auto``"""
    return import_module(f"kgstore.verifier.{REGISTRY[name].graph}").judged


def open_document_method(name: str) -> DocumentMethod:
    """:param name: one of `DOCUMENT_METHODS`"""
    return import_module(f"kgstore.verifier.{REGISTRY[name].document}").judged


def open_rewriting(name: str) -> Rewriting:
    """:param name: one of `REWRITING`"""
    module, _, function = (REGISTRY[name].rewrites or "").partition(":")
    return getattr(import_module(f"kgstore.verifier.{module}"), function)
