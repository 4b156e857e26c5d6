"""What tells how well a document bears out one sentence, as a few numbers, most from 0 to 1.

`verifier.document.weights` weighs them. How many words are new, how alike the new words are to the document's, the
judge's word on several sentences read together, the weakest triple and the weakest part of the graph were tried as
well, and told little beyond these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kgstore.verifier.document.entailment import Entailed
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verbatim import words
from kgstore.verifier.judges.labels import CONTRADICTS, ENTAILS

NAMES = (
    "1", "entailed", "contradicted", "likeness", "new pairs", "kernel", "kernel of the text", "strangers", "sentences"
)  # fmt: skip
"""What the judge says of the sentence; its cosine with the nearest one of the document; the share of its pairs of
neighbouring words that the document does not have; how alike its triples, and all triples of the text, are to the
document's graph (0.5 where there are none); 1 if it has a name, a number or a quotation that the document has not; the
logarithm of the number of sentences in the text (a summary of several copies, and what is new in it weighs more)."""


def features(
    sentence: str,
    entailed: Entailed,
    kernels: Sequence[float],
    kernel: float | None,
    likeness: np.ndarray,
    document: Document,
    strangers: int,
    sentences: int,
) -> np.ndarray:
    """Float64 ``(len(NAMES),)``.

    :param entailed: of the sentence as a whole
    :param kernels: how alike each of its triples is to the document's graph
    :param kernel: the same of the whole text
    :param likeness: of the sentence and each of the document's, ``(sentences,)``
    :param strangers: how many names, numbers and quotations it has that the document has not
    :param sentences: of the text
    """
    said = words(sentence)
    pairs = list(zip(said, said[1:], strict=False))
    return np.array(
        [
            1.0,
            entailed.nli[ENTAILS],
            entailed.nli[CONTRADICTS],
            max(0.0, float(likeness.max(initial=0.0))),
            sum(pair not in document.pairs for pair in pairs) / len(pairs) if pairs else 0.0,
            float(np.mean(kernels)) if len(kernels) else 0.5,
            0.5 if kernel is None else kernel,
            float(strangers > 0),
            math.log(sentences),
        ]
    )
