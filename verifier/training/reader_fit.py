"""Training the relation reader: one pass reads a sentence with two marked places and a handful of relations."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import BertConfig, BertForSequenceClassification
from transformers.utils import logging as transformers_log

from verifier.read.asking import Encoder, Question
from verifier.training.reader_names import Names
from verifier.training.reader_rows import Row

_WINDOW = 48
"""Batches that are sorted by length together."""
_SAVED = 200
"""Steps between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """:param rate: highest learning rate; it rises over the first ``warm`` of the steps and falls to 0"""

    steps: int = 1000
    rate: float = 1e-4
    batch: int = 32
    warm: float = 0.05
    seed: int = 13


@dataclass(frozen=True, slots=True)
class Progress:
    """Where training stands; ``loss`` is the mean over the last steps, in nats a relation."""

    step: int
    steps: int
    loss: float
    rows_per_second: float


def load(folder: Path) -> BertForSequenceClassification:
    """A BERT with a head of one score; a new head where it has another one."""
    transformers_log.set_verbosity_error()
    transformers_log.disable_progress_bar()
    config = BertConfig.from_pretrained(folder, local_files_only=True, num_labels=1)
    return BertForSequenceClassification.from_pretrained(
        folder, config=config, local_files_only=True, use_safetensors=True, attn_implementation="sdpa",
        dtype=torch.float32, ignore_mismatched_sizes=True,
    )  # fmt: skip


def scores(model: BertForSequenceClassification, some: Sequence[tuple[list[int], list[int]]], end: int) -> torch.Tensor:
    """Logits of all relations of some encoded questions, one after the other."""
    longest = max(len(first) + len(second) for first, second in some)
    ids, types, mask = (torch.zeros(len(some), longest, dtype=torch.long) for _ in range(3))
    for row, (first, second) in enumerate(some):
        both = len(first) + len(second)
        ids[row, :both] = torch.tensor([*first, *second])
        types[row, len(first):both] = 1
        mask[row, :both] = 1
    hidden = model.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
    at = hidden[(ids == end) & (types == 1)]
    return model.classifier(torch.tanh(model.bert.pooler.dense(at)))[:, 0]


def train(
    model: BertForSequenceClassification,
    rows: Sequence[Row],
    names: Names,
    encoder: Encoder,
    recipe: Recipe,
    work: Path,
    report: Callable[[Progress], None] = lambda _: None,
) -> None:
    """Change the model's weights so that it answers as the rows do.

    :param work: a checkpoint is written to it every 200 steps, and training goes on from there
    """
    chance = random.Random(recipe.seed)
    torch.manual_seed(recipe.seed)
    model.train()
    model.bert.embeddings.word_embeddings.requires_grad_(False)
    learnt = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in learnt if p.dim() > 1], "weight_decay": 0.01},
        {"params": [p for p in learnt if p.dim() == 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, recipe.rate, fused=True)
    state, first, mean = work / "checkpoint.pt", 0, math.log(2)
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        first = saved["step"]
    half = torch.backends.cpu.get_cpu_capability() != "AVX2"  # which takes ten times as long for bfloat16
    started, batches = time.monotonic(), _batches(rows, names, encoder, recipe.batch, chance)
    for step in range(recipe.steps):
        some, asked = next(batches)
        if step < first:
            continue
        warm = max(1, round(recipe.warm * recipe.steps))
        rate = min((step + 1) / warm, (recipe.steps - step) / max(1, recipe.steps - warm))
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * rate
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            logits = scores(model, some, encoder.end)
        loss = binary_cross_entropy_with_logits(logits.float(), torch.tensor(asked, dtype=torch.float32))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        mean += 0.02 * (float(loss.detach()) - mean)
        if step % 50 == 49 or step + 1 == recipe.steps:
            speed = (step + 1 - first) * recipe.batch / (time.monotonic() - started)
            report(Progress(step + 1, recipe.steps, mean, speed))
        if step % _SAVED == _SAVED - 1:
            torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step + 1}, state)


def _batches(rows: Sequence[Row], names: Names, encoder: Encoder, size: int, chance: random.Random):
    """Encoded questions of about one length and their answers, for ever."""
    while True:
        order = list(range(len(rows)))
        chance.shuffle(order)
        for at in range(0, len(order) - size, size * _WINDOW):
            made = []
            for number in order[at : at + size * _WINDOW]:
                row = rows[number]
                asked = names.asked(row, chance)
                shown = tuple(names.shown(label, chance) for label, _ in asked)
                made.append((encoder.encode(Question(row.text, row.head, row.tail, shown)), [yes for _, yes in asked]))
            made.sort(key=lambda one: len(one[0][0]))
            batches = [made[i : i + size] for i in range(0, len(made), size)]
            chance.shuffle(batches)
            for batch in batches:
                yield [one for one, _ in batch], [float(yes) for _, answers in batch for yes in answers]


def answers(model: BertForSequenceClassification, encoder: Encoder, asked: Sequence[Question]) -> list[np.ndarray]:
    """Logits of the relations of each question."""
    model.eval()
    made = [encoder.encode(one) for one in asked]
    order = sorted(range(len(made)), key=lambda i: len(made[i][0]))
    found: list[np.ndarray] = [np.zeros(0)] * len(made)
    with torch.inference_mode():
        for at in range(0, len(order), 64):
            numbers = order[at : at + 64]
            logits = scores(model, [made[i] for i in numbers], encoder.end).float().numpy()
            parts = np.split(logits, np.cumsum([len(asked[i].relations) for i in numbers])[:-1])
            for i, part in zip(numbers, parts, strict=True):
                found[i] = part
    return found


def save(model: BertForSequenceClassification, tokenizer: Any, folder: Path, recipe: Recipe, **ours: Any) -> None:
    """Write ``config.json``, ``model.safetensors`` (fp16) and ``tokenizer.json``."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.detach().half().contiguous() for name, value in model.state_dict().items()}
    save_file(weights, str(folder / "model.safetensors"), {"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))
    config = json.loads(model.config.to_json_string(use_diff=False))
    keep = (
        "model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
        "layer_norm_eps", "max_position_embeddings", "type_vocab_size", "vocab_size", "pad_token_id",
        "hidden_dropout_prob", "attention_probs_dropout_prob",
    )  # fmt: skip
    small = {name: config[name] for name in keep if name in config}
    small |= {"architectures": ["BertForSequenceClassification"], "dtype": "float16", "id2label": {"0": "asserted"}}
    small |= {"label2id": {"asserted": 0}, "kgstore_reader": {"recipe": asdict(recipe), **ours}}
    (folder / "config.json").write_text(json.dumps(small, indent=1) + "\n", encoding="utf-8")
