"""How the properties of a remote graph behave: counted once by the endpoint, kept in a local file with its date.

Of a property with more than `SAMPLED` statements that many are looked at, in the order in which the server gives them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import orjson
from platformdirs import user_cache_path
from pyoxigraph import NamedNode

from kgstore import layout
from kgstore.catalog import Property, property_of_row
from kgstore.catalog_properties import COUNTS, LEAST_SHARE, Declared, declared, time_query
from kgstore.prefixes import WELL_KNOWN, compact
from kgstore.profile import SKOS, SKOS_CONCEPT, WIKIDATA, Profile, named
from kgstore.remote.endpoint import Endpoint, Row, TooMuch, chunks, terms
from kgstore.remote.entities import links_of

SAMPLED, SUBJECTS = 200_000, 50_000
"""Statements, and subjects with all their values, that are looked at of a property with more statements."""
LARGE = 50_000_000
"""Triples from which entities are weighed by their sitelinks and statements, because counting links takes too long."""
HUB = 500
"""Links of one property from which an entity's links are counted here, once, instead of with every look-up."""
_TOGETHER, _ROWS = 200, 100_000
"""Properties of one request, and statements of all of them."""
_HUBS = 20
"""Entities of one request that counts the links of each."""
_WD, _WDT, _P, _GENID = (WELL_KNOWN[prefix] for prefix in ("wd", "wdt", "p", "genid"))
_TIMES = ("dateTime", "date", "gYear", "gYearMonth", "DateTime", "Date")
_NUMBERS = ("decimal", "double", "integer", "float", "int", "long", "nonNegativeInteger", "Number", "Integer", "Float")
_KINDS = {**dict.fromkeys(_TIMES, "time"), **dict.fromkeys(_NUMBERS, "quantity"), "wktLiteral": "coordinate",
          "Geometry": "coordinate", "anyURI": "url", "boolean": "boolean", "langString": "text"}  # fmt: skip
FORMAT = 4
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class Behaviour:
    """What was counted.

    :param counts: how many triples each predicate has
    :param hubs: how many links the most linked entities have
    :param made: when, as the manifest writes it
    """

    def __init__(
        self, profile: Profile, counts: dict[str, int], properties: dict[str, Property], hubs: dict[str, int], made: str
    ) -> None:
        self.profile, self.counts, self.properties, self.hubs, self.made = profile, counts, properties, hubs, made

    @property
    def triples(self) -> int:
        return sum(self.counts.values())

    @property
    def age_days(self) -> int:
        return (datetime.now(UTC) - datetime.fromisoformat(self.made)).days

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(orjson.dumps([self.made, self.counts], option=orjson.OPT_SORT_KEYS)).hexdigest()


def folder_of(url: str) -> Path:
    """Where everything that was found out about an endpoint is kept."""
    return user_cache_path("kgstore", appauthor=False) / "remote" / hashlib.sha256(url.encode()).hexdigest()[:16]


def behaviour(
    endpoint: Endpoint, languages: Sequence[str], folder: Path, report: Callable[[str], None], anew: bool = False
) -> Behaviour:
    """What is kept, else counted now and kept; a count that breaks off keeps nothing.

    :raises EndpointFailed: if the endpoint does not answer all of it
    """
    file = folder / f"properties-{'-'.join(languages)}.json"
    if not anew and file.is_file():
        kept = orjson.loads(file.read_bytes())
        if kept.get("format") == FORMAT and kept["url"] == endpoint.url:
            rows = {row["iri"]: property_of_row(row) for row in kept["properties"]}
            return Behaviour(named(kept["profile"]), kept["counts"], rows, kept["hubs"], kept["made"])
    report(f"counting how the properties of {endpoint.url} behave; this is done once")
    counts = {row["p"].value: int(row["n"].value) for row in endpoint.select(COUNTS)}
    profile = _profile(counts, endpoint)
    counting = _Counting(endpoint, profile, counts, languages, report)
    made = Behaviour(profile, counts, counting.all(), counting.hubs(), layout.now())
    folder.mkdir(parents=True, exist_ok=True)
    layout.write_json(file, {
        "format": FORMAT, "url": endpoint.url, "profile": profile.name, "made": made.made, "counts": counts,
        "hubs": made.hubs, "properties": [asdict(one) for one in made.properties.values()],
    })  # fmt: skip
    return made


