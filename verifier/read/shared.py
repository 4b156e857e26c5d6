"""What joined words share: "the capital and largest city of Norway", "written and directed by Ann Smith"."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from kgstore.verifier.read.draft import COPULA, Is
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.tree import attach


def shared(sentence: Sentence, _: Is) -> None:
    """Give both of two joined nouns the "of" that stands behind the second, whichever the parser hangs it on."""
    for noun in sentence.words:
        _first_of_two(noun)
    for noun in sentence.words:
        for other in noun.all("conj"):
            if _plain(noun) and _plain(other) and not other.all("det", "poss") and noun.dep.startswith("nsubj"):
                for owner in noun.all("poss"):  # "Sweden's capital and largest city"
                    _add(owner, other)
            joined = [word.lower for word in noun.all("cc", "punct") if noun.end < word.start < other.start]
            most = any(_is_superlative(word) for word in other.all("amod"))
            the = any(word.lower == "the" for word in noun.all("det")) or (most and noun.dep == "pobj")
            own = other.all("poss") or (other.all("det") and not (most and noun.dep in ("attr", "appos")))
            if joined != ["and"] or not the or own or not _plain(noun) or not _plain(other):
                continue  # not "an actor and lover of art"
            ways = ("of", "in") if most else ("of",)
            whose = [(one, of) for one in (noun, other) for of in one.all("prep") if of.lower in ways]
            if len(whose) == 1 and whose[0][1].start > other.end:
                one, of = whose[0]
                _add(of, noun if one is other else other)


def apart(sentence: Sentence, _: Is) -> None:
    """ "is the capital of A and the largest city in B" says two things, each with a verb of its own."""
    for verb in list(sentence.words):
        for noun in verb.all("attr") if verb.lower in COPULA else ():
            for other in noun.all("conj"):
                first, second = ([one for one in word.all("prep") if one.all("pobj")] for word in (noun, other))
                most = other.tag == "JJS" and bool(other.all("det"))  # "the closest to the Sun"
                plain = _plain(noun) and (_plain(other) or most)
                together = bool(first) and first[0].start > other.start  # "the capital and largest city of A"
                if not first or not second or not plain:
                    continue
                if together and not any(_is_superlative(word) for word in other.all("amod")):
                    continue
                _again(sentence, verb, other, "attr")


def agents(sentence: Sentence, _: Is) -> None:
    """Give each of joined participles the "by" that stands behind the last one: "written and directed by Ann Smith"."""
    for verb in reversed(sentence.words):
        if verb.tag != "VBN" or verb.all("prep", "agent", "dobj", "npadvmod", "oprd", "xcomp"):
            continue
        beside = verb.head.all("acl") if verb.dep == "acl" and verb.head is not None else []
        for other in (*verb.all("conj"), *(one for one in beside if one.start > verb.end)):
            if other.tag == "VBN" and not other.all("aux", "auxpass") and not verb.all("agent"):
                for by in other.all("agent"):
                    _add(by, verb)


def _again(sentence: Sentence, verb: Word, noun: Word, dep: str) -> None:
    """Give a noun a verb of its own, without extent: a copy of the one that it shares."""
    start = noun.subtree()[0].start
    again = Word(start, start, verb.text, verb.tag, "conj", inserted=True)
    attach(noun, again, dep)
    attach(again, verb, "conj")
    at = next(at for at, word in enumerate(sentence.words) if word.start >= start)
    cast("list[Word]", sentence.words).insert(at, again)  # of a copy, which can be changed


def _first_of_two(noun: Word) -> None:
    """ "the capital and third-largest city of Norway": the capital is joined to the city, and no part of its name."""
    other = noun.head
    if noun.dep != "nmod" or other is None or not _plain(noun) or not _plain(other) or noun.all("conj"):
        return
    most = [word for word in other.all("amod") if noun.end < word.start and _is_superlative(word)]
    if not most or not noun.all("cc") or other.head is None or noun.end > other.start:
        return
    attach(noun, other.head, other.dep)
    attach(other, noun, "conj")
    for word in other.all("det", "poss"):
        if word.end < noun.start:
            attach(word, noun, word.dep)


def _is_superlative(word: Word) -> bool:
    return word.tag == "JJS" or any(degree.tag == "RBS" for degree in word.all("advmod"))


def _plain(noun: Word) -> bool:
    return noun.mention is None and noun.tag in ("NN", "NNS")


def _add(word: Word, head: Word) -> None:
    """Hang a copy of a word, with all that depends on it, below a noun."""
    own = replace(word, head=head, children=[])
    head.children.append(own)
    head.children.sort(key=lambda child: child.start)
    for child in word.children:
        _add(child, own)
