"""What a query needs before Oxigraph can answer it: refuse what would write or leave the machine, and put the Wikidata
Query Service's own inventions (label service, optimiser hints, named sub-queries) into standard SPARQL.

All of it works on tokens, so that a word in a string, a comment or an IRI is never taken for a keyword.

The label service becomes a call of a function (`LABEL`) at the end of its group; the query service, too, runs it last.
As there, a variable bound elsewhere is left alone, and a label missing in all languages becomes the entity's id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kgstore.errors import QueryRefused, QuerySyntax
from kgstore.prefixes import WELL_KNOWN

LEDGER = "urn:kgstore:ledger"
LABEL = "urn:kgstore:label"
"""``LABEL(?x, predicate, "en,de")``; see `kgstore.sparql_child`."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | \#[^\n\r]*)
  | (?P<iri><(?:[^<>"{}|^`\\\x00-\x20]|\\[uU][0-9A-Fa-f]+)*>)
  | (?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
      | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*')
  | (?P<var>[?$]\w+)
  | (?P<name>(?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:(?:[\w:%]|\\.)(?:(?:[\w:.%-]|\\.)*(?:[\w:%-]|\\.))?)?
      | _:\w(?:[\w.-]*[\w-])?)
  | (?P<word>[^\W\d]\w*)
  | (?P<named>%\w+)
  | (?P<other>@[A-Za-z]+(?:-[A-Za-z0-9]+)* | [0-9]+ | .)
    """,
    re.VERBOSE | re.DOTALL,
)
_READS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_WRITES = ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH")
_ENDINGS = (("AltLabel", "skos:altLabel"), ("Label", "rdfs:label"), ("Description", "schema:description"))
_DAY = re.compile(r"""(["'])(\+?\d{4,}-\d\d-\d\d)\1""")


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.upper() in words


@dataclass(frozen=True, slots=True)
class Query:
    """A query that may run: ``text`` for Oxigraph, and whether it asks for the ledger by name."""

    text: str
    ledger: bool


def prepare(text: str, languages: Sequence[str] = ("en",)) -> Query:
    """
    :param languages: what ``[AUTO_LANGUAGE]`` stands for, best first
    :raises QueryRefused: if it is an update, or asks another server or file
    """
    tokens = _tokens(text)
    prefixes = _prologue(tokens)
    tokens = _with_close_brackets(_with_inlined_queries(_with_whole_dates(tokens, prefixes)))
    tokens = _without_hints(tokens, prefixes)
    if any(token.text == "\\" for token in tokens):
        raise QuerySyntax("a backslash stands outside of strings and names")
    if any(token.is_word("FROM") for token in tokens):
        raise QueryRefused("FROM names a graph outside this KG", "leave the FROM lines out: a KG is one graph")
    while (at := next((at for at, token in enumerate(tokens) if token.is_word("SERVICE")), None)) is not None:
        tokens = _without_service(tokens, at, prefixes, languages)
    return Query("".join(token.text for token in tokens), any(token.text == f"<{LEDGER}>" for token in tokens))


def _tokens(text: str) -> list[Token]:
    return [Token(match.lastgroup or "other", match.group()) for match in _TOKEN.finditer(text)]


def _prologue(tokens: list[Token]) -> dict[str, str]:
    """The prefixes in force; refuses what is no query."""
    prefixes, solid = dict(WELL_KNOWN), [token for token in tokens if token.kind != "space"]
    at = 0
    while at < len(solid) and solid[at].is_word("PREFIX", "BASE"):
        if solid[at].is_word("PREFIX") and at + 2 < len(solid):
            prefixes[solid[at + 1].text.removesuffix(":")] = solid[at + 2].text[1:-1]
            at += 1
        at += 2
    if at < len(solid) and solid[at].is_word(*_WRITES):
        raise QueryRefused(f"{solid[at].text.upper()} would write", "a KG is changed by `kgstore load` only")
    if at >= len(solid) or not solid[at].is_word(*_READS):
        raise QuerySyntax("it must start with SELECT, ASK, CONSTRUCT or DESCRIBE (after PREFIX lines)")
    return prefixes


def _iri(token: Token, prefixes: dict[str, str]) -> str | None:
    if token.kind == "iri":
        return token.text[1:-1]
    prefix, colon, local = token.text.partition(":")
    return prefixes[prefix] + local if token.kind == "name" and colon and prefix in prefixes else None


# -- places in a list of tokens ------------------------------------------------------------


def _next(tokens: list[Token], at: int) -> int:
    """The place of the next token that is no space; the end if there is none."""
    while at < len(tokens) and tokens[at].kind == "space":
        at += 1
    return at


def _closing(tokens: list[Token], opening: int, pair: str = "{}") -> int:
    depth = 0
    for at in range(opening, len(tokens)):
        if tokens[at].text in pair and tokens[at].kind == "other":
            depth += 1 if tokens[at].text == pair[0] else -1
            if depth == 0:
                return at
    raise QuerySyntax(f"a {pair[0]!r} is never closed")


def _opening(tokens: list[Token], inside: int) -> int:
    """The brace that opens the group around a place, -1 at the top."""
    depth = 0
    for at in range(inside - 1, -1, -1):
        if tokens[at].kind == "other" and tokens[at].text in "{}":
            depth += 1 if tokens[at].text == "}" else -1
            if depth < 0:
                return at
    return -1


# -- small things that only the query service knows ------------------------------------------------------------


def _with_whole_dates(tokens: list[Token], prefixes: dict[str, str]) -> list[Token]:
    """``"2015-01-01"^^xsd:dateTime`` gets its midnight, without which it is no valid dateTime."""
    tokens = list(tokens)
    for at, token in enumerate(tokens[:-3]):
        day = _DAY.fullmatch(token.text) if token.kind == "string" else None
        typed = tokens[at + 1].text == tokens[at + 2].text == "^"
        if day and typed and _iri(tokens[at + 3], prefixes) == WELL_KNOWN["xsd"] + "dateTime":
            tokens[at] = replace(token, text=f'"{day[2].removeprefix("+")}T00:00:00Z"')
    return tokens


def _with_close_brackets(tokens: list[Token]) -> list[Token]:
    """``CONCAT (..)`` and ``COALESCE (..)`` lose the blank, which SPARQL allows and Oxigraph's parser does not."""
    tokens = list(tokens)
    for at, token in enumerate(tokens):
        opening = _next(tokens, at + 1)
        if token.is_word("CONCAT", "COALESCE") and at + 1 < opening < len(tokens) and tokens[opening].text == "(":
            tokens.insert(at + 1, tokens.pop(opening))
    return tokens


def _with_inlined_queries(tokens: list[Token]) -> list[Token]:
    """``WITH { .. } AS %name`` and ``INCLUDE %name``: the sub-query is put where it is included."""
    named: dict[str, list[Token]] = {}
    at = 0
    while at < len(tokens):
        opening = _next(tokens, at + 1)
        if tokens[at].is_word("WITH") and opening < len(tokens) and tokens[opening].text == "{":
            closing = _closing(tokens, opening)
            as_word = _next(tokens, closing + 1)
            name = _next(tokens, as_word + 1)
            if name < len(tokens) and tokens[as_word].is_word("AS") and tokens[name].kind == "named":
                named[tokens[name].text] = tokens[opening : closing + 1]
                tokens = tokens[:at] + tokens[name + 1 :]
                continue
        at += 1
    for _ in named:  # one may include another
        for at in range(len(tokens) - 1, -1, -1):
            name = _next(tokens, at + 1)
            if tokens[at].is_word("INCLUDE") and name < len(tokens) and tokens[name].text in named:
                tokens = tokens[:at] + named[tokens[name].text] + tokens[name + 1 :]
    return tokens


def _without_hints(tokens: list[Token], prefixes: dict[str, str]) -> list[Token]:
    """Triples like ``hint:Query hint:optimizer "None" .`` speak to another engine."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        before = next((token for token in reversed(kept) if token.kind != "space"), None)
        starts = before is not None and before.text in ("{", "}", ")", ".", ";") and tokens[at].kind in ("name", "iri")
        if starts and (_iri(tokens[at], prefixes) or "").startswith(WELL_KNOWN["hint"]):
            while at < len(tokens) and tokens[at].text not in (".", "}"):
                at += 1
            at += at < len(tokens) and tokens[at].text == "."
            continue
        kept.append(tokens[at])
        at += 1
    return kept


# -- the label service ------------------------------------------------------------


def _without_service(
    tokens: list[Token], at: int, prefixes: dict[str, str], languages: Sequence[str]
) -> list[Token]:
    """Replace the SERVICE at a place by an empty group, and bind what it would have bound at the end of its group."""
    place = _next(tokens, at + 1)
    if place < len(tokens) and tokens[place].is_word("SILENT"):
        place = _next(tokens, place + 1)
    opening = _next(tokens, place + 1)
    if opening >= len(tokens) or tokens[opening].text != "{":
        raise QuerySyntax("SERVICE needs a name and a group in braces")
    if _iri(tokens[place], prefixes) != WELL_KNOWN["wikibase"] + "label":
        why = f"SERVICE {tokens[place].text} asks another server"
        raise QueryRefused(why, "only SERVICE wikibase:label is answered here")
    closing = _closing(tokens, opening)
    wanted, binds = _service_body(tokens[opening + 1 : closing], prefixes, languages)
    lines = sum(token.text.count("\n") for token in tokens[at : closing + 1])
    hole = [Token("other", "{"), Token("other", "}"), Token("space", "\n" * lines)]  # keeps line numbers in messages
    tokens = tokens[:at] + hole + tokens[closing + 1 :]
    group = _opening(tokens, at)
    if group < 0:
        raise QuerySyntax("SERVICE stands outside of any group")
    where = _where(tokens, at)
    binds = binds or _automatic(tokens, where)
    for base, predicate, label in binds:
        inner = tokens[group : _closing(tokens, group)]
        here = any(token.kind == "var" and token.text[1:] == base[1:] for token in inner)
        end = _closing(tokens, group if here else where)
        bind = f' BIND(<{LABEL}>({base}, <{predicate}>, "{wanted}") AS {label})'
        tokens = tokens[:end] + _tokens(bind) + tokens[end:]
    return tokens


def _service_body(
    body: list[Token], prefixes: dict[str, str], languages: Sequence[str]
) -> tuple[str, list[tuple[str, str, str]]]:
    """The languages asked for, and the explicit ``?x rdfs:label ?name`` triples."""
    wanted: list[str] = []
    binds: list[tuple[str, str, str]] = []
    for subject, predicate, value in _triples(body):
        if _iri(subject, prefixes) == WELL_KNOWN["bd"] + "serviceParam":
            if _iri(predicate, prefixes) == WELL_KNOWN["wikibase"] + "language" and value.kind == "string":
                wanted += [one.strip() for one in value.text.strip("\"'").split(",")]
        elif subject.kind == "var" and value.kind == "var" and (iri := _iri(predicate, prefixes)):
            binds.append((subject.text, iri, value.text))
        else:
            raise QuerySyntax(f"SERVICE wikibase:label does not know {subject.text} {predicate.text} {value.text}")
    codes: list[str] = []
    for code in wanted or ["[AUTO_LANGUAGE]"]:
        codes += languages if code == "[AUTO_LANGUAGE]" else [code.lower()]
    return ",".join(dict.fromkeys(re.sub(r"[^\w-]", "", code) for code in codes)), binds


def _triples(body: list[Token]) -> Iterator[tuple[Token, Token, Token]]:
    triple: list[Token] = []
    for token in [*(token for token in body if token.kind != "space"), Token("other", ".")]:
        if token.text not in (".", ";", ","):
            triple.append(token)
            continue
        if len(triple) == 3:
            yield triple[0], triple[1], triple[2]
        elif token.text == "," or len(triple) > 1:
            raise QuerySyntax("SERVICE wikibase:label holds an unfinished triple")
        triple = triple[: ".;,".index(token.text)]


def _where(tokens: list[Token], at: int) -> int:
    """The brace that opens the WHERE of the nearest query around a place."""
    opening = _opening(tokens, at)
    while (outer := _opening(tokens, opening)) >= 0:
        if tokens[_next(tokens, outer + 1)].is_word("SELECT"):
            break
        opening = outer
    return opening


def _automatic(tokens: list[Token], where: int) -> list[tuple[str, str, str]]:
    """``?xLabel`` and its like that the query mentions and nothing in it binds."""
    outer = _opening(tokens, where)
    start, stop = (outer, _closing(tokens, outer)) if outer >= 0 else (0, len(tokens))
    end = _closing(tokens, where)
    mentioned: dict[str, None] = {}
    bound: set[str] = set()
    present: set[str] = set()
    parentheses = 0
    for at in range(start, stop):
        token, inside = tokens[at], where < at < end
        if token.kind == "other" and token.text in "()":
            parentheses += 1 if token.text == "(" else -1
        elif token.kind == "var":
            if inside:
                present.add("?" + token.text[1:])
            before = next((one for one in reversed(tokens[start:at]) if one.kind != "space"), token)
            if before.is_word("AS") or (inside and parentheses == 0):
                bound.add("?" + token.text[1:])
            else:
                mentioned["?" + token.text[1:]] = None
    binds = []
    for label in mentioned:
        for ending, predicate in _ENDINGS:
            base = label.removesuffix(ending)
            if base != label and label not in bound and base in present:
                prefix, _, local = predicate.partition(":")
                binds.append((base, WELL_KNOWN[prefix] + local, label))
                break
    return binds
