"""Works of one title: "Dune was directed by Denis Villeneuve" is true of a film that a KG with the other Dune lacks.

Titles are used again and again, short ones above all. A year or a maker that does not fit the stored work is no
contradiction then, unless the text says something else of it that does fit. A year that sorts ("is a 1996 film") tells
which of several is meant, whatever the title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgstore.catalog import fold
from kgstore.model import NamedNode, Time
from kgstore.verifier.claims import Label, Role, Verdict
from kgstore.verifier.decide.combine import certain
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.knowledge import Knowledge

_WORKS = words("classes.works")
_SORTS = words("classes.works_called")
"""What a text may call a work."""
_MAKERS = words("classes.makers")
_SMALL = words("articles.small")
_KIND = words("relation.kind")


def spare_titles(verdicts: Sequence[Verdict], know: Knowledge, ruled: Sequence[Verdict] = ()) -> list[Verdict]:
    """The verdicts of one text; contradictions that another work of the same title would explain are left open.

    :param ruled: those of the rules, some of which may have gone; where they are given, no others are spared
    """
    fitting = {end.iri for one in verdicts if _tells_apart(one) for end in (one.head, one.tail) if end is not None}
    ruled = ruled or verdicts
    called = {one.head.iri for one in ruled if one.head is not None and _is_misnamed(one, one.head.iri, know)}
    spared = {id(one) for one in ruled if _may_be_another(one, fitting, called, know)}
    return [_spared(one) if id(one) in spared else one for one in verdicts]


def _tells_apart(verdict: Verdict) -> bool:
    """Does the claim say something true of the work that another one of that title would hardly share?"""
    return verdict.label is Label.ATTRIBUTABLE and not verdict.claim.hedged and not _is_kind(verdict)


def _is_kind(verdict: Verdict) -> bool:
    """ "Dune is a film" fits all of them."""
    return _KIND.issuperset(verdict.claim.relation.split()) or verdict.claim.measure is not None


def _is_misnamed(verdict: Verdict, work: str, know: Knowledge) -> bool:
    """ "..., a song by A, ...", where the KG has a film of that title: the song is another work."""
    claim = verdict.claim
    if verdict.label is Label.ATTRIBUTABLE or claim.negated or claim.bridge:
        return False
    verb, *words = claim.relation.lower().split() or [""]
    words = words or claim.tail.text.lower().split()[-1:]
    sorts = _SORTS.intersection(words) if verb in ("is", "was") else set()
    kinds = [know.store.label(kind).lower() for kind in know.kinds(work)]
    return bool(sorts) and bool(kinds) and not any(sort in kind for sort in sorts for kind in kinds)


def _may_be_another(verdict: Verdict, fitting: set[str], called: set[str], know: Knowledge) -> bool:
    claim, head = verdict.claim, verdict.head
    if verdict.label is not Label.CONTRADICTORY or head is None or head.iri in fitting or claim.negated or claim.bridge:
        return False
    against = [one.statement for one in verdict.evidence if one.role is Role.CONTRADICTS]
    work = against[0].subject.value if against else head.iri
    if work in fitting:
        return False
    if claim.said.sorts:
        return True
    if not _is_work(work, know):
        return False
    if work in called:
        return True
    shared = _is_reused(work, know) or _is_part(work, claim.head.text if work == head.iri else claim.tail.text, know)
    return shared and all(_dates_or_makes(one.value, know) for one in against)


def _dates_or_makes(value: object, know: Knowledge) -> bool:
    """Is it a date, a person or a company? By these two works of one title differ."""
    if isinstance(value, NamedNode):
        return any(know.store.label(kind).lower() in _MAKERS for kind in know.kinds(value.value))
    return isinstance(value, Time)


def _is_work(iri: str, know: Knowledge) -> bool:
    return any(know.store.label(kind) in _WORKS for kind in know.kinds(iri))


def _is_reused(iri: str, know: Knowledge) -> bool:
    """One word (articles apart) makes a title that others take, too; so does one that the KG has for something else."""
    title = fold(know.store.label(iri))
    if sum(word not in _SMALL for word in title.split()) <= 1:
        return True
    hits = know.store.lookup([title]).get(title, ())
    return any(hit.iri != iri and fold(know.store.label(hit.iri)) == title for hit in hits)


def _is_part(iri: str, mention: str, know: Knowledge) -> bool:
    """Is what the text names only the first part of the title? "The Lord of the Rings" is also a book, and a series."""
    title, said = (text.casefold().removeprefix("the ") for text in (know.store.label(iri), mention))
    return title.startswith(said) and title[len(said) :].lstrip().startswith((":", "-", "–", "—", "("))


def _spared(verdict: Verdict) -> Verdict:
    reason = f"{verdict.reason}; but the text may mean another work of that title, which the KG does not have"
    return replace(verdict.opened(Tier.ANOTHER_WORK, reason), probabilities=certain(Label.EXTRAPOLATORY))
