"""A real Virtuoso: the answers of the embedded KG, its full text, its limits, and its end in the middle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kgstore.loaders.run import load
from kgstore.remote import endpoint as endpoint_module
from kgstore.remote.endpoint import Endpoint, EndpointFailed, TooMuch
from kgstore.remote.graph import RemoteGraph
from kgstore.store import Store
from tests import servers

pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.skipif(bool(servers.missing("virtuoso")), reason=servers.missing("virtuoso")),
]
RESOURCE = Path(__file__).parent / "resources" / "wikibase.ttl"
WD = "http://www.wikidata.org/entity/"


@pytest.fixture(scope="module")
def kg(tmp_path_factory):
    kg = tmp_path_factory.mktemp("virtuoso") / "item.kg"
    load([RESOURCE], kg, vectors=False)
    return kg


@pytest.fixture(scope="module")
def database(kg):
    folder = kg.parent / "database"
    servers.make_virtuoso(kg, folder)
    return folder


@pytest.fixture(scope="module")
def remote(database, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, servers.virtuoso(database) as url:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with RemoteGraph(url) as graph:
            yield graph


def shown(statements) -> list[str]:
    return sorted(str(replace(one, references=tuple(sorted(map(str, one.references))))) for one in statements)


def test_statements_and_names_are_those_of_the_embedded_kg(kg, remote):
    with Store(kg) as store:
        for iri in ("Q1", "Q84", "P551"):
            mine, theirs = (graph.statements(WD + iri, references=True) for graph in (store, remote))
            assert shown(mine) == shown(theirs), iri
        mine, theirs = (graph.lookup(["Ada", "lovelace", "Countess", "Nobody"]) for graph in (store, remote))
        assert {name: [hit.iri for hit in hits] for name, hits in mine.items()} == {
            name: [hit.iri for hit in hits] for name, hits in theirs.items()
        }


def test_what_lies_above_comes_in_the_same_request(remote):
    read = remote.entities_read
    read.clear()
    asked = remote.endpoint.requests
    read.fetch([WD + "Q1"])
    assert remote.endpoint.requests - asked <= 2  # the path of any length is refused once
    assert not read._apart
    read.clear()
    asked = remote.endpoint.requests
    read.fetch([WD + "Q1"])
    assert remote.endpoint.requests - asked == 1


def test_ask_is_answered(remote):
    assert remote.endpoint.ask(f"ASK {{ <{WD}Q1> ?p ?o }}")
    assert not remote.endpoint.ask("ASK { <urn:nothing> ?p ?o }")


def test_words_are_found_by_its_full_text(remote):
    assert [hit.iri for hit in remote.search("countess")] == [WD + "Q1"]
    assert remote._names.dialect == "virtuoso"


def test_an_answer_that_its_row_limit_cuts_is_refused(database):
    with servers.virtuoso(database, rows=5) as url, Endpoint(url) as endpoint:
        assert len(endpoint.select("SELECT ?s { ?s ?p ?o } LIMIT 4")) == 4
        with pytest.raises(TooMuch, match="cut its answer"):
            endpoint.select("SELECT ?s ?p ?o { ?s ?p ?o }")


def test_a_server_that_dies_is_named(database, monkeypatch):
    monkeypatch.setattr(endpoint_module, "PAUSE", 0.01)
    with servers.virtuoso(database) as url:
        endpoint = Endpoint(url)
        assert endpoint.ask("ASK { ?s ?p ?o }")
    with pytest.raises(EndpointFailed, match="cannot be reached"):
        endpoint.select("SELECT ?s { ?s ?p ?o }")
