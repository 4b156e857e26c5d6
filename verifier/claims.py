"""The values that pass through the verifier: from a stretch of text to a verdict about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kgstore.model import Statement
from kgstore.verifier.values import Amount, DateValue
from kgstore.verifier.values.frozen import FrozenDict

Triple = tuple[str, str, str]
"""Head, relation, tail in words: a claim, a statement, or what a model says."""


class Label(StrEnum):
    """What a KG says about a claim. Ordered from best to worst by `WORST_FIRST`."""

    ATTRIBUTABLE = "attributable"
    EXTRAPOLATORY = "extrapolatory"
    CONTRADICTORY = "contradictory"


WORST_FIRST = (Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE)


class Role(StrEnum):
    """What a statement does for a verdict."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may mean; ``score`` is 0 to 1."""

    iri: str
    label: str
    score: float
    description: str = ""


MOST_CANDIDATES = 40
"""Of what a mention may mean; there are 31 counties named Washington."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that names something: an entity, a date, an amount, or a plain string.

    Offsets are Python string offsets into the whole text, end exclusive. ``candidates`` is empty where nothing in the
    KG has that name (or linking abstained); ``refers_to`` keeps the span that a pronoun or "the film" stands for.

    :param proper: is it a name though it has no capital ("metformin")?
    :param means: the name for which a pronoun stands, "" for a name itself
    :param meant: P(meant) of that name, 0 where nobody weighed it
    """

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...] = ()
    value: DateValue | Amount | None = None
    refers_to: tuple[int, int] | None = None
    proper: bool = False
    means: str = ""
    meant: float = 0.0

    @property
    def name(self) -> str:
        """Its own words, or the name for which they stand."""
        return self.means or self.text

    @property
    def is_implied(self) -> bool:
        """Is it what a text is about, in a sentence that does not mention it? It takes no room there."""
        return self.start == self.end and self.refers_to is not None

    @property
    def is_cut(self) -> bool:
        """May it as well mean what is not among the candidates, since there are too many?"""
        return len(self.candidates) >= MOST_CANDIDATES and self.candidates[0].score < 0.5

    @property
    def is_common(self) -> bool:
        """Are its words common nouns, as far as one sees?"""
        return self.text.islower() and not self.proper


@dataclass(frozen=True, slots=True)
class Hop:
    """One step on the way from a claim's head to what its relation speaks of.

    :param relation: ``spouse``, ``was born in``
    :param noun: the kind of thing reached where the text names it ("a city"), else ""
    :param definite: "the spouse" promises that there is just one, "a child" does not
    :param turned: what is reached comes first in the relation: "the person who directed A"
    :param property: the IRI of what is meant where that is known, else None
    """

    relation: str
    noun: str = ""
    definite: bool = False
    turned: bool = False
    property: str | None = None


class MeasureKind(StrEnum):
    """What a claim that speaks of more than one statement does: it compares, counts, or picks the first of a class."""

    COMPARISON = "comparison"
    COUNT = "count"
    SUPERLATIVE = "superlative"


@dataclass(frozen=True, slots=True)
class Measure:
    """How much or how many a claim says, where no single statement can say it.

    - comparison: head and tail are the two compared; "A is larger than B", "A was born before B"
    - count: the tail is the amount; "A won two Nobel Prizes" counts the values of the relation ``won``
    - superlative: the tail is where it holds; "A is the largest city of B"

    :param properties: names of what is measured, any of which may be meant ("area", "population"); of what is counted
        for a count ("children")
    :param direction: 1 more, later, most, last; -1 less, earlier, least, first; 0 as much
    :param things: the class that is counted or compared ("city", "Nobel Prize"), where the text names one
    :param rank: 2 for "the second largest"
    """

    kind: MeasureKind
    properties: tuple[str, ...]
    direction: int = 1
    things: Mention | None = None
    rank: int = 1


