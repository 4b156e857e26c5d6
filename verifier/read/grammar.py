"""What one clause says: its verb, whom it is about, and its arguments, put into drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import (
    COPULA,
    EQUATIVE,
    HAPPENING,
    MADE_OF,
    PLACED,
    SKIPPED,
    Argument,
    Clause,
    Draft,
    Is,
    IsClass,
    IsName,
    Step,
    is_amount,
    is_date,
    is_entity,
    noun_of,
    relation_words,
    subjects,
)
from kgstore.verifier.read.measures import Measures, counted
from kgstore.verifier.read.modality import denied, denied_of, modality
from kgstore.verifier.read.parse import Word
from kgstore.verifier.read.phrases import Phrases, aside
from kgstore.verifier.read.states import of_a_state
from kgstore.verifier.read.territory import territory_of
from kgstore.verifier.read.times import interval, times_of

_AT = words("prepositions.at")


def antecedent(verb: Word) -> Word | None:
    """Whom a relative clause is about: "Ann Smith, who was born in Rome", "is an actor who was born in Rome"."""
    head = verb.head
    if head is not None and verb.dep == "conj" and head.tag.startswith("V") and not subjects(verb):
        return antecedent(head)  # "who was born in Rome and died in Oslo"
    if head is None or verb.dep not in ("relcl", "acl"):
        return None
    if verb.dep == "relcl" and owned(verb) is None and not any(word.tag in ("WP", "WDT") for word in subjects(verb)):
        return None
    told = verb.tag == "VBG" and head.dep == "attr" and head.mention is None  # "is a school dating from 1866"
    told = told or any(one.tag == "VBN" and one.end < verb.start for one in head.all("acl"))  # "by B, starring C"
    if verb.dep == "acl" and verb.tag != "VBN" and not told:
        return None
    if head.mention is not None and head.mention.value is None:
        return head
    if head.dep in ("nsubj", "nsubjpass") and aside(head, verb) and any(one.lower == "the" for one in head.all("det")):
        return head  # "The city, situated on the river, ..."
    while head.dep == "conj" and head.head is not None:
        head = head.head
    if head.dep == "attr" and head.head is not None and subjects(head.head):
        return subjects(head.head)[0]
    if head.dep == "appos" and head.head is not None and head.head.mention is not None:
        return head.head
    return None


def owned(verb: Word) -> Word | None:
    """ "wife" in "Ann Smith, whose wife was born in Rome": the clause is about the one whom this noun leads to."""
    head = verb.head
    if verb.dep != "relcl" or head is None or not (aside(head, verb) or head.mention or head.dep == "attr"):
        return None
    return next((one for one in subjects(verb) if any(word.lower == "whose" for word in one.all("poss"))), None)


_ONCE = words("adverbs.once")
_BEFORE = ("amod", "nmod", "compound")


class Grammar:
    """The rules for clauses."""

    def __init__(self, is_name: IsName, is_noun: Is, is_value: Is, is_demonym: Is, is_class: IsClass) -> None:
        self.is_name, self.is_noun, self.is_value, self.is_class = is_name, is_noun, is_value, is_class
        self.phrases = Phrases(is_name, is_noun, is_demonym)
        self.measures = Measures(self.phrases, is_noun, is_value)
        self.territory: dict[int, frozenset[int]] = {}
        self.hedged = False

    def clause(self, verb: Word, start: int, end: int) -> list[Draft]:
        about, noun = antecedent(verb), owned(verb)
        named = subjects(verb) if about is None else [about]
        inside = named if about is None else [noun] if noun is not None else []
        owner = verb
        while not named and owner.dep == "conj" and owner.head is not None:
            owner = owner.head
            named = inside = subjects(owner)
        if not named or named[0].dep in ("csubj", "expl"):
            return []
        negated, hedged = modality(verb)
        hedged |= self.hedged
        if about is None and (measured := self.measures.read(verb, named[0], start, end, negated, hedged)):
            return [*self._begun(verb, named[0], start, end, hedged), *measured]
        arguments = list(self.phrases.arguments(verb, ())) or self._shared(verb)
        solid, dates, arguments, (when, until), divided = self._timed(verb, inside, arguments)
        placed = tuple(argument.word for argument in dates) if divided else (when, until)
        self.territory = territory_of(verb, inside, arguments, placed, self.is_name)
        found: list[Draft] = [
            *self._owned(verb, named[0], start, end, negated, hedged),
            *self._where(verb, named[0], start, end, negated, hedged),
        ]
        if found:
            return found
        for subject in _joined(named[0]) if about is None else [about]:
            base, nouns = self.phrases.subject(subject)
            nouns = nouns if noun is None else (*nouns, self.phrases.whole(noun))
            for argument in arguments:
                draft = self._draft(verb, base, nouns, argument, start, end)
                if draft is not None:
                    definite = any(word.lower == "the" or word.tag == "PRP$" for word in subject.all("det", "poss"))
                    no = denied(argument, denied_of(subject, negated))
                    unsure = hedged or (no and _narrowed(argument))
                    draft = counted(argument, draft) or draft
                    own = times_of(argument, solid, dates)
                    since, to = (when, until) if own is None else interval(own)
                    since = since or (own[0].word if own and to is None else None)
                    if argument.relation:  # "Born in Oslo, she moved to Rome in 1964": not born then
                        since = to = None
                    found.append(replace(draft, negated=no, hedged=unsure, when=since, until=to, definite=definite))
        if about is None:
            found = self._reciprocal(found, verb, named[0], arguments, start, end, negated, hedged)
        return distinct(_with_spans(found, arguments, start, end))

    def _timed(
        self, verb: Word, inside: list[Word], arguments: list[Argument]
    ) -> tuple[list[Argument], list[Argument], list[Argument], tuple[Word | None, Word | None], bool]:
        """What a verb says, with its times apart: the objects, the dates, all that is left to be said, since when and
        until when all of it holds, and whether each object has dates of its own.
        """
        times = [argument for argument in arguments if is_date(argument.word)]
        dates = [argument for argument in times if not argument.relation]
        others = [argument for argument in arguments if not is_date(argument.word)]
        peoples = {id(argument.word.head) for argument in others if argument.relation == "nationality"}
        solid = [one for one in others if self.phrases.solid(one.word) or id(one.word) in peoples]
        divided = any(times_of(argument, solid, dates) is not None for argument in solid)
        when = until = None
        if divided:
            times = [argument for argument in times if argument.relation]
        elif solid:
            when, until = interval(times)
            times = [argument for argument in times if argument.word not in (when, until)]
        times_of_all = [argument for argument in times if not argument.relation]
        own = verb.lower == "born" or (verb.lower == "died" and not all(map(_direct, solid)))  # "in Oslo, aged 84"
        held = [] if own else [argument for argument in solid if _direct(argument)]
        if times_of_all and any(argument.word.mention is not None for argument in held):
            when = when or times_of_all[0].word
            arguments = solid + [argument for argument in times if argument.relation]
        else:
            stray = (
                []
                if any(_named(argument) for argument in solid + times)
                else self._stray(verb, inside, any(_plain(argument) for argument in solid))
            )
            arguments = stray or solid + times or others
        arguments.sort(key=lambda argument: argument.word.start)
        return solid, dates, _twice(_through_object(arguments)), (when, until), divided

    def _begun(self, verb: Word, subject: Word, start: int, end: int, hedged: bool) -> Iterator[Draft]:
        """ "Founded in 1636, A is the oldest ...": what stands before the subject."""
        base, nouns = self.phrases.subject(subject)
        for argument in self.phrases.arguments(verb, ()):
            if argument.relation and argument.word.end <= subject.start and argument.word.mention is not None:
                yield Draft(start, end, base, nouns, argument.relation, argument.word, (), False, hedged)

    def _shared(self, verb: Word) -> list[Argument]:
        """ "A both directed and wrote B": the object of the last verb is that of the others, too."""
        if verb.lower in COPULA or verb.all("auxpass", "dobj"):
            return []
        verbs = [one for one in verb.all("conj") if one.tag == verb.tag and not subjects(one)]
        return [found for one in verbs for found in self.phrases.arguments(one, ()) if not found.path]

    def _owned(self, verb: Word, subject: Word, start: int, end: int, negated: bool, hedged: bool) -> Iterator[Draft]:
        """ "B is A's capital", "B is one of its twin towns": the noun leads from A to B."""
        if verb.lower not in COPULA or subject.mention is None:
            return
        for noun in verb.all("attr"):
            inner = [
                one for preposition in noun.all("prep") if preposition.lower == "of" for one in preposition.all("pobj")
            ]
            if noun.lower == "one" and inner:
                noun = inner[0]
            for owner in noun.all("poss"):
                base, nouns = self.phrases.subject(owner)
                if owner.mention is not None or owner.tag == "PRP$":
                    yield Draft(start, end, base, nouns, self.phrases.whole(noun), subject, (), negated, hedged)

    def _where(self, verb: Word, subject: Word, start: int, end: int, negated: bool, hedged: bool) -> Iterator[Draft]:
        """ "B is the city where A was born", "B is where A died": the clause is about A."""
        if verb.lower not in COPULA or subject.mention is None:
            return
        nouns = verb.all("attr")
        for clause in (*verb.all("advcl", "ccomp"), *(child for noun in nouns for child in noun.all("relcl"))):
            words = clause.subtree()
            placed = any(word.lower == "where" for word in words) or (
                any(word.lower == "which" for word in words) and any(word.lower in _AT for word in words)
            )
            names = [word for word in words if word.mention is not None and word.mention.value is None]
            if placed and len(names) == 1:
                relation = relation_words(
                    word for word in words if word is not names[0] and word.tag not in ("IN", "WRB")
                )
                yield Draft(start, end, names[0], (), " ".join((*relation, "in")), subject, (), negated, hedged)

    def titles(self, name: Word) -> list[Draft]:
        """ "The American actor Ann Smith ..." says two things of her, "Oslo-born Ann Smith ..." a third."""
        found = []
        for word in name.all("amod", "compound", "nmod"):
            inner = [one for one in word.children if one.mention is not None and one.end <= word.start]
            if word.lower.lstrip("-") == "born" and inner:
                found.append(Draft(inner[0].start, name.end, name, (), "was born in", inner[0]))
        noun = name.head if name.dep == "appos" and name.head is not None else None
        nouns = [*name.all("compound", "nmod"), *([noun] if noun is not None else [])]
        for noun in nouns:
            people = [one for one in (*noun.all(*_BEFORE), *name.all(*_BEFORE)) if one.mention and one.end < noun.start]
            article = any(one.lower.split()[0] == "the" for one in (*noun.all("det"), *name.all("det"), *people))
            if noun.mention is None and noun.end + 1 == name.start and article and self.is_name(noun):
                start = min(one.start for one in (noun, *noun.children) if one.dep != "det")
                people = [one for one in people if self.phrases.is_demonym(one.text.removeprefix("The "))]
                if people and of_a_state(noun):  # "The Italian capital Rome"
                    found.append(Draft(start, name.end, people[0], (), noun_of(noun), name))
                    continue
                found.append(Draft(start, name.end, name, (), "is", noun))
                found += [Draft(start, name.end, name, (), "nationality", one) for one in people]
        return found

    def appositions(self, name: Word) -> list[Draft]:
        """ "Ann Smith, a Polish chemist, ..." says that she is one."""
        found = []
        nouns = name.all("appos")
        nouns += [other for noun in nouns for other in noun.all("conj") if other.mention is None]
        for noun in nouns:
            if (
                (noun.mention is not None and not _is_one(noun))
                or not (noun.tag.startswith("NN") or noun.all("det"))
                or self.is_noun(noun.lower)
                and not any(word.lower == "of" or word.dep == "poss" for word in noun.all("prep", "poss"))
                and not any(inner.mention for way in noun.all("prep") for inner in way.all("pobj"))
                and not self.is_name(noun)
                and not any(self.phrases.is_demonym(word.text) for word in noun.all("amod", "compound"))
            ):
                continue
            if (largest := self.measures.apposed(name, noun)) is not None:
                found.append(largest)
                continue
            words = [word for word in noun.subtree() if word.dep != "punct"]
            start = min(name.start, words[0].start)
            owners = [one for one in noun.all("poss") if one.mention is not None and one.mention.value is None]
            if owners and self.is_noun(noun_of(noun)):  # "Germany's capital, Berlin, ..."
                found += [Draft(start, words[-1].end, one, (), noun_of(noun), name) for one in owners]
                continue
            for argument in self.phrases.objects(noun):
                further = (part for hop in argument.hops for part in hop)  # "a tragedy by B"
                verb = "was" if any(word.lower in _ONCE for word in noun.all("advmod")) else "is"
                relation = argument.relation or " ".join((verb, *relation_words(argument.path), *further))
                for one in _joined(name) if noun.tag == "NNS" else [name]:  # "A and B, both members of C"
                    found.append(Draft(min(start, one.start), words[-1].end, one, (), relation, argument.word))
        return found

    def _stray(self, verb: Word, named: list[Word], full: bool) -> list[Argument]:
        """The only value of a clause where grammar lost it ("lies 10 metres above sea level").

        :param full: the clause has an object of its own; what a verb beside it has is that verb's
        """
        others = [one for one in verb.all("conj") if (full or subjects(one)) and one.tag.startswith(("V", "MD"))]
        inside = {id(word) for apart in (*named, *others) for word in apart.subtree()}
        values = [word for word in verb.subtree() if word.mention is not None and id(word) not in inside]
        if len(values) != 1:
            return []
        path = [
            word
            for word in verb.subtree()
            if word.mention is None and id(word) not in inside and word.dep not in SKIPPED
        ]
        return [Argument(values[0], tuple(path))]

    def _draft(
        self, verb: Word, base: Word | None, nouns: tuple[str | Clause, ...], argument: Argument, start: int, end: int
    ) -> Draft | None:
        relation = argument.relation or self._phrase(verb, argument)
        tail = argument.word
        steps: tuple[Step, ...] = ()
        if base is not None and base.mention is not None and self._left_open(tail, relation):
            return Draft(start, end, None, (), f"{relation} {tail.lower}", base)
        if tail is base or tail.lower == "there":
            return None
        if argument.hops:
            relations = [relation, *(onwards for _, onwards in argument.hops)]
            steps = tuple(Step(*pair) for pair in zip(relations, (noun for noun, _ in argument.hops), strict=False))
            relation = relations[-1]
        if nouns and isinstance(nouns[-1], Clause) and verb.lower in COPULA and not argument.path:
            leading, onwards = nouns[-1], nouns[:-1]
            if tail.mention is not None and tail.mention.value is None and not onwards and not steps:
                ends = (tail, base) if leading.turned else (base, tail)  # "the man who founded A is B"
                return Draft(start, end, ends[0], (), leading.relation, ends[1])
        if nouns:
            nouns, relation = self._nominal(nouns, relation, verb, argument)
        if is_amount(base) and tail.mention is not None:
            return Draft(start, end, tail, (), _around(base, relation), base)
        return Draft(start, end, base, nouns, relation, tail, steps)

    def _left_open(self, tail: Word, relation: str) -> bool:
        """ "appears in the cast" does not say of what: all of it names a relation, and the text's topic is meant."""
        the = any(word.lower == "the" for word in tail.all("det"))
        bare = not tail.all("prep", "compound", "amod", "nmod")
        return tail.mention is None and the and bare and self.is_noun(f"{relation} {tail.lower}")

    def _nominal(
        self, nouns: tuple[str | Clause, ...], relation: str, verb: Word, argument: Argument
    ) -> tuple[tuple[str | Clause, ...], str]:
        """ "The N of A is B" says A -N-> B; "The N of A was born in B" takes two steps."""
        *before, noun = nouns
        if argument.hops or isinstance(noun, Clause):
            return nouns, relation
        valued = argument.word.mention is not None and argument.word.mention.value is not None
        if valued and self.is_value(noun) and verb.lower in COPULA | HAPPENING:
            return tuple(before), noun
        if verb.lower in EQUATIVE or relation in MADE_OF:
            return tuple(before), noun
        whole = f"{noun} {relation}"
        if self.is_noun(whole):
            return tuple(before), whole
        words = set(relation.split())
        if verb.lower in COPULA and not argument.path:
            return tuple(before), noun
        if words <= PLACED and "from" not in words:
            return tuple(before), noun
        if self.is_noun(f"{noun} {verb.lower}"):
            return tuple(before), f"{noun} {verb.lower}"
        return nouns, relation

    def _reciprocal(
        self,
        found: list[Draft],
        verb: Word,
        subject: Word,
        arguments: list[Argument],
        start: int,
        end: int,
        negated: bool,
        hedged: bool,
    ) -> list[Draft]:
        """ "A and B were married": one claim between the two, where the predicate names nobody else."""
        names = [word for word in _joined(subject) if word.mention is not None and word.mention.value is None]
        if len(names) != 2 or any(draft.tail is not None and draft.tail.mention is not None for draft in found):
            return found
        for word in (argument.word for argument in arguments):
            if self.is_name(word) and (self.is_class(word) or not self.is_noun(noun_of(word))):
                return found  # "A and B are countries": each of them
        phrase = " ".join(
            relation_words(word for word in verb.subtree() if word not in subject.subtree() and word.mention is None)
        )
        return [Draft(start, end, names[0], (), phrase, names[1], (), negated, hedged)]

    def _phrase(self, verb: Word, argument: Argument) -> str:
        """The predicate's words in text order, without the subject, the names, and the way to other arguments."""
        outside = self.territory.get(id(argument), frozenset()) | _setting(verb, argument)
        words = [word for word in verb.subtree() if id(word) not in outside and word.mention is None]
        fronted = [word for word in (*words, *argument.path) if word.tag == "IN" and word.start < verb.start]
        led = [word.lower for word in argument.path if word in fronted]  # "in Oslo she was born": was born in
        return " ".join([*relation_words(word for word in (*words, *argument.path) if word not in fronted), *led])


