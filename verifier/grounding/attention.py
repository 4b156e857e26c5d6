"""Attention that can be looked at and copies little: a cache with room, and heads that share keys taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PLAIN = "eager"
_GROUPED = "kgstore_grouped"

Layer = tuple[Any, Any]
"""Keys and values of one layer, each ``(texts, heads, tokens, width)``."""


def room(layer: Layer, texts: int, width: int) -> Layer:
    """Zeros for keys and values of the kind given, of more texts and tokens."""
    keys, values = (part.new_zeros(texts, part.shape[1], width, part.shape[3]) for part in layer)
    return keys, values


def cache(layers: Sequence[Layer], used: int) -> Any:
    """A cache that writes behind the first ``used`` tokens of tensors with room, and copies nothing when it grows."""
    from transformers.cache_utils import Cache, DynamicLayer

    class Roomy(DynamicLayer):
        def __init__(self, layer: Layer) -> None:
            super().__init__()
            self.room = layer
            self.lazy_initialization(*layer)
            self.keys, self.values = (part[:, :, :used] for part in layer)

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> Layer:
            start = self.keys.shape[2]  # type: ignore[union-attr]
            end = start + key_states.shape[2]
            for part, new in zip(self.room, (key_states, value_states), strict=True):
                part[:, :, start:end] = new
            self.keys, self.values = (part[:, :, :end] for part in self.room)
            return self.keys, self.values

    return Cache(layers=[Roomy(layer) for layer in layers])


def visible(model: Any) -> str:
    """The name of an attention that gives its weights away, for ``model.set_attn_implementation``.

    Where several query heads share one head of keys, transformers' plain way copies keys and values for each of them,
    at every token. The way below does not; it is taken if the model computes the same with it.
    """
    import torch
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask

    config = model.config.get_text_config(decoder=True)
    shared = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    if shared == config.num_attention_heads or not getattr(model, "_supports_attention_backend", False):
        return PLAIN
    AttentionInterface.register(_GROUPED, _grouped)
    AttentionMaskInterface.register(_GROUPED, eager_mask)
    before = model.config._attn_implementation
    found: list[Any] = []
    try:
        for name in (PLAIN, _GROUPED):
            model.set_attn_implementation(name)
            with torch.inference_mode():
                found.append(model(input_ids=torch.arange(8)[None] % config.vocab_size, use_cache=False).logits)
        same = torch.allclose(found[0], found[1], rtol=1e-4, atol=1e-4)
    except (NotImplementedError, ValueError):
        same = False
    finally:
        model.set_attn_implementation(before)
    return _GROUPED if same else PLAIN


def _grouped(
    module: Any,
    query: Any,
    key: Any,
    value: Any,
    attention_mask: Any,
    scaling: float | None = None,
    softcap: float | None = None,
    s_aux: Any = None,
    position_bias: Any = None,
    **_: Any,
) -> tuple[Any, Any]:
    """The query heads of one head of keys are rows of one product."""
    if softcap is not None or s_aux is not None or position_bias is not None:
        raise NotImplementedError("attention with more than a scale and a mask")
    texts, heads, tokens, width = query.shape
    groups, seen = key.shape[1:3]
    rows = (query * (width**-0.5 if scaling is None else scaling)).reshape(texts, groups, -1, width)
    weights = (rows @ key.transpose(2, 3)).view(texts, heads, tokens, seen)
    if attention_mask is not None:
        weights += attention_mask
    weights = weights.softmax(-1)
    out = weights.view(texts, groups, -1, seen) @ value
    return out.view(texts, heads, tokens, -1).transpose(1, 2).contiguous(), weights
