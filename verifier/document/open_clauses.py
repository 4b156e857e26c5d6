"""From the grammar of a sentence to facts in words, with no KG at hand: who, by which words, to what.

`verifier.read.clauses` reads a sentence for what a KG may hold, and leaves out the rest. Here nothing is known of
names and relations, and everything that is said shall be in some fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import CALLED, subjects
from kgstore.verifier.read.modality import modality
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrase_spans import joined, noun_phrase, span, verb_group

Said = tuple[str, list[Word], list[Word]]
"""Relation, the words that it takes up, tail."""

_LEADING = words("prepositions.leading")
"""Prepositions after which a verb goes on with what the one before began; "after" and "while" begin a fact anew."""
_BARE = {"VBD": "has", "VBN": "was"}
"""What stands before a verb without objects, so that it can be the tail: "The driver / has / died"."""
_RELATIVE = ("WDT", "WP", "WP$", "WRB")


@dataclass(frozen=True, slots=True, eq=False)
class OpenFact:
    """A fact in words of one sentence.

    :param head: the word that names the subject
    :param relation: the words between, as they are to be read
    :param tail: the words of the object, in text order
    :param heads: all words of the head, in text order
    """

    head: Word
    heads: tuple[Word, ...]
    relation: str
    tail: tuple[Word, ...]
    between: tuple[Word, ...] = ()
    negated: bool = False
    hedged: bool = False

    @property
    def span(self) -> tuple[int, int]:
        return span((*self.heads, *self.between, *self.tail))


def facts(sentence: Sentence) -> list[OpenFact]:
    """All facts of a sentence, in reading order."""
    found: list[OpenFact] = []
    for verb in _predicates(sentence):
        about = _about(verb)
        if about is not None:
            found += _clause(verb, about)
    for word in sentence.words:
        if word.tag.startswith("NN"):
            found += _appositions(word)
            found += _owners(word)
    return sorted(_distinct(found), key=lambda fact: (fact.span[0], fact.tail[0].start))


def _predicates(sentence: Sentence) -> list[Word]:
    """Verbs that say something of a subject; those that another verb takes along ("wants to leave") are part of it."""
    return [
        word
        for word in sentence.words
        if word.tag.startswith(("V", "MD"))
        and word.dep not in ("aux", "auxpass", "amod", "compound", "csubj")
        and not _taken_along(word)
        and not (word.dep == "acl" and word.head is not None and word.end <= word.head.start)
    ]


def _taken_along(verb: Word) -> bool:
    above = verb.head.head if verb.dep == "pcomp" and verb.head is not None else verb.head
    return above is not None and _goes_on(above) is verb


def _about(verb: Word) -> list[Word] | None:
    """The subjects of a clause, also where they stand with another verb or before a relative clause."""
    own = [word for word in subjects(verb) if word.dep != "expl"]
    if own and own[0].tag not in _RELATIVE:
        return [own[0]] if own[0].dep == "csubj" else joined(own[0])
    head = verb.head
    if verb.dep in ("relcl", "acl") and head is not None:
        relative = bool(own) or verb.tag in ("VBN", "VBG")  # "that won it", "born in Oslo"; not "the cup that he won"
        return [head] if relative and head.tag.startswith(("NN", "PRP", "DT", "CD")) else None
    if own or verb.dep not in ("conj", "advcl", "pcomp", "xcomp", "dep", "parataxis"):
        return None
    while head is not None and not head.tag.startswith(("V", "MD")):
        head = head.head
    return None if head is None or head is verb else _about(head)


def _clause(verb: Word, about: list[Word]) -> Iterator[OpenFact]:
    negated, hedged = modality(verb)
    told = list(_arguments(verb)) or list(_alone(verb))
    for subject in about:
        below = subject.subtree() if subject.dep == "csubj" else noun_phrase(subject, [verb] * (subject is verb.head))
        for relation, between, tail in told:
            yield OpenFact(subject, tuple(below), relation, tuple(tail), tuple(between), negated, hedged)


def _arguments(verb: Word) -> Iterator[Said]:
    """What a verb says: its objects, and then what its prepositions and times add to verb and object together."""
    between: list[Word] = []
    relation = "was" if verb.tag == "VBN" and verb.dep in ("acl", "advcl") and not verb.all("auxpass", "aux") else ""
    at: Word | None = verb
    while at is not None:
        between = [*between, *verb_group(at)]
        relation = f"{relation} {_words(verb_group(at))}".strip()
        objects = _objects(at)
        for one in objects:
            for item in joined(one):
                yield relation, between, noun_phrase(item)
        if objects:
            between = [*between, *noun_phrase(objects[0])]
            relation = f"{relation} {_words(noun_phrase(objects[0]))}"
        goes_on = _goes_on(at)
        for way in at.all("prep", "agent", "dative"):
            if way.lower != "according" and (goes_on is None or goes_on.head is not way):
                yield from _way(way, relation, between)
        for time in at.all("npadvmod"):
            yield relation, between, noun_phrase(time)
        if goes_on is not None and goes_on.head is not at and goes_on.head is not None:
            between, relation = [*between, goes_on.head], f"{relation} {goes_on.head.lower}"
        at = goes_on


def _goes_on(verb: Word) -> Word | None:
    """The verb that this one takes along: "wants to leave", "admitted stealing", "is aimed at protecting"."""
    for inner in verb.all("xcomp", "ccomp"):
        if inner.tag.startswith("V") and not subjects(inner) and (inner.dep == "xcomp" or inner.tag == "VBG"):
            return inner
    for way in verb.all("prep"):
        for inner in way.all("pcomp"):
            if way.lower in _LEADING and inner.tag == "VBG":
                return inner
    return None


def _objects(verb: Word) -> list[Word]:
    plain = [one for one in verb.all("dobj", "attr", "oprd", "dative") if one.tag not in (*_RELATIVE, "IN")]
    adjectives = [one for one in verb.all("acomp", "xcomp") if not one.tag.startswith("V")]
    return [*plain, *adjectives]


def _way(way: Word, relation: str, between: list[Word]) -> Iterator[tuple[str, list[Word], list[Word]]]:
    for inner in way.all("pobj"):
        for item in joined(inner):
            if item.tag not in _RELATIVE:
                yield f"{relation} {way.lower}", [*between, way], noun_phrase(item)
    for further in (*way.all("prep"), *way.all("conj")):
        joint = further if further.dep == "conj" else way
        lead = relation if joint is further else f"{relation} {way.lower}"
        yield from _way(further, lead, [*between, way])


def _alone(verb: Word) -> Iterator[Said]:
    """A verb that takes nothing along: "was injured", "has died"."""
    if any(subjects(one) for one in verb.all("ccomp")):
        return  # what is said stands for itself
    group = verb_group(verb)
    adverbs = [one for one in verb.all("advmod", "acomp") if one not in group and one.start > verb.start]
    helpers = [word for word in group if word.dep in ("aux", "auxpass", "neg") and word.lower != "to"]
    if helpers and helpers[0].start < verb.start:
        rest = [word for word in group if word not in helpers]
        yield _words(helpers), helpers, sorted([*rest, *adverbs], key=lambda one: one.start)
    elif adverbs:
        yield _words(group), group, adverbs
    elif verb.lower not in CALLED:
        yield _BARE.get(verb.tag, "does"), [], group


def _appositions(name: Word) -> Iterator[OpenFact]:
    """ "Ann Smith, a Polish chemist," says that she is one; "the singer Ann Smith" says it the other way round."""
    for noun in name.all("appos"):
        if noun.tag.startswith("NN") and noun.start > name.start:
            heads, tail = noun_phrase(name), noun_phrase(noun)
            yield OpenFact(name, tuple(heads), "is", tuple(tail))


def _owners(noun: Word) -> Iterator[OpenFact]:
    """ "Ann Smith's husband Bob" names a husband of hers."""
    for owner in noun.all("poss"):
        heads = tuple(noun_phrase(owner, owner.all("case")))
        for name in noun.all("appos"):
            if name.tag.startswith("NNP") and not noun.tag.startswith("NNP"):
                yield OpenFact(owner, heads, _words([noun]), tuple(noun_phrase(name)), (noun,))
        for role in noun.all("compound", "nmod"):
            if noun.tag.startswith("NNP") and role.tag == "NN":
                name_alone = noun_phrase(noun, [role, owner])
                yield OpenFact(owner, heads, role.lower, tuple(name_alone), (role,))


def _words(words: list[Word]) -> str:
    return " ".join(word.lower if word.tag != "NNP" else word.text for word in words)


def _distinct(found: list[OpenFact]) -> Iterator[OpenFact]:
    seen = set()
    for fact in found:
        key = fact.head.start, fact.relation, fact.tail[0].start, fact.tail[-1].end
        if key not in seen:
            seen.add(key)
            yield fact
