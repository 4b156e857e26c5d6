"""What is declared of properties (read from the graph) and how they behave in it (counted in DuckDB)."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from kgstore.catalog_entries import Property
from kgstore.duck import Connection, quote, tsv
from kgstore.model import NamedNode
from kgstore.prefixes import WELL_KNOWN, compact

if TYPE_CHECKING:
    from kgstore.profile import Profile

_WD, _WDT, _P, _PQ, _RDFS, _OWL = (WELL_KNOWN[prefix] for prefix in ("wd", "wdt", "p", "pq", "rdfs", "owl"))
_WIKIBASE, _XSD = WELL_KNOWN["wikibase"], WELL_KNOWN["xsd"]
_DATATYPES = {
    "WikibaseItem": "entity", "WikibaseProperty": "property", "Time": "time", "Quantity": "quantity",
    "String": "string",
    "Monolingualtext": "text", "GlobeCoordinate": "coordinate", "Url": "url", "ExternalId": "external-id",
    "CommonsMedia": "media", "WikibaseLexeme": "lexeme", "WikibaseForm": "form", "WikibaseSense": "sense",
}  # fmt: skip
_DECLARES = {
    f"{_OWL}FunctionalProperty": ("single_valued", True),
    f"{_OWL}SymmetricProperty": ("symmetric", True),
    f"{_OWL}AsymmetricProperty": ("symmetric", False),
    f"{_OWL}TransitiveProperty": ("transitive", True),
    f"{_WD}Q19474404": ("single_valued", True),  # single-value constraint
    f"{_WD}Q52060874": ("single_valued", True),  # single-best-value constraint
    f"{_WD}Q21510857": ("single_valued", False),  # multi-value constraint
    f"{_WD}Q21510862": ("symmetric", True),  # symmetric constraint
    f"{_WD}Q18647518": ("symmetric", True),  # instance of: symmetric property
    f"{_WD}Q18647519": ("symmetric", False),  # instance of: asymmetric property
    f"{_WD}Q18647515": ("transitive", True),  # instance of: transitive property
}
_REIFIED = tuple(WELL_KNOWN["rdf"] + part for part in ("subject", "predicate", "object"))
_SCHEMA = (_OWL, *_REIFIED, f"{_RDFS}domain", f"{_RDFS}range", f"{_RDFS}isDefinedBy")
LEAST_SHARE = 0.02
"""Share of its subjects, or its values, from which a type is one that a property joins: the eight most frequent ones
were too few for what joins all kinds of things ("elevation above sea level"), and too many for what joins persons."""
FIRST_OTHER = 20_000
"""Ranks of names from here on belong to languages that were not chosen, see `kgstore.catalog_build`."""
_COLUMNS = {
    **dict.fromkeys(("iri", "label", "description", "datatype", "inverse"), "VARCHAR"),
    **dict.fromkeys(("statements", "subjects", "objects"), "BIGINT"),
    **dict.fromkeys(("functionality", "inverse_functionality", "symmetric_share", "time_qualified"), "DOUBLE"),
    **dict.fromkeys(("single_valued", "symmetric", "transitive"), "BOOLEAN"),
}
COUNTS = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"
"""How many triples each predicate has: one scan of numbers, no look-up of any text but the predicates'."""


@dataclass(slots=True)
class Declared:
    """A property as the graph describes it.

    :param triples: how many simple triples it has; ``nodes``: how many statement nodes, of any rank
    :param types: declared classes of its subjects and of its values
    """

    predicate: str
    triples: int = 0
    nodes: int = 0
    datatype: str = ""
    inverse: str | None = None
    says: dict[str, bool] = field(default_factory=dict)
    types: dict[str, set[str]] = field(default_factory=lambda: {"subject_types": set(), "object_types": set()})


class Solving(Protocol):
    """What answers a SELECT."""

    def solutions(self, sparql: str, /) -> Iterable[Any]: ...


def declared(graph: Solving, profile: Profile, counts: dict[str, int]) -> dict[str, Declared]:
    """All properties by IRI, sorted: those with statements and those with only a document of their own.

    :param counts: how many triples each predicate has
    """
    if profile.wikibase:
        found = {profile.property_of(iri): Declared(iri, n) for iri, n in counts.items() if iri.startswith(_WDT)}
        _wikibase(graph, found)
        for iri, one in found.items():
            one.nodes = counts.get(_P + iri.removeprefix(_WD), 0)
    else:
        names = set(_not_stated(profile))
        found = {
            iri: Declared(iri, n) for iri, n in counts.items() if iri not in names and not iri.startswith(_SCHEMA)
        }
        _plain(graph, profile, found)
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0])))


def _not_stated(profile: Profile) -> tuple[str, ...]:
    return (*profile.label, *profile.alias, *profile.description, *profile.subproperty, *profile.inverse)


