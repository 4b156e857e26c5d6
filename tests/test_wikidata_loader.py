"""Entity documents become the triples of the Wikibase RDF mapping."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pyoxigraph as ox
import pytest

from kgstore.errors import InputError
from kgstore.loaders.filters import Filters, read_ids
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.values import BadValue, date_time
from kgstore.loaders.wikidata import WikidataLoader, convert
from kgstore.prefixes import WELL_KNOWN

RESOURCES = Path(__file__).parent / "resources" / "wikidata"
EARTH = "http://www.wikidata.org/entity/Q2"
GREGORIAN, JULIAN = "http://www.wikidata.org/entity/Q1985727", "http://www.wikidata.org/entity/Q1985786"


def triples(data: bytes) -> set[ox.Triple]:
    return {quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)}


def snak(name: str, kind: str, value: Any, datatype: str) -> dict[str, Any]:
    return {"snaktype": "value", "property": name, "datatype": datatype, "datavalue": {"type": kind, "value": value}}


def item(number: int) -> dict[str, Any]:
    return {"entity-type": "item", "numeric-id": number, "id": f"Q{number}"}


def statement(main: dict[str, Any], rank: str = "normal", **more: Any) -> dict[str, Any]:
    return {"mainsnak": main, "type": "statement", "id": f"Q1$0-{hash(str(main)) % 10**9}-{rank}", "rank": rank, **more}


def document(*statements: dict[str, Any], id: str = "Q1", **more: Any) -> dict[str, Any]:
    claims: dict[str, list[Any]] = {}
    for one in statements:
        claims.setdefault(one["mainsnak"]["property"], []).append(one)
    return {"type": "item", "id": id, "labels": {}, "descriptions": {}, "aliases": {}, "claims": claims, **more}


def lines(*documents: Any) -> bytes:
    return b"[\n" + b",\n".join(orjson.dumps(one) for one in documents) + b"\n]\n"


def written(document: Any, **filters: Any) -> dict[str, list[str]]:
    """Objects by the predicate's prefixed name, of all subjects."""
    found: dict[str, list[str]] = {}
    for triple in triples(convert(lines(document), 1, Filters(**filters)).data):
        name = triple.predicate.value
        prefix = max(
            (one for one in WELL_KNOWN if name.startswith(WELL_KNOWN[one])), key=lambda one: len(WELL_KNOWN[one])
        )
        short = f"{prefix}:{name[len(WELL_KNOWN[prefix]) :]}"
        found.setdefault(short, []).append(triple.object.value)
    return {key: sorted(group) for key, group in found.items()}


def skipped(document: Any, **filters: Any) -> Counter[str]:
    counts: Counter[str] = Counter()
    for one in convert(lines(document), 1, Filters(**filters)).skipped:
        counts[one.reason] += one.count
    return counts


def test_the_mapping_is_that_of_wikidatas_own_rdf_export():
    mine = triples(convert((RESOURCES / "Q42.json").read_bytes(), 1, Filters(("en", "de", "ja", "zh-hant"))).data)
    theirs = triples((RESOURCES / "Q42.nt").read_bytes())
    assert len(theirs) == 124
    assert theirs <= mine


def test_a_statement_keeps_rank_qualifiers_and_references():
    found = written(
        document(
            statement(
                snak("P26", "wikibase-entityid", item(5), "wikibase-item"),
                qualifiers={
                    "P580": [
                        snak(
                            "P580",
                            "time",
                            {
                                "time": "+1991-11-25T00:00:00Z",
                                "timezone": 0,
                                "precision": 11,
                                "calendarmodel": GREGORIAN,
                            },
                            "time",
                        )
                    ]
                },
                references=[
                    {
                        "hash": "ab" * 20,
                        "snaks": {"P248": [snak("P248", "wikibase-entityid", item(7), "wikibase-item")]},
                    }
                ],
            )
        )
    )
    assert found["wdt:P26"] == found["ps:P26"] == ["http://www.wikidata.org/entity/Q5"]
    assert found["wikibase:rank"] == [WELL_KNOWN["wikibase"] + "NormalRank"]
    assert found["pq:P580"] == found["wikibase:timeValue"] == ["1991-11-25T00:00:00Z"]
    assert found["prov:wasDerivedFrom"] == [WELL_KNOWN["wdref"] + "ab" * 20]
    assert found["pr:P248"] == ["http://www.wikidata.org/entity/Q7"]


