"""all-MiniLM-L6-v2, a BERT of six layers, and others like it, without the libraries they usually come with.

The forward pass is written twice: in NumPy, because a handful of phrases must not wait seconds for torch to be
imported, and in torch, which is a quarter faster per text. Both take texts of one length together, so that nothing is
padded, and put many such groups into one pack, so that the matrix products, nine tenths of the work, are large.
Results equal those of sentence-transformers to 1e-6, whichever texts a text is embedded with. A BERT that has a head
for classes gives scores of classes in place of a vector.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kgstore.threads import apart

PACK = 1024
"""Tokens that go through the network together: more wants memory, less makes the products slow."""
_GELU = tuple(
    np.float32(-c)
    for c in (
        3.61123054e-09, -2.66892717e-07, 7.93821726e-06, -1.10480305e-04, -6.62600286e-05, 7.26685671e-02, 1.59576843
    )
)  # fmt: skip
"""P, highest power first and with its sign turned, so that x / (1 + exp(-x P(x²))) is GELU to 7e-8: a minimax fit of
log(Φ(x) / Φ(-x)) / x in powers of x², weighted by what an error does to the result."""
_STEPS = (
    "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"
)  # fmt: skip
_FLOATS = {"F32": np.float32, "F16": np.float16}
_CELLS = 32_768
"""Numbers that GELU works on at a time, few enough to stay in the processor's cache."""

Pair = tuple[Any, Any]
Group = np.ndarray
"""Token numbers of texts of the same length, ``(texts, length)``. A token of the second text of a pair has the size of
the vocabulary added to its number."""
MANY = 60_000
"""From so many tokens on torch is worth its import."""
SOME = 2_000
"""From so many tokens on torch is faster if somebody imported it before."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights ``(out, in)`` and bias of each step. Query, key and value are one matrix, the query's part divided by the
    square root of a head's width."""

    qkv: Pair
    attended: Pair
    norm: Pair
    wide: Pair
    narrow: Pair
    last_norm: Pair


@dataclass(frozen=True, slots=True)
class Weights:
    """What a BERT's folder holds; the table of words stays on disk until it is asked for a word.

    :param positions: with what marks the first text of a pair; ``second`` is the step to what marks the second
    :param head: the pooler and the classifier, empty where a text's vector is wanted
    """

    heads: int
    epsilon: float
    words: np.ndarray
    positions: np.ndarray
    second: np.ndarray
    norm: Pair
    layers: tuple[Layer, ...]
    head: tuple[Pair, ...] = ()

    @property
    def dim(self) -> int:
        return self.words.shape[1]

    @property
    def width(self) -> int:
        """Of what comes out for a text."""
        return len(self.head[-1][1]) if self.head else self.dim


class Network(Protocol):
    """One forward pass."""

    def __call__(self, pack: Sequence[Group]) -> np.ndarray:
        """One row for each text, group after group: a vector of length 1, or a score (logit) for each class."""

    def each(self, packs: Iterable[Sequence[Group]]) -> Iterator[np.ndarray]:
        """The same for each of many packs."""


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    """The float tensors of a safetensors file (eight bytes of length, a JSON header, then numbers), mapped."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    body = np.memmap(path, np.uint8, "r", 8 + length)
    return {
        name: np.asarray(body[slice(*entry["data_offsets"])]).view(_FLOATS[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") in _FLOATS
    }


def read_weights(folder: Path) -> Weights:
    """A BERT from ``config.json`` and ``model.safetensors``, with its head if it is one that tells classes.

    :raises KeyError: if it is no BERT with GELU and absolute positions
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if (config["model_type"], config["hidden_act"]) != ("bert", "gelu"):
        raise KeyError(f"a {config['model_type']} with {config['hidden_act']} is no BERT with GELU")
    tensors = read_tensors(folder / "model.safetensors")
    root = "bert." if "classifier.weight" in tensors else ""
    scale = np.float32((config["hidden_size"] / config["num_attention_heads"]) ** -0.5)

    def pair(name: str) -> Pair:
        return tuple(tensors[f"{name}.{part}"].astype(np.float32, copy=False) for part in ("weight", "bias"))

    layers = []
    for number in range(config["num_hidden_layers"]):
        at = f"{root}encoder.layer.{number}."
        query, key, value = (pair(f"{at}attention.self.{part}") for part in ("query", "key", "value"))
        qkv = tuple(np.concatenate([q * scale, k, v]) for q, k, v in zip(query, key, value, strict=True))
        layers.append(Layer(qkv, *(pair(at + name) for name in _STEPS)))
    tables = f"{root}embeddings."
    positions, types = (
        tensors[f"{tables}{name}_embeddings.weight"].astype(np.float32) for name in ("position", "token_type")
    )
    return Weights(
        heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
        words=tensors[f"{tables}word_embeddings.weight"],
        positions=positions + types[0],
        second=types[-1] - types[0],
        norm=pair(f"{tables}LayerNorm"),
        layers=tuple(layers),
        head=(pair("bert.pooler.dense"), pair("classifier")) if root else (),
    )


