"""Labels that mean the same under one name: agglomerative clustering of their embeddings (KEA Explain).

Cosine distance, average linkage, cut at 0.35. Labels with different numbers are never merged, whatever their vectors:
1970 and 1971 are close in meaning and not the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from kgstore.embedding import Embedder

DISTANCE = 0.35
"""The paper's threshold: clusters further apart than this are not merged."""
_NUMBER = re.compile(r"\d+")


def merged(labels: Iterable[str], embedder: Embedder, distance: float = DISTANCE) -> dict[str, str]:
    """Label -> the label that stands for its cluster, the shortest one.

    >>> from kgstore.embedding import load_embedder
    >>> found = merged(["film director", "movie director", "1970", "1971"], load_embedder())
    >>> found["movie director"], found["1970"], found["1971"]
    ('film director', '1970', '1971')
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for label in dict.fromkeys(labels):
        groups.setdefault(tuple(sorted(_NUMBER.findall(label))), []).append(label)
    return {label: name for group in groups.values() for label, name in _named(group, embedder, distance)}


def _named(labels: list[str], embedder: Embedder, distance: float) -> list[tuple[str, str]]:
    if len(labels) < 2:
        return [(label, label) for label in labels]
    from scipy.cluster.hierarchy import fcluster, linkage

    vectors = embedder.embed(labels)
    apart = 1.0 - vectors @ vectors.T
    rows, columns = np.triu_indices(len(labels), 1)
    tree = linkage(np.maximum(apart[rows, columns], 0.0), "average")
    numbers = fcluster(tree, distance, "distance")
    members: dict[int, list[str]] = {}
    for label, number in zip(labels, numbers.tolist(), strict=True):
        members.setdefault(number, []).append(label)
    return [(label, min(group, key=len)) for group in members.values() for label in group]