@pytest.mark.parametrize(
    ("ranks", "best"),
    [
        (["normal", "normal"], ["Q1", "Q2"]),
        (["normal", "preferred"], ["Q2"]),
        (["deprecated", "normal"], ["Q2"]),
        (["deprecated", "deprecated"], []),
    ],
)
def test_only_the_best_rank_is_truthy(ranks, best):
    values = [
        statement(snak("P1", "wikibase-entityid", item(at), "wikibase-item"), rank) for at, rank in enumerate(ranks, 1)
    ]
    found = written(document(*values))
    assert found.get("wdt:P1", []) == [WELL_KNOWN["wd"] + name for name in best]
    assert len(found["ps:P1"]) == 2
    truthy = written(document(*values), statements="truthy")
    assert truthy.get("wdt:P1", []) == [WELL_KNOWN["wd"] + name for name in best]
    assert "ps:P1" not in truthy


def test_truthy_keeps_the_precision_of_dates_and_the_unit_of_amounts():
    found = written(
        document(
            statement(
                snak(
                    "P569",
                    "time",
                    {"time": "+1931-00-00T00:00:00Z", "timezone": 0, "precision": 9, "calendarmodel": GREGORIAN},
                    "time",
                )
            ),
            statement(
                snak(
                    "P2048",
                    "quantity",
                    {"amount": "+1.96", "unit": "http://www.wikidata.org/entity/Q11573"},
                    "quantity",
                )
            ),
        ),
        statements="truthy",
    )
    assert found["wikibase:timePrecision"] == ["9"]
    assert found["wikibase:quantityUnit"] == ["http://www.wikidata.org/entity/Q11573"]


def test_no_value_is_a_class_and_some_value_an_iri_of_its_own():
    some = {"snaktype": "somevalue", "property": "P570", "datatype": "time"}
    found = written(
        document(
            statement({"snaktype": "novalue", "property": "P40", "datatype": "wikibase-item"}),
            statement(some),
            {**statement(some), "id": "Q1$another"},
        )
    )
    assert found["rdf:type"].count(WELL_KNOWN["wdno"] + "P40") == 2  # of the item, and of the statement
    assert len(set(found["wdt:P570"])) == 2
    assert all(value.startswith(WELL_KNOWN["genid"]) for value in found["wdt:P570"])
    assert found["wdt:P570"] == found["ps:P570"]


@pytest.mark.parametrize(
    ("stamp", "precision", "julian", "expected"),
    [
        ("+1931-05-05T00:00:00Z", 11, False, "1931-05-05T00:00:00Z"),
        ("+1931-05-00T00:00:00Z", 10, False, "1931-05-01T00:00:00Z"),
        ("+1931-00-00T00:00:00Z", 9, False, "1931-01-01T00:00:00Z"),
        ("+1931-05-05T00:00:00Z", 9, False, "1931-01-01T00:00:00Z"),
        ("+00000001994-01-01T00:00:00Z", 11, False, "1994-01-01T00:00:00Z"),
        ("+1616-04-23T00:00:00Z", 11, True, "1616-05-03T00:00:00Z"),
        ("+1616-04-23T00:00:00Z", 9, True, "1616-01-01T00:00:00Z"),
        ("+1500-02-29T00:00:00Z", 11, True, "1500-03-10T00:00:00Z"),
        ("-0044-03-15T00:00:00Z", 11, True, "-0043-03-13T00:00:00Z"),
        ("-0044-00-00T00:00:00Z", 9, False, "-0043-01-01T00:00:00Z"),
        ("-0001-00-00T00:00:00Z", 9, False, "0000-01-01T00:00:00Z"),
        ("-0500-00-00T00:00:00Z", 7, False, "-0500-01-01T00:00:00Z"),
        ("-13798000000-00-00T00:00:00Z", 3, False, "-13798000000-01-01T00:00:00Z"),
        ("+999999999999999999999999-01-01T00:00:00Z", 9, False, "999999999999999999999999-01-01T00:00:00Z"),
    ],
)
def test_a_time_becomes_a_date_of_the_proleptic_gregorian_calendar(stamp, precision, julian, expected):
    assert date_time(stamp, precision, julian) == expected


@pytest.mark.parametrize(
    ("stamp", "precision", "julian"),
    [
        ("yesterday", 11, False),
        ("+2019-02-30T00:00:00Z", 11, False),
        ("+2019-02-29T00:00:00Z", 11, False),
        ("+1500-02-29T00:00:00Z", 11, False),
        ("+2019-13-01T00:00:00Z", 11, False),
        ("+0000-00-00T00:00:00Z", 9, False),
        ("+2019-13-45T25:61:61Z", 14, False),
        ("+2019-00-00T00:00:00Z", 11, False),
        ("+2019-05-00T00:00:00Z", 11, False),
        ("+\u0661931-05-05T00:00:00Z", 11, False),
    ],
)
def test_a_day_that_never_was_is_refused(stamp, precision, julian):
    with pytest.raises(BadValue):
        date_time(stamp, precision, julian)


