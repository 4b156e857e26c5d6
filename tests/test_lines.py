"""Lines of infoboxes, lists and tables."""

from __future__ import annotations

import pytest

from kgstore.verifier.read.lines import keyed_lines
from tests.test_clauses import NOUNS as RELATIONS
from tests.test_clauses import mentions

NOUNS = RELATIONS | {"born", "died"}


def lines(text: str) -> list[tuple]:
    found = keyed_lines(text, mentions(text), NOUNS.__contains__)
    return [(line.head and line.head.text, line.relation, [one.text for one in line.values]) for line in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Capital: Oslo", [(None, "capital", ["Oslo"])]),
        ("- **Capital**: Oslo", [(None, "capital", ["Oslo"])]),
        ("| Capital | Oslo |", [(None, "capital", ["Oslo"])]),
        ("Capital of Norway: Oslo", [("Norway", "capital", ["Oslo"])]),
        ("Facts about Norway – Capital: Oslo", [("Norway", "capital", ["Oslo"])]),
        ("Wife: Jane Roe, Mary Moe", [(None, "wife", ["Jane Roe", "Mary Moe"])]),
        ("Capital: Oslo, although Bergen is older", [(None, "capital", ["Oslo"])]),
        ("Note: Ann Smith was born in Oslo.", []),
        ("Oslo lies in Norway.", []),
        ("a: b", []),
        ("Ann Smith: born 1931, Oslo", [("Ann Smith", "born", ["1931", "Oslo"])]),
        ("- Ann Smith: born in Oslo in 1931.", [("Ann Smith", "born", ["Oslo", "1931"])]),
        (
            "Ann Smith: born 5 May 1931, Oslo; died 1999, Bergen",
            [("Ann Smith", "born", ["5 May 1931", "Oslo"]), ("Ann Smith", "died", ["1999", "Bergen"])],
        ),
        ("Ann Smith: married 1931, Oslo", []),
        ("Ann Smith: born 1931, never in Oslo", []),
        ("Ann Smith: born 1931, Oslo, or so they say", []),
        ("Ann Smith, born 1931, Oslo", []),
        ("Born: 1931. Died: 1999.", [(None, "born", ["1931"]), (None, "died", ["1999"])]),
        ("Born: 1931 Died: 1999", [(None, "born", ["1931"]), (None, "died", ["1999"])]),
        ("Ann Smith: Born: 1931; Died: 1999", [("Ann Smith", "born", ["1931"]), ("Ann Smith", "died", ["1999"])]),
        ("Ann Smith | Born: 1931 | Died: 1999", [("Ann Smith", "born", ["1931"]), ("Ann Smith", "died", ["1999"])]),
        ("Ann Smith (a writer), born: 1931, died: 1999",
         [("Ann Smith", "born", ["1931"]), ("Ann Smith", "died", ["1999"])]),
        ('{"born": "1931", "died": "1999"}', [(None, "born", ["1931"]), (None, "died", ["1999"])]),
        ("Capital: Oslo, later moved to Bergen", [(None, "capital", ["Oslo"])]),
        ("Capital: Oslo (1814), Bergen", [(None, "capital", ["Oslo", "Bergen"])]),
        ("Capital: Oslo. Ann Smith lives in Bergen.", [(None, "capital", ["Oslo"])]),
        ("Ann Smith (born: 1931, died: 1999) was a writer.", []),
        ("Capital: 12 Oslo Road", [(None, "capital", ["12", "Oslo"])]),
        ("Capital: Museum of Oslo Law", [(None, "capital", ["Museum of Oslo Law"])]),
        ("Capital: and", []),
        ("Capital: (), ;", []),
        ("| Capital | () |", []),
        ("Zorro: Capital: Oslo, born: 1931", []),  # of somebody whom nobody knows
    ],  # fmt: skip
)
def test_a_line_whose_key_names_a_relation(text, found):
    assert lines(text) == found


def test_the_span_leaves_out_the_bullet():
    text = "Norway\n- Capital: Oslo"
    (line,) = keyed_lines(text, mentions(text), NOUNS.__contains__)
    assert text[line.start : line.end] == "Capital: Oslo"
