"""Texts corrected by documents with a language model: GraphCorrect and all that it needs, opened once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kgstore.embedding import load_embedder
from kgstore.errors import InputError
from kgstore.verifier.document.context import OpenExtractor
from kgstore.verifier.document.sentence_claims import left_out
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.methods.graphcorrect import Rewritten
from kgstore.verifier.methods.grapheval import Checked, flagged, grapheval
from kgstore.verifier.methods.registry import open_rewriting
from kgstore.verifier.protocols import Extractor
from kgstore.verifier.read.reading import Reading


class Rewriter:
    """Build one and keep it: the first text pays for loading.

    :param reading: the language model that corrects, and what finds the triples; the parser unless it says otherwise
    :param judge: who says what a document bears out, see `kgstore.verifier.judges.opening`
    :param method: one of `kgstore.verifier.methods.registry.REWRITING`
    :raises InputError: if no language model is named, or there is no judge
    :raises ModelMissing: if one that is named is not there
    """

    def __init__(
        self,
        reading: Reading,
        judge: str | Path | None = None,
        embedder: Path | None = None,
        method: str = "graphcorrect",
    ) -> None:
        model, named = reading.model(), open_judge(judge)
        if model is None:
            raise InputError("a document needs a language model to correct by it", "name one with --gguf or --llm")
        if named is None:
            raise InputError("a judge must say what a document bears out, and there is none", "name one with --judge")
        self.model, self.judge, self.method = model, named, open_rewriting(method)
        self._extractor: Extractor = reading.open(OpenExtractor(), model)
        self._embedder = load_embedder(embedder)
        self._last: Document | None = None

    def __call__(self, text: str, document: str) -> Rewritten:
        """The text, corrected by a document.

        :raises KgError: if the model cannot be asked
        """
        if self._last is None or self._last.text != document:
            self._last = Document(document, self._embedder)
        about, notices = self._last, dict[str, None]()

        def detect(said: str) -> list[Checked]:
            claims = self._extractor.extract(said)
            if said == text:
                notices.update(dict.fromkeys((*self._extractor.notices, *left_out(said, claims))))
            return flagged(grapheval(said, about, self.judge, claims=claims))

        done = self.method(text, about, detect, self.model)
        return replace(done, notices=tuple(notices))

    def close(self) -> None:
        """Let go of the language model."""
        self.model.close()
