"""A name that several entities bear means the one that the rest of the text is about; and who is not accused by it."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import MOST_CANDIDATES, Label, Mention
from kgstore.verifier.link.coherence import Company
from kgstore.verifier.link.linker import link
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

COUNTIES = """
ex:county a owl:Class ; rdfs:label "county"@en . ex:human a owl:Class ; rdfs:label "human"@en .
ex:film a owl:Class ; rdfs:label "film"@en . ex:town a owl:Class ; rdfs:label "town"@en .
ex:n a ex:county ; rdfs:label "Elm County"@en ; ex:founded "1812"^^xsd:gYear ; ex:borders ex:rock, ex:west .
ex:s a ex:county ; rdfs:label "Elm County"@en ; ex:founded "1845"^^xsd:gYear ; ex:borders ex:bay ; ex:seat ex:mill .
ex:f a ex:film ; rdfs:label "Elm County"@en ; ex:director ex:ada .
ex:rock a ex:county ; rdfs:label "Rock County"@en ; ex:founded "1798"^^xsd:gYear ; ex:seat ex:ford .
ex:west a ex:county ; rdfs:label "West County"@en . ex:bay a ex:county ; rdfs:label "Bay County"@en .
ex:mill a ex:town ; rdfs:label "Millton"@en . ex:ford a ex:town ; rdfs:label "Fordham"@en .
ex:ada a ex:human ; rdfs:label "Ada Berg"@en ; ex:born ex:mill .
ex:j1 a ex:human ; rdfs:label "Jo Reed"@en ; ex:home ex:mill ; ex:born ex:ford .
ex:j2 a ex:human ; rdfs:label "Jo Reed"@en ; ex:home ex:ford .
ex:founded rdfs:label "inception"@en ; a owl:FunctionalProperty .
ex:born rdfs:label "place of birth"@en ; a owl:FunctionalProperty .
ex:borders rdfs:label "shares border with"@en . ex:seat rdfs:label "capital"@en .
ex:director rdfs:label "director"@en . ex:home rdfs:label "residence"@en .
"""
OTHERS = "".join(f'ex:t{i} a ex:town ; rdfs:label "Town {i}"@en .\n' for i in range(600))
"""A link is telling where few of the entities have one like it."""
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(COUNTIES + OTHERS, tmp_path_factory.mktemp("counties"), 'name = "own"') as store:
        yield store


@pytest.fixture(scope="module")
def verifier(store):
    verifier = Verifier(store)
    verifier.without = frozenset(("nli",))
    return verifier


def meant(verifier: Verifier, text: str, name: str = "Elm County") -> list[tuple[str, float]]:
    """What the name's places in the text mean most likely."""
    found = [one.candidates[0] for one in verifier.rules.mentions(text) if one.text == name]
    return [(one.iri.rsplit("/", 1)[-1], one.score) for one in found]


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Elm County borders Rock County.", "n"),
        ("Elm County borders Bay County.", "s"),
        ("Elm County was directed by Ada Berg.", "f"),
        ("In Bay County it rained. Elm County was founded in 1812.", "s"),
    ],
)
def test_a_shared_name_means_what_the_kg_links_to_the_other_names(verifier, text, entity):
    ((iri, score),) = meant(verifier, text)
    assert iri == entity and score > 0.6


def test_nothing_changes_where_nothing_tells_them_apart(verifier, store):
    text = "Elm County was founded in 1812."
    (mention,) = [one for one in verifier.rules.mentions(text) if one.candidates]
    assert Company(store, [mention]).linked(mention).candidates == mention.candidates
    assert len(mention.candidates) == 3 and mention.candidates[0].score < 0.5


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Elm County borders Rock County. It was founded in 1812.", [YES, YES]),
        ("Elm County borders Rock County. It was founded in 1845.", [YES, NO]),
        ("Elm County borders Rock County. Elm County was founded in 1845.", [YES, NO]),
        ("Elm County was founded in 1845. It borders Rock County.", [NO, YES]),
        ("Elm County borders Bay County. It was founded in 1845.", [YES, YES]),
        ("Elm County borders Bay County. It was founded in 1812.", [YES, NO]),
    ],
)
def test_what_is_true_of_another_bearer_of_the_name_is_not_true_of_this_one(verifier, text, labels):
    assert [one.label for one in verifier.verify(text).verdicts] == labels


