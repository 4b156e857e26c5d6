"""GraphCorrect: what becomes of a model's replies, with the real parser, embedder and judge."""

from __future__ import annotations

import json
from functools import partial

import pytest

from kgstore.embedding import load_embedder
from kgstore.verifier.document.open_facts import open_claims
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.llm.edits import changes, foreign, inside
from kgstore.verifier.llm.prompts import written
from kgstore.verifier.methods.correction_prompts import DIRECT, INSERT, TAIL, TRIPLE
from kgstore.verifier.methods.graphcorrect import (
    BEYOND,
    ELSEWHERE,
    NO_BETTER,
    NO_TEXT,
    NO_TRIPLE,
    TOO_LONG,
    UNKNOWN,
    direct,
    graphcorrect,
    published,
    shortened,
    shown,
)
from kgstore.verifier.methods.grapheval import flagged, grapheval

ABOUT = "Ann Smith was born in Oslo. She works as a chemist in Bergen. Her brother Karl died in 1980."
TEXT = "Ann Smith was born in Rome. Karl died in 1980."
OLD, NEW = ("Ann Smith", "was born in", "Rome"), ("Ann Smith", "was born in", "Oslo")
RIGHT = "Ann Smith was born in Oslo. Karl died in 1980."


class Scripted:
    """A `ChatModel` that replies as it is told, by the name of the task, and keeps what it was asked."""

    room = 1000

    def __init__(self, **replies: str) -> None:
        self.replies, self.asked = replies, []

    def size(self, text: str) -> int:
        return len(text)

    def ask(self, task, question, most):
        self.asked.append((task, question))
        return self.replies[task.name]

    def write(self, task, question, most, schema=None):
        return self.ask(task, question, most)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def document():
    return Document(ABOUT, load_embedder())


@pytest.fixture(scope="module")
def detect(document):
    judge = open_judge()
    return lambda text: flagged(grapheval(text, document, judge))


@pytest.fixture(params=[graphcorrect, published])
def correct(request, document, detect):
    return partial(_run, request.param, document, detect)


def _run(method, document, detect, text, **replies):
    model = Scripted(**{"tail": replies.get("triple", ""), **replies})
    return method(text, document, detect, model), model


def said(text: str) -> str:
    return json.dumps({"text": text})


def test_a_wrong_triple_is_put_right_and_nothing_else(correct):
    done, model = correct(TEXT, triple=written([NEW]), insert=said(RIGHT))
    assert done.text == RIGHT
    assert [(edit.old, edit.new) for edit in done.edits] == [(OLD, NEW)]
    assert len(done.before) == 1 and not done.after and not done.refused
    task, question = model.asked[0]
    assert task in (TRIPLE, TAIL) and "born in Oslo" in question and ("Rome" in question) == (task is TRIPLE)


def test_document_and_text_never_meet_in_one_question(document, detect):
    _, model = _run(published, document, detect, TEXT, triple=written([NEW]), insert=said(RIGHT))
    (first, question), (second, other) = model.asked
    assert "Old: Ann Smith was born in Rome.\nNew: Ann Smith was born in Oslo." in other
    assert (first, second) == (TRIPLE, INSERT)
    assert TEXT not in question and "chemist" in question
    assert TEXT in other and "chemist" not in other


def test_another_tail_is_put_in_without_asking_the_model_again(document, detect):
    done, model = _run(graphcorrect, document, detect, TEXT, tail=written([NEW]))
    assert done.text == RIGHT and [task for task, _ in model.asked] == [TAIL]


def test_a_text_that_the_document_bears_out_is_left_alone(correct):
    done, model = correct(RIGHT)
    assert (done.text, done.edits, model.asked) == (RIGHT, (), [])


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("no idea", NO_TRIPLE),
        ("[]", NO_TRIPLE),
        (written([("Ann Smith", "was born in", "")]), NO_TRIPLE),
        (written([("ann smith", "was born in", "rome")]), NO_TRIPLE),
        (written([("Ann Smith", "was born in", "Paris")]), UNKNOWN),
        (written([("Ann Smith", "was born in", "Oslo 1815")]), UNKNOWN),
    ],
)
def test_a_triple_that_the_document_does_not_give_is_refused(correct, reply, why):
    done, _ = correct(TEXT, triple=reply)
    assert (done.text, done.edits, dict(done.refused)) == (TEXT, (), {why: 1})
    assert done.after == done.before


