"""A local decoder-only language model, looked into while it answers. The one file here that knows transformers.

A prompt is read once. Its keys and values serve the answers' generation, a few questions at a time because that reads
the weights once for all, and then one pass over the answer's tokens in which every layer's attention rows and hidden
states are taken as they arise: nothing of the size of prompt times prompt is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import clean, offline
from kgstore.errors import ModelMissing
from verifier.grounding.prompt import Message, Question, ask, plain

_CANNOT_TELL = "its attention cannot be looked at"


@dataclass(frozen=True, slots=True)
class Reading:
    """A prompt that the model has read.

    :param ids: its tokens
    :param slots: int ``(len(ids),)``, the number of the triple that a token belongs to, -1 for none
    :param logits: float32 ``(vocabulary,)``, of the token after the prompt
    :param states: keys and values, layer by layer, each ``(1, heads, len(ids), width)``
    """

    ids: tuple[int, ...]
    slots: np.ndarray
    logits: Any
    states: list[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Trace:
    """What went on inside while ``n`` answer tokens were read, in ``L`` layers of ``H`` heads.

    :param mass: float32 ``(L, H, n, K)``, softmaxed attention from an answer token to the tokens of each triple
    :param total: float32 ``(L, H, n)``, the same to all tokens: 1 but for rounding
    :param hidden: float32 ``(L, n, d)``, the output of each layer at the answer tokens
    :param chosen: float32 ``(n,)``, the model's probability of each token of the answer
    :param highest: float32 ``(n,)``, the highest probability of any token in its place
    """

    mass: np.ndarray
    total: np.ndarray
    hidden: np.ndarray
    chosen: np.ndarray
    highest: np.ndarray


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
        folder, options = str(path), {"local_files_only": True, "trust_remote_code": False}
        if path.is_file():
            folder, options["gguf_file"] = str(path.parent), path.name
        else:
            options["use_safetensors"] = True
        try:
            with silent:
                tokenizer = AutoTokenizer.from_pretrained(folder, **options)
                model = AutoModelForCausalLM.from_pretrained(
                    folder, dtype=torch.float32, attn_implementation="sdpa", **options
                )
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

    # -- reading and answering --------------------------------------------------------------------

    @cached_property
    def _opening(self) -> Reading:
        """What all prompts begin with, read once."""
        one, other = (self.encode(ask([(word, word, word)], word))[0] for word in ("Ada", "Zurich"))
        same = next(n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        return self._read(one[:same], np.full(same, -1), None)

    def read(self, question: Question) -> Reading:
        """Read a prompt. Whether the model can is for `fits` to say."""
        ids, slots = self.encode(question)
        opening = self._opening
        same = len(opening.ids)
        return self._read(ids, slots, opening if tuple(ids[:same]) == opening.ids and len(ids) > same else None)

    def _read(self, ids: Sequence[int], slots: np.ndarray, before: Reading | None) -> Reading:
        past = self._cache(before.states if before else None)
        new = self._torch.tensor([ids[len(before.ids) if before else 0 :]])
        with self._torch.inference_mode():
            out = self._model(input_ids=new, past_key_values=past, use_cache=True, logits_to_keep=1)
        return Reading(tuple(ids), slots, out.logits[0, -1].float(), _states(out.past_key_values))

    def answer(self, questions: Sequence[Question], most: int) -> list[tuple[Reading, list[int]]]:
        """What the model says to each prompt: the likeliest token each time, without the one that ends it.

        What it keeps of all prompts lies in one block, the short ones padded on the left: nothing is held twice.

        :param questions: at least one
        :param most: tokens of an answer at most
        :return: the prompts as they were read, and the answers' tokens
        """
        torch = self._torch
        width = max(len(self.encode(one)[0]) for one in questions)
        readings: list[Reading] = []
        block: list[tuple[Any, Any]] = []
        for number, question in enumerate(questions):
            one = self.read(question)
            block = block or [_room(layer, len(questions), width + most) for layer in one.states]
            for layer, states in zip(block, one.states, strict=True):
                for part, state in zip(layer, states, strict=True):
                    part[number, :, width - len(one.ids) : width] = state[0]
            readings.append(Reading(one.ids, one.slots, one.logits, []))
        past = _roomy(block, width)
        lengths = torch.tensor([len(one.ids) for one in readings])
        seen = torch.arange(width)[None] >= (width - lengths)[:, None]
        answers: list[list[int]] = [[] for _ in readings]
        going, token = [True] * len(readings), torch.stack([one.logits for one in readings]).argmax(-1)
        with torch.inference_mode():
            for step in range(most):
                for i, one in enumerate(token.tolist()):
                    going[i] = going[i] and one not in self._ends
                    if going[i]:
                        answers[i].append(one)
                if step + 1 == most or not any(going):
                    break
                seen = torch.cat([seen, torch.ones(len(readings), 1, dtype=torch.bool)], dim=1)
                out = self._model(
                    input_ids=token[:, None],
                    attention_mask=seen.long(),
                    position_ids=(lengths + step)[:, None],
                    past_key_values=past,
                    use_cache=True,
                )
                token = out.logits[:, -1].argmax(-1)
        for i, one in enumerate(readings):
            own = slice(width - len(one.ids), width)
            one.states.extend(tuple(part[i : i + 1, :, own] for part in layer) for layer in block)
        return list(zip(readings, answers, strict=True))

    # -- looking inside ---------------------------------------------------------------------------

    def trace(self, reading: Reading, answer: Sequence[int], slots: int) -> Trace:
        """Read an answer after its prompt and watch.

        :param answer: at least one token
        :param slots: K, how many triples the prompt has
        """
        torch = self._torch
        where = torch.tensor(reading.slots)
        owner = torch.zeros(len(where), slots)
        owner[where >= 0, where[where >= 0]] = 1.0
        mass, total, hidden = [], [], []

        def attended(module: Any, given: Any, out: Any) -> None:
            weights = next((one for one in out if one is not None and one.ndim == 4), None)
            if weights is None:
                raise ModelMissing(f"a language model that shows its attention ({_CANNOT_TELL})", self.path, "another")
            rows = weights[0].float()
            mass.append((rows[..., : len(where)] @ owner).numpy())
            total.append(rows.sum(-1).numpy())

        def left(module: Any, given: Any, out: Any) -> None:
            hidden.append((out[0] if isinstance(out, tuple) else out)[0].float().numpy().copy())

        self._model.set_attn_implementation("eager")
        try:
            with torch.inference_mode(), _hooked(self._attentions, attended), _hooked(self._blocks, left):
                out = self._model(
                    input_ids=torch.tensor([list(answer)]), past_key_values=self._cache(reading.states), use_cache=True
                )
        finally:
            self._model.set_attn_implementation("sdpa")
        logits = torch.cat([reading.logits[None], out.logits[0, :-1].float()])
        shares = torch.softmax(logits, dim=-1)
        chosen = shares[torch.arange(len(answer)), torch.tensor(list(answer))]
        return Trace(
            np.stack(mass), np.stack(total), np.stack(hidden), chosen.numpy(), shares.max(dim=-1).values.numpy()
        )

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 ``(L, len(texts), d)``: for each layer the mean of its output over the tokens of each text.

        All texts go through the model as one row in which each sees itself only, so that nothing is padded.
        """
        torch = self._torch
        tokens = [self.tokens(text) for text in texts]
        if not all(tokens):
            raise ValueError("an empty text has no tokens to average")
        owner = torch.repeat_interleave(torch.arange(len(tokens)), torch.tensor([len(one) for one in tokens]))
        places = torch.cat([torch.arange(len(one)) for one in tokens])
        seen = (owner[:, None] == owner[None]) & (places[:, None] >= places[None])
        mask = torch.zeros(seen.shape).masked_fill(~seen, torch.finfo(torch.float32).min)[None, None]
        share = torch.nn.functional.one_hot(owner).T.float()
        share /= share.sum(1, keepdim=True)
        found = []

        def left(module: Any, given: Any, out: Any) -> None:
            found.append((share @ (out[0] if isinstance(out, tuple) else out)[0].float()).numpy())

        with torch.inference_mode(), _hooked(self._blocks, left):
            self._model(
                input_ids=torch.tensor([[one for text in tokens for one in text]]),
                attention_mask=mask,
                position_ids=places[None],
                use_cache=False,
                logits_to_keep=1,
            )
        return np.stack(found)

    def _cache(self, states: Sequence[tuple[Any, Any]] | None) -> Any:
        from transformers import DynamicCache

        return DynamicCache(states)


