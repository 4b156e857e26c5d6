"""From names to entities: scores are shares, popular ones first, remarks in brackets decide, and abstention."""

from __future__ import annotations

import pytest

from kgstore.catalog import NameHit
from kgstore.store import Store
from kgstore.verifier.claims import MOST_CANDIDATES, Mention
from kgstore.verifier.link.linker import candidates, link


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg) as store:
        yield store


def linked(store: Store, name: str, remark: str = "") -> Mention:
    hits = store.catalog.lookup([name.lower()]).get(name.lower(), [])
    return link(store, Mention(0, len(name), name), hits, remark)


@pytest.mark.parametrize("name", ["Douglas Adams", "Oslo", "The Intouchables", "Meryl Streep", "Neil Young"])
def test_a_name_of_one_thing_means_it(store, name):
    (only,) = linked(store, name).candidates
    assert (only.label, only.score) == (name, 1.0)


@pytest.mark.parametrize("name", ["Cambridge", "Washington", "Queen", "Oslo", "Paris", "French", "Mann"])
def test_scores_are_shares_in_falling_order(store, name):
    found = linked(store, name).candidates
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True) and len(found) <= MOST_CANDIDATES
    assert all(0 < score <= 1 for score in scores) and sum(scores) <= 1.001
    assert len({one.iri for one in found}) == len(found)


def test_a_name_of_several_things_keeps_them_all(store):
    assert {one.label for one in linked(store, "Cambridge").candidates} == {"Cambridge", "University of Cambridge"}


@pytest.mark.parametrize("name", ["Elena Marchetti", "Zorkville", "", "   ", "\x00", "x" * 10_000])
def test_an_unknown_name_means_nothing(store, name):
    assert linked(store, name).candidates == ()
    assert candidates(store, name, []) == ()


@pytest.mark.parametrize(
    ("remark", "kept"),
    [("city in England", True), ("writer", False), ("Scottish painter", False), ("of", False), ("", True)],
)
def test_a_remark_in_brackets_must_fit(store, remark, kept):
    labels = [one.label for one in linked(store, "Cambridge", remark).candidates]
    assert ("Cambridge" in labels) == kept


def test_an_occupation_of_the_kg_is_a_remark_that_fits(store):
    assert linked(store, "Douglas Adams", "playwright").candidates
    assert not linked(store, "Douglas Adams", "footballer").candidates


def test_linking_changes_nothing_but_the_candidates(store):
    mention = Mention(7, 11, "Oslo", refers_to=(1, 5))
    found = link(store, mention, store.catalog.lookup(["oslo"])["oslo"])
    assert (found.start, found.end, found.text, found.refers_to) == (7, 11, "Oslo", (1, 5))


@pytest.mark.parametrize(("language", "share"), [("en", 0.5), ("en-gb", 0.5), ("mul", 0.5), ("", 0.5), ("de", 1 / 3)])
def test_a_name_in_another_language_counts_less(store, language, share):
    english, other = (linked(store, name).candidates[0].iri for name in ("Oslo", "Paris"))
    hits = [NameHit(english, "Rom", "label", "en", 0.4), NameHit(other, "Rom", "label", language, 0.4)]
    assert {one.iri: one.score for one in candidates(store, "Rom", hits)}[other] == pytest.approx(share, abs=1e-4)
