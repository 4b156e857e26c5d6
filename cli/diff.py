"""``kgstore diff``"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import orjson
from click.core import ParameterSource

from kgstore import layout
from kgstore.cli.options import kg_option, limit_option
from kgstore.cli.render import clean, count, echo_json, note
from kgstore.cli.statements import remarks
from kgstore.diff import ADDED, changed_lines, changed_statements
from kgstore.errors import InputError
from kgstore.model import Statement
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.report.report import statement_dict

_COUNTED = ("statements", "names", "triples")


@click.command()
@click.argument("before", required=False, metavar="[BEFORE]")
@kg_option
@click.option(
    "--reports",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON reports of `kgstore verify`: also say which of their verdicts are others now.",
)
@limit_option(1000, "statements; a patch is always whole")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "json", "patch"]),
    default="text",
    show_default=True,
    help="What to print; patch has a line of N-Triples for each triple, with + or - before it.",
)
def diff(before: str | None, kg: Path, reports: Path | None, limit: int, fmt: str) -> None:
    """List the statements that were added to a KG and removed from it.

    BEFORE is the number of a generation or the folder of another KG; unless given, the generation before the current
    one. With --reports every text is verified once more, with the rules and the built-in judge.

    \b
    Example:
        kgstore diff --kg small.kg
        kgstore diff 3 --kg small.kg --reports last-month.jsonl
        kgstore diff /mnt/safe/company-2024-05.kg --kg company.kg --format patch
    """
    if reports is not None and fmt == "patch":
        raise click.UsageError("--reports needs --format text or json")
    given = click.get_current_context().get_parameter_source("limit") is ParameterSource.COMMANDLINE
    if given and fmt == "patch":
        raise click.UsageError("--limit needs --format text or json: a patch is whole")
    stored = [] if reports is None else list(_reports(reports))
    with Store(kg) as after, _before(before, kg, after) as earlier:
        if fmt == "patch":
            for sign, line in changed_lines(earlier.graph, after.graph):
                click.echo(sign.encode() + b" " + line, nl=False)
            return
        counts: Counter[str] = Counter()
        listed: list[dict[str, Any]] = []
        for sign, one in changed_statements(earlier, after, counts):
            store = after if sign == ADDED else earlier
            counts[f"statements {sign}"] += 1
            if counts["statements +"] + counts["statements -"] > limit:
                continue
            if fmt == "text":
                click.echo(f"{sign} {_shown(one, store)}")
            else:
                listed.append({"change": "added" if sign == ADDED else "removed", **statement_dict(one, store)})
        verdicts = _changed_verdicts(stored, after) if stored else []
        if fmt == "json":
            told = {what: {"added": counts[f"{what} +"], "removed": counts[f"{what} -"]} for what in _COUNTED}
            echo_json({**told, "changes": listed, **({"verdicts": verdicts} if reports is not None else {})})
            return
    for changed in verdicts:
        click.echo(f"! {clean(changed['text'])}: {changed['before']} before, {changed['after']} now")
    both = counts["statements +"] + counts["statements -"]
    if both > limit:
        note(f"{both - limit:,} more are not shown: raise --limit")
    note("; ".join(f"{what}: {counts[f'{what} +']:,} added, {counts[f'{what} -']:,} removed" for what in _COUNTED))
    if reports is not None:
        note(f"{count(len(verdicts), 'verdict')} changed")


def _before(named: str | None, kg: Path, after: Store) -> Store:
    assert after.manifest is not None
    current = after.manifest.generation
    if named is None:
        older = [one for one in layout.generations(kg) if one < current]
        if not older:
            raise InputError(f"{kg} keeps no generation before {int(current)}", "name another KG to compare with")
        return Store(kg, generation=older[-1])
    if named.isdigit() and len(named) <= 6 and not Path(named).exists():
        return Store(kg, generation=f"{int(named):06d}")
    return Store(Path(named))


def _shown(one: Statement, store: Store) -> str:
    parts = (store.label(one.subject.value), store.label(one.predicate.value), value_text(one.value, store.label))
    more = remarks(one, store)
    return clean(" · ".join(parts) + (f"  ({more})" if more else ""))


def _changed_verdicts(reports: list[dict[str, Any]], store: Store) -> list[dict[str, Any]]:
    """Claims of the stored reports that get another label now, and those that are found no more."""
    from kgstore.verifier.pipeline import Verifier

    verifier, changed = Verifier(store), []
    for report in reports:
        verdicts = verifier.verify(report["text"]).verdicts
        now = {(one.claim.start, one.claim.end, one.claim.text): one for one in verdicts}
        for claim in report["claims"]:
            verdict = now.get((claim["start"], claim["end"], claim["text"]))
            label = verdict.label.value if verdict else "not found"
            if label != claim["label"]:
                row = {"id": report.get("id"), "start": claim["start"], "end": claim["end"], "text": claim["text"]}
                reason = verdict.reason if verdict else ""
                changed.append({**row, "before": claim["label"], "after": label, "reason": reason})
    return changed


def _reports(path: Path) -> Iterator[dict[str, Any]]:
    """
    :raises InputError: if the file holds other things
    """
    data = path.read_bytes()
    try:
        try:
            whole = orjson.loads(data)
            found = whole if isinstance(whole, list) else [whole]
        except orjson.JSONDecodeError:
            found = [orjson.loads(line) for line in data.splitlines() if line.strip()]
        for one in found:
            if one["schema"] != "kgstore.report/1":
                raise ValueError(f"schema {one['schema']}")
            yield one
    except (ValueError, KeyError, TypeError) as error:
        why = f"{path} holds no reports ({error})"
        raise InputError(why, "name what `kgstore verify --format json` wrote") from None
