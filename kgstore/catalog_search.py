"""Names that a person may have meant: beginnings and small slips. No index: one scan of the names in DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler
from rapidfuzz.fuzz import token_set_ratio

from kgstore.catalog_entries import NameHit

if TYPE_CHECKING:
    from kgstore.duck import Connection

_FIELDS = "n.fold, e.iri, n.name, n.kind, n.lang, n.prior"
_CANDIDATES = 500
_ENOUGH = 0.75
_LONG = 4
"""Words from so many letters on tell names apart."""


def starting(db: Connection, folded: str, k: int) -> list[NameHit]:
    """Names that begin with the text, the most popular entities first."""
    query = f"""
        SELECT {_FIELDS} FROM (
            SELECT * FROM name WHERE fold >= $text AND fold < $text || chr(1114111)
            ORDER BY entity, length(fold) LIMIT $count
        ) n JOIN entity e ON e.id = n.entity ORDER BY n.entity, length(n.fold)
    """
    rows = db.execute(query, {"text": folded, "count": 4 * k}).fetchall()
    return [NameHit(*row[1:]) for row in rows]


def similar(db: Connection, folded: str, k: int) -> list[NameHit]:
    """Names that differ from the text by a slip, that share its longest word, or that end with a word much like it."""
    slips, longest = max(1, len(folded) // 5), max(folded.split() or [folded], key=len)
    wanted = [
        "fold >= $first AND fold < $first || chr(1114111) AND length(fold) BETWEEN $shortest AND $longest"
        " AND damerau_levenshtein(fold, $text) <= $slips"
    ]
    given = {"text": folded, "first": folded[0], "slips": slips}
    given |= {"shortest": len(folded) - slips, "longest": len(folded) + slips}
    if len(longest) >= _LONG:
        wanted.append("contains(fold, $word) AND contains(' ' || fold || ' ', ' ' || $word || ' ')")
        given["word"] = longest
    if longest == folded and len(folded) > _LONG:
        wanted.append(
            "contains(fold, ' ' || $first) AND length(last) BETWEEN $shortest AND $longest"
            " AND damerau_levenshtein(last, $text) <= $slips"
        )
    query = " UNION ALL ".join(
        f"""SELECT {_FIELDS} FROM (
                SELECT *, split_part(fold, ' ', -1) last FROM name WHERE {one} ORDER BY entity LIMIT {_CANDIDATES}
            ) n JOIN entity e ON e.id = n.entity"""
        for one in wanted
    )
    scored = []
    for name, *fields in db.execute(query, given).fetchall():
        if (likeness := _likeness(folded, name)) >= _ENOUGH:
            scored.append((-likeness, name, NameHit(*fields)))
    scored.sort(key=lambda one: one[:2])
    return [hit for *_, hit in scored]


def _likeness(folded: str, name: str) -> float:
    """0 to 1; sharing words counts a little less than sharing letters."""
    return max(
        JaroWinkler.similarity(folded, name),
        DamerauLevenshtein.normalized_similarity(folded, name),
        0.9 * token_set_ratio(folded, name) / 100,
        0.9 * JaroWinkler.similarity(folded, name.rpartition(" ")[2]),
    )
