"""A BERT encoder such as all-MiniLM-L6-v2, computed by ONNX Runtime: sentence vectors, or scores of classes.

The computation is a file, a dozen kilobytes without any weights; these come from the model's ``model.safetensors``, so
that training and reading share one file. `verifier.training.graph` writes such files: the one for six layers of 384
lies here, a model of another shape has its own as ``graph.onnx``.

Texts of one length go through together, so that nothing is padded and a text's result hardly hangs on its company
(1e-6); each processor takes groups of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "models" / "minilm"
"""The embedding model, from which judge and reader are made."""
SETTINGS = "kgstore"
"""The key of ``config.json`` that holds what we add to a model's configuration."""
WORDS = "embeddings.word_embeddings.weight"
SHARED = "words"
"""A setting: the words' vectors are those of the embedding model, and a file without them is whole. They are half of
all weights, and training leaves them as they are."""
GRAPH = "graph.onnx"
GROUP = 512
"""Tokens that go through the network together: more wants memory and is no faster."""
_DEFAULT = Path(__file__).with_name("minilm.onnx")
_WHOLE = Path(__file__).with_name("minilm_whole.onnx")
"""The same in whole numbers: half the time counts for more than a hundredth of a share. Vectors that are kept in KGs
are computed as those were."""
_CLASSES = Path(__file__).with_name("minilm_classes.onnx")
"""In whole numbers, too, and of the last layer only what a head of classes reads."""
_STEPS = {
    "attended": "attention.output.dense", "norm": "attention.output.LayerNorm", "wide": "intermediate.dense",
    "narrow": "output.dense", "last_norm": "output.LayerNorm",
}  # fmt: skip
"""Steps of a layer: their names in a graph, and in a folder of transformers."""
_PARTS = ("weight", "bias")
STEP = ".step"
"""Added to a tensor's name: what to multiply the rows of a matrix of integers with."""

_STEPS_OF_7 = np.float32(63)

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Vectors of words, a row each; those kept in whole numbers become fractions when they are asked for.

    :param rows: int16 or float16, ``(words, dim)``
    :param steps: what to multiply the rows of whole numbers with, float32 ``(words,)``

    >>> Table(np.array([[1, -2], [4, 0]], np.int16), np.array([0.5, 0.25], np.float32))[[1, 0, 0]].tolist()
    [[1.0, 0.0], [0.5, -1.0], [0.5, -1.0]]
    """

    rows: np.ndarray
    steps: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, numbers: Any) -> np.ndarray:
        """Float16, of the shape of the numbers and one axis more."""
        found = self.rows[numbers]
        return found if self.steps is None else (found * self.steps[numbers][..., None]).astype(np.float16)


@dataclass(frozen=True, slots=True)
class Weights:
    """What a BERT's folder holds.

    :param positions: with what marks the first text of a pair; ``second`` is the step to what marks the second
    :param layers: name in the graph -> matrix ``(in, out)`` or vector. Query, key and value are one matrix, the query's
        part divided by the square root of a head's width
    :param head: the pooler and the classifier, ``(in, out)`` and bias each; empty where a text's vector is wanted
    """

    words: Table
    positions: np.ndarray
    second: np.ndarray
    layers: dict[str, np.ndarray]
    head: tuple[Pair, ...] = ()

    @property
    def dim(self) -> int:
        return self.words.rows.shape[1]

    @property
    def width(self) -> int:
        """Of what comes out for a text."""
        return len(self.head[-1][1]) if self.head else self.dim


def read_weights(folder: Path) -> Weights:
    """A BERT from ``config.json`` and ``model.safetensors``, with its head if it is one that tells classes.

    :raises KeyError: if it is no BERT with GELU and absolute positions
    """
    from safetensors import safe_open

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if (config["model_type"], config["hidden_act"]) != ("bert", "gelu"):
        raise KeyError(f"a {config['model_type']} with {config['hidden_act']} is no BERT with GELU")
    shared = config.get(SETTINGS, {}).get(SHARED) == FOLDER.name
    scale = np.float32((config["hidden_size"] / config["num_attention_heads"]) ** -0.5)
    with safe_open(str(folder / "model.safetensors"), "numpy") as tensors:
        names = set(tensors.keys())
        root = "bert." if "classifier.weight" in names else ""

        def read(name: str) -> np.ndarray:
            found = tensors.get_tensor(name).astype(np.float32, copy=False)
            return found * tensors.get_tensor(name + STEP)[:, None] if name + STEP in names else found

        def pair(name: str) -> Pair:
            return np.ascontiguousarray(read(f"{name}.weight").T), read(f"{name}.bias")

        found = {"first_norm": pair(f"{root}embeddings.LayerNorm")}
        for number in range(config["num_hidden_layers"]):
            at = f"{root}encoder.layer.{number}."
            query, key, value = (pair(f"{at}attention.self.{part}") for part in ("query", "key", "value"))
            weight, bias = (
                np.concatenate([q * scale, k, v], -1) for q, k, v in zip(query, key, value, strict=True)
            )
            found[f"{number}.qkv"] = weight, bias
            found |= {f"{number}.{step}": pair(at + name) for step, name in _STEPS.items()}
        types = read(f"{root}embeddings.token_type_embeddings.weight")
        return Weights(
            words=shared_words() if shared else _table(tensors, root + WORDS),
            positions=read(f"{root}embeddings.position_embeddings.weight") + types[0],
            second=types[-1] - types[0],
            layers={f"{name}.{part}": both[at] for name, both in found.items() for at, part in enumerate(_PARTS)},
            head=(pair("bert.pooler.dense"), pair("classifier")) if root else (),
        )


@cache
def shared_words() -> Table:
    """The words' vectors of the embedding model."""
    from safetensors import safe_open

    with safe_open(str(FOLDER / "model.safetensors"), "numpy") as tensors:
        return _table(tensors, WORDS)


