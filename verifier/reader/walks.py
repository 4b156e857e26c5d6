"""Statements of two steps that the reader finds in a text: "the woman whom A married died in B".

What is said of somebody or something that a name describes, and that is not named itself, is said of the value of one
of the name's statements. The graph tells which: two statements that follow on one another and end at the other name
support, and two that end at another value may contradict. Most sentences say nothing of the kind, so few such questions
are asked of each: those whose relations come nearest to its words in meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgstore.catalog import Property
from kgstore.model import NamedNode, Rank
from kgstore.verifier.claims import Candidate, Claim, Hop, Label, Mention, Passage, Verdict
from kgstore.verifier.decide.chain import is_one_of_several
from kgstore.verifier.decide.outcome import tier
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.protocols import Judge
from kgstore.verifier.reader.asking import hypothesis, standing
from kgstore.verifier.reader.assertions import METHOD, Heard, settled, span
from kgstore.verifier.reader.doubts import doubtful
from kgstore.verifier.reader.guide import HARDLY, USUAL, Asked, Guide, Named, named_in
from kgstore.verifier.reader.others import alike
from kgstore.verifier.reader.quoted import overlaps

SUPPORTED = 0.65
"""P(asserted) from which two statements that follow on one another support what the sentence says."""
ACCUSED = 0.9
"""The same for another value at the end; higher than for one step, since either step may be misread."""
CLEARLY = 0.5
"""So much less likely all other readings must be where a value is contradicted; for support, no likelier."""
FIRST, MOST = 12, 8
"""First steps from a name, and questions of a sentence, that are asked."""
_PARTLY = frozenset((Tier.OPEN, Tier.NO_PROPERTY, Tier.NOT_LINKED, Tier.MULTI_HOP))
"""Why the grammar leaves open what is a part of a description."""
_VALUES = 3
"""Values of a first step; of what has more, a description means no certain one."""
_BEFORE = re.compile(r"\b(?:[Ww]h(?:o|om|ose|oever|ich|ere|at)|[Tt]hat|[Oo]ne|of|behind|for|to|by|with|from|in)\b")
_BEHIND = re.compile(r"\b(?:wh(?:o|om|ose|ich|ere)|that|some(?:one|body|thing)|an? [a-z]+)\b")
_OWNED = re.compile(r"['’]s?\s+\w")
"""Words before, behind and right behind a name that may describe something by it."""


IsOpen = Callable[[Mention, Mention], bool]
Decide = Callable[[Claim], Verdict]


@dataclass(frozen=True, slots=True)
class Walk:
    """Two properties, as IRIs, that may lead from one place of a sentence to another.

    :param asked: the two places and the second property; ``against`` where the KG leads to another value
    :param middle: what the first property leads to
    :param beside: other properties of the head that lead to what has the second one, too
    """

    asked: Asked
    first: str
    passage: Passage
    middle: Candidate
    beside: tuple[str, ...]

    @property
    def ends(self) -> tuple[int, int]:
        return self.asked.head.start, self.asked.tail.start


@dataclass(frozen=True, slots=True)
class Other:
    """Another reading of a sentence: the sentence and what it would say, for a judge.

    :param claim: the same about the same two, which the KG may deny, too; None with another name
    """

    said: tuple[str, str]
    claim: Claim | None


@dataclass(frozen=True, slots=True)
class Walked:
    """That a sentence asserts what a claim of two steps says, and how surely."""

    claim: Claim
    sure: float
    against: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """A first step from a name.

    :param only: it leads to one thing only
    :param wider: it leads to what the thing lies in
    """

    first: str
    middle: Candidate
    only: bool
    wider: bool


class Walks:
    """Makes the questions of two steps of one graph's sentences."""

    def __init__(self, guide: Guide) -> None:
        self.guide, self.know, self.aligner = guide, guide.know, guide.aligner

    def questions(self, text: str, passage: Passage, named: Named, is_open: IsOpen) -> list[Walk]:
        """The likeliest of a sentence, those first that would support. What has no name ("director") ends no walk.

        :param is_open: is anything to be asked of these two places?
        """
        found: list[Walk] = []

        def near(iri: str) -> float:
            return self.guide.relations.meaning(_unnamed(text, passage)).get(iri, 0.0)

        ends = [
            (head, tail)
            for head, tail in self.guide.ends(passage)
            if (tail.value is not None or not tail.is_common)
            and not (head.is_implied or tail.is_implied)
            and _is_described(text, passage, head)
            and is_open(head, tail)
        ]
        ways = {one: self._ways(one, named, near) for one in dict.fromkeys(head.candidates[0] for head, _ in ends)}
        self.know.store.expect(way.middle.iri for listed in ways.values() for way in listed)
        for head, tail in ends:
            plain = standing(text, passage, head, tail)
            of_head = ways[head.candidates[0]]
            for way, second, against in self._steps(of_head, head.candidates[0].iri, tail, named):
                question = replace(plain, through=self.aligner.properties[way.first].label)
                beside = (one.first for one in of_head if second in self.know.about(one.middle.iri))
                asked = Asked(head, tail, (second,), question, against)
                found.append(Walk(asked, way.first, passage, way.middle, tuple(dict.fromkeys(beside))))
        if len(found) > MOST:
            found.sort(key=lambda one: (one.asked.against, -near(one.first) - near(one.asked.properties[0])))
        return found[:MOST]

    def _ways(self, head: Candidate, named: Named, near: Callable[[str], float]) -> list[_Way]:
        return [
            _Way(item.iri, Candidate(iri, self.know.store.label(iri), 1.0), only, wider)
            for item, values, only, wider in self._first(head, named, near)
            for iri in values
        ]

    def _steps(self, ways: Sequence[_Way], head: str, tail: Mention, named: Named) -> Iterator[tuple[_Way, str, bool]]:
        """First step and second property, and whether the way ends at another value. Where its neighbour, or what it
        lies in, lies describes no place; nor is another date held against what a thing lies in.
        """
        right: dict[tuple[str, str], _Way] = {}
        for way in ways:
            for second in self._to(way.middle, tail):
                lies = self.know.of_place(self.aligner.properties[second])
                if not (lies and (way.wider or self.know.is_place(head))):
                    right.setdefault((way.first, second), way)
        yield from ((way, second, False) for (_, second), way in right.items())
        for way in ways:
            past = self._past(way.middle, tail, named) if way.only and not (way.wider and tail.value) else ()
            yield from ((way, one, True) for one in past if (way.first, one) not in right)

    def _first(
        self, head: Candidate, named: Named, near: Callable[[str], float]
    ) -> Iterator[tuple[Property, list[str], bool, bool]]:
        """Properties of the head that lead to what the text does not name, where to, whether to one thing only, and
        whether to what it lies in."""
        about = self.know.about(head.iri)
        first = sorted(about, key=lambda one: -near(one))[:FIRST] if len(about) > FIRST else list(about)
        for iri in first:
            item, listed = self.aligner.properties.get(iri), about[iri]
            if item is None or item.datatype != "entity" or iri in self.guide.kinds:
                continue
            now = [one.value.value for one in listed if one.rank is not Rank.DEPRECATED
                   and isinstance(one.value, NamedNode)]  # fmt: skip
            if 0 < len(set(now)) <= _VALUES and named.iris.isdisjoint(now):
                yield item, sorted(set(now)), len(listed) == 1, item.label in self.know.store.profile.whereabouts

    def _to(self, middle: Candidate, tail: Mention) -> Iterable[str]:
        if tail.value is not None:
            return self.guide.valued(middle, tail)
        found = self.guide.linking(middle.iri, tail.candidates[0].iri) if tail.candidates else ()
        return (iri for iri in found if iri not in self.guide.kinds)

    def _past(self, middle: Candidate, tail: Mention, named: Named) -> Iterable[str]:
        if tail.value is not None:
            return self.guide.otherwise(middle, tail, named)
        found = self.guide.excluding(middle, tail.candidates[0], named) if tail.candidates else ()
        return (iri for iri in found if iri not in self.guide.kinds)

    def said(self, walk: Walk) -> tuple[str, str]:
        """The sentence, and the statement that it may assert, for a judge."""
        question = walk.asked.question
        return question.text, hypothesis(question, self.aligner.properties[walk.asked.properties[0]].label)

    def others(self, text: str, walk: Walk) -> Iterator[Other]:
        """Every reading that would clear of a contradiction, or that support must be likelier than: said of the name
        itself, by another relation in either step, or with another name of the sentence. None is heeded that does not
        fit the kinds of things (the inception of a person, the manager of a film); for a contradiction it may be seldom
        said of such, and the name itself may be of any kind."""
        asked, first = walk.asked, walk.first
        (second,) = asked.properties
        head, tail = asked.head.candidates[0], (*asked.tail.candidates[:1], None)[0]
        for one in (second, first):
            if asked.against or self._fits(walk, one, head, tail):
                yield self._other(text, walk, "", one)
        for one in self.guide.relations.near(second):
            if self._fits(walk, one, walk.middle, tail):
                yield self._other(text, walk, first, one)
        firsts = [one for one in self.guide.relations.near(first) if self._fits(walk, one, head, walk.middle)]
        for one in dict.fromkeys((*firsts, *walk.beside)):
            if one != first:
                yield self._other(text, walk, one, second)
        for end in (asked.head, asked.tail):
            for place in walk.passage.places:
                if place not in (asked.head, asked.tail) and alike(end, place, self.know.store.instance_types):
                    ends = (place, asked.tail) if end is asked.head else (asked.head, place)
                    question = standing(text, walk.passage, *ends, asked.question.through)
                    yield Other((question.text, hypothesis(question, self.aligner.properties[second].label)), None)

    def _other(self, text: str, walk: Walk, first: str, second: str) -> Other:
        """:param first: a property, or "" for one step"""
        labels = self.aligner.properties
        question = replace(walk.asked.question, through=labels[first].label if first else "")
        claim = self._claim(text, walk.asked, first, second)
        return Other((question.text, hypothesis(question, labels[second].label)), claim)

    def _fits(self, walk: Walk, iri: str, head: Candidate, tail: Candidate | None) -> bool:
        """May the relation be said of such things?"""
        fit = self.guide.fit(self.aligner.properties[iri], head, tail)
        return fit >= (HARDLY if walk.asked.against else USUAL)

    def claim(self, text: str, walk: Walk) -> Claim:
        return self._claim(text, walk.asked, walk.first, walk.asked.properties[0])

    def _claim(self, text: str, asked: Asked, first: str, second: str) -> Claim:
        """:param first: a property, or "" for one step"""
        head, tail, labels = asked.head, asked.tail, self.aligner.properties
        start, end = min(head.start, tail.start), max(head.end, tail.end)
        bridge = (Hop(labels[first].label, definite=True, property=first),) if first else ()
        return Claim(start, end, text[start:end], head, labels[second].label, tail, bridge=bridge, property=second)


