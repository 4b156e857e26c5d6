"""What a graph declares of its properties and classes shows in the verdicts: one small graph for each vocabulary."""

from __future__ import annotations

import pytest

from kgstore.prefixes import WELL_KNOWN
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY

OWL = """
ex:boss a owl:FunctionalProperty ; rdfs:label "reports to"@en .
ex:friend a owl:SymmetricProperty ; rdfs:label "works with"@en .
ex:wrote rdfs:label "wrote"@en . ex:author rdfs:label "author"@en ; owl:inverseOf ex:wrote .
ex:part a owl:TransitiveProperty ; rdfs:label "component of"@en .
ex:likes rdfs:label "likes"@en .
ex:person a owl:Class ; rdfs:label "person"@en ; owl:disjointWith ex:machine .
ex:machine a owl:Class ; rdfs:label "machine"@en . ex:clerk rdfs:subClassOf ex:person ; rdfs:label "clerk"@en .
ex:ada a ex:clerk ; rdfs:label "Ada Berg"@en ; ex:boss ex:bo ; ex:friend ex:cy ; ex:likes ex:bo .
ex:bo a ex:person ; rdfs:label "Bo Lund"@en . ex:cy a ex:person ; rdfs:label "Cy Holm"@en .
ex:red rdfs:label "Red Handbook"@en ; ex:author ex:cy .
ex:nut rdfs:label "Nut Unit"@en ; ex:part ex:gear . ex:gear rdfs:label "Gear Box"@en ; ex:part ex:ship .
ex:ship a ex:machine ; rdfs:label "North Ship"@en .
"""
SKOS = """
ex:animals skos:prefLabel "animal"@en . ex:birds skos:prefLabel "bird"@en ; skos:broader ex:animals .
ex:gulls skos:prefLabel "gull"@en ; skos:broader ex:birds . ex:rocks skos:prefLabel "rock"@en .
"""
# people have one mentor (single value), are colleagues of each other (symmetric), a student has a teacher (inverse)
WIKIDATA = """
wd:P9001 rdfs:label "mentor"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9001 ;
    wdt:P2302 wd:Q19474404 ; p:P2302 wds:single . wds:single ps:P2302 wd:Q19474404 ; wikibase:rank wikibase:NormalRank .
wd:P9002 rdfs:label "colleague"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9002 ;
    wdt:P2302 wd:Q21510862 .
wd:P9003 rdfs:label "teacher"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9003 ;
    wdt:P2302 wd:Q21510855 ; p:P2302 wds:inverse .
wds:inverse ps:P2302 wd:Q21510855 ; pq:P2306 wd:P9004 ; wikibase:rank wikibase:NormalRank .
wd:P9004 rdfs:label "student"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9004 .
wd:P9005 rdfs:label "shell colour"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9005 ;
    wdt:P2302 wd:Q21502838 ; p:P2302 wds:must, wds:may .
wds:must ps:P2302 wd:Q21502838 ; pq:P2306 wd:P9006 ; pq:P2305 wd:Q9007 ; pq:P2316 wd:Q21502408 ; pq:P2303 wd:Q9002 ;
    wikibase:rank wikibase:NormalRank .
wds:may ps:P2302 wd:Q21502838 ; pq:P2306 wd:P9006 ; pq:P2305 wd:Q9008 ; wikibase:rank wikibase:NormalRank .
wd:P9006 rdfs:label "employer"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9006 .
wd:Q9001 rdfs:label "Ada Berg"@en ; wdt:P9001 wd:Q9002 ; wdt:P9002 wd:Q9003 ; wdt:P9004 wd:Q9002 ; wdt:P9005 wd:Q9009 .
wd:Q9002 rdfs:label "Bo Lund"@en ; wdt:P9005 wd:Q9009 . wd:Q9003 rdfs:label "Cy Holm"@en .
wd:Q9007 rdfs:label "Acme Works"@en . wd:Q9008 rdfs:label "Nord Works"@en . wd:Q9009 rdfs:label "red"@en .
wd:Q9010 rdfs:label "Dee Falk"@en ; wdt:P9006 wd:Q9007 .
"""
# a value of a type that the property is not for is hardly what the text means, so that nothing is held against it
TYPES = """
ex:boss a owl:FunctionalProperty ; rdfs:label "reports to"@en .
ex:person rdfs:label "person"@en . ex:city rdfs:label "city"@en . ex:oslo a ex:city ; rdfs:label "Oslo"@en .
ex:ada rdfs:label "Ada Berg"@en ; ex:boss ex:bo . ex:bo rdfs:label "Bo Lund"@en .
ex:dee rdfs:label "Dee Falk"@en .
"""
TYPES_OF_WIKIDATA = """
wd:P9011 rdfs:label "mentor"@en ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P9011 ;
    wdt:P2302 wd:Q19474404 .
wd:Q9020 rdfs:label "person"@en . wd:Q9021 rdfs:label "city"@en . wd:Q9024 rdfs:label "Oslo"@en ; wdt:P31 wd:Q9021 .
wd:Q9022 rdfs:label "Ada Berg"@en ; wdt:P9011 wd:Q9023 . wd:Q9023 rdfs:label "Bo Lund"@en .
"""
VALUE_TYPE = """wd:P9011 p:P2302 wds:type .
wds:type ps:P2302 wd:Q21510865 ; pq:P2308 wd:Q9020 ; wikibase:rank wikibase:NormalRank ."""


