"""The judge that comes with kgstore: a small BERT that reads premise and hypothesis together."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from kgstore.bert import Bert
from kgstore.embedding import SETTINGS, clean, fingerprint
from kgstore.errors import ModelMissing
from kgstore.verifier.judges.labels import LABELS, places, probabilities
from kgstore.verifier.judges.premise import fitted
from kgstore.wordpiece import WordPiece

_log = logging.getLogger(__name__)
FOLDER = Path(__file__).parents[1] / "models" / "judge"
FILES = ("config.json", "model.safetensors", "tokenizer.json")
_AROUND = 3
"""Tokens that mark the beginning and the two ends of a pair."""


class NativeJudge:
    """A BERT for sequence classification that `kgstore train-judge` made; needs neither torch nor transformers.

    :param folder: ``config.json``, ``model.safetensors`` and ``tokenizer.json``; by default those that come along
    :raises ModelMissing: if a file is absent, or of another kind
    """

    two_steps: bool
    """Did a relation reader learn statements of two steps ("The place of death of the spouse of A is B.")?"""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = Path(folder)
        for name in FILES:
            if not (self.folder / name).is_file():
                raise ModelMissing("the judge", self.folder / name, "name another folder, or use `--judge none`")
        try:
            config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
            settings = config[SETTINGS]
            self._temperature = np.float32(settings["temperature"])
            self._most = int(settings["max_tokens"])
            self.two_steps = bool(settings.get("two_steps", False))
            self._bert = Bert(self.folder)
            self._places = places([config["id2label"][str(at)] for at in range(self._bert.weights.width)])
            self._tokens = WordPiece(self.folder / "tokenizer.json")
        except Exception as error:  # of many kinds
            raise ModelMissing(f"a judge ({error!r})", self.folder, "name another folder") from None
        _log.debug("opened the model in %s", self.folder)

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same weights, whatever their path."""
        return fingerprint(self.folder)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """P(entails), P(neutral), P(contradicts) of each pair, float32 ``(n, 3)``; the same alone and in a batch.

        A premise that is too long is shortened, a hypothesis only where the network has no place for it.
        """
        rows = np.zeros((len(pairs), len(LABELS)), np.float32)
        if pairs:
            numbers = [self._numbers(clean(premise), clean(hypothesis)) for premise, hypothesis in pairs]
            rows[:] = probabilities(self._bert(numbers) / self._temperature, self._places)
        return rows

    def _numbers(self, premise: str, hypothesis: str) -> list[int]:
        longest = len(self._bert.weights.positions) - _AROUND
        second = self._tokens(hypothesis)[:longest]
        room = max(0, min(self._most - _AROUND, longest) - len(second))
        first = self._tokens(fitted(premise, hypothesis, lambda text: len(self._tokens(text)), room))
        behind = len(self._bert.weights.words)  # marks the second text
        begin, end = self._tokens.begin, self._tokens.end
        return [begin, *first[:room], end, *(number + behind for number in (*second, end))]
