"""A text checked against a document in place of a KG, or before one: what the document leaves open a KG may decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from time import perf_counter

from kgstore.embedding import Embedder, load_embedder
from kgstore.model import Statement
from kgstore.verifier.claims import Claim, Label, Verdict
from kgstore.verifier.document.open_facts import open_claims
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.sentence_claims import as_written
from kgstore.verifier.document.source import SUBJECT, Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.claims import unlinked
from kgstore.verifier.llm.reply import is_question
from kgstore.verifier.llm.windows import sentences
from kgstore.verifier.methods.registry import AUTO, open_document_method
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.protocols import Extractor, Judge
from kgstore.verifier.read.coverage import Outline, Stretch, coverage
from kgstore.verifier.read.forms import QUESTION
from kgstore.verifier.read.markup import plain
from kgstore.verifier.read.proposition import Proposition
from kgstore.verifier.read.reading import Reading
from kgstore.verifier.report.report import Report
from kgstore.verifier.report.scores import attribution, claim_score


class OpenExtractor:
    """`open_facts` as an extractor; a language model's claims may stand in its place or beside its own."""

    notices: tuple[str, ...] = ()

    def extract(self, text: str) -> list[Claim]:
        return open_claims(text)

    def linked(self, text: str, propositions: Sequence[Proposition]) -> list[Claim]:
        """The claims as they are: there is no KG to link them to."""
        return [unlinked(text, one) for one in propositions]


class Sources:
    """Where the evidence of a report comes from: a document, and a KG if there is one."""

    def __init__(self, document: Document, store: KnowledgeGraph | None = None) -> None:
        self.document, self.store = document, store

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        if subject == SUBJECT or self.store is None:
            return self.document.statements(subject, predicate)
        return self.store.statements(subject, predicate, references)

    def label(self, iri: str) -> str:
        named = self.document.label(iri)
        return named if named != iri or self.store is None else self.store.label(iri)


class ContextVerifier:
    """Checks texts against documents. Build one and keep it: the first text pays for loading, the others do not.

    :param reading: what finds the triples; the parser unless given
    :param judge: who says whether a sentence follows, see `kgstore.verifier.judges.opening`
    :param method: one of `kgstore.verifier.methods.registry.DOCUMENT_METHODS`
    :param verifier: of the KG that is asked about what a document leaves open; None for documents alone
    :raises ModelMissing: if a model that was asked for is not there
    """

    def __init__(
        self,
        reading: Reading | None = None,
        judge: str | Path | None = None,
        method: str = AUTO,
        verifier: Verifier | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.named_judge, self.method, self.verifier = judge, method, verifier
        self.reading = reading or Reading()
        self._embedder = embedder
        self._last: Document | None = None

    @cached_property
    def parts(self) -> DocumentParts:
        """Loaded when the first text comes."""
        judge: Judge | None = open_judge(self.named_judge)
        extractor: Extractor = self.reading.open(OpenExtractor())
        return DocumentParts(self._embedder or load_embedder(), judge, extractor)

    def document(self, text: str, name: str = "the document") -> Document:
        """A document, the last one again if it is the same."""
        if self._last is None or (self._last.text, self._last.name) != (text, name):
            self._last = Document(text, self.parts.embedder, name)
        return self._last

    def verify(self, text: str, document: Document, id: str | None = None) -> Report:
        """A report on every claim of the text, in reading order; for its JSON form see `sources`."""
        start = perf_counter()
        found = open_document_method(self.method)(plain(text, titles=False), document, self.parts)
        notices = (*self.parts.extractor.notices, *found.notices)
        decided = perf_counter()
        known = None if self.verifier is None else self.verifier.verify(text)
        verdicts = tuple(replace(one, claim=as_written(text, one.claim)) for one in found.verdicts)
        verdicts = verdicts if known is None else _joined(verdicts, known.verdicts)
        done = perf_counter()
        return Report(
            text,
            verdicts,
            known.entities if known else (),
            known.kg if known else {},
            {"kas": _kas(verdicts), **found.scores},
            {
                "document": round(1000 * (decided - start), 2),
                "kg": round(1000 * (done - decided), 2),
                "total": round(1000 * (done - start), 2),
            },
            id,
            (*notices, *(known.notices if known else ())),
            coverage(_outline(text), [verdict.claim for verdict in verdicts]),
        )

    def sources(self, document: Document) -> Sources:
        """Where `kgstore.verifier.report.report.report_dict` looks up the evidence of a report of ours."""
        return Sources(document, None if self.verifier is None else self.verifier.store)


def _outline(text: str) -> Outline:
    """The sentences of a text as `sentence_claims` has them; there is no KG that could know its names."""
    bare = plain(text, titles=False)
    spans = sentences(bare)
    kinds = (QUESTION if is_question(bare[start:end]) else "" for start, end in spans)
    return Outline(text, tuple(Stretch(*span, kind) for span, kind in zip(spans, kinds, strict=True)), None)


def _joined(verdicts: Sequence[Verdict], known: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The document's verdicts, and the KG's where it decides what the document leaves open: in place of the document's
    if they speak of the same words, beside it if the KG decides only a part of them.
    """
    kept: list[Verdict] = []
    for verdict in verdicts:
        inside = [one for one in known if _part(one.claim, verdict.claim) and one.label is not Label.EXTRAPOLATORY]
        if verdict.label is not Label.EXTRAPOLATORY or not any(_whole(one.claim, verdict.claim) for one in inside):
            kept.append(verdict)
        if verdict.label is Label.EXTRAPOLATORY:
            kept += [one for one in inside if one not in kept]
    return tuple(sorted(kept, key=lambda one: one.claim.start))


def _part(one: Claim, claim: Claim) -> bool:
    """Is what the one says among what the other says?"""
    return claim.start <= one.start and one.end <= claim.end + 1  # with or without the full stop


def _whole(one: Claim, claim: Claim) -> bool:
    """Does a part of a claim take up all its words, but for the full stop?"""
    return one.start == claim.start and one.end >= claim.start + len(claim.text.rstrip(" .!?;"))


def _kas(verdicts: Sequence[Verdict]) -> float | None:
    """ClaimVer's KAS, with each verdict's own probability in place of the triplets match."""
    if not verdicts:
        return None
    return attribution((one.confidence, claim_score(one.label, len(one.evidence))) for one in verdicts)
