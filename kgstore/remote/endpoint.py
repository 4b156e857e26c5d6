"""A SPARQL 1.1 endpoint: queries out, whole answers in. Half an answer is none.

An answer counts only if it arrives whole: its announced length, JSON or XML that closes, and no sign that the server
cut it (Virtuoso's anytime and row limits). What fails for a moment (a broken connection, a busy server) is asked again
after a pause, twice as long each time; then the caller gets an error. Virtuoso writes XML in a fraction of the time
that it takes for JSON, so it is asked for that as soon as it has named itself.
"""

from __future__ import annotations

import http.client
import json
import logging
import re
import ssl
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

import orjson
import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode

from kgstore.errors import KgError
from kgstore.prefixes import WELL_KNOWN
from kgstore.remote.address import address, credentials

_log = logging.getLogger(__name__)
TIMEOUT = 60.0
"""Seconds for one answer."""
RETRIES, PAUSE = 3, 0.25
"""How often a question is asked again, and seconds before the first time."""
MOST_BYTES = 512 << 20
_BUSY = (408, 429, 500, 502, 503, 504)
_CUT = ("X-SQL-State", "X-SPARQL-MaxRows")
"""Virtuoso's headers of an answer that its time or its row limit has cut."""
_JSON, _XML = "application/sparql-results+json", "application/sparql-results+xml"
_IRI = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*')
_ODD_TAG = re.compile(rb' xml:lang="[^"]*[A-Za-z0-9]{9}[^"]*"')
"""Of a language that RDF 1.1 does not allow."""
Term = NamedNode | BlankNode | Literal
Row = dict[str, Any]
"""Terms by the name of their variable."""
Table = tuple[tuple[str, ...], list[Row]]


class EndpointFailed(KgError):
    """The endpoint cannot be reached, or gives no whole answer. Nothing was decided or written from it."""

    def __init__(self, url: str, why: str, instead: str = "see that it runs, and try again") -> None:
        super().__init__(url, why, instead)
        self.url, self.why, self.instead = url, why, instead

    def __str__(self) -> str:
        return f"the endpoint {self.url} {self.why}: {self.instead}"


class TooMuch(EndpointFailed):
    """The query takes too long, or has more rows than the server gives; a smaller one may work."""


class Endpoint:
    """One endpoint. Keeps its connection; safe for one thread.

    ``is_virtuoso`` is known after its first answer: that server writes XML much faster than JSON, and to a path between
    two variables it says a row of nothing.

    :param kg: its address, see `kgstore.remote.address`
    :raises InputError: if that is none
    """

    def __init__(self, kg: Path | str, timeout: float = TIMEOUT, retries: int = RETRIES) -> None:
        self._at, self.timeout, self.retries = address(kg), timeout, retries
        self.url = self._at.url
        self._connection: http.client.HTTPConnection | None = None
        self.requests, self.seconds = 0, 0.0
        self.is_virtuoso = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def select(self, query: str) -> list[Row]:
        """All solutions, unbound variables left out.

        :raises EndpointFailed: if they do not all arrive
        """
        return self.table(query)[1]

    def table(self, query: str) -> Table:
        """The variables of a SELECT in their order, and all solutions."""
        answer = self._ask(query, solutions=True)
        if isinstance(answer, tuple):
            return answer
        try:
            rows = [{name: _term(value) for name, value in row.items()} for row in answer["results"]["bindings"]]
            return tuple(answer.get("head", {}).get("vars", ())), rows
        except (KeyError, TypeError, ValueError, AttributeError):
            raise EndpointFailed(self.url, "answers with something else than solutions", "is it SPARQL 1.1?") from None

    def ask(self, query: str) -> bool:
        """An ASK query."""
        found = self._ask(query)
        answer = found if isinstance(found, dict) else {}
        if answer.get("head", {}).get("vars") == ["__ASK_RETVAL"]:  # so Virtuoso says yes by a row, and no by none
            return bool(answer.get("results", {}).get("bindings"))
        if not isinstance(yes := answer.get("boolean"), bool):
            raise EndpointFailed(self.url, "does not answer ASK", "check the address")
        return yes

    def _ask(self, query: str, solutions: bool = False) -> dict[str, Any] | Table:
        used = [f"PREFIX {name}: <{iri}>" for name, iri in WELL_KNOWN.items() if f"{name}:" in query]
        body = urlencode({"query": "\n".join([*used, query])}).encode()
        why = ""
        for attempt in range(self.retries + 1):
            if attempt:
                time.sleep(PAUSE * 2 ** (attempt - 1))
            started = time.monotonic()
            try:
                return self._once(body, _XML if self.is_virtuoso and solutions else _JSON)
            except ssl.SSLCertVerificationError as error:
                raise EndpointFailed(self.url, f"has no valid certificate ({error.verify_message})") from None
            except TimeoutError:
                raise TooMuch(self.url, f"gives no answer within {self.timeout:g} s", "ask for less, or wait") from None
            except (OSError, http.client.HTTPException, _Busy) as error:
                why = f"cannot be reached ({str(error) or type(error).__name__})"
                self.close()
            finally:
                self.requests += 1
                self.seconds += (took := time.monotonic() - started)
                _log.debug("request %d to %s took %.3f s", self.requests, self.url, took)
        raise EndpointFailed(self.url, why)

    def _once(self, body: bytes, accept: str) -> dict[str, Any] | Table:
        if self._connection is None:
            kind = http.client.HTTPSConnection if self._at.secure else http.client.HTTPConnection
            self._connection = kind(self._at.host, self._at.port, timeout=self.timeout)
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": accept,
            "User-Agent": "kgstore (offline claim verifier)",
            **credentials(),
        }
        try:
            self._connection.request("POST", self._at.path, body, headers)
            response = self._connection.getresponse()
            data = response.read(MOST_BYTES + 1)
            if response.status == 200 and response.length:  # less than it announced
                raise http.client.IncompleteRead(data, response.length)
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        return self._read(response, data)

    def _read(self, response: http.client.HTTPResponse, data: bytes) -> dict[str, Any] | Table:
        said = " ".join(data[:300].decode("utf-8", "replace").split())
        if response.status in (401, 403):
            instead = "set KGSTORE_SPARQL_USER and KGSTORE_SPARQL_PASSWORD, or KGSTORE_SPARQL_TOKEN"
            raise EndpointFailed(self.url, f"wants to know who asks (HTTP {response.status})", instead)
        if response.status in _BUSY:
            if "imeout" in said or "time limit" in said or "estimated execution time" in said:
                raise TooMuch(self.url, "stopped the query after its own time limit", "ask for less, or raise it there")
            if "SPARQL query:" not in said:  # so Virtuoso writes about a query that it cannot answer
                raise _Busy(f"HTTP {response.status}: {said[:120]}")
        if response.status != 200:
            raise EndpointFailed(self.url, f"refuses the query (HTTP {response.status}: {said[:200]})", "check it")
        if any(response.headers.get(name) for name in _CUT):
            raise TooMuch(self.url, "cut its answer at its own limit", "raise its row and time limits, or ask for less")
        if len(data) > MOST_BYTES:
            raise TooMuch(self.url, f"answers with more than {MOST_BYTES >> 20} MB", "ask for less")
        self.is_virtuoso = (response.headers.get("Server") or "").startswith("Virtuoso")
        try:
            if response.headers.get_content_type() == _XML:
                return _solutions(data)
            answer = orjson.loads(data)
        except (json.JSONDecodeError, SyntaxError):
            if response.headers.get_content_type() == "text/html":
                raise EndpointFailed(self.url, "is a web page and no endpoint", "add its path, as /sparql") from None
            raise _Busy("its answer breaks off") from None
        if not isinstance(answer, dict):
            raise EndpointFailed(self.url, "answers with something else than solutions", "is it SPARQL 1.1?")
        return answer


