"""Rows for a sweep: pairs of graphs, or scores, each with a label.

JSON lines: ``{"id", "subject", "claim": [[h, r, t], ...], "context": [[h, r, t], ...], "label"}``, or with a ``score``
(0 to 1, high is good) in place of the graphs, or with both. ``label`` is ``attributable`` (or ``consistent``,
``accurate``, ``true``) for what is good and any other word for what is not, or a number, see ``from_``; ``consistent``
with 0 or 1 may stand for it.

CSV without a header, as KEA Explain stores its results: how surely it is bad (1 - score), the label, the claim graph
and the context graph as lists of ``(head, tail, {'relation': relation})``, and perhaps the number of the passage.
"""

from __future__ import annotations

import ast
import csv
import gzip
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError
from kgstore.verifier.kernel.graphs import Triple
from kgstore.verifier.measure.labelled import half_of

GOOD = frozenset(("attributable", "consistent", "accurate", "true", "yes"))
_LAYOUT = "see `kgstore sweep --help` for what a row holds"


@dataclass(frozen=True, slots=True)
class Row:
    """One text.

    :param bad: whether it should be flagged
    :param group: rows of one group are about one thing: never in two halves, and drawn together
    :param score: as it was stored, 0 to 1, high is good; None where there is none
    :param claim: the triples of the text, ``context`` those it is compared with; both empty where there are none
    """

    id: str
    bad: bool
    group: str
    score: float | None
    claim: tuple[Triple, ...] = ()
    context: tuple[Triple, ...] = ()

    @property
    def half(self) -> str:
        """``tune`` or ``report``, see `kgstore.verifier.measure.labelled.half_of`."""
        return half_of({"id": self.id, "subject": self.group})


def read_rows(path: Path, from_: float | None = None, together: int = 1) -> list[Row]:
    """The rows of a CSV or JSON-lines file, perhaps compressed with gzip (``.gz``).

    :param from_: a number as label is good from this one on; None means 4 where some number is above 1 (ratings from 1
        to 5), else 0.6 (shares of votes): the choices of KEA Explain
    :param together: so many rows after one another make a group, where rows name none
    :raises InputError: naming the first line that is no such row
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "name a file of rows, in UTF-8") from None
    is_csv = Path(path.name.removesuffix(".gz")).suffix.lower() == ".csv"
    found = list(_csv_rows(text, path) if is_csv else _json_rows(text, path))
    if not found:
        raise InputError(f"{path} holds no rows", _LAYOUT)
    numbers = [label for label, _ in found if isinstance(label, float)]
    from_ = (4.0 if max(numbers, default=0.0) > 1 else 0.6) if from_ is None else from_
    rows = []
    for place, (label, fields) in enumerate(found):
        good = label >= from_ if isinstance(label, float) else label.casefold() in GOOD
        group = fields.pop("group") or f"article {place // together}"
        rows.append(Row(bad=not good, group=group, **fields))
    return rows


def _csv_rows(text: str, path: Path) -> Iterator[tuple[float | str, dict[str, Any]]]:
    csv.field_size_limit(1 << 30)
    for number, cells in enumerate(csv.reader(io.StringIO(text, newline="")), 1):
        try:
            score, label, claim, context, *rest = cells
            fields = {
                "id": str(number),
                "score": _share(1 - float(score)),
                "claim": _edges(claim),
                "context": _edges(context),
                "group": f"passage {rest[0]}" if rest else None,
            }
            yield _label(label), fields
        except (ValueError, TypeError, KeyError, SyntaxError, RecursionError, MemoryError) as error:
            raise InputError(f"{path}, row {number} is no pair of graphs ({error})", _LAYOUT) from None


def _json_rows(text: str, path: Path) -> Iterator[tuple[float | str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
            claim, context = (tuple(_triple(one) for one in row.get(key, ())) for key in ("claim", "context"))
            score = row.get("score")
            if score is None and not claim:
                raise ValueError("neither a score nor a claim graph")
            subject = row.get("subject")
            yield _label_of(row), {
                "id": str(row.get("id", number)),
                "score": None if score is None else _share(float(score)),
                "claim": claim,
                "context": context,
                "group": None if subject is None else str(subject),
            }
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{path}, line {number} is no row of a sweep ({error})", _LAYOUT) from None


def _label_of(row: Mapping[str, Any]) -> float | str:
    if "label" in row:
        return _label(row["label"])
    if row["consistent"] in (0, 1):
        return "consistent" if row["consistent"] else "inconsistent"
    raise ValueError(f"the label {row['consistent']!r}")


def _label(value: Any) -> float | str:
    """A number, or a word."""
    try:
        return float(value)
    except ValueError:
        return value


def _share(score: float) -> float:
    """Computed scores may miss 0 and 1 by a rounding error."""
    if not -1e-9 <= score <= 1 + 1e-9:
        raise ValueError(f"the score {score:g} is not from 0 to 1")
    return min(1.0, max(0.0, score))


def _edges(cell: str) -> tuple[Triple, ...]:
    return tuple(_triple((head, about["relation"], tail)) for head, tail, about in ast.literal_eval(cell))


def _triple(parts: Any) -> Triple:
    head, relation, tail = parts
    if not all(isinstance(one, str) for one in (head, relation, tail)):
        raise TypeError("a triple is made of three texts")
    return head, relation, tail
