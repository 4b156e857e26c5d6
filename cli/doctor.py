"""``kgstore doctor``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kgstore.cli.options import examined_kg_option, format_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import clean, count, echo_json, note
from kgstore.doctor import examine, examine_configuration, examine_models


@click.command()
@examined_kg_option
@click.option("--quick", is_flag=True, help="Only whether each part opens and has the right size.")
@format_option()
@click.pass_context
def doctor(ctx: click.Context, kg: Path | None, quick: bool, fmt: str) -> None:
    """Check every part of a KG against its graph, the models against their checksums, and say how to mend it.

    Reads the whole graph, derives catalog and topology once more and compares; takes about as long as `kgstore index`.
    Of a sealed KG it compares the columns of the graph, and opens the rest. Changes nothing. Exits with 1 if something
    is wrong, in the configuration file as well.

    \b
    Example:
        kgstore doctor --kg small.kg
        kgstore doctor --quick --kg small.kg
    """
    with spinning() as say:
        say("comparing the models with their checksums")
        found = [*examine_models(), *examine_configuration(), *(examine(kg, quick, say) if kg else ())]
    faults = sum(one.fault for one in found)
    if fmt == "json":
        echo_json({"faults": faults, "findings": [asdict(one) for one in found]})
    else:
        for one in found:
            sign = "✗" if one.fault else "!" if one.problem else "✓"
            click.echo(clean(f"{sign} {one.what}" + (f": {one.problem}; {one.mend}" if one.problem else "")))
        note(f"{count(faults, 'fault')} found" if faults else f"{kg} is in order")
    ctx.exit(1 if faults else 0)
