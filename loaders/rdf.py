"""RDF files, by Oxigraph's parsers.

N-Triples and N-Quads are read line by line: a bad line is skipped and counted, the next one is read. Real dumps hold
language tags that are too long for the standard (``zh-classical``); those pass. Turtle, TriG, RDF/XML and JSON-LD
cannot be read on after an error: the load stops with file and line, and nothing of the file is kept. Single triples
in them whose IRIs are malformed are skipped and counted.

Named graphs are merged into the default graph, and counted. Blank nodes get names that are the same in every load of
a file and differ between files; the anonymous ones of Turtle and its like are numbered, which costs memory for each
of them (about 150 bytes), everything else is constant. Languages are not filtered: all names come in.

No document is fetched: not a JSON-LD context, not an XML entity. RDF/XML that defines entities is refused before it
is parsed, because a few lines of them can expand to gigabytes; harmless ones (short plain text, as Protégé writes
them) pass.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from operator import attrgetter
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

from kgstore.errors import LoadError
from kgstore.loaders.filters import Filters
from kgstore.loaders.formats import Setting
from kgstore.loaders.nesting import WATCHES, too_deep
from kgstore.loaders.prolog import PROLOG, Ahead, guard
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.sources import Source, opened

_FORMATS = {
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}
_NT, _NQ, _DEFAULT = ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS, ox.DefaultGraph()
_TRIPLE = attrgetter("triple")
_BATCH = 20_000
"""Triples of Turtle and its like in one block."""
_TOO_LONG_TAG = re.compile(rb'"@[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,20})+(?=[\s.])')
_BLANK = re.compile(rb'"(?:[^"\\\n]|\\.)*"|<[^<>\s]*>|_:([^\s<]*[^\s<.])')
_ANONYMOUS = re.compile(rb"[0-9a-f]{28,32}")
_CHARS = rb"[A-Za-z0-9._~/?=&;,+!*'()@:-]*+"
_IRI = rb"<https?://[A-Za-z0-9.-]++(?:/" + _CHARS + rb"(?:#" + _CHARS + rb")?)?>"
_TEXT = rb'"[^"\\\x00-\x1f]*+(?:\\["\\nrt][^"\\\x00-\x1f]*+)*+"'
_KIND = rb"(?:@[a-z]{2,3}+(?:-[a-z]{2})?|\^\^<http://www\.w3\.org/2001/XMLSchema#[A-Za-z]++>)?"
_USUAL = re.compile(rb"(?:%s %s (?:%s|%s%s) \.\n)*+" % (_IRI, _IRI, _IRI, _TEXT, _KIND))
"""Lines that are well-formed, told in a third of the time that a parser takes; not all such lines."""
_MERGED = "named graph: merged into the default graph"
_LISTED = 20


class RdfLoader:
    """Reads one of the RDF formats; see the module for the rules.

    :param format: ntriples, nquads, turtle, trig, rdfxml or jsonld
    :param after: lines of N-Triples or N-Quads that an earlier run has done; nothing comes of them again
    """

    def __init__(self, format: str = "ntriples", after: int = 0) -> None:
        self.format, self.suffixes, self.after = format, (f".{_FORMATS[format].file_extension}",), after

    def read(self, source: Source | Path | str, filters: Filters) -> Iterator[Block | Skipped]:
        """``statements`` counts triples; ``entities`` stays 0, as RDF has no documents to count.

        :raises LoadError: where a format other than N-Triples and N-Quads does not parse, with the line
        """
        left = filters.limit
        with opened(source) as source:
            form = _FORMATS[self.format]
            by_line = self.format in ("ntriples", "nquads")
            for item in _lines(source, form, self.after) if by_line else _document(source, self.format):
                if isinstance(item, Block) and left is not None:
                    item = _first(item, left)
                    left -= item.statements
                yield item
                if left == 0:
                    return


def _first(block: Block, count: int) -> Block:
    """As much of a block as ``count`` triples."""
    if block.statements <= count:
        return block
    data = b"".join(block.data.splitlines(True)[:count])
    return Block(data, 0, count, count, block.line, block.offset)


# -- formats of lines ------------------------------------------------------------------------------------------------


def _lines(source: Source, form: ox.RdfFormat, after: int) -> Iterator[Block | Skipped]:
    rename: Callable[[bytes], bytes] | None = None
    for line, data in source.blocks():
        if not data:
            if line > after:
                yield Skipped(line, "line is longer than 64 MB")
            continue
        if line == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
        rename = rename or _renamer(source, data)
        if not data.endswith(b"\n"):
            data += b"\n"
        if line <= after:
            done, data = _parted(data, after + 1 - line)
            if b"_:" in done:
                _checked(done, line, done.count(b"\n"), form, rename)  # for the numbers of its blank nodes
            line += done.count(b"\n")
            if not data:
                continue
        lines = data.count(b"\n")
        good, triples, merged, bad = _checked(data, line, lines, form, rename)
        yield from bad
        if merged:
            yield Skipped(None, _MERGED, count=merged)
        yield Block(good, 0, triples, triples, line + lines - 1, source.offset)


def _parted(data: bytes, lines: int) -> tuple[bytes, bytes]:
    """The first lines, and the others."""
    rest = b"".join(data.split(b"\n", lines)[lines:])
    return data[: len(data) - len(rest)], rest


def _checked(
    data: bytes, line: int, lines: int, form: ox.RdfFormat, rename: Callable[[bytes], bytes]
) -> tuple[bytes, int, int, list[Skipped]]:
    """The good lines as N-Triples, how many triples they are, how many of those were in named graphs, and what is bad.

    :param line: number of the first line
    :param lines: how many there are
    :param rename: for blank nodes, see `_renamer`
    """
    if form == _NT and _USUAL.fullmatch(data) and _is_utf8(data):
        return data, lines, 0, []  # which have no blank nodes
    good, triples, merged, bad = _parsed_lines(data, line, lines, form)
    return rename(good), triples, merged, bad


def _parsed_lines(data: bytes, line: int, lines: int, form: ox.RdfFormat) -> tuple[bytes, int, int, list[Skipped]]:
    """What `_checked` says of lines, by Oxigraph's parser."""
    try:
        if not too_deep(data):
            return *_converted(data, lines, form), []
    except SyntaxError:
        pass
    good, triples, merged, bad = [], 0, 0, []
    for number, text in enumerate(data.splitlines(keepends=True), line):
        if too_deep(text):
            bad.append(Skipped(number, "line: nested too deep", text[:80].decode("utf-8", "replace")))
            continue
        try:
            one, count, named = _converted(text, 1, form)
        except SyntaxError as error:
            try:
                one, count, named = _with_long_tag(text, form)
            except (SyntaxError, ValueError):
                reason = re.sub(r"'[^']*'|\"[^\"]*\"", "..", _message(error))  # faults of a kind count as one
                bad.append(Skipped(number, f"line: {reason}", text[:80].decode("utf-8", "replace")))
                continue
        good.append(one)
        triples += count
        merged += named
    return b"".join(good), triples, merged, _summed(bad)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _converted(data: bytes, lines: int, form: ox.RdfFormat) -> tuple[bytes, int, int]:
    """
    :raises SyntaxError: at the first bad line
    """
    if form == _NT:
        last = deque(enumerate(ox.parse(data, format=form), 1), maxlen=1)  # checks all, no loop in Python
        count = last[0][0] if last else 0
        return (data if lines == count else _without_comments(data)), count, 0
    return _written(list(ox.parse(data, format=form)))


