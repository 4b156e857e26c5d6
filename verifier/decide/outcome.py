"""What one tier finds about one reading of a claim."""

from __future__ import annotations

from dataclasses import dataclass

from kgstore.model import Statement
from kgstore.verifier.claims import Evidence, Label, Mention, Role
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import words

_PRONOUNS = words("pronouns.third")
Tiers = frozenset[str]
"""Names of tiers, see `tier`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tier's finding.

    :param closed: the KG holds values for this property and subject, so that silence about another one says something
    """

    label: Label
    method: Tier
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    closed: bool = False


def supports(method: Tier, statements: list[Statement], reason: str) -> Outcome:
    return Outcome(Label.ATTRIBUTABLE, method, _as(Role.SUPPORTS, statements), reason, True)


def contradicts(method: Tier, statements: list[Statement], reason: str) -> Outcome:
    return Outcome(Label.CONTRADICTORY, method, _as(Role.CONTRADICTS, statements), reason, True)


def undecided(method: Tier, statements: list[Statement], reason: str, closed: bool | None = None) -> Outcome:
    """:param closed: what `Tier.closed` says unless told"""
    closed = method.closed if closed is None else closed
    return Outcome(Label.EXTRAPOLATORY, method, _as(Role.RELATED, statements), reason, closed)


def no_property(relation: str) -> Outcome:
    return undecided(Tier.NO_PROPERTY, [], f"no property of the KG fits “{relation}”")


def not_linked(mention: Mention) -> Outcome:
    """The KG knows nothing by a name, or the text does not say surely whom it means."""
    unclear = is_unclear(mention)
    reason = f"whom “{mention.text}” means is not sure" if unclear else f"the KG knows nothing called {mention.name}"
    return undecided(Tier.NOT_LINKED, [], reason)


def is_unclear(mention: Mention) -> bool:
    """Is it a pronoun that surely stands for no name of the text?"""
    return not mention.candidates and not mention.means and mention.text.lower() in _PRONOUNS


def _as(role: Role, statements: list[Statement]) -> tuple[Evidence, ...]:
    return tuple(Evidence(statement, role) for statement in statements[:12])


def tier(method: str) -> str:
    """The part of the verifier that a method belongs to: each rule is one, any other family is one as a whole.

    >>> str(tier(Tier.SINGLE_VALUE)), tier("nli:entails"), tier("kernel")
    ('rule:single-value', 'nli', 'kernel')
    """
    return method if method.startswith("rule:") else method.partition(":")[0]


def kept(outcome: Outcome, without: Tiers) -> Outcome:
    """The outcome, or that of a tier which found nothing where its own is switched off."""
    if tier(outcome.method) not in without:
        return outcome
    return undecided(Tier.OFF, [], f"{tier(outcome.method)} is switched off")