@pytest.mark.parametrize(
    "literal",
    [
        "-13798000000-01-01T00:00:00Z",
        "999999999999999999999999-01-01T00:00:00Z",
        "-999999999999-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_oxigraph_gives_extreme_dates_back_as_they_were(literal):
    term = f'"{literal}"^^<{WELL_KNOWN["xsd"]}dateTime>'
    store = ox.Store()
    store.bulk_load(f"<http://a> <http://b> {term} .".encode(), format=ox.RdfFormat.N_TRIPLES)
    assert [quad.object.value for quad in store] == [literal]


def test_an_amount_of_400_digits_is_kept_exactly():
    amount = "+1" + "0" * 399
    found = written(document(statement(snak("P1", "quantity", {"amount": amount, "unit": "1"}, "quantity"))))
    assert found["wdt:P1"] == [amount]
    assert found["wikibase:quantityUnit"] == [WELL_KNOWN["wd"] + "Q199"]


@pytest.mark.parametrize(
    ("kind", "value", "datatype", "expected"),
    [
        ("string", 'a "b"\\\n\r\u0000é', "string", 'a "b"\\\n\r\u0000é'),
        ("string", "http://x.org/a b|c", "url", "http://x.org/a%20b%7Cc"),
        ("string", "http://x.org/100%", "url", "http://x.org/100%25"),
        (
            "string",
            "Great coat.svg",
            "commonsMedia",
            "http://commons.wikimedia.org/wiki/Special:FilePath/Great%20coat.svg",
        ),
        ("string", "Data:Belgium.map", "geo-shape", "http://commons.wikimedia.org/data/main/Data:Belgium.map"),
        ("monolingualtext", {"text": "Ada", "language": "zh-classical"}, "monolingualtext", "Ada"),
        (
            "wikibase-entityid",
            {"entity-type": "item", "numeric-id": 5},
            "wikibase-item",
            "http://www.wikidata.org/entity/Q5",
        ),
        (
            "wikibase-entityid",
            {"entity-type": "sense", "id": "L1-S1"},
            "wikibase-sense",
            "http://www.wikidata.org/entity/L1-S1",
        ),
        (
            "globecoordinate",
            {"latitude": 51.5, "longitude": -1e-7, "precision": None, "globe": EARTH},
            "globe-coordinate",
            "Point(-0.0000001 51.5)",
        ),
        (
            "globecoordinate",
            {"latitude": 1, "longitude": 2, "globe": "http://www.wikidata.org/entity/Q405"},
            "globe-coordinate",
            "<http://www.wikidata.org/entity/Q405> Point(2 1)",
        ),
    ],
)
def test_a_value_of_each_datatype(kind, value, datatype, expected):
    assert written(document(statement(snak("P1", kind, value, datatype))))["wdt:P1"] == [expected]


@pytest.mark.parametrize(
    ("kind", "value", "datatype"),
    [
        ("string", "5 May 1931", "time"),
        ("wikibase-entityid", "Q1741", "wikibase-item"),
        ("quantity", {"amount": "many"}, "quantity"),
        ("wikibase-entityid", item(5), "no-such-datatype"),
        ("string", "no scheme", "url"),
        ("string", 5, "string"),
        ("string", "http://x.org/[", "commonsMedia-not"),
        ("quantity", {"amount": "+1", "unit": "metre"}, "quantity"),
        ("globecoordinate", {"latitude": 91, "longitude": 0}, "globe-coordinate"),
        ("globecoordinate", {}, "globe-coordinate"),
        ("time", {"time": "+1931-05-05T00:00:00Z", "precision": [], "calendarmodel": GREGORIAN}, "time"),
        ("time", {"time": "+1931-05-05T00:00:00Z", "precision": 11, "calendarmodel": "Maya"}, "time"),
        ("monolingualtext", {"text": "x", "language": "no such language"}, "monolingualtext"),
    ],
)
def test_a_bad_value_costs_its_statement_alone(kind, value, datatype):
    good = statement(snak("P2", "string", "kept", "string"))
    found = document(statement(snak("P1", kind, value, datatype)), good)
    assert sum(skipped(found).values()) == 1
    assert "wdt:P1" not in written(found) and written(found)["wdt:P2"] == ["kept"]


@pytest.mark.parametrize(
    "broken",
    [
        {"mainsnak": None},
        {"mainsnak": {}},
        [],
        None,
        "x",
        {"mainsnak": {"snaktype": "value", "property": "P1"}},
        {"mainsnak": {"snaktype": "perhaps", "property": "P1"}},
        {"mainsnak": {"snaktype": "novalue", "property": "Q1"}},
        {"mainsnak": {"snaktype": "novalue", "property": "P1"}, "rank": "best"},
    ],
)
def test_a_broken_statement_is_counted(broken):
    result = convert(lines({"type": "item", "id": "Q1", "claims": {"P1": [broken]}}), 1, Filters())
    assert sum(one.count for one in result.skipped) == 1


def test_only_chosen_languages_are_kept_and_nothing_is_left_nameless():
    names = {code: {"language": code, "value": f"in {code}"} for code in ("ru", "de", "en", "mul", "fr")}
    one = document(labels=names, descriptions=names, aliases={code: [name] for code, name in names.items()})
    assert written(one, languages=("de",))["rdfs:label"] == ["in de", "in mul"]
    assert written(one, languages=("de",))["schema:description"] == ["in de", "in mul"]
    only = document(labels={code: names[code] for code in ("ru", "fr")})
    assert written(only, languages=("de",))["rdfs:label"] == ["in fr"]


def test_filters_keep_what_was_asked_for_and_count_the_rest():
    person = statement(snak("P31", "wikibase-entityid", item(5), "wikibase-item"))
    born = statement(snak("P19", "wikibase-entityid", item(84), "wikibase-item"))
    one = document(person, born, sitelinks={"enwiki": {}, "dewiki": {}})
    assert "wdt:P31" not in written(one, properties={"P19"})
    assert written(one, types={"Q5"}) and not written(one, types={"Q7"})
    assert written(one, entities={"Q1"}) and not written(one, entities={"Q2"})
    assert written(one, min_sitelinks=2) and not written(one, min_sitelinks=3)
    assert skipped(one, types={"Q7"}) == {"filter: item of another type": 1}
    of_property = {"type": "property", "id": "P19", "datatype": "wikibase-item", "claims": {}}
    assert "wikibase:directClaim" in written(of_property, types={"Q7"}, entities=set(), min_sitelinks=9)


def test_a_property_says_how_its_predicates_hang_together():
    found = written({"type": "property", "id": "P19", "datatype": "wikibase-item", "claims": {}})
    assert found["wikibase:propertyType"] == [WELL_KNOWN["wikibase"] + "WikibaseItem"]
    assert found["wikibase:directClaim"] == [WELL_KNOWN["wdt"] + "P19"]
    assert found["wikibase:qualifier"] == [WELL_KNOWN["pq"] + "P19"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("properties", {"born"}),
        ("properties", {"Q19"}),
        ("types", {"human"}),
        ("languages", ("en!",)),
        ("limit", 0),
        ("statements", "best"),
        ("min_sitelinks", -1),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(name, value):
    with pytest.raises(InputError):
        Filters(**{name: value})


def test_a_list_of_entities_is_read_from_a_file(tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text("\ufeff# mine\nQ42 Douglas Adams\n\nwd:Q5\n", encoding="utf-8")
    assert Filters(entities=read_ids(path)).entities == {"Q42", "Q5"}
    with pytest.raises(InputError):
        read_ids(tmp_path / "none.txt")


def test_a_limit_counts_entities_exactly(tmp_path):
    path = tmp_path / "dump.json"
    path.write_bytes(lines(*({"type": "item", "id": f"Q{at}"} for at in range(1, 50))))
    items = list(WikidataLoader(1, batch=100).read(path, Filters(limit=17)))
    assert sum(one.entities for one in items if isinstance(one, Block)) == 17


def test_lexemes_are_counted():
    found = convert(lines({"type": "lexeme", "id": "L1", "lemmas": {}}), 1, Filters())
    assert found.skipped == [Skipped(2, "lexeme: not supported", "L1")] and not found.data


def test_processes_change_nothing_but_the_time(tmp_path):
    path = tmp_path / "dump.json"
    documents = [document(statement(snak("P1", "string", str(at), "string")), id=f"Q{at}") for at in range(1, 200)]
    documents[120] = {"type": "item", "id": "not an id"}
    path.write_bytes(lines(*documents))
    alone, together = (list(WikidataLoader(jobs, batch=2000).read(path, Filters())) for jobs in (1, 2))
    assert alone == together
    assert [(one.line, one.reason) for one in alone if isinstance(one, Skipped)] == [
        (122, "document: document has no readable id")
    ]
