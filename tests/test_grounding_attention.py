"""Models of several families, looked into while they answer, against their own attentions of the whole sequence."""

from __future__ import annotations

import numpy as np
import pytest

from kgstore.errors import ModelMissing
from kgstore.verifier.grounding.attention import PLAIN, visible
from kgstore.verifier.grounding.lm import LanguageModel
from kgstore.verifier.grounding.prompt import ask
from tests.tiny_lm import tiny_lm

TRIPLES = [("Ada", "born_in", "London"), ("Ada", "wrote", "Notes"), ("Zoe", "lives_in", "London")]
SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
SHARED = SIZES | {"num_key_value_heads": 2, "max_position_embeddings": 2048}
BLIND = {
    "Bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "Falcon": {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4},
}
"""Families whose attention or positions are their own."""
FAMILIES = {
    "Qwen2": (SHARED, False),
    "Mistral": (SHARED | {"sliding_window": 64}, False),
    "Gemma2": (SHARED | {"head_dim": 8, "query_pre_attn_scalar": 8, "attn_logit_softcapping": 2.0}, True),
    "GPT2": ({"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 2048}, True),
    "GPTNeoX": (SIZES | {"max_position_embeddings": 2048}, True),
}


def family(name: str) -> LanguageModel:
    import torch
    import transformers

    kind = getattr(transformers, f"{name}ForCausalLM", None) or getattr(transformers, f"{name}LMHeadModel")
    tokenizer = tiny_lm()._tokenizer
    torch.manual_seed(7)
    words = {"vocab_size": len(tokenizer), "initializer_range": 0.3, "eos_token_id": tokenizer.eos_token_id}
    sizes = BLIND[name] if name in BLIND else FAMILIES[name][0]
    config = kind.config_class(**sizes, **words, pad_token_id=None, bos_token_id=None)
    return LanguageModel.of(kind(config), tokenizer)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_seen_is_what_the_model_says_of_the_whole_sequence(name):
    import torch

    model = family(name)
    assert (visible(model._model) == PLAIN) == FAMILIES[name][1]
    questions = [ask(TRIPLES[:n], "where was " + "Ada" * n) for n in (1, 3)]
    found = model.answer(questions, 5)
    model._model.set_attn_implementation("eager")
    for one in found:
        assert one.tokens
        with torch.no_grad():
            whole = model._model(torch.tensor([[*one.prompt, *one.tokens]]), output_attentions=True, use_cache=False)
        prompt = len(one.prompt)
        for layer, weights in enumerate(whole.attentions):
            rows = weights[0, :, prompt:, :prompt].numpy()
            for triple in range(one.trace.mass.shape[-1]):
                expected = rows[..., one.slots == triple].sum(-1)
                assert np.allclose(one.trace.mass[layer, :, :, triple], expected, atol=1e-4)


@pytest.mark.parametrize("name", BLIND)
def test_a_model_that_cannot_be_looked_into_is_refused(name):
    with pytest.raises(ModelMissing, match="name another one"):
        family(name).answer([ask(TRIPLES, "where was Ada born")], 2)


def test_a_model_reads_as_before_once_it_has_been_looked_into():
    model = family("Qwen2")
    before = model._model.config._attn_implementation
    model.answer([ask(TRIPLES, "where was Ada born")], 2)
    assert model._model.config._attn_implementation == before != PLAIN


def test_what_several_texts_begin_with_is_read_once(monkeypatch):
    model, read = tiny_lm(), []
    model._model.register_forward_pre_hook(
        lambda _, __, given: read.append(given["input_ids"].shape[1]), with_kwargs=True
    )
    model.embed(["Ada born", "Ada wrote", "Ada born"])
    assert read == [len("Ada born") + len("wrote")]
