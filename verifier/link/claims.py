"""From propositions to claims: whom they are about, what they say it of, each end with the entities that it may mean.

The one stage that links, whoever made the propositions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from kgstore.verifier.claims import Claim, Hop, Measure, Mention, Passage
from kgstore.verifier.english.words import either, words
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.link.coreference import is_called
from kgstore.verifier.link.names import Names
from kgstore.verifier.link.referents import COPULA, Referents
from kgstore.verifier.read.draft import RELEASED
from kgstore.verifier.read.keys import NAMING, Line, relation_of
from kgstore.verifier.read.lifespans import keyed_brackets, lifespans
from kgstore.verifier.read.proposition import GIVEN, Phrase, Proposition, Utterance

_EQUATED = tuple(f"{verb} " for verb in COPULA)
_HAS = ("has", "have", "had")
_INITIAL = re.compile(rf"\b(?:[A-Z]|{either('names.abbreviated')})\.$")
_SPEAKERS = words("pronouns.speakers")
_SMALL_WORD = re.compile(r"\b[a-z]+\b")
_FEW = 3
"""Words in lower case that a line may have without being a sentence."""
_ASKS = re.compile(rf"\b{either('pronouns.asking')}\b", re.IGNORECASE)


class Linking:
    """Links what one text says, in reading order.

    :param names: the names of the text
    :param is_noun: is this the name of a relation of the KG ("cause of death")?
    :param means: what pronouns stand for, by where they begin
    """

    def __init__(
        self, names: Names, is_noun: Callable[[str], bool], means: Mapping[int, Mention] = MappingProxyType({})
    ) -> None:
        self.names, self.is_noun, self.text = names, is_noun, names.text
        self.referents = Referents(names, is_noun, means)

    def claims(self, said: Iterable[Utterance | Line]) -> tuple[list[Claim], list[Passage]]:
        """The claims of a text in reading order, and its sentences with what they speak of."""
        claims: list[Claim] = []
        passages: list[Passage] = []
        for part in said:
            if isinstance(part, Line):
                passages += self._told(part)
                claims += self.line(part)
            else:
                passages.append(self.passage(part))
                claims += self.utterance(part)
        return self._together([*self._bracketed(claims)]), list(whole_sentences(self.text, passages))

    def named(self, propositions: Iterable[Proposition]) -> list[Claim]:
        """Claims of propositions that name outright what they mean, as a language model is told to do."""
        made = (self._claim(one) for one in propositions)
        return self._together([one for one in made if one is not None])

    def _together(self, claims: list[Claim]) -> list[Claim]:
        """The claims in text order, the ends of each weighed by the names that are not its own."""
        return self.names.company.apart(sorted(claims, key=lambda claim: claim.start))

    def _bracketed(self, claims: list[Claim]) -> Iterable[Claim]:
        """The claims with those of brackets, which say surer what else stands there."""
        claims = [one for claim in claims if (one := self._owned(claim)) is not None]
        brackets = list(keyed_brackets(self.text, self.names.mentions, partial(relation_of, is_noun=self.is_noun)))
        said = {(claim.tail.start, claim.tail.end) for claim in brackets}
        claims = [claim for claim in claims if (claim.tail.start, claim.tail.end) not in said] + brackets
        told = {
            (claim.tail.start, claim.tail.end)
            for claim in claims
            if claim.head.candidates and claim.relation != RELEASED
        }
        beings = self.names.beings
        found = lifespans(self.text, self.names.mentions, beings.is_person, beings.born)
        lives = [one for one in found if (one.start, one.end) not in told]
        return [*(claim for claim in claims if not any(_within(one, claim.tail) for one in lives)), *lives]

    def _owned(self, claim: Claim) -> Claim | None:
        """What brackets behind a name say is said of that name, and of nobody before it: "He met Bob Roe (born 1920;
        died 1999)". A date alone in them ("Dune (1984)") is nobody else's: None."""
        opens = self.text.rfind("(", claim.head.end, claim.tail.start)
        if opens < 0 or ")" in self.text[opens : claim.tail.start]:
            return claim
        names = (one for one in self.names.mentions if one.value is None and one.end <= opens)
        name = max(names, key=lambda one: one.end, default=None)
        if name is None or name.start < claim.head.end or self.text[name.end : opens].strip():
            return claim
        if claim.start > opens:
            return replace(claim, head=name)
        return claim if claim.tail.value is None else None

    # -- sentences and lines ------------------------------------------------------------------------------------------

    def utterance(self, said: Utterance) -> list[Claim]:
        """The claims of one sentence."""
        self.referents.begin(said)
        made = []
        for proposition in said.propositions:
            claim = self._claim(proposition)
            if claim is not None and claim.head.refers_to != (claim.tail.start, claim.tail.end):  # not "it has itself"
                made.append(claim)
        self.referents.end(said, [claim.head for claim in made])
        return made

    def passage(self, said: Utterance) -> Passage:
        """What a sentence speaks of, asked before its claims are: a pronoun stands for what was spoken of before."""
        found = [one for phrase in said.spoken for one in self.referents.places(phrase)]
        more = (*self.names.mentions, *self.names.nouns, *self.names.further)
        found += [one for one in more if said.start <= one.start and one.end <= said.end]
        places: dict[tuple[int, int], Mention] = {}
        for one in found:
            free = all(one.end <= start or end <= one.start or _nested(one, start, end) for start, end in places)
            if free and (one.candidates or one.value is not None):
                places[one.start, one.end] = one
        ordered = sorted(places.values(), key=lambda one: one.start)
        if said.subject is None or said.subject.candidates:  # else it is about somebody whom the KG does not know
            ordered[:0] = self._left_out(said.start, ordered)
        standing = [one for one in found if one.refers_to is not None]
        return Passage(said.start, said.end, tuple(ordered), said.is_title, self._unknown(said, standing))

    def _unknown(self, said: Utterance | Line, standing: Collection[Mention] = ()) -> tuple[Mention, ...]:
        """What a sentence speaks of that the KG does not know."""
        named = (one for one in self.names.mentions if said.start <= one.start < said.end)
        return tuple(one for one in (*named, *standing) if not one.candidates and one.value is None)

    def _told(self, line: Line) -> Iterator[Passage]:
        """What a line speaks of that says more than its values: "Size: it covers 3 km², of which a tenth is water"."""
        behind = self.text[line.start : line.end].partition(":")[2]
        if line.values and len(_SMALL_WORD.findall(behind)) > _FEW:
            more = (*self.names.mentions, *self.names.nouns)
            inside = (one for one in more if line.start <= one.start and one.end <= line.end)
            places = [one for one in inside if one.candidates or one.value is not None]
            placed = (*self._left_out(line.start, places), *places)
            yield Passage(line.start, line.end, placed, True, self._unknown(line))

    def _left_out(self, start: int, places: Collection[Mention]) -> Iterator[Mention]:
        """What the text is about, here and as a whole, where a sentence does not mention it: "Tickets cost 3 euros"."""
        said = {one.iri for place in places for one in place.candidates}
        for topic in self.referents.about_all():
            if topic.start < start and said.isdisjoint(one.iri for one in topic.candidates):
                span = topic.refers_to or (topic.start, topic.end)
                said.update(one.iri for one in topic.candidates)
                yield Mention(start, start, "", topic.candidates, refers_to=span, means=topic.name)

    def line(self, line: Line) -> list[Claim]:
        """One claim a value, about the name in the line or else about the text's topic."""
        topics = self.referents.topics
        head = line.head or topics.topic
        if head is None or line.head is None and line.relation in NAMING:
            named = [self.names.linked(one) for one in line.values if one.value is None]
            if len(named) == len(line.values) == 1 and self._names(line.relation, named[0]):
                topics.about(named[0])  # "Name: Ann Smith", "Country: Norway", and then what is said of them
            return []
        if line.sort and line.head is not None and not self._is_a(head, line.sort):
            head = replace(head, candidates=())  # the lake Ontario is not the province
        about = replace(head, refers_to=head.refers_to or (head.start, head.end)) if line.head is None else head
        made: list[Claim] = []
        for value in line.values:
            tail = value
            if value.value is None and not value.candidates and (hits := self.names.hits.get((value.start, value.end))):
                tail = self.names.at(value.start, value.end, hits)  # type: ignore[arg-type]
            start = line.start if value is line.values[0] else value.start
            key = re.split(r"\s*[:|]", self.text[line.start : line.values[0].start])[0]
            own = about if line.head is not None else _named_as(about, line.start, key)
            # "1997 (US); January 1998 (UK)": nobody is accused of the second
            more = value.value is not None and any(type(one.tail.value) is type(value.value) for one in made)
            made.append(Claim(start, value.end, self.text[start : value.end], own, line.relation, tail, hedged=more))
        if line.head is not None and line.head.candidates:
            topics.about(line.head)
        return made

    def _names(self, key: str, named: Mention) -> bool:
        """Does a key say what a name is, or only that it is one, so that what follows is about it?"""
        return key in NAMING or not named.candidates or is_called(key, self.names.beings.kinds(named))

    def _is_a(self, head: Mention, sort: str) -> bool:
        """May it be what a table's head calls it? "Name" calls it nothing."""
        return not classes_named(self.names.store, sort) or is_called(sort, self.names.beings.kinds(head))

    # -- one proposition ----------------------------------------------------------------------------------------------

    def _claim(self, said: Proposition) -> Claim | None:
        """The claim of a proposition; None where it is about nobody whom the text or the KG names."""
        said = self._of_topic(said)
        found = self._head(said)
        if found is None:
            return None
        head, said = found
        tail = self.referents.tail(said.tail, head, said.relation) if said.tail is not None else None
        if said.tail is None and said.measure is not None and head is not None:
            tail = self.referents.other(head)
        if head is None or tail is None or (head.start, head.end) == (tail.start, tail.end) or _nobody(said.head, head):
            return None
        relation = _relation(said, tail)
        self.referents.about(head, tail, replace(said, relation=relation))
        return Claim(
            said.start,
            said.end,
            self.text[said.start : said.end],
            head,
            relation,
            tail,
            (*said.bridge, *said.steps),
            said.negated,
            said.hedged,
            said.when,  # type: ignore[arg-type]
            said.until,  # type: ignore[arg-type]
            self._measure(said),
        )

    def _head(self, said: Proposition) -> tuple[Mention | None, Proposition] | None:
        """Whom a proposition is about, and the proposition with what its subject says of the relation; None where it
        is about whatever a noun names ("Visitors praise the food").
        """
        phrase, asked = said.head, said.relation in COPULA
        if phrase is None:
            return self.referents.left_out(said), said
        head = self.referents.head(phrase, asked)
        if head is None and self.is_noun(phrase.relation):
            known = self.is_noun(f"{phrase.relation} {said.relation}")
            known = known or (said.tail is not None and said.tail.mention is not None)
            if not known and not phrase.determined:
                return None
            head = self.referents.implied(phrase)  # "The screenplay was written by ..."
            if head is not None:
                said = self._of_its_noun(said, phrase.relation)
        if head is None:
            equated = said.relation.startswith(_EQUATED) and said.relation.endswith(" of") and not said.bridge
            equated |= asked and self.referents.topic is None  # "The lion is a mammal", of which nobody spoke before
            some = phrase.definite and not (equated and self.referents.only_one(phrase))
            head = self.referents.common(phrase, definite=some)
        return head, said

    def _of_its_noun(self, said: Proposition, noun: str) -> Proposition:
        """The proposition about the topic: "The cause of death was ..." is its cause of death."""
        fused = f"{noun} {said.relation}"
        if self.is_noun(fused):
            return replace(said, relation=fused)
        if said.relation in COPULA:
            return replace(said, relation=noun)
        return replace(said, bridge=(Hop(noun, "", said.definite), *said.bridge))

    def _of_topic(self, said: Proposition) -> Proposition:
        """ "Portuguese is the official language": that of the text's topic, and the name is the value."""
        value, noun, topic = said.head, said.tail, self.referents.topic
        if value is None or noun is None or topic is None or not topic.candidates or said.relation not in COPULA:
            return said
        phrase = noun.relation
        own = 0 if phrase == noun.words else 1  # "the place of birth" has one of its own
        bare = noun.definite and noun.mention is None and noun.behind == own
        if said.bridge or said.steps or not bare or not self.is_noun(phrase):
            return said
        if value.mention is not None:
            named = value.mention.value is None and topic.candidates[0] not in value.mention.candidates
        else:  # "The rupee is the currency", where the text has not spoken of a rupee
            new = value.definite and self.referents.topics.noun(value.words) is None
            named = new and value.name is not None
        if not named:
            return said
        # "Bob Smith was the president"
        role = self.names.beings.is_person(topic) and classes_named(self.names.store, phrase)
        return said if role else replace(said, head=None, relation=phrase, tail=value)

    def _measure(self, said: Proposition) -> Measure | None:
        if said.measure is None or said.things is None:
            return said.measure
        return replace(said.measure, things=self.referents.class_of(said.things))


