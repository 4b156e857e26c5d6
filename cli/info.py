"""``kgstore info``"""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore import layout
from kgstore.cli.options import kg_option
from kgstore.cli.render import console, echo_json, note, plain, print_pairs, print_table, size
from kgstore.cli.rows import print_rows, rows_option
from kgstore.errors import IndexMissing, InputError
from kgstore.naming import resolve_property
from kgstore.opening import KG, open_kg
from kgstore.prefixes import compact, expand
from kgstore.store import Store
from kgstore.verifier.kg.declared import ALL, all_properties

if TYPE_CHECKING:
    from kgstore.remote.graph import RemoteGraph

_ORDER = ("triples", "entities", "properties", "names", "edges", "vectors")
_BEHAVIOUR = ("id", "property", "datatype", "statements", "subjects", "one value", "inverse", "remarks")


@click.command()
@kg_option
@click.option("--properties", is_flag=True, help="List every property and how it behaves in this KG.")
@click.option("--recount", is_flag=True, help="Count anew how the properties of a server's graph behave.")
@rows_option()
def info(kg: Path, properties: bool, recount: bool, fmt: str) -> None:
    """Show what a KG holds.

    With --properties: "one value" is the share of subjects with exactly one value, "inverse" the same seen from the
    values; contradictions rest on these.

    \b
    Example:
        kgstore info --kg small.kg
        kgstore info --properties --kg small.kg
    """
    with open_kg(kg, note, recount) as store:
        facts = _facts(store) if isinstance(store, Store) else _of_server(store)
        behaviour = sorted(store.catalog.properties().values(), key=lambda one: -one.statements) if properties else []
        complete = {expand(one["id"]) for one in facts["complete"] if "id" in one}
        complete |= all_properties(store) if ALL in store.profile.complete else set()
    if fmt == "json":
        rows = [{**asdict(one), "id": compact(one.iri), "complete": one.iri in complete} for one in behaviour]
        echo_json({**facts, **({"properties": rows} if properties else {})})
        return
    counted = sorted(facts["counts"].items()) if not properties else ()
    listed = [_row(one, one.iri in complete) for one in behaviour] if properties else counted
    if print_rows(fmt, _BEHAVIOUR if properties else ("what", "count"), listed):
        return
    out = console()
    if properties:
        print_table(out, _BEHAVIOUR, map(_shown, listed), right=_BEHAVIOUR[3:7])
        return
    out.print(plain(facts["name"], "bold"))
    counts = [*(name for name in _ORDER if name in facts["counts"]), *(set(facts["counts"]) - {*_ORDER, "sources"})]
    print_pairs(
        out,
        [
            *((("folder", f"{facts['folder']} ({size(facts['bytes'])})"),) if "bytes" in facts else ()),
            ("profile", facts["profile"]),
            *((("complete lists", _named(facts["complete"])),) if facts["complete"] else ()),
            ("languages", ", ".join(facts["languages"])),
            ("generation", _generation(facts)),
            ("fingerprint", facts["fingerprint"][:16]),
            ("embedded by", facts["embedder"]),
            *((name, f"{facts['counts'][name]:,}") for name in counts),
            *((("by meaning", _compared(facts["by_meaning"])),) if "by_meaning" in facts else ()),
        ],
    )
    for source in facts["sources"]:
        skipped = sum(source.get("skipped", {}).values())
        left_out = f", {skipped:,} skipped" if skipped else ""
        left_out += ", INCOMPLETE: the file ended early" if source.get("incomplete") else ""
        out.print(
            plain(
                f"from {source['name']} ({size(source.get('bytes', 0))}, loaded {source.get('time', '')}{left_out})",
                "dim",
            )
        )


