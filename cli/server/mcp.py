"""The tools of `kgstore mcp`. The package mcp is imported here only.

Answers are short, as a language model pays for each word: a verdict has its reason and its first evidence; the whole
report is there on demand.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from kgstore.cli import answers
from kgstore.cli.server import work
from kgstore.cli.server.asking import fitting
from kgstore.cli.server.desks import Desk, Desks
from kgstore.cli.server.errors import Refused, refusal
from kgstore.cli.server.settings import Settings
from kgstore.cli.verdicts import STATEMENT_ID
from kgstore.errors import KgError
from kgstore.model import NamedNode
from kgstore.prefixes import compact
from kgstore.sparql import Answer, Result

Json = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")
EVIDENCE = 3
"""Statements that are shown of each verdict."""
ROWS = 1_000
"""Statements, entities or rows in an answer at most."""
INSTRUCTIONS = """\
What an offline knowledge graph knows, and whether a text agrees with it. verify labels each claim of a text:
attributable (the graph supports it), contradictory (the graph says otherwise) or extrapolatory (the graph cannot
decide). Sentences in which no claim was read are listed under unread: they are not verified. Entities are named by
label ("Douglas Adams") or by id ("Q42")."""
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Text = Annotated[str, Field(description="A text in English, plain or Markdown.")]
Name = Annotated[str, Field(description="A name, an id such as Q42, or an IRI.", min_length=1, max_length=1000)]
Most = Annotated[int, Field(description="At most so many.", ge=1, le=ROWS)]


def server(settings: Settings) -> MCPServer[Any]:
    """A server of one KG, with one verifier that is made when it starts and kept."""
    held: list[Desks] = []

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        held[:] = [desks] = [Desks(settings)]
        warming = asyncio.ensure_future(desks.warm())  # the client need not wait; a call stands behind it in the queue
        warming.add_done_callback(lambda done: done.cancelled() or done.exception())  # the first call meets it, too
        try:
            yield
        finally:
            warming.cancel()
            desks.close()

    made = _Server(
        "kgstore",
        title="kgstore",
        instructions=f"The graph is called {next(iter(settings.named))}. {INSTRUCTIONS}",
        version=version("kgstore"),
        lifespan=lifespan,
        log_level="WARNING",
    )
    for tool in _Tools(lambda: held[0], settings.limits.text).every():
        made.add_tool(_plainly(tool), annotations=READS)
    return made


class _Server(MCPServer[Any]):
    async def call_tool(self, name: str, arguments: Json, context: Any = None) -> Any:
        """Arguments that do not fit are said in one line, which names them."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors()]
            raise ToolError(f"{'; '.join(wrong)}: see the schema of {name} and call it again") from None


def _plainly(tool: Callable[P, Awaitable[Json]]) -> Callable[P, Awaitable[Json]]:
    """Errors that end with what to do next go to the client; a bug goes to the log, and the client is told so."""

    @wraps(tool)
    async def told(*arguments: P.args, **named: P.kwargs) -> Json:
        try:
            return await tool(*arguments, **named)
        except (KgError, Refused) as error:
            raise ToolError(refusal(error).message) from error

    return told


