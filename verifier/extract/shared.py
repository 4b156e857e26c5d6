"""What joined words share: "the capital and largest city of Norway", "written and directed by Ann Smith"."""

from __future__ import annotations

from dataclasses import replace

from verifier.extract.draft import COPULA
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach


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


def apart(sentence: Sentence) -> None:
    """ "is the capital of A and the largest city in B" says two things, each with a verb of its own."""
    for verb in list(sentence.words):
        for noun in verb.all("attr") if verb.lower in COPULA else ():
            for other in noun.all("conj"):
                first, second = ([one for one in word.all("prep") if one.all("pobj")] for word in (noun, other))
                if not first or not second or first[0].start > other.start or not (_plain(noun) and _plain(other)):
                    continue
                start = other.subtree()[0].start
                again = Word(start, start, verb.text, verb.tag, "conj")
                attach(other, again, "attr")
                attach(again, verb, "conj")
                sentence.words.insert(next(at for at, word in enumerate(sentence.words) if word.start >= start), again)


def agents(sentence: Sentence) -> None:
    """Give each of joined participles the "by" that stands behind the last one: "written and directed by Ann Smith"."""
    for verb in reversed(sentence.words):
        if verb.tag != "VBN" or verb.all("prep", "agent", "dobj", "npadvmod", "oprd", "xcomp"):
            continue
        beside = verb.head.all("acl") if verb.dep == "acl" and verb.head is not None else []
        for other in (*verb.all("conj"), *(one for one in beside if one.start > verb.end)):
            if other.tag == "VBN" and not other.all("aux", "auxpass") and not verb.all("agent"):
                for by in other.all("agent"):
                    _add(by, verb)


def _plain(noun: Word) -> bool:
    return noun.mention is None and noun.tag in ("NN", "NNS")


def _add(word: Word, head: Word) -> None:
    """Hang a copy of a word, with all that depends on it, below a noun."""
    own = replace(word, head=head, children=[])
    head.children.append(own)
    head.children.sort(key=lambda child: child.start)
    for child in word.children:
        _add(child, own)
