""" "A is a river in B": that A lies in B is not enough, it must be a river."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kgstore.model import NamedNode
from kgstore.verbalise import article
from kgstore.verifier.claims import Candidate, Claim
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.values.units import singular


def place_alone(claim: Claim, know: Knowledge, is_noun: Callable[[str], bool]) -> Claim | None:
    """"A is in B" for "A is a river in B"; None for any other claim.

    :param is_noun: does this noun name a relation of the KG? Then it is one, unless the KG has a class of that name

    The words "is river in" are no wording of a property, so that it may be read as one that it does not mean.
    """
    noun = claim.said.kind
    return replace(claim, relation="is in") if noun and (_classes(noun, know) or not is_noun(noun)) else None


def _classes(noun: str, know: Knowledge) -> set[str]:
    return set(classes_named(know.store, noun, True) or classes_named(know.store, noun.split()[-1], True))


def another_kind(claim: Claim, head: Candidate, know: Knowledge) -> str | None:
    """Why the head is not known to be of the class that the text names beside a place; None where it is one, where the
    KG knows no such class (then the place alone is checked), or where it does not say what the head is.

    Whatever the KG says of the head counts, its occupations and awards too.
    """
    noun = claim.said.kind
    if not noun or not know.kinds(head.iri):
        return None
    wanted = _classes(noun, know)
    if not wanted or wanted & know.kinds(head.iri):
        return None
    said_of_it = (one.value for held in know.about(head.iri).values() for one in held)
    values = {value.value for value in said_of_it if isinstance(value, NamedNode)}
    if any(wanted & know.store.supertypes(one).keys() for one in values):
        return None
    *before, last = noun.split()
    kind = " ".join((*before, singular(last)))
    return f"the KG does not say that {head.label} is {article(kind)} {kind}"
