"""What the relation reader makes of a text.

A sure reading becomes a claim of one property, which the tiers decide as any other (`kgstore.verifier.reader.joining`).
And the reader is heard on what the grammar decided: a verdict that rests on words which the reader does not take to say
so stays open.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgstore.verifier.claims import Claim, Label, Mention, Passage, Role, Verdict
from kgstore.verifier.decide.nli import METHOD as NLI
from kgstore.verifier.decide.outcome import tier
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import either
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.said import with_said
from kgstore.verifier.protocols import Judge
from kgstore.verifier.reader.asking import Span
from kgstore.verifier.reader.doubts import doubtful, wonders
from kgstore.verifier.reader.guide import FITTING, HARDLY, Asked, Guide, Named, named_in
from kgstore.verifier.reader.others import are_alone
from kgstore.verifier.reader.quoted import overlaps
from kgstore.verifier.reader.saying import names, phrases
from kgstore.verifier.reader.strangers import is_apposed, rivals
from kgstore.verifier.values import Amount, DateValue

METHOD = "reader"
SUPPORTED = 0.45
"""P(asserted) from which a statement of the KG supports what the sentence says."""
STRANGE = 0.9
"""The same of things of kinds that the property hardly joins in this graph, which may know them by other kinds only."""
LONE = 0.1
"""The same where the graph has nothing else that could be said of the two (see `Guide.is_lone`): of names of relations
that it never met the reader is seldom surer."""
ACCUSED = 0.45
"""The same for another value of the KG that contradicts it; there no likely relation between the two may be ahead."""
ALIKE = 0.8
"""The same where the two are of one kind, so that only the words tell which is which ("A has B as boss")."""
SURELY = 0.975
"""The same in words that name the relation, of things of kinds that the property hardly joins."""
CLEARLY = 0.1
"""Nobody is accused by a date or an amount that the reader finds nearly as likely of another name of the sentence, nor
by a name that it finds so much likelier of one."""
STRANGER = 1.25
"""Nobody is supported by what the reader doubts so many times less of a stranger in the sentence."""
BARRED = 1.1
"""Ahead of the surest reading: another one that no probability outweighs."""
DOUBTED, DENIED = 0.03, 0.3
"""Below these the reader denies that the words say what the grammar read: supported, contradicted by the KG."""
NAMED = 0.8
"""Words that share so much with a name of the property name it, whatever the reader thinks."""
SHARED = 0.6
"""What shares so much of its words with the property ("located in" with a headquarters location) supports it, though
another property be likelier."""
OTHERWISE = 0.88
"""So likely is what the grammar's words name: another property must be surer to be read in them."""
TOGETHER = 0.7
"""From this P(asserted) a statement supports beside another one of the same two: "written and directed by"."""
_OF = re.compile(
    rf"\b(?:the|an?|{either('pronouns.owners')}) (?:[a-z-]+ )?(?!{either('nouns.standing_for')} )([a-z]+) of "
    r"(?:the |an? )?[\"“*_‘']*$"
)
_OF_SOMETHING = re.compile(rf"\bof (?:the|an?|{either('pronouns.owners')}) [a-z]")
_OWNED = re.compile(rf"['’]s (?!{either('nouns.standing_for')}\b)([a-z-]+(?: [a-z-]+){{0,2}})")
_BEFORE = 40
"""Characters before a head in which a part of it may stand."""

Heard = dict[tuple[Span, Span, str], float]
"""Spans of head and tail, and a property -> P(asserted)."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What the grammar read between two places in words that name a property.

    :param words: empty where it was decided
    :param relation: that property
    """

    words: str
    relation: str


