"""Training a cross-encoder: a BERT reads premise and hypothesis together and says how the one bears on the other.

Rows of a batch have about the same length, so that little is padded; the table of words stays as it is, which halves
what the optimiser has to do and keeps words that training never saw where the sentence model put them.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from tokenizers import Tokenizer
from torch.nn.functional import log_softmax
from transformers import BertConfig, BertForSequenceClassification
from transformers.utils import logging as transformers_log

from kgstore.bert import FOLDER, GRAPH, SETTINGS, SHARED, WORDS, shared_words
from kgstore.verifier.judges.premise import fitted
from kgstore.verifier.training import forward
from kgstore.verifier.training.pairs import LABELS, Pair

MAX_TOKENS = 160
_WINDOW = 64
"""Batches that are sorted by length together."""
_FOLLOWED = 4
"""Steps from one to the next of those that the mean of the weights follows."""
_SAME = 1e-3
"""Words' vectors that are no further apart than rounding to 16 bits makes them are those of the embedding model."""

Row = tuple[list[int], list[int], tuple[int, ...]]
"""Tokens, token types, allowed classes."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    :param rate: highest learning rate; it rises over the first ``warm`` of the steps and falls to 0
    :param follow: what is kept is a moving mean of the weights, which at each fourth step goes this share of the way to
        them (0 to 1; 0: the last weights are kept)
    """

    epochs: float = 2
    rate: float = 1e-4
    batch: int = 32
    warm: float = 0.06
    seed: int = 13
    max_tokens: int = MAX_TOKENS
    follow: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where training stands; ``loss`` is the mean over the last steps, in nats."""

    step: int
    steps: int
    loss: float
    pairs_per_second: float


def load(folder: Path) -> tuple[BertForSequenceClassification, Tokenizer]:
    """A BERT from a folder, with a new head of three classes where it has none."""
    transformers_log.set_verbosity_error()  # a new head is no news
    transformers_log.disable_progress_bar()
    config = BertConfig.from_pretrained(folder, local_files_only=True, num_labels=len(LABELS))
    config.id2label = dict(enumerate(LABELS))
    config.label2id = {label: number for number, label in enumerate(LABELS)}
    model = BertForSequenceClassification.from_pretrained(
        folder, config=config, local_files_only=True, use_safetensors=True, dtype=torch.float32
    )
    with safe_open(str(folder / "model.safetensors"), "pt") as stored:
        if not any(name.endswith(WORDS) for name in stored.keys()):  # noqa: SIM118
            model.bert.embeddings.word_embeddings.weight.data = torch.from_numpy(shared_words()[:].astype("float32"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return model, tokenizer


def encoded(pairs: Sequence[Pair], tokenizer: Tokenizer, max_tokens: int) -> list[Row]:
    """Rows as the judge reads them: the premise is fitted, the hypothesis is whole."""

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    rows = []
    for pair in pairs:
        premise = fitted(pair.premise, pair.hypothesis, count, max_tokens - 3 - count(pair.hypothesis))
        one = tokenizer.encode(premise, pair.hypothesis)
        cut = max(0, len(one.ids) - max_tokens)
        end = len(one.ids) - sum(one.type_ids) - 1  # the [SEP] behind the premise
        keep = [*range(max(1, end - cut)), *range(end, len(one.ids))]
        rows.append(([one.ids[i] for i in keep], [one.type_ids[i] for i in keep], pair.allowed))
    return rows


def batches(rows: Sequence[Row], size: int, chance: random.Random | None = None) -> Iterator[list[int]]:
    """Numbers of rows of about the same length; in a new random order where there is chance."""
    order = list(range(len(rows)))
    if chance is None:
        order.sort(key=lambda i: len(rows[i][0]))
        yield from (order[at : at + size] for at in range(0, len(order), size))
        return
    chance.shuffle(order)
    for at in range(0, len(order), size * _WINDOW):
        window = sorted(order[at : at + size * _WINDOW], key=lambda i: len(rows[i][0]))
        some = [window[i : i + size] for i in range(0, len(window), size)]
        chance.shuffle(some)
        yield from some


def tensors(rows: Sequence[Row]) -> dict[str, torch.Tensor]:
    """Padded at the right."""
    longest = max(len(ids) for ids, _, _ in rows)
    ids, types, mask = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(3))
    for row, (tokens, kinds, _) in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        types[row, : len(kinds)] = torch.tensor(kinds)
        mask[row, : len(tokens)] = 1
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def loss_of(logits: torch.Tensor, allowed: Sequence[tuple[int, ...]]) -> torch.Tensor:
    """Mean of -log P(one of the allowed classes)."""
    barred = [[0.0 if one in classes else -math.inf for one in range(logits.shape[-1])] for classes in allowed]
    return -torch.logsumexp(log_softmax(logits, -1) + torch.tensor(barred, device=logits.device), -1).mean()


def train(
    model: BertForSequenceClassification,
    rows: Sequence[Row],
    recipe: Recipe,
    report: Callable[[Progress], None] = lambda _: None,
) -> None:
    """Change the weights so that the model answers as the rows do; the same seed on one machine gives the same. A CUDA
    GPU is taken where there is one."""
    torch.manual_seed(recipe.seed)
    chance = random.Random(recipe.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.nn.Module.to(model.train(), device)
    model.bert.embeddings.word_embeddings.requires_grad_(False)
    decayed = [p for p in model.parameters() if p.requires_grad and p.dim() > 1]
    plain = [p for p in model.parameters() if p.requires_grad and p.dim() == 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], recipe.rate, fused=True
    )
    steps = max(1, round(recipe.epochs * len(rows) / recipe.batch))

    def rate(step: int) -> float:
        warm = max(1, round(recipe.warm * steps))
        return min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    # a processor with AVX2 only takes ten times as long for bfloat16
    half = device == "cuda" or torch.backends.cpu.get_cpu_capability() != "AVX2"
    mean, started = math.log(len(LABELS)), time.monotonic()
    learnt = decayed + plain
    kept = [one.detach().clone() for one in learnt]
    for step, numbers in enumerate(_endless(rows, recipe.batch, chance)):
        if step == steps:
            break
        some = [rows[i] for i in numbers]
        with torch.autocast(device, torch.bfloat16, enabled=half):
            told = forward.logits(model, {name: value.to(device) for name, value in tensors(some).items()})
        loss = loss_of(told.float(), [allowed for _, _, allowed in some])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        schedule.step()
        if recipe.follow and step % _FOLLOWED == _FOLLOWED - 1:
            torch._foreach_lerp_(kept, [one.detach() for one in learnt], recipe.follow)
        mean += 0.01 * (float(loss.detach()) - mean)
        if step % 50 == 49 or step + 1 == steps:
            speed = (step + 1) * recipe.batch / (time.monotonic() - started)
            report(Progress(step + 1, steps, mean, speed))
    if recipe.follow:
        with torch.no_grad():
            for one, value in zip(learnt, kept, strict=True):
                one.copy_(value)
    torch.nn.Module.to(model, "cpu")


def _endless(rows: Sequence[Row], size: int, chance: random.Random) -> Iterator[list[int]]:
    while True:
        yield from batches(rows, size, chance)


def logits_of(model: BertForSequenceClassification, rows: Sequence[Row]) -> np.ndarray:
    """Float32 ``(len(rows), 3)``, before any softmax."""
    model.eval()
    found = np.zeros((len(rows), len(LABELS)), np.float32)
    with torch.inference_mode():
        for numbers in batches(rows, 64):
            found[numbers] = forward.logits(model, tensors([rows[i] for i in numbers])).float().numpy()
    return found


def temperature(logits: np.ndarray, allowed: Sequence[tuple[int, ...]]) -> float:
    """What to divide the logits by so that the probabilities are as good as they can be (least log loss); Guo et al.,
    "On Calibration of Modern Neural Networks", 2017."""
    data = torch.from_numpy(logits)
    tried = np.geomspace(0.5, 4, 85)
    return float(min(tried, key=lambda t: float(loss_of(data / float(t), allowed))))


def save(model: BertForSequenceClassification, tokenizer: Tokenizer, folder: Path, **ours: Any) -> None:
    """Write ``config.json``, ``model.safetensors`` (fp16) and ``tokenizer.json``, so that transformers reads it, too.

    A model that is no MiniLM of six layers gets its graph for ONNX Runtime beside them.

    :param ours: what the judge needs to know besides, put under ``kgstore`` in the configuration
    """
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.detach().half().contiguous() for name, value in model.state_dict().items()}
    save_file(weights, str(folder / "model.safetensors"), {"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))
    config = json.loads(model.config.to_json_string(use_diff=False))
    keep = (
        "model_type", "architectures", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
        "hidden_act", "layer_norm_eps", "max_position_embeddings", "type_vocab_size", "vocab_size", "id2label",
        "label2id", "pad_token_id", "hidden_dropout_prob", "attention_probs_dropout_prob",
    )  # fmt: skip
    small = {name: config[name] for name in keep if name in config}
    words, shared = model.bert.embeddings.word_embeddings.weight.detach().numpy(), shared_words()[:]
    if words.shape == shared.shape and np.abs(words - shared).max() < _SAME:
        ours[SHARED] = FOLDER.name
    small |= {"architectures": ["BertForSequenceClassification"], "dtype": "float16", SETTINGS: ours}
    (folder / "config.json").write_text(json.dumps(small, indent=1) + "\n", encoding="utf-8")
    _draw(model.config, folder)


def _draw(config: BertConfig, folder: Path) -> None:
    """The graph of a model of an unusual shape."""
    from kgstore.verifier.training.graph import Shape, write

    shape = Shape(
        config.num_hidden_layers, config.hidden_size, config.num_attention_heads, config.intermediate_size,
        config.layer_norm_eps,
    )  # fmt: skip
    if shape != Shape():
        write(folder / GRAPH, shape)
