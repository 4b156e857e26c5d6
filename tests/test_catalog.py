"""What a catalog says about a small graph, and that it says it of any text that a graph can hold."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import duckdb
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgstore import catalog_build, extract
from kgstore.catalog import MOST_HITS, Catalog, fold
from kgstore.catalog_build import build_catalog
from kgstore.errors import IndexMissing, StoreError
from kgstore.extract import Extractor
from kgstore.graph import Graph
from kgstore.lines import key
from kgstore.prefixes import WELL_KNOWN, expand
from kgstore.profile import RDFS, SKOS, WIKIDATA, Profile

PREFIXES = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in {**WELL_KNOWN, "ex": "http://ex/"}.items())
WIKI = """
wd:Q1 rdfs:label "Ada Lovelace"@en, "Ada Lovelace"@de, "Ada, comtesse de Lovelace"@fr ; wdt:P31 wd:Q5 ; wdt:P19 wd:Q84 ;
    skos:altLabel "Countess of Lovelace"@en, "Augusta Ada King"@en, "Gräfin"@de ; wikibase:sitelinks 100 ;
    schema:description "mathematician"@en, "Mathematikerin"@de ; wdt:P569 "1815-12-10T00:00:00Z"^^xsd:dateTime ;
    wdt:P26 wd:Q2 ; p:P26 wds:a ; wdt:P856 <http://ada.example/> ; wdt:P2048 1.6 ; wdt:P800 "notes"@en .
wds:a ps:P26 wd:Q2 ; pq:P580 "1835-01-01T00:00:00Z"^^xsd:dateTime ; pq:P582 "1852-01-01T00:00:00Z"^^xsd:dateTime ;
    wikibase:rank wikibase:NormalRank .
wd:Q2 rdfs:label "William King"@en ; wdt:P31 wd:Q5 ; wdt:P26 wd:Q1 ; p:P26 wds:b ; wdt:P19 wd:Q84, wd:Q85 .
wds:b ps:P26 wd:Q1 ; wikibase:rank wikibase:NormalRank .
wd:Q3 rdfs:label "Ada Lovelace"@en ; wdt:P31 wd:Q6 .
wd:Q5 rdfs:label "human"@mul ; wdt:P279 wd:Q7 .
wd:Q7 rdfs:label "Lebewesen"@de ; wdt:P279 wd:Q8, wd:Q5 . wd:Q8 wdt:P279 wd:Q9 .
wd:Q84 rdfs:label "London"@en ; wdt:P31 wd:Q515 ; wdt:P17 <http://www.wikidata.org/.well-known/genid/x> .
wd:P26 a wikibase:Property ; wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P26 ;
    rdfs:label "spouse"@en, "Gatte"@de ; skos:altLabel "wife"@en, "husband"@en ; schema:description "partner"@en ;
    wdt:P2302 wd:Q21510862, wd:Q21510855 ; p:P2302 wds:c ; wdt:P1659 wd:P19 .
wds:c ps:P2302 wd:Q21510855 ; pq:P2306 wd:P26 ; wikibase:rank wikibase:NormalRank .
wd:P569 wikibase:propertyType wikibase:Time ; wikibase:directClaim wdt:P569 ; wdt:P2302 wd:Q19474404 .
wd:P2048 wikibase:propertyType wikibase:Quantity ; wikibase:directClaim wdt:P2048 ; wdt:P2302 wd:Q19474404 ;
    p:P2302 wds:d .
wds:d ps:P2302 wd:Q19474404 ; pq:P4155 wd:P585 ; wikibase:rank wikibase:NormalRank .
wd:P279 wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P279 ; wdt:P31 wd:Q18647515 ;
    wdt:P1696 wd:P999 .
