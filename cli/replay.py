"""``kgstore replay``"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from kgstore.cli.options import format_option, output_option
from kgstore.cli.receipts import alone, arguments
from kgstore.cli.render import clean, echo_json, note
from kgstore.cli.verify import verify
from kgstore.verifier.report.receipt import differences, read


@click.command()
@click.argument("receipt", type=click.Path(path_type=Path))
@click.option("--kg", type=click.Path(path_type=Path), metavar="KG", help="Where the KG lies now, if not where it did.")
@output_option
@format_option()
@click.pass_context
def replay(ctx: click.Context, receipt: Path, kg: Path | None, output: Path | None, fmt: str) -> None:
    """Make a report again from its receipt, and say whether it has the same bytes.

    RECEIPT is a file that `kgstore verify --receipt` wrote. Files are looked for where they were, seen from the current
    folder; a text from stdin must be given on stdin again. Exits with 1 if the bytes differ, and says what else does:
    a text, the KG, a model, an option, the version of a library. Options that the receipt lacks are those that kgstore
    has by itself: neither the configuration file nor the environment is asked.

    \b
    Example:
        kgstore verify report.txt --kg small.kg --format json -o report.json --receipt receipt.json
        kgstore replay receipt.json
    """
    then = read(receipt)
    if kg is not None and then["kg"]:
        then["kg"]["path"] = str(kg)
    words, elsewhere = arguments(then, verify)
    with tempfile.TemporaryDirectory(prefix="kgstore-replay-") as scratch:
        again, made = Path(scratch) / "receipt.json", Path(scratch) / "output"
        with alone(verify):
            verify.main(
                ["-o", str(made), "--receipt", str(again), *words],
                prog_name="kgstore verify", standalone_mode=False, default_map=elsewhere,
            )  # fmt: skip
        now = read(again)
        if output is not None:
            shutil.copyfile(made, output)
    found = differences(then, now)
    same = then["output"] == now["output"]
    if fmt == "json":
        echo_json({"same": same, "differences": found})
    else:
        for line in found:
            click.echo(clean(line))
        note("the same bytes" if same else "other bytes" + ("" if len(found) > 1 else ", and nothing else differs"))
    ctx.exit(0 if same else 1)
