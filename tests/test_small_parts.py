"""Parts that others are built of, each asked by itself: names by capitals, kernels, figures, sayings, and the like."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kgstore.embedding import load_embedder
from kgstore.errors import InputError, ModelMissing
from kgstore.store import Store
from kgstore.verifier.kernel.graphs import Shape, graph_of
from kgstore.verifier.kernel.ground import Grounder
from kgstore.verifier.kernel.others import by_name, names
from kgstore.verifier.kg.declared import all_properties, declared_complete
from kgstore.verifier.link.capitals import (
    WORD,
    before_dates,
    capital_runs,
    numbered,
    parts,
    starts_sentence,
    subtitled,
    titled,
    whole_name,
)
from kgstore.verifier.link.names import Names
from kgstore.verifier.link.referents import Referents
from kgstore.verifier.link.whereabouts import located
from kgstore.verifier.measure.figure import check_plot, figure, save, unit
from kgstore.verifier.methods import claimver
from kgstore.verifier.methods.rewriter import Rewriter
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.reading import Reading
from kgstore.verifier.reader.opening import FOLDER, open_reader, shipped
from kgstore.verifier.reproduce.claimver import scores
from kgstore.verifier.reproduce.table import Asked
from kgstore.verifier.training.sayings import say, say_not, say_of, ways

TEXT = "Douglas Adams was born in Cambridge."


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg, read_only=True) as store:
        yield Verifier(store, judge="none", reader="none")


def words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in WORD.finditer(text)]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("He met Ann Smith and Bob Jones there.", ["Ann Smith", "Bob Jones"]),
        ("He left the University of Zork by train.", ["University of Zork"]),
        ("Among others he met Auvers-sur-Oise's mayor.", ["Auvers-sur-Oise"]),
        ("Nothing here is a name.", []),
    ],
)
def test_runs_of_capitals_are_names(text, runs):
    assert [text[slice(*span)] for span in capital_runs(text, words(text))] == runs


def test_titles_stand_in_quotes_or_behind_a_colon():
    text = 'She wrote "I Walk the Line" and saw Alien: Covenant.'
    assert [text[slice(*span)] for span in titled(text, words(text), ())] == ["I Walk the Line"]
    assert [text[slice(*span)] for span in subtitled(text, {}, lambda noun: False)] == ["Alien: Covenant"]


def test_a_known_name_may_be_a_part_of_a_longer_one():
    text = "University of Memphis"
    assert whole_name(text, 14, 21, [(0, 21)], [(14, 21)]) == (0, 21)
    assert whole_name(text, 0, 21, [(0, 21)], [(0, 21)]) == (0, 21)
    assert parts("Zork and Rome", 0, 13) == [(0, 4), (9, 13)]
    assert before_dates("Paul Allen on April 4", (0, 19), [14]) == (0, 10)
    assert numbered("Rush Hour 3.", 0, 9, []) == (0, 11) and numbered("Rush Hour 3.", 0, 9, [10]) is None
    assert starts_sentence("A. B", 3) and not starts_sentence("A B", 2)


def test_names_of_a_text_are_found_and_linked_before_it_is_parsed(verifier):
    rules = verifier.rules
    found = Names(verifier.store, "Oslo was founded in 1048 by vikings.", rules.demonyms, rules.is_noun)
    assert [(one.text, [best.label for best in one.candidates[:1]]) for one in found.mentions] == [
        ("Oslo", ["Oslo"]), ("1048", []),
    ]  # fmt: skip
    assert found.linked(found.mentions[0]).candidates == found.mentions[0].candidates


def test_nothing_is_meant_before_anything_is_named(verifier):
    known = Referents(verifier.rules.names("He died."), verifier.rules.is_noun, {})
    assert known.topic is None


def test_a_town_stays_where_the_text_says_nothing_else(verifier):
    claims = verifier.claims("Oslo is a city.")
    assert located("Oslo is a city.", claims, verifier.knowledge) == claims


def test_a_claim_and_what_the_kg_says_become_triples_in_one_set_of_words(verifier):
    grounder = Grounder(verifier.knowledge, verifier.aligner, load_embedder())
    (verdict,) = verifier.verdicts(TEXT, verifier.claims(TEXT))
    grounder.add(TEXT, verdict)
    same = ("Douglas Adams", "place of birth", "Cambridge")
    assert grounder.graphs.claim == [same] and same in grounder.graphs.known
    assert {"Douglas Adams", "Cambridge"} <= grounder.graphs.names


def test_a_kernel_of_grakel_gives_one_for_the_same_graph():
    euro, franc = (
        graph_of([("France", "capital", "Paris"), ("France", "currency", money)], Shape.RELATIONS)
        for money in ("Euro", "Franc")
    )
    assert by_name([euro, franc, euro, euro], "VertexHistogram") == pytest.approx([0.8, 1.0])
    assert "VertexHistogram" in names()
    with pytest.raises(InputError, match="no kernel Nothing"):
        by_name([], "Nothing")


def test_what_is_declared_complete_is_found_by_name(verifier):
    (found,) = declared_complete(verifier.store, ["place of birth"])
    assert found.endswith("/P19") and declared_complete(verifier.store) == frozenset()
    everything = declared_complete(verifier.store, ["all"])
    assert everything == all_properties(verifier.store) and not any(one.endswith("/P31") for one in everything)
    with pytest.raises(InputError, match="--complete"):
        declared_complete(verifier.store, ["nothing of the kind"])


def test_claimver_without_a_model_says_so_and_its_equations_are_those_of_the_paper(verifier):
    found = claimver.judged(TEXT, verifier.claims(TEXT), verifier)
    assert found.notices == ("claimver: no language model is given, so the tiers label the claims",)
    for line in scores(Asked()).lines:
        by_hand, ours = line.figures
        assert ours == pytest.approx(by_hand, abs=6e-4), line.what


def test_who_corrects_by_a_document_needs_a_model(monkeypatch):
    monkeypatch.delenv("KGSTORE_GGUF", raising=False)
    with pytest.raises(InputError, match="needs a language model"):
        Rewriter(Reading())


def test_the_reader_is_the_shipped_one_or_a_folder():
    assert open_reader("none") is None and (open_reader() is not None) is shipped() and FOLDER.name == "reader"
    with pytest.raises(ModelMissing):
        open_reader("nowhere")


def test_a_figure_is_written_as_its_name_says(tmp_path):
    drawn, (left, right) = figure(4, 3, 2)
    unit(left)
    assert left.get_xlim() == (0, 1) and right.get_aspect() == "auto"
    save(tmp_path / "a.svg", drawn)
    assert "<svg" in (tmp_path / "a.svg").read_text()
    with pytest.raises(InputError):
        check_plot(tmp_path / "a.txt")


def test_a_relation_has_many_wordings_and_a_denial(verifier):
    item = next(one for one in verifier.store.properties().values() if one.label == "place of birth")
    said = {say(random.Random(seed), "Ann", item, "Oslo") for seed in range(30)}
    assert len(said) > 5 and all("Ann" in one and "Oslo" in one for one in said)
    assert " not " in (say_not(random.Random(1), "Ann", item, "Oslo") or "")
    assert say_of(random.Random(1), "Ann", item) in ("Ann's place of birth", "the place of birth of Ann")
    assert "was born in" in ways("place of birth")[0] and ways("no such relation") == ((), (), ())


def test_vectors_of_the_shipped_model_have_length_one():
    vectors = load_embedder().embed(["Oslo", "Bergen"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
