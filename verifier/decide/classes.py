""" "Ada is a city": classes that have no member in common, as declared (owl:disjointWith) or as everybody knows."""

from __future__ import annotations

from kgstore.model import NamedNode, Statement
from kgstore.verbalise import article
from kgstore.verifier.claims import Candidate, Claim
from kgstore.verifier.decide.finding import Finding
from kgstore.verifier.decide.outcome import contradicts
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.wording import normal
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.knowledge import Knowledge

_LIKELY = 0.15
_HUMAN = words("classes.human")
_NO_HUMAN = words("classes.no_human")
"""Classes without people in them, and without things that are called after people by first name and surname."""


def decide_class(claim: Claim, know: Knowledge) -> Finding | None:
    """A contradiction where no likely meaning of the head can be what the text calls it, else None."""
    if normal(claim.relation) not in (("be",), ("instanc", "of"), ("be", "instanc", "of")) or claim.hedged:
        return None
    heads = [one for one in claim.head.candidates if one.score >= _LIKELY]
    tails = [one for one in claim.tail.candidates if one.score >= _LIKELY]
    found = [_apart(know, head, tail, claim.head.text) for head in heads for tail in tails]
    if not found or not all(found):
        return None
    statements, reason = found[0]  # type: ignore[misc]
    return Finding(contradicts(Tier.DISJOINT, statements, reason), head=heads[0], tail=tails[0])


def _apart(know: Knowledge, head: Candidate, tail: Candidate, name: str) -> tuple[list[Statement], str] | None:
    """The statement of the head's class and why it excludes the other class, None where it does not."""
    above = {tail.iri, *know.store.supertypes(tail.iri)}
    label = know.store.label

    def a(kind: str) -> str:
        return f"{article(label(kind))} {label(kind)}"

    for statement in (one for types in know.types for one in know.about(head.iri).get(types, ())):
        kind = statement.value.value if isinstance(statement.value, NamedNode) else ""
        for own in (kind, *know.store.supertypes(kind)):
            declared = above & know.disjoint(own)
            if declared:
                other = label(min(declared))
                no = f"no {label(own)} is {article(other)} {other}"
                return [statement], f"{head.label} is {a(kind)}, and the KG declares that {no}"
        if label(kind) in _HUMAN and " " in name and name == head.label:
            other = next((label(one) for one in sorted(above) if label(one) in _NO_HUMAN), "")
            if other and not any(label(one) in _HUMAN for one in above):
                return [statement], f"{head.label} is {a(kind)}, and no {label(kind)} is {article(other)} {other}"
    return None

