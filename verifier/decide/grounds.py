"""Statements that a judge may rest on: those that hold both ends of a claim, and others close to what it says."""

from __future__ import annotations

from collections.abc import Iterator

from kgstore.model import Literal, NamedNode, Rank, Special, Statement, Time
from kgstore.store import Store
from kgstore.verbalise import value_text, verbalise
from verifier.align import Aligner
from verifier.claims import Candidate, Verdict
from verifier.decide.knowledge import Knowledge
from verifier.decide.literals import compare
from verifier.values import Agreement, Amount, as_year
from verifier.wording import content, normal

Ground = tuple[Statement, ...]
"""One statement that holds head and tail of a claim, or two that meet between them."""
LIKELY = 0.15
"""A candidate with less than this share of its name's weight is not likely to be meant."""
_MOST_GROUNDS, _MOST_LINES, _OF_ONE = 4, 6, 3
_MOST_STEPS = 10
"""Neighbours of the head that are looked at for a second step."""
_QUALIFIERS = 3


def grounds(verdict: Verdict, know: Knowledge, aligner: Aligner) -> list[Ground]:
    """The KG's statements between head and tail, whatever their property; in two steps only where the claim takes two.

    A statement whose value is the date, amount or string that the claim gives counts as holding it.
    """
    claim, head = verdict.claim, verdict.head
    if head is None:
        return []
    tails = [one for one in claim.tail.candidates if one.score >= LIKELY or one == verdict.tail]
    found: list[Ground] = [(one,) for one in _between(head.iri, verdict, tails, know)]
    if claim.bridge:
        chains = [
            (first, one)
            for first, middle in _steps(verdict, know, aligner)
            for one in _between(middle, verdict, tails, know)
            if one != first
        ]
        chains.sort(key=lambda chain: chain[1].subject != chain[0].value)  # those that lead on come first
        found = [*chains[: _MOST_GROUNDS - 1], *found]
    return found[:_MOST_GROUNDS]


def _between(iri: str, verdict: Verdict, tails: list[Candidate], know: Knowledge) -> Iterator[Statement]:
    for tail in tails:
        if tail.iri != iri:
            yield from know.links(iri, tail.iri)
            yield from know.links(tail.iri, iri)
    mention = verdict.claim.tail
    if tails or (mention.value is None and mention.text.islower()):
        return
    year = as_year(mention.value) if isinstance(mention.value, Amount) else None
    for statement in (one for listed in know.about(iri).values() for one in listed):
        if statement.rank is Rank.DEPRECATED or isinstance(statement.value, Special):
            continue
        said = year if year is not None and isinstance(statement.value, Time) else mention.value
        if compare(know, statement, mention.text, said) in (Agreement.SAME, Agreement.COARSER):
            yield statement


def _steps(verdict: Verdict, know: Knowledge, aligner: Aligner) -> list[tuple[Statement, str]]:
    """Statements from the head to other entities, and which others: first by the properties that the first step may
    mean; what kind of thing it is leads nowhere."""
    assert verdict.head is not None
    head, kinds = verdict.head.iri, frozenset(know.store.profile.property_of(one) for one in know.store.profile.type)
    read = aligner.align(verdict.claim.bridge[0].relation, frozenset(("entity",)), [head], k=_MOST_STEPS)
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


def premise(verdict: Verdict, found: list[Ground], know: Knowledge) -> list[Statement]:
    """A few statements to judge the claim by: the grounds, the evidence, and those of the head whose property is most
    like the claim's words."""
    lines = [one for ground in found for one in ground]
    lines += [one.statement for one in verdict.evidence[:_OF_ONE]]
    for _, listed in _by_likeness(verdict, know):
        lines += [one for one in listed if one.rank is not Rank.DEPRECATED][:_OF_ONE]
        if len(lines) >= 2 * _MOST_LINES:
            break
    kept: list[Statement] = []
    for one in lines:
        if one not in kept and len(kept) < _MOST_LINES:
            kept.append(one)
    return kept


def sentence(statement: Statement, store: Store) -> str:
    """A statement in words, with its first qualifiers."""
    label = store.label
    qualifiers = [(label(name.value), value_text(value, label)) for name, value in statement.qualifiers[:_QUALIFIERS]]
    return verbalise(
        label(statement.subject.value), label(statement.predicate.value), value_text(statement.value, label), qualifiers
    )
