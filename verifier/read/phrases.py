"""Reading noun phrases: whom a subject speaks of, and what a verb says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import (
    CALLED,
    RELEASED,
    VERBAL,
    Argument,
    Clause,
    Is,
    IsName,
    is_amount,
    is_date,
    noun_of,
    relation_words,
    subjects,
)
from kgstore.verifier.read.parse import Word
from kgstore.verifier.values.units import singular

_PART = words("nouns.part")
_LEADING = words("prepositions.owning")
_ANYBODY = words("nouns.anybody")
"""A clause behind these tells who is meant, not what else he is."""
_SINCE = words("adverbs.since")


class Phrases:
    """The rules for noun phrases, with what the KG knows of names and relation nouns."""

    def __init__(self, is_name: IsName, is_noun: Is, is_demonym: Is) -> None:
        self.is_name, self.is_noun, self.is_demonym = is_name, is_noun, is_demonym

    def subject(self, word: Word) -> tuple[Word | None, tuple[str | Clause, ...]]:
        """The word that names the subject, and the nouns from there to what the clause is about."""
        if word.mention is not None or word.tag in ("PRP", "EX"):
            return word, ()
        for counted in word.all("nummod"):
            if counted.mention is not None:
                return counted, ()
        for there in word.all("advmod"):
            if there.lower == "there":
                return there, (noun_of(word),)
        if (named := self._named_in(word)) is not None:
            return named
        if self.is_name(word) and not word.all("poss", "relcl", "acl") and not self._role(word):
            return word, ()
        for owner in word.all("poss"):
            if owner.lower == "whose":
                continue
            base, nouns = self.subject(owner)
            return base, self._fused(nouns, self.whole(word))
        if (owned := self._behind(word)) is not None:
            return owned
        for clause in word.all("relcl", "acl"):
            if (meant := self._meant(word, clause)) is not None:
                return meant
        return word, ()

    def _named_in(self, word: Word) -> tuple[Word, tuple[str | Clause, ...]] | None:
        """ "the actor Ann Smith" is she; of "the Acme building" one is told by what the KG calls a relation."""
        for inner in word.all("appos", "compound", "nmod", "amod"):
            if inner.mention is None or (inner.dep != "appos" and self.is_demonym(inner.text)):
                continue  # "the American actor" is no American
            if inner.dep == "appos" and word.tag == "NNP" and any(one.lower in ("a", "an") for one in inner.all("det")):
                continue  # "Smith, a Republican, ..."
            called = inner.dep == "appos" and word.all("poss") and inner.start <= word.end + 2  # "his wife Marcia"
            if inner.mention.value is None and (called or not word.all("poss", "prep")):
                before, noun = inner.dep != "appos" and inner.end <= word.start, noun_of(word)
                if before and not self.is_noun(noun):
                    continue  # "the Oslo town hall" is no Oslo
                return inner, (noun,) if self.is_noun(noun) and before else ()
        return None

    def _behind(self, word: Word) -> tuple[Word | None, tuple[str | Clause, ...]] | None:
        """ "the capital of Norway": Norway, and the noun that leads from there."""
        for preposition in word.all("prep"):
            if preposition.lower not in _LEADING:
                continue
            for inner in preposition.all("pobj"):
                whole = f"{noun_of(word)} {preposition.lower} {noun_of(inner)}"
                alone = not inner.all("prep", "poss", "appos") and not word.all("poss", "appos")
                if inner.mention is None and alone and self.is_noun(whole):
                    return word, ()  # "the cause of death", of whom the text is about
                base, nouns = self.subject(inner)
                for name in word.all("appos"):  # "the genre of the picture Alien"
                    if base is inner and inner.mention is None and name.mention is not None:
                        base = name
                if preposition.lower != "of" and (inner.mention is None or inner.mention.value is not None):
                    continue
                if word.lower in _PART and preposition.lower == "of" and nouns:
                    return base, nouns
                if base is not None and (
                    base.mention is not None
                    or base.tag.startswith("PRP")
                    or nouns
                    or self.is_noun(noun_of(word))
                    or any(the.lower in ("the", "this") for the in base.all("det"))  # "the plot of the film"
                ):
                    return base, self._fused(nouns, noun_of(word))
        return None

    def _meant(self, word: Word, clause: Word) -> tuple[Word, tuple[str | Clause, ...]] | None:
        """ "the person who directed A", "the city in which A was born": from A to whom the clause means."""
        words = clause.subtree()
        if aside(word, clause):
            return None
        inside = [item for item in words if item.mention is not None and item.mention.value is None]
        if not inside:
            inside = [
                item for item in words if item.tag == "PRP" and item.dep in ("dobj", "pobj", "nsubj", "nsubjpass")
            ]
        if len(inside) != 1:
            return None
        base = inside[0]
        for noun in word.all("appos"):
            if noun.mention is None and any(owner.tag == "PRP$" for owner in noun.all("poss")):
                return base, (self.whole(noun),)  # "the city from which A is governed, its capital"
        kept = [item for item in words if item is not base and item.dep not in ("det", "case", "nsubj", "punct")]
        phrase = " ".join(item.lower for item in (word, *kept))
        if self.is_noun(phrase):
            return base, (phrase,)
        about = subjects(clause)
        for owned in about:
            if any(owner.lower == "whose" for owner in owned.all("poss")):
                return base, (Clause(noun_of(owned), noun_of(word), True),)
        own = base in about
        if not own and any(item.tag not in ("WP", "WDT") for item in about):
            return None
        leading = [item for item in words if item.all("pobj") and item.all("pobj")[0].tag in ("WDT", "WP")]
        gone = {id(base), *map(id, leading), *(id(item) for item in words if item.tag in ("WDT", "WP", "WRB"))}
        relation = relation_words(item for item in words if id(item) not in gone)
        relation += [item.lower for item in leading]
        relation += ["in"] * any(item.lower == "where" for item in words)
        return base, (Clause(" ".join(relation), noun_of(word), not own),)

    def whole(self, word: Word) -> str:
        """The noun, with an "of" that belongs to it: "place of death"."""
        for preposition in word.all("prep"):
            for inner in preposition.all("pobj") if preposition.lower == "of" else ():
                if self.is_noun(f"{noun_of(word)} of {noun_of(inner)}"):
                    return f"{noun_of(word)} of {noun_of(inner)}"
        return noun_of(word)

    def _fused(self, nouns: tuple[str | Clause, ...], noun: str) -> tuple[str | Clause, ...]:
        """("birth",) and "date" make ("date of birth",) where that is the name of a relation."""
        if nouns and isinstance(nouns[-1], str):
            whole = f"{noun} of {nouns[-1]}"
            if self.is_noun(whole):
                return (*nouns[:-1], whole)
        return (*nouns, noun)

    def arguments(self, word: Word, path: tuple[Word, ...]) -> Iterator[Argument]:
        for child in word.children:
            if child.dep == "conj" and child.tag == "IN" and word.tag.startswith("V"):  # "not in Rome but in Oslo"
                for obj in child.all("pobj"):
                    yield from self._object(obj, (*path, child), child)
            if child.dep in ("prep", "agent", "dative") and child.tag in ("IN", "TO", "RP"):
                inner = child.all("pobj", "pcomp")
                for obj in inner:
                    for found in self._object(obj, (*path, child)):
                        own = (one for one in found.path if one is not child)
                        apart = _of_its_own(obj, child, word)
                        yield replace(found, relation=" ".join(relation_words(own))) if apart else found
                for other in child.all("conj"):
                    for obj in other.all("pobj"):
                        yield from self._object(obj, (*path, other), other)
                for further in child.all("prep") if inner and is_date(inner[0]) else ():  # "from 1971 to 1974"
                    for obj in further.all("pobj"):
                        yield Argument(obj, (*path, further))
                if not inner:
                    yield from self.arguments(child, (*path, child))
            elif child.dep == "npadvmod" and _is_later(child, word):
                continue
            elif child.dep in ("dobj", "attr", "oprd", "npadvmod", "dative", "dep", "appos") and word.dep != "appos":
                yield from self._object(child, path)
            elif child.dep in ("acomp", "xcomp", "advmod") and (child.dep != "advmod" or child.children):
                if child.mention is not None or child.tag.startswith("NN"):
                    yield from self._object(child, path)
                else:
                    yield from self.arguments(child, (*path, child))
            elif child.dep == "advcl" and child.tag in ("VBN", "VBG") and not subjects(child):
                for found in self.arguments(child, (*path, child)):  # "Born in Rome, Ann was a singer"
                    yield replace(found, relation=" ".join(relation_words(found.path)))

    def _object(self, word: Word, path: tuple[Word, ...], joined: Word | None = None) -> Iterator[Argument]:
        yield from self._one_object(word, path, joined)
        for other in word.all("appos"):
            if other.all("neg"):  # "in Rome, not Milan"
                yield Argument(other, path, joined=other)
        for conjunct in word.all("conj"):
            if not conjunct.tag.startswith("V"):
                yield from self._object(conjunct, path, conjunct)

    def objects(self, word: Word) -> Iterator[Argument]:
        """What a noun in apposition says, as if it stood after "is"."""
        yield from self._one_object(word, (), None)

    def _one_object(self, word: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[Argument]:
        through = list(self._through_relation(word, path))
        if through:
            for found in through:
                yield from self._object(found.word, found.path, joined)
            return
        counted = list(self._counted(word, path, joined))
        if counted or (counted := list(self._of_people(word, path, joined))):
            yield from counted
            return
        described = bool(word.all("relcl", "acl")) and word.dep in ("pobj", "dobj")
        if word.mention is not None or (self.is_name(word) and not self._role(word) and not described):
            yield Argument(word, path, joined=joined)
            if word.mention is None and word.dep in ("attr", "appos"):
                yield from _beside(word, path, joined)  # "is a film from France" says two things
            if word.mention is not None:
                for item in self.arguments(word, ()):
                    if is_date(item.word):
                        yield replace(item, path=(*path, *item.path))
                for year in filter(is_date, word.all("nummod")):  # "the 1921 Nobel Prize in Physics"
                    yield Argument(year, path, joined=joined)
            return
        if word.tag in ("VBG", "VBN") and word.dep == "pcomp":
            yield from self.arguments(word, (*path, word))
            return
        yield from self._common_object(word, path, joined)

    def _counted(self, word: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[Argument]:
        """ "won two Nobel Prizes", "is a 1935 film", "has 12 floors": the number is what is said."""
        for counted in word.all("nummod"):
            if word.mention is not None and is_amount(counted) and are_several(word.text):
                yield Argument(counted, path, joined=joined)  # "won two Nobel Prizes"
                return
            if word.mention is None and counted.mention is not None:
                if is_date(counted) and word.dep in ("attr", "appos"):  # "is a 1935 film"
                    yield Argument(word, path, joined=joined)
                    yield Argument(counted, path, relation=RELEASED, joined=joined)
                    yield from _beside(word, path, joined)  # "is a 1935 film by Ann Smith"
                else:
                    yield Argument(counted, (*path, word), joined=joined)
                return

    def _of_people(self, word: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[Argument]:
        """ "is an American actor" says two things."""
        for inner in word.all("amod", "nmod", "compound"):
            if (
                word.dep in ("attr", "appos", "conj", "oprd")
                and inner.mention is not None
                and word.mention is None
                and self.is_demonym(inner.text)
                and (self.is_name(word) or word.dep in ("attr", "appos"))
            ):
                yield Argument(word, path, joined=joined)  # "an American actor"
                yield Argument(inner, path, relation="nationality", joined=joined)
                return

    def _common_object(self, word: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[Argument]:
        """A noun that is no name: what it leads to, or else the noun itself."""
        inside = any(preposition.lower == "of" and preposition.all("pobj") for preposition in word.all("prep"))
        for inner in word.all("amod", "nmod", "compound", "appos", "quantmod"):
            if inner.mention is not None and not inside:
                yield Argument(inner, (*path, word), joined=joined)
                return
        owned = any(owner.tag == "PRP$" for owner in word.all("poss")) or (word.dep == "dobj")
        for preposition in word.all("prep"):
            known = self._leads(word, path, preposition)
            if preposition.lower == "of" or ((owned or known) and preposition.all("pobj", "pcomp")):
                for inner in preposition.all("pobj", "pcomp"):
                    yield from self._object(inner, (*path, word, preposition), joined)
                for again in preposition.all("conj"):  # "is not a member of A but of B"
                    for inner in again.all("pobj"):
                        yield from self._object(inner, (*path, word, again), again)
                others = [other for other in word.all("prep") if other.start > preposition.start and known]
                for other in others:  # "is a state on the Arabian Sea in India"
                    for inner in other.all("pobj"):
                        if inner.mention is not None and other.lower != "of":
                            yield Argument(inner, (*path, word, other), joined=joined)
                return
        step = self._chain(word, path)
        if step is not None:
            yield replace(step, joined=joined)
            return
        yield Argument(word, path, joined=joined)
        for preposition in word.all("prep"):
            for inner in preposition.all("pobj"):
                if inner.mention is not None:
                    yield Argument(inner, (*path, preposition), joined=joined)

    def _through_relation(self, word: Word, path: tuple[Word, ...]) -> Iterator[Argument]:
        """ "head of government of B", "as B's head of state": the whole is the relation, and B is meant."""
        if word.mention is not None:
            return
        for preposition in word.all("prep"):
            for inner in preposition.all("pobj") if preposition.lower == "of" else ():
                if inner.mention is not None or not self.is_noun(f"{noun_of(word)} of {noun_of(inner)}"):
                    continue
                whole = (*path, word, preposition, inner)
                for further in inner.all("prep"):
                    for owner in further.all("pobj"):
                        if owner.mention is not None:
                            yield Argument(owner, (*whole, further))
                for owner in word.all("poss"):
                    if owner.mention is not None and word.dep != "attr":
                        yield Argument(owner, whole)

    def _role(self, word: Word) -> bool:
        """ "member of the Royal Society" is no class even where the KG has one of that name."""
        return any(
            preposition.lower == "of"
            and self.is_noun(f"{word.lower} of")
            and any(inner.mention is not None for inner in preposition.all("pobj"))
            for preposition in word.all("prep")
        )

    def _leads(self, word: Word, path: tuple[Word, ...], preposition: Word) -> bool:
        """Are the words up to this preposition a relation of their own ("was in a relationship with", "is a
        participant in")?
        """
        if word.dep == "attr" and self.is_noun(noun_of(word)):
            return True
        verb = path[0].head if path else word.head
        if verb is None:
            return False
        words = [verb, *verb.all(*VERBAL), *path, word]
        known = " ".join(relation_words(words))
        return self.is_noun(f"{known} {preposition.lower}")

    def _chain(self, word: Word, path: tuple[Word, ...]) -> Argument | None:
        """ "a city in B", "someone born in B", "the country whose capital is B": one more step."""
        if not word.tag.startswith(("NN", "PRP", "DT", "WP")):
            return None
        for clause in word.all("relcl", "acl") if not _told_apart(word) else ():
            for inner in self.arguments(clause, ()):
                if clause.lower in CALLED and inner.word.dep in ("oprd", "attr", "dobj", "pobj"):
                    return Argument(inner.word, (*path, word))  # "has a daughter called Ann"
                if inner.word.mention is None and not self.is_name(inner.word):
                    continue
                whose = [
                    owned
                    for subject in subjects(clause)
                    for owned in [subject]
                    if any(owner.lower == "whose" for owner in subject.all("poss"))
                ]
                relation = (
                    noun_of(whose[0])
                    if whose
                    else " ".join(relation_words([clause, *clause.all(*VERBAL), *inner.path]))
                )
                return Argument(inner.word, path, ((noun_of(word), relation), *inner.hops))
        for preposition in word.all("prep") if word.dep != "attr" else ():
            for obj in preposition.all("pobj"):
                for inner in self._object(obj, (preposition,)):
                    if inner.word.mention is not None and inner.word.mention.value is None:
                        relation = " ".join(relation_words(inner.path))
                        return Argument(inner.word, path, ((noun_of(word), relation), *inner.hops))
        return None

    def solid(self, word: Word) -> bool:
        return word.mention is not None or self.is_name(word) is not None or word.tag == "PRP"


def _is_later(amount: Word, word: Word) -> bool:
    """ "Eight years later": no value; nor is a date at the clause's edge when that was ("1564: ... he left later")."""
    since = (one for one in word.all("advmod") if one.lower in _SINCE)
    return word.lower in _SINCE or is_date(amount) and any(one.all("npadvmod") for one in since)


def _beside(noun: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[Argument]:
    """The names that a noun's prepositions lead to, but for "of", which belongs to the noun."""
    for way in noun.all("prep"):
        for inner in way.all("pobj"):
            if inner.mention is not None and way.lower != "of":
                yield Argument(inner, (*path, way), joined=joined)


def _of_its_own(obj: Word, preposition: Word, verb: Word) -> bool:
    """ "After leaving Rome, Ann was a singer", "instead of leaving Rome": what somebody did beside the verb."""
    instead = any(word.lower == "instead" for word in preposition.all("advmod"))
    return obj.dep == "pcomp" and (obj.end < verb.start or instead or preposition.lower == "without")


def _told_apart(noun: Word) -> bool:
    """ "is a dish that is made of flour": what the clause says is said of the subject, in a claim of its own."""
    clauses = noun.all("relcl", "acl")
    which = (any(word.tag in ("WDT", "WP") or word.all("poss") for word in subjects(one)) for one in clauses)
    said = any(which) or any(one.dep == "acl" and one.tag == "VBN" for one in clauses)
    return noun.dep == "attr" and noun.tag == "NN" and noun.lower not in _ANYBODY and said


def aside(word: Word, clause: Word) -> bool:
    """Is a comma between a noun and its clause? Then the clause does not tell which one is meant."""
    first = clause.subtree()[0].start
    return any(
        item.text == "," and word.end <= item.start < first for item in (*word.children, *clause.children)
    ) or any(item.text == "," and item.end <= first for item in clause.all("punct"))


def are_several(name: str) -> bool:
    """ "Nobel Prizes" and "Academy Awards for Best Picture" are, "Nobel Prize in Physics" is one."""
    first = name.partition(" in ")[0].partition(" for ")[0].partition(" of ")[0]
    return singular(first) != first