def whole_sentences(text: str, passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages, those as one that the parser parted within brackets or behind an initial, and a question and its
    answer, which alone says nothing.

    >>> text = "Ann Roe (Greek: ; born 1931) sang. Her Suite, L. 12, is for piano."
    >>> parted = [Passage(*span, ()) for span in ((0, 17), (18, 34), (35, 48), (49, 66))]
    >>> [text[one.start : one.end] for one in whole_sentences(text, parted)]
    ['Ann Roe (Greek: ; born 1931) sang.', 'Her Suite, L. 12, is for piano.']
    """
    last: Passage | None = None
    for one in passages:
        answers = last is not None and _answers(text, last, one)
        labels = last is not None and last.is_title and _labels(text, last, one)
        if last is not None and (answers or labels or _goes_on(text, last, one)):
            is_title = last.is_title and one.is_title and not answers
            places = (place for place in one.places if not place.is_implied)
            last = Passage(last.start, one.end, (*last.places, *places), is_title, (*last.unknown, *one.unknown))
        else:
            if last is not None:
                yield last
            last = one
    if last is not None:
        yield last


def _answers(text: str, question: Passage, answer: Passage) -> bool:
    """ "Where did he die? In Ulm.", "His date of birth? 1879.": does a sentence ask what the next one tells alone?"""
    asked, told = (text[one.start : one.end].rstrip() for one in (question, answer))
    if asked.find("?") != len(asked) - 1 or not answer.is_title or told.endswith((":", "?")):
        return False
    return question.is_title or _ASKS.search(asked) is not None


def _labels(text: str, label: Passage, told: Passage) -> bool:
    """ "**Lowest point:** the river drops ...": a few words at the beginning of a line before a whole sentence."""
    begins = not text[: label.start].rpartition("\n")[2].strip(" \t-*•–")
    few = text.count(" ", label.start, label.end) < _FEW + 1
    return begins and few and not told.is_title and "\n" not in text[label.end : told.start]


def _goes_on(text: str, one: Passage, other: Passage) -> bool:
    before, after = text[one.start : one.end], text[other.start : other.end]
    if "\n" in text[one.end : other.start]:
        return False
    if _INITIAL.search(before) and not after[:1].isupper():
        return True
    closed = after.find(")")
    return before.count("(") > before.count(")") and closed >= 0 and "(" not in after[:closed]


def unlinked(text: str, said: Proposition) -> Claim:
    """The claim of a proposition that names outright what it means, where there is no KG to link it to."""
    assert said.head is not None and said.head.mention is not None
    assert said.tail is not None and said.tail.mention is not None
    return Claim(
        said.start,
        said.end,
        text[said.start : said.end],
        said.head.mention,
        said.relation,
        said.tail.mention,
        said.bridge,
        said.negated,
        said.hedged,
    )


def _within(date: Claim, tail: Mention) -> bool:
    """Does the date of a life stand in what another claim takes for a value ("b. 16 November 1922")?"""
    return tail.start <= date.start and date.end <= tail.end


def _nested(one: Mention, start: int, end: int) -> bool:
    """Does one of two spans lie within the other?"""
    same = (one.start, one.end) == (start, end)
    return not same and (start <= one.start and one.end <= end or one.start <= start and end <= one.end)


def _nobody(phrase: Phrase | None, head: Mention) -> bool:
    """ "Reporters asked him", "if you like": about nobody whom the text or the KG names."""
    if phrase is None or phrase.mention is not None or head.candidates or head.refers_to is not None:
        return False
    speaks = phrase.is_pronoun and phrase.lower in _SPEAKERS  # "US" is none
    return speaks or not phrase.tag.startswith(("PRP", "NNP"))


def _relation(said: Proposition, tail: Mention) -> str:
    """The words of the relation, with the noun of the object where that says what kind of thing it is."""
    relation, phrase = said.relation, said.tail
    if phrase is None or phrase.tag == GIVEN:
        return relation
    if tail.end <= phrase.start and tail.refers_to is None:
        relation = f"{relation} {phrase.lower}"  # "the jazz genre" names the relation, too
    if relation in _HAS and tail.candidates and not phrase.mention:
        relation = f"{relation} {phrase.lower}"  # "has a left-handed shot"
    return relation


def _named_as(about: Mention, start: int, key: str) -> Mention:
    """What a line is about, where its key stands for it: "Born: 1951"."""
    return replace(about, start=start, end=start + len(key), text=key)
