"""PRD and SAS against slow references written straight from the formulas, on a tiny model with random weights."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kgstore.verifier.grounding.inside import hooked, output
from kgstore.verifier.grounding.knowledge import TripleList
from kgstore.verifier.grounding.measure import Asked, look
from kgstore.verifier.grounding.prd import balance
from kgstore.verifier.grounding.prompt import ask, sentence
from kgstore.verifier.grounding.sas import alignment
from kgstore.verifier.grounding.subgraph import prepare
from tests.tiny_lm import tiny_lm

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


def assert_same(one, other, tokens: int | None = None) -> None:
    """The same answer, or its first tokens, and the same inside."""
    assert one.tokens[:tokens] == other.tokens
    assert np.allclose(one.trace.mass[:, :, :tokens], other.trace.mass, atol=1e-5)
    assert np.allclose(one.trace.hidden[:, :tokens], other.trace.hidden, atol=1e-4)
    assert np.allclose(one.trace.chosen[:tokens], other.trace.chosen, atol=1e-5)


@pytest.fixture(scope="module")
def seen(model, question):
    [found] = model.answer([question], 9)
    assert len(found.tokens) == 9
    return found


def test_prd_is_what_the_formula_says(model, seen):
    path = [True, False, True, False]
    on_path = {at for at, slot in enumerate(seen.slots) if slot in (0, 2)}
    expected = reference_prd(model, list(seen.prompt), list(seen.tokens), on_path)
    assert balance(seen.trace.mass, seen.trace.total, path).mean() == pytest.approx(expected, abs=1e-5)
    assert -1 <= expected <= 1


@pytest.mark.parametrize("layer", [1, 2])
def test_sas_is_what_the_formula_says(model, seen, layer):
    texts = [sentence(triple) for triple in TRIPLES]
    expected = reference_sas(model, list(seen.prompt), list(seen.tokens), texts, layer)
    found = alignment(seen.trace.hidden[layer - 1], model.embed(texts)[layer - 1]).mean()
    assert found == pytest.approx(expected, abs=1e-5)
    assert 0 <= found <= 1


def test_a_triple_embeds_the_same_alone_and_among_others(model):
    texts = ["Ada born_in London", "x", "Ada born_in Lo", "Zoe lives_in a very long place with many words", "x"]
    together = model.embed(texts)
    for at, text in enumerate(texts):
        assert np.allclose(model.embed([text])[:, 0], together[:, at], atol=1e-5)


def test_several_lists_embed_beside_each_other_as_alone(model):
    lists = [[f"Ada born_in {name}", f"{name} lies_in {place}"] for name in "ABCD" for place in "xyz"]
    for texts, found in zip(lists, model.embed_each(lists), strict=True):
        assert np.allclose(found, model.embed(texts), atol=1e-5)


def test_the_tokens_of_a_triple_are_those_of_its_parts(model, question):
    ids, slots = model.encode(question)
    for number, triple in enumerate(TRIPLES):
        assert model.decode([one for one, slot in zip(ids, slots, strict=True) if slot == number]) == "".join(triple)


def test_questions_answered_together_are_answered_as_each_alone(model):
    questions = [ask(TRIPLES[:n], "where was " + "Ada" * n) for n in (1, 4, 2)]
    for question, one in zip(questions, model.answer(questions, 12), strict=True):
        [alone] = model.answer([question], 12)
        assert_same(alone, one)


def test_an_answer_that_ends_leaves_its_row_to_another(model, monkeypatch):
    questions = [ask(TRIPLES[:n], "where was " + "Ada" * n) for n in (4, 1, 3, 2)]
    alone = [model.answer([question], 12)[0] for question in questions]
    ends = {alone[0].tokens[4], alone[2].tokens[1]}
    monkeypatch.setattr(model, "_ends", ends)
    together = model.answer(questions, 12)
    lengths = [next((n for n, token in enumerate(one.tokens) if token in ends), 12) for one in alone]
    assert [len(one.tokens) for one in together] == lengths and len(set(lengths)) > 1
    for length, one, other in zip(lengths, alone, together, strict=True):
        assert_same(one, other, length)


def test_an_answer_is_the_likeliest_token_each_time(model, question):
    import torch

    [found] = model.answer([question], 5)
    ids = list(found.prompt)
    for token in found.tokens:
        with torch.no_grad():
            assert int(model._model(torch.tensor([ids])).logits[0, -1].argmax()) == token
        ids.append(token)


def test_probabilities_of_an_answer_are_the_models(model, seen):
    import torch

    with torch.no_grad():
        logits = model._model(torch.tensor([[*seen.prompt, *seen.tokens]])).logits[0]
    shares = torch.softmax(logits, -1)
    expected = [float(shares[len(seen.prompt) - 1 + at, token]) for at, token in enumerate(seen.tokens)]
    assert seen.trace.chosen.tolist() == pytest.approx(expected, abs=1e-5)
    assert (seen.trace.highest >= seen.trace.chosen).all()


def test_attention_to_triples_and_elsewhere_is_all_there_is(seen):
    trace = seen.trace
    assert trace.total == pytest.approx(np.ones(trace.total.shape), abs=1e-5)
    everything = balance(trace.mass, trace.total, [True] * len(TRIPLES))
    nothing = balance(trace.mass, trace.total, [False] * len(TRIPLES))
    assert nothing == pytest.approx(-np.ones(nothing.shape), abs=1e-5)
    assert (everything > nothing).all()


@pytest.mark.parametrize(
    ("mass", "total"), [(1.2, 1.0), (0.7, 0.5), (0.5, 1.5), (-0.1, 1.0), (math.nan, 1.0), (0.5, math.nan)]
)
def test_what_is_no_share_of_attention_is_refused(mass, total):
    with pytest.raises(ValueError, match="attention is not between 0 and 1"):
        balance(np.full((1, 1, 1, 1), mass), np.full((1, 1, 1), total), [True])


def test_a_state_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        alignment(np.array([[math.inf, 0.0]]), np.array([[1.0, 0.0]]))


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


def test_a_module_is_seen_in_its_own_thread_and_no_longer_than_wanted():
    torch = pytest.importorskip("torch")
    module, seen = torch.nn.Linear(2, 2), []
    with hooked([module], lambda number, out: seen.append((number, output((out, None)).shape))):
        module(torch.ones(1, 2))
        with ThreadPoolExecutor(1) as other:
            other.submit(module, torch.ones(1, 2)).result()
    module(torch.ones(1, 2))
    assert seen == [(0, (1, 2))]