def packs(texts: Sequence[Sequence[int]], tokens: int = PACK) -> Iterator[tuple[np.ndarray, list[Group]]]:
    """Token lists as packs: the numbers of the texts in a pack, and their tokens in groups of one length.

    >>> [(rows.tolist(), [group.tolist() for group in pack]) for rows, pack in packs([[1, 9], [1, 5, 9], [1, 9]])]
    [([0, 2, 1], [[[1, 9], [1, 9]], [[1, 5, 9]]])]
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    order = np.argsort(lengths, kind="stable")
    ends = np.cumsum(lengths[order])
    first = 0
    while first < len(order):
        before = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + tokens, side="right")))
        rows = order[first:last]
        cuts = np.flatnonzero(np.diff(lengths[rows])) + 1
        yield rows, [np.array([texts[row] for row in same]) for same in np.split(rows, cuts)]
        first = last


def _embedded(weights: Weights, pack: Sequence[Group]) -> tuple[np.ndarray, list[tuple[slice, int, int]]]:
    """Vectors of all tokens before the first norm, and where each group's rows are: rows, texts, length."""
    vectors, spans, at = [], [], 0
    for group in pack:
        texts, length = group.shape
        second, word = np.divmod(group, len(weights.words))
        found = weights.words[word] + weights.positions[:length]
        if second.any():
            found += second[:, :, None].astype(np.float32) * weights.second
        vectors.append(found.reshape(-1, weights.dim))
        spans.append((slice(at, at + group.size), texts, length))
        at += group.size
    return np.concatenate(vectors), spans


