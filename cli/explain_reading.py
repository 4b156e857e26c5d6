"""``kgstore explain-reading``"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from kgstore.cli.batch import Settings, open_verifier
from kgstore.cli.options import format_option, optional_kg_option
from kgstore.cli.render import console, echo_json, note, plain, print_table
from kgstore.cli.texts import STDIN, read_texts
from kgstore.prefixes import compact
from kgstore.verifier.claims import Candidate
from kgstore.verifier.explained import Explained, Said, explained, explained_without_kg

_SHOWN = 3
"""Candidates of a name that are shown; --format json has all."""


@click.command("explain-reading")
@click.argument("text")
@optional_kg_option
@click.option("--no-kg", is_flag=True, help="By grammar alone: names are what has capitals, and nothing is linked.")
@format_option()
def explain_reading(text: str, kg: Path | None, no_kg: bool, fmt: str) -> None:
    """Show how a text is read, stage by stage.

    TEXT is the text itself, or - for stdin. For each sentence: its words with their part of speech and what they depend
    on, the shapes that were undone ("It was in Ulm that ..."), the propositions, the claims with the entities that they
    may be about, and what the relation reader was asked, with its probabilities.

    \b
    Example:
        kgstore explain-reading "It was in Ulm that Albert Einstein was born." --kg small.kg
    """
    if text == STDIN:
        text = read_texts([STDIN]).items[0].text
    if no_kg or kg is None:
        found = explained_without_kg(text)
    else:
        with open_verifier(Settings(kg)) as (verifier, _):
            found = explained(text, verifier)
    if fmt == "json":
        echo_json([asdict(one) for one in found])
        return
    out = console()
    for at, one in enumerate(found):
        if at:
            out.print()
        _print(out, one)
    if not found:
        note("the text has no sentence")
    elif no_kg or kg is None:
        note("nothing is linked: there is no KG")


def _print(out: Console, one: Explained) -> None:
    out.print(plain(f"{' '.join(one.text.split())}  ({one.start}-{one.end})", "bold"))
    if one.parse:
        _heading(out, "parse")
        print_table(out, ["word", "tag", "role", "of"], [(t.text, t.tag, t.role, t.of) for t in one.parse])
    if one.shapes:
        _heading(out, "shapes undone")
        out.print(plain(f"  {', '.join(one.shapes)}"))
    if one.propositions:
        _heading(out, "propositions")
        _print_said(out, one.propositions)
    if one.claims:
        _heading(out, "claims")
        for claim in one.claims:
            _print_said(out, [claim.said])
            for name, candidates in (("head", claim.heads), ("tail", claim.tails)):
                if candidates:
                    out.print(plain(f"    {name}: {_candidates(candidates)}", "dim"))
    if one.asked:
        _heading(out, "asked of the reader")
        rows = [(q.head, q.relation, q.tail, f"{q.probability:.2f}") for q in one.asked]
        print_table(out, ["head", "relation", "tail", "sure"], rows, right=["sure"])


def _heading(out: Console, name: str) -> None:
    out.print(plain(f" {name}", "underline"))


def _print_said(out: Console, said: Iterable[Said]) -> None:
    for one in said:
        remarks = f"  ({'; '.join(one.remarks)})" if one.remarks else ""
        out.print(plain(f"  {one.head} | {one.relation} | {one.tail}{remarks}"))


def _candidates(candidates: tuple[Candidate, ...]) -> str:
    shown = [f"{one.label} ({compact(one.iri)}, {one.score:.2f})" for one in candidates[:_SHOWN]]
    more = len(candidates) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more > 0 else [])])
