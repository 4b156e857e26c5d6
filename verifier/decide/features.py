"""What a verdict rests on, as numbers that a reader can check.

Each name begins with the label that the tiers gave, because the same doubt speaks against whichever label it is about.
``contradictory`` alone is 1 for every contradictory verdict, ``contradictory by rule:date`` for those of one tier; the
others are 0 where all is clear and grow to 1 with the doubt or the hint that they name. What is 0 is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kgstore.verifier.claims import Label, Mention, Verdict
from kgstore.verifier.decide.outcome import Outcome
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.align import Aligned
from kgstore.verifier.values import DateValue

NEAR = 0.12
"""A property whose score is this close to the one read is as good a guess."""
_PRONOUNS = words("pronouns.subjects")


def traits(outcome: Outcome, reading: Aligned | None, readings: Sequence[Aligned]) -> dict[str, float]:
    """What only the tiers know of a verdict: how the relation was read, and how its property behaves in this graph.

    :param readings: all properties that the relation may mean
    """
    found = {"values known": float(outcome.closed and outcome.label is Label.EXTRAPOLATORY)}
    if reading is None:
        return found | {"relation not read": 1.0}
    item = reading.property
    rivals = {one.property.iri for one in readings if one.score >= reading.score - NEAR} - {item.iri}
    return found | {
        "words differ": 1 - reading.text,
        "types differ": 1 - reading.fit,
        "properties as near": min(len(rivals), 3) / 3,
        "read backwards": float(reading.turned),
        "several values usual": 0.0 if outcome.method is Tier.COMPLETE else 1.0 - item.functionality,
        "property rare": max(item.subjects, 1) ** -0.5,
    }


def features(verdict: Verdict) -> dict[str, float]:
    """Name -> value, 0 (left out) to 1, in an order that is always the same."""
    claim, label = verdict.claim, verdict.label.value
    found = {**verdict.traits, "words unread": claim.said.unread}
    for end, entity in (("head", verdict.head), ("tail", verdict.tail)):
        mention: Mention = getattr(claim, end)
        found[f"{end} by pronoun"] = float(mention.refers_to is not None)
        if entity is not None:
            found[f"{end} ambiguous"] = 1 - entity.score
            if end == "head":
                found["head a common noun"] = float(entity.label.islower())
            if mention.refers_to is None:
                found[f"{end} named otherwise"] = float(mention.text.casefold() != entity.label.casefold())
        elif mention.value is None and not mention.candidates:
            found[f"{end} unknown"] = 1.0
            found[f"{end} no plain name"] = float(not _is_plain(mention.text))
    if claim.tail.value is not None:
        found["tail a date" if isinstance(claim.tail.value, DateValue) else "tail an amount"] = 1.0
    if claim.head.refers_to is not None:
        found["head by pronoun, types differ"] = found.get("types differ", 0.0)
    if verdict.head is None:
        found.pop("relation not read", None)  # nobody tried
    found["steps"] = min(len(claim.bridge), 3) / 3
    found["denied"] = float(claim.negated)
    found["hedged"] = float(claim.hedged)
    found["dated"] = float(claim.when is not None)
    if "nli_entails" in verdict.scores:
        found["judged"] = 1.0
        found["judge entails"] = verdict.scores["nli_entails"]
        found["judge contradicts"] = verdict.scores["nli_contradicts"]
    named = {f"{label}, {name}": round(value, 4) for name, value in found.items()}
    return {label: 1.0, f"{label} by {verdict.method}": 1.0} | {name: value for name, value in named.items() if value}


def _is_plain(name: str) -> bool:
    """Capitals all through, and no pronoun: else it is perhaps no name at all."""
    words = name.split()
    return name.lower() not in _PRONOUNS and all(word[0].isupper() or word[0].isdigit() for word in words)


def decided(names: Collection[str]) -> Label:
    """The label that the tiers gave, from the names of a verdict's features.

    >>> decided(["contradictory", "contradictory by rule:date"])
    <Label.CONTRADICTORY: 'contradictory'>

    :raises ValueError: if no name is a label
    """
    for label in Label:
        if label.value in names:
            return label
    raise ValueError(f"no label among {', '.join(names) or 'no features'}")
