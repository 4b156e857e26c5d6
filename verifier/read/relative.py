"""Relative clauses that the parser hangs on the wrong noun, or that say something of their place."""

from __future__ import annotations

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import Is, is_date, is_entity, subjects
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.tree import attach, loosen

_WHICH = ("WDT", "WP")
_SINGULAR, _PLURAL = frozenset(("was", "is", "has", "does")), frozenset(("were", "are", "have", "do"))
_ONE = words("articles.of_one")


def relative(sentence: Sentence, _: Is) -> None:
    """Mend the relative clauses of a sentence."""
    for word in list(sentence.words):
        if word.dep == "relcl":
            clause = _verb_of(word)
            _agreeing(clause)
            _told_of(clause)


def _verb_of(name: Word) -> Word:
    """ "where A and B taught", where the parser takes the subject for the clause and "taught" for a conjunct of it."""
    verb = next((word for word in name.all("conj") if word.tag in ("VBD", "VBN")), None)
    place = name.head
    if not is_entity(name) or verb is None or place is None or not name.all("advmod"):
        return name
    attach(verb, place, "relcl")
    verb.tag = "VBD"
    for word in name.all("advmod"):
        attach(word, verb, "advmod")
    attach(name, verb, "nsubj")
    return verb


def _agreeing(clause: Word) -> None:
    """ "a series of seven episodes that was directed by A": what was directed is the series."""
    head = clause.head
    if head is None or not any(word.tag in _WHICH for word in subjects(clause)) or head.all("conj"):
        return
    finite = next((word for word in clause.all("aux", "auxpass") if word.tag != "MD"), clause)
    plural = finite.lower in _PLURAL or finite.tag == "VBP"
    if not plural and finite.lower not in _SINGULAR and finite.tag != "VBZ":
        return
    noun: Word | None = head
    while noun is not None and noun.dep == "pobj" and _plural(noun) != plural and noun.head is not None:
        noun = noun.head.head
    if noun is not None and noun is not head and noun.tag.startswith("NN") and _plural(noun) == plural:
        attach(clause, noun, "relcl")


def _plural(noun: Word) -> bool:
    return noun.tag in ("NNS", "NNPS") and not any(word.lower in _ONE for word in noun.all("det"))


def _told_of(clause: Word) -> None:
    """ "lived in Rome, where she died in 1950": she died in Rome, and in 1950. "The Rhine, which Caesar crossed in 55
    BC, ...": he crossed the Rhine.
    """
    name = clause.head
    if name is not None and is_date(name):
        name = _place_before(name)
    if name is None or not is_entity(name) or clause.all("ccomp"):
        return
    verb = name.head
    while verb is not None and not verb.tag.startswith("V"):
        verb = verb.head
    word = _pronoun(clause)
    by = name.head is not None and name.head.lower == "by"
    if word is not None and by and word.lower == "which":
        return  # "is a painting by Ann Smith, which she began in 1503"
    if word is None or verb is None or verb is clause:
        return
    again = Word(name.start, name.end, name.text, name.tag, "pobj", name.mention)
    if word.lower == "where":
        word.text = name.head.lower if name.head is not None and name.head.lower in ("at", "on") else "in"
        word.tag, word.dep = "IN", "prep"
        attach(again, word, "pobj")
    else:
        above = word.head
        loosen(word)
        if above is not None and above is not clause:
            above.tag, above.dep = "IN", "prep"  # "to which she belongs": no infinitive
            attach(again, above, "pobj")
        else:
            attach(again, clause, "dobj")
    attach(clause, verb, "advcl")


def _pronoun(clause: Word) -> Word | None:
    """ "where", or the "which" that is not the subject; None where the clause has no subject of its own."""
    own = [word for word in subjects(clause) if word.tag not in _WHICH]
    if not own:
        return None
    for word in clause.children:
        inner = word.all("pobj") or [word]
        for one in inner:
            if one.start < own[0].start and (one.lower == "where" or one.tag in _WHICH and not one.children):
                return one
    return None


def _place_before(date: Word) -> Word | None:
    """ "moved to Vienna in 1781, where ..."."""
    verb = date.head.head if date.head is not None else None
    ways = verb.all("prep") if verb is not None else []
    places = [place for way in ways for place in way.all("pobj") if is_entity(place) and place.end <= date.start]
    return places[-1] if places else None