class NumpyNetwork:
    """The forward pass in NumPy."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def __call__(self, pack: Sequence[Group]) -> np.ndarray:
        weights, heads, width = self._weights, self._weights.heads, self._weights.dim // self._weights.heads
        x, spans = _embedded(weights, pack)
        self._norm(x, weights.norm)
        for layer in weights.layers:
            qkv, attended = _linear(x, layer.qkv), np.empty_like(x)
            for rows, texts, length in spans:
                query, key, value = qkv[rows].reshape(texts, length, 3, heads, width).transpose(2, 0, 3, 1, 4)
                share = query @ key.swapaxes(2, 3)
                share -= share.max(-1, keepdims=True)
                np.exp(share, out=share)
                share /= share.sum(-1, keepdims=True)
                attended[rows].reshape(texts, length, heads, width).swapaxes(1, 2)[:] = share @ value
            x += _linear(attended, layer.attended)
            self._norm(x, layer.norm)
            wide = _linear(x, layer.wide)
            gelu(wide)
            x += _linear(wide, layer.narrow)
            self._norm(x, layer.last_norm)
        if weights.head:
            pooler, classifier = weights.head
            first = np.concatenate([x[rows].reshape(texts, length, -1)[:, 0] for rows, texts, length in spans])
            return _linear(np.tanh(_linear(first, pooler)), classifier)
        mean = np.concatenate([x[rows].reshape(texts, length, -1).mean(1) for rows, texts, length in spans])
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def each(self, packs: Iterable[Sequence[Group]]) -> Iterator[np.ndarray]:
        return map(self, packs)

    def _norm(self, x: np.ndarray, pair: Pair) -> None:
        x -= x.mean(1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[1])
        x /= np.sqrt(variance + np.float32(self._weights.epsilon))
        x *= pair[0]
        x += pair[1]


def _linear(x: np.ndarray, pair: Pair) -> np.ndarray:
    y = x @ pair[0].T
    y += pair[1]
    return y


def gelu(x: np.ndarray) -> None:
    """x Φ(x), in place, for a contiguous float32 array.

    >>> x = np.array([-20, -1, 0, 1, 20], np.float32)
    >>> gelu(x)
    >>> [round(float(y), 4) for y in x]
    [-0.0, -0.1587, 0.0, 0.8413, 20.0]
    """
    cells, (square, sum_) = x.reshape(-1), np.empty((2, min(x.size, _CELLS)), np.float32)
    with np.errstate(over="ignore"):
        for at in range(0, len(cells), _CELLS):
            part = cells[at:at + _CELLS]
            s, p = square[:len(part)], sum_[:len(part)]
            np.multiply(part, part, out=s)
            np.multiply(s, _GELU[0], out=p)
            p += _GELU[1]
            for c in _GELU[2:]:
                p *= s
                p += c
            p *= part
            np.exp(p, out=p)
            p += np.float32(1)
            part /= p


class TorchNetwork:
    """The same in torch. The first one imports it, which takes more than a second."""

    def __init__(self, weights: Weights) -> None:
        import torch

        def copied(pair: Pair) -> Pair:
            return torch.from_numpy(np.array(pair[0])), torch.from_numpy(np.array(pair[1]))

        self._torch, self._weights, self._first_norm = torch, weights, copied(weights.norm)
        self._threads = torch.get_num_threads()
        self._layers = [Layer(*(copied(getattr(layer, name)) for name in Layer.__slots__)) for layer in weights.layers]
        self._head = [copied(pair) for pair in weights.head]

    def __call__(self, pack: Sequence[Group]) -> np.ndarray:
        with self._torch.inference_mode():
            return self._forward(pack)

    def each(self, packs: Iterable[Sequence[Group]]) -> Iterator[np.ndarray]:
        """A thread for each processor, each with packs of its own."""
        return apart(self, packs, self._threads)

    def _forward(self, pack: Sequence[Group]) -> np.ndarray:
        torch, weights = self._torch, self._weights
        f, heads, width, shape = torch.nn.functional, weights.heads, weights.dim // weights.heads, (weights.dim,)
        vectors, spans = _embedded(weights, pack)
        x = f.layer_norm(torch.from_numpy(vectors), shape, *self._first_norm, weights.epsilon)
        for layer in self._layers:
            qkv, attended = f.linear(x, *layer.qkv), torch.empty_like(x)
            for rows, texts, length in spans:
                query, key, value = qkv[rows].view(texts, length, 3, heads, width).permute(2, 0, 3, 1, 4)
                one = f.scaled_dot_product_attention(query, key, value, scale=1.0)
                attended[rows].view(texts, length, heads, width).copy_(one.transpose(1, 2))
            x = f.layer_norm(f.linear(attended, *layer.attended).add_(x), shape, *layer.norm, weights.epsilon)
            wide = f.gelu(f.linear(x, *layer.wide))
            x = f.layer_norm(f.linear(wide, *layer.narrow).add_(x), shape, *layer.last_norm, weights.epsilon)
        if self._head:
            pooler, classifier = self._head
            first = torch.cat([x[rows].view(texts, length, -1)[:, 0] for rows, texts, length in spans])
            return f.linear(torch.tanh(f.linear(first, *pooler)), *classifier).numpy()
        mean = torch.cat([x[rows].view(texts, length, -1).mean(1) for rows, texts, length in spans])
        return f.normalize(mean, dim=1).numpy()


class Bert:
    """One of the two for the number of tokens at hand.

    :param weights: kept, with `numpy` ready and `torch` made when it is first worth its import
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.numpy: Network = NumpyNetwork(weights)

    @cached_property
    def torch(self) -> Network:
        return TorchNetwork(self.weights)

    def __call__(self, texts: Sequence[Sequence[int]]) -> np.ndarray:
        """What comes out for each text, given as token numbers: float32 ``(len(texts), weights.width)``."""
        rows = np.zeros((len(texts), self.weights.width), np.float32)
        many = sum(map(len, texts)) >= (SOME if "torch" in sys.modules else MANY)
        network = self.torch if many else self.numpy
        numbers, parts = zip(*packs(texts), strict=True) if texts else ((), ())
        for places, found in zip(numbers, network.each(parts), strict=True):
            rows[places] = found
        return rows
