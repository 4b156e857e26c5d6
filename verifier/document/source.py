"""A document that texts are checked against: its sentences, which of them are near a claim, and how they are quoted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from kgstore.embedding import Embedder
from kgstore.model import Literal, NamedNode, Statement
from kgstore.verifier.claims import Claim
from kgstore.verifier.document.open_facts import open_claims
from kgstore.verifier.document.verbatim import telling, words
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.llm.windows import Span, sentences, windows

SCHEME = "document:"
"""What evidence from a document has for an id: ``document:START-END``, offsets into its text."""
SUBJECT, SAYS = f"{SCHEME}text", f"{SCHEME}says"
LONGEST = 600
"""Characters of a sentence; a longer one (a table, a text without full stops) is cut at white space."""
Premise = tuple[int, ...]
"""Numbers of sentences that are read together, in the order of the document."""


class Document:
    """A text and its sentences. Nothing is embedded before it is asked for, and nothing twice.

    :param name: what reports call it
    """

    def __init__(self, text: str, embedder: Embedder, name: str = "the document") -> None:
        self.text, self.name = text, name
        self.embedder = Memory(embedder)
        self.spans: list[Span] = [
            piece for span in sentences(text) for piece in windows(text, [span], [span[1] - span[0]], LONGEST)
        ]
        self.sentences = [" ".join(text[start:end].split()) for start, end in self.spans]

    @cached_property
    def vectors(self) -> np.ndarray:
        """Of the sentences, float32 ``(n, dim)``."""
        return self.embedder.embed(self.sentences)

    def likeness(self, texts: Sequence[str]) -> np.ndarray:
        """Cosine of each text with each sentence, float32 ``(texts, sentences)``."""
        return self.embedder.embed(list(texts)) @ self.vectors.T

    @cached_property
    def claims(self) -> list[Claim]:
        """What the document says, in triples, read by the parser."""
        return open_claims(self.text)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Which words follow one another, in small letters."""
        every = words(self.text)
        return frozenset(zip(every, every[1:], strict=False))

    @cached_property
    def telling(self) -> list[list[str]]:
        """Of each sentence the words that say something, as `kgstore.verifier.document.verbatim.telling` has them."""
        return [telling(sentence) for sentence in self.sentences]

    @cached_property
    def neighbours(self) -> frozenset[tuple[str, str]]:
        """Which of them follow one another."""
        return frozenset(pairwise(chain.from_iterable(self.telling)))

    def number_at(self, offset: int) -> int:
        """The sentence in which (or after which) a character stands."""
        return max(0, bisect_right([start for start, _ in self.spans], offset) - 1)

    def read(self, premise: Premise) -> str:
        """The sentences of a premise as one text."""
        return " ".join(self.sentences[number] for number in premise)

    def overlapping(self, longest: int) -> list[Premise]:
        """Runs of neighbouring sentences of at most ``longest`` characters (a longer sentence is one run); each begins
        with the last sentence of the one before, where that fits.
        """
        runs: list[Premise] = []
        first = 0
        while first < len(self.sentences):
            last, size = first, len(self.sentences[first])
            while last + 1 < len(self.sentences) and size + 1 + len(self.sentences[last + 1]) <= longest:
                last += 1
                size += 1 + len(self.sentences[last])
            runs.append(tuple(range(first, last + 1)))
            if last + 1 == len(self.sentences):
                break
            first = last if last > first else last + 1
        return runs

    # -- as evidence --------------------------------------------------------------------------------------------------

    def statement(self, number: int) -> Statement:
        """The sentence as evidence: the document says it, at these offsets."""
        start, end = self.spans[number]
        said = Literal(self.text[start:end])
        return Statement(NamedNode(SUBJECT), NamedNode(SAYS), said, f"{SCHEME}{start}-{end}")

    def statements(self, subject: str, predicate: str | None = None, references: bool = False) -> list[Statement]:
        """All sentences, for a subject and predicate of our own; a report looks its evidence up here."""
        if subject != SUBJECT or predicate not in (None, SAYS):
            return []
        return [self.statement(number) for number in range(len(self.spans))]

    def label(self, iri: str) -> str:
        return {SUBJECT: self.name, SAYS: "says"}.get(iri, iri)
