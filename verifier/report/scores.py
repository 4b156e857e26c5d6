"""How good is a whole text? ClaimVer's claim score, triplets match score and KAS, and Factum's factuality degree.

The formulas are those of the papers (ClaimVer, section 3.5; Factum, equation 1); nothing here looks into a KG.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from kgstore.verifier.claims import Label

SEMANTIC_WEIGHT = 0.5
"""Alpha of the TMS: the share of the cosine; the rest (beta) is the share of the entities present."""

PENALTY = 3.0
"""Gamma of the KAS: how much harder a negative sum counts than a positive one."""


def claim_score(label: Label | None, triplets: int) -> int:
    """ClaimVer's cs, -1 to 2.

    >>> [claim_score(Label.ATTRIBUTABLE, 1), claim_score(Label.EXTRAPOLATORY, 2), claim_score(Label.EXTRAPOLATORY, 0)]
    [2, 1, 0]
    >>> [claim_score(None, 0), claim_score(Label.CONTRADICTORY, 1)]
    [0, -1]

    :param label: None for words that no claim covers ("no attribution")
    :param triplets: how many relevant triplets go with the claim
    """
    match label:
        case Label.ATTRIBUTABLE:
            return 2
        case Label.CONTRADICTORY:
            return -1
        case Label.EXTRAPOLATORY if triplets > 0:
            return 1
    return 0


def entity_presence(claimed: Collection[str], known: Collection[str]) -> float:
    """EPR: the share of the claim's entities that its triplets name, 0 to 1; 0 where the claim names none.

    >>> entity_presence({"Q7259", "Q84"}, {"Q7259", "Q90"})
    0.5
    """
    entities = set(claimed)
    return len(entities & set(known)) / len(entities) if entities else 0.0


def triplets_match(similarity: float, presence: float) -> float:
    """TMS: how closely the relevant triplets match the words of a claim, 0 to 1.

    >>> triplets_match(0.8, 1.0)
    0.9

    :param similarity: cosine of the embeddings of claim and triplets; below 0 counts as 0
    :param presence: `entity_presence` of the same two
    """
    return SEMANTIC_WEIGHT * max(0.0, min(1.0, similarity)) + (1 - SEMANTIC_WEIGHT) * presence


def attribution(claims: Iterable[tuple[float, int]]) -> float:
    """KAS: how far a text is borne out by the KG, 0 to 1; a text without claims sits in the middle.

    >>> round(attribution([(0.9, claim_score(Label.ATTRIBUTABLE, 1))]), 3)
    0.858
    >>> round(attribution([(0.8, claim_score(Label.CONTRADICTORY, 1))]), 3)
    0.083

    :param claims: (TMS, claim score) of every claim
    """
    total = sum(tms * score for tms, score in claims)
    exponent = (PENALTY if total < 0 else 1.0) * total
    if exponent < 0:  # the same function, written so that a long wrong text cannot overflow
        return math.exp(exponent) / (1 + math.exp(exponent))
    return 1 / (1 + math.exp(-exponent))


def factuality_degree(best: Sequence[float]) -> float | None:
    """FD: the mean over the facts of a text of the best match that the KG has; None where there is no fact.

    >>> factuality_degree([0.5, 1.0])
    0.75
    >>> factuality_degree([]) is None
    True

    :param best: for each extracted fact its highest cosine, 0 where its subject has no triple
    """
    return math.fsum(best) / len(best) if best else None
