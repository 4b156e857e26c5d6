"""Labels that mean the same under one name: agglomerative clustering of their embeddings (KEA Explain).

Cosine distance, average linkage. Labels with different numbers are never merged, whatever their vectors: 1970 and 1971
are close in meaning and not the same.
"""

from __future__ import annotations

import numpy as np

from kgstore.verifier.kernel.label_similarity import Labels

DISTANCE = 0.35
"""The paper's threshold: clusters further apart than this are not merged."""


def merged(labels: Labels, distance: float = DISTANCE) -> dict[str, str]:
    """Label -> the label that stands for its cluster, the shortest one.

    >>> from kgstore.embedding import load_embedder
    >>> found = merged(Labels(["film director", "movie director", "1970", "1971"], load_embedder()))
    >>> found["movie director"], found["1970"], found["1971"]
    ('film director', '1970', '1971')
    """
    kinds: dict[object, list[int]] = {}
    for i, kind in enumerate(labels.kinds):
        kinds.setdefault(kind, []).append(i)
    found: dict[str, str] = {}
    for rows in kinds.values():
        for cluster in _clusters(1.0 - labels.cosines[np.ix_(rows, rows)], distance):
            group = [labels.all[rows[i]] for i in sorted(cluster)]
            found |= dict.fromkeys(group, min(group, key=len))
    return found


def _clusters(apart: np.ndarray, distance: float) -> list[list[int]]:
    """The rows of ``(n, n)`` distances in clusters.

    A linkage lists what it joins from the closest on, which is all that a cut needs; SciPy's ``fcluster`` does the same
    in more time than the kernel takes. The package has the algorithms of SciPy's ``linkage`` without SciPy's 148 MB.
    """
    found = {i: [i] for i in range(len(apart))}
    if len(apart) < 2:
        return list(found.values())
    from fastcluster import linkage

    tree = linkage(apart[np.triu_indices(len(apart), 1)], "average").tolist()
    for number, (one, other, height, _) in enumerate(tree, len(apart)):
        if height > distance:
            break
        found[number] = found.pop(int(one)) + found.pop(int(other))
    return list(found.values())
