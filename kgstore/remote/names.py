"""Names at an endpoint: exactly as a text writes them, in the ways that people vary them, and by full text.

SPARQL compares texts sign by sign. So a name is asked for as it is written, with small letters, with a capital at its
beginning, with capitals throughout, and by the longer labels that it may be a form of ("the Sava": "Sava River").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import log

from kgstore.catalog import MOST_HITS, STATED, NameHit, fold
from kgstore.remote.endpoint import EndpointFailed, Row, chunks, literal, terms
from kgstore.remote.entities import Entities
from kgstore.short_names import forms, listed

BATCH = 1_000
"""Texts of one request, each in every language."""
_MOST_WORDS = 12
_MEANT = 6
"""Of a name in capitals that no more entities bear, everything about them is likely to be asked for next."""
_ABBREVIATED = 5
"""Letters up to which a word may be an abbreviation."""
_CLOSED = re.compile(r"(?:\.[A-Z]|\b(?:Jr|Sr|Inc|Ltd|Co|Corp|Bros))$")
"""What a point may belong to that a text's end, or the reader, has taken off."""

_QL = "http://qlever.cs.uni-freiburg.de/builtin-functions/"
DIALECTS: dict[str, str] = {
    "virtuoso": "?e ?p ?name . ?name bif:contains {phrase} .",
    "qlever": f"?t <{_QL}contains-word> {{words}} . ?t <{_QL}contains-entity> ?e . ?e ?p ?name .",
    "jena": "?e <http://jena.apache.org/text#query> ({quoted}) . ?e ?p ?name .",
    "graphdb": "?e <http://www.ontotext.com/fts> {quoted} . ?e ?p ?name .",
    "scan": "?e ?p ?name . FILTER(CONTAINS(LCASE(STR(?name)), {lower}))",
}
"""How a server looks for words in texts; ``scan`` is SPARQL's own, which reads every name.

No PREFIX lines: ``bif:`` is reserved in Virtuoso, which refuses a query that declares it.
"""


