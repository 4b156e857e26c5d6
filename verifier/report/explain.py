"""Why a verdict is what it is: a sentence or two that set the text beside the KG. No model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kgstore.model import Quantity, Special, Statement, Time
from kgstore.prefixes import compact
from kgstore.profile import BUILT_IN
from kgstore.verbalise import MOST_LISTED, listed, value_text, verbalise
from kgstore.verifier.claims import Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.decide.combine import UNSURE
from kgstore.verifier.decide.complete import WHY as DECLARED
from kgstore.verifier.decide.outcome import is_unclear
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.read.markup import unmarked
from kgstore.verifier.values import DateValue

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import Facts

_OWN_WORDS = frozenset(("factum", "claimver", "kernel:phrased"))
"""Published methods whose reason is their explanation."""

_DOCUMENT = "document:"
"""What the methods that check against a document begin with; their reasons quote it."""

LONGEST_QUOTE = 160
"""Characters of a claim that are quoted whole; a longer one is given by its three parts."""

_TIMES = (("start", "from {}"), ("end", "until {}"), ("at", "as of {}"))
_WHEN = {iri: said for name, said in _TIMES for profile in BUILT_IN.values() for iri in getattr(profile, name)}


def explain(verdict: Verdict, store: Facts) -> str:
    """One or two sentences; every fact in them is in the verdict's evidence."""
    if verdict.method in _OWN_WORDS or verdict.method.startswith(_DOCUMENT):
        return _sentence(verdict.reason)
    match verdict.label:
        case Label.ATTRIBUTABLE:
            return _attributable(verdict, store)
        case Label.CONTRADICTORY:
            return _contradictory(verdict, store)
    return _undecided(verdict, store)


def _attributable(verdict: Verdict, store: Facts) -> str:
    facts = _facts(_with_role(verdict, Role.SUPPORTS) or verdict.evidence, store)
    if _is_told(verdict):
        return f"{_sentence(verdict.reason).removesuffix('.')}: the KG states that {facts}."
    if DECLARED in verdict.reason:
        facts += f", and {DECLARED}"
    return f"The KG states that {facts}." if facts else _sentence(verdict.reason) or "The KG states this."


def _contradictory(verdict: Verdict, store: Facts) -> str:
    against = _with_role(verdict, Role.CONTRADICTS)
    chain = _with_role(verdict, Role.SUPPORTS)  # how one gets to what is contradicted
    facts = _facts([*chain, *against] or verdict.evidence, store)
    said = f"The text says “{quote(verdict.claim)}”"
    if _is_told(verdict):
        said += f", but {verdict.reason}"
    if Tier.of(verdict.method) is Tier.COMPLETE:
        return f"{said}; {verdict.reason}."
    if DECLARED in verdict.reason:
        facts += f", and {DECLARED}"
    return f"{said}; the KG says that {facts}." if facts else f"{said}. {_sentence(verdict.reason)}".rstrip()


def _undecided(verdict: Verdict, store: Facts) -> str:
    claim = verdict.claim
    if (verdict.why_not or "").startswith(UNSURE):
        return _sentence(verdict.reason)
    if verdict.head is None and claim.head.value is None:
        if is_unclear(claim.head):
            return f"Whom “{claim.head.text}” means is not sure, so this cannot be checked."
        return f"The KG has no entity that “{_name(claim.head.name)}” clearly names, so this cannot be checked."
    if _is_told(verdict) and not claim.hedged:
        return _sentence(verdict.reason)
    if verdict.relation is None:
        return _sentence(verdict.reason) or f"No property of the KG fits “{claim.relation}”, so this cannot be checked."
    return _related(verdict, store) or _sentence(verdict.reason) or "The KG does not decide this."


