"""``kgstore sparql``"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from kgstore.cli.options import kg_option, limit_option
from kgstore.cli.render import console, count, echo_json, note, print_table
from kgstore.cli.rows import as_csv, print_rows, rows_option
from kgstore.cli.texts import STDIN, read_texts
from kgstore.model import BlankNode, Literal, NamedNode, Triple
from kgstore.opening import open_kg
from kgstore.prefixes import compact
from kgstore.sparql import Answer, Result

Term = NamedNode | BlankNode | Literal | Triple | None
_STRING = "http://www.w3.org/2001/XMLSchema#string"


@click.command()
@click.argument("query", required=False)
@kg_option
@click.option("--file", "-f", "file", type=click.Path(path_type=Path), metavar="FILE", help="Read the query from FILE.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop the query after so long.",
)
@limit_option(10_000, "rows")
@rows_option()
def sparql(query: str | None, kg: Path, file: Path | None, timeout: float, limit: int, fmt: str) -> None:
    """Run a read-only SPARQL query.

    QUERY is the query, or - for stdin. The prefixes of the Wikidata Query Service are known without being declared, and
    its label service is answered from this KG. Nothing is written and no other server is asked.

    \b
    Example:
        kgstore sparql "SELECT ?who ?whoLabel { ?who wdt:P19 wd:Q84 .
            SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' } }" --kg small.kg
        kgstore sparql --file query.rq --format csv --kg small.kg
    """
    if (query is None) == (file is None):
        raise click.UsageError("give either a query or --file")
    text = query if query not in (None, STDIN) else read_texts([STDIN if file is None else str(file)]).items[0].text
    with open_kg(kg, note) as store:
        answer = store.query(text or "", timeout=timeout, limit=limit)
    print_answer(answer, fmt)


def print_answer(answer: Answer, fmt: str) -> None:
    """Rows, triples, or yes and no. JSON, CSV and TSV are those of the SPARQL recommendations."""
    if isinstance(answer, bool):
        if fmt == "json":
            echo_json({"head": {}, "boolean": answer})
        else:
            click.echo("true" if answer else "false")
        return
    rows: Sequence[Sequence[Term]]
    if isinstance(answer, Result):
        columns, rows = answer.columns, answer.rows
    else:
        columns, rows = ("subject", "predicate", "object"), [tuple(triple) for triple in answer.triples]
    if fmt == "json":
        echo_json(results_json(columns, rows))
    elif fmt == "tsv":
        click.echo(results_tsv(columns, rows))
    elif not print_rows(fmt, columns, [[_bare(term) for term in row] for row in rows]) and rows:
        print_table(console(), columns, [[_shown(term) for term in row] for row in rows])
    note(count(len(rows), "row") + (", and there are more: raise --limit" if answer.truncated else ""))


def results_json(columns: Sequence[str], rows: Iterable[Sequence[Term]]) -> dict[str, Any]:
    """https://www.w3.org/TR/sparql11-results-json/"""
    bindings = [{name: term_json(term) for name, term in zip(columns, row, strict=True) if term} for row in rows]
    return {"head": {"vars": columns}, "results": {"bindings": bindings}}


def results_csv(columns: Sequence[str], rows: Iterable[Sequence[Term]]) -> str:
    return as_csv(columns, [[_bare(term) for term in row] for row in rows])


def results_tsv(columns: Sequence[str], rows: Iterable[Sequence[Term]]) -> str:
    """Without the last line end."""
    return "\n".join(["\t".join(f"?{name}" for name in columns), *("\t".join(map(_typed, row)) for row in rows)])


def term_json(term: Any) -> dict[str, Any]:
    """https://www.w3.org/TR/sparql11-results-json/#select-encode-terms"""
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Triple):
        names = ("subject", "predicate", "object")
        return {"type": "triple", "value": {name: term_json(part) for name, part in zip(names, term, strict=True)}}
    if term.language:
        return {"type": "literal", "value": term.value, "xml:lang": term.language}
    datatype = term.datatype.value
    return {"type": "literal", "value": term.value, **({} if datatype == _STRING else {"datatype": datatype})}


def _bare(term: Term) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, (NamedNode, Literal)) else str(term)


def _typed(term: Term) -> str:
    return "" if term is None else str(term)


def _shown(term: Term) -> str:
    return compact(term.value) if isinstance(term, NamedNode) else _bare(term)
