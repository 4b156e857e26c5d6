"""Statements that a judge may rest on: those that hold both ends of a claim, and others close to what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kgstore.model import Literal, NamedNode, Quantity, Rank, Special, Statement, Time
from kgstore.verbalise import value_text, verbalise
from kgstore.verifier.claims import Candidate, Mention, Verdict
from kgstore.verifier.decide.accuse import CLEAR, SURE
from kgstore.verifier.decide.direct import tail_kinds
from kgstore.verifier.decide.literals import compare, spoken
from kgstore.verifier.english.wording import LIGHT, content, normal
from kgstore.verifier.kg.align import SURE as OUTRIGHT
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.values import Agreement, Amount, as_year

LIKELY = 0.15
"""A candidate with less than this share of its name's weight is not likely to be meant."""
_MOST_GROUNDS, _MOST_LINES, _OF_ONE = 4, 6, 3
_MOST_STEPS = 10
"""Neighbours of the head that are looked at for a second step."""
_QUALIFIERS = 3
_ENTITY = frozenset(("entity",))


@dataclass(frozen=True, slots=True)
class Ground:
    """One statement that holds head and tail of a claim, or two that meet between them.

    :param text: the statements in words, a line each; a date or amount as the claim writes it, since it is the same
    """

    statements: tuple[Statement, ...]
    text: str


def grounds(verdict: Verdict, know: Knowledge, aligner: Aligner) -> list[Ground]:
    """The KG's statements between head and tail; in two steps only where the claim takes two.

    A statement whose value is the date, amount or string that the claim gives counts as holding it. Where words of the
    claim name a property outright, only statements of that property count for them.
    """
    claim, head = verdict.claim, verdict.head
    if head is None:
        return []
    tails = [one for one in claim.tail.candidates if one.score >= LIKELY or one == verdict.tail]
    kinds = _ENTITY if tails else tail_kinds(claim.tail)
    last = _named(claim.relation, kinds, [head.iri], [one.iri for one in tails], aligner)
    first = frozenset[str]().union(*(_named(hop.relation, _ENTITY, [head.iri], [], aligner) for hop in claim.bridge))
    named = first | last
    direct = _between(head.iri, claim.tail, tails, know)
    single: Iterator[tuple[Statement, ...]] = ((one,) for one in direct if not named or one.predicate.value in named)
    if not claim.bridge:
        return _grounds(single, verdict, know)
    chains = (
        (step, one)
        for step, middle in _steps(verdict, know, aligner)
        if not first or step.predicate.value in first
        for one in _between(middle, claim.tail, tails, know)
        if one.subject.value == middle and one != step and (not last or one.predicate.value in last)
    )
    if first and last:
        single = iter(())
    return [*_grounds(chains, verdict, know)[: _MOST_GROUNDS - 1], *_grounds(single, verdict, know)][:_MOST_GROUNDS]


def _named(
    relation: str, kinds: frozenset[str], heads: Sequence[str], tails: Sequence[str], aligner: Aligner
) -> frozenset[str]:
    """The properties that the words name outright; "is", "has" and "with" name none."""
    if LIGHT.issuperset(normal(relation)):
        return frozenset()
    read = aligner.align(relation, kinds, heads, tails, k=_MOST_STEPS)
    return frozenset(
        one.property.iri for one in read if one.text > OUTRIGHT or (one.text >= CLEAR and one.score >= SURE)
    )


def _grounds(ways: Iterable[tuple[Statement, ...]], verdict: Verdict, know: Knowledge) -> list[Ground]:
    store, tail = know.store, verdict.claim.tail
    written = None if tail.candidates else tail.text
    return [
        Ground(way, "\n".join([*(sentence(one, store) for one in way[:-1]), sentence(way[-1], store, written)]))
        for way in dict.fromkeys(ways)
    ][:_MOST_GROUNDS]