def stated(profile: Profile) -> str:
    """SQL for whether `declared` takes a predicate for a property with statements: ``q``, the IRI in angle brackets."""
    if profile.wikibase:
        return f"starts_with(q, '<{_WDT}')"
    names = [f"q <> {quote(f'<{iri}>')}" for iri in dict.fromkeys(_not_stated(profile))]
    schema = [f"NOT starts_with(q, '<{one}')" for one in _SCHEMA]
    return "(" + " AND ".join(["starts_with(q, '<')", *names, *schema]) + ")"


def counted(file: Path) -> dict[str, int]:
    """The answer to `COUNTS`, whose file goes."""
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    file.unlink()
    return {predicate[1:-1]: int(count) for predicate, count in lines}


def _wikibase(graph: Solving, found: dict[str, Declared]) -> None:
    documents = "SELECT ?p ?direct ?type { ?p wikibase:directClaim ?direct . ?p wikibase:propertyType ?type }"
    for row in graph.solutions(documents):
        kind = row["type"].value.removeprefix(_WIKIBASE)
        one = found.setdefault(row["p"].value, Declared(row["direct"].value))
        one.datatype = _DATATYPES.get(kind, kind.lower())
    for what in ("P1696", "P2302", "P31"):
        for row in graph.solutions(f"SELECT ?p ?value {{ ?p wikibase:propertyType ?any . ?p wdt:{what} ?value }}"):
            known, value = found.get(row["p"].value), row["value"]
            if known is None or not isinstance(value, NamedNode):
                continue
            if what == "P1696":
                known.inverse = min(filter(None, (known.inverse, value.value)))
            elif declares := _DECLARES.get(value.value):
                known.says[declares[0]] = declares[1] or known.says.get(declares[0], False)
    of_types = {f"{_WD}Q21503250": "subject_types", f"{_WD}Q21510865": "object_types"}
    classes = """SELECT ?p ?what ?class { ?p p:P2302 ?st . ?st ps:P2302 ?what ; wikibase:rank ?rank ; pq:P2308 ?class .
        FILTER(?rank != wikibase:DeprecatedRank) }"""
    for row in graph.solutions(classes):
        known, side = found.get(row["p"].value), of_types.get(row["what"].value)
        if known is not None and side is not None and isinstance(row["class"], NamedNode):
            known.types[side].add(row["class"].value)
    constraints = """SELECT ?p ?what ?other {
        ?p p:P2302 ?st . ?st ps:P2302 ?what ; wikibase:rank ?rank . FILTER(?rank != wikibase:DeprecatedRank)
        { ?st pq:P2306 ?other BIND(1 AS ?is) } UNION { ?st pq:P4155 ?other BIND(2 AS ?is) }
        FILTER(?is = 1 && ?what = wd:Q21510855 || ?is = 2 && ?what IN (wd:Q19474404, wd:Q52060874)) }"""
    for row in graph.solutions(constraints):
        known = found.get(row["p"].value)
        if known is not None and row["what"].value == f"{_WD}Q21510855":
            known.inverse = known.inverse or row["other"].value
        elif known is not None:  # single only among statements that share a qualifier, the "separator"
            known.says.pop("single_valued", None)


def _plain(graph: Solving, profile: Profile, found: dict[str, Declared]) -> None:
    kinds = " ".join(f"<{iri}>" for iri in _DECLARES if iri.startswith(_OWL))
    for row in graph.solutions(f"SELECT ?p ?what {{ VALUES ?what {{ {kinds} }} ?p a ?what }}"):
        if (one := found.get(row["p"].value)) is not None:
            name, value = _DECLARES[row["what"].value]
            one.says[name] = value
    for side, predicate in (("subject_types", "domain"), ("object_types", "range")):
        for row in graph.solutions(f"SELECT ?p ?class {{ ?p <{_RDFS}{predicate}> ?class FILTER(ISIRI(?class)) }}"):
            kind = row["class"].value
            if (one := found.get(row["p"].value)) is not None and not kind.startswith((_XSD, _OWL, _RDFS)):
                one.types[side].add(kind)
    for predicate in profile.inverse:
        for row in graph.solutions(f"SELECT ?a ?b {{ ?a <{predicate}> ?b FILTER(ISIRI(?a) && ISIRI(?b)) }}"):
            for here, there in ((row["a"].value, row["b"].value), (row["b"].value, row["a"].value)):
                if here in found and found[here].inverse is None:
                    found[here].inverse = there


def time_query(profile: Profile) -> str:
    """Every pair of a statement node with a date among its qualifiers, and the predicate that leads to it."""
    dates = " ".join(f"<{_PQ}{iri.removeprefix(_WD)}>" for iri in (*profile.start, *profile.end, *profile.at))
    return f"SELECT ?st ?p {{ VALUES ?q {{ {dates} }} ?st ?q ?date . ?any ?p ?st }}"


