"""A language model of two layers with random weights that reads bytes: as an object, a folder, a GGUF file."""

from __future__ import annotations

from pathlib import Path

from kgstore.verifier.grounding.lm import LanguageModel

_END = "<end>"


def tiny_lm(seed: int = 7) -> LanguageModel:
    """Two layers, four heads, a token for every byte and one for two."""
    return LanguageModel.of(*_parts(seed))


def save_folder(folder: Path) -> None:
    """The same model in the layout of Hugging Face."""
    model, tokenizer = _parts(7)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _parts(seed: int):
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    pieces = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: at for at, piece in enumerate([*pieces, "an", _END])}
    inner = Tokenizer(models.BPE(vocabulary, [("a", "n")]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token=_END)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        initializer_range=0.3,
        eos_token_id=vocabulary[_END],
    )
    return LlamaForCausalLM(config), tokenizer


def save_gguf(path: Path) -> None:
    """The same model as llama.cpp has it: queries and keys with the two halves of a head's width interleaved."""
    import gguf

    model, tokenizer = _parts(7)
    config, weights = model.config, {name: one.numpy() for name, one in model.state_dict().items()}
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get))
    writer.add_token_types([1] * (config.vocab_size - 1) + [3])
    writer.add_token_merges(["a n"])
    writer.add_eos_token_id(config.eos_token_id)
    names = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v"}
    names |= {"self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up"}
    names |= {"mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    for layer in range(config.num_hidden_layers):
        for theirs, ours in names.items():
            one = weights[f"model.layers.{layer}.{theirs}.weight"]
            if ours in heads:
                one = one.reshape(heads[ours], 2, -1, one.shape[1]).swapaxes(1, 2).reshape(one.shape)
            writer.add_tensor(f"blk.{layer}.{ours}.weight", one)
    for theirs, ours in (("embed_tokens", "token_embd"), ("norm", "output_norm")):
        writer.add_tensor(f"{ours}.weight", weights[f"model.{theirs}.weight"])
    writer.add_tensor("output.weight", weights["lm_head.weight"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
