"""The pages of this folder as a site that needs no network, with a reference made from the commands and the code.

Run:    python docs/make_site.py [-o build/site]        (pip install 'kgstore[docs]')

Zensical, the successor of Material for MkDocs, builds it (MIT; MkDocs 1 is no longer kept, MkDocs 2 has no licence).
"""

from __future__ import annotations

import argparse
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
NAV = {
    "Tutorial": ["index", "verdicts", "your-own-kg"],
    "How to": [
        "documents", "page", "serve", "mcp", "shell", "batches", "code-hosts", "keeping", "loading", "air-gapped",
        "measuring", "models", "python", "networks",
    ],
    "Reference": ["commands", "reference-commands", "reference-python"],
    "Explanation": [
        "reading", "reader-training", "scale", "architecture", "libraries", "support", "security-asvs", "developing",
    ],
    "Papers": ["papers", "grounding"],
}  # fmt: skip
"""Section -> pages; those that are not there are left out, those that are listed nowhere come under Explanation."""
PUBLIC = (
    "kgstore.Store", "kgstore.StoreWriter", "kgstore.loaders.run.load", "kgstore.verifier.Verifier",
    "kgstore.verifier.Report", "kgstore.verifier.Claim", "kgstore.verifier.Verdict", "kgstore.errors",
)  # fmt: skip
CONFIG = """[project]
site_name = "kgstore"
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
nav = [
{nav}
]
[project.theme]
language = "en"
font = false
features = ["content.code.copy", "navigation.sections", "navigation.top", "search.highlight"]
[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
[project.markdown_extensions]
attr_list = {{}}
tables = {{}}
toc.permalink = true
pymdownx.highlight.pygments_lang_class = true
pymdownx.inlinehilite = {{}}
pymdownx.superfences = {{}}
"""


def build(site: Path, work: Path) -> None:
    """Write the site, from pages that are put together in ``work``.

    :raises subprocess.CalledProcessError: if Zensical finds a mistake
    """
    shutil.rmtree(work, ignore_errors=True)
    pages = work / "pages"
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (pages / "index.md").write_text((ROOT / "README.md").read_text(encoding="utf-8"), encoding="utf-8")
    (pages / "reference-commands.md").write_text(commands(), encoding="utf-8")
    (pages / "reference-python.md").write_text(python(), encoding="utf-8")
    for page in pages.glob("*.md"):
        page.write_text(_linked(page.read_text(encoding="utf-8"), pages), encoding="utf-8")
    (work / "zensical.toml").write_text(CONFIG.format(nav=_nav(pages)), encoding="utf-8")
    zensical = Path(sys.executable).with_name("zensical")
    subprocess.run([zensical, "build", "--strict"], cwd=work, check=True)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(work / "site", site)


def _nav(pages: Path) -> str:
    there = {page.stem for page in pages.glob("*.md")}
    listed = {name for names in NAV.values() for name in names}
    wanted = {**NAV, "Explanation": [*NAV["Explanation"], *sorted(there - listed)]}
    lines = []
    for section, names in wanted.items():
        known = ", ".join(f'"{name}.md"' for name in names if name in there)
        lines.append(f'  {{ "{section}" = [{known}] }},')
    return "\n".join(lines)


def _linked(text: str, pages: Path) -> str:
    """Links to pages lead to pages; what lies elsewhere in the repository is only named."""

    def target(match: re.Match[str]) -> str:
        words, path = match[1], match[2].removeprefix("docs/")
        here = path.partition("#")[0]
        known = "://" in path or not here or (pages / here).exists()
        return f"{words}({path})" if known else words[1:-1].removeprefix("[")

    return re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", target, text)


def commands() -> str:
    """Every command with its help, as the program prints it."""
    from kgstore.cli.main import main

    parts = ["# All commands and their options", "This page is made from the program: it is what `--help` prints."]
    for words, command in _walk(main, ("kgstore",)):
        with click.Context(command, info_name=" ".join(words), max_content_width=100, terminal_width=100) as context:
            parts.append(f"## {' '.join(words)}\n\n```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts) + "\n"


def _walk(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) is not None:
                yield from _walk(inner, (*words, name))


def python() -> str:
    """The public classes and functions with their docstrings."""
    parts = ["# The Python API", "This page is made from the docstrings of the public names."]
    for dotted in PUBLIC:
        parts += _described(dotted)
    return "\n\n".join(parts) + "\n"


def _described(dotted: str) -> Iterator[str]:
    import importlib

    module, _, name = dotted.rpartition(".")
    found = getattr(importlib.import_module(module), name, None) or importlib.import_module(dotted)
    yield f"## {dotted}\n\n{_shown(found, name)}"
    if inspect.isclass(found):
        for inner, value in vars(found).items():
            if not inner.startswith("_") and inspect.isroutine(getattr(found, inner)) and inspect.getdoc(value):
                yield f"### {name}.{inner}\n\n{_shown(getattr(found, inner), inner)}"


def _shown(found: object, name: str) -> str:
    try:
        signature = f"{name}{inspect.signature(found)}\n\n"  # type: ignore[arg-type]
    except (TypeError, ValueError):
        signature = ""
    return f"```text\n{signature}{inspect.getdoc(found) or ''}\n```"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "site")
    given = parser.parse_args(arguments)
    build(given.output, ROOT / "build" / "site-pages")
    print(f"written: {given.output / 'index.html'}")


if __name__ == "__main__":
    main()
