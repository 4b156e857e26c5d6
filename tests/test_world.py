"""Open or closed world: when one value of a property excludes another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgstore.catalog import Property
from kgstore.model import NamedNode, Statement
from kgstore.verifier.kg.world import ALWAYS, named_whole, of_property, of_values
from kgstore.verifier.pipeline import Verifier
from tests.plain_graph import plain_store

SUPPLIER = Property("http://ex/supplier", "supplier", subjects=400, statements=400, functionality=1.0)


def test_a_property_of_a_domain_is_closed_once_enough_subjects_have_one_value():
    assert of_property(replace(SUPPLIER, label="line manager", functionality=0.97)).closed
    few = of_property(replace(SUPPLIER, label="line manager", subjects=4))
    assert not few.closed and "only 4 subjects" in few.why
    often = of_property(replace(SUPPLIER, label="line manager", functionality=0.6))
    assert not often.closed and "60%" in often.why


@pytest.mark.parametrize("label", ["place of birth", "birthPlace", "http://ex/birth_place", "date of death", "father"])
def test_what_one_has_once_by_its_meaning_is_closed_in_the_smallest_graph(label):
    assert of_property(replace(SUPPLIER, label=label, subjects=1)).closed
    assert not of_property(replace(SUPPLIER, label=label, subjects=50, functionality=0.4)).closed


@pytest.mark.parametrize(
    "label", ["employer", "worksFor", "distributed by", "currency", "composer", "nationality", "leaderName"]
)
def test_what_one_can_have_several_of_stays_open_unless_no_subject_of_many_has(label):
    some = of_property(replace(SUPPLIER, label=label, subjects=600, functionality=0.97))
    assert not some.closed and "several" in some.why
    assert not of_property(replace(SUPPLIER, label=label, subjects=30)).closed
    assert of_property(replace(SUPPLIER, label=label)).closed
    assert ALWAYS < 1


@pytest.mark.parametrize(("label", "whole"), [("developer", True), ("record label", False), ("supplier", False)])
def test_what_texts_name_all_of_is_closed_in_a_small_graph_where_the_world_has_one(label, whole):
    assert named_whole(replace(SUPPLIER, label=label, subjects=3)) is whole
    assert not named_whole(replace(SUPPLIER, label=label, subjects=3, functionality=0.7))


def test_what_a_graph_declares_beats_meaning_and_counting():
    assert of_property(replace(SUPPLIER, label="employer", subjects=2, single_valued=True)).closed
    open_world = of_property(replace(SUPPLIER, label="place of birth", single_valued=False))
    assert not open_world.closed and "declares" in open_world.why
    assert not of_property(replace(SUPPLIER, label="twin", symmetric=True)).closed
    assert not of_property(replace(SUPPLIER, label="twin", symmetric_share=0.9)).closed


def test_a_subject_with_two_values_may_have_a_third():
    two = [Statement(NamedNode("http://ex/a"), NamedNode("http://ex/p"), NamedNode(f"http://ex/{i}")) for i in "bc"]
    born = replace(SUPPLIER, label="place of birth")
    assert of_values(born, two[:1]).closed
    assert not of_values(born, two).closed and "2 are listed" in of_values(born, two).why
    assert of_values(replace(born, single_valued=True), two).closed


@pytest.mark.parametrize(
    ("said", "label"),
    [("50 billion", "extrapolatory"), ("500 million", "contradictory"), ("52,317,000,000", "contradictory")],
)
def test_a_round_sum_may_be_that_of_another_year(tmp_path, said, label):
    turtle = '''ex:endowment rdfs:label "endowment" .
    ex:acme rdfs:label "Acme College" ; ex:endowment 39200000000 .
    ex:zorn rdfs:label "Zorn College" ; ex:endowment 1200000 .'''
    with plain_store(turtle, tmp_path) as store:
        (verdict,) = Verifier(store).verify(f"Acme College has an endowment of {said}.").verdicts
    assert verdict.label == label


@pytest.mark.parametrize(
    ("said", "label"),
    [("5.4 million", "extrapolatory"), ("6.8 million", "contradictory"), ("5,403,000", "contradictory")],
)
def test_a_round_population_may_be_that_of_some_years_ago(tmp_path, said, label):
    """ "Norway has 5.4 million inhabitants" was held against a count of 4,152,516 that nobody dated."""
    turtle = '''ex:population rdfs:label "population" .
    ex:acme rdfs:label "Norland" ; ex:population 4152516 . ex:zorn rdfs:label "Sudland" ; ex:population 12000 .'''
    with plain_store(turtle, tmp_path) as store:
        (verdict,) = Verifier(store).verify(f"Norland has a population of {said}.").verdicts
    assert verdict.label == label


@pytest.mark.parametrize("name", ["dose in milligrams", "dose (mg)", "dose_mg", "dose mg"])
@pytest.mark.parametrize(
    ("said", "label"),
    [("2,400 mg", "attributable"), ("2.4 g", "attributable"), ("4 g", "contradictory"), ("4000", "contradictory")],
)
def test_a_unit_may_stand_in_the_name_of_a_property(tmp_path, name, said, label):
    turtle = f'''ex:dose a owl:FunctionalProperty ; rdfs:label "{name}" ; skos:altLabel "maximum daily dose" .
    ex:acme rdfs:label "Dolorine" ; ex:dose 2400 .'''
    with plain_store(turtle, tmp_path) as store:
        (verdict,) = Verifier(store).verify(f"The maximum daily dose of Dolorine is {said}.").verdicts
    assert verdict.label == label


def test_words_that_only_look_alike_tell_no_direction(tmp_path):
    turtle = '''ex:under rdfs:label "subordinate of" . ex:Clerk rdfs:label "clerk" .
    ex:ann rdfs:label "Ann Smith" ; a ex:Clerk . ex:bob rdfs:label "Bob Jones" ; a ex:Clerk ; ex:under ex:ann .'''
    with plain_store(turtle, tmp_path) as store:
        told, reverse, right = Verifier(store).verify(
            "Bob Jones commands Ann Smith. Bob Jones outranks Ann Smith. Bob Jones is a subordinate of Ann Smith."
        ).verdicts
    assert (told.label, reverse.label, right.label) == ("extrapolatory", "extrapolatory", "attributable")
