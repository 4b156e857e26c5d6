"""How much a measure would have moved on other rows like these: 95 % intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kgstore.verifier.measure.exact import TAIL, Interval, exact_interval
from kgstore.verifier.measure.sample import Sample, ratios

DRAWS = 2000
SEED = 0
_BLOCK = 4_000_000
"""Weights held at a time: 32 MB."""


def intervals(sample: Sample) -> dict[str, Interval | None]:
    """A 95 % interval for each measure, None where it is undefined or no draw moves it.

    Percentiles of 2,000 draws of the rows with replacement, always the same ones; the claims of a passage are drawn
    together. Two cases are exact instead (Clopper and Pearson, over rows): a share that is 0 or 1, which no draw would
    move, and false accusations where each row is one claim, because a few of many are too few for percentiles.
    The calibration error is the one measure that chance makes larger on average, so its interval leans upwards.
    """
    point, drawn = sample.measures(), draws([sample])[0]
    shares = ratios(sample.kind, sample.counts)
    found: dict[str, Interval | None] = {}
    for name, values in drawn.items():
        part, whole = shares.get(name, (None, None))
        if part is not None and whole is not None and np.any(whole > 0):
            rows = int((whole > 0).sum())
            single = name == "false_accusations" and whole.max() <= 1
            if single or point[name][0] in (0.0, 1.0):
                found[name] = exact_interval(int(part.sum()) if single else round(point[name][0]) * rows, rows)
                continue
        found[name] = percentiles(values)
    return found


def draws(samples: Sequence[Sample]) -> list[dict[str, np.ndarray]]:
    """The measures of each sample over the same 2,000 draws of rows.

    :param samples: of the same rows
    :return: for each, name -> float64 ``(2000,)``
    """
    parts: list[list[dict[str, np.ndarray]]] = [[] for _ in samples]
    for weights in row_draws(samples[0].rows):
        for kept, sample in zip(parts, samples, strict=True):
            kept.append(sample.measures(weights))
    return [{name: np.concatenate([block[name] for block in kept]) for name in kept[0]} for kept in parts]


def row_draws(rows: int) -> Iterator[np.ndarray]:
    """How often each row is drawn, float64 ``(some, rows)``, 2,000 in all."""
    random = np.random.default_rng(SEED)
    step = max(1, min(DRAWS, _BLOCK // rows))
    for start in range(0, DRAWS, step):
        n = min(step, DRAWS - start)
        drawn = random.integers(0, rows, (n, rows)) + np.arange(n)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=n * rows).reshape(n, rows).astype(np.float64)


def percentiles(values: np.ndarray) -> Interval | None:
    """From the 2.5th to the 97.5th percentile; None if there is no value, or all are the same."""
    values = values[~np.isnan(values)]
    if len(values) == 0 or values.min() == values.max():
        return None
    low, high = np.quantile(values, (TAIL, 1 - TAIL))
    return float(low), float(high)