def walked(
    text: str,
    passages: Sequence[Passage],
    walks: Walks,
    reader: Judge,
    decide: Decide,
    verdicts: Sequence[Verdict],
    heard: Heard,
) -> list[Walked]:
    """What the sentences assert in two steps, as far as the KG has something to say of it; likeliest first.

    :param decide: what the KG says of a claim: a likely reading that it denies just as well clears nobody
    :param verdicts: what is decided of two places, or of the second by way of a description, is not asked; nor is what
        the grammar read of them in words that name a property ("is a national of"): that describes nobody
    :param heard: what the reader makes of two places in one step; where it is surer of that, nothing is read
    """
    named = named_in(passages)
    decided = [one.claim for one in verdicts if one.label is not Label.EXTRAPOLATORY or one.claim.negated]
    plainly = settled(verdicts, walks.aligner)

    def is_open(head: Mention, tail: Mention) -> bool:
        if doubtful(text, head, tail) or (span(head), span(tail)) in plainly:
            return False
        return not any(_covers(claim, head, tail) for claim in decided)

    asked = [one for passage in passages for one in walks.questions(text, passage, named, is_open)]
    shares = _read(reader, [walks.said(one) for one in asked])
    best: dict[tuple[int, int], float] = {(head[0], tail[0]): sure for (head, tail, _), sure in heard.items()}
    right: dict[tuple[int, int], float] = {}
    for one, share in zip(asked, shares, strict=True):
        best[one.ends] = max(best.get(one.ends, 0.0), share)
        if not one.asked.against:
            right[one.ends] = max(right.get(one.ends, 0.0), share)
    found = []
    for one, share in sorted(zip(asked, shares, strict=True), key=lambda each: -each[1]):
        against = one.asked.against
        if share < max(best[one.ends], ACCUSED if against else SUPPORTED):
            continue
        if against and (right.get(one.ends, 0.0) > share - CLEARLY or is_one_of_several(_unnamed(text, one.passage))):
            continue
        others = list(walks.others(text, one))
        told = zip(others, _read(reader, [other.said for other in others]), strict=True)
        likely = [other.claim for other, sure in told if sure > share - (CLEARLY if against else 0.0)]
        if not all(against and claim is not None and _is_denied(decide(claim)) for claim in likely):
            continue
        found.append(Walked(walks.claim(text, one), share, against))
    return found