@dataclass(frozen=True, slots=True)
class Said:
    """What the words of a claim say besides its head, relation and tail; read by `kgstore.verifier.link.said`.

    :param present: it holds today ("is", "still")
    :param past: it held once ("was", "former"), whether or not it still does
    :param former: it held once and does so no longer, by a word that says so ("formerly", "used to")
    :param end: a date beside it is that of the ``start`` ("joined", "since") or the ``end`` ("left"), or ""
    :param for_a_time: words that deny it for some of the time or in part: who was not British at birth may be British
    :param bound: ``by``, ``before`` or ``after`` where the tail is a date that bounds another one, else ""
    :param near: how far off the bound is is said, too ("shortly before"); a date on its right side need not agree
    :param season: the end of the relation that names a season ("in the summer of"), else ""
    :param kind: "river" in "is a river in", else ""; ``most``: "largest" in "is the largest city in"
    :param compared: the tail is named with how it compares ("is the bigger lake"), which says more than "a lake"
    :param at_age: the tail is an age at death ("died aged 49")
    :param again: the tail is the date of a second time ("was re-released in")
    :param goes_on: the tail, a number, goes on with what is no part of it ("and a half")
    :param whole: neither end is a part of a longer name that stands there
    :param sorts: the tail, a year, stands before what the head is and tells which one ("is a 1996 film")
    :param unread: the share of the claim's words that are in none of its parts, 0 to 1
    """

    present: bool = False
    past: bool = False
    former: bool = False
    end: str = ""
    for_a_time: bool = False
    bound: str = ""
    near: bool = False
    season: str = ""
    kind: str = ""
    most: str = ""
    compared: bool = False
    at_age: bool = False
    again: bool = False
    goes_on: bool = False
    whole: bool = True
    sorts: bool = False
    unread: float = 0.0


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable thing that a text says: head, relation, tail.

    :param relation: the words between, such as ``was born in``
    :param bridge: steps to walk from ``head`` before ``relation`` applies: "the spouse of A was born in B" has head A,
        one hop ``spouse``, relation ``was born in``, tail B
    :param negated: the sentence denies it ("was not born in")
    :param hedged: the sentence does not assert it ("may have been born in")
    :param when: the date of the whole ("won the prize in 1903"), where tail is something else
    :param until: the end, where the text gives both ends ("from 1971 to 1974"; ``when`` is the start) or the end alone
        ("until 1974"; ``when`` is None)
    :param measure: what is compared, counted or superlative, if anything is
    :param property: IRI of the property that the sentence was read to assert, where the relation reader made the claim
    :param said: what its words say besides
    """

    start: int
    end: int
    text: str
    head: Mention
    relation: str
    tail: Mention
    bridge: tuple[Hop, ...] = ()
    negated: bool = False
    hedged: bool = False
    when: DateValue | None = None
    until: DateValue | None = None
    measure: Measure | None = None
    property: str | None = None
    said: Said = Said()


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, and what it speaks of.

    :param places: names, dates, amounts and nouns that the KG may know, in text order; a pronoun ``refers_to`` a name,
        and so does what the text is about where the sentence leaves that out
    :param is_title: it has no verb, or ends in a colon
    :param unknown: names of what the KG does not know, and pronouns that stand for such names
    """

    start: int
    end: int
    places: tuple[Mention, ...]
    is_title: bool = False
    unknown: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A statement of the KG and what it does for the verdict."""

    statement: Statement
    role: Role


@dataclass(frozen=True, slots=True)
class Correction:
    """Replace ``text[start:end]`` by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the KG says about one claim.

    :param probabilities: attributable, extrapolatory, contradictory; they sum to 1
    :param method: the tier that decided, such as ``rule:single-value``
    :param evidence: most decisive first; empty only when extrapolatory
    :param reason: one sentence that a reader can check against the evidence
    :param relation: IRI of the property that the relation was read as, None where none fits
    :param head: the entity that the head was read as, None where linking abstained; ``tail`` likewise
    :param paths: chains of statements that connect head and tail
    :param why_not: why the claim could not be checked ("entity not found"), None when it could
    :param traits: what only the tiers know of how sure it is, for `kgstore.verifier.decide.features`
    :param features: name -> its value and its weights for the three labels, as the probabilities were computed
    """

    claim: Claim
    label: Label
    probabilities: tuple[float, float, float]
    method: str
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    relation: str | None = None
    head: Candidate | None = None
    tail: Candidate | None = None
    paths: tuple[tuple[Statement, ...], ...] = ()
    scores: Mapping[str, float] = field(default_factory=FrozenDict)
    correction: Correction | None = None
    why_not: str | None = None
    traits: Mapping[str, float] = field(default_factory=FrozenDict)
    features: Mapping[str, tuple[float, tuple[float, float, float]]] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        for name in ("scores", "traits", "features"):
            if not isinstance(given := getattr(self, name), FrozenDict):
                object.__setattr__(self, name, FrozenDict(given))

    @property
    def confidence(self) -> float:
        """The probability of the verdict's own label, 0 to 1."""
        return self.probabilities[list(Label).index(self.label)]

    def opened(self, method: str, reason: str) -> Verdict:
        """The verdict as one that decides nothing, with what it rested on beside it."""
        related = tuple(replace(one, role=Role.RELATED) for one in self.evidence)
        return replace(self, label=Label.EXTRAPOLATORY, method=method, evidence=related, reason=reason)
