"""The relation reader: does this sentence assert this relation between these two of its places?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np

from kgstore.embedding import fingerprint
from kgstore.errors import ModelMissing
from kgstore.minilm import Bert, read_weights
from verifier.read.asking import Encoder, Question

FOLDER = Path(__file__).parents[1] / "models" / "reader"
FILES = ("config.json", "model.safetensors", "tokenizer.json")
SETTINGS = "kgstore_reader"


class Reader(Protocol):
    """Reads sentences for relations that it knows by their names alone."""

    def read(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """P(the sentence asserts it) for each relation of each question, float32; a relation's depends on the others
        of its question, which compete with it."""


class NativeReader:
    """A BERT that `kgstore train-reader` made; needs neither torch nor transformers.

    :param folder: ``config.json``, ``model.safetensors`` and ``tokenizer.json``; by default those that come along
    :raises ModelMissing: if a file is absent, or of another kind
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = Path(folder)
        for name in FILES:
            if not (self.folder / name).is_file():
                raise ModelMissing("the reader", self.folder / name, "name another folder, or use `--reader none`")
        try:
            config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
            self._temperature = np.float32(config[SETTINGS].get("temperature", 1.0))
            self.encoder = Encoder(self.folder / "tokenizer.json")
            self._bert = Bert(read_weights(self.folder, mark=self.encoder.end))
        except Exception as error:  # the tokenizer raises nothing narrower
            raise ModelMissing(f"a reader ({error!r})", self.folder, "name another folder") from None

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same weights, whatever their path."""
        return fingerprint(self.folder)

    def read(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """See `Reader.read`. The same alone and in a batch."""
        if not questions:
            return []
        behind = len(self._bert.weights.words)  # marks the second text
        texts = []
        for one in questions:
            first, second = self.encoder.encode(one)
            texts.append([*first, *(number + behind for number in second)])
        return [1 / (1 + np.exp(-found[:, 0] / self._temperature)) for found in self._bert.marked(texts)]
