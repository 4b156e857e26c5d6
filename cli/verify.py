"""``kgstore verify``"""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import click
from click.core import ParameterSource

from kgstore.cli.batch import Settings, check_sources, reports
from kgstore.cli.corpus import Corpus, Engine, verify_corpus
from kgstore.cli.formats import FORMATS, Layout, Write, open_format
from kgstore.cli.logs import with_details
from kgstore.cli.opening import open_store
from kgstore.cli.options import (
    calibration_option,
    candidates_option,
    complete_option,
    embedder_option,
    engine_options,
    extractor_options,
    format_option,
    jobs_option,
    judge_option,
    memory_option,
    method_option,
    optional_kg_option,
    reader_option,
    reports_option,
    with_settings,
)
from kgstore.cli.progress import counting
from kgstore.cli.render import echo_json, note, sink, warn
from kgstore.cli.resuming import appending, unfinished
from kgstore.cli.texts import STDIN, Text, Texts, read_document, read_texts, tell_left_out, tell_none
from kgstore.cli.totals import Totals
from kgstore.cli.verdicts import LOOK
from kgstore.verifier.methods.registry import AUTO

_LOG = logging.getLogger(__name__)
UNREAD = "unread"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@optional_kg_option
@click.option(
    "--context",
    metavar="FILE",
    help="A document to check against, in place of a KG; a --kg on the same command line is asked about what the "
    "document leaves open.",
)
@click.option("--text", "literal", metavar="TEXT", help="A text to check, in place of a file.")
@with_settings(
    extractor_options, judge_option, reader_option, calibration_option, complete_option, method_option,
    embedder_option, candidates_option,
)
@format_option(*FORMATS, "parquet")
@reports_option
@click.option(
    "--fail-on",
    type=click.Choice(["contradictory", "extrapolatory", UNREAD]),
    help="Exit with 1 if a claim has this label, or a worse one (contradictory is the worst); with unread, if no claim "
    "was read from a sentence, or if a text is in another language than English.",
)
@with_details("With all evidence, the tier that decided and offsets.")
@click.option(
    "--receipt",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write to FILE what the report hangs on, for `kgstore replay`; the report then has no timings.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Add to the reports that are in the file of --output already (--format jsonl); their texts are done.",
)
@click.option(
    "--summary",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to sum up several texts: text goes to stderr; json to stdout, if the reports go to --output.",
)
@jobs_option
@engine_options
@memory_option
def verify(
    files: tuple[str, ...],
    settings: Settings,
    context: str | None,
    literal: str | None,
    fmt: str,
    output: Path | None,
    fail_on: str | None,
    verbose: bool,
    receipt: Path | None,
    resume: bool,
    summary: str,
    jobs: int,
    engine: Engine | None,
) -> None:
    """Check every claim of a text against a KG, or against a document.

    Errors are underlined in the text, with what would be right; below it stands each claim and why.

    Each FILE is a text in UTF-8, - is stdin. A file named .jsonl is a batch: every line is an object with a "text" and,
    if you like, an "id" and a "context", a document of its own; there is one report a line, in the same order. Of a
    folder all .txt, .md and .jsonl files are read, also in the folders in it; several texts are summed up in the end.

    Every sentence ends in a claim or in a reason why none was read from it: a question, an opinion, another language,
    nothing named that the KG knows, no relation recognised. Reports have them as "coverage".

    \b
    Example:
        kgstore verify report.txt --kg small.kg
        echo "Douglas Adams was born in London." | kgstore verify - --kg small.kg --format json
        kgstore verify claims.jsonl --kg small.kg --format jsonl -o reports.jsonl --jobs 2
        kgstore verify corpus/ --kg small.kg --format jsonl -o reports.jsonl --resume
        kgstore verify report.txt --kg small.kg --format html -o report.html
        kgstore verify report.txt --kg company.kg --complete "founded by" --complete "reports to"
        kgstore verify summary.txt --context article.txt
        kgstore verify docs/*.md --kg company.kg --format sarif -o verdicts.sarif
        kgstore verify report.txt --kg small.kg --format json -o report.json --receipt receipt.json
        kgstore verify report.txt --kg small.kg --candidates missing.ttl
        kgstore verify corpus/*.jsonl --kg small.kg --engine ray --format jsonl -o reports.jsonl --resume
    """
    _check_ways(resume, summary, fmt, output, receipt)
    _check_engine(engine, fmt, output, receipt or settings.candidates)
    document, called = _document(context)
    settings = replace(settings, context=document, context_name=called, beside=_beside(), matching=fmt != "text")
    if engine is not None:
        where = engine, _given("jobs", jobs), fmt, output, resume
        return _by_engine(Corpus(_named(files, literal), literal, *where), settings, summary, fail_on)
    texts = wanted(files, literal)
    check_sources(settings, texts.items)
    layout, totals = Layout(files, texts.batch, settings.method != AUTO, verbose), Totals()
    if receipt is not None:
        _with_receipt(receipt, texts, _Call(settings, open_format(fmt), layout, jobs, totals, timed=False), output)
    elif resume and output is not None:
        items = unfinished(output, texts.items, lambda: _identity(settings), totals.add)
        with appending(output) as stream:
            _write(items, _Call(settings, open_format(fmt), layout, jobs, totals), stream)
    else:
        with sink(output) as stream:
            _write(texts.items, _Call(settings, open_format(fmt), layout, jobs, totals), stream)
    _sum_up(totals, fmt, summary, texts.batch or len(texts.items) > 1, fail_on)