Known = dict[tuple[Span, Span], Settled]
"""Spans of head and tail -> what is settled of them."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """That a sentence asserts a relation.

    :param sure: P(asserted)
    :param ahead: how much more likely than the likeliest of the others between the two; 0 for the best, else negative
    :param worded: do words of the sentence come near to a name of the relation? Asked of what would be an accusation
    :param alone: does the sentence name the two and nothing else? Likewise
    :param around: is it read of where the value lies ("the town where A was born is in B")?
    """

    claim: Claim
    sure: float
    ahead: float
    worded: bool = True
    alone: bool = False
    around: bool = False

    @property
    def is_best(self) -> bool:
        """Is no other relation between the two likelier?"""
        return self.ahead >= 0.0


def assertions(
    text: str,
    passages: Sequence[Passage],
    guide: Guide,
    reader: Judge,
    verdicts: Sequence[Verdict] = (),
    least: float = SUPPORTED,
) -> tuple[list[Assertion], Heard]:
    """What the sentences assert, as far as the KG has something to say of it; and all that was read, for the grammar.

    :param verdicts: of the grammar: what it settled is not asked, and what it decided by vague words is asked, too
    :param least: P(asserted) from which a reading counts
    """
    named, known = named_in(passages), settled(_usual(verdicts, guide), guide.aligner)
    asked = [
        (one, iri)
        for passage in passages
        for one in guide.questions(text, passage, named)
        if not doubtful(text, one.head, one.tail, one.against)
        for iri in one.properties
        if _is_asked(one, iri, known, guide.aligner)
    ]
    ears = _Ears(guide, reader)
    vague = list(_vague(text, passages, guide, verdicts))
    ears.hear([*asked, *vague])
    every = (*asked, *vague)
    sure = [(one, iri) for one, iri in every if _is_heeded(text, passages, one, iri, ears, least)]
    against = {_key(one, iri): guide.rivals(one, iri) for one, iri in sure}
    ears.hear([(one, other) for one, iri in sure for other in against[_key(one, iri)]])
    back = _elsewhere(text, passages, ears, sure, named, verdicts)
    found = []
    for one, iri in sure:
        key = _key(one, iri)
        share, pair = ears.heard[key], key[:2]
        others = {*one.properties, *against[key]} - {iri}
        if share >= TOGETHER and not one.against:
            others.difference_update(one.properties)  # what the KG has, too, is no rival of what is surely read
            others.difference_update(guide.relations.implied(iri))
        likest = max((ears.heard.get((*pair, other), 0.0) for other in others), default=0.0)
        if pair in known and known[pair].words and known[pair].relation != iri:
            both = ears.heard.get((*pair, known[pair].relation), 0.0) >= OTHERWISE
            likest = BARRED if both else max(likest, OTHERWISE)
        ahead = share - max(back.get(key, 0.0), likest)
        claim = _claim(text, _passage(passages, one), one, iri, guide)
        made = Assertion(claim, share, ahead, around=key in ears.around)
        if one.against and made.is_best:
            if one.head.is_implied and _may_be_anothers(text, passages, one, iri, guide, named):
                continue
            if _is_of_part(text, one.head, iri, guide):
                continue
            worded = _is_worded(text, passages, one, iri, guide)
            alone = are_alone(_passage(passages, one), one.head, one.tail)
            made = replace(made, worded=worded, alone=alone)
        found.append(made)
    return list(_once(found, passages)), ears.heard


def _is_heeded(text: str, passages: Sequence[Passage], one: Asked, iri: str, ears: _Ears, least: float) -> bool:
    """Is it likely enough that a statement of the two is asserted?"""
    share, guide = ears.heard[_key(one, iri)], ears.guide
    if one.against:
        if one.tail.value is not None and one.head.is_common and one.head.refers_to is None:
            return share >= SURELY
        if guide.fits(one, iri, FITTING):
            return share >= (max(least, ALIKE) if guide.alike(one, iri) else least)
        return share >= SURELY and _is_worded(text, passages, one, iri, guide)
    if share < STRANGE and (one.tail.is_implied or wonders(text, one.head, one.tail)):
        return False  # "The band split up. Ann Smith went home": a member of it, to say no more
    unsure = share < STRANGE or _passage(passages, one).is_title
    if unsure and guide.is_mutual(iri) and not _is_worded(text, passages, one, iri, guide):
        return False  # "Norway and Sweden compared:"
    if not guide.fits(one, iri):
        return share >= max(least, STRANGE)
    return share >= least or share >= LONE and not one.head.is_implied and guide.is_lone(one, iri)


def _may_be_anothers(text: str, passages: Sequence[Passage], one: Asked, iri: str, guide: Guide, named: Named) -> bool:
    """May what a sentence says of whom it leaves out be said of another: who else the text is about, or whom the
    sentence names, known to the KG or not, or what it describes ("the birth of the hero")?"""
    passage = _passage(passages, one)
    if _OF_SOMETHING.search(text, passage.start, max(passage.start, one.tail.start)) is not None:
        return True
    if any(not overlaps(other, one.tail) for other in passage.unknown):
        return True
    return not all(guide.denies(other, iri, named) for other in guide.doubles(text, passages, one, iri))


def _is_of_part(text: str, head: Mention, iri: str, guide: Guide) -> bool:
    """Is something said of a part of the head: "the script of A" or "A's script", for A's author? Not by a noun that
    names the relation ("the author of A"), nor by one for what it is ("the city of A")."""
    if head.refers_to is not None:
        return False
    owned = _OWNED.match(text, head.end)
    if owned is not None:
        return not names((*owned[1].split(), owned[1]), iri, guide.know.store)
    found = _OF.search(text, max(0, head.start - _BEFORE), head.start)
    if found is None or names((found[1],), iri, guide.know.store):
        return False
    kinds = map(guide.know.store.label, guide.know.store.instance_types(head.candidates[0].iri))
    return not any(found[1] in kind.lower().split() for kind in kinds)


def _is_worded(text: str, passages: Sequence[Passage], one: Asked, iri: str, guide: Guide) -> bool:
    """Do words of the sentence come near to a name of the relation?"""
    unit = one.tail.value.unit if isinstance(one.tail.value, Amount) else ""
    return names(phrases(text, _passage(passages, one), one.head, one.tail), iri, guide.know.store, unit)


def _passage(passages: Sequence[Passage], one: Asked) -> Passage:
    return next(each for each in passages if each.start <= one.head.start < each.end)


def _once(found: Iterable[Assertion], passages: Sequence[Passage]) -> Iterator[Assertion]:
    """No sentence asserts the same of the same two twice; the surest stays, of those that need not be so sure."""
    starts, seen = [one.start for one in passages], set()
    for one in sorted(found, key=lambda each: (not each.is_best, not (each.worded or each.alone), -each.sure)):
        claim = one.claim
        tail = claim.tail.candidates[0].iri if claim.tail.candidates else str(claim.tail.value or claim.tail.text)
        said = bisect(starts, claim.start), claim.property, claim.head.candidates[0].iri, tail
        if said not in seen:
            seen.add(said)
            yield one


class _Ears:
    """Asks the reader, nothing twice, and keeps what it said."""

    def __init__(self, guide: Guide, reader: Judge) -> None:
        self.guide, self.reader = guide, reader
        self.heard: Heard = {}
        self.around: set[tuple[Span, Span, str]] = set()

    def hear(self, asked: Iterable[tuple[Asked, str]]) -> None:
        new = {_key(one, iri): (one, iri) for one, iri in asked}
        new = {key: each for key, each in new.items() if key not in self.heard}
        wider = {key: said for key, each in new.items() if (said := self.guide.wider(*each)) is not None}
        shares = self.shares([*(self.guide.said(*each) for each in new.values()), *wider.values()])
        self.heard |= zip(new, shares, strict=False)
        for key, share in zip(wider, shares[len(new) :], strict=True):
            if share > self.heard[key]:
                self.heard[key] = share
                self.around.add(key)

    def shares(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """P(asserted) of sentences and statements."""
        return [float(share) for share in self.reader.judge(pairs)[:, ENTAILS]] if pairs else []


def _key(one: Asked, iri: str) -> tuple[Span, Span, str]:
    return span(one.head), span(one.tail), iri


def _vague(
    text: str, passages: Sequence[Passage], guide: Guide, verdicts: Sequence[Verdict]
) -> Iterator[tuple[Asked, str]]:
    """What the grammar decided by words that do not name the property."""
    for one in verdicts:
        if one.relation is not None and _is_vague(one, guide.aligner):
            head, tail = _stated(one)
            for passage in passages:
                if passage.start <= min(head.start, tail.start) and max(head.end, tail.end) <= passage.end:
                    yield guide.about(text, passage, head, tail, one.relation), one.relation


def _elsewhere(
    text: str,
    passages: Sequence[Passage],
    ears: _Ears,
    sure: Sequence[tuple[Asked, str]],
    named: Named,
    verdicts: Sequence[Verdict],
) -> Heard:
    """How likely the same is of the two turned round, where both are of one kind, and, of what would be an accusation,
    of other names in place of the head; a little is added to the latter for a date or an amount, else taken from it. Of
    whomever an accusation would be as well clears nobody. And, of what would be support of a person, how likely it is
    of strangers, where it is clearly likelier."""
    guide = ears.guide
    alike = [(one, iri) for one, iri in sure if guide.alike(one, iri)]
    turned = ears.shares([guide.said(one, iri, turned=True) for one, iri in alike])
    back = {_key(one, iri): share for (one, iri), share in zip(alike, turned, strict=True)}
    apart = [(one, iri) for one, iri in sure if one.head.is_implied or one.against]
    doubles = [
        (_key(one, iri), other, CLEARLY if one.head.is_implied or one.tail.value is not None else -CLEARLY)
        for one, iri in apart
        for other in guide.doubles(text, passages, one, iri)
        if not (one.against and guide.denies(other, iri, named))
    ]
    told = ears.shares([guide.said(other, key[2]) for key, other, _ in doubles])
    for (key, _, more), share in zip(doubles, told, strict=True):
        back[key] = max(back.get(key, 0.0), share + more)
    strange = [
        (_key(one, iri), guide.about(text, passage, other, one.tail, iri))
        for one, iri in sure
        if (passage := _passage(passages, one)).unknown and not one.against
        for other in rivals(text, passage, one.head, one.tail)
        if guide.beings.is_person(one.head)
    ]
    told = ears.shares([guide.said(other, key[2]) for key, other in strange])
    for (key, other), share in zip(strange, told, strict=True):
        if is_apposed(text, other.head, other.tail):
            share = BARRED
        elif _is_said_of(other.head, other.tail, verdicts):
            share = max(share, OTHERWISE)
        if 1 - ears.heard[key] > STRANGER * (1 - share):
            back[key] = max(back.get(key, 0.0), share)
    return back


def _is_said_of(head: Mention, tail: Mention, verdicts: Iterable[Verdict]) -> bool:
    """Does the grammar read something of the two?"""
    return any(overlaps(one.claim.head, head) and overlaps(one.claim.tail, tail) for one in verdicts)


def settled(verdicts: Iterable[Verdict], aligner: Aligner) -> Known:
    """What the grammar read in words that name a property."""
    found: Known = {}
    for one in verdicts:
        if one.relation is not None and _named(one, aligner):
            read = Settled("" if one.label is not Label.EXTRAPOLATORY else one.claim.relation, one.relation)
            head, tail = span(one.claim.head), span(one.claim.tail)
            found |= {(head, tail): read, (tail, head): read}
    return found


def _usual(verdicts: Iterable[Verdict], guide: Guide) -> Iterator[Verdict]:
    """The verdicts, but for those left open that read what the graph never says of such things, either way round (the
    publication of a person)."""
    for one in verdicts:
        heads, tails = one.claim.head.candidates[:1], one.claim.tail.candidates[:1] or (None,)
        if one.label is Label.EXTRAPOLATORY and one.relation is not None and heads:
            item, ends = guide.aligner.properties[one.relation], (*heads, *tails)
            ways = (ends, ends[::-1]) if ends[1] is not None else (ends,)
            if max(guide.fit(item, *way) for way in ways) < HARDLY:
                continue
        yield one


def _is_vague(verdict: Verdict, aligner: Aligner) -> bool:
    """Was it decided by words that do not name its property?"""
    claim = verdict.claim
    plain = not (claim.bridge or claim.measure or claim.negated)
    return plain and verdict.label is not Label.EXTRAPOLATORY and not _named(verdict, aligner)


def _is_asked(one: Asked, iri: str, known: Known, aligner: Aligner) -> bool:
    """Is the property not settled? What would be an accusation is asked of no other words."""
    words = known.get((span(one.head), span(one.tail)))
    if words is None or not one.against and iri != words.relation:
        return True
    return bool(words.words) and aligner.likeness(words.words, iri) >= NAMED


def _named(verdict: Verdict, aligner: Aligner) -> bool:
    """Do the words name the property, whatever the reader thinks?"""
    if verdict.relation is None or verdict.claim.bridge or verdict.claim.measure:
        return False
    return aligner.likeness(verdict.claim.relation, verdict.relation) >= NAMED


def ends(claim: Claim) -> tuple[Span, Span]:
    """The spans of head and tail."""
    return span(claim.head), span(claim.tail)


def _stated(verdict: Verdict) -> tuple[Mention, Mention]:
    """Head and tail as the KG states it: of "Ann Smith directed Rain" it may have that the director of Rain is Ann."""
    claim, stated = verdict.claim, [one.statement for one in verdict.evidence]
    subjects = {one.subject.value for one in stated if one.predicate.value == verdict.relation}
    head, tail = (end is not None and end.iri in subjects for end in (verdict.head, verdict.tail))
    return (claim.tail, claim.head) if tail and not head else (claim.head, claim.tail)


def is_denied(verdict: Verdict, heard: Heard, text: str, store: KnowledgeGraph) -> bool:
    """Does the reader deny what a judge of language found to follow or to be contradicted ("left in 1985", by the date
    of death), of all statements that it rests on, or find another relation likelier? Where it was not asked of a date
    or an amount that is contradicted, the words must name the relation."""
    if verdict.method != NLI or verdict.label is Label.EXTRAPOLATORY:
        return False
    accused = verdict.label is Label.CONTRADICTORY
    role = Role.CONTRADICTS if accused else Role.SUPPORTS
    head, tail = ends(verdict.claim)
    stated = [one.statement.predicate.value for one in verdict.evidence if one.role is role]
    said = [heard[key] for iri in stated for key in ((head, tail, iri), (tail, head, iri)) if key in heard]
    if not said:
        claim = verdict.claim
        words = phrases(text, Passage(claim.start, claim.end, (claim.head, claim.tail)), claim.head, claim.tail)
        return accused and claim.tail.value is not None and not any(names(words, iri, store) for iri in stated)
    likest = max(share for key, share in heard.items() if key[:2] in ((head, tail), (tail, head)))
    return max(said) < max(SUPPORTED, likest)


def withheld(verdict: Verdict, heard: Heard, aligner: Aligner, made: Sequence[Assertion] = ()) -> Verdict:
    """The verdict; open where it rests on words that do not name its property, and that the reader does not take to
    say so, or takes to say something else rather.

    :param made: what the reader reads
    """
    claim, label = verdict.claim, verdict.label
    if label is Label.EXTRAPOLATORY or verdict.relation is None or tier(verdict.method) is Tier.AGE:
        return verdict  # an age is reckoned from dates of which the text says nothing
    if claim.tail.value is not None and label is Label.ATTRIBUTABLE:
        return verdict
    if claim.bridge or claim.measure or claim.negated and (label is Label.ATTRIBUTABLE or _named(verdict, aligner)):
        return verdict
    if claim.negated:
        opened = verdict.opened(METHOD, f"what the text denies is not clearly this; {verdict.reason}")
        return verdict if isinstance(claim.tail.value, DateValue) else opened  # "was not founded before 1950"
    head, tail = _stated(verdict)
    sure = heard.get((span(head), span(tail), verdict.relation))
    needed = DENIED if label is Label.CONTRADICTORY else DOUBTED
    if sure is None or _named(verdict, aligner):
        return verdict
    vague = aligner.likeness(claim.relation, verdict.relation) < SHARED
    if label is Label.ATTRIBUTABLE and vague and any(_reads_otherwise(one, verdict) for one in made):
        return verdict.opened(METHOD, f"the words rather seem to say something else; {verdict.reason}")
    if sure >= needed:
        return verdict
    opened = verdict.opened(METHOD, f"the words do not seem to say this ({sure:.2f} by the reader); {verdict.reason}")
    return replace(opened, scores={**verdict.scores, METHOD: round(sure, 4)})


def _reads_otherwise(one: Assertion, verdict: Verdict) -> bool:
    """Does the reader find another relation of the two likelier than the one by which they are supported?"""
    return one.claim.property == verdict.relation and ends(one.claim) == ends(verdict.claim) and not one.is_best


def _claim(text: str, passage: Passage, one: Asked, iri: str, guide: Guide) -> Claim:
    start, end = min(one.head.start, one.tail.start), max(one.head.end, one.tail.end)
    if one.head.is_implied and not re.search(r"\w", text[start : one.tail.start]):
        end = passage.end  # "Ann Smith was the director"
    label = guide.aligner.properties[iri].label
    return with_said(text, Claim(start, end, text[start:end], one.head, label, one.tail, property=iri))


def span(mention: Mention) -> Span:
    return mention.start, mention.end
