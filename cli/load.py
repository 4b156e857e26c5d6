"""``kgstore load``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.filtering import filter_options
from kgstore.cli.options import embedder_option, memory_option, written_kg_option
from kgstore.cli.progress import Loading
from kgstore.cli.render import console, count, echo_json, note, print_pairs, size, warn
from kgstore.errors import DiskFull
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import FORMATS
from kgstore.loaders.options import LoadOptions
from kgstore.loaders.plan import plan
from kgstore.loaders.run import load as load_files
from kgstore.loaders.sources import MOST_RATIO
from kgstore.prefixes import compact
from kgstore.store import Store

if TYPE_CHECKING:
    from kgstore.loaders.plan import Plan
    from kgstore.loaders.run import Summary

ASKED_FOR = ("filter", "truthy")
"""Reasons that begin so were the user's own wish; the others are faults of the data."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@written_kg_option
@click.option(
    "--format", "form", metavar="FORMAT", help=f"Of the files, if their names do not say: {', '.join(FORMATS)}."
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    help="What the predicates mean: wikidata, rdfs, skos, schema, or a TOML file; found out from the data unless told.",
)
@filter_options
@click.option("--name", help="Name of the KG; that of its folder unless told.")
@click.option(
    "--replace",
    multiple=True,
    metavar="SOURCE",
    help="The files take the place of this source (its name in `kgstore info`): what they no longer say is removed.",
)
@click.option(
    "--update",
    is_flag=True,
    help="The dump is newer: what the KG says already of an entity in it gives way, so that what vanished is removed.",
)
@click.option(
    "--plan", "planned", is_flag=True, help="Load nothing; say how much disk, memory and time it will take."
)
@click.option(
    "--resume", is_flag=True, help="Continue a load that was killed: what it had finished is not loaded again."
)
@click.option(
    "--max-ratio",
    type=click.IntRange(min=1),
    default=MOST_RATIO,
    show_default=True,
    metavar="N",
    help="Refuse compressed files that unpack to over N times their size and over 256 MB.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Processes to read a dump with.",
)
@click.option(
    "--vectors/--no-vectors", default=True, show_default=True, help="Embed every statement, for search by meaning."
)
@memory_option
@embedder_option
@click.option(
    "--summary",
    "fmt",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to report what was loaded; json goes to stdout.",
)
def load(
    files: tuple[str, ...],
    kg: Path,
    form: str | None,
    profile: str | None,
    filters: Filters,
    name: str | None,
    replace: tuple[str, ...],
    update: bool,
    planned: bool,
    resume: bool,
    max_ratio: int,
    jobs: int,
    vectors: bool,
    embedder: Path | None,
    fmt: str,
) -> None:
    """Load files into a KG, which is made if there is none.

    Reads Wikidata's JSON dumps, N-Triples, N-Quads, Turtle, TriG, RDF/XML, JSON-LD, CSV and TSV; .gz, .bz2 and .zst are
    unpacked, - is stdin. What the KG holds already stays. Readers see the old state until the load is done; one that
    fails or is killed changes nothing. A compressed dump that ends early is loaded as far as it goes: the exit code is
    then 2, and `kgstore info` says that it is incomplete.

    \b
    Example:
        kgstore load data/wikidata-small.json.gz --kg small.kg
        kgstore load latest-all.json.gz --kg all.kg --no-vectors --plan
        kgstore load latest-all.json.gz --kg people.kg --types Q5 --lang en,de --no-vectors
        kgstore load parts.csv products.ttl --kg company.kg
        kgstore load staff-may.csv --replace staff-april.csv --kg company.kg
        kgstore load changed-in-may.json.gz --update --kg all.kg
    """
    options = LoadOptions(
        form, profile, None, filters, vectors, jobs, name, resume, embedder, max_ratio, replace, update
    )
    trial = LoadOptions(form, filters=filters, vectors=vectors, jobs=jobs)
    if planned:
        print_plan(plan(files, kg, trial), fmt)
        return
    try:
        with Loading() as report:
            summary = load_files(files, kg, options, report=report)
    except DiskFull as error:
        needed = plan(files, kg, trial).disk
        raise DiskFull(error.path, error.free, needed) from None
    for unused in _unused(kg, filters.properties):
        warn(f"{unused} occurs in no statement: check --properties, or --types and --entities beside it")
    if fmt == "json":
        echo_json(summary_dict(summary))
    else:
        if resume and not summary.continued:
            note(f"there was nothing to continue in {kg}: all was loaded from the beginning")
        print_summary(summary, kg)
    if summary.incomplete:
        click.get_current_context().exit(2)