def verifier_of(turtle: str, folder, profile: str):
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in WELL_KNOWN.items())
    verifier = Verifier(plain_store(prefixes + turtle, folder, profile))
    verifier.without = frozenset(("nli",))
    return verifier


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory):
    folder = tmp_path_factory.mktemp
    found = {
        "owl": verifier_of(OWL, folder("owl"), "rdfs"),
        "skos": verifier_of(SKOS, folder("skos"), "skos"),
        "wikidata": verifier_of(WIKIDATA, folder("wikidata"), "wikidata"),
    }
    yield found
    for one in found.values():
        one.store.close()


@pytest.mark.parametrize(
    ("graph", "text", "label", "method"),
    [
        ("owl", "Ada Berg reports to Bo Lund.", YES, "rule:statement"),
        ("owl", "Ada Berg reports to Cy Holm.", NO, "rule:single-value"),  # owl:FunctionalProperty
        ("owl", "Ada Berg likes Cy Holm.", OPEN, "rule:several-values"),  # nothing declared
        ("owl", "Cy Holm works with Ada Berg.", YES, "rule:inverse"),  # owl:SymmetricProperty
        ("owl", "Bo Lund works with Ada Berg.", OPEN, None),
        ("owl", "Cy Holm wrote Red Handbook.", YES, "rule:inverse"),  # owl:inverseOf
        ("owl", "Nut Unit is a component of North Ship.", YES, "rule:hierarchy"),  # owl:TransitiveProperty
        ("owl", "North Ship is a component of Nut Unit.", OPEN, None),
        ("owl", "Ada Berg is a person.", YES, "rule:hierarchy"),  # rdfs:subClassOf
        ("owl", "Ada Berg is a machine.", NO, "rule:disjoint"),  # owl:disjointWith, through the superclass
        ("skos", "A gull is a kind of animal.", YES, "rule:hierarchy"),  # skos:broader, two steps
        ("skos", "A gull is a kind of rock.", OPEN, None),
        ("wikidata", "The mentor of Ada Berg is Cy Holm.", NO, "rule:single-value"),  # P2302: single value
        ("wikidata", "Ada Berg is a colleague of Cy Holm.", YES, "rule:inverse"),
        ("wikidata", "The colleague of Cy Holm is Ada Berg.", YES, "rule:inverse"),  # symmetric
        ("wikidata", "The teacher of Bo Lund is Ada Berg.", YES, "rule:inverse"),  # of "student"
        ("wikidata", "The employer of Ada Berg is Acme Works.", NO, "rule:conflict"),  # mandatory conflicts-with
        ("wikidata", "The employer of Ada Berg is Nord Works.", OPEN, None),  # one that is not mandatory
        ("wikidata", "The employer of Bo Lund is Acme Works.", OPEN, None),  # a named exception
        ("wikidata", "The employer of Cy Holm is Acme Works.", OPEN, None),  # has no shell
    ],
)
def test_a_verdict_follows(verifiers, graph, text, label, method):
    verdicts = verifiers[graph].verify(text).verdicts
    assert [(one.label, one.method if method else None) for one in verdicts] == [(label, method)], [
        (one.claim.relation, one.method, one.reason) for one in verdicts
    ]


@pytest.mark.parametrize(
    ("profile", "turtle", "text", "label"),
    [
        ("rdfs", TYPES, "Ada Berg reports to Oslo.", NO),
        ("rdfs", TYPES + "ex:boss rdfs:range ex:person .", "Ada Berg reports to Oslo.", OPEN),
        ("rdfs", TYPES + "ex:boss rdfs:range ex:person .", "Ada Berg reports to Dee Falk.", NO),
        ("wikidata", TYPES_OF_WIKIDATA, "The mentor of Ada Berg is Oslo.", NO),
        ("wikidata", TYPES_OF_WIKIDATA + VALUE_TYPE, "The mentor of Ada Berg is Oslo.", OPEN),
    ],
)
def test_declared_types_say_what_is_meant(tmp_path, profile, turtle, text, label):
    verifier = verifier_of(turtle, tmp_path, profile)
    (verdict,) = verifier.verify(text).verdicts
    assert verdict.label is label, (verdict.method, verdict.reason)
    verifier.store.close()
