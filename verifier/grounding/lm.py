"""A local decoder-only language model, looked into while it answers. The one file here that knows transformers.

A prompt is read once. Its keys and values serve the answers' generation, a few questions at a time because that reads
the weights once for all. Every layer's attention rows and hidden states are taken while a token of an answer is read to
find the next one: no second pass is needed, and nothing of the size of prompt times prompt is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import clean, offline
from kgstore.errors import ModelMissing
from kgstore.verifier.grounding.attention import Layer, cache, room, visible
from kgstore.verifier.grounding.inside import NoWeights, Trace, Watch, hooked, output
from kgstore.verifier.grounding.prompt import Message, Question, ask, plain
from kgstore.verifier.grounding.threads import apart

_CANNOT_TELL = "its attention cannot be looked at"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says to a prompt.

    :param prompt: the prompt's tokens
    :param slots: int ``(len(prompt),)``, the number of the triple that a token belongs to, -1 for none
    :param tokens: the answer's, without the one that ends it; there may be none
    :param trace: what went on inside while they were read
    """

    prompt: tuple[int, ...]
    slots: np.ndarray
    tokens: tuple[int, ...]
    trace: Trace


class LanguageModel:
    """A folder in the layout of Hugging Face (safetensors only) or a GGUF file, on this machine's CPU in float32.

    :param path: the folder or the file
    :ivar layers: L
    :ivar longest: tokens that it can read
    :raises ModelMissing: if there is none, or it is no decoder-only language model
    """

    def __init__(self, path: Path) -> None:
        self.path = path = Path(path)
        if not path.exists():
            raise ModelMissing("a language model", path, "name a GGUF file, or a folder that transformers reads")
        offline()
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        silent = redirect_stderr(StringIO())  # the reader of GGUF files has a progress bar that cannot be turned off
        folder = str(path)
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        if path.is_file():
            folder, options["gguf_file"] = str(path.parent), path.name
        else:
            options["use_safetensors"] = True
        try:
            with silent:
                tokenizer = AutoTokenizer.from_pretrained(folder, **options)
                model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **options)
        except Exception as error:  # the readers of damaged files raise nothing narrower
            reason = " ".join(str(error).split())[:200]
            raise ModelMissing(f"a language model ({reason})", path, "name another one") from None
        self._set(model, tokenizer)

    @classmethod
    def of(cls, model: Any, tokenizer: Any) -> LanguageModel:
        """A model that is loaded already."""
        found = cls.__new__(cls)
        found.path = Path()
        found._set(model, tokenizer)
        return found

    def _set(self, model: Any, tokenizer: Any) -> None:
        import torch

        self._torch, self._tokenizer = torch, tokenizer
        self._model = model.eval()
        config = model.config.get_text_config(decoder=True)
        self.layers: int = config.num_hidden_layers
        self._attentions = [m for name, m in model.named_modules() if name.split(".")[-1] in _ATTENTION]
        self._blocks = _blocks(model, self.layers)
        if len(self._attentions) != self.layers or self._blocks is None:
            raise ModelMissing(f"a decoder-only language model ({_CANNOT_TELL})", self.path, "name another one")
        if "position_ids" not in signature(model.forward).parameters:
            raise ModelMissing("a language model that is told positions (Bloom is not)", self.path, "name another one")
        self._heads, self._width = config.num_attention_heads, config.hidden_size
        self._usual, self._visible = model.config._attn_implementation, visible(model)
        self.longest: int = getattr(config, "max_position_embeddings", None) or 1 << 30
        ends = {tokenizer.eos_token_id, *np.atleast_1d(model.generation_config.eos_token_id or -1).tolist()}
        self._ends = {end for end in ends if end is not None and end >= 0}

    # -- text and tokens --------------------------------------------------------------------------

    def _text(self, messages: Sequence[Message]) -> str:
        if getattr(self._tokenizer, "chat_template", None):
            return self._tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        return (self._tokenizer.bos_token or "") + plain(messages)

    def encode(self, question: Question) -> tuple[list[int], np.ndarray]:
        """The prompt's tokens, and for each the number of its triple or -1.

        A token belongs to a triple if it has a character of its head, relation or tail; one of two triples to neither.
        """
        content = clean(question.content)
        text = self._text([*question.messages[:-1], {"role": "user", "content": content}])
        start = text.rindex(content)
        found = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        owner = np.full(len(text) + 1, -1)
        for number, spans in enumerate(question.spans):
            for begin, end in spans:
                owner[start + begin : start + end] = number
        slots = []
        for begin, end in found["offset_mapping"]:
            owners = set(owner[begin:end].tolist()) - {-1}
            slots.append(owners.pop() if len(owners) == 1 else -1)
        return found["input_ids"], np.array(slots)

    def fits(self, question: Question, most: int) -> bool:
        """Can the model read the prompt and an answer of ``most`` tokens?"""
        return len(self.encode(question)[0]) + most <= self.longest

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(list(ids), skip_special_tokens=True)

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text by itself."""
        return self._tokenizer(clean(text), add_special_tokens=False)["input_ids"]

    def pieces(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Where in `decode` of all tokens each one stands, as character offsets."""
        ends = [len(self.decode(ids[:n])) for n in range(len(ids) + 1)]
        return [(begin, max(begin, end)) for begin, end in zip(ends, ends[1:], strict=False)]

    # -- answering, and looking inside ------------------------------------------------------------

    @cached_property
    def _opening(self) -> tuple[tuple[int, ...], list[Layer]]:
        """What all prompts begin with, read once: its tokens, and their keys and values."""
        from transformers import DynamicCache

        one, other = (self.encode(ask([(word, word, word)], word))[0] for word in ("Ada", "Zurich"))
        same = next(n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        kept = DynamicCache()
        self._read(one[:same], kept)
        return tuple(one[:same]), [(layer.keys, layer.values) for layer in kept.layers]  # type: ignore[union-attr]

    def _read(self, ids: Sequence[int], kept: Any) -> Any:
        """Float32 ``(vocabulary,)`` for the token after these; their keys and values go behind what is kept."""
        with self._torch.inference_mode():
            new = self._torch.tensor([ids])
            out = self._model(input_ids=new, cache=kept, use_cache=True, logits_to_keep=1)
        return out.logits[0, -1].float()

    def answer(self, questions: Sequence[Question], most: int) -> list[Answer]:
        """What the model says to each prompt: the likeliest token each time, until it ends.

        What is kept of all prompts lies in one block, the short ones padded on the left: nothing is held twice.
        Whether the model can read a prompt is for `fits` to say.

        :param questions: at least one
        :param most: tokens of an answer at most
        """
        torch = self._torch
        encoded = [self.encode(one) for one in questions]
        width, triples = max(len(ids) for ids, _ in encoded), max(len(one.spans) for one in questions)
        opening, known = self._opening
        block = [room(layer, len(questions), width + most) for layer in known]
        owner = torch.zeros(len(questions), width, triples)

        def read(row: int) -> Any:
            ids, slots = encoded[row]
            start = width - len(ids)
            same = len(opening) if tuple(ids[: len(opening)]) == opening and len(ids) > len(opening) else 0
            own = [(keys[row : row + 1, :, start:], values[row : row + 1, :, start:]) for keys, values in block]
            for layer, before in zip(own, known, strict=True):
                for part, old in zip(layer, before, strict=True):
                    part[:, :, :same] = old[:, :, :same]
            at = np.flatnonzero(slots >= 0)
            owner[row, start + at, slots[at]] = 1.0
            return self._read(ids[same:], cache(own, same))

        logits = list(apart(read, range(len(questions)), torch.get_num_threads()))
        watch = Watch((len(questions), self.layers, self._heads, most, triples, self._width))
        lengths = torch.tensor([len(ids) for ids, _ in encoded])
        self._model.set_attn_implementation(self._visible)
        try:
            with torch.inference_mode(), watch.on(self._attentions, self._blocks):
                said = self._say(block, torch.stack(logits), lengths, owner, most, watch)
        except NoWeights:
            raise ModelMissing(f"a language model ({_CANNOT_TELL})", self.path, "name another one") from None
        finally:
            self._model.set_attn_implementation(self._usual)
        return [
            Answer(tuple(ids), slots, tuple(tokens), watch.trace(row, len(tokens), len(question.spans)))
            for row, (question, (ids, slots), tokens) in enumerate(zip(questions, encoded, said, strict=True))
        ]

    def _say(
        self, block: list[Layer], logits: Any, lengths: Any, owner: Any, most: int, watch: Watch
    ) -> list[list[int]]:
        """One token of each answer at a time; an answer that has ended leaves its row to another."""
        torch = self._torch
        width = owner.shape[1]
        said: list[list[int]] = [[] for _ in lengths]
        asked = list(range(len(said)))
        seen = torch.arange(width + most)[None] >= (width - lengths)[:, None]
        kept = cache(block, width)
        for step in range(most):
            shares = torch.softmax(logits, dim=-1)
            tokens = logits.argmax(-1)
            going = [row for row, token in enumerate(tokens.tolist()) if token not in self._ends]
            if not going:
                break
            if len(going) < len(asked):
                order = _closed_up(going)
                for row, origin in enumerate(order):
                    if row != origin:
                        for part in (part for layer in block for part in layer):
                            part[row, :, : width + step] = part[origin, :, : width + step]
                asked = [asked[row] for row in order]
                shares, tokens, lengths, seen, owner = (one[order] for one in (shares, tokens, lengths, seen, owner))
                kept = cache([(keys[: len(order)], values[: len(order)]) for keys, values in block], width + step)
            for number, token in zip(asked, tokens.tolist(), strict=True):
                said[number].append(token)
            watch.begin(asked, owner, shares, tokens)
            out = self._model(
                input_ids=tokens[:, None],
                attention_mask=seen[:, : width + step + 1].long(),
                position_ids=(lengths + step)[:, None],
                cache=kept,
                use_cache=True,
            )
            logits = out.logits[:, -1].float()
        return said

    def embed_each(self, several: Sequence[Sequence[str]]) -> Iterator[np.ndarray]:
        """`embed` for each of several lists of texts, a list for each processor at a time."""
        return apart(self.embed, several, self._torch.get_num_threads())

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 ``(L, len(texts), d)``: for each layer the mean of its output over the tokens of each text.

        All texts go through the model as one row in which each sees itself only. What several begin with is read once:
        it is the same for all.
        """
        torch = self._torch
        tokens = [self.tokens(text) for text in texts]
        if not all(tokens):
            raise ValueError("an empty text has no tokens to average")
        beginnings: dict[tuple[int, ...], int] = {}
        paths = [
            [beginnings.setdefault(tuple(one[:n]), len(beginnings)) for n in range(1, len(one) + 1)] for one in tokens
        ]
        seen = torch.zeros(len(beginnings), len(beginnings), dtype=torch.bool)
        share = torch.zeros(len(texts), len(beginnings))
        for text, path in enumerate(paths):
            share[text, path] = 1 / len(path)
            for n, place in enumerate(path, 1):
                seen[place, path[:n]] = True
        mask = torch.zeros(seen.shape).masked_fill(~seen, torch.finfo(torch.float32).min)[None, None]
        found = [np.empty(0)] * self.layers

        def left(layer: int, out: Any) -> None:
            found[layer] = (share @ output(out)[0].float()).numpy()

        with torch.inference_mode(), hooked(self._blocks, left):
            self._model(
                input_ids=torch.tensor([[one[-1] for one in beginnings]]),
                attention_mask=mask,
                position_ids=torch.tensor([[len(one) - 1 for one in beginnings]]),
                use_cache=False,
                logits_to_keep=1,
            )
        return np.stack(found)


_ATTENTION = ("self_attn", "attn", "attention", "self_attention")


def _blocks(model: Any, layers: int) -> Any:
    import torch

    lists = (m for m in model.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == layers)
    return next(lists, None)


def _closed_up(going: Sequence[int]) -> list[int]:
    """Which row each of the first rows is taken from, so that only those that go on are left and few are moved.

    >>> _closed_up([0, 2, 3])
    [0, 3, 2]
    """
    number = len(going)
    movers = [row for row in going if row >= number]
    return [row if row in going else movers.pop() for row in range(number)]