def _setting(verb: Word, argument: Argument) -> frozenset[int]:
    """ "From source to mouth, ...", "According to the encyclopedia, ...": no part of the relation."""
    aside_words: set[int] = set()
    commas = [word.start for word in verb.all("punct") if word.text == ","]
    for front in verb.all("prep"):
        words = front.subtree()
        end = words[-1].end
        plain = all(word.mention is None and word.tag != "JJS" for word in words)
        if plain and front not in argument.path and any(end <= comma < verb.start for comma in commas):
            aside_words |= {id(word) for word in words if word.end <= verb.start}
    return frozenset(aside_words)


def _with_spans(found: list[Draft], arguments: list[Argument], start: int, end: int) -> list[Draft]:
    """Each later item of a list has its own words as its span; the first keeps the clause up to there."""
    joined = [(argument, argument.joined) for argument in arguments if argument.joined is not None]
    if not joined:
        return found
    spans = {}
    for argument, first_word in joined:
        inner = {id(word) for other in first_word.all("conj") for word in other.subtree()}
        own = [word for word in first_word.subtree() if id(word) not in inner and word.dep not in ("cc", "punct")]
        spans[id(argument.word)] = (own[0].start, own[-1].end)
    first = min(span[0] for span in spans.values())
    before = [
        word
        for argument in arguments
        if argument.joined is None
        for word in argument.word.subtree()
        if word.end <= first and word.dep not in ("cc", "punct")
    ]
    stop = max((word.end for word in before), default=first)
    return [
        replace(draft, start=span[0], end=span[1])
        if (span := spans.get(id(draft.tail))) is not None
        else replace(draft, end=min(end, max(stop, draft.tail.end if draft.tail else stop)))
        for draft in found
    ]