wd:P999 wikibase:propertyType wikibase:ExternalId ; wikibase:directClaim wdt:P999 .
"""


def graph_of(turtle: str, path: Path | None = None) -> Graph:
    quads = ox.parse((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
    graph = Graph(path)
    graph.bulk_load([ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES)])
    return graph


def catalog_of(turtle: str, folder: Path, profile: Profile = RDFS, languages: tuple[str, ...] = ("en",)) -> Catalog:
    build_catalog(graph_of(turtle), profile, folder / "catalog.duckdb", languages)
    return Catalog(folder / "catalog.duckdb")


@pytest.fixture(scope="module")
def wiki(tmp_path_factory):
    with catalog_of(WIKI, tmp_path_factory.mktemp("wiki"), WIKIDATA) as catalog:
        yield catalog


def wd(text: str) -> str:
    return expand(text)


# -- entities ------------------------------------------------------------------------------------


def test_an_entity_has_label_description_types_and_counts(wiki: Catalog):
    ada = wiki.entity(wd("Q1"))
    assert ada is not None
    assert (ada.label, ada.description, ada.types) == ("Ada Lovelace", "mathematician", (wd("Q5"),))
    assert (ada.degree, ada.sitelinks) == (4, 100)  # born in, instance of, spouse both ways
    assert wiki.at(ada.index) == ada


@pytest.mark.parametrize(("iri", "label"), [("Q5", "human"), ("Q7", "Lebewesen"), ("Q85", "Q85")])
def test_a_label_falls_back_to_mul_then_any_language_then_the_id(wiki: Catalog, iri: str, label: str):
    assert wiki.entity(wd(iri)).label == label


def test_the_first_language_that_has_a_label_is_shown(tmp_path: Path):
    with catalog_of(WIKI, tmp_path, WIKIDATA, ("fr", "de", "en")) as catalog:
        assert catalog.entity(wd("Q1")).label == "Ada, comtesse de Lovelace"
        assert catalog.entity(wd("Q1")).description == "Mathematikerin"
        assert catalog.entity(wd("Q84")).label == "London"


@pytest.mark.parametrize("iri", ["wds:a", "http://ada.example/", "http://www.wikidata.org/.well-known/genid/x", "Q999"])
def test_statements_pages_and_unknown_values_are_no_entities(wiki: Catalog, iri: str):
    assert wiki.entity(expand(iri)) is None


def test_many_entities_come_at_once_and_those_unknown_are_left_out(wiki: Catalog):
    assert set(wiki.entities([wd("Q1"), wd("Q999"), wd("Q2"), wd("Q1")])) == {wd("Q1"), wd("Q2")}
    assert wiki.entities([]) == {}


def test_numbers_follow_popularity_without_gaps(wiki: Catalog):
    everybody = [wiki.at(index) for index in range(len(wiki))]
    assert [one.index for one in everybody] == list(range(len(wiki)))
    weights = [one.degree + one.sitelinks for one in everybody]
    assert weights == sorted(weights, reverse=True)


def test_supertypes_are_all_classes_above_with_their_distance_also_in_a_circle(wiki: Catalog):
    assert wiki.supertypes(wd("Q5")) == {wd("Q5"): 0, wd("Q7"): 1, wd("Q8"): 2, wd("Q9"): 3}
    assert wiki.supertypes(wd("Q5"), depth=1) == {wd("Q5"): 0, wd("Q7"): 1}
    assert wiki.supertypes(wd("Q999")) == {wd("Q999"): 0}


def test_instance_types_are_those_stated(wiki: Catalog):
    assert wiki.instance_types(wd("Q1")) == (wd("Q5"),)
    assert wiki.instance_types(wd("Q999")) == ()


# -- names ---------------------------------------------------------------------------------------


def test_a_name_leads_to_all_its_bearers_the_most_popular_first(wiki: Catalog):
    found = wiki.lookup(["ada  LOVELACE"])["ada  LOVELACE"]
    assert [hit.iri for hit in found] == [wd("Q1"), wd("Q3")]
    assert sum(hit.prior for hit in found) == pytest.approx(1, abs=1e-5)
    assert found[0].prior > found[1].prior > 0
    assert (found[0].name, found[0].kind, found[0].lang) == ("Ada Lovelace", "label", "en")


def test_every_name_is_keyed_as_it_was_given_and_unknown_ones_are_left_out(wiki: Catalog):
    found = wiki.lookup(["Countess of Lovelace", "COUNTESS OF LOVELACE", "nobody", ""])
    assert set(found) == {"Countess of Lovelace", "COUNTESS OF LOVELACE"}
    assert found["Countess of Lovelace"] == found["COUNTESS OF LOVELACE"]
    assert found["Countess of Lovelace"][0].kind == "alias"


def test_only_names_of_the_chosen_languages_are_found_and_labels_that_are_shown(wiki: Catalog, tmp_path: Path):
    assert set(wiki.lookup(["Gräfin", "human", "Lebewesen", "Ada, comtesse de Lovelace"])) == {"human", "Lebewesen"}
    with catalog_of(WIKI, tmp_path, WIKIDATA, ("en", "de")) as german:
        assert set(german.lookup(["grafin", "human", "Lebewesen"])) == {"grafin", "human", "Lebewesen"}


def test_properties_are_not_among_the_names(wiki: Catalog):
    assert wiki.lookup(["spouse", "wife"]) == {}
    assert wiki.entity(wd("P26")).label == "spouse"


def test_a_common_name_leads_to_the_fifty_most_popular(tmp_path: Path):
    people = "".join(f'ex:{i} rdfs:label "John Smith" ; ex:knows ex:0 .\n' for i in range(MOST_HITS + 9))
    with catalog_of(people, tmp_path) as catalog:
        hits = catalog.lookup(["John Smith"])["John Smith"]
        assert len(hits) == MOST_HITS
        assert hits[0].iri == "http://ex/0"


def test_two_names_with_one_hash_are_told_apart(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("kgstore.lines.key", lambda text: 7)
    real = catalog_build.save_keys
    monkeypatch.setattr(catalog_build, "save_keys", lambda path, keys, rows: real(path, keys * 0 + 7, rows))
    with catalog_of('ex:a rdfs:label "one" . ex:b rdfs:label "two" .', tmp_path) as catalog:
        assert [catalog.lookup([name])[name][0].iri for name in ("one", "two")] == ["http://ex/a", "http://ex/b"]
        assert catalog.lookup(["three"]) == {}
        assert catalog.entity("http://ex/b").label == "two"


# -- search --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first"),
    [("ada lovelace", "Q1"), ("Ada Lovelce", "Q1"), ("Lodnon", "Q84"), ("Willi", "Q2"), ("King William", "Q2"),
     ("Lovelcae", "Q1")],
)
def test_search_finds_exact_names_beginnings_and_slips(wiki: Catalog, text: str, first: str):
    assert wiki.search(text)[0].iri == wd(first)


@pytest.mark.parametrize("text", ["", "  ", "qqqqq", "%", "'; DROP TABLE name; --", "𝔘𝔫𝔦", "x" * 5000])
def test_search_of_anything_is_harmless(wiki: Catalog, text: str):
    assert wiki.search(text) == []


def test_search_gives_each_entity_once_and_at_most_k(wiki: Catalog):
    found = [hit.iri for hit in wiki.search("ada", k=2)]
    assert len(found) == len(set(found)) == 2


# -- properties ----------------------------------------------------------------------------------


def test_a_property_document_gives_names_datatype_and_constraints(wiki: Catalog):
    spouse = wiki.properties()[wd("P26")]
    assert (spouse.label, set(spouse.aliases), spouse.description) == ("spouse", {"wife", "husband"}, "partner")
    assert (spouse.datatype, spouse.inverse, spouse.symmetric) == ("entity", wd("P26"), True)
    assert (spouse.single_valued, spouse.transitive) == (None, None)


def test_a_property_is_measured_by_what_the_graph_holds(wiki: Catalog):
    spouse, born = wiki.properties()[wd("P26")], wiki.properties()[wd("P19")]
    assert (spouse.statements, spouse.subjects, spouse.objects, spouse.functionality) == (2, 2, 2, 1.0)
    assert (spouse.symmetric_share, spouse.time_qualified) == (1.0, 0.5)
    assert (born.statements, born.subjects, born.objects) == (3, 2, 2)
    assert (born.functionality, born.inverse_functionality, born.symmetric_share) == (0.5, 0.5, 0.0)
    assert born.subject_types == ((wd("Q5"), 1.0),)
    assert born.object_types == ((wd("Q515"), 0.5),)


@pytest.mark.parametrize(
    ("iri", "datatype", "kinds"),
    [
        ("P569", "time", {"time": 1.0}), ("P2048", "quantity", {"quantity": 1.0}), ("P856", "url", {"url": 1.0}),
        ("P800", "text", {"text": 1.0}), ("P17", "unknown", {"unknown": 1.0}), ("P19", "entity", {"entity": 1.0}),
        ("P999", "external-id", {}),
    ],
)  # fmt: skip
def test_the_datatype_is_the_declared_one_else_what_the_values_are(wiki: Catalog, iri: str, datatype: str, kinds: dict):
    found = wiki.properties()[wd(iri)]
    assert (found.datatype, found.value_kinds) == (datatype, kinds)


def test_single_value_constraints_count_unless_they_hold_per_qualifier(wiki: Catalog):
    assert wiki.properties()[wd("P569")].single_valued is True
    assert wiki.properties()[wd("P2048")].single_valued is None


def test_a_type_of_the_property_and_a_stated_inverse_count(wiki: Catalog):
    subclass = wiki.properties()[wd("P279")]
    assert (subclass.transitive, subclass.inverse) == (True, wd("P999"))


def test_declared_types_of_subjects_and_values_come_first(tmp_path: Path):
    wikidata = """
    wd:P19 wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P19 ; p:P2302 wds:a, wds:b, wds:c .
    wds:a ps:P2302 wd:Q21503250 ; pq:P2308 wd:Q5 ; wikibase:rank wikibase:NormalRank .
    wds:b ps:P2302 wd:Q21510865 ; pq:P2308 wd:Q515 ; wikibase:rank wikibase:NormalRank .
    wds:c ps:P2302 wd:Q21510865 ; pq:P2308 wd:Q16 ; wikibase:rank wikibase:DeprecatedRank .
    wd:Q1 wdt:P31 wd:Q215627 ; wdt:P19 wd:Q2 . wd:Q2 wdt:P31 wd:Q515 ."""
    with catalog_of(wikidata, tmp_path, WIKIDATA) as catalog:
        born = catalog.properties()[wd("P19")]
        assert born.subject_types == ((wd("Q5"), 1.0), (wd("Q215627"), 1.0))
        assert born.object_types == ((wd("Q515"), 1.0),)
    plain = """
    ex:born rdfs:domain ex:Person ; rdfs:range ex:Place . ex:year rdfs:range xsd:gYear .
    ex:ada ex:born ex:london ; ex:year 1815 ."""
    (tmp_path / "plain").mkdir()
    with catalog_of(plain, tmp_path / "plain") as catalog:
        born, year = (catalog.properties()[f"http://ex/{name}"] for name in ("born", "year"))
        assert (born.subject_types, born.object_types) == ((("http://ex/Person", 1.0),), (("http://ex/Place", 1.0),))
        assert year.object_types == ()


def test_without_property_documents_properties_come_from_the_statements(tmp_path: Path):
    with catalog_of("wd:Q1 wdt:P19 wd:Q2 .", tmp_path, WIKIDATA) as catalog:
        found = [(one.iri, one.label, one.datatype) for one in catalog.properties().values()]
        assert found == [(wd("P19"), "P19", "entity")]
        assert catalog.properties()[wd("P19")].time_qualified == 0


# -- plain vocabularies --------------------------------------------------------------------------

PLAIN = """
ex:ada rdfs:label "Ada" ; a ex:Person ; ex:born ex:london ; ex:year "1815"^^xsd:gYear ; ex:near _:x ;
    foaf:nick "Addie" .