@pytest.mark.parametrize(
    ("tail", "why"),
    [
        ("?", NO_TRIPLE),
        ("rome", NO_TRIPLE),
        ("Oslo and works as a chemist in Bergen", TOO_LONG),
    ],
)
def test_a_tail_that_fits_no_sentence_is_refused(document, detect, tail, why):
    done, _ = _run(graphcorrect, document, detect, TEXT, tail=written([("Ann Smith", "was born in", tail)]))
    assert (done.text, done.edits, dict(done.refused)) == (TEXT, (), {why: 1})


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Ann Smith was born in Oslo.", NO_TEXT),
        (said(""), NO_TEXT),
        ("[" * 100_000, NO_TEXT),
        (said("Ann Smith was born in Oslo. Karl died in"), NO_TEXT),
        (said(TEXT.upper()), NO_TEXT),
        (said("Ann Smith was born in Oslo."), BEYOND),
        (said("Ann Smith was born in Oslo. Karl died in 1981."), BEYOND),
        (said("Ann Smith was born in Oslo, the capital. Karl died in 1980."), BEYOND),
        (said("Ann Smith was born in Rome. Karl died in Oslo 1980."), ELSEWHERE),
    ],
)
def test_a_text_that_differs_elsewhere_is_refused(document, detect, reply, why):
    done, _ = _run(published, document, detect, TEXT, triple=written([NEW]), insert=reply)
    assert (done.text, done.edits, dict(done.refused)) == (TEXT, (), {why: 1})


def test_an_edit_that_helps_nothing_is_not_made(document, detect):
    worse = written([("Ann Smith", "was born in", "1980")])
    done, _ = _run(graphcorrect, document, detect, TEXT, triple=worse)
    assert done.text == TEXT and dict(done.refused) == {NO_BETTER: 1}
    kept, _ = _run(published, document, detect, TEXT, triple=worse, insert=said(TEXT.replace("Rome", "1980")))
    assert "born in 1980" in kept.text and kept.after


def test_what_the_document_does_not_say_is_left_out_where_the_model_knows_nothing(document, detect):
    text = "Ann Smith works as a chemist in Bergen with nine pupils. Karl died in 1980."
    done, _ = _run(graphcorrect, document, detect, text, triple="[]")
    assert done.text == "Ann Smith works as a chemist in Bergen. Karl died in 1980."
    assert [edit.new for edit in done.edits] == [None] and dict(done.refused) == {NO_TRIPLE: 1}
    assert _run(published, document, detect, text, triple="[]")[0].text == text


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Ann sold a house in Rome for 3 euros.", ["Ann sold a house in Rome.", "Ann sold a house for 3 euros."]),
        ("Ann is in Rome.", []),
        ("Ann sold a house in Rome, with a loss.", ["Ann sold a house in Rome."]),
        ("Ann met the head of a firm in Rome.", ["Ann met the head of a firm."]),
        ("Ann is a citizen of Rome.", []),
        ("Ann was born in Rome. She died in Oslo.", []),
    ],
)
def test_phrases_at_the_end_of_a_triple_can_be_left_out(text, shorter):
    claims = open_claims(text)
    found = {one for claim in claims if claim.end <= text.index(".") for one in shortened(text, claim)}
    assert found == set(shorter)


def test_the_baseline_sees_both_and_may_not_touch_what_is_right(document, detect):
    done, model = _run(direct, document, detect, TEXT, direct=said(RIGHT))
    assert done.text == RIGHT and not done.after
    ((task, question),) = model.asked
    assert task is DIRECT and TEXT in question and "chemist" in question
    done, _ = _run(direct, document, detect, TEXT, direct=said("Ann Smith was born in Oslo. Karl lived until 1980."))
    assert done.text == TEXT and dict(done.refused) == {ELSEWHERE: 1}
    assert _run(direct, document, detect, RIGHT)[1].asked == []


def test_white_space_around_the_text_stays(document, detect):
    done, _ = _run(direct, document, detect, f"\n{TEXT} \n", direct=said(RIGHT))
    assert done.text == f"\n{RIGHT} \n"


def test_of_a_long_document_the_nearest_sentences_are_shown_in_its_order(document):
    assert shown(document, "anything") == ABOUT
    assert shown(document, "Karl died", 45) == "Her brother Karl died in 1980."
    two = shown(document, "Karl died where Ann Smith was born", 70)
    assert two == "Ann Smith was born in Oslo. Her brother Karl died in 1980."


# -- what a model changed ----------------------------------------------------------------------------------------------


def test_changes_are_whole_words_with_offsets_into_the_old_text():
    old, new = "Ada was born in 1815.", "Ada was not born in 1816, in May."
    made = changes(old, new)
    assert [old[one.start : one.end] for one in made] == [one.old for one in made]
    assert [(one.old, one.new.strip()) for one in made if one.old] == [("1815", "1816, in May")]
    assert changes(old, old) == []


def test_an_insertion_between_two_sentences_belongs_to_either():
    made = changes("Ada sang. Bob ran.", "Ada sang. Carl slept. Bob ran.")
    assert inside(made, [(0, 9)]) or inside(made, [(10, 18)])
    assert not inside(made, [(0, 5)])


def test_numbers_are_never_two_forms_of_one_word():
    assert foreign("in 1971", "in 1970") == ["1971"]
    assert foreign("12,500 euros", "12,600 euros") == ["500"]
    assert foreign("they sold three cars", "selling cars; he sells a car") == ["sold", "three"]