def _by_engine(corpus: Corpus, settings: Settings, summary: str, fail_on: str | None) -> None:
    totals = verify_corpus(corpus, settings, _identity(settings))
    _sum_up(totals, corpus.fmt, summary, True, fail_on)


def _check_ways(resume: bool, summary: str, fmt: str, output: Path | None, receipt: Path | None) -> None:
    if resume and (fmt not in ("jsonl", "parquet") or output is None):
        raise click.UsageError("--resume adds to a file of reports: name it with --format jsonl --output FILE")
    if resume and receipt is not None:
        raise click.UsageError("a receipt is of one call, and --resume takes several: leave one of them out")
    if summary == "json" and output is None:
        raise click.UsageError("--summary json goes to stdout: name a file for the reports with --output")


def _check_engine(engine: Engine | None, fmt: str, output: Path | None, apart: Path | None) -> None:
    """:param apart: another file that is to be written"""
    shard = engine and engine.shard
    if shard is None and output is not None and output.is_dir():
        raise click.UsageError(f"{output} is a folder: name a file with --output, or --shard-size for files in it")
    if engine is None:
        if fmt == "parquet":
            raise click.UsageError("--format parquet needs --engine ray")
        return
    if fmt not in ("jsonl", "parquet"):
        raise click.UsageError("--engine ray writes JSON lines or Parquet: add --format jsonl or --format parquet")
    if apart is not None:
        raise click.UsageError("--receipt and --candidates are for one machine: leave them out, or --engine ray")
    if (fmt == "parquet" or shard is not None) and (output is None or shard is None):
        raise click.UsageError("shards go to a folder: name it with --output, and --shard-size N for texts of each")


def _identity(settings: Settings) -> dict[str, Any]:
    """Which KG is asked, in which state; empty for a document."""
    if settings.kg is None or settings.context is not None:
        return {}
    with open_store(settings.kg) as store:
        return dict(store.identity)


@dataclass(frozen=True, slots=True)
class _Call:
    """
    :param totals: every report is added to them
    :param timed: reports say how long the stages took
    """

    settings: Settings
    write: Write
    layout: Layout
    jobs: int
    totals: Totals
    timed: bool = True


def _with_receipt(receipt: Path, texts: Texts, call: _Call, output: Path | None) -> None:
    """The same by way of a file, whose digest goes into the receipt."""
    from kgstore.cli.receipts import taken

    with tempfile.TemporaryDirectory(prefix="kgstore-") as scratch:
        made = Path(scratch) / "output"
        with sink(made) as stream:
            _write(texts.items, call, stream)
        with sink(receipt) as stream:
            echo_json(taken(click.get_current_context(), call.settings, texts, made), stream)
        with sink(output) as stream:
            stream.write(made.read_text(encoding="utf-8"))


def _write(items: Sequence[Text], call: _Call, stream: TextIO) -> None:
    with counting("verifying", len(items)) as advance:

        def made() -> Iterator[tuple[Text, dict[str, Any]]]:
            for item, report in zip(items, reports(items, call.settings, call.jobs), strict=True):
                call.totals.add(report)
                tell(report)
                took = sum(report["timings_ms"].values()) / 1000
                _LOG.debug("%d characters, %d claims, %.2f s", len(item.text), len(report["claims"]), took)
                if not call.timed:
                    report["timings_ms"] = {}
                yield item, report
                advance(1)

        call.write(made(), stream, call.layout)


def _sum_up(totals: Totals, fmt: str, summary: str, several: bool, fail_on: str | None) -> None:
    """What was not read, and the totals of several texts; exits with 1 if there is what ``--fail-on`` names."""
    if fmt != "text" and totals.read.unread:
        note(totals.read.line())
    if summary == "json":
        echo_json(totals.as_dict())
    elif several:
        for line in totals.lines():
            note(line)
    if totals.read.unread if fail_on == UNREAD else fail_on and totals.worst >= list(LOOK).index(fail_on):
        click.get_current_context().exit(1)


def wanted(files: tuple[str, ...], literal: str | None) -> Texts:
    """The texts to work on; stdin if none is named and something is piped in."""
    files = _named(files, literal)
    texts = read_texts(files, literal)
    tell_left_out(texts.left_out)
    if not texts.items:
        tell_none(files)
    return texts


def _named(files: tuple[str, ...], literal: str | None) -> tuple[str, ...]:
    """The files that are named; stdin if there is nothing else to read."""
    if files or literal is not None:
        return files
    if sys.stdin.isatty():
        raise click.UsageError("no text given: name a file, - for stdin, or use --text")
    return (STDIN,)


def _document(name: str | None) -> tuple[str | None, str]:
    """The text of a document and what reports call it."""
    return (None, "the document") if name is None else (read_document(name), Path(name).name)


def _beside() -> bool:
    """Is a KG named on the command line? One that the environment names is no wish to ask two sources."""
    return click.get_current_context().get_parameter_source("kg") is ParameterSource.COMMANDLINE


def _given(option: str, value: int) -> int | None:
    """The value of an option, None where nobody gave it."""
    source = click.get_current_context().get_parameter_source(option)
    return None if source is ParameterSource.DEFAULT else value


def tell(report: dict[str, Any]) -> None:
    """What the verifier wants to be known beside the verdicts, on stderr."""
    for notice in report.get("notices", ()):
        warn(f"{report['id']}: {notice}" if report["id"] is not None else notice)
