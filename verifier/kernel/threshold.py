"""A threshold where nobody has labelled anything; the paper tunes one for each data set on its labels.

Two ways, both over the similarities of texts that are to be told apart:

- a mixture: two normal distributions are fitted, and the threshold is where the upper one becomes the likelier of the
  two, both taken as equally common (so that rare errors are not outvoted)
- a null distribution: one fact of each claim graph is made wrong on purpose, and the threshold is what nine in ten of
  these wrong graphs stay below
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from kgstore.embedding import Embedder
from kgstore.verifier.kernel.compare import DEFAULT, Setting, likeness
from kgstore.verifier.kernel.graphs import Triple

SHARE = 0.9
"""Of the wrong graphs, how many the threshold flags."""
SAMPLE = 200
"""Graphs that are made wrong, spread evenly over all."""
SEED = 0
_NARROWEST = 0.03
"""Least standard deviation of a component: scores of exactly 1 are many, and would draw one to themselves."""
_ROUNDS = 500


def mixture_threshold(scores: Sequence[float]) -> float | None:
    """From the scores alone; None where they are too few (below 10), or all about the same.

    >>> round(mixture_threshold([0.2, 0.25, 0.3, 0.22, 0.28, 0.9, 0.95, 0.92, 1.0, 0.97]), 2)
    0.61
    """
    values = np.asarray(scores, dtype=float)
    if len(values) < 10 or values.std() < _NARROWEST:
        return None
    means = np.quantile(values, (0.25, 0.75))
    if means[0] == means[1]:
        means = np.array([values.min(), values.max()])
    spreads, shares = np.full(2, values.std()), np.full(2, 0.5)
    for _ in range(_ROUNDS):
        parts = shares * _density(values, means, spreads)
        parts = np.maximum(parts, 1e-300)
        parts /= parts.sum(axis=1, keepdims=True)
        counts = parts.sum(axis=0)
        old, means = means, (parts * values[:, None]).sum(axis=0) / counts
        variances = (parts * (values[:, None] - means) ** 2).sum(axis=0) / counts
        spreads, shares = np.maximum(np.sqrt(variances), _NARROWEST), counts / len(values)
        if np.abs(means - old).max() < 1e-9:
            break
    low, high = np.argsort(means)
    grid = np.linspace(means[low], means[high], 2001)
    upper = _density(grid, means, spreads)
    likelier = upper[:, high] > upper[:, low]
    return float(grid[int(np.argmax(likelier))]) if likelier.any() else None


def _density(values: np.ndarray, means: np.ndarray, spreads: np.ndarray) -> np.ndarray:
    return np.exp(-0.5 * ((values[:, None] - means) / spreads) ** 2) / spreads


def null_threshold(
    pairs: Sequence[tuple[Sequence[Triple], Sequence[Triple]]],
    embedder: Embedder,
    setting: Setting = DEFAULT,
) -> float | None:
    """From claim graphs and what each is compared with; None where no graph can be made wrong.

    :param pairs: claim triples and known triples of each text
    """
    wrong = corrupted([claim for claim, _ in pairs])
    made = [(claim, known) for claim, (_, known) in zip(wrong, pairs, strict=True) if claim and known]
    step = max(1, len(made) // SAMPLE)
    scores = [likeness(claim, known, embedder, setting).score for claim, known in made[::step][:SAMPLE]]
    return float(np.quantile(scores, SHARE)) if scores else None


def corrupted(graphs: Sequence[Sequence[Triple]]) -> list[list[Triple]]:
    """Each graph with the tail of one triple replaced by that of a triple of another graph; empty where none differs.

    >>> corrupted([[("Ada", "born in", "London")], [("Rome", "capital of", "Italy")]])
    [[('Ada', 'born in', 'Italy')], [('Rome', 'capital of', 'London')]]
    """
    chance = random.Random(SEED)
    found: list[list[Triple]] = []
    pool = [tail for graph in graphs for *_, tail in graph]
    tails = set(pool)
    for graph in graphs:
        own = {tail for *_, tail in graph}
        if not graph or tails <= own:
            found.append([])
            continue
        while (tail := chance.choice(pool)) in own:
            pass
        place = chance.randrange(len(graph))
        found.append([(*triple[:2], tail) if at == place else triple for at, triple in enumerate(graph)])
    return found