_:x ex:born ex:paris . ex:Person rdfs:subClassOf ex:Agent ; rdfs:label "Mensch"@de, "person" .
ex:born a owl:FunctionalProperty, owl:ObjectProperty ; rdfs:label "born in" ; skos:altLabel "birthplace" ;
    owl:inverseOf ex:native .
ex:london ex:native ex:ada . ex:near a owl:SymmetricProperty, owl:TransitiveProperty .
"""


def test_plain_rdf_has_properties_with_what_owl_declares(tmp_path: Path):
    with catalog_of(PLAIN, tmp_path) as catalog:
        known = {iri.removeprefix("http://ex/"): one for iri, one in catalog.properties().items()}
        assert {"born", "year", "near", "native"} < set(known)
        assert not any("label" in iri or "inverseOf" in iri or "nick" in iri for iri in known)
        assert (known["born"].label, known["born"].aliases) == ("born in", ("birthplace",))
        assert (known["born"].single_valued, known["born"].inverse) == (True, "http://ex/native")
        assert known["native"].inverse == "http://ex/born"
        assert (known["near"].symmetric, known["near"].transitive, known["near"].datatype) == (True, True, "blank")
        assert known["year"].datatype == "time"
        assert known["born"].subjects == 2  # a blank node is a subject, too


def test_plain_rdf_has_entities_names_types_and_classes(tmp_path: Path):
    with catalog_of(PLAIN, tmp_path) as catalog:
        assert catalog.entity("http://ex/ada").types == ("http://ex/Person",)
        assert catalog.supertypes("http://ex/Person")["http://ex/Agent"] == 1
        assert catalog.entity("http://ex/Person").label == "person"
        assert catalog.lookup(["addie"])["addie"][0].iri == "http://ex/ada"
        assert catalog.lookup(["born in"]) == {}
        assert catalog.entity("http://ex/born").label == "born in"


def test_the_first_label_predicate_of_the_profile_wins(tmp_path: Path):
    turtle = 'ex:a rdfs:label "second" ; skos:prefLabel "first" ; skos:broader ex:b .'
    with catalog_of(turtle, tmp_path, SKOS) as catalog:
        assert catalog.entity("http://ex/a").label == "first"
        assert set(catalog.lookup(["first", "second"])) == {"first", "second"}


# -- building ------------------------------------------------------------------------------------


def test_an_empty_graph_has_an_empty_catalog(tmp_path: Path):
    with catalog_of("", tmp_path) as catalog:
        assert (len(catalog), catalog.properties(), catalog.lookup(["x"]), catalog.search("x")) == (0, {}, {}, [])
        assert catalog.entity("http://ex/a") is None


def test_a_missing_catalog_says_what_to_do(tmp_path: Path):
    with pytest.raises(IndexMissing, match="kgstore index"):
        Catalog(tmp_path / "catalog.duckdb")


def test_a_catalog_built_by_several_processes_is_the_same_and_nothing_is_left_over(tmp_path: Path, monkeypatch):
    graph = graph_of(WIKI, tmp_path / "graph")
    files: list[dict[str, bytes]] = []
    for threshold, name in ((10**9, "here"), (1, "there")):
        monkeypatch.setattr(extract, "WORTH_A_PROCESS", threshold)
        folder = tmp_path / name
        folder.mkdir()
        counts = build_catalog(graph, WIKIDATA, folder / "catalog.duckdb", ("en",))
        assert sorted(one.name for one in folder.iterdir()) == ["catalog", "catalog.duckdb"]
        files.append({one.name: one.read_bytes() for one in (folder / "catalog").glob("*.*")})
        assert counts["entities"] > 0
    assert files[0] == files[1]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(catalog_build, "_write_names", fail)
    with pytest.raises(OSError, match="disk full"):
        catalog_of(WIKI, tmp_path, WIKIDATA)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_process_that_fails_is_reported(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(extract, "WORTH_A_PROCESS", 1)
    graph = graph_of(WIKI, tmp_path / "graph")
    with Extractor(graph, tmp_path / "scratch") as queries:
        assert queries.submit("SELECT ?s { ?s ?p ?o }").result().exists()
        with pytest.raises(StoreError, match="kgstore doctor"):
            queries.submit("SELECT nonsense").result()
        assert queries.submit("SELECT ?s { ?s ?p ?o }").result().exists()
    assert not (tmp_path / "scratch").exists()


# -- any text ------------------------------------------------------------------------------------

DB = duckdb.connect()
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str):
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_a_folded_text_is_never_empty_and_holds_no_double_space(text: str):
    assert fold(text)
    assert fold(text) == text.casefold() or "  " not in fold(text)


@given(TEXTS)
def test_case_and_composition_of_signs_do_not_matter(text: str):
    if any(sign.isalnum() for sign in fold(text)):
        assert fold(unicodedata.normalize("NFD", text)) == fold(text) == fold(unicodedata.normalize("NFC", text))


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(TEXTS, min_size=20, max_size=150, unique=True))
def test_whatever_a_label_holds_it_is_found_again(tmp_path_factory, texts: list[str]):
    texts += ['"', "\\", '\\"', "a\\nb", "a\tb", "a\nb", "\r", '"@en', '"^^<x>', "a\x1fb", "x\x00y", "ŒUVRE", "İ", "½"]
    texts += ["\n\x01×", "\x01 \"×\""]
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    graph = Graph()
    graph.add(ox.Triple(ox.NamedNode(f"http://ex/{i}"), ox.NamedNode(label), one)
              for i, text in enumerate(texts) for one in (ox.Literal(text), ox.Literal(text, language="en")))
    path = tmp_path_factory.mktemp("texts") / "catalog.duckdb"
    build_catalog(graph, RDFS, path)
    with Catalog(path) as catalog:
        for i, text in enumerate(texts):
            if "".join(" " if sign < " " or sign == "\x7f" else sign for sign in text).strip():  # not only blanks
                hits = catalog.lookup([text])[text]
                assert f"http://ex/{i}" in {hit.iri for hit in hits} or len(hits) == MOST_HITS


@given(st.lists(TEXTS, min_size=1))
def test_python_and_duckdb_hash_alike(texts: list[str]):
    found = DB.execute("SELECT md5_number_lower(unnest($1))", [texts]).fetchall()
    assert found == [(key(text),) for text in texts]
