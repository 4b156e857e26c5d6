"""Comparisons, counts and superlatives: claims that no single statement can say.

"A is larger than B", "A was born before B", "A has more inhabitants than B", "A won two prizes", "A is the second
largest city of B". What the adjective measures is a small table of English; the rest is grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgstore.verifier.claims import MeasureKind
from kgstore.verifier.english.words import entry, ordered, words
from kgstore.verifier.read.draft import (
    COPULA,
    VERBAL,
    Argument,
    Draft,
    Is,
    Scale,
    is_amount,
    is_date,
    noun_of,
    relation_words,
)
from kgstore.verifier.read.parse import Word
from kgstore.verifier.read.phrases import Phrases

_EXISTED = words("measures.existed")
_LIVED = words("measures.lived")
_WITHIN = words("prepositions.within")
_STANDING = words("pronouns.standing")


def _scales(name: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Word -> direction, and the properties that it may measure."""
    return {word: (sign, tuple(properties)) for word, (sign, *properties) in entry(name).items()}


_SCALES: dict[str, tuple[int, tuple[str, ...]]] = _scales("measures.scales")
"""Adjective -> direction, and what it may measure. Who is older has the earlier date."""
_MORE: dict[str, int] = entry("measures.more")
_ORDINALS = {
    word: rank for rank, word in enumerate(ordered("numbers.ordinals")[1:10], start=2)
} | {f"{n}{'nd' if n == 2 else 'rd' if n == 3 else 'th'}": n for n in range(2, 21)}
_TIMES: dict[str, int] = entry("measures.times")
_VERBS = _scales("measures.verbs")
"""Verb -> direction, and what it measures where no words such as "in area" say so."""
_OVER = words("measures.over")
_RANKED: dict[str, int] = entry("measures.ranked")
_PEOPLE = words("measures.people")
_LIVING = words("measures.living")
_SO = words("measures.so")
_EARLIER: dict[str, int] = entry("measures.earlier")
_NOT_COUNTED = words("measures.not_counted")


def adjective(word: Word) -> tuple[int, tuple[str, ...]] | None:
    """Direction and properties of a comparative, a superlative or a plain adjective, None where it measures nothing.

    >>> adjective(Word(0, 7, "largest", "JJS", "amod"))
    (1, ('area', 'population'))
    """
    base = basic(word)
    if base is None:
        return None
    direction, properties = _SCALES[base]
    less = any(child.lower in ("less", "least") for child in word.all("advmod"))
    return (-direction if less else direction), properties


def basic(word: Word) -> str | None:
    """The plain adjective of a comparative or superlative that measures something, else None."""
    return word.lower if word.lower in _SCALES else _base(word.lower)


