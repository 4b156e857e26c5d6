"""PRD and SAS against slow references written straight from the formulas, on a tiny model with random weights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.tiny_lm import tiny_lm
from verifier.grounding.knowledge import TripleList
from verifier.grounding.measure import Asked, look
from verifier.grounding.prd import balance, path_reliance
from verifier.grounding.prompt import ask, sentence
from verifier.grounding.sas import alignment, semantic_alignment
from verifier.grounding.subgraph import prepare

TRIPLES = [
    ("Ada", "born_in", "London"),
    ("Ada", "wrote", "Notes"),
    ("London", "part_of", "England"),
    ("Zoe", "lives_in", "London"),
]


@pytest.fixture(scope="module")
def model():
    return tiny_lm()


@pytest.fixture(scope="module")
def question():
    return ask(TRIPLES, "where was Ada born")


def reference_prd(model, prompt: list[int], answer: list[int], path: set[int]) -> float:
    """Section 4.1, term by term, from the attentions of the whole sequence."""
    import torch

    inner = model._model
    inner.set_attn_implementation("eager")
    with torch.no_grad():
        attentions = inner(torch.tensor([prompt + answer]), output_attentions=True, use_cache=False).attentions
    inner.set_attn_implementation("sdpa")
    length, total, terms = len(prompt) + len(answer), 0.0, 0
    for layer in attentions:
        for head in layer[0]:
            for i in range(len(prompt), length):
                on_path = sum(float(head[i, j]) for j in range(length) if j in path)
                elsewhere = sum(float(head[i, j]) for j in range(length) if j not in path)
                total, terms = total + on_path - elsewhere, terms + 1
    return total / terms


def reference_sas(model, prompt: list[int], answer: list[int], texts: list[str], layer: int) -> float:
    """Section 4.2, text by text and token by token."""
    import torch

    def hidden(ids: list[int]) -> list[list[float]]:
        kept = []
        block = model._model.model.layers[layer - 1]
        handle = block.register_forward_hook(lambda module, given, out: kept.append(out))
        with torch.no_grad():
            model._model(torch.tensor([ids]), use_cache=False)
        handle.remove()
        return kept[0][0].tolist()

    means = []
    for text in texts:
        rows = hidden(model.tokens(text))
        means.append([sum(column) / len(rows) for column in zip(*rows, strict=True)])
    best = []
    for row in hidden(prompt + answer)[len(prompt) :]:
        cosines = [
            sum(a * b for a, b in zip(row, mean, strict=True)) / math.hypot(*row) / math.hypot(*mean) for mean in means
        ]
        best.append(max(0.0, max(cosines)))
    return sum(best) / len(best)


@pytest.fixture(scope="module")
def seen(model, question):
    [(reading, _)] = model.answer([question], 1)
    answer = model.tokens("ans: London")
    return reading, answer, model.trace(reading, answer, len(TRIPLES))


def test_prd_is_what_the_formula_says(model, seen):
    reading, answer, trace = seen
    path = [True, False, True, False]
    on_path = {at for at, slot in enumerate(reading.slots) if slot in (0, 2)}
    expected = reference_prd(model, list(reading.ids), answer, on_path)
    assert path_reliance(trace.mass, trace.total, path) == pytest.approx(expected, abs=1e-5)
    assert -1 <= expected <= 1


@pytest.mark.parametrize("layer", [1, 2])
def test_sas_is_what_the_formula_says(model, seen, layer):
    reading, answer, trace = seen
    texts = [sentence(triple) for triple in TRIPLES]
    expected = reference_sas(model, list(reading.ids), answer, texts, layer)
    found = semantic_alignment(trace.hidden[layer - 1], model.embed(texts)[layer - 1])
    assert found == pytest.approx(expected, abs=1e-5)
    assert 0 <= found <= 1


def test_a_triple_embeds_the_same_alone_and_among_others(model):
    texts = ["Ada born_in London", "x", "Zoe lives_in a very long place with many words"]
    together = model.embed(texts)
    for at, text in enumerate(texts):
        assert np.allclose(model.embed([text])[:, 0], together[:, at], atol=1e-5)


def test_the_tokens_of_a_triple_are_those_of_its_parts(model, question):
    ids, slots = model.encode(question)
    for number, triple in enumerate(TRIPLES):
        assert model.decode([one for one, slot in zip(ids, slots, strict=True) if slot == number]) == "".join(triple)


def test_questions_answered_together_are_answered_as_each_alone(model):
    questions = [ask(TRIPLES[:n], "where was " + "Ada" * n) for n in (1, 4, 2)]
    together = model.answer(questions, 12)
    for question, (reading, answer) in zip(questions, together, strict=True):
        [(alone, said)] = model.answer([question], 12)
        assert said == answer
        assert np.allclose(alone.states[1][0], reading.states[1][0], atol=1e-5)


def test_an_answer_is_the_likeliest_token_each_time(model, question):
    import torch

    [(reading, answer)] = model.answer([question], 5)
    ids = list(reading.ids)
    for token in answer:
        with torch.no_grad():
            assert int(model._model(torch.tensor([ids])).logits[0, -1].argmax()) == token
        ids.append(token)


def test_probabilities_of_an_answer_are_the_models(model, seen):
    import torch

    reading, answer, trace = seen
    with torch.no_grad():
        logits = model._model(torch.tensor([[*reading.ids, *answer]])).logits[0]
    shares = torch.softmax(logits, -1)
    expected = [float(shares[len(reading.ids) - 1 + at, token]) for at, token in enumerate(answer)]
    assert trace.chosen.tolist() == pytest.approx(expected, abs=1e-5)
    assert (trace.highest >= trace.chosen).all()


def test_attention_to_triples_and_elsewhere_is_all_there_is(seen):
    _, _, trace = seen
    assert trace.total == pytest.approx(np.ones(trace.total.shape), abs=1e-5)
    everything = balance(trace.mass, trace.total, [True] * len(TRIPLES))
    nothing = balance(trace.mass, trace.total, [False] * len(TRIPLES))
    assert nothing == pytest.approx(-np.ones(nothing.shape), abs=1e-5)
    assert (everything > nothing).all()


def test_an_opposite_state_is_no_alignment():
    assert alignment(np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])).tolist() == [0.0]


def test_a_question_is_answered_and_looked_into_without_gold_answers(model):
    graph = TripleList(TRIPLES)
    [found] = look(model, graph, [Asked("1", "where was Ada born", ("Ada",))], k=6, most=6)
    assert len(found.graph.triples) == 6 and len(found.mass) == 6
    assert found.balance.shape[:2] == (2, 4)
    assert found.row()["wrong"] is None
    assert -1 <= found.prd() <= 1 and 0 <= found.sas(2) <= 1
    assert found.graph.distinct == prepare(graph, ["Ada"], [], 6).distinct


def test_a_question_about_nothing_known_says_so(model):
    graph = TripleList(TRIPLES)
    asked = [Asked("1", "who is Mr. Magoo"), Asked("2", "where was Ada born", ("Ada",), ("Mars",))]
    reasons = [why for _, why in look(model, graph, asked, k=6, most=6)]
    assert reasons == [
        "the question names nothing that the graph knows",
        "the graph knows none of the right answers",
    ]


def test_a_prompt_that_is_too_long_is_left_out(model, monkeypatch):
    graph = TripleList(TRIPLES)
    asked = [Asked("1", "where was Ada born", ("Ada",)), Asked("2", "where was Ada born" + "?" * 99, ("Ada",))]
    monkeypatch.setattr(model, "longest", len(model.encode(ask(graph.touching("Ada")[:1], asked[0].question))[0]) + 9)
    found, left = look(model, graph, asked, k=1, most=6)
    assert found.asked.id == "1"
    assert left == (asked[1], "its prompt is longer than the model can read")