def _between(iri: str, tail: Mention, tails: list[Candidate], know: Knowledge) -> Iterator[Statement]:
    for one in tails:
        if one.iri != iri:
            yield from know.links(iri, one.iri)
            yield from know.links(one.iri, iri)
    if tail.candidates or (tail.value is None and tail.text.islower()):
        return
    for statement in (one for listed in know.about(iri).values() for one in listed):
        if statement.rank is not Rank.DEPRECATED and holds(statement, tail, know):
            yield statement


def holds(statement: Statement, tail: Mention, know: Knowledge) -> bool:
    """Has the statement the date, amount or string of the tail as its value?"""
    stored, value = spoken(statement), tail.value
    if isinstance(stored, Special) or (isinstance(value, Amount) and value.unit and not isinstance(stored, Quantity)):
        return False  # 651 metres are no dialing code
    if isinstance(value, Amount) and isinstance(stored, Time):
        value = as_year(value) or value
    return compare(know, statement, tail.text, value) in (Agreement.SAME, Agreement.COARSER)


def _steps(verdict: Verdict, know: Knowledge, aligner: Aligner) -> list[tuple[Statement, str]]:
    """Statements from the head to other entities, and which others: first by the properties that the first step may
    mean; what kind of thing it is leads nowhere."""
    assert verdict.head is not None
    head, kinds = verdict.head.iri, frozenset(know.store.profile.property_of(one) for one in know.store.profile.type)
    read = aligner.align(verdict.claim.bridge[0].relation, _ENTITY, [head], k=_MOST_STEPS)
    found: list[tuple[Statement, str]] = []
    for one in read:
        if one.turned:
            found += [(step, step.subject.value) for step in know.store.incoming(head, one.property.iri, _OF_ONE)]
    order = {one.property.iri: at for at, one in enumerate(read) if not one.turned}
    for iri, listed in sorted(_by_likeness(verdict, know), key=lambda item: order.get(item[0], len(order))):
        if iri not in kinds:
            found += [(step, step.value.value) for step in listed if isinstance(step.value, NamedNode)]
    return [(step, end) for step, end in found if step.rank is not Rank.DEPRECATED][:_MOST_STEPS]


def _by_likeness(verdict: Verdict, know: Knowledge) -> list[tuple[str, list[Statement]]]:
    """What the KG says about the head, first the property that the rules read, then those that share words with the
    claim."""
    assert verdict.head is not None
    about = know.about(verdict.head.iri)
    said = content(normal(" ".join((*(hop.relation for hop in verdict.claim.bridge), verdict.claim.relation))))

    def order(iri: str) -> tuple[bool, int, bool]:
        text = isinstance(about[iri][0].value, Literal | Special)
        return iri != verdict.relation, -len(said & content(normal(know.store.label(iri)))), text

    return [(iri, about[iri]) for iri in sorted(about, key=order)]


def premise(verdict: Verdict, found: list[Ground], know: Knowledge) -> str:
    """A few statements in words to judge the claim by: the grounds, the evidence, and those of the head whose property
    is most like the claim's words."""
    known = {one for ground in found for one in ground.statements}
    other = [one.statement for one in verdict.evidence[:_OF_ONE]]
    for _, listed in _by_likeness(verdict, know):
        other += [one for one in listed if one.rank is not Rank.DEPRECATED][:_OF_ONE]
        if len(other) >= 2 * _MOST_LINES:
            break
    lines = [line for ground in found for line in ground.text.split("\n")]
    lines += [sentence(one, know.store) for one in other if one not in known]
    return "\n".join(list(dict.fromkeys(lines))[:_MOST_LINES])


def sentence(statement: Statement, store: KnowledgeGraph, value: str | None = None) -> str:
    """A statement in words, with its first qualifiers.

    :param value: the value's words, if not those of the KG
    """
    label = store.label
    qualifiers = [(label(name.value), value_text(one, label)) for name, one in statement.qualifiers[:_QUALIFIERS]]
    value = value or value_text(statement.value, label)
    return verbalise(label(statement.subject.value), label(statement.predicate.value), value, qualifiers)