def _base(word: str) -> str | None:
    """ "larger", "biggest", "wealthiest" -> "large", "big", "wealthy"."""
    for ending in ("er", "est"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            for known in (stem, f"{stem}e", f"{stem[:-1]}y" if stem.endswith("i") else "", stem[:-1]):
                if known in _SCALES:
                    return known
    return None


class Measures:
    """The rules for them, with what the KG knows of relation nouns."""

    def __init__(self, phrases: Phrases, is_noun: Is, is_value: Is) -> None:
        self.phrases, self.is_noun, self.is_value = phrases, is_noun, is_value

    def read(self, verb: Word, subject: Word, start: int, end: int, negated: bool, hedged: bool) -> list[Draft]:
        """Drafts of a clause that compares or picks out; none where it does neither."""
        found = [*self._peopled(verb, subject)] or [
            *self._told(verb, subject),
            *self._ranked(verb, subject),
            *self._compared(verb, subject),
            *self._as_much(verb, subject),
            *self._of_two(verb, subject),
        ]
        found = found or [*self._first(verb, subject)]
        return [
            Draft(start, end, head, nouns, relation, tail, (), negated, hedged or unsure, measure=scale)
            for head, nouns, relation, tail, scale, unsure in found
        ]

    # -- comparisons --------------------------------------------------------------------------------------------------

    def _told(self, verb: Word, subject: Word) -> Iterator[tuple]:
        """ "A predates B", "A outlived B", "A exceeds B in area", "A towers above B in elevation"."""
        known = _VERBS.get(verb.lower)
        if known is None:
            return
        above = [one for way in verb.all("prep") if way.lower in _OVER for one in way.all("pobj")]
        for other in (*verb.all("dobj"), *above):
            if other.mention is not None and other.mention.value is None:
                base, nouns = self.phrases.subject(subject)
                scale = Scale(MeasureKind.COMPARISON, known[1] or self._named(verb, subject), known[0])
                yield base, nouns, verb.lower, other, scale, False

    def _ranked(self, verb: Word, subject: Word) -> Iterator[tuple]:
        """ "A is senior in age to B", "A is inferior to B in height": what is measured must be said."""
        for word in verb.all("acomp"):
            sign = _RANKED.get(word.lower)
            below = [one for one in _below(verb, subject) if one.start >= word.end]
            others = [
                one
                for way in below
                if way.lower == "to"
                for one in (*way.all("pobj"), *([way.head] if way.dep == "aux" and way.head is not None else ()))
            ]
            measured = self._named(verb, subject)
            if any(one.lower == "age" and one.head is not None and one.head.lower in ("in", "by") for one in below):
                measured, sign = ("date of birth",), -sign if sign else None
            for other in others:
                if sign and measured and other.mention is not None and other.mention.value is None:
                    base, nouns = self.phrases.subject(subject)
                    scale = Scale(MeasureKind.COMPARISON, measured, sign)
                    yield base, nouns, f"{verb.lower} {word.lower} to", other, scale, False

    def _peopled(self, verb: Word, subject: Word) -> Iterator[tuple]:
        """ "Fewer people live in A than in B"."""
        sign = next((_MORE[word.lower] for word in subject.all("amod", "advmod") if word.lower in _MORE), 0)
        if not sign or subject.lower not in _PEOPLE or verb.lower not in _LIVING:
            return
        places: dict[bool, Word] = {}
        for word in _below(verb, subject):
            if word.mention is not None and word.mention.value is None:
                above = [one.lower for one in _above(word, verb)]
                places.setdefault("than" in above, word)
        if len(places) == 2:
            scale = Scale(MeasureKind.COMPARISON, ("population",), sign)
            yield places[False], (), f"{subject.lower} {verb.lower} in", places[True], scale, False

    def _compared(self, verb: Word, subject: Word) -> Iterator[tuple]:
        for word in _below(verb, subject):
            if word.lower == "than" and word.dep in ("prep", "mark", "amod", "advmod", "quantmod"):
                others = word.all("pobj", "pcomp", "nsubj")
                if not others and word.dep == "mark" and word.head is not None:
                    others = word.head.all("nsubj")
                for other in others:
                    yield from self._against(verb, subject, other, word)
            elif word.lower in _TIMES and word.dep in ("prep", "mark") and word.head is not None:
                yield from self._when(verb, subject, word, word.head)

    def _when(self, verb: Word, subject: Word, time: Word, owner: Word) -> Iterator[tuple]:
        """ "was born before B", "died two years after B did"."""
        if owner not in (verb, *verb.all("acomp", "npadvmod")) and owner.lower not in _SO:
            return
        for other in (*time.all("pobj"), *(owner.all("nsubj") if owner is not verb else ())):
            named = other.mention is not None and other.mention.value is None
            words = relation_words([verb, *verb.all(*VERBAL)])
            if named and verb.lower not in COPULA and not self.is_noun(" ".join((*words, time.lower))):
                base, nouns = self.phrases.subject(subject)
                scale = Scale(MeasureKind.COMPARISON, (" ".join(words),), _TIMES[time.lower])
                later = owner is not verb and owner.mention is not None
                yield base, nouns, " ".join((*words, time.lower)), other, scale, later

    def _against(self, verb: Word, subject: Word, other: Word, than: Word) -> Iterator[tuple]:
        if other.lower in _STANDING:  # "larger than that of B"
            inner = [one for preposition in other.all("prep") for one in preposition.all("pobj")]
            other = inner[0] if inner else other
        owners = [one for one in other.all("poss") if one.mention is not None]
        other = owners[0] if owners else other  # "larger than B's"
        if other.mention is None or other.mention.value is not None:
            return
        degree = next((word for word in _path(than, verb) if _degree(word)), None)
        degree = degree or next((word for word in _below(verb, subject) if _degree(word)), None)
        if degree is not None:
            yield from self._scaled(verb, subject, degree, than, other)

    def _of_two(self, verb: Word, subject: Word) -> Iterator[tuple]:
        """ "Of the two, A is larger": than the other one, whom the sentence does not name again."""
        for front in verb.all("prep"):
            two = [one for one in front.subtree() if one.lower == "two"]
            alone = not any(one.lower in ("than", "as") for one in _below(verb, subject))
            if front.lower not in ("of", "between") or not two or front.start > subject.start or not alone:
                continue
            degree = next((word for word in _below(verb, subject) if _degree(word)), None)
            if degree is not None:
                yield from self._scaled(verb, subject, degree, front, None)

    def _scaled(self, verb: Word, subject: Word, degree: Word, than: Word, other: Word | None) -> Iterator[tuple]:
        """What the comparative ``degree`` measures; ``than`` leads to the other one, or takes its place."""
        base, nouns = self.phrases.subject(subject)
        owner = degree.head
        relation = " ".join(_plain(verb, subject, {id(word) for word in than.subtree()}))
        noun = owner if owner is not None and degree.dep == "amod" and owner.tag.startswith("NN") else None
        known = adjective(degree)
        if known is None and owner is not None and owner.tag.startswith("JJ"):
            known = adjective(owner)
        sign = known[0] if known else _MORE.get(degree.lower, _EARLIER.get(degree.lower, 0))
        properties: tuple[str, ...] = ()
        if noun is not None and (degree.lower in _MORE or self.is_value(_kind(noun))):
            properties = (_kind(noun),)
        elif nouns and isinstance(nouns[-1], str) and sign:
            properties, nouns = (nouns[-1],), nouns[:-1]
        elif degree.lower in _EARLIER and verb.lower not in COPULA:
            properties = (" ".join(relation_words([verb, *verb.all(*VERBAL)])),)
        elif verb.lower in _LIVED:
            properties = ("lifespan",)
        elif verb.lower in _EXISTED:
            properties, sign = ("inception",), -sign  # who has existed longer began earlier
        elif known is not None:
            properties = self._named(verb, subject) or known[1]
        scale = Scale(MeasureKind.COMPARISON, properties, sign)
        amounts = [word for word in _below(verb, subject) if is_amount(word)]  # "20 metres taller than B"
        measured = any(other is not None or word not in than.subtree() for word in amounts)
        yield base, nouns, relation, other, scale, measured

    def _as_much(self, verb: Word, subject: Word) -> Iterator[tuple]:
        """ "as old as B", "the same area as B"."""
        for word in _below(verb, subject):
            if word.lower != "as" or word.dep not in ("prep", "mark"):
                continue
            measured = word.head
            if measured is None:
                continue
            adjectival = any(child.lower == "as" and child is not word for child in measured.all("advmod"))
            same = any(child.lower == "same" for child in measured.all("amod"))
            for other in word.all("pobj", "nsubj", "pcomp"):
                if other.mention is None or other.mention.value is not None or not (adjectival or same):
                    continue
                known = adjective(measured)
                properties = (_kind(measured),) if same else known[1] if known else ()
                base, nouns = self.phrases.subject(subject)
                relation = " ".join(_plain(verb, subject, {id(one) for one in word.subtree()}))
                multiple = any(is_amount(one) or one.lower in ("twice", "half") for one in _below(verb, subject))
                yield base, nouns, relation, other, Scale(MeasureKind.COMPARISON, properties, 0), multiple

    def _named(self, verb: Word, subject: Word) -> tuple[str, ...]:
        """ "in area", "by population": what is measured, said outright."""
        for word in _below(verb, subject):
            if word.lower in ("in", "by") and word.dep == "prep":
                for noun in word.all("pobj"):
                    inner = [one for of in noun.all("prep") for one in of.all("pobj")]
                    if noun.lower == "terms" and inner:
                        noun = inner[0]
                    if noun.mention is None and self.is_noun(noun_of(noun)):
                        return (noun_of(noun),)
        return ()

    def apposed(self, name: Word, noun: Word) -> Draft | None:
        """ "Berlin, the largest city of Germany, ..."."""
        scale = self._scale(noun, noun, name)
        if scale is None:
            return None
        where, words = self._where(noun), [word for word in noun.subtree() if word.dep != "punct"]
        inside = {id(word) for word in where.subtree()} if where is not noun else set()
        relation = " ".join(["is", *relation_words(word for word in words if id(word) not in inside)])
        return Draft(words[0].start, words[-1].end, name, (), relation, where, measure=scale)

    # -- superlatives -------------------------------------------------------------------------------------------------

    def _first(self, verb: Word, subject: Word) -> Iterator[tuple]:
        if verb.lower not in COPULA:
            return
        for noun in verb.all("attr"):
            one_of = noun.lower == "one"
            inner = [one for of in noun.all("prep") if of.lower == "of" for one in of.all("pobj")] if one_of else [noun]
            for kind in inner:
                scale = self._scale(kind, verb, subject)
                if scale is None or subject.mention is None:
                    continue
                where = self._where(kind)
                inside = {id(word) for word in where.subtree()} if where is not kind else set()
                yield subject, (), " ".join(_plain(verb, subject, inside)), where, scale, one_of
        scale = self._scale(subject, verb, subject)
        where = self._where(subject)
        for name in verb.all("attr", "acomp"):
            if scale is not None and name.mention is not None and name.mention.value is None:
                inside = {id(word) for word in where.subtree()} if where is not subject else set()
                words = relation_words(word for word in subject.subtree() if id(word) not in inside)
                yield name, (), " ".join([verb.lower, *words]), where, scale, False

    def _scale(self, noun: Word, verb: Word, subject: Word) -> Scale | None:
        if noun.mention is not None or not noun.tag.startswith("NN"):
            return None
        for word in noun.all("amod", "compound", "nmod"):
            most = any(child.tag == "RBS" or child.lower in ("most", "least") for child in word.all("advmod"))
            superlative = word.tag == "JJS" or most or word.lower.endswith("est")
            known = adjective(word) if superlative else None
            if superlative and known is None and word.lower not in ("most", "least", "best") and "-" not in word.lower:
                known = 1, ()  # "the wittiest writer": nobody can measure it
            if known is None and "-" in word.lower:  # "second-largest", one word
                first, _, last = word.lower.rpartition("-")
                known = _SCALES.get(_base(last) or "") if first in _ORDINALS else None
            if known is None or self.is_noun(noun_of(noun)):
                continue
            beside = [*word.children, *noun.all("amod", "nummod", "advmod", "compound"), word]
            ranks = [_ORDINALS[part] for one in beside for part in one.lower.split("-") if part in _ORDINALS]
            properties = self._named(verb, subject) or known[1]
            return Scale(MeasureKind.SUPERLATIVE, properties, known[0], noun, ranks[0] if ranks else 1)
        return None

    def _where(self, noun: Word) -> Word:
        """Within what it is the largest: "of Germany", "in Germany", "Germany's", "German"; else of its whole kind."""
        for owner in noun.all("poss"):
            if owner.mention is not None or owner.tag == "PRP$":
                return owner
        for preposition in noun.all("prep"):
            for inner in preposition.all("pobj") if preposition.lower in _WITHIN else ():
                if not is_date(inner) and not is_amount(inner):
                    return inner
        for people in noun.all("amod", "nmod", "compound"):
            if people.mention is not None and people.mention.value is None:
                return people
        return noun


def counted(argument: Argument, draft: Draft) -> Draft | None:
    """The draft as a count, where its amount counts things that a noun names; None for measures with a unit."""
    amount = argument.word
    noun = amount.head
    value = amount.mention.value if amount.mention is not None else None
    if not is_amount(amount) or noun is None or amount.dep != "nummod" or getattr(value, "unit", None):
        return None
    if noun.lower in _NOT_COUNTED or value.value != value.value.to_integral_value():  # type: ignore[union-attr]
        return None
    if noun.lower == "times":  # "was married three times"
        return replace(draft, relation=draft.relation.removesuffix(" times"), measure=Scale(MeasureKind.COUNT, (), 0))
    return replace(draft, measure=Scale(MeasureKind.COUNT, (_kind(noun),), 0, noun))


def _kind(noun: Word) -> str:
    """The noun without the adjective that compares it: "larger population" is "population"."""
    words = [word for word in noun.all("amod") if word.tag in ("JJR", "JJS", "RBR") or word.lower in ("same", *_MORE)]
    gone = {word.lower for word in words}
    return " ".join(part for part in noun_of(noun).split() if part not in gone)


def _degree(word: Word) -> bool:
    return word.tag in ("JJR", "RBR") or word.lower in _MORE or word.lower in _EARLIER


def _below(verb: Word, subject: Word) -> list[Word]:
    """The words of the predicate."""
    clauses = [clause for clause in verb.all("conj", "relcl", "advcl", "ccomp") if clause.tag.startswith("V")]
    again = [clause for clause in clauses if clause.inserted]  # the verb that `shared.apart` repeats
    clauses = again + [clause for clause in clauses if clause.lower not in _SO]
    outside = {id(word) for part in (subject, *clauses) for word in part.subtree()}
    return [word for word in verb.subtree() if id(word) not in outside]


def _above(word: Word, verb: Word) -> Iterator[Word]:
    """The words above ``word``, up to the verb."""
    while word.head is not None and word.head is not verb:
        word = word.head
        yield word


def _path(word: Word, verb: Word) -> Iterator[Word]:
    """The words above ``word`` and what stands with them, nearest first."""
    for above in (*_above(word, verb), verb):
        yield above
        yield from above.all("amod", "advmod")


def _plain(verb: Word, subject: Word, without: set[int]) -> list[str]:
    words = [word for word in _below(verb, subject) if id(word) not in without and word.mention is None]
    return [word.lower for word in words if word.dep not in ("punct", "det", "neg", "mark") and word.dep != "poss"]