def profile_of(endpoint: Endpoint) -> Profile:
    """The built-in profile that fits an endpoint whose properties need not be counted."""
    if endpoint.ask("ASK { ?p wikibase:directClaim ?direct }"):
        return WIKIDATA
    return _profile({row["p"].value: 1 for row in endpoint.select("SELECT DISTINCT ?p { ?s ?p ?o }")}, endpoint)


def _profile(counts: dict[str, int], endpoint: Endpoint) -> Profile:
    """The built-in profile that fits, as `kgstore.profile.detect` finds it in a graph."""
    if any(iri.startswith(_WDT) for iri in counts):
        return WIKIDATA
    if any(one in counts for one in SKOS.label[:1]) or endpoint.ask(f"ASK {{ ?s a <{SKOS_CONCEPT}> }}"):
        return SKOS
    schema = sum(n for iri, n in counts.items() if iri.startswith(("http://schema.org/", "https://schema.org/")))
    return named("schema") if schema > counts.get(named("rdfs").label[0], 0) else named("rdfs")


class _Solutions:
    """What `kgstore.catalog_properties.declared` asks of a graph."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def solutions(self, query: str) -> list[Row]:
        return self._endpoint.select(query)


class _Counting:
    def __init__(
        self, endpoint: Endpoint, profile: Profile, counts: dict[str, int], languages: Sequence[str],
        report: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._endpoint, self._profile, self._counts, self._report = endpoint, profile, counts, report
        self._tags = tuple(dict.fromkeys((*languages, "mul", "")))
        self._facts: dict[str, dict] = {}
        self._found: dict[str, Declared] = {}

    def all(self) -> dict[str, Property]:
        self._found = declared(_Solutions(self._endpoint), self._profile, self._counts)
        self._facts = {iri: {"iri": iri, "value_kinds": {}} for iri in self._found}
        used = sorted((one.predicate for one in self._found.values() if one.triples), key=lambda p: self._counts[p])
        small = [one for one in used if self._counts[one] <= SAMPLED]
        groups = [*self._groups(small), *([one] for one in used if self._counts[one] > SAMPLED)]
        for number, group in enumerate(groups):
            self._report(f"counting properties: {number + 1} of {len(groups)}")
            self._count(group)
        self._names()
        dates = self._dates() if self._profile.wikibase else {}
        return {iri: self._property(iri, one, dates) for iri, one in self._found.items()}

    def _groups(self, predicates: Iterable[str]) -> list[list[str]]:
        """What is counted together."""
        found, rows = [list[str]()], 0
        for one in predicates:
            rows += self._counts[one]
            if len(found[-1]) == _TOGETHER or (found[-1] and rows > _ROWS):
                found.append([])
                rows = self._counts[one]
            found[-1].append(one)
        return found

    def hubs(self) -> dict[str, int]:
        """How many links those entities have that are the value of many statements of one property."""
        if sum(self._counts.values()) >= LARGE:
            return {}
        linking = [one for one in self._found.values() if one.triples >= HUB and "entity" in self._kinds_of(one)]
        found: dict[str, None] = {}
        for group in self._groups(one.predicate for one in linking):
            self._report("counting the links of what many things are linked to")
            query = f"SELECT ?p ?o (COUNT(*) AS ?n) {{ VALUES ?p {{ {terms(group)} }} ?s ?p ?o FILTER(ISIRI(?o)) }} "
            query += f"GROUP BY ?p ?o HAVING(COUNT(*) >= {HUB})"
            with suppress(TooMuch):  # then it is counted with each look-up
                found.update((row["o"].value, None) for row in self._rows(query))
        links = f"{links_of('?s', self._profile)} }} GROUP BY ?s"
        counts: dict[str, int] = {}
        for some in chunks(list(found), _HUBS):
            with suppress(TooMuch):
                query = f"SELECT ?s (COUNT(?q) AS ?n) {{ VALUES ?s {{ {terms(some)} }} {links}"
                counts.update((row["s"].value, _int(row["n"])) for row in self._endpoint.select(query) if "s" in row)
        return counts

    def _kinds_of(self, one: Declared) -> dict[str, float]:
        return self._of(one.predicate)["value_kinds"]

    def _count(self, group: Sequence[str]) -> None:
        try:
            self._measure(group)
        except TooMuch:
            if len(group) == 1:
                raise
            half = len(group) // 2
            self._count(group[:half])
            self._count(group[half:])

    def _of(self, predicate: str) -> dict:
        return self._facts[self._profile.property_of(predicate)]

    def _measure(self, group: Sequence[str]) -> None:
        whole = some = f"VALUES ?p {{ {terms(group)} }} ?s ?p ?o"
        if len(group) == 1 and self._counts[group[0]] > SAMPLED:
            some = f"BIND(<{group[0]}> AS ?p) {{ SELECT ?s ?o {{ ?s <{group[0]}> ?o }} LIMIT {SAMPLED} }}"
            whole = f"{{ SELECT DISTINCT ?s {{ ?s <{group[0]}> ?x }} LIMIT {SUBJECTS} }} {whole}"
        for row in self._rows(_per_side("?s", whole)):
            fact = self._of(row["p"].value)
            fact.update(subjects=_int(row["n"]), statements=_int(row["all"]))
            fact["functionality"] = round(_int(row["one"]) / _int(row["n"]), 4)
        for row in self._rows(_per_side("?o", some)):
            fact = self._of(row["p"].value)
            fact.update(objects=_int(row["n"]), inverse_functionality=round(_int(row["one"]) / _int(row["n"]), 4))
        self._kinds(some)
        types = "|".join(f"<{one}>" for one in self._profile.type)
        self._types(group, f"SELECT ?p ?t (COUNT(DISTINCT ?s) AS ?n) {{ {whole} . ?s {types} ?t }} GROUP BY ?p ?t", "s")
        self._types(group, f"SELECT ?p ?t (COUNT(DISTINCT ?o) AS ?n) {{ {some} . ?o {types} ?t }} GROUP BY ?p ?t", "o")
        for row in self._rows(f"SELECT ?p (COUNT(*) AS ?n) {{ {some} FILTER(ISIRI(?o)) ?o ?p ?s }} GROUP BY ?p"):
            self._of(row["p"].value)["mirrored"] = _int(row["n"])

    def _kinds(self, some: str) -> None:
        wd = f'STRSTARTS(STR(?o), "{_WD}")' if self._profile.wikibase else "true"
        kind = f'IF(ISBLANK(?o), "blank", IF(ISIRI(?o), IF({wd}, "entity", IF(STRSTARTS(STR(?o), "{_GENID}"), '
        kind += '"unknown", "url")), STR(DATATYPE(?o))))'
        counted: dict[str, dict[str, int]] = {}
        for row in self._rows(f"SELECT ?p ?k (COUNT(*) AS ?n) {{ {some} BIND({kind} AS ?k) }} GROUP BY ?p ?k"):
            name = row["k"].value if "k" in row else ""
            name = name if "/" not in name else _KINDS.get(name.replace("#", "/").rpartition("/")[2], "string")
            here = counted.setdefault(row["p"].value, {})
            here[name] = here.get(name, 0) + _int(row["n"])
        for predicate, kinds in counted.items():
            fact, total = self._of(predicate), sum(kinds.values())
            order = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
            fact["value_kinds"] = {name: round(n / total, 4) for name, n in order}
            fact["linked"] = kinds.get("entity", 0)

    def _types(self, group: Sequence[str], query: str, side: str) -> None:
        found: dict[str, list[tuple[int, str]]] = {}
        for row in self._rows(query):
            if isinstance(row["t"], NamedNode):
                found.setdefault(row["p"].value, []).append((-_int(row["n"]), row["t"].value))
        for predicate, types in found.items():
            fact = self._of(predicate)
            every = fact.get("subjects" if side == "s" else "objects", 0)
            best = [[iri, round(-n / every, 4)] for n, iri in sorted(types) if every and -n >= LEAST_SHARE * every]
            fact["subject_types" if side == "s" else "object_types"] = best

    def _names(self) -> None:
        names = (*self._profile.label, *self._profile.alias, *self._profile.description)
        tags, either = ", ".join(f'"{tag}"' for tag in self._tags), terms(names).replace(" ", ", ")
        for some in chunks(list(self._found), 400):
            query = f"SELECT ?s ?p ?o {{ VALUES ?s {{ {terms(some)} }} ?s ?p ?o FILTER(?p IN ({either})) "
            rows = list(self._rows(f"{query} FILTER(LANG(?o) IN ({tags})) }}"))
            rows.sort(key=lambda row: (self._tags.index(getattr(row["o"], "language", None) or ""), row["o"].value))
            for row in rows:
                fact, text = self._facts[row["s"].value], _CONTROL.sub(" ", row["o"].value).strip()
                if row["p"].value in self._profile.label:
                    fact.setdefault("label", text)
                    fact.setdefault("also", []).append(text)
                elif row["p"].value in self._profile.alias:
                    fact.setdefault("also", []).append(text)
                else:
                    fact.setdefault("description", text)

    def _dates(self) -> dict[str, int]:
        query = f"SELECT ?p (COUNT(DISTINCT ?st) AS ?n) {{ {{ {time_query(self._profile)} }} }} GROUP BY ?p"
        return {row["p"].value: _int(row["n"]) for row in self._rows(query)}

    def _property(self, iri: str, one: Declared, dates: dict[str, int]) -> Property:
        fact, kinds = self._facts[iri], self._facts[iri]["value_kinds"]
        label = fact.get("label") or compact(iri)
        nodes = one.nodes or one.triples
        dated = min(1.0, dates.get(_P + iri.removeprefix(_WD), 0) / nodes) if nodes else 0.0
        row = {
            **asdict(Property(iri, label)), **one.says,
            **{key: fact[key] for key in fact.keys() & asdict(Property("", "")).keys()},
            "label": label,
            "aliases": [name for name in dict.fromkeys(fact.get("also", ())) if name != label],
            "datatype": one.datatype or max(sorted(kinds), key=kinds.__getitem__, default=""),
            "inverse": one.inverse, "time_qualified": round(dated, 4), "statements": one.triples,
            "symmetric_share": round(fact.get("mirrored", 0) / fact["linked"], 4) if fact.get("linked") else 0.0,
        }  # fmt: skip
        for side, said in one.types.items():
            counted = [pair for pair in fact.get(side, ()) if pair[0] not in said]
            row[side] = [*([kind, 1.0] for kind in sorted(said)), *counted]
        return property_of_row(row)

    def _rows(self, query: str) -> Iterator[Row]:
        return (row for row in self._endpoint.select(query) if "p" in row)


def _per_side(side: str, some: str) -> str:
    """Of each property how many subjects (or values) it has, and how many of them once."""
    each = f"SELECT ?p {side} (COUNT(*) AS ?times) {{ {some} }} GROUP BY ?p {side}"
    sums = "(COUNT(*) AS ?n) (SUM(?times) AS ?all) (SUM(IF(?times = 1, 1, 0)) AS ?one)"
    return f"SELECT ?p {sums} {{ {{ {each} }} }} GROUP BY ?p"


def _int(term: object) -> int:
    return int(float(term.value))  # type: ignore[attr-defined]