def _written(quads: list[ox.Quad]) -> tuple[bytes, int, int]:
    """Quads as N-Triples, how many they are, and how many of them were in named graphs."""
    named = sum(quad.graph_name != _DEFAULT for quad in quads)
    return ox.serialize(map(_TRIPLE, quads), format=_NT) or b"", len(quads), named


def _without_comments(data: bytes) -> bytes:
    return b"".join(line for line in data.splitlines(True) if (bare := line.strip()) and not bare.startswith(b"#"))


def _with_long_tag(data: bytes, form: ox.RdfFormat) -> tuple[bytes, int, int]:
    """A line whose only fault is a language tag that is longer than the standard allows.

    :raises SyntaxError: if it has another fault
    """
    if not _TOO_LONG_TAG.search(data):
        raise SyntaxError
    _converted(_TOO_LONG_TAG.sub(b'"@en', data), 1, form)
    return _written(list(ox.parse(data, format=form, lenient=True)))


def _message(error: SyntaxError) -> str:
    """What a parser says, on one line, without the place, which differs from line to line."""
    said = re.sub(r"^Parser error .*?: | \(line \d+\)$", "", str(error.msg))
    return "".join(one if one.isprintable() else " " for one in said)[:300]


def _summed(bad: list[Skipped]) -> list[Skipped]:
    """The first few one by one, the rest as sums."""
    rest: dict[str, int] = {}
    for one in bad[_LISTED:]:
        rest[one.reason] = rest.get(one.reason, 0) + one.count
    return bad[:_LISTED] + [Skipped(None, reason, count=count) for reason, count in rest.items()]


