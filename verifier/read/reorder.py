"""Sentences in another order than usual, put into the usual one: the tree changes, the offsets stay.

"It was in Ulm that A was born", "1955 saw the death of A" say what a plain sentence could say.
Every shape here edits the copy that it is given; `kgstore.verifier.read.shapes` has their order.
"""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import COPULA, HEDGES, NEGATIONS, Is, is_date, subjects
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.tree import attach, loosen

_TIMES = words("nouns.times")
_MARKS = words("pronouns.relative")
_WITNESSING = words("verbs.witnessing")
_SPANS = words("nouns.spans")
_CLAUSES = ("ccomp", "advcl", "relcl", "acl", "csubj")


def name_as_root(sentence: Sentence, _: Is) -> Sentence | None:
    """ "Germany and Norway are countries", where the parser makes a name the main word."""
    root = sentence.root
    for verb in root.all("auxpass", "aux") if root.mention is not None and root.mention.value is None else ():
        if verb.lower in COPULA and verb.all("attr", "acomp", "prep") and verb.start >= root.end:
            _as_root(verb)
            attach(root, verb, "nsubj")
            return replace(sentence, root=verb)
    return None


def lost_subject(sentence: Sentence, _: Is) -> None:
    """ "Germany has ...", where the parser takes a name in front for an adverb."""
    for word in sentence.words:
        _lost_subject(word)


def interval(sentence: Sentence, _: Is) -> None:
    """ "opened in 1862, one year after its founding in 1861": it opened in 1862."""
    for word in sentence.words:
        _interval(word)


def cleft(sentence: Sentence, _: Is) -> Sentence | None:
    """ "It was in Ulm that A was born", "It was B who directed A"."""
    return _led_by(sentence, _cleft(sentence.root))


def reduced(sentence: Sentence, _: Is) -> Sentence | None:
    """ "The person married to A was born in B", read as if the person had married: the second verb is the main one."""
    return _led_by(sentence, _reduced(sentence.root))


def year_first(sentence: Sentence, _: Is) -> Sentence | None:
    """ "1955 saw the death of A" is "the death of A was 1955"; "1955 saw A win B" is "A won B in 1955"."""
    return _led_by(sentence, _year_first(sentence.root))


# -- the shapes -------------------------------------------------------------------------------------------------------


def _led_by(sentence: Sentence, root: Word | None) -> Sentence | None:
    """The sentence with that main word, without the words that hang on nothing."""
    if root is None:
        return None
    words = [word for word in sentence.words if word is root or word.head is not None]
    return replace(sentence, words=words, root=root)


def _cleft(root: Word) -> Word | None:
    if root.lower not in COPULA or not any(word.lower == "it" for word in subjects(root)):
        return None
    focus = next(
        (word for word in root.children if word.dep in ("attr", "acomp", "prep", "npadvmod", "advmod", "dobj", "oprd")),
        None,
    )
    if focus is None or not any(word.mention is not None for word in focus.subtree()):
        return None
    beside = (root, focus, *(focus.all("pobj") if focus.dep == "prep" else ()))
    clause, mark = next(
        (
            (word, mark)
            for holder in beside
            for word in holder.all(*_CLAUSES)
            if (mark := _mark(word)) is not None and mark.start > focus.start
        ),
        (None, None),
    )
    if clause is None or mark is None:
        return None
    loosen(clause)
    loosen(focus)
    for word in root.all("neg", "aux", "advmod"):
        if word.lower in NEGATIONS | HEDGES:
            attach(word, clause, word.dep)
    _fill(clause, mark, focus)
    return _as_root(clause)


def _reduced(root: Word) -> Word | None:
    subject = next((word for word in root.all("nsubj", "nsubjpass")), None)
    if (
        subject is None
        or subject.mention is not None
        or root.tag not in ("VBD", "VBN", "JJ")
        or root.all("aux", "auxpass")
    ):
        return None
    for verb in root.all("ccomp", "xcomp"):
        finite = verb.tag in ("VBD", "VBZ") or any(word.tag in ("VBD", "VBZ") for word in verb.all("aux", "auxpass"))
        if not finite or subjects(verb) or verb.all("mark") or verb.start < root.end:
            continue
        loosen(verb)
        for name in root.all("advmod", "npadvmod", "dep"):
            if name.mention is not None and name.end <= root.start:
                name.dep = "nsubj"  # "the husband whom Ann Smith married"
        attach(subject, verb, "nsubj")
        attach(root, subject, "acl")
        return _as_root(verb)
    return None


