"""Six other ways to tell wrong answers: what the model's own probabilities say, and how the answer fits the question.

Source: GGA, appendix B. The tokens are those that PRD and SAS are taken of. Each score is put on the risk side and
given a threshold by the training rows: logistic regression on one number (B.3.3) orders as the number does, so that
is all it can learn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgstore.embedding import Embedder
from kgstore.verifier.grounding.answers import named
from kgstore.verifier.grounding.measure import Row
from kgstore.verifier.grounding.rates import best_threshold
from kgstore.verifier.measure.metrics import roc_auc
from kgstore.verifier.protocols import Judge

CONFIDENCE, CONSISTENCY = "model-internal confidence", "semantic consistency"
_MOST_PERPLEXED = 10_000.0
_CONTRADICTS = 2


@dataclass(frozen=True, slots=True)
class Baseline:
    """
    :param scores: float64, one a row
    """

    name: str
    category: str
    scores: np.ndarray


@dataclass(frozen=True, slots=True)
class Fitted:
    """Which way a score points, and from where on it means a wrong answer.

    :param sign: 1 if a high score is a risk, -1 if a low one is
    :param threshold: of the score times ``sign``
    """

    sign: int
    threshold: float


def fit(scores: np.ndarray, wrong: np.ndarray) -> Fitted:
    """Learn both from training rows.

    >>> fit(np.array([0.1, 0.2, 0.8, 0.9]), np.array([True, True, False, False])).sign
    -1
    """
    auc = roc_auc(scores[wrong], scores[~wrong])
    sign = -1 if auc is not None and auc < 0.5 else 1
    return Fitted(sign, best_threshold(sign * scores, wrong))


def baselines(rows: Sequence[Row], embedder: Embedder, judge: Judge | None) -> list[Baseline]:
    """The scores of all rows. The two that the paper clips are there without clipping, too, which leaves fewer ties.

    :param embedder: in place of BERTScore's model, as the paper does where that is absent
    :param judge: without one the sixth baseline is missing
    """
    chosen = [_answer(row, "chosen") for row in rows]
    highest = [_answer(row, "highest") for row in rows]
    mean = np.array([one.mean() for one in highest])
    most = np.array([one.max() for one in highest])
    found = [
        Baseline("perplexity", CONFIDENCE, np.array([log_perplexity(one) for one in chosen])),
        Baseline("token confidence", CONFIDENCE, np.clip(mean, 0.2, 0.95)),
        Baseline("max token probability", CONFIDENCE, np.clip(most, 0.4, 0.95)),
        Baseline("token confidence, not clipped", CONFIDENCE, mean),
        Baseline("max token probability, not clipped", CONFIDENCE, most),
    ]
    asked, said = ([row["question"] for row in rows], [_said(row) for row in rows])
    questions, answers = embedder.embed(asked), embedder.embed(said)
    likeness = (1 + (questions * answers).sum(axis=1, dtype=np.float64)) / 2
    apart = np.array([divergence(q, a) for q, a in zip(questions, answers, strict=True)])
    found.append(Baseline("embedding similarity", CONSISTENCY, likeness))
    found.append(Baseline("embedding divergence", CONSISTENCY, apart))
    if judge is not None:
        contradicted = judge.judge(list(zip(asked, said, strict=True)))[:, _CONTRADICTS]
        found.append(Baseline("NLI contradiction", CONSISTENCY, contradicted.astype(np.float64)))
    return found


def log_perplexity(chosen: np.ndarray) -> float:
    """Logarithm of the perplexity of tokens of these probabilities, perplexity at most 10,000.

    >>> round(log_perplexity(np.array([0.5, 0.125])), 4) == round(float(np.log(4)), 4)
    True
    """
    return float(np.clip(-np.log(np.clip(chosen, 1e-12, 1.0)).mean(), 0.0, np.log(_MOST_PERPLEXED)))


def divergence(one: np.ndarray, other: np.ndarray) -> float:
    """Embedding divergence (B.2.2), 0 for equal vectors: 0.4 cosine + 0.2 Euclid + 0.2 angle + 0.2 Jensen-Shannon.

    :param one: ``(d,)``
    """
    one, other = one.astype(np.float64), other.astype(np.float64)
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    cosine = float(np.clip(one @ other / lengths, -1.0, 1.0)) if lengths > 0 else 0.0
    distance = min(float(np.linalg.norm(one - other)) / (2 * np.sqrt(len(one))), 1.0)
    p, q = _softmax(one), _softmax(other)
    middle = (p + q) / 2
    shannon = float(((p * np.log(p / middle)).sum() + (q * np.log(q / middle)).sum()) / 2)
    return 0.4 * (1 - cosine) + 0.2 * distance + 0.2 * float(np.arccos(cosine)) / np.pi + 0.2 * shannon


def _answer(row: Row, name: str) -> np.ndarray:
    return np.array(row[name][row["begin"] :], dtype=np.float64)


def _said(row: Mapping[str, str]) -> str:
    return ", ".join(named(row["output"])) or row["output"]


def _softmax(vector: np.ndarray) -> np.ndarray:
    powers = np.exp(vector - vector.max())
    return powers / powers.sum()