def _related(verdict: Verdict, store: Facts) -> str:
    """What the KG does say where the claim asks, and why that decides nothing."""
    claim, relation = verdict.claim, verdict.relation or ""
    known = [item.statement for item in verdict.evidence if item.statement.predicate.value == relation]
    subject = known[0].subject.value if known else verdict.head.iri if verdict.head else None
    if subject is None:
        return ""
    about, prop, asked = store.label(subject), store.label(relation), _name(claim.tail.text)
    if claim.hedged:
        told = _facts([Evidence(one, Role.RELATED) for one in known], store)
        rest = f"; the KG says that {told}." if told else ", so it is not checked."
        return f"The text does not assert “{quote(claim)}”{rest}"
    if not known:
        unnamed = verdict.tail is None and claim.tail.value is None
        reason = f", and no entity that “{asked}” clearly names" if unnamed else ""
        return _sentence(verdict.reason) or f"The KG has no “{prop}” for {about}{reason}."
    shown = listed(dict.fromkeys(value_text(one.value, store.label) for one in known if one.subject.value == subject))
    if not shown:
        return ""
    first, value = known[0].value, claim.tail.value
    if isinstance(value, DateValue) and isinstance(first, Time) and first.precision < value.precision:
        return f"The KG gives the “{prop}” of {about} only as {shown}, which does not decide “{asked}”."
    if isinstance(first, Time | Quantity):
        return f"Under “{prop}” the KG lists {shown} for {about}, which does not decide “{asked}”."
    if first is Special.SOME:
        return f"The KG says that {about} has a “{prop}”, but not which."
    if verdict.tail is None and claim.tail.value is None:
        return f"Under “{prop}” the KG lists {shown} for {about}; it has no entity that “{asked}” clearly names."
    tier = Tier.of(verdict.method)
    if verdict.reason and (tier is None or not tier.silent):
        return _sentence(verdict.reason)
    return f"Under “{prop}” the KG lists {shown} for {about}; there can be more, and {asked} is not mentioned."


def _is_told(verdict: Verdict) -> bool:
    """Does the reason say more than the statements?"""
    tier = Tier.of(verdict.method)
    return bool(verdict.reason) and tier is not None and tier.told


def _facts(evidence: Iterable[Evidence], store: Facts) -> str:
    """Statements as clauses that go on after "that"; those of one subject and property share a clause."""
    groups: dict[tuple[str, str], list[Statement]] = {}
    for item in evidence:
        groups.setdefault((item.statement.subject.value, item.statement.predicate.value), []).append(item.statement)
    return ", and that ".join(facts(statements, store) for statements in list(groups.values())[:MOST_LISTED])


def facts(statements: Sequence[Statement], store: Facts) -> str:
    """A clause about one subject's values of one property, with when each held and which statement it is."""
    subject, prop = (store.label(part.value) for part in (statements[0].subject, statements[0].predicate))
    words = verbalise(subject, prop, listed(dict.fromkeys(_value(one, store) for one in statements))).removesuffix(".")
    return "the " + words[4:] if words.startswith("The ") and not words.startswith(subject) else words


def _value(statement: Statement, store: Facts) -> str:
    named = f"statement {compact(statement.id).removeprefix('wds:')}" if statement.id else ""
    notes = ", ".join(filter(None, (_when(statement, store), named)))
    return value_text(statement.value, store.label) + (f" ({notes})" if notes else "")


def _when(statement: Statement, store: Facts) -> str:
    times = {prop.value: value for prop, value in statement.qualifiers if isinstance(value, Time)}
    shown = {prop: value_text(time, store.label) for prop, time in times.items()}
    return " ".join(words.format(shown[prop]) for prop, words in _WHEN.items() if prop in shown)


def quote(claim: Claim) -> str:
    """The claim's own words if they are few, else its three parts."""
    if len(claim.text) <= LONGEST_QUOTE:
        return unmarked(claim.text).rstrip(".")
    return f"{claim.head.name} {claim.relation} {claim.tail.text}"


def _with_role(verdict: Verdict, role: Role) -> list[Evidence]:
    return [item for item in verdict.evidence if item.role is role]


def _name(words: str) -> str:
    return " ".join(words.split())


def _sentence(words: str) -> str:
    """Capitalised and with a full stop."""
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".") if words else ""