def _table(tensors: Any, name: str) -> Table:
    rows = tensors.get_tensor(name)
    if name + STEP in tensors.keys():  # noqa: SIM118  it is no dictionary
        return Table(rows, tensors.get_tensor(name + STEP))
    return Table(rows.astype(np.float16, copy=False))


class Bert:
    """A model of a folder.

    :param rough: multiply whole numbers, also where vectors are wanted
    :param weights: those of the folder, where they have been read
    :raises Exception: of several kinds, if a file is absent or no such model
    """

    def __init__(self, folder: Path, rough: bool = False, weights: Weights | None = None) -> None:
        import onnxruntime as ort

        self.weights = weights = weights or read_weights(folder)
        own = folder / GRAPH
        graph = own if own.is_file() else _CLASSES if weights.head else _WHOLE if rough else _DEFAULT
        layers = whole(weights.layers) if graph in (_WHOLE, _CLASSES) else weights.layers
        values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in layers.items()}
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1  # threads that share one product wait for each other at every step
        options.add_external_initializers(list(values), list(values.values()))
        self._session = ort.InferenceSession(str(graph), options)

    def __call__(self, texts: Sequence[Sequence[int]]) -> np.ndarray:
        """A row for each text, given as token numbers: a vector of length 1, or a score (logit) for each class.

        :param texts: a token of the second text of a pair has the size of the vocabulary added to its number
        :returns: float32 ``(len(texts), weights.width)``
        """
        rows = np.zeros((len(texts), self.weights.width), np.float32)
        groups = list(grouped(texts))

        def run(numbers: list[int]) -> None:
            rows[numbers] = self._run(np.array([texts[number] for number in numbers]))

        workers = min(threads(), len(groups))
        if workers < 2:
            list(map(run, groups))
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(run, groups))
        return rows

    def _run(self, group: np.ndarray) -> np.ndarray:
        weights = self.weights
        second, word = np.divmod(group, len(weights.words))
        vectors = weights.words[word] + weights.positions[: group.shape[1]]
        vectors += second[:, :, None].astype(np.float32) * weights.second
        (read,) = self._session.run(None, {"x": vectors})
        if not weights.head:
            mean = read.mean(1)
            return mean / np.linalg.norm(mean, axis=1, keepdims=True)
        pooler, classifier = weights.head
        return np.tanh(read[:, 0] @ pooler[0] + pooler[1]) @ classifier[0] + classifier[1]


def whole(layers: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Matrices in whole numbers of 7 bits, with the step of each column.

    >>> some = whole({"a.weight": np.array([[0.63, 1.0], [-0.31, 0.2]], np.float32), "a.bias": np.zeros(2)})
    >>> some["a.weight"].tolist(), sorted(some), [f"{step:.4f}" for step in some["a.step"]]
    ([[63, 63], [-31, 13]], ['a.bias', 'a.step', 'a.weight'], ['0.0100', '0.0159'])
    """
    found = dict(layers)
    for name, matrix in layers.items():
        if matrix.ndim == 2:
            step = np.maximum(np.abs(matrix).max(0) / _STEPS_OF_7, np.finfo(np.float32).tiny).astype(np.float32)
            found[name] = np.round(matrix / step).astype(np.int8)
            found[name.removesuffix("weight") + "step"] = step
    return found


def grouped(texts: Sequence[Sequence[int]], tokens: int = GROUP) -> Iterator[list[int]]:
    """Numbers of texts of one length, in groups of at most so many tokens, shortest first.

    >>> list(grouped([[1, 9], [1, 5, 9], [1, 9], [1, 2], []], tokens=4))
    [[0, 2], [3], [1]]
    """
    order = sorted((number for number, text in enumerate(texts) if len(text)), key=lambda number: len(texts[number]))
    for length, same in groupby(order, key=lambda number: len(texts[number])):
        numbers, most = list(same), max(1, tokens // length)
        yield from (numbers[at : at + most] for at in range(0, len(numbers), most))


def threads() -> int:
    """Processors that a process may use: those that it runs on, or fewer where ``OMP_NUM_THREADS`` says so."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(int(said), here)) if said.isdigit() else here
