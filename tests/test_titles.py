"""Works of one title: what does not fit the stored one may be true of another."""

from __future__ import annotations

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

FILMS = """
ex:film a owl:Class ; rdfs:label "film"@en . ex:person a owl:Class ; rdfs:label "person"@en .
ex:book a owl:Class ; rdfs:label "book"@en .
ex:dune a ex:film ; rdfs:label "Dune"@en ; ex:director ex:lynch ; ex:starring ex:kyle ; ex:minutes 137 .
ex:pulp a ex:film ; rdfs:label "Pulp Fiction"@en ; ex:published "1994-05-21"^^xsd:date ; ex:director ex:quentin ; ex:starring ex:uma ; ex:minutes 154 .
ex:long a ex:film ; rdfs:label "The Long Walk"@en ; ex:director ex:lynch . ex:walk a ex:book ; rdfs:label "The Long Walk"@en .
ex:ring a ex:film ; rdfs:label "The Lord of Fire: The Ring"@en ; rdfs:comment "film" ; skos:altLabel "Lord of Fire"@en ;
  ex:director ex:quentin .
ex:lynch a ex:person ; rdfs:label "David Lynch"@en . ex:quentin a ex:person ; rdfs:label "Quentin Tarantino"@en .
ex:kyle a ex:person ; rdfs:label "Kyle MacLachlan"@en . ex:uma a ex:person ; rdfs:label "Uma Thurman"@en .
ex:director a owl:FunctionalProperty ; rdfs:label "director"@en . ex:starring rdfs:label "cast member"@en .
ex:minutes rdfs:label "duration in minutes"@en .
ex:published a owl:FunctionalProperty ; rdfs:label "publication date"@en .
"""  # noqa: E501
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    with plain_store(FILMS, tmp_path_factory.mktemp("titles")) as store:
        verifier = Verifier(store)
        verifier.without = frozenset(("nli",))
        yield verifier


def labels(verifier: Verifier, text: str) -> list[Label]:
    return [one.label for one in verifier.verify(text).verdicts]


def test_a_title_of_one_word_may_be_that_of_another_work(verifier):
    assert labels(verifier, "Dune was directed by David Lynch.") == [YES]
    (verdict,) = verifier.verify("Dune was directed by Quentin Tarantino.").verdicts
    assert (verdict.label, verdict.method) == (OPEN, Tier.ANOTHER_WORK)
    assert "David Lynch" in verdict.reason and "another work" in verdict.reason


def test_a_title_of_more_words_is_that_of_the_stored_work(verifier):
    assert labels(verifier, "Pulp Fiction was directed by David Lynch.") == [NO]


def test_what_else_the_text_says_of_it_shows_which_work_is_meant(verifier):
    assert labels(verifier, "Kyle MacLachlan starred in Dune. Dune was directed by Quentin Tarantino.") == [YES, NO]
    assert NO not in labels(verifier, "Dune is a film. Dune was directed by Quentin Tarantino.")
    assert NO not in labels(verifier, "Dune is a film. It was directed by Quentin Tarantino.")


def test_a_year_that_sorts_accuses_only_beside_what_fits(verifier):
    assert NO not in labels(verifier, "Pulp Fiction is a 1971 film.")
    assert labels(verifier, "Pulp Fiction was released in 1971.") == [NO]
    assert NO in labels(verifier, "Pulp Fiction is a 1971 film starring Uma Thurman.")


def test_a_title_that_the_graph_has_twice_is_no_sure_sign(verifier):
    assert NO not in labels(verifier, "The Long Walk was directed by Quentin Tarantino.")


def test_a_work_that_the_text_calls_of_another_kind_is_another_work(verifier):
    assert labels(verifier, "Pulp Fiction, a song by David Lynch, was directed by David Lynch.")[-1] is OPEN
    assert NO not in labels(verifier, "Pulp Fiction is a novel. It was directed by David Lynch.")
    assert labels(verifier, "Pulp Fiction is a film. It was directed by David Lynch.")[-1] is NO


def test_the_first_part_of_a_title_is_that_of_a_series_too(verifier):
    assert NO not in labels(verifier, "The Lord of Fire was directed by David Lynch.")
    assert labels(verifier, "The Lord of Fire: The Ring was directed by David Lynch.") == [NO]
