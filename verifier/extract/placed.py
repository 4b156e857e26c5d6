"""A place right behind a subject: "Springfield in Illinois was founded in 1821"."""

from __future__ import annotations

from verifier.extract.draft import is_entity, subjects
from verifier.extract.syntax import Sentence
from verifier.extract.tree import attach

_FINITE = ("VBZ", "VBD", "VBP", "MD")


def placed(sentence: Sentence) -> None:
    """Hang the place on the name before it, not on the verb, and the name on the verb if the parser lost it."""
    words = sentence.words
    some = [word for number, word in enumerate(words[:7]) if number > 4 or word.lower != "the"][:4]
    if len(some) < 4:
        return
    name, of, place, verb = some
    if not (is_entity(name) and of.lower == "in" and is_entity(place)):
        return
    if verb.text == "," and of.head is name and name.dep.startswith("nsubj"):
        for clause in place.all("acl"):  # "Lee County in Florida, named after Lee, was ..."
            attach(clause, name, "acl")
    if verb.tag not in _FINITE:
        return
    main = verb.head if verb.dep in ("aux", "auxpass") and verb.head is not None else verb
    if main in name.subtree() or (name.dep.startswith("nsubj") and name.head is not main):
        return
    attach(of, name, "prep")
    attach(place, of, "pobj")
    for the in words[:5]:
        if the.lower == "the" and the.end < verb.start:
            attach(the, name if the.end <= name.start else place, "det")
    if not subjects(main):
        attach(name, main, "nsubjpass" if main.all("auxpass") else "nsubj")