def print_plan(found: Plan, fmt: str) -> None:
    """What a load will take."""
    if fmt == "json":
        echo_json(asdict(found))
        return
    allowed = f"; {size(found.allowed)} are allowed" if found.allowed else ""
    hours, minutes = divmod(round(found.seconds / 60), 60)
    print_pairs(
        console(),
        [
            ("triples", f"about {round(found.triples, 2 - len(str(found.triples))):,}"),
            ("disk", f"about {size(found.disk)}; {size(found.free)} are free"),
            ("memory", f"about {size(found.memory)}{allowed}"),
            ("time", f"about {f'{hours} h {minutes} min' if hours else f'{max(1, minutes)} min'}"),
        ],
    )
    for name in found.unknown:
        note(f"{'standard input' if name == '-' else name}: its size is not known, so it is left out")
    note(f"judged by the first {count(found.sampled, 'triple')}; nothing was loaded")
    if found.allowed and found.memory > found.allowed:
        warn("memory is short: the load takes smaller steps and more time, and may end without a result; allow more")
    if found.disk > found.free:
        warn("the disk has too little room: make some, or choose another one")


def _unused(kg: Path, wanted: frozenset[str] | None) -> list[str]:
    """Properties that were asked for and that no statement of the KG has."""
    if not wanted:
        return []
    with Store(kg) as store:
        used = {compact(iri) for iri, item in store.catalog.properties().items() if item.statements}
    return sorted(wanted - used)


def print_summary(summary: Summary, kg: Path) -> None:
    """What was loaded and what was not, on stderr."""
    manifest = summary.manifest
    assert manifest is not None
    for path in summary.unchanged:
        note(f"{path}: finished before, not read again")
    took = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in summary.seconds.items())
    read = [count(summary.triples, "triple")]
    if summary.entities:  # RDF has no documents or rows to count
        read = [count(summary.entities, "entity", "entities"), count(summary.statements, "statement"), *read]
    note(
        f"{', '.join(read)} from {count(summary.files, 'file')}: {took}, "
        f"peak memory {size(summary.peak_rss)}, {size(summary.disk)} on disk, profile {_profile(manifest.profile)}"
    )
    if summary.removed:
        note(f"{count(summary.removed, 'triple')} removed, which no source says any more")
    for reason, left in sorted(
        summary.skipped.items(), key=lambda item: (item[0].startswith(ASKED_FOR), -item[1].count)
    ):
        places = ", ".join(_place(path, line, what) for path, line, what in left.where[:3])
        note(
            f"skipped {left.count:,}: {reason}" + (f" ({places}{', ...' if left.count > 3 else ''})" if places else "")
        )
    if manifest.embedder is None:
        warn("nothing is embedded, because no embedding model was found: relations are matched by their words only")
    if summary.looks:
        warn(
            f"the data looks like {summary.looks}'s, but the KG keeps its profile {_profile(manifest.profile)}: load "
            f"again with --profile {summary.looks} if its statements should be understood"
        )
    holds = manifest.counts
    note(
        f"{kg} is at generation {int(manifest.generation)}: {count(holds.get('triples', 0), 'triple')}, "
        f"{count(holds.get('entities', 0), 'entity', 'entities')}, "
        f"{count(holds.get('properties', 0), 'property', 'properties')}"
    )
    for name in summary.incomplete:
        warn(
            f"INCOMPLETE: {name} ends early, and only what comes before is in the KG; get the whole file and load it "
            f"with --replace {name}"
        )


def _place(path: str, line: int | None, what: str) -> str:
    where = f"{Path(path).name}:{line}" if line is not None else Path(path).name
    return f"{where} {what[:30]}".strip()


def summary_dict(summary: Summary) -> dict[str, Any]:
    """A load's summary as JSON values."""
    manifest = summary.manifest
    assert manifest is not None
    return {
        "entities": summary.entities,
        "statements": summary.statements,
        "triples": summary.triples,
        "files": summary.files,
        "unchanged": summary.unchanged,
        "continued": summary.continued,
        "removed": summary.removed,
        "incomplete": summary.incomplete,
        "looks": summary.looks,
        "seconds": summary.seconds,
        "peak_rss": summary.peak_rss,
        "disk": summary.disk,
        "profile": _profile(manifest.profile),
        "generation": manifest.generation,
        "fingerprint": manifest.fingerprint,
        "counts": manifest.counts,
        "skipped": {
            reason: {
                "count": left.count,
                "first": [{"file": path, "line": line, "what": what} for path, line, what in left.where],
            }
            for reason, left in summary.skipped.items()
        },
    }


def _profile(stored: Any) -> str:
    return stored if isinstance(stored, str) else stored["name"]
