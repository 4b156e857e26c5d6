"""Names that a person may have meant: prefixes and small slips. No index: one scan of the names in DuckDB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler
from rapidfuzz.fuzz import token_set_ratio

from kgstore.catalog import NameHit

if TYPE_CHECKING:
    from kgstore.duck import Connection

_FIELDS = "n.fold, e.iri, n.name, n.kind, n.lang, n.prior"
_CANDIDATES = 500
_ENOUGH = 0.75


def starting(db: Connection, folded: str, k: int) -> list[NameHit]:
    """Names that begin with the text, the most popular entities first."""
    query = f"""
        SELECT {_FIELDS} FROM (
            SELECT * FROM name WHERE fold >= $text AND fold < $text || chr(1114111) ORDER BY entity LIMIT $count
        ) n JOIN entity e ON e.id = n.entity ORDER BY n.entity
    """
    rows = db.execute(query, {"text": folded, "count": 4 * k}).fetchall()
    return [NameHit(*row[1:]) for row in rows]


def similar(db: Connection, folded: str, k: int) -> list[NameHit]:
    """Names that differ from the text by a slip, or that share its longest word; most similar first."""
    slips, longest = max(1, len(folded) // 5), max(folded.split() or [folded], key=len)
    query = f"""
        SELECT {_FIELDS} FROM (
            SELECT * FROM name WHERE fold >= $first AND fold < $first || chr(1114111)
                AND length(fold) BETWEEN $length - $slips AND $length + $slips
                AND damerau_levenshtein(fold, $text) <= $slips
            ORDER BY entity LIMIT {_CANDIDATES}
        ) n JOIN entity e ON e.id = n.entity
        UNION ALL
        SELECT {_FIELDS} FROM (
            SELECT * FROM name WHERE length($longest) > 3 AND contains(' ' || fold || ' ', ' ' || $longest || ' ')
            ORDER BY entity LIMIT {_CANDIDATES}
        ) n JOIN entity e ON e.id = n.entity
    """
    given = {"text": folded, "first": folded[0], "length": len(folded), "slips": slips, "longest": longest}
    scored = []
    for name, *fields in db.execute(query, given).fetchall():
        likeness = max(
            JaroWinkler.similarity(folded, name),
            DamerauLevenshtein.normalized_similarity(folded, name),
            0.9 * token_set_ratio(folded, name) / 100,
        )
        if likeness >= _ENOUGH:
            scored.append((-likeness, name, NameHit(*fields)))
    scored.sort(key=lambda one: one[:2])
    return [hit for *_, hit in scored]