@pytest.mark.parametrize(
    "text",
    [
        "Elm County was founded in 1845.",
        "Rock County was founded in 1798. Elm County was founded in 1845.",
        "Elm County may border Rock County. Elm County was founded in 1845.",
        "Elm County does not border Rock County. Elm County was founded in 1845.",
        "Elm County was directed by Ada Berg. Elm County was founded in 1845.",
    ],
)
def test_only_a_claim_about_one_of_the_same_kind_rules_another_bearer_out(verifier, text):
    assert verifier.verify(text).verdicts[-1].label is YES


def test_a_claim_s_own_words_do_not_choose_whom_they_accuse(verifier):
    (verdict,) = verifier.verify("Jo Reed was born in Millton.").verdicts
    assert verdict.label is OPEN  # one lives in Millton and was born in Fordham, of the other nothing is known


def test_two_bearers_in_one_text_are_both_kept(verifier):
    text = "Elm County borders Rock County. Elm County borders Bay County. Elm County was founded in 1845."
    assert [one.label for one in verifier.verify(text).verdicts] == [YES, YES, YES]


def test_a_name_far_away_tells_nothing(verifier):
    far = " ".join(f"Town {i} is here." for i in range(20))
    assert meant(verifier, f"Elm County was founded in 1812. Town 7 is here. {far} Bay County is here.")[0][1] < 0.5
    assert meant(verifier, "Elm County was founded in 1812. Town 7 is here. Bay County is here.")[0][1] > 0.6


def test_a_name_that_comes_again_and_again_is_weighed_once(store, monkeypatch):
    asked = []
    monkeypatch.setattr(store, "paths", lambda *given: asked.append(given) or Store.paths(store, *given))
    hits = store.catalog.lookup(["elm county", "rock county"])
    names = [("Elm County", 0), ("Rock County", 20)] * 400
    mentions = [
        link(store, Mention(30 * i + at, 30 * i + at + len(name), name), hits[name.lower()])
        for i, (name, at) in enumerate(names)
    ]
    company = Company(store, mentions)
    assert {company.linked(one).candidates[0].iri for one in mentions[::2]} == {"http://example.org/n"}
    assert len(asked) == 1


def test_without_a_topology_names_stay_as_they_are():
    with Store() as store:
        assert Company(store, []).apart([]) == []


@pytest.mark.parametrize(("text", "label"), [("before", NO), ("after", YES)])
def test_the_two_of_a_comparison_tell_each_other(verifier, text, label):
    """Elm County borders Rock County, of 1798: it is the one of 1812, and not the one of 1845 or the film."""
    (verdict,) = verifier.verify(f"Elm County was founded {text} Rock County.").verdicts
    assert (verdict.label, verdict.method) == (label, "rule:comparison")


@pytest.mark.parametrize(("bearers", "label"), [(20, NO), (MOST_CANDIDATES + 5, OPEN)])
def test_of_a_name_of_many_all_that_it_may_mean_count(tmp_path, bearers, label):
    """Six were looked at once, so that the text about a seventh was held against these."""
    counties = "".join(
        f'ex:c{i} a ex:county ; rdfs:label "Oak County"@en ; ex:founded "{1801 + i}"^^xsd:gYear .\n'
        for i in range(bearers)
    )
    with plain_store(COUNTIES + counties, tmp_path, 'name = "own"') as store:
        verifier = Verifier(store)
        right, wrong = (
            verifier.verify(f"Oak County was founded in {year}.").verdicts for year in (1800 + bearers // 2, 1955)
        )
    assert [one.label for one in right] == [YES] and [one.label for one in wrong] == [label]
