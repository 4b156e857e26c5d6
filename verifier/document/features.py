"""What tells how well a document bears out one sentence, as a few numbers, most from 0 to 1.

`verifier.document.weights` weighs them. How many words are new, how alike the new words are to the document's, the
longest stretch that is copied, whether only one of the two denies, the weakest triple and the weakest part of the graph
were tried as well, and told little beyond these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kgstore.verifier.document.entailment import Entailed
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verbatim import telling, words
from kgstore.verifier.judges.labels import CONTRADICTS, ENTAILS

NAMES = (
    "1", "entailed", "contradicted", "likeness", "new pairs", "kernel", "kernel of the text", "strangers", "sentences",
    "balance", "new neighbours", "length",
)  # fmt: skip
"""What the judge says of the sentence; its cosine with the nearest one of the document; the share of its pairs of
neighbouring words that the document does not have; how alike its triples, and all triples of the text, are to the
document's graph (0.5 where there are none); 1 if it has a name, a number or a quotation that the document has not; the
logarithm of the number of sentences in the text, up to `SEVERAL` (a summary of several copies, and what is new in it
weighs more); how much more the judge speaks for it than against it, the mean of several readings; of the words that say
something, the share of neighbouring pairs that do not follow one another in the document, and the logarithm of how many
they are (a long sentence is rarely said as it stands)."""
SEVERAL = 3
"""Most texts that the weights were fitted to have no more sentences; a longer text is not read more strictly."""
WEIGHED = ("1", "kernel of the text", "strangers", "sentences", "balance", "new neighbours", "length")
"""Those that weights are fitted to; with the others it was worse for sources that the weights had not seen."""
WHOLE = ("1", "entailed", "contradicted", "likeness", "new pairs", "kernel", "kernel of the text")
"""The same for a judge that reads the whole document."""


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
    told = telling(sentence)
    beside = list(pairwise(told))
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
            math.log(min(sentences, SEVERAL)),
            entailed.balance,
            sum(pair not in document.neighbours for pair in beside) / len(beside) if beside else 0.0,
            math.log1p(len(set(told))),
        ]
    )
