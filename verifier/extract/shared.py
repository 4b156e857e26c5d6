"""What two joined nouns share: "the capital and largest city of Norway" is of Norway twice."""

from __future__ import annotations

from dataclasses import replace

from verifier.extract.syntax import Sentence, Word


def shared(sentence: Sentence) -> None:
    """Give both of two joined nouns the "of" that stands behind the second, whichever the parser hangs it on."""
    for noun in sentence.words:
        for other in noun.all("conj"):
            joined = [word.lower for word in noun.all("cc", "punct") if noun.end < word.start < other.start]
            the = any(word.lower == "the" for word in noun.all("det")) and not other.all("det", "poss")
            if joined != ["and"] or not the or not _plain(noun) or not _plain(other):  # not "an actor and lover of art"
                continue
            whose = [(one, of) for one in (noun, other) for of in one.all("prep") if of.lower == "of"]
            if len(whose) == 1 and whose[0][1].start > other.end:
                one, of = whose[0]
                _add(of, noun if one is other else other)


def _plain(noun: Word) -> bool:
    return noun.mention is None and noun.tag in ("NN", "NNS")


def _add(word: Word, head: Word) -> None:
    """Hang a copy of a word, with all that depends on it, below a noun."""
    own = replace(word, head=head, children=[])
    head.children.append(own)
    head.children.sort(key=lambda child: child.start)
    for child in word.children:
        _add(child, own)
