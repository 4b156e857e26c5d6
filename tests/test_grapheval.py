"""GraphEval: triples of a text judged against a document, with the real judge and parser."""

import numpy as np
import pytest

from kgstore.embedding import load_embedder
from kgstore.verifier.document.entailment import entailment, nearest
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.methods.grapheval import concatenated, flagged, grapheval, own_words

NEWS = (
    "Ann Smith was born in Oslo in 1950. She studied chemistry in Rome. The council of the city gave her a prize. "
    "In May 1999 she sold her company, Acme, to Bob Jones for 20 million dollars. Nobody was hurt in the fire."
)


@pytest.fixture(scope="module")
def embedder():
    return load_embedder()


@pytest.fixture(scope="module")
def judge():
    found = open_judge()
    if found is None:
        pytest.skip("no judge came with this installation")
    return found


class Counting:
    """A judge that notes what it is asked: entailed where the premise holds every word of the hypothesis."""

    def __init__(self):
        self.asked = []

    def judge(self, pairs):
        self.asked += pairs
        yes = [
            set(hypothesis.replace(".", "").split()) <= set(premise.replace(".", "").split())
            for premise, hypothesis in pairs
        ]
        return np.array([[0.9, 0.05, 0.05] if one else [0.1, 0.2, 0.7] for one in yes], np.float32)


def test_sentences_keep_their_offsets(embedder):
    text = "First one.\n\n  Second   one here. " + "Word " * 300
    document = Document(text, embedder)
    assert document.sentences[:2] == ["First one.", "Second one here."]
    assert text[slice(*document.spans[1])] == "Second   one here."
    assert all(end - start <= 600 for start, end in document.spans)
    found = document.statements("document:text", "document:says")[1]
    assert found.id == "document:14-32" and found.value.value == "Second   one here."
    assert document.statements("other") == []


def test_windows_overlap_by_a_sentence_and_leave_none_out(embedder):
    document = Document(NEWS, embedder)
    windows = document.overlapping(80)
    assert {number for window in windows for number in window} == set(range(len(document.sentences)))
    assert windows[0] == (0, 1) and windows[1][0] == 1
    assert all(len(document.read(window)) <= 80 or len(window) == 1 for window in windows)
    assert Document("", embedder).overlapping(80) == []


def test_the_best_window_counts_and_nothing_is_asked_twice(embedder):
    document, judge = Document("Ann lives in Oslo. Bob died.", embedder), Counting()
    found = entailment(document, ["Bob, died.", "Bob has died."], [[(0,), (0, 1)], [(0,)]], judge)
    assert found[0].nli[0] == 1.0 and found[0].premise == (0, 1)
    assert found[1].unsupported == pytest.approx(0.9) and found[1].denying == 0


def test_the_nearest_sentences_are_read():
    likeness = np.array([[0.1, 0.9, 0.2, 0.8]], np.float32)
    assert nearest(likeness, 2) == [[(1,), (3,)]]
    assert nearest(np.zeros((1, 0), np.float32)) == [[]]


def test_what_is_said_word_for_word_is_not_put_to_the_judge(embedder):
    document, judge = Document("On Monday Ann left Oslo. Bob denied that he died.", embedder), Counting()
    found = entailment(document, ["Ann left Oslo.", "He died."], [[(0,), (1,)], [(0,), (1,)]], judge)
    assert found[0].nli == (1.0, 0.0, 0.0) and found[0].premise == (0,)
    assert {hypothesis for _, hypothesis in judge.asked} == {"He died."}


def test_the_paper_concatenates_and_reads_all_windows(embedder):
    document, judge = Document("Ann lives in Oslo. Bob died.", embedder), Counting()
    found = grapheval("Ann lives in Oslo.", document, judge, paper=True)
    assert judge.asked == [("Ann lives in Oslo. Bob died.", "Ann lives in Oslo")]
    assert not flagged(found) and found[0].probability == pytest.approx(0.1)


def test_a_tie_is_not_flagged(embedder):
    document = Document("Ann lives in Oslo.", embedder)

    class Torn:
        def judge(self, pairs):
            return np.full((len(pairs), 3), [0.5, 0.25, 0.25], np.float32)

    assert not flagged(grapheval("Ann lives in Oslo.", document, Torn()))


def test_names_stand_in_place_of_pronouns(embedder):
    text = "Ann Smith left the city. She sold it to Bob Jones."
    checked = grapheval(text, Document(NEWS, embedder), Counting())
    assert checked[-1].hypothesis.startswith("Ann Smith sold")
    assert concatenated(text, checked[-1].claim).startswith("Ann Smith sold")
    assert own_words(text, checked[0].claim) == "Ann Smith left the city."


def test_a_wrong_fact_is_flagged_and_a_right_one_is_not(embedder, judge):
    document = Document(NEWS, embedder)
    assert not flagged(grapheval("Ann Smith was born in Oslo.", document, judge))
    wrong = flagged(grapheval("Ann Smith was born in Paris.", document, judge))
    assert [one.claim.tail.text for one in wrong] == ["Paris"]


def test_an_empty_document_supports_nothing(embedder, judge):
    (found,) = grapheval("Ann Smith was born in Oslo.", Document("", embedder), judge)
    assert found.probability == 1.0 and found.entailed.premise == ()


def test_a_text_that_says_nothing_has_no_triples(embedder, judge):
    assert grapheval("...", Document(NEWS, embedder), judge) == []
