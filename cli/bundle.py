"""``kgstore bundle``"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from kgstore.bundle import download, own_wheel, this_python, write_bundle
from kgstore.cli.options import format_option
from kgstore.cli.progress import spinning
from kgstore.cli.render import echo_json, note
from kgstore.errors import InputError


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default=Path("kgstore-bundle.tar"),
    show_default=True,
    metavar="FILE",
    help="The archive.",
)
@click.option(
    "--wheels",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Wheels that are at hand: kgstore's own and all that it needs. Then no network is asked.",
)
@click.option("--extra", "extras", multiple=True, metavar="NAME", help="Also what an extra needs, as llm. Repeatable.")
@click.option(
    "--platform",
    multiple=True,
    metavar="TAG",
    help="For another machine than this one, as manylinux_2_28_x86_64 or macosx_14_0_arm64. Repeatable.",
)
@format_option()
@click.option("--python", default=this_python, metavar="VERSION", help="For another Python than this one, as 3.12.")
def bundle(
    output: Path, wheels: Path | None, extras: tuple[str, ...], platform: tuple[str, ...], fmt: str, python: str
) -> None:
    """Write one archive that installs kgstore where there is no network.

    It holds wheels for one platform and one Python, with the models and the graph of everyday knowledge, their licences
    and checksums, an install.sh and a Containerfile. Run it on a connected machine, in a checkout: pip fetches what is
    not in its cache. On the other machine: tar xf kgstore-bundle.tar && sh kgstore-bundle/install.sh

    \b
    Example:
        kgstore bundle
        kgstore bundle --platform manylinux_2_28_x86_64 --python 3.12 -o kgstore-linux.tar
        kgstore bundle --wheels wheelhouse --extra llm
    """
    with tempfile.TemporaryDirectory(prefix="kgstore-bundle-") as scratch, spinning() as say:
        folder = Path(scratch)
        if wheels is None:
            say("building kgstore's own wheel")
            own = own_wheel(folder)
            say("fetching the wheels that it needs")
            download(folder, own, python, platform, extras)
        elif not wheels.is_dir():
            raise InputError(f"there is no folder {wheels}", "name one with wheels")
        else:
            folder = wheels
        say("writing the archive")
        found = sorted(folder.glob("*.whl"))
        size = write_bundle(output, found, python, extras)
    if fmt == "json":
        echo_json({"archive": str(output), "bytes": size, "python": python, "wheels": [path.name for path in found]})
    note(f"{output} has {size / 1e6:,.0f} MB: tar xf {output.name} && sh kgstore-bundle/install.sh")