def measure(db: Connection, properties: dict[str, Declared], dated: Future[Path] | None, path: Path) -> None:
    """Write the properties to a file, one JSON object a line, and to the table ``property``."""
    iris = [f"<{iri}>" for iri in properties]
    facts: dict[int, dict] = {number: {"value_kinds": {}} for number in range(len(iris))}
    db.execute("CREATE TEMP TABLE mine AS SELECT unnest(range(len($1))) p, hash(unnest($1)) h", [iris])
    _names(db, facts)
    _counts(db, facts)
    _types(db, facts)
    dates = _dates(db, dated) if dated is not None else {}
    usual = asdict(Property("", ""))
    with path.open("wb") as file:
        for number, (iri, one) in enumerate(properties.items()):
            fact, kinds = facts[number], facts[number]["value_kinds"]
            fact["datatype"] = one.datatype or max(sorted(kinds), key=kinds.__getitem__, default="")
            fact["inverse"] = one.inverse
            for side, declared in one.types.items():
                counted = [pair for pair in fact.get(side, ()) if pair[0] not in declared]
                fact[side] = [*([kind, 1.0] for kind in sorted(declared)), *counted]
            nodes = one.nodes or one.triples
            dated_nodes = dates.get(_P + iri.removeprefix(_WD), 0)
            fact["time_qualified"] = round(min(1.0, dated_nodes / nodes), 4) if nodes else 0.0
            fact["label"] = fact.get("label") or compact(iri)
            row = {**usual, **one.says, **{key: value for key, value in fact.items() if value is not None}, "iri": iri}
            file.write(orjson.dumps(row) + b"\n")
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in _COLUMNS.items())
    db.execute(f"""
        CREATE TABLE property AS SELECT mine.p AS id, one.* FROM mine
        JOIN read_json({quote(str(path))}, format='newline_delimited', columns={{{columns}}}) one
        ON hash('<' || one.iri || '>') = mine.h ORDER BY id
    """)


def _names(db: Connection, facts: dict[int, dict]) -> None:
    for p, label, description in db.execute("SELECT p, label, description FROM mine JOIN shown USING (h)").fetchall():
        facts[p].update(label=label, description=description)
    aliases = db.execute(f"""
        SELECT p, list(text ORDER BY rank, text) FROM (
            SELECT p, text, min(rank) rank FROM mine JOIN name_raw USING (h) JOIN shown USING (h)
            WHERE kind <= 1 AND rank < {FIRST_OTHER} AND text <> coalesce(label, '') GROUP BY p, text
        ) GROUP BY p
    """)
    for p, texts in aliases.fetchall():
        facts[p]["aliases"] = texts


def _counts(db: Connection, facts: dict[int, dict]) -> None:
    db.execute("CREATE TEMP TABLE of_subject AS SELECT p, s, count(*) n FROM link GROUP BY p, s")
    db.execute("CREATE TEMP TABLE of_object AS SELECT p, o, any_value(kind) kind, count(*) n FROM link GROUP BY p, o")
    per_side = "SELECT p, count(*), sum(n)::BIGINT, round(count(*) FILTER (n = 1) / count(*), 4) FROM {} GROUP BY p"
    for p, subjects, statements, share in db.execute(per_side.format("of_subject")).fetchall():
        facts[p].update(subjects=subjects, statements=statements, functionality=share)
    for p, objects, _, share in db.execute(per_side.format("of_object")).fetchall():
        facts[p].update(objects=objects, inverse_functionality=share)
    kinds = db.execute("SELECT p, kind, count(*) n FROM link GROUP BY p, kind ORDER BY n DESC, kind")
    for p, kind, count in kinds.fetchall():
        facts[p]["value_kinds"][kind] = round(count / facts[p]["statements"], 4)
    mirrored = db.execute("""
        SELECT p, round(count(back.p) / count(*), 4)
        FROM edge LEFT JOIN (SELECT p, o AS s, s AS o FROM edge) back USING (p, s, o) GROUP BY p
    """)
    for p, share in mirrored.fetchall():
        facts[p]["symmetric_share"] = share


def _types(db: Connection, facts: dict[int, dict]) -> None:
    for name, table, side, only in (
        ("subject_types", "of_subject", "s", "true"), ("object_types", "of_object", "o", "kind = 'entity'")
    ):
        found = db.execute(f"""
            SELECT p, list((iri, round(n / every, 4)) ORDER BY n DESC, entity.id) FROM (
                SELECT p, kind_of.o t, count(*) n FROM {table} link JOIN hashed ON h = link.{side}
                JOIN kind_of ON kind_of.s = hashed.id WHERE {only} GROUP BY ALL
            ) JOIN (SELECT p, count(*) every FROM {table} WHERE {only} GROUP BY p) USING (p)
            JOIN entity ON entity.id = t WHERE n >= {LEAST_SHARE} * every GROUP BY p
        """)
        for p, types in found.fetchall():
            facts[p][name] = [list(one) for one in types]


def _dates(db: Connection, dated: Future[Path]) -> dict[str, int]:
    """How many statement nodes of each ``p:`` predicate have a date among their qualifiers."""
    file = dated.result()
    source = tsv(file, st="VARCHAR", p="VARCHAR")
    found = db.execute(f"SELECT p[2:-2], count(DISTINCT hash(st)) FROM {source} GROUP BY p").fetchall()
    file.unlink()
    return dict(found)
