"""Words that the parser hangs on the wrong one: a cause on a date, "as its seat" on a town, "starring" on the star."""

from __future__ import annotations

from verifier.extract.draft import is_date
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach


def rehung(sentence: Sentence) -> None:
    """Hang on its verb what can belong to no other word."""
    for word in sentence.words:
        if word.dep == "prep":
            _behind_value(word)
            _behind_cause(word)
            _as_its(word)
        elif word.tag == "VBG" and word.dep == "amod":
            _lost_verb(sentence, word)


def _behind_value(of: Word) -> None:
    """ "died on 20 May 1506 of heart failure", "died in Oslo of heart failure"."""
    value = of.head
    if value is None or value.mention is None or value.dep != "pobj" or of.start < value.end or value.head is None:
        return
    verb = value.head.head
    if verb is not None and verb.tag.startswith("V") and (is_date(value) or _of_death(verb, of)):
        attach(of, verb, "prep")


def _behind_cause(on: Word) -> None:
    """ "died of heart failure on 20 May 1506", "died of heart failure in Oslo"."""
    noun, inner = on.head, on.all("pobj")
    if noun is None or noun.mention is not None or noun.dep != "pobj" or noun.head is None:
        return
    verb = noun.head.head
    if verb is None or not verb.tag.startswith("V") or not any(word.mention is not None for word in inner):
        return
    if _of_death(verb, noun.head) or (any(map(is_date, inner)) and not noun.all("det")):
        attach(on, verb, "prep")


def _of_death(verb: Word, of: Word) -> bool:
    return verb.lower in ("died", "dies") and of.lower in ("of", "from")


def _as_its(role: Word) -> None:
    """ "has Oslo as its capital": of the subject, not of Oslo."""
    value = role.head
    own = role.lower == "as" and any(noun.all("poss") for noun in role.all("pobj"))
    if own and value is not None and value.dep == "dobj" and value.head is not None:
        attach(role, value.head, "prep")


def _lost_verb(sentence: Sentence, verb: Word) -> None:
    """ "directed by A and starring B": the star is no conjunct of "directed"."""
    name = verb.head
    if name is None or name.mention is None or name.dep != "conj" or name.head is None:
        return
    before = sentence.words[sentence.words.index(verb) - 1]
    if name.head.tag.startswith("V") and before.text in ("and", ","):
        attach(verb, name.head, "conj")
        attach(name, verb, "dobj")