def _facts(store: Store) -> dict[str, Any]:
    assert store.manifest is not None and store.path is not None
    manifest = asdict(store.manifest)
    return {
        **manifest,
        "profile": store.profile.name,
        "complete": _complete(store),
        "folder": str(store.path),
        "bytes": sum(one.stat().st_size for one in _files(store.path)),
        "generations": len(layout.generations(store.path)),
        "sources": store.ledger(),
        **_by_meaning(store),
    }


def _by_meaning(store: Store) -> dict[str, Any]:
    """How statements are found by meaning, where they have vectors."""
    assert store.manifest is not None
    if not store.manifest.counts.get("vectors"):
        return {}
    try:
        shape, half = store.vectors.cells, store.vectors.half
    except (IndexMissing, OSError, RuntimeError):  # damaged: `kgstore doctor` says how
        return {}
    return {"by_meaning": {"half": half} if shape is None else asdict(shape)}


def _compared(how: dict[str, Any]) -> str:
    """
    >>> _compared({"half": True})
    'every vector is compared, in half precision'
    >>> _compared({"half": False, "cells": 2000, "probes": 16, "recall": 0.98, "tests": 200})
    '16 of 2,000 cells are looked into, then full precision; 98.0% of the ten nearest are found (tried with 200)'
    """
    precision = "half precision" if how["half"] else "full precision"
    if "cells" not in how:
        return f"every vector is compared, in {precision}"
    found = f"{how['recall']:.1%} of the ten nearest are found (tried with {how['tests']:,})"
    return f"{how['probes']:,} of {how['cells']:,} cells are looked into, then {precision}; {found}"


def _generation(facts: dict[str, Any]) -> str:
    if "age_days" in facts:
        return f"properties counted {facts['created']}, {facts['age_days']} days ago"
    return f"{int(facts['generation'])} of {facts['created']} ({facts['generations']} kept)"


def _of_server(graph: RemoteGraph) -> dict[str, Any]:
    known = graph.counted
    counts = {"triples": known.triples, "properties": len(known.properties), "entities": graph.entity_count}
    return {
        **graph.identity, "created": known.made, "age_days": known.age_days, "profile": graph.profile.name,
        "languages": list(graph.languages), "complete": _complete(graph), "counts": counts, "sources": [],
        "embedder": None,
    }  # fmt: skip


def _complete(store: KG) -> list[dict[str, str]]:
    """What the profile declares complete; a name that no property has is there without an id."""
    found = []
    for name in store.profile.complete:
        try:
            item = resolve_property(store, name)
            found.append({"name": name, "id": compact(item.iri), "label": item.label})
        except InputError as error:
            found.append({"name": name} if name == ALL else {"name": name, "error": error.why})
    return found


def _named(complete: list[dict[str, str]]) -> str:
    return ", ".join(one.get("label") or one["name"] + f" ({one['error']})" * ("error" in one) for one in complete)


def _files(folder: Path) -> list[Path]:
    """Every file once, also where generations share it by hard links."""
    found: dict[tuple[int, int], Path] = {}
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            try:
                status = path.stat()
            except FileNotFoundError:  # a load that runs has just removed it
                continue
            found[status.st_dev, status.st_ino] = path
    return list(found.values())


def _row(one: Any, complete: bool) -> tuple[Any, ...]:
    remarks = [
        word
        for word, holds in (
            ("declared single", one.single_valued),
            ("declared complete", complete),
            ("symmetric", one.symmetric),
            ("transitive", one.transitive),
            (f"inverse of {compact(one.inverse)}" if one.inverse else "", one.inverse),
        )
        if holds
    ]
    numbers = one.statements, one.subjects, one.functionality, one.inverse_functionality
    return compact(one.iri), one.label, one.datatype, *numbers, ", ".join(remarks)


def _shown(row: tuple[Any, ...]) -> tuple[Any, ...]:
    *names, statements, subjects, one_value, inverse, remarks = row
    return *names, f"{statements:,}", f"{subjects:,}", f"{one_value:.2f}", f"{inverse:.2f}", plain(remarks, "dim")
