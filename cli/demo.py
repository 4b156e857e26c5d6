"""``kgstore demo``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.options import format_option
from kgstore.cli.progress import Loading
from kgstore.cli.render import note
from kgstore.cli.verify import verify
from kgstore.default import SAMPLE, SLICE, made_kg
from kgstore.loaders.run import load


@click.command()
@click.option(
    "--kg",
    type=click.Path(path_type=Path),
    metavar="KG",
    help="Where to make it. [default: in your data folder, where every command finds it]",
)
@format_option()
def demo(kg: Path | None, fmt: str) -> None:
    """Make the KG of everyday knowledge that comes along, and check a text with it.

    45,000 entities and 310,000 statements from Wikidata and others: well-known people, countries, cities, works,
    companies, sights. It is made once, in about half a minute; commands that are given no --kg then read it.

    \b
    Example:
        kgstore demo
        echo "Barack Obama was born in Kenya." | kgstore verify -
    """
    target = kg or made_kg()
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        note(f"making {target} from the statements that come along, once")
        with Loading() as report:
            load([SLICE], target, vectors=False, name="everyday", report=report)
    click.get_current_context().invoke(verify, files=(str(SAMPLE),), kg=target, fmt=fmt)
    given = "" if kg is None else f" --kg {kg}"
    note(f'now a text of your own: echo "Paris is the capital of Italy." | kgstore verify -{given}')
