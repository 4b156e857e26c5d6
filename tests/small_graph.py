"""A KG of a dozen facts in memory, in the Wikibase mapping, for tests of what is said about verdicts."""

from __future__ import annotations

from decimal import Decimal

from kgstore.model import Literal, NamedNode, Quantity, Statement, Time, Triple, Value
from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Claim, Evidence, Label, Mention, Role, Verdict
from kgstore.verifier.values import find_amounts, find_dates

LABELS = {
    "Q1": "Ada Lovelace", "Q2": "London", "Q3": "Paris", "Q4": "Charles Babbage", "Q5": "Lord Byron", "Q6": "Germany",
    "Q7": "United States of America", "Q8": "actor", "Q9": "poet", "Q10": "Mont Blanc", "Q11": "metre", "Q12": "France",
    "Q13": "Analytical Society", "Q14": "Royal Society", "Q15": "Byron family",
    "P19": "place of birth", "P22": "father", "P27": "country of citizenship", "P106": "occupation", "P108": "employer",
    "P569": "date of birth", "P2044": "elevation above sea level", "P1082": "population", "P580": "start time",
    "P582": "end time", "P248": "stated in", "P463": "member of", "P36": "capital", "P2067": "mass", "P1549": "demonym",
}
FACTS: list[tuple[str, str, str, Value]] = [
    ("Q1-born", "Q1", "P19", NamedNode(expand("Q2"))),
    ("Q1-date", "Q1", "P569", Time("+1815-12-10T00:00:00Z", 11)),
    ("Q1-father", "Q1", "P22", NamedNode(expand("Q5"))),
    ("Q1-land", "Q1", "P27", NamedNode(expand("Q6"))),
    ("Q1-job", "Q1", "P106", NamedNode(expand("Q8"))),
    ("Q1-club", "Q1", "P463", NamedNode(expand("Q13"))),
    ("Q1-club2", "Q1", "P463", NamedNode(expand("Q14"))),
    ("Q4-date", "Q4", "P569", Time("+1791-00-00T00:00:00Z", 9)),
    ("Q4-land", "Q4", "P27", NamedNode(expand("Q7"))),
    ("Q10-high", "Q10", "P2044", Quantity(Decimal(4810), expand("Q11"))),
    ("Q2-people", "Q2", "P1082", Quantity(Decimal(8866000))),
    ("Q12-capital", "Q12", "P36", NamedNode(expand("Q3"))),
    ("Q6-people", "Q6", "P1549", Literal("German", language="en")),
    ("Q12-people", "Q12", "P1549", Literal("French", language="en")),
]


def small_store() -> Store:
    """The facts above, each with a statement node; Ada's birth has a qualifier and a reference."""
    store = Store()
    store.add([triple for parts in (_labels(), *map(_triples, FACTS), _extras()) for triple in parts], source="tests")
    return store


def _labels() -> list[Triple]:
    label, kind = NamedNode(expand("rdfs:label")), NamedNode(expand("rdf:type"))
    item, prop = NamedNode(expand("wikibase:Item")), NamedNode(expand("wikibase:Property"))
    return [
        triple
        for name, text in LABELS.items()
        for triple in (
            Triple(NamedNode(expand(name)), label, Literal(text, language="en")),
            Triple(NamedNode(expand(name)), kind, prop if name[0] == "P" else item),
        )
    ]


def _triples(fact: tuple[str, str, str, Value]) -> list[Triple]:
    name, subject, prop, value = fact
    node, full = NamedNode(expand(f"wds:{name}")), NamedNode(expand(f"wdv:{name}"))

    def iri(text: str) -> NamedNode:
        return NamedNode(expand(text))

    parts: dict[str, NamedNode | Literal] = {}
    simple: NamedNode | Literal
    match value:
        case Time():
            simple = Literal(value.iso[1:].replace("-00", "-01"), datatype=iri("xsd:dateTime"))
            parts = {
                "wikibase:timeValue": simple,
                "wikibase:timePrecision": Literal(value.precision),
                "wikibase:timeCalendarModel": iri("Q1985727"),
            }
        case Quantity():
            simple = Literal(str(value.amount), datatype=iri("xsd:decimal"))
            unit = NamedNode(value.unit or expand("Q199"))
            parts = {"wikibase:quantityAmount": simple, "wikibase:quantityUnit": unit}
        case NamedNode() | Literal():
            simple = value
    return [
        Triple(iri(subject), iri(f"wdt:{prop}"), simple),
        Triple(iri(subject), iri(f"p:{prop}"), node),
        Triple(node, iri(f"ps:{prop}"), simple),
        Triple(node, iri("wikibase:rank"), iri("wikibase:NormalRank")),
        *([Triple(node, iri(f"psv:{prop}"), full)] if parts else []),
        *(Triple(full, iri(key), part) for key, part in parts.items()),
    ]


def _extras() -> list[Triple]:
    node, source = NamedNode(expand("wds:Q1-club")), NamedNode(expand("wdref:r1"))
    year = Literal("1830-01-01T00:00:00Z", datatype=NamedNode(expand("xsd:dateTime")))
    full = NamedNode(expand("wdv:year"))
    return [
        Triple(node, NamedNode(expand("pq:P580")), year),
        Triple(node, NamedNode(expand("pqv:P580")), full),
        Triple(full, NamedNode(expand("wikibase:timeValue")), year),
        Triple(full, NamedNode(expand("wikibase:timePrecision")), Literal(9)),
        Triple(node, NamedNode(expand("prov:wasDerivedFrom")), source),
        Triple(source, NamedNode(expand("pr:P248")), NamedNode(expand("Q4"))),
    ]


def known(store: Store, name: str) -> Statement:
    """The statement ``Q1-born`` as the store gives it."""
    subject = expand(name.partition("-")[0])
    return next(one for one in store.statements(subject) if one.id == expand(f"wds:{name}"))


def mention(text: str, words: str, entity: str | None = None) -> Mention:
    """The first place of the words in the text, linked to an entity, or read as a date or amount."""
    start = text.index(words)
    candidates = (Candidate(expand(entity), LABELS[entity], 0.9, "somebody"),) if entity else ()
    found = [] if entity else [*find_dates(words), *find_amounts(words)]
    value = next((value for a, b, value in found if (a, b) == (0, len(words))), None)
    return Mention(start, start + len(words), words, candidates, value)


def verdict(
    text: str,
    head: str,
    relation: str,
    tail: str,
    label: Label,
    *evidence: tuple[Statement, Role],
    head_is: str | None = "Q1",
    tail_is: str | None = None,
    asks: str | None = None,
    negated: bool = False,
    hedged: bool = False,
    reason: str = "",
) -> Verdict:
    """A verdict on a claim that is the whole text; ``asks`` is the property, by default that of the evidence."""
    first, last = mention(text, head, head_is), mention(text, tail, tail_is)
    claim = Claim(0, len(text.rstrip(".")), text.rstrip("."), first, relation, last, negated=negated, hedged=hedged)
    prop = expand(asks) if asks else evidence[0][0].predicate.value if evidence else None
    certain = {one: 0.96 if one is label else 0.02 for one in Label}
    return Verdict(
        claim,
        label,
        (certain[Label.ATTRIBUTABLE], certain[Label.EXTRAPOLATORY], certain[Label.CONTRADICTORY]),
        "rule:test",
        tuple(Evidence(statement, role) for statement, role in evidence),
        reason,
        prop,
        first.candidates[0] if first.candidates else None,
        last.candidates[0] if last.candidates else None,
    )