def _narrowed(argument: Argument) -> bool:
    """ "not a British writer" denies the two together, and neither of them alone."""
    return argument.relation != "" or bool(argument.word.all("amod", "compound", "nmod", "relcl", "acl"))


def _named(argument: Argument) -> bool:
    return argument.word.mention is not None or argument.word.dep in ("attr", "oprd", "conj")


def distinct(found: list[Draft]) -> list[Draft]:
    """One draft for the same two words, unless two verbs share an object ("directed and wrote B")."""
    kept: list[Draft] = []
    for draft in found:
        same = [one for one in kept if one.head is draft.head and one.tail is draft.tail]
        if not same or not (draft.relation.split(" ")[0] in COPULA or any(one.start == draft.start for one in same)):
            kept.append(draft)
    return kept


def _direct(argument: Argument) -> bool:
    """An object of the verb itself, or of "by": a date beside it dates the whole."""
    return not argument.path or argument.path[-1].lower not in _AT


def _plain(argument: Argument) -> bool:
    """Does it belong to the verb itself, not to a noun in between ("has the title of")?"""
    return not any(word.tag.startswith("N") for word in argument.path)


def _joined(word: Word) -> list[Word]:
    words = [word]
    for item in words:
        words += item.all("conj")
    return words


def _is_one(noun: Word) -> bool:
    """ "an Overseas Territory", "the President of B": a name that is a class or an office here."""
    articles = [word.lower for word in noun.all("det")]
    return is_entity(noun) and ("a" in articles or "an" in articles or ("the" in articles and " of " in noun.text))


