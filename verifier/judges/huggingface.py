"""Any sequence-classification folder of Hugging Face as a judge. No download, no pickle, no code from the folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import clean, offline
from kgstore.errors import ModelMissing
from kgstore.verifier.judges.labels import ENTAILS, LABELS, NEUTRAL, places, probabilities
from kgstore.verifier.judges.premise import fitted

_LONGEST = 512
"""Tokens of a pair, where the model itself allows more."""
_PACK = 4096
"""Tokens that go through the network together."""


class HuggingFaceJudge:
    """A model with three classes, with two, or with one score, by the names that its ``config.json`` gives them.

    - three classes: entailment, neutral and contradiction, or words like these, in any order
    - two classes: whatever is "not" one of these counts as neutral; entailment against contradiction leaves no neutral
    - one score: its sigmoid is P(entails), the rest P(neutral); a score cannot tell contradiction from silence

    :raises ModelMissing: if the folder holds no such model, or holds its weights as a pickle only
    :raises InputError: if the names of its classes do not tell what they mean
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder = Path(folder)
        if not (folder / "config.json").is_file():
            raise ModelMissing("a judge", folder / "config.json", "name another folder, or use `--judge none`")
        if not any(folder.glob("*.safetensors")):
            pickled = " (pickled weights are not opened, they can run code)" if any(folder.glob("*.bin")) else ""
            raise ModelMissing(
                f"a judge's weights{pickled}", folder / "model.safetensors", "save the model with safetensors"
            )
        offline()
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(str(folder), **local)
            self._model, told = AutoModelForSequenceClassification.from_pretrained(
                str(folder), use_safetensors=True, dtype=torch.float32, output_loading_info=True, **local
            )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise ModelMissing(f"a judge ({reason})", folder, "name another folder") from None
        if told["missing_keys"]:
            raise ModelMissing(f"the judge's {', '.join(sorted(told['missing_keys']))}", folder, "name another folder")
        self._model.eval()
        config = self._model.config
        self._one = config.num_labels == 1
        self._places = _SCORE if self._one else places([config.id2label[at] for at in range(config.num_labels)])
        positions = getattr(config, "max_position_embeddings", None) or _LONGEST + 2
        self._most = min(_LONGEST, self._tokenizer.model_max_length, positions - 2)  # some begin to count at 2

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """P(entails), P(neutral), P(contradicts) of each pair, float32 ``(n, 3)``; the same alone and in a batch."""
        inputs = [self._input(clean(premise), clean(hypothesis)) for premise, hypothesis in pairs]
        rows = np.zeros((len(pairs), len(LABELS)), np.float32)
        for numbers in _alike([len(one["input_ids"]) for one in inputs]):
            logits = self._logits([inputs[number] for number in numbers])
            if self._one:
                logits = np.concatenate([logits, np.zeros_like(logits)], axis=1)  # a sigmoid is a softmax against 0
            rows[numbers] = probabilities(logits, self._places)
        return rows

    def _input(self, premise: str, hypothesis: str) -> dict[str, list[int]]:
        room = self._most - len(self._tokenizer("", hypothesis)["input_ids"])
        if room < 0:
            hypothesis, room = self._shortened(hypothesis), 0
        premise = fitted(premise, hypothesis, self._count, room)
        found = self._tokenizer(premise, hypothesis, truncation="do_not_truncate")
        if len(found["input_ids"]) > self._most:
            found = self._tokenizer(premise, hypothesis, truncation="longest_first", max_length=self._most)
        return dict(found)

    def _shortened(self, hypothesis: str) -> str:
        around = len(self._tokenizer("", "")["input_ids"])
        return fitted(hypothesis, "", self._count, max(1, self._most - around))

    def _count(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _logits(self, inputs: list[dict[str, list[int]]]) -> np.ndarray:
        import torch

        with torch.inference_mode():
            tensors = {name: torch.tensor([one[name] for one in inputs]) for name in inputs[0]}
            return self._model(**tensors).logits.float().numpy()


_SCORE = np.eye(len(LABELS), dtype=np.float32)[[ENTAILS, NEUTRAL]]


def _alike(lengths: list[int]) -> Iterator[list[int]]:
    """Numbers of inputs of one length, a few thousand tokens at a time, so that nothing is padded."""
    by: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by.setdefault(length, []).append(number)
    for length, numbers in by.items():
        step = max(1, _PACK // max(1, length))
        for at in range(0, len(numbers), step):
            yield numbers[at : at + step]