def _is_denied(verdict: Verdict) -> bool:
    return verdict.label is Label.CONTRADICTORY


def learnt(reader: Judge) -> bool:
    """Did the reader learn statements of two steps? Others are not asked: they say yes to what is near."""
    return bool(getattr(reader, "two_steps", False))


def joined(verdicts: Sequence[Verdict], made: Sequence[Walked], decide: Decide) -> list[Verdict]:
    """The verdicts and those on claims of two steps, which take the place of what was left open of the same places."""
    kept = list(verdicts)
    for one in made:
        verdict = decide(one.claim)
        wanted = Label.CONTRADICTORY if one.against else Label.ATTRIBUTABLE
        ends = one.claim.head, one.claim.tail
        if verdict.label is not wanted or any(_covers(other.claim, *ends) and _is_settled(other) for other in kept):
            continue
        kept = [other for other in kept if not (_covers(other.claim, *ends) or _is_part(other, *ends))]
        scores = {**verdict.scores, METHOD: round(one.sure, 4)}
        kept.append(replace(verdict, method=f"{METHOD}:{verdict.method.partition(':')[2]}", scores=scores))
    return sorted(kept, key=lambda each: each.claim.start)


def _is_settled(verdict: Verdict) -> bool:
    claim = verdict.claim
    return verdict.label is not Label.EXTRAPOLATORY or claim.negated or claim.hedged or claim.measure is not None