# -- formats of whole documents --------------------------------------------------------------------------------------


def _document(source: Source, name: str) -> Iterator[Block | Skipped]:
    stream, form = Ahead(source), _FORMATS[name]
    stream.watch = WATCHES[name]()
    if form == ox.RdfFormat.RDF_XML:
        guard(stream, source.name)
    rename = _renamer(source, stream.head(PROLOG))
    base = f"file:///{quote(Path(source.name).name)}"
    parsed = ox.parse(stream, format=form, base_iri=base, lenient=True)  # type: ignore[arg-type]
    quads = _parsed(stream, source.name, parsed)
    while batch := list(islice(quads, _BATCH)):
        data, count, named = _written(batch)
        good, triples, _, bad = _checked(data, 1, count, _NT, rename)
        for one in bad:
            yield Skipped(None, one.reason.replace("line: ", "triple: "), one.what, one.count)
        if named:
            yield Skipped(None, _MERGED, count=named)
        yield Block(good, 0, triples, triples, 0, source.offset)


def _parsed(stream: Ahead, name: str, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    try:
        yield from quads
    except SyntaxError as error:
        why, instead = _message(error), "correct the file and load it again"
        if error.lineno is not None:
            why = f"line {error.lineno}: {why}"
        if "remote contexts" in str(error.msg):
            why, instead = "it refers to a JSON-LD context on the network", "write the context into the file"
        raise LoadError(name, why, instead) from None
    except OSError:
        raise stream.error or LoadError(name, "it cannot be read") from None


# -- blank nodes -----------------------------------------------------------------------------------------------------


def _renamer(source: Source, head: bytes) -> Callable[[bytes], bytes]:
    """A function that gives the blank nodes of N-Triples names that are this file's own.

    :param head: the beginning of the file; with its name it tells files apart
    """
    about = Path(source.name).name.encode("utf-8", "replace") + b"\0" + head[:PROLOG]
    prefix = b"f" + blake2b(about, digest_size=6).hexdigest().encode()
    numbers: dict[bytes, int] = {}

    def named(match: re.Match[bytes]) -> bytes:
        label = match[1]
        if label is None:  # a literal or an IRI: left as it is
            return match[0]
        if _ANONYMOUS.fullmatch(label):
            return b"_:%sn%d" % (prefix, numbers.setdefault(label, len(numbers)))
        return b"_:%s.%s" % (prefix, label)

    return lambda data: _BLANK.sub(named, data) if b"_:" in data else data


def loader(format: str, setting: Setting) -> RdfLoader:
    """See `kgstore.loaders.formats.Format`."""
    return RdfLoader(format, after=setting.after)
