"""From the grammar of a sentence to drafts of claims: who, by which words, to what.

A draft still speaks in words of the sentence; `verifier.extract.rules` finds out what pronouns and nouns refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from verifier.extract.syntax import Sentence, Word

NEGATIONS = frozenset("not n't never no neither nor".split())
HEDGES = frozenset(
    "may might could perhaps possibly probably allegedly reportedly supposedly would should rumoured rumored believed "
    "thought said if whether".split())
_SKIPPED = ("det", "punct", "cc", "mark", "advmod", "intj", "predet", "preconj")
_VERBAL = ("aux", "auxpass", "prt")
_PLACED = frozenset("is was lies located situated in at found be are were belongs to".split())
_COPULA = frozenset("is was are were be been 's became remains".split())
_EMPTY = frozenset(
    "a an the this that these those about around roughly approximately nearly almost some over circa up more than later also "
    "now still then soon once currently formerly previously originally officially eventually reportedly allegedly possibly "
    "probably perhaps may might could would should will did does do to-day today their his her its who which".split())


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain: the words that lead on, and the noun that stands for what is reached ("a city")."""

    relation: str
    noun: str


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A claim in words of one sentence.

    :param start: first offset of the claim's span; ``end`` is exclusive
    :param head: the word that names the subject (a mention, a pronoun, or a noun)
    :param nouns: nouns between the head and what is spoken of: "the spouse of A" has head A and nouns ``("spouse",)``
    :param relation: the words of the predicate
    :param tail: the word that names the object; None where the sentence leaves it out ("Ann appears in the cast")
    :param steps: further steps before the tail: "born in a city in B" has ``(Step("was born in", "city"),)``, relation "in"
    """

    start: int
    end: int
    head: Word | None
    nouns: tuple[str, ...]
    relation: str
    tail: Word | None
    steps: tuple[Step, ...] = ()
    negated: bool = False
    hedged: bool = False
    when: Word | None = None
    definite: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Argument:
    """Something that a verb says of its subject, with the words that lead there."""

    word: Word
    path: tuple[Word, ...]
    hops: tuple[tuple[str, str], ...] = ()                       # (noun, relation onwards) for "a city in", outermost first
    joined: Word | None = None                                   # the conjunct, where the argument is not the first of a list


IsName = Callable[[Word], tuple[int, int] | None]
"""The span of the noun phrase of this word that is a name of the KG ("film director", "county of Idaho"), else None."""
IsNoun = Callable[[str], bool]
"""Is this the name of a relation ("cause of death")?"""


def drafts(sentence: Sentence, is_name: IsName, is_noun: IsNoun) -> list[Draft]:
    """All drafts of a sentence, in reading order."""
    grammar = _Grammar(is_name, is_noun)
    found: list[Draft] = []
    for verb, start, end in _clauses(sentence):
        found += grammar.clause(verb, start, end)
    found = _distinct(found)
    if not any(draft.tail is None or grammar.solid(draft.tail) or draft.tail.all("compound", "amod") for draft in found):
        found = _linear(sentence, grammar) or _listed(sentence, grammar) or found
    return found


def _linear(sentence: Sentence, grammar: _Grammar) -> list[Draft]:
    """The words between two names, for sentences that the parser misreads ("Alien stars Ann Smith" as one noun)."""
    anchors = [word for word in sentence.words if word.mention is not None]
    if len(anchors) == 1:
        anchors += [word for word in sentence.words[-3:] if word.start >= anchors[0].end and grammar.is_name(word)][-1:]
    words = [word for word in sentence.words if word not in anchors and word.dep != "punct"]
    if len(anchors) != 2 or not any(word.tag.startswith("V") or word.start > anchors[0].end for word in words):
        return []
    head, tail = anchors
    between = [word for word in words if head.end <= word.start < tail.start]
    before = [word for word in words if word.end <= head.start and word.tag.startswith(("NN", "WRB", "IN", "JJ"))]
    after = [word for word in words if word.start >= tail.end]
    if not between or any(word.text in ("and", "or") for word in between) or len(between) > 12:
        return []
    end = max(tail.end, *(word.end for word in words)) if words else tail.end
    negated = any(word.lower in NEGATIONS for word in words)
    hedged = any(word.lower in HEDGES for word in words)
    nominal = [word for word in before if word.lower not in ("of", "in", "for")]
    copula = all(word.lower in _COPULA | {"'s"} for word in between)
    relation = " ".join(_relation_words(nominal if nominal and copula else [*nominal, *between, *after]))
    draft = Draft(sentence.start, end, head, (), relation, tail, (), negated, hedged)
    return [replace(draft, head=tail, tail=head)] if _is_amount(head) else [draft]


def _clauses(sentence: Sentence) -> Iterator[tuple[Word, int, int]]:
    """Main verbs with their spans; "A was born in B and died in C" has two."""
    verbs = [sentence.root]
    for verb in verbs:
        verbs += [child for child in verb.all("conj") if child.tag.startswith(("V", "MD"))]
        verbs += [child for child in verb.all("ccomp") if _subjects(child) and child.start < verb.start]
    last = sentence.end
    words = [word for word in sentence.words if word.dep != "punct" or word.text not in ".!?;:,"]
    if words:
        last = words[-1].end
        closing = sentence.words[-1]
        if closing.end > last and closing.text in ")\"”":
            last = closing.end
    spans = []
    for verb in verbs:
        inner = {id(word) for other in verbs if other is not verb and _below(other, verb) for word in other.subtree()}
        own = [word for word in verb.subtree() if id(word) not in inner and word.dep != "punct"]
        while own and own[-1].dep == "cc":
            own.pop()
        if len(verbs) == 1:
            spans.append((verb, sentence.start, last))
        elif own:
            spans.append((verb, own[0].start, own[-1].end))
    yield from sorted(spans, key=lambda item: item[1])


def _below(word: Word, other: Word) -> bool:
    while word.head is not None:
        word = word.head
        if word is other:
            return True
    return False


def _subjects(verb: Word) -> list[Word]:
    return verb.all("nsubj", "nsubjpass", "csubj", "expl")


def _listed(sentence: Sentence, grammar: _Grammar) -> list[Draft]:
    """A line without a verb, as in lists: "Population: 37,200", or a title alone, which says what follows is about."""
    words = [word for word in sentence.words if word.dep != "punct" and word.tag != "DT"]
    if any(word.tag.startswith("V") for word in words) or not words:
        return []
    *before, value = words
    nouns = [word for word in before if word.mention is None]
    names = [word for word in before if word.mention is not None]
    noun = " ".join(word.lower for word in nouns)
    if value.mention is None or not nouns or len(names) > 1 or not grammar.is_noun(noun):
        return []
    return [Draft(sentence.start, value.end, names[0] if names else None, (), noun, value)]


class _Grammar:
    """The rules, with what the KG knows of names and relation nouns."""

    def __init__(self, is_name: IsName, is_noun: IsNoun) -> None:
        self.is_name, self.is_noun = is_name, is_noun
        self.territory: dict[int, frozenset[int]] = {}

    def clause(self, verb: Word, start: int, end: int) -> list[Draft]:
        subjects = _subjects(verb)
        owner = verb
        while not subjects and owner.dep == "conj" and owner.head is not None:
            owner = owner.head
            subjects = _subjects(owner)
        if not subjects or subjects[0].dep in ("csubj", "expl"):
            return []
        negated = any(word.lower in NEGATIONS for word in verb.all("neg")) or any(
            child.lower == "no" for argument in verb.all("dobj", "attr") for child in argument.all("det"))
        hedged = any(word.lower in HEDGES for word in (*verb.all("aux", "advmod", "mark"), verb))
        arguments = list(self._arguments(verb, ()))
        times = [argument for argument in arguments if _is_date(argument.word)]
        others = [argument for argument in arguments if not _is_date(argument.word)]
        solid = [argument for argument in others if self.solid(argument.word)]
        when = None
        if times and any(_direct(argument) and argument.word.mention is not None for argument in solid):
            when, arguments = times[0].word, solid
        else:
            stray = [] if any(_named(argument) for argument in solid + times) else self._stray(verb, subjects)
            arguments = stray or solid + times or others
        arguments.sort(key=lambda argument: argument.word.start)
        arguments = _through_object(arguments)
        self.territory = _territory(verb, subjects, arguments, when, self.is_name)
        found: list[Draft] = []
        for subject in _joined(subjects[0]):
            base, nouns = self._subject(subject)
            if not arguments:
                found += self._without_argument(verb, subject, subjects, base, nouns, start, end, negated, hedged)
                continue
            for argument in arguments:
                draft = self._draft(verb, base, nouns, argument, start, end)
                if draft is not None:
                    definite = any(word.lower == "the" or word.tag == "PRP$" for word in subject.all("det", "poss"))
                    found.append(replace(draft, negated=negated, hedged=hedged, when=when, definite=definite))
        found = self._reciprocal(found, verb, subjects[0], arguments, start, end, negated, hedged)
        return _distinct(_with_spans(found, arguments, start, end))

    def _stray(self, verb: Word, subjects: list[Word]) -> list[_Argument]:
        """The only value of a clause where grammar lost it ("lies 10 metres above sea level")."""
        inside = {id(word) for subject in subjects for word in subject.subtree()}
        values = [word for word in verb.subtree() if word.mention is not None and id(word) not in inside]
        if len(values) != 1:
            return []
        path = [word for word in verb.subtree() if word.mention is None and id(word) not in inside and word.dep not in _SKIPPED]
        return [_Argument(values[0], tuple(path))]

    # -- the subject ----------------------------------------------------------------------------------------------

    def _subject(self, word: Word) -> tuple[Word | None, tuple[str, ...]]:
        """The word that names the subject, and the nouns from there to what the clause is about."""
        if word.mention is not None or word.tag in ("PRP", "EX"):
            return word, ()
        for counted in word.all("nummod"):
            if counted.mention is not None:
                return counted, ()
        for there in word.all("advmod"):
            if there.lower == "there":
                return there, (_noun(word),)
        for inner in word.all("appos", "compound", "nmod", "amod"):
            if inner.mention is not None and inner.mention.value is None and not word.all("poss", "prep"):
                noun = _noun(word)
                return inner, (noun,) if self.is_noun(noun) and inner.dep != "appos" and inner.end <= word.start else ()
        if self.is_name(word) and not word.all("poss") and not self._role(word):
            return word, ()
        for owner in word.all("poss"):
            if owner.lower == "whose":
                continue
            base, nouns = self._subject(owner)
            return base, self._fused(nouns, _noun(word))
        for preposition in word.all("prep"):
            if preposition.lower not in ("of", "for", "in", "at", "to"):
                continue
            for inner in preposition.all("pobj"):
                base, nouns = self._subject(inner)
                if preposition.lower != "of" and (inner.mention is None or inner.mention.value is not None):
                    continue
                if word.lower in ("one", "some", "many", "member") and preposition.lower == "of" and nouns:
                    return base, nouns
                if base is not None and (base.mention is not None or base.tag.startswith("PRP") or nouns
                                         or self.is_noun(_noun(word))):
                    return base, self._fused(nouns, _noun(word))
        for clause in word.all("relcl", "acl"):
            inside = [item for item in clause.subtree() if item.mention is not None and item.mention.value is None]
            if len(inside) == 1:
                words = [item.text for item in (word, *clause.subtree())
                         if item is not inside[0] and item.dep not in ("det", "case", "nsubj") or item.tag in ("WRB",)]
                return inside[0], (" ".join(words).lower(),)
        return word, ()

    def _fused(self, nouns: tuple[str, ...], noun: str) -> tuple[str, ...]:
        """("birth",) and "date" make ("date of birth",) where that is the name of a relation."""
        if nouns:
            whole = f"{noun} of {nouns[-1]}"
            if self.is_noun(whole):
                return (*nouns[:-1], whole)
        return (*nouns, noun)

    # -- the predicate --------------------------------------------------------------------------------------------

    def _arguments(self, word: Word, path: tuple[Word, ...]) -> Iterator[_Argument]:
        for child in word.children:
            if child.dep in ("prep", "agent", "dative") and child.tag in ("IN", "TO", "RP"):
                inner = child.all("pobj", "pcomp")
                for obj in inner:
                    yield from self._object(obj, (*path, child))
                if not inner:
                    yield from self._arguments(child, (*path, child))
            elif child.dep in ("dobj", "attr", "oprd", "npadvmod", "dative", "dep", "appos") and word.dep != "appos":
                yield from self._object(child, path)
            elif child.dep in ("acomp", "xcomp", "advmod") and (child.dep != "advmod" or child.children):
                if child.mention is not None or child.tag.startswith("NN"):
                    yield from self._object(child, path)
                else:
                    yield from self._arguments(child, (*path, child))
            elif child.dep == "advcl" and child.tag in ("VBN", "VBG") and not _subjects(child):
                yield from self._arguments(child, (*path, child))

    def _object(self, word: Word, path: tuple[Word, ...], joined: Word | None = None) -> Iterator[_Argument]:
        yield from self._one_object(word, path, joined)
        for conjunct in word.all("conj"):
            if not conjunct.tag.startswith("V"):
                yield from self._object(conjunct, path, conjunct)

    def _one_object(self, word: Word, path: tuple[Word, ...], joined: Word | None) -> Iterator[_Argument]:
        for counted in word.all("nummod"):
            if word.mention is None and counted.mention is not None:
                yield _Argument(counted, (*path, word), joined=joined)
                return
        if word.mention is not None or (self.is_name(word) and not self._role(word)):
            yield _Argument(word, path, joined=joined)
            if word.mention is not None:
                for item in self._arguments(word, ()):
                    if _is_date(item.word):
                        yield replace(item, path=(*path, *item.path))
            return
        if word.tag == "VBG" and word.dep == "pcomp":
            yield from self._arguments(word, (*path, word))
            return
        inside = any(preposition.lower == "of" and preposition.all("pobj") for preposition in word.all("prep"))
        for inner in word.all("amod", "nmod", "compound", "appos", "quantmod"):
            if inner.mention is not None and not inside:
                yield _Argument(inner, (*path, word), joined=joined)
                return
        owned = any(owner.tag == "PRP$" for owner in word.all("poss")) or (
            word.dep == "dobj")
        for preposition in word.all("prep"):
            known = self._leads(word, path, preposition)
            if preposition.lower == "of" or ((owned or known) and preposition.all("pobj", "pcomp")):
                for inner in preposition.all("pobj", "pcomp"):
                    yield from self._object(inner, (*path, word, preposition), joined)
                return
        step = self._chain(word, path)
        if step is not None:
            yield replace(step, joined=joined)
            return
        yield _Argument(word, path, joined=joined)
        for preposition in word.all("prep"):
            for inner in preposition.all("pobj"):
                if inner.mention is not None:
                    yield _Argument(inner, (*path, preposition), joined=joined)

    def _role(self, word: Word) -> bool:
        """ "member of the Royal Society" is no class even where the KG has one of that name."""
        return any(preposition.lower == "of" and self.is_noun(f"{word.lower} of") and
                   any(inner.mention is not None for inner in preposition.all("pobj")) for preposition in word.all("prep"))

    def _leads(self, word: Word, path: tuple[Word, ...], preposition: Word) -> bool:
        """Are the words up to this preposition a relation of their own ("was in a relationship with", "is a participant in")?"""
        if word.dep == "attr" and self.is_noun(_noun(word)):
            return True
        verb = path[0].head if path else word.head
        if verb is None:
            return False
        words = [verb, *verb.all(*_VERBAL), *path, word]
        known = " ".join(_relation_words(words))
        return self.is_noun(f"{known} {preposition.lower}")

    def _chain(self, word: Word, path: tuple[Word, ...]) -> _Argument | None:
        """ "a city in B", "someone born in B", "the country whose capital is B": one more step."""
        if not word.tag.startswith(("NN", "PRP", "DT", "WP")):
            return None
        for clause in word.all("relcl", "acl"):
            for inner in self._arguments(clause, ()):
                if inner.word.mention is None and not self.is_name(inner.word):
                    continue
                whose = [owned for subject in _subjects(clause) for owned in [subject] if
                         any(owner.lower == "whose" for owner in subject.all("poss"))]
                relation = _noun(whose[0]) if whose else " ".join(_relation_words([clause, *clause.all(*_VERBAL), *inner.path]))
                return _Argument(inner.word, path, ((_noun(word), relation), *inner.hops))
        for preposition in word.all("prep") if word.dep != "attr" else ():
            for obj in preposition.all("pobj"):
                for inner in self._object(obj, (preposition,)):
                    if inner.word.mention is not None and inner.word.mention.value is None:
                        relation = " ".join(_relation_words(inner.path))
                        return _Argument(inner.word, path, ((_noun(word), relation), *inner.hops))
        return None

    def solid(self, word: Word) -> bool:
        return word.mention is not None or self.is_name(word) is not None or word.tag == "PRP"

    def _draft(self, verb: Word, base: Word | None, nouns: tuple[str, ...], argument: _Argument, start: int,
               end: int) -> Draft | None:
        relation = self._phrase(verb, argument)
        tail, steps = argument.word, ()
        if tail.lower == "cast" and tail.mention is None:
            return Draft(start, end, None, (), f"{relation} cast", base)
        if tail is base or tail.lower == "there":
            return None
        if argument.hops:
            relations = [relation, *(onwards for _, onwards in argument.hops)]
            steps = tuple(Step(*pair) for pair in zip(relations, (noun for noun, _ in argument.hops), strict=False))
            relation = relations[-1]
        if nouns:
            nouns, relation = self._nominal(nouns, relation, verb, argument)
        if _is_amount(base) and tail.mention is not None:
            return Draft(start, end, tail, (), _around(base, relation), base)
        return Draft(start, end, base, nouns, relation, tail, steps)

    def _nominal(self, nouns: tuple[str, ...], relation: str, verb: Word,
                 argument: _Argument) -> tuple[tuple[str, ...], str]:
        """ "The N of A is B" says A -N-> B; "The N of A was born in B" takes two steps."""
        *before, noun = nouns
        if argument.hops:
            return nouns, relation
        whole = f"{noun} {relation}"
        if self.is_noun(whole):
            return tuple(before), whole
        words = set(relation.split())
        if verb.lower in _COPULA and not argument.path:
            return tuple(before), noun
        if words <= _PLACED and "from" not in words:
            return tuple(before), noun
        if self.is_noun(f"{noun} {verb.lower}"):
            return tuple(before), f"{noun} {verb.lower}"
        return nouns, relation

    def _without_argument(self, verb: Word, subject: Word, subjects: list[Word], base: Word | None,
                          nouns: tuple[str, ...], start: int, end: int, negated: bool, hedged: bool) -> list[Draft]:
        return []

    def _reciprocal(self, found: list[Draft], verb: Word, subject: Word, arguments: list[_Argument], start: int, end: int,
                    negated: bool, hedged: bool) -> list[Draft]:
        """ "A and B were married": one claim between the two, where the predicate names nobody else."""
        names = [word for word in _joined(subject) if word.mention is not None and word.mention.value is None]
        if len(names) != 2 or any(draft.tail is not None and draft.tail.mention is not None for draft in found):
            return found
        if any(self.is_name(argument.word) and not self.is_noun(_noun(argument.word)) for argument in arguments):
            return found
        phrase = " ".join(_relation_words(word for word in verb.subtree() if word not in subject.subtree() and word.mention is None))
        return [Draft(start, end, names[0], (), phrase, names[1], (), negated, hedged)]

    def _phrase(self, verb: Word, argument: _Argument) -> str:
        """The words of the predicate in text order, without the subject, the names, and what leads to other arguments."""
        outside = self.territory.get(id(argument), frozenset())
        words = [word for word in verb.subtree() if id(word) not in outside and word.mention is None]
        return " ".join(_relation_words([*words, *argument.path]))


def _with_spans(found: list[Draft], arguments: list[_Argument], start: int, end: int) -> list[Draft]:
    """Each later item of a list has its own words as its span; the first keeps the clause up to there."""
    joined = [argument for argument in arguments if argument.joined is not None]
    if not joined:
        return found
    spans = {}
    for argument in joined:
        inner = {id(word) for other in argument.joined.all("conj") for word in other.subtree()}
        own = [word for word in argument.joined.subtree() if id(word) not in inner and word.dep not in ("cc", "punct")]
        spans[id(argument.word)] = (own[0].start, own[-1].end)
    first = min(span[0] for span in spans.values())
    before = [word for argument in arguments if argument.joined is None for word in argument.word.subtree()
              if word.end <= first and word.dep not in ("cc", "punct")]
    stop = max((word.end for word in before), default=first)
    return [replace(draft, start=span[0], end=span[1]) if (span := spans.get(id(draft.tail))) is not None
            else replace(draft, end=min(end, max(stop, draft.tail.end if draft.tail else stop))) for draft in found]


def _named(argument: _Argument) -> bool:
    return argument.word.mention is not None or argument.word.dep in ("attr", "oprd", "conj")


def _distinct(found: list[Draft]) -> list[Draft]:
    seen: set[tuple[int, int]] = set()
    return [draft for draft in found
            if (key := (id(draft.head), id(draft.tail))) not in seen and not seen.add(key)]


def _direct(argument: _Argument) -> bool:
    """An object of the verb itself, or of "by": a date beside it dates the whole."""
    return not argument.path or argument.path[-1].lower not in ("in", "at", "on")


def _joined(word: Word) -> list[Word]:
    words = [word]
    for item in words:
        words += item.all("conj")
    return words


def _noun(word: Word) -> str:
    """A noun with the words before it that belong to its name: "record label", "life expectancy"."""
    parts = [item for child in word.children if child.dep not in ("poss", "prep", "relcl", "acl", "det", "appos")
             for item in child.subtree() if item.end <= word.start and item.mention is None
             and item.tag.startswith(("NN", "JJ", "VB", "CD")) and item.lower not in _EMPTY]
    return " ".join(item.lower for item in (*parts, word))


def _through_object(arguments: list[_Argument]) -> list[_Argument]:
    """ "began a career in 1990", "took place in Rome": a plain object is part of the predicate where a name or value follows."""
    hard = [argument for argument in arguments if argument.word.mention is not None]
    return [argument for argument in arguments if argument.word.mention is not None or not hard
            or argument.word.dep in ("attr", "oprd", "conj")]


def _territory(verb: Word, subjects: list[Word], arguments: list[_Argument], when: Word | None,
               is_name: IsName) -> dict[int, frozenset[int]]:
    """For each argument the words below the verb that do not belong to its relation."""
    common = {id(word) for subject in subjects for word in subject.subtree()}
    common |= {id(word) for other in verb.all("conj", "ccomp", "advcl", "parataxis") if other.tag.startswith(("V", "MD"))
               for word in other.subtree()}
    if when is not None:
        common |= {id(when), *(id(when.head),) * (when.head is not None and when.head.dep == "prep")}
    found = {}
    for argument in arguments:
        own = {id(word) for word in argument.path}
        outside = set(common)
        hop = argument.word
        while argument.hops and hop.head is not None and hop.head not in (verb, *argument.path):
            hop = hop.head
        outside |= {id(word) for word in hop.subtree()} - own if argument.hops else set()
        for other in arguments:
            if other is not argument:
                territory = {id(word) for word in (*other.path, *other.word.subtree())}
                outside |= territory - own
        below = {id(word): word for word in argument.word.subtree()}
        span = is_name(argument.word) if argument.word.mention is None else None
        for word in below.values():
            leading = word.tag == "NN" and word.mention is None and word.dep in ("compound", "nmod") and (
                span is not None and word.end <= span[0] or argument.word.mention is not None)
            if not leading and id(word) not in own:
                outside.add(id(word))
        found[id(argument)] = frozenset(outside)
    return found


def _relation_words(words: Iterable[Word]) -> list[str]:
    unique = {word.start: word for word in words if word.mention is None and word.dep not in ("punct", "cc", "mark", "neg")
              and word.lower not in _EMPTY}
    return [unique[start].lower for start in sorted(unique)]


def _around(amount: Word | None, relation: str) -> str:
    """ "people live in": the counted noun, which stands outside the amount's own span, and the predicate."""
    noun = getattr(amount.mention.value, "noun", "") if amount is not None and amount.mention is not None else ""
    return f"{noun} {relation}".strip()


def _is_date(word: Word) -> bool:
    return word.mention is not None and hasattr(word.mention.value, "year")


def _is_amount(word: Word | None) -> bool:
    return word is not None and word.mention is not None and word.mention.value is not None and not _is_date(word)