def _covers(claim: Claim, head: Mention, tail: Mention) -> bool:
    """Does the claim speak of these two places, or of the second by way of what is not named?"""
    if overlaps(claim.tail, tail):
        return overlaps(claim.head, head) or bool(claim.bridge)
    return overlaps(claim.tail, head) and overlaps(claim.head, tail)


def _is_part(verdict: Verdict, head: Mention, tail: Mention) -> bool:
    """Is it an open claim of one of the two places and of a common noun, which only helps to describe ("A political
    party founded in 1828 had B as a member")?"""
    claim, ends = verdict.claim, (head, tail)
    if _is_settled(verdict) or tier(verdict.method) not in _PARTLY:
        return False
    pairs = (claim.head, claim.tail), (claim.tail, claim.head)
    return any(
        noun.value is None and noun.is_common and any(overlaps(named, end) for end in ends) for noun, named in pairs
    )


def _read(reader: Judge, pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [float(share) for share in reader.judge(pairs)[:, ENTAILS]] if pairs else []


def _is_described(text: str, passage: Passage, head: Mention) -> bool:
    """May words beside a name describe something by it ("A's wife", "the man whom A married", "A has a sister who")?"""
    if _OWNED.match(text, head.end, passage.end) or _BEFORE.search(text, passage.start, head.start):
        return True
    return _BEHIND.search(text, head.end, passage.end) is not None


def _unnamed(text: str, passage: Passage) -> str:
    """The words of a sentence between what it names."""
    words, at = [], passage.start
    for place in sorted(passage.places, key=lambda one: one.start):
        if place.start >= at and (place.value is not None or not place.is_common):
            words.append(text[at : place.start])
            at = place.end
    return " ".join([*words, text[at : passage.end]])
