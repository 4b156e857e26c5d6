"""Tuning a judge on a user's own graph, and measuring what that gained on subjects that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kgstore.errors import InputError
from kgstore.store import Store
from kgstore.verifier.judges.native import FOLDER, NativeJudge
from kgstore.verifier.judges.opening import ours
from kgstore.verifier.training import fit
from kgstore.verifier.training.kg_pairs import KgPairs
from kgstore.verifier.training.measure import Accuracy, measure
from kgstore.verifier.training.pairs import Pair, part_of

HELD_OUT = 9
"""Subjects of this tenth are measured, never learnt from."""
_FEWEST = 100


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning did: pairs learnt from, accuracy on held-out subjects before and after, and the temperature."""

    pairs: int
    before: dict[str, Accuracy]
    after: dict[str, Accuracy]
    temperature: float


def kg_pairs(store: Store, number: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Pairs to learn from, and a tenth as many (at least 300) about other subjects to measure with.

    :raises InputError: if the graph holds too little to make pairs of
    """
    learnt = list(KgPairs(store, seed, lambda iri: part_of(iri) != HELD_OUT).make(number))
    held = list(KgPairs(store, seed + 1, lambda iri: part_of(iri) == HELD_OUT).make(max(300, number // 10)))
    if len(learnt) < _FEWEST or not held:
        why = f"the graph gives {len(learnt)} pairs, too few to learn from"
        raise InputError(why, "load more, or give pairs of your own with `--pairs`")
    return learnt, held


def tune(
    learnt: Iterable[Pair],
    held: Iterable[Pair],
    target: Path,
    recipe: fit.Recipe,
    base: Path = FOLDER,
    report: Callable[[fit.Progress], None] = lambda _: None,
) -> Tuned:
    """Train a judge further and write it to a folder.

    :param held: pairs to measure with; half of them (by premise) sets the temperature, the other half is reported
    :param base: a judge of ours, or a BERT
    """
    learnt, held = list(learnt), list(held)
    setting = [pair for pair in held if part_of(pair.premise, 2)]
    shown = {"held out": [pair for pair in held if not part_of(pair.premise, 2)] or held}
    known = NativeJudge(base) if ours(base) else None
    before = measure(known, shown) if known else {}
    model, tokenizer = fit.load(base)
    rows = fit.encoded(learnt, tokenizer, recipe.max_tokens)
    fit.train(model, rows, recipe, report)
    check = fit.encoded(setting or held, tokenizer, fit.MAX_TOKENS)
    heat = fit.temperature(fit.logits_of(model, check), [allowed for _, _, allowed in check])
    two_steps = known is not None and known.two_steps
    fit.save(model, tokenizer, target, temperature=heat, max_tokens=fit.MAX_TOKENS, two_steps=two_steps)
    return Tuned(len(learnt), before, measure(NativeJudge(target), shown), heat)