def _through_object(arguments: list[Argument]) -> list[Argument]:
    """ "began a career in 1990", "took place in Rome": a plain object is part of the predicate where a name or
    value follows, but for the cause in "died of cancer in 1990".
    """
    hard = [argument for argument in arguments if argument.word.mention is not None or argument.word.tag == "PRP"]
    return [
        argument
        for argument in arguments
        if argument in hard or not hard or argument.word.dep in ("attr", "oprd", "conj") or _cause(argument)
    ]


def _cause(argument: Argument) -> bool:
    """ "of cancer" behind "died"."""
    (way, *more) = argument.path or (argument.word,)
    verb = way.head
    return not more and verb is not None and verb.lower in ("died", "dies") and way.lower in ("of", "from")


def _twice(arguments: list[Argument]) -> list[Argument]:
    """ "was nominated for A for B": what comes after the same preposition again has words of its own as its span."""
    found: list[Argument] = []
    for one in arguments:
        again = any(
            len(one.path) == len(other.path) == 1 and one.path[0].lower == other.path[0].lower and one.joined is None
            for other in found
        )
        plain = one.word.mention is not None and one.word.mention.value is None and not one.hops
        found.append(replace(one, joined=one.path[0]) if again and plain else one)
    return found


def _around(amount: Word | None, relation: str) -> str:
    """ "people live in": the counted noun, which stands outside the amount's own span, and the predicate."""
    noun = getattr(amount.mention.value, "noun", "") if amount is not None and amount.mention is not None else ""
    return f"{noun} {relation}".strip()