class _Tools:
    """What a client may call: see `every`.

    :param most: characters of a text
    """

    def __init__(self, desks: Callable[[], Desks], most: int) -> None:
        self.desks, self.most = desks, most

    def every(self) -> list[Callable[..., Awaitable[Json]]]:
        return [self.verify, self.correct, self.entity, self.facts, self.path, self.search, self.sparql]

    async def _done(self, job: Callable[[Desk], T]) -> T:
        return await self.desks().run(None, job)

    async def verify(
        self, text: Text, full: Annotated[bool, Field(description="The whole report, schema kgstore.report/1.")] = False
    ) -> Json:
        """Check every claim of a text against the knowledge graph: verdicts, reasons, evidence, corrections."""
        report = await self._done(lambda desk: work.verified(desk, fitting(text, self.most)))
        return report if full else brief(report)

    async def correct(self, text: Text) -> Json:
        """Correct what the knowledge graph contradicts in a text, by edits that are verified again."""
        made = await self._done(lambda desk: work.corrected(desk, fitting(text, self.most)))
        return {key: made[key] for key in ("corrected", "edits", "withheld", "label")}

    async def entity(self, name: Name) -> Json:
        """What an entity is known by: id, names, description, types."""
        told: list[str] = []
        found = await self._done(lambda desk: answers.entity_answer(desk.store, name, told.append))
        return {**found, "notes": told}

    async def facts(
        self,
        entity: Name,
        property: Annotated[str | None, Field(description="Only this property, by name or id (P19).")] = None,
        incoming: Annotated[bool, Field(description="Statements about others whose value it is.")] = False,
        limit: Most = 50,
    ) -> Json:
        """The statements about an entity, with ranks and qualifiers, what people ask for first."""
        told: list[str] = []

        def job(desk: Desk) -> Json:
            found = answers.facts_about(desk.store, entity, property, incoming, False, limit, told.append)
            about, statements, more = found
            listed = answers.facts_answer(statements, desk.store)
            return {"entity": compact(about.iri), "label": about.label, "statements": listed, "truncated": more}

        return {**await self._done(job), "notes": told}

    async def path(
        self,
        start: Name,
        end: Name,
        hops: Annotated[int, Field(description="Longest chain.", ge=1, le=3)] = 3,
        limit: Annotated[int, Field(description="At most so many chains.", ge=1, le=20)] = 4,
    ) -> Json:
        """The shortest chains of statements between two entities."""
        told: list[str] = []

        def job(desk: Desk) -> Json:
            found = answers.paths_between(desk.store, start, end, hops, limit, told.append)[1]
            return {"paths": [answers.path_answer(one, desk.store) for one in found]}

        return {**await self._done(job), "notes": told}

    async def search(
        self,
        text: Annotated[str, Field(description="A name, or what to look for.", min_length=1, max_length=1000)],
        by: Literal["name", "meaning", "both"] = "both",
        limit: Most = 10,
    ) -> Json:
        """Find entities by name, also misspelt, and statements by meaning if the graph has vectors of them."""
        return await self._done(lambda desk: answers.search_answer(desk.store, text, by, limit))

    async def sparql(
        self, query: Annotated[str, Field(description="SELECT, ASK, CONSTRUCT or DESCRIBE.")], limit: Most = 100
    ) -> Json:
        """Run a read-only SPARQL query. The prefixes of the Wikidata Query Service (wd:, wdt:, p: ..) are known."""
        return rows(await self.desks().query(None, fitting(query, self.most)), limit)


def brief(report: Json) -> Json:
    """What a reader needs of a report: each claim with its verdict and why, and what was not read."""
    claims = []
    for claim in report["claims"]:
        shown = {key: claim[key] for key in ("start", "end", "text", "triple", "label", "confidence")}
        shown["why"] = STATEMENT_ID.sub("", claim.get("explanation") or claim.get("why_not") or "")
        shown["evidence"] = [
            {"statement": " · ".join(one["labels"]), "id": one["statement"], "role": one["role"]}
            for one in claim["evidence"][:EVIDENCE]
        ]
        if claim.get("correction"):
            shown["correction"] = claim["correction"]
        claims.append(shown)
    coverage = report["coverage"]
    unread = [{"text": report["text"][one["start"] : one["end"]], "why": one["why"]} for one in coverage["unread"]]
    return {
        "label": report["label"],
        "claims": claims,
        "sentences": coverage["sentences"],
        "read": coverage["read"],
        "unread": unread,
        "kg": report["kg"],
        "notices": list(report.get("notices", ())),
    }


def rows(answer: Answer, limit: int) -> Json:
    """Yes or no, or columns and rows: ids for entities, values for literals, null for what is unbound."""
    if isinstance(answer, bool):
        return {"answer": answer}
    if isinstance(answer, Result):
        columns, found = list(answer.columns), answer.rows
    else:
        columns, found = ["subject", "predicate", "object"], [tuple(triple) for triple in answer.triples]
    return {
        "columns": columns,
        "rows": [[_term(term) for term in row] for row in found[:limit]],
        "truncated": answer.truncated or len(found) > limit,
    }


def _term(term: Any) -> str | None:
    if term is None:
        return None
    return compact(term.value) if isinstance(term, NamedNode) else getattr(term, "value", str(term))