_ATTENTION = ("self_attn", "attn", "attention", "self_attention")


def _blocks(model: Any, layers: int) -> Any:
    import torch

    lists = (m for m in model.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == layers)
    return next(lists, None)


def _states(cache: Any) -> list[tuple[Any, Any]]:
    return [(layer.keys, layer.values) for layer in cache.layers]


def _room(layer: tuple[Any, Any], rows: int, width: int) -> tuple[Any, Any]:
    """Zeros for one layer's keys and values of several prompts."""
    keys, values = (part.new_zeros(rows, part.shape[1], width, part.shape[3]) for part in layer)
    return keys, values


def _roomy(block: Sequence[tuple[Any, Any]], used: int) -> Any:
    """A cache that writes into tensors which have room for all that is to come, and copies nothing when it grows."""
    from transformers.cache_utils import Cache, DynamicLayer

    class Roomy(DynamicLayer):
        def __init__(self, room: tuple[Any, Any]) -> None:
            super().__init__()
            self.room = room
            self.lazy_initialization(*room)
            self.keys, self.values = (part[:, :, :used] for part in room)

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
            start, end = self.keys.shape[2], self.keys.shape[2] + key_states.shape[2]
            for part, new in zip(self.room, (key_states, value_states), strict=True):
                part[:, :, start:end] = new
            self.keys, self.values = (part[:, :, :end] for part in self.room)
            return self.keys, self.values

    return Cache(layers=[Roomy(room) for room in block])


@contextmanager
def _hooked(modules: Any, hook: Any) -> Iterator[None]:
    handles = [module.register_forward_hook(hook) for module in modules]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
