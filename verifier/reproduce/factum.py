"""Factum: the factuality degree of the 35 stored answers, before and after they were enriched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.verifier.methods.factum import soft_match
from kgstore.verifier.report.scores import factuality_degree
from kgstore.verifier.reproduce.table import PAPER, Asked, Line, Result, objects, sample


def degrees(asked: Asked, path: Path) -> Result:
    """Section 3. A text without facts has no degree; the stored scores count it as 0, and so do the means here.

    Of the facts that are stored with an answer the first are those that were chosen for its own facts, and after them
    come those that were fetched for the enrichment.
    """
    names = ("triples", "true_facts_names", "true_facts_uris", "% true")
    keys = [f"{name}_{when}" for name in names for when in (0, 1)]
    rows = sample(objects(path, *keys), asked.rows)
    embed = load_embedder().embed
    lines = []
    for when, what, paper in ((0, "FD of the answers", 0.260), (1, "FD of the enriched answers", 0.326)):
        chosen, free = [], []
        for row in rows:
            facts, known = row[f"triples_{when}"], row[f"true_facts_names_{when}"]
            chosen.append(degree(facts, known[: len(row[f"true_facts_uris_{when}"])], embed) or 0.0)
            free.append(degree(facts, known, embed) or 0.0)
            asked.advance(1)
        stored = float(np.mean([row[f"% true_{when}"] for row in rows]))
        lines.append(Line(what, (paper, stored, float(np.mean(chosen)), float(np.mean(free)))))
    return Result((PAPER, "stored scores", "ours", "ours, facts chosen anew"), tuple(lines), (f"{len(rows)} answers",))


def degree(
    facts: Sequence[Sequence[str]], known: Sequence[Sequence[str]], embed: Callable[[Sequence[str]], np.ndarray]
) -> float | None:
    """Equation 1, where what the KG says of each subject is at hand as triples."""
    best: list[float] = []
    for subject, relation, thing in (_three(fact) for fact in facts):
        about = [(str(p), str(o)) for s, p, o in known if s == subject]
        match = soft_match(relation, thing, about, embed)
        best.append(0.0 if match is None else match.similarity)
    return factuality_degree(best)


def _three(fact: Sequence[Any]) -> tuple[str, str, str]:
    subject, relation, thing, *_ = (*(str(part) for part in fact), "", "", "")
    return subject, relation, thing
