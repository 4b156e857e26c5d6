"""What the methods share that check a text against a document."""

from __future__ import annotations

from dataclasses import dataclass

from kgstore.embedding import Embedder
from kgstore.errors import InputError
from kgstore.verifier.protocols import Extractor, Judge


@dataclass(frozen=True, slots=True)
class DocumentParts:
    """
    :param judge: None where there is none
    :param extractor: reads triples of texts, and of documents for the kernel
    """

    embedder: Embedder
    judge: Judge | None
    extractor: Extractor

    def needed(self, method: str) -> Judge:
        """The judge.

        :raises InputError: if there is none
        """
        if self.judge is None:
            raise InputError(f"the method {method} asks a judge, and there is none", "name one with --judge")
        return self.judge
