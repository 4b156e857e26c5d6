"""Labels that mean the same under one name: agglomerative clustering of their embeddings (KEA Explain).

Cosine distance, average linkage. Labels with different numbers are never merged, whatever their vectors: 1970 and 1971
are close in meaning and not the same.
"""

from __future__ import annotations

import numpy as np

from verifier.kernel.alike import Labels

DISTANCE = 0.35
"""The paper's threshold: clusters further apart than this are not merged."""


def merged(labels: Labels, distance: float = DISTANCE) -> dict[str, str]:
    """Label -> the label that stands for its cluster, the shortest one.

    >>> from kgstore.embedding import load_embedder
    >>> found = merged(Labels(["film director", "movie director", "1970", "1971"], load_embedder()))
    >>> found["movie director"], found["1970"], found["1971"]
    ('film director', '1970', '1971')
    """
    groups: dict[object, list[int]] = {}
    for i, kind in enumerate(labels.kinds):
        groups.setdefault(kind, []).append(i)
    found: dict[str, str] = {}
    for rows in groups.values():
        members: dict[int, list[str]] = {}
        for i, number in zip(rows, _numbered(1.0 - labels.cosines[np.ix_(rows, rows)], distance), strict=True):
            members.setdefault(number, []).append(labels.all[i])
        found |= {label: min(group, key=len) for group in members.values() for label in group}
    return found


def _numbered(apart: np.ndarray, distance: float) -> list[int]:
    """A number for each of ``(n, n)`` distances, the same for those of one cluster."""
    if len(apart) < 2:
        return [0] * len(apart)
    from scipy.cluster.hierarchy import fcluster, linkage

    tree = linkage(apart[np.triu_indices(len(apart), 1)], "average")
    return fcluster(tree, distance, "distance").tolist()