class _Busy(Exception):
    """Worth another try."""


def _solutions(data: bytes) -> Table:
    """
    :raises SyntaxError: if it is not whole
    """
    try:
        return _of_xml(data)
    except SyntaxError:
        return _of_xml(_ODD_TAG.sub(b"", data))


def _of_xml(data: bytes) -> Table:
    found = ox.parse_query_results(data, format=ox.QueryResultsFormat.XML)
    if not isinstance(found, ox.QuerySolutions):
        raise SyntaxError("no solutions")
    names = tuple(one.value for one in found.variables)
    return names, [{name: term for name, term in zip(names, row, strict=True) if term is not None} for row in found]


def _term(value: dict[str, str]) -> Term:
    text = value["value"]
    match value["type"]:
        case "uri":
            return NamedNode(text)
        case "bnode":
            return BlankNode(text)
    if "xml:lang" in value:
        try:
            return Literal(text, language=value["xml:lang"])
        except ValueError:  # "zh-classical", which real dumps hold
            return Literal(text)
    return Literal(text, datatype=NamedNode(value["datatype"])) if "datatype" in value else Literal(text)


def terms(values: Sequence[str]) -> str:
    """IRIs as a VALUES block writes them. What is none, such as a blank node, is left out: no endpoint knows it.

    >>> terms(["http://ex/a", "urn:ex:b", "http://ex/<bad>", "_:b0"])
    '<http://ex/a> <urn:ex:b>'
    """
    return " ".join(f"<{one}>" for one in values if _IRI.fullmatch(one))


def literal(text: str, language: str = "") -> str:
    """A literal as a query writes it.

    >>> literal('the "Beatles"', "en")
    '"the \\\\"Beatles\\\\""@en'
    """
    return str(Literal(text, language=language) if language else Literal(text))


def chunks(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for at in range(0, len(values), size):
        yield values[at:at + size]


def union(columns: str, parts: Sequence[str]) -> str:
    """A SELECT of whatever fits one of some patterns.

    >>> union("?s", ["?s a ?a", "?s ?b 1"])
    'SELECT ?s { { ?s a ?a } UNION { ?s ?b 1 } }'
    """
    return f"SELECT {columns} {{ {{ " + " } UNION { ".join(parts) + " } }"
