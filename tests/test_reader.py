"""The relation reader: how it is asked, what the graph lets it be asked, and what its word does to verdicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgstore.minilm import Bert, Weights
from tests.plain_graph import plain_store
from verifier.claims import Label
from verifier.pipeline import Verifier
from verifier.read.asking import MAX_TOKENS, Encoder, Question, named
from verifier.read.assertions import ACCUSED, METHOD
from verifier.read.guide import Guide
from verifier.read.opening import shipped
from verifier.read.reader import FOLDER, NativeReader

needs_weights = pytest.mark.skipif(not shipped(), reason="the reader's weights did not come with this checkout")

GRAPH = """
@prefix : <http://ex/> .
:film rdfs:label "film" . :person rdfs:label "person" .
:director rdfs:label "director" ; a owl:FunctionalProperty .
:screenwriter rdfs:label "screenwriter" .
:dune a :film ; rdfs:label "Grey Dunes" ; :director :ann ; :screenwriter :bob .
:tide a :film ; rdfs:label "Low Tide" ; :director :bob ; :screenwriter :ann .
:ann a :person ; rdfs:label "Ann Smith" . :bob a :person ; rdfs:label "Bob Jones" .
:carl a :person ; rdfs:label "Carl Roe" .
"""


class Told:
    """A reader that says what a test tells it: relations with these words in these sentences are asserted."""

    def __init__(self, *said: tuple[str, str, str, float]) -> None:
        self.said, self.asked = said, []

    def read(self, questions):
        self.asked += questions
        return [np.array([self._sure(one, name) for name in one.relations], np.float32) for one in questions]

    def _sure(self, one: Question, name: str) -> float:
        head, tail = one.text[slice(*one.head)], one.text[slice(*one.tail)]
        return max((sure for a, label, b, sure in self.said if (a, b) == (head, tail) and label == name), default=0.01)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with plain_store(GRAPH, tmp_path_factory.mktemp("reader")) as store:
        yield store


def verified(store, text: str, *said: tuple[str, str, str, float]):
    verifier = Verifier(store, judge="none")
    verifier.reader = Told(*said)
    return verifier.verify(text).verdicts, verifier.reader.asked


SENTENCE = "Grey Dunes came to life under the eye of Ann Smith."


def test_what_the_graph_has_is_supported_where_the_reader_is_sure(store):
    verdicts, asked = verified(store, SENTENCE, ("Grey Dunes", "director", "Ann Smith", 0.8))
    assert [(one.claim.relation, one.label, one.scores[METHOD]) for one in verdicts] == [
        ("director", Label.ATTRIBUTABLE, 0.8)
    ]
    assert asked[0].text == SENTENCE and asked[0].relations[0] == "director"


def test_an_unsure_reader_says_nothing(store):
    verdicts, _ = verified(store, SENTENCE, ("Grey Dunes", "director", "Ann Smith", 0.3))
    assert all(one.label is Label.EXTRAPOLATORY for one in verdicts)


def test_another_value_contradicts_only_where_the_reader_is_surer(store):
    text = "Grey Dunes came to life under the eye of Carl Roe."
    for sure, label in ((ACCUSED - 0.05, None), (ACCUSED + 0.02, Label.CONTRADICTORY)):
        verdicts, _ = verified(store, text, ("Grey Dunes", "director", "Carl Roe", sure))
        decided = [one.label for one in verdicts if one.label is not Label.EXTRAPOLATORY]
        assert decided == ([label] if label else [])


def test_a_likelier_relation_clears_of_an_accusation(store):
    text = "Grey Dunes came to life under the pen of Bob Jones."
    said = (("Grey Dunes", "director", "Bob Jones", 0.93), ("Grey Dunes", "screenwriter", "Bob Jones", 0.95))
    verdicts, _ = verified(store, text, *said)
    assert [(one.claim.relation, one.label) for one in verdicts if one.label is not Label.EXTRAPOLATORY] == [
        ("screenwriter", Label.ATTRIBUTABLE)
    ]


DENIED = "Grey Dunes never came to life under Ann Smith."
DOUBTED = "Nobody knows whether Ann Smith had anything to do with Grey Dunes."


@pytest.mark.parametrize("text", [DENIED, DOUBTED])
def test_of_what_a_sentence_denies_or_doubts_nothing_is_read(store, text):
    said = ("Grey Dunes", "director", "Ann Smith", 0.99)
    verdicts, _ = verified(store, text, said)
    assert all(one.label is Label.EXTRAPOLATORY for one in verdicts)


def test_no_two_places_get_two_verdicts(store):
    text = "Grey Dunes was directed by Ann Smith."
    verdicts, _ = verified(store, text, ("Grey Dunes", "director", "Ann Smith", 0.99))
    assert len(verdicts) == 1 and verdicts[0].label is Label.ATTRIBUTABLE


def test_what_the_reader_denies_stays_open(store):
    text = "Grey Dunes was directed by Ann Smith."
    (verdict,), _ = verified(store, text, ("Grey Dunes", "director", "Ann Smith", 0.001))
    assert verdict.label is Label.EXTRAPOLATORY and verdict.method == METHOD
    assert "do not seem to say this" in verdict.reason


def test_a_pronoun_is_read_as_the_name_it_stands_for(store):
    text = "Grey Dunes was filmed in a desert. It is the work of Ann Smith."
    _, asked = verified(store, text)
    assert any(one.text.startswith("Grey Dunes is the work of Ann Smith") for one in asked)


def test_nothing_is_asked_of_two_that_the_graph_says_nothing_of(store):
    verifier = Verifier(store)
    _, passages = verifier.read("Ann Smith met Carl Roe.")
    guide = Guide(verifier.knowledge, verifier.aligner)
    assert not [one for passage in passages for one in guide.questions("Ann Smith met Carl Roe.", passage)]


def test_names_of_a_relation():
    assert named(" director ", ()) == "director"


@needs_weights
def test_a_long_sentence_keeps_both_places():
    encoder = Encoder(FOLDER / "tokenizer.json")
    text = "word " * 300 + "Ann met Bob" + " word" * 300
    tokens, names = encoder.encode(Question(text, (1500, 1503), (1508, 1511), ("spouse", "place of birth")))
    assert len(tokens) <= MAX_TOKENS and names.count(encoder.end) == 2
    words = encoder.tokenizer.decode(tokens)
    assert "@ ann @" in words and "# bob #" in words


@needs_weights
def test_a_question_is_read_the_same_alone_and_in_a_batch():
    reader = NativeReader()
    text = "Ann Smith, born in Graz, directed Grey Dunes with Bob Jones."
    some = [
        Question(text, (0, 9), (19, 23), ("place of birth", "director", "place of death")),
        Question(text, (34, 44), (0, 9), ("director",)),
    ]
    together = reader.read(some)
    for one, found in zip(some, together, strict=True):
        assert len(found) == len(one.relations)
        np.testing.assert_allclose(reader.read([one])[0], found, atol=1e-5)


def test_a_network_reads_its_marks_and_not_its_first_token():
    random = np.random.default_rng(3)

    def pair(out: int, width: int):
        return random.normal(size=(out, width)).astype(np.float32), np.zeros(out, np.float32)

    norm = (np.ones(8, np.float32), np.zeros(8, np.float32))
    words = random.normal(size=(20, 8)).astype(np.float32)
    head, places = (pair(8, 8), pair(1, 8)), np.zeros((16, 8), np.float32)
    base = Weights(2, 1e-12, words, places, np.ones(8, np.float32), norm, (), head)
    marked = Bert(replace(base, mark=5))
    texts = [[1, 2, 20 + 7, 20 + 5], [1, 3, 3, 20 + 8, 20 + 5, 20 + 9, 20 + 5]]
    assert [len(one) for one in marked.marked(texts)] == [1, 2]
    assert Bert(base)(texts).shape == (2, 1)