class Names:
    """Look-ups of names, remembered by their folded text."""

    def __init__(self, entities: Entities, properties: Mapping[str, object]) -> None:
        self._entities, self._properties = entities, properties
        self._predicates = (*entities.profile.label, *entities.profile.alias)
        self._tags = [tag for tag in entities.tags if tag or not entities.profile.wikibase]  # Wikibase always has one
        self._known: dict[str, dict[str, NameHit]] = {}
        self._tried: set[str] = set()
        self.dialect: str | None = None

    def lookup(self, names: Iterable[str], more: bool) -> dict[str, list[NameHit]]:
        """As `kgstore.catalog.Catalog.lookup`; ``more`` is its ``forms``."""
        asked = {name: fold(name) for name in names}
        if len(self._tried) > 400_000:
            self._known.clear()
            self._tried.clear()
        new = [name for name, folded in asked.items() if not self._is_known(name, folded)]
        if new:
            self._read(new)
        bearers = {name: self._known.get(folded, {}) for name, folded in asked.items()}
        meant = [bearers[name] for name in new if more and not name.islower()]  # who reads a text asks for forms
        likely = (iri for group in meant if len(group) <= _MEANT for iri in group)
        self._entities.fetch_light((iri for group in bearers.values() for iri in group), likely)
        found = {name: self._ranked(group, more) for name, group in bearers.items()}
        return {name: hits for name, hits in found.items() if hits}

    def search(self, text: str, k: int) -> list[NameHit]:
        """Entities whose names have the words of a text, by full text where the server has it."""
        wanted = fold(text)
        hits: dict[str, NameHit] = {}
        for row in self._full_text(text, 40 * k):
            hit = self._hit(row)
            if hit is not None and (hit.iri not in hits or fold(hit.name) == wanted):
                hits[hit.iri] = hit
        self._entities.fetch_light(list(hits)[:200])
        order = sorted(hits.values(), key=lambda hit: (fold(hit.name) != wanted, -self._weight(hit.iri), hit.iri))
        return order[:k]

    def _is_known(self, name: str, folded: str) -> bool:
        """Need it not be asked for? A folded one not where the text's own spelling was."""
        return name in self._tried or name.count(" ") >= _MOST_WORDS or (name == folded and folded in self._known)

    # -- asking

    def _read(self, names: Sequence[str]) -> None:
        texts = dict.fromkeys(one for name in names for one in variants(name))
        for name in names:
            self._known.setdefault(fold(name), {})
            self._tried.add(name)
        for some in chunks(list(texts), BATCH):
            values = " ".join(literal(text, tag) for text in some for tag in self._tags)
            either = terms(self._predicates).replace(" ", ", ")  # quicker than VALUES or UNION in Virtuoso and Oxigraph
            pattern = f"VALUES ?name {{ {values} }} ?e ?p ?name FILTER(?p IN ({either}))"
            for row in self._entities.endpoint.select(f"SELECT ?e ?p ?name {{ {pattern} }}"):
                if (hit := self._hit(row)) is not None:
                    self._note(hit)

    def _note(self, hit: NameHit) -> None:
        here = self._known.setdefault(fold(hit.name), {})
        old = here.get(hit.iri)
        if old is None or old.kind not in STATED or self._rank(hit) < self._rank(old):
            here[hit.iri] = hit
        if hit.kind == "label":
            for look, written, kind in forms(hit.name):
                place = self._known.get(fold(look))
                if place is not None:
                    place.setdefault(hit.iri, NameHit(hit.iri, written, kind, hit.lang, 0.0))

    def _hit(self, row: Row) -> NameHit | None:
        iri = row["e"].value
        if iri in self._properties or row["e"].__class__.__name__ != "NamedNode":
            return None
        kind = "label" if row["p"].value in self._entities.profile.label else "alias"
        language = getattr(row["name"], "language", None) or ""
        return NameHit(iri, row["name"].value.strip(), kind, language, 0.0)

    def _rank(self, hit: NameHit) -> tuple[int, int, str]:
        tags = self._entities.tags
        return STATED.index(hit.kind), tags.index(hit.lang) if hit.lang in tags else len(tags), hit.name

    def _full_text(self, text: str, limit: int) -> list[Row]:
        """By the first dialect that the server understands, which is kept."""
        words = " ".join(text.replace("'", " ").replace('"', " ").split())
        filled = {
            "phrase": literal(" AND ".join(f"'{word}'" for word in words.split())),
            "words": literal(words.lower()), "quoted": literal(words), "lower": literal(words.lower()),
        }  # fmt: skip
        for name in [self.dialect] if self.dialect else list(DIALECTS):
            pattern = DIALECTS[name].format(**filled)
            query = (
                f"SELECT ?e ?p ?name {{ VALUES ?p {{ {terms(self._predicates)} }} {pattern} "
                f"FILTER(LANG(?name) IN ({', '.join(literal(tag) for tag in self._entities.tags)})) }} LIMIT {limit}"
            )
            try:
                rows = self._entities.endpoint.select(query)
            except EndpointFailed:
                if name == "scan" or self.dialect:
                    raise
                continue
            if rows or name == "scan":
                self.dialect = name
                return rows
        return []

    # -- weighing

    def _weight(self, iri: str) -> int:
        return sum(self._entities.weights.get(iri, (0, 0)))

    def _ranked(self, bearers: Mapping[str, NameHit], more: bool) -> list[NameHit]:
        found = []
        for formed in (False, True) if more else (False,):
            hits = [hit for hit in bearers.values() if (hit.kind not in STATED) == formed]
            weights = {hit.iri: log(2 + self._weight(hit.iri)) for hit in hits}
            total = sum(weights.values()) or 1.0
            hits.sort(key=lambda hit: (-self._weight(hit.iri), hit.iri))
            found += [NameHit(h.iri, h.name, h.kind, h.lang, round(weights[h.iri] / total, 6)) for h in hits]
        return found[:MOST_HITS]


def variants(name: str) -> list[str]:
    """How an endpoint may write a name.

    >>> variants("douglas adams"), variants("Paris")[:2]
    (['douglas adams', 'Douglas adams', 'Douglas Adams'], ['Paris', 'paris'])
    >>> "Sava River" in variants("Sava"), "The Beatles" in variants("Beatles")
    (True, True)
    >>> "Washington, D.C." in variants("Washington, D.C"), "Muse (reverse)" in variants("Muse (reverse")
    (True, True)
    """
    tidy = " ".join(name.split())
    found = [tidy, tidy.lower(), tidy[:1].upper() + tidy[1:], tidy[:1].lower() + tidy[1:]]
    if tidy.count("(") > tidy.count(")"):
        found.append(f"{tidy})")
    if _CLOSED.search(tidy):
        found.append(f"{tidy}.")
    if len(tidy) <= _ABBREVIATED:
        found.append(tidy.upper())
    if tidy.islower():
        found.append(" ".join(word[:1].upper() + word[1:] for word in tidy.split()))
    elif tidy.count(" ") < 3 and tidy[:1].isupper():
        found += [f"The {tidy}", f"{tidy} River", f"River {tidy}", f"Mount {tidy}"]
        found += _LONG.get(fold(tidy), ())
    return list(dict.fromkeys(one for one in found if one))


def _long() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for label, short in listed().items():
        for one in short:
            found[fold(one)] = (*found.get(fold(one), ()), label)
    return found


_LONG = _long()
