"""Nobody is accused by a pronoun that may mean somebody else, of whom the same is true.

"President Ford awarded him a medal. He died in Tucson.": of Jesse Owens the KG says so, so he is meant and not Ford.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgstore.verifier.claims import Claim, Label, Mention, Passage, Verdict
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.coreference import PERSONAL

MOST = 8
"""Others who may be meant; the latest that the text named before."""


def spare_pronouns(
    verdicts: Sequence[Verdict], passages: Sequence[Passage], decide: Callable[[Claim], Verdict], beings: Beings
) -> list[Verdict]:
    """The verdicts of one text, each contradiction of a pronoun's claim in the light of who else it may mean.

    :param decide: the verdict on a claim
    """
    named = [place for passage in passages for place in passage.places if place.refers_to is None]
    return [_spared(one, named, decide, beings) if _is_by_pronoun(one) else one for one in verdicts]


def _is_by_pronoun(verdict: Verdict) -> bool:
    head = verdict.claim.head
    return verdict.label is Label.CONTRADICTORY and head.refers_to is not None and bool(head.candidates)


def _spared(
    verdict: Verdict, named: Sequence[Mention], decide: Callable[[Claim], Verdict], beings: Beings
) -> Verdict:
    for other in _others(verdict.claim.head, named, beings):
        span = (other.start, other.end)
        head = replace(verdict.claim.head, candidates=other.candidates, refers_to=span)
        found = decide(replace(verdict.claim, head=head))
        if found.label is Label.ATTRIBUTABLE:
            by, _, _ = verdict.method.partition(":")  # the reader's stays the reader's
            return replace(found, method=f"{by}:{found.method.partition(':')[2]}", scores=verdict.scores)
    return verdict


def _others(head: Mention, named: Sequence[Mention], beings: Beings) -> Iterator[Mention]:
    """The names before a pronoun, or a definite noun, that it may as well stand for, the latest first."""
    seen, gender = {head.candidates[0].iri}, PERSONAL.get(head.text.lower(), "")
    person = beings.is_person(head)
    for one in reversed([one for one in named if one.end <= head.start and one.candidates]):
        fits = beings.is_person(one) == person and beings.gender(one) in (gender, "")
        if one.candidates[0].iri not in seen and fits:
            seen.add(one.candidates[0].iri)
            yield one
        if len(seen) > MOST:
            return