def _year_first(root: Word) -> Word | None:
    if root.lower not in _WITNESSING:
        return None
    subject = next((word for word in root.all("nsubj")), None)
    year = _year_of(subject) if subject is not None else None
    if subject is None or year is None:
        return None
    loosen(year)
    for noun in root.all("dobj"):
        if noun.mention is None:
            loosen(subject)
            noun.dep = "nsubj"
            root.text = "was"
            attach(year, root, "attr")
            return root
    for clause in root.all("ccomp", "xcomp"):
        if subjects(clause):
            loosen(clause)
            _under_preposition(year, clause, "in")
            return _as_root(clause)
    return None


def _year_of(subject: Word) -> Word | None:
    """The date that a subject is: "1955", "the year 1955"."""
    if is_date(subject):
        return subject
    if subject.lower in _TIMES:
        return next((word for word in subject.children if is_date(word)), None)
    return None


def _lost_subject(root: Word) -> None:
    if root.tag not in ("VBZ", "VBD", "VBP") or subjects(root) or root.dep not in ("ROOT", "conj", "advcl", "ccomp"):
        return
    before = [
        word for word in root.children if word.end <= root.start and word.dep not in ("punct", "cc", "mark", "preconj")
    ]
    names = [word for word in before[-1:] if word.mention is not None and word.mention.value is None]
    if (
        names
        and all(word.dep in ("advcl", "prep", "advmod") for word in before[:-1])
        and (
            names[0].dep in ("advmod", "npadvmod", "compound", "dep", "amod", "nmod")
            or (root.lower in COPULA and names[0].dep in ("attr", "acomp") and len(root.all("attr", "acomp")) > 1)
        )
    ):
        names[0].dep = "nsubj"


def _interval(span: Word) -> None:
    head = span.head
    if head is None or span.dep != "npadvmod" or span.lower.split()[-1] not in _SPANS:
        return
    apart = ("after", "before")
    if any(way.lower in apart for way in span.all("prep")) or any(mark.lower in apart for mark in head.all("mark")):
        loosen(span)
    elif head.lower in apart and head.dep == "prep":
        loosen(head)


# -- changes of the tree ----------------------------------------------------------------------------------------------


def _mark(clause: Word) -> Word | None:
    """The word that ties a clause to what stands before it; also inside "in which"."""
    for word in clause.children:
        if word.lower in _MARKS and word.start < clause.start:
            return word
    for preposition in clause.all("prep"):
        for word in preposition.all("pobj"):
            if word.lower in _MARKS and word.start < clause.start:
                return word
    return None


def _fill(clause: Word, mark: Word, focus: Word) -> None:
    """``focus`` takes the place in the clause that its mark holds."""
    holder = mark.head
    loosen(mark)
    if focus.dep == "prep":
        attach(focus, clause, "prep")
    elif mark.dep in ("nsubj", "nsubjpass"):
        attach(focus, clause, mark.dep)
    elif mark.dep == "pobj" and holder is not None:
        attach(focus, holder, "pobj")
    elif mark.lower in ("where", "when") or is_date(focus):
        _under_preposition(focus, clause, "in")
    elif not subjects(clause):
        attach(focus, clause, "nsubj")
    elif (hanging := next((word for word in clause.all("prep") if not word.all("pobj")), None)) is not None:
        attach(focus, hanging, "pobj")
    else:
        attach(focus, clause, "dobj")


def _under_preposition(word: Word, verb: Word, preposition: str) -> None:
    """The preposition has no place in the text; it stands where its object begins."""
    between = Word(word.start, word.start, preposition, "IN", "prep", inserted=True)
    attach(between, verb, "prep")
    attach(word, between, "pobj")


def _as_root(word: Word) -> Word:
    loosen(word)
    word.dep = "ROOT"
    return word
