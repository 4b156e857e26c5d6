"""Two runs over the same labelled claims: what was mended, what broke, and whether chance alone would do it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from kgstore.verifier.measure.bootstrap import draws, percentiles
from kgstore.verifier.measure.evaluate import plain
from kgstore.verifier.measure.judged import Judged, Reports, judged
from kgstore.verifier.measure.labelled import Json
from kgstore.verifier.measure.sample import sample


@dataclass(frozen=True, slots=True)
class Change:
    """A claim that got another label than before."""

    id: str
    text: str
    gold: str
    before: str
    before_method: str
    after: str
    after_method: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of both runs over the same rows.

    :param change: after less before
    :param low: of the change's 95 % interval over draws of rows, the same for both runs; None where no draw moves it
    """

    before: float | None
    after: float | None
    change: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a run changed.

    :param rows: how many rows both runs have, with the same text; ``only_new`` and ``other_text`` were left out
    :param claims: how many labelled claims those rows hold
    :param mended: claims that were wrong and are right; ``broke`` the reverse, ``relabelled`` neither
    :param p_value: how likely mended and broke are to differ as much by chance (McNemar, exact, two-sided)
    :param differences: name of a measure -> before and after
    """

    rows: int
    only_new: int
    other_text: int
    claims: int
    mended: tuple[Change, ...]
    broke: tuple[Change, ...]
    relabelled: tuple[Change, ...]
    p_value: float
    differences: dict[str, Difference]

    def to_dict(self) -> Json:
        """Plain values, to print as JSON."""
        return asdict(self)


def compare(gold: Sequence[Json], reports: Reports, earlier: Reports) -> Comparison:
    """Hold a run against an earlier one, over the rows that both have.

    Only labelled claims are compared; what was found beside them in a passage shows in its span measures.

    :raises ValueError: if no row is in both
    """
    known = [row for row in gold if row["id"] in earlier and row["id"] in reports]
    rows = [row for row in known if earlier[row["id"]].get("text", row["text"]) == row["text"]]
    if not rows:
        raise ValueError("no row is in both runs")
    new = [one for one in judged(rows, reports) if one.labelled]
    old = [one for one in judged(rows, earlier) if one.labelled]
    pairs = list(zip(old, new, strict=True))
    mended = tuple(_change(before, after) for before, after in pairs if after.right and not before.right)
    broke = tuple(_change(before, after) for before, after in pairs if before.right and not after.right)
    other = tuple(
        _change(before, after) for before, after in pairs if before.right == after.right and before.got != after.got
    )
    return Comparison(
        rows=len(rows),
        only_new=len(gold) - len(known),
        other_text=len(known) - len(rows),
        claims=len(pairs),
        mended=mended,
        broke=broke,
        relabelled=other,
        p_value=mcnemar(len(mended), len(broke)),
        differences=differences(rows, reports, earlier),
    )


def _change(before: Judged, after: Judged) -> Change:
    id = before.source["id"]
    return Change(id, before.text, before.gold, before.got, before.method, after.got, after.method)


def differences(rows: Sequence[Json], reports: Reports, earlier: Reports) -> dict[str, Difference]:
    """Each measure before and after, with the 95 % interval of its change."""
    samples = sample(rows, earlier), sample(rows, reports)
    before, after = (one.measures() for one in samples)
    drawn_before, drawn_after = draws(samples)
    found = {}
    for name in after:
        old, new = plain(before[name][0]), plain(after[name][0])
        change = None if old is None or new is None else new - old
        low, high = percentiles(drawn_after[name] - drawn_before[name]) or (None, None)
        found[name] = Difference(old, new, change, low, high)
    return found


def mcnemar(mended: int, broke: int) -> float:
    """How likely a fair coin is to part ``mended + broke`` claims at least as unevenly, two-sided, exact.

    >>> mcnemar(0, 0), mcnemar(6, 0), mcnemar(8, 5)
    (1.0, 0.03125, 0.5810546875)
    """
    n = mended + broke
    tail = sum(math.comb(n, k) for k in range(min(mended, broke) + 1))
    return min(1.0, 2 * tail / 2**n)
