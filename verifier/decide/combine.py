"""From a verdict of the tiers to probabilities: a logistic model whose features and weights are readable.

The probabilities of the three labels are the softmax of the sums of value times weight over a verdict's features. The
tiers decide the label; the model says how sure it is, and may withhold an accusation of which it is not sure enough.
The shipped weights lie in ``combination.json`` beside this file; `verifier.measure.calibration` fits them, and a KG
may have its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp, floor, isfinite
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError
from kgstore.verifier.claims import Label, Role, Verdict
from kgstore.verifier.decide.features import decided, features

SCHEMA = "kgstore.combination/1"
SHIPPED = Path(__file__).with_name("combination.json")
OWN = "calibration.json"
"""The name of a KG's own weights in its folder."""
UNSURE = "not sure enough"
"""How ``why_not`` begins where an accusation is withheld."""

Shares = tuple[float, float, float]
"""One number for each label, in the order of `Label`: attributable, extrapolatory, contradictory."""
_LABELS = tuple(Label)


@dataclass(frozen=True, slots=True)
class Combination:
    """Weights, and when to withhold an accusation.

    :param weights: feature -> weights; a feature without weights counts nothing
    :param threshold: a contradictory verdict with a probability below this becomes extrapolatory, 0 to 1
    :param about: what the weights were fitted on, for readers
    """

    weights: Mapping[str, Shares]
    threshold: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)

    def probabilities(self, values: Mapping[str, float]) -> Shares:
        """Of attributable, extrapolatory, contradictory; they sum to 1 (to 4 digits each).

        The label that the tiers gave has the most: where the weights are for another one, the two share alike.
        """
        sums = [0.0, 0.0, 0.0]
        for name, value in values.items():
            for i, weight in enumerate(self.weights.get(name, ())):
                sums[i] += value * weight
        top = max(sums)
        powers = [exp(one - top) for one in sums]
        first, second, third = _backed([one / sum(powers) for one in powers], _LABELS.index(decided(values)))
        return first, second, third

    def weigh(self, verdict: Verdict) -> Verdict:
        """The verdict with its probabilities, and the features and weights that they come from."""
        values = features(verdict)
        shares = self.probabilities(values)
        used = {name: (value, self.weights.get(name, (0.0, 0.0, 0.0))) for name, value in values.items()}
        verdict = replace(verdict, probabilities=shares, features=used)
        if verdict.label is Label.CONTRADICTORY and shares[2] < self.threshold:
            return self._withheld(verdict)
        return verdict

    def _withheld(self, verdict: Verdict) -> Verdict:
        why = f"{UNSURE}: {verdict.probabilities[2]:.2f} < {self.threshold:.2f}"
        related = tuple(replace(one, role=Role.RELATED) for one in verdict.evidence)
        reason = f"{verdict.reason}, but that this contradicts the text is {why}"
        return replace(verdict, label=Label.EXTRAPOLATORY, evidence=related, reason=reason, why_not=why)

    def to_json(self) -> str:
        """As `load_combination` reads it, the weights of each feature on a line of their own."""
        about = orjson.dumps(self.about, option=orjson.OPT_INDENT_2).decode().replace("\n", "\n  ")
        rows = (f"    {orjson.dumps(name).decode()}: {list(row)}" for name, row in sorted(self.weights.items()))
        weights = "{\n" + ",\n".join(rows) + "\n  }"
        return (
            f'{{\n  "schema": "{SCHEMA}",\n  "about": {about},\n  "threshold": {self.threshold},\n'
            f'  "weights": {weights}\n}}\n'
        )


def _backed(shares: list[float], label: int) -> list[float]:
    """Shares to 4 digits, those of the label raised to be no less than any other.

    >>> _backed([0.2, 0.5, 0.3], 0), _backed([0.2, 0.5, 0.3], 1), _backed([0.1, 0.45, 0.45], 0)
    ([0.35, 0.35, 0.3], [0.2, 0.5, 0.3], [0.3334, 0.3333, 0.3333])
    """
    top = shares.index(max(shares))
    even = (shares[label] + shares[top]) / 2
    found = [even if i in (label, top) else share for i, share in enumerate(shares)]
    if max(found) > even:  # the third has more than its part
        found = [1 / 3] * 3
    found = [floor(share * 10_000) / 10_000 for share in found]
    found[label] = round(found[label] + 1 - sum(found), 4)
    return found


def certain(label: Label) -> Shares:
    """What a tier says before its verdict is weighed: all for its label."""
    first, second, third = (float(one is label) for one in Label)
    return first, second, third


def load_combination(path: Path) -> Combination:
    """Weights from a file.

    :raises InputError: if the file cannot be read or holds something else
    """
    try:
        data = orjson.loads(path.read_bytes())
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']!r}")
        weights = {name: _shares(name, row) for name, row in data["weights"].items()}
        threshold = float(data["threshold"])
        if not 0 <= threshold <= 1:
            raise ValueError(f"its threshold is {threshold}")
        return Combination(weights, threshold, data.get("about", {}))
    except OSError as error:
        why = f"cannot read {path}: {(error.strerror or str(error)).lower()}"
        raise InputError(why, "name a file that `kgstore calibrate` has written") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        why = f"{path} holds no weights ({error})"
        raise InputError(why, "name a file that `kgstore calibrate` has written") from error


def _shares(name: str, row: Any) -> Shares:
    first, second, third = (float(weight) for weight in row)
    if not all(map(isfinite, (first, second, third))):
        raise ValueError(f"the weights of {name!r} are no numbers")
    return first, second, third


@cache
def shipped() -> Combination:
    """The weights that come with the program."""
    return load_combination(SHIPPED)


def combination_of(folder: Path | None) -> Combination:
    """The weights of a KG: its own where it has been calibrated, else the shipped ones."""
    own = folder / OWN if folder is not None else None
    return load_combination(own) if own is not None and own.exists() else shipped()
