"""What `kgstore evaluate` and `kgstore ablate` share: labelled rows in, measures out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from rich.console import Console

from kgstore.cli.render import count, note, plain, print_table
from kgstore.errors import InputError
from kgstore.verifier.claims import Label
from kgstore.verifier.measure.breakdown import Part, Selected
from kgstore.verifier.measure.compare_runs import Change, Comparison
from kgstore.verifier.measure.evaluate import Scores
from kgstore.verifier.measure.labelled import HALVES, Json, half_of, kind_of, read_gold

RATES = ("seconds", "texts_per_second", "claims_per_second")
SHOWN = 20
"""Changed claims that are printed of each sort; JSON has all."""

labelled_argument = click.argument("labelled", type=click.Path(exists=True, dir_okay=False, path_type=Path))

half_option = click.option(
    "--half",
    type=click.Choice(HALVES),
    help="Use only this half of the rows, split by a hash of their subject: tune on one, report on the other.",
)


def labelled_rows(path: Path, half: str | None, documents: bool = False) -> list[Json]:
    """The labelled rows, all or half of them.

    :param documents: rows that only say whether a text is ``consistent`` with its document are wanted, too
    :raises InputError: if the file is not labelled so, or nothing is in that half
    """
    rows = read_gold(path)
    if kind_of(rows) == "context" and not documents:
        raise InputError(f"{path} labels texts by their documents", "use labelled claims, or `kgstore evaluate`")
    kept = [row for row in rows if half in (None, half_of(row))]
    if not kept:
        raise InputError(f"no row of {path} is in the half “{half}”", "use the other half, or all of it")
    if half is not None:
        note(f"{len(kept):,} of {count(len(rows), 'row')}: the half “{half}”")
    return kept


def print_scores(scores: Scores, out: Console) -> None:
    """Measures, labels and confusion matrix."""
    out.print(plain(f"{count(scores.rows, 'text')}, {scores.kind}", "bold"))
    if scores.missing:
        out.print(plain(f"{scores.missing} without a report", "red"))
    rows = [
        (spaced(name), number(value), between(scores.intervals.get(name)))
        for name, value in scores.measures.items()
        if name not in RATES
    ]
    print_table(out, ["measure", "value", "95 % interval"], rows, right=["value"])
    if scores.labels:
        out.print()
        by_label = [
            (name, *(f"{one:.3f}" for one in (s.precision, s.recall, s.f1)), s.support)
            for name, s in scores.labels.items()
        ]
        header = ["label", "precision", "recall", "F1", "texts" if scores.kind == "labels" else "claims"]
        print_table(out, header, by_label, right=header[1:])
    if scores.confusion:
        out.print()
        seen = list(dict.fromkeys(got for row in scores.confusion.values() for got in row))
        given = [*(label for label in Label if label in seen), *(got for got in seen if got not in set(Label))]
        counts = [(right, *(row.get(got, 0) for got in given)) for right, row in scores.confusion.items()]
        print_table(out, ["right \\ given", *given], counts, right=given)


def print_parts(name: str, parts: Iterable[Part], out: Console) -> None:
    """One line for each tier, or for each value of a field."""
    header = [name, "claims", "right", "accuracy", "false accusations"]
    rows = [(one.name, one.claims, one.right, f"{one.accuracy:.3f}", one.false_accusations) for one in parts]
    print_table(out, header, rows, right=header[1:])


def print_selective(selected: Iterable[Selected], out: Console) -> None:
    """How much is decided, and how well, if one asks for more confidence."""
    header = ["confidence from", "decided", "coverage", "accuracy", "false accusations"]
    rows = [
        (f"{one.confidence:.2f}", one.decided, f"{one.coverage:.3f}", f"{one.accuracy:.3f}", one.false_accusations)
        for one in selected
    ]
    print_table(out, header, rows, right=header)


def print_comparison(found: Comparison, out: Console) -> None:
    """Measures before and after, and the claims that changed."""
    out.print(plain(f"{count(found.claims, 'claim')} in {count(found.rows, 'text')} of both runs", "bold"))
    for n, why in ((found.only_new, "not in the earlier run"), (found.other_text, "another text in the earlier run")):
        if n:
            out.print(plain(f"left out: {count(n, 'text')}, {why}"))
    rows = [
        (spaced(name), number(one.before), number(one.after), signed(one.change), between((one.low, one.high), True))
        for name, one in found.differences.items()
    ]
    out.print()
    header = ["measure", "before", "after", "change", "95 % interval"]
    print_table(out, header, rows, right=header[1:4])
    sorts = {"broke": found.broke, "mended": found.mended, "relabelled": found.relabelled}
    for name, changes in sorts.items():
        if changes:
            out.print()
            print_changes(name, changes, out)
    out.print()
    counts = ", ".join(f"{len(changes):,} {name}" for name, changes in sorts.items())
    out.print(plain(f"{counts}; mended against broke: p = {found.p_value:.2g} (McNemar, exact)"))


def print_changes(name: str, changes: Sequence[Change], out: Console) -> None:
    """Claims that changed their label, at most 20, and how many more there are."""
    rows = [
        (one.id, one.gold, f"{one.before} ({one.before_method})", f"{one.after} ({one.after_method})", one.text)
        for one in changes[:SHOWN]
    ]
    print_table(out, [name, "right", "before", "after", "text"], rows)
    if len(changes) > SHOWN:
        out.print(plain(f"and {len(changes) - SHOWN:,} more: --format json has all"))


def spaced(name: str) -> str:
    """The name of a measure as people write it.

    >>> spaced("macro_f1"), spaced("roc_auc"), spaced("false_accusations")
    ('macro F1', 'ROC-AUC', 'false accusations')
    """
    names = {"roc_auc": "ROC-AUC", "brier": "Brier score"}
    return names.get(name, name.replace("f1", "F1").replace("_", " "))


def number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def between(interval: tuple[float | None, float | None] | None, plus: bool = False) -> str:
    """An interval in words, its ends with their signs if ``plus``; a dash where there is none."""
    if interval is None or interval[0] is None or interval[1] is None:
        return "-"
    return " to ".join(signed(end) if plus else f"{end:.3f}" for end in interval)
