"""The rules that decide, by name, and what others ask of a rule."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

_RULE, _READER = "rule:", "reader:"


class Tier(StrEnum):
    """A rule that decides, or that tells why nothing is decided. Its value is the ``method`` of a report, and a part of
    the features that ``combination.json`` weighs.
    """

    AGE = "rule:age"
    AMBIGUOUS = "rule:ambiguous"
    ANOTHER_WORK = "rule:another-work"
    COMPARISON = "rule:comparison"
    COMPLETE = "rule:complete"
    CONFLICT = "rule:conflict"
    COUNT = "rule:count"
    DATE = "rule:date"
    DATE_FINER = "rule:date-finer"
    DISJOINT = "rule:disjoint"
    ENDED = "rule:ended"
    FINER = "rule:finer"
    HEDGED = "rule:hedged"
    HIERARCHY = "rule:hierarchy"
    INVERSE = "rule:inverse"
    KIND = "rule:kind"
    MULTI_HOP = "rule:multi-hop"
    NEGATION = "rule:negation"
    NO_PROPERTY = "rule:no-property"
    NO_VALUE = "rule:no-value"
    NOT_LINKED = "rule:not-linked"
    NUMBER = "rule:number"
    NUMBER_FINER = "rule:number-finer"
    OFF = "rule:off"
    OPEN = "rule:open"
    PLACE = "rule:place"
    QUALIFIER = "rule:qualifier"
    SEVERAL_VALUES = "rule:several-values"
    SINGLE_VALUE = "rule:single-value"
    STATEMENT = "rule:statement"
    STRING = "rule:string"
    SUPERLATIVE = "rule:superlative"
    TIME = "rule:time"
    TIME_OPEN = "rule:time-open"

    @classmethod
    def of(cls, method: str) -> Self | None:
        """The rule behind a method; the relation reader's verdicts come by the same rules. None for any other method.

        >>> Tier.of("rule:date"), Tier.of("reader:date"), Tier.of("nli"), Tier.of("reader")
        (<Tier.DATE: 'rule:date'>, <Tier.DATE: 'rule:date'>, None, None)
        """
        name = method.replace(_READER, _RULE, 1) if method.startswith(_READER) else method
        try:
            return cls(name)
        except ValueError:
            return None

    @property
    def closed(self) -> bool:
        """Does it speak of values that the KG holds, so that silence about another one says something?"""
        return self in _CLOSED

    @property
    def finer(self) -> Tier:
        """What it is where the text is more exact than the KG."""
        return Tier(f"{self}-finer")

    @property
    def told(self) -> bool:
        """Does its reason say more than the statements that it rests on: how they compare, how many, until when?"""
        return self in _TOLD

    @property
    def silent(self) -> bool:
        """Does it mean that the KG has other values, and no more than that? Any other knows a better reason."""
        return self in (Tier.OPEN, Tier.MULTI_HOP)

    @property
    def for_a_judge(self) -> bool:
        """Might other words have been decided? Time and titles are no matter of a judge."""
        return self in _FOR_A_JUDGE


_CLOSED = frozenset(
    (Tier.COUNT, Tier.DATE_FINER, Tier.ENDED, Tier.FINER, Tier.KIND, Tier.NUMBER_FINER, Tier.SEVERAL_VALUES,
     Tier.TIME_OPEN)
)  # fmt: skip
_TOLD = frozenset(
    (Tier.AGE, Tier.ANOTHER_WORK, Tier.COMPARISON, Tier.CONFLICT, Tier.COUNT, Tier.DISJOINT, Tier.ENDED,
     Tier.SUPERLATIVE, Tier.TIME_OPEN)
)  # fmt: skip
_FOR_A_JUDGE = frozenset(
    (Tier.AMBIGUOUS, Tier.FINER, Tier.MULTI_HOP, Tier.NO_PROPERTY, Tier.OPEN, Tier.SEVERAL_VALUES)
)
