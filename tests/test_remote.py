"""A graph behind a SPARQL endpoint: the same answers as the embedded one, and a clear end where one is not whole."""

from __future__ import annotations

import json
import subprocess
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kgstore.model import Literal, NamedNode
from kgstore.remote import counted
from kgstore.remote import endpoint as endpoint_module
from kgstore.remote import entities as remote_entities
from kgstore.remote.address import address
from kgstore.remote.endpoint import Endpoint, EndpointFailed, TooMuch
from kgstore.remote.graph import RemoteGraph
from kgstore.remote.names import variants
from kgstore.store import Store
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from tests import servers
from tests.test_cli import answer, refused, run

pytestmark = pytest.mark.enable_socket
LABELLED = Path(__file__).parent.parent / "data" / "labelled.jsonl"
WD = "http://www.wikidata.org/entity/"
MOST_REQUESTS = 6
"""A claim, on average over few claims; over 500 it is less than 3 (`tests/bench/remote.py`)."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def serve(kg: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Oxigraph's own server over the graph of a KG."""
    if why := servers.missing("oxigraph"):
        pytest.skip(why)
    return servers.start_oxigraph(kg)


@pytest.fixture(scope="module")
def url(small_kg, home):
    server, url = serve(small_kg)
    yield url
    server.terminate()
    server.wait()


@pytest.fixture(scope="module")
def remote(url):
    with RemoteGraph(url) as graph:
        yield graph


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg) as store:
        yield store


def shown(statements) -> list[str]:
    """Statements in a steady order, and so are the references of each."""
    return sorted(str(replace(one, references=tuple(sorted(map(str, one.references))))) for one in statements)


def test_a_sample_splits_no_subject(tmp_path, home, monkeypatch):
    """A server may give the statements of a property in the order of their values."""
    lines = [f"<http://ex/s{n % 10}> <http://ex/owns> <http://ex/o{n:02}> ." for n in range(20)]
    lines += [f"<http://ex/s{n}> <http://ex/likes> <http://ex/o{n:02}> ." for n in range(20)]
    (tmp_path / "owned.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("load", tmp_path / "owned.nt", "--kg", tmp_path / "owned.kg", "--no-vectors")
    monkeypatch.setattr(counted, "SAMPLED", 10)
    monkeypatch.setattr(counted, "SUBJECTS", 5)
    server, url = serve(tmp_path / "owned.kg")
    try:
        with RemoteGraph(url) as graph:
            owns, likes = (graph.properties()[f"http://ex/{name}"] for name in ("owns", "likes"))
    finally:
        server.terminate()
        server.wait()
    assert (owns.functionality, owns.subjects, likes.functionality) == (0, 5, 1)


def test_a_row_that_lacks_what_was_asked_for_is_no_answer(remote):
    with pytest.raises(EndpointFailed, match="leaves out"):  # so Virtuoso answers a path between two variables
        remote.entities_read._add([{}])


# -- the same answers --------------------------------------------------------------------------------------------------


def test_claims_get_the_same_labels(store, remote):
    texts = [json.loads(line)["text"] for line in LABELLED.read_text(encoding="utf-8").splitlines()[:40]]
    here, there = Verifier(store), Verifier(remote)
    asked, claims = remote.endpoint.requests, 0
    for text in texts:
        mine, theirs = here.verify(text).verdicts, there.verify(text).verdicts
        assert [(one.label, one.method) for one in mine] == [(one.label, one.method) for one in theirs], text
        claims += len(mine)
    assert claims > 20 and (remote.endpoint.requests - asked) / claims < MOST_REQUESTS


@pytest.mark.parametrize("iri", ["Q42", "Q84", "Q64", "Q30", "Q692"])
def test_statements_and_entities_are_the_same(store, remote, iri):
    mine, theirs = store.statements(WD + iri, references=True), remote.statements(WD + iri, references=True)
    assert shown(mine) == shown(theirs)
    here, there = store.catalog.entity(WD + iri), remote.entities([WD + iri]).get(WD + iri)
    assert here is None and there is None or (here.label, here.description, here.degree, here.sitelinks) == (
        there.label, there.description, there.degree, there.sitelinks,
    )  # fmt: skip


@pytest.mark.parametrize(("obj", "prop"), [("Q84", "P19"), ("Q5", "P31"), ("Q30", None)])
def test_statements_that_point_to_an_entity(store, remote, obj, prop):
    mine = store.incoming(WD + obj, prop and WD + prop, 10_000)
    theirs = remote.incoming(WD + obj, prop and WD + prop, 10_000)
    if prop is not None:
        assert len(mine) > 5
    assert sorted(map(str, mine)) == sorted(map(str, theirs))


@pytest.mark.parametrize(("obj", "prop"), [("Q5", "P31"), ("Q42", "P31"), ("Q515", "P279"), ("Q84", "P19")])
def test_whether_anything_points_to_an_entity(store, url, obj, prop):
    with RemoteGraph(url) as graph:
        graph.entities_read.fetch_light((WD + obj,))
        assert graph.has_incoming(WD + obj, WD + prop) == store.has_incoming(WD + obj, WD + prop)


@pytest.mark.parametrize(
    "name", ["Douglas Adams", "douglas adams", "Paris", "US", "no such name", "London", "Washington, D.C"]
)
def test_names_are_the_same(store, remote, name):
    mine, theirs = store.lookup([name]).get(name, []), remote.lookup([name]).get(name, [])
    assert [one.iri for one in theirs] == [one.iri for one in mine if one.iri in {hit.iri for hit in theirs}]
    assert mine[:1] == [] or theirs[0].iri == mine[0].iri


def test_a_look_up_leaves_statements_where_they_are(url):
    with RemoteGraph(url) as graph:
        asked = graph.endpoint.requests
        assert graph.lookup(["London", "United States of America", "Douglas Adams"])
        assert graph.endpoint.requests - asked == 2 and not graph.entities_read.whole


def test_what_a_text_names_comes_with_its_statements(store, url):
    with RemoteGraph(url) as graph:
        asked = graph.endpoint.requests
        assert graph.lookup(["Douglas Adams"], True)
        assert shown(graph.statements(WD + "Q42")) == shown(store.statements(WD + "Q42"))
        assert graph.endpoint.requests - asked == 2


def test_what_is_known_of_an_entity_has_the_same_order(store, remote):
    def order(graph) -> list[str]:
        return [str(one) for listed in Knowledge(graph).about(WD + "Q42").values() for one in listed]

    assert order(store) == order(remote)


def test_all_that_lies_above_a_place_comes_in_one_request(store, url):
    with RemoteGraph(url) as graph:
        asked = graph.endpoint.requests
        assert Knowledge(graph).wider(WD + "Q350").keys() == Knowledge(store).wider(WD + "Q350").keys()
        assert graph.endpoint.requests - asked == 1


def test_a_server_that_follows_no_path_is_asked_for_some_levels_at_a_time(store, url, monkeypatch):
    monkeypatch.setattr(Endpoint, "is_virtuoso", property(lambda self: True, lambda self, value: None), raising=False)
    alone = []
    for steps in (1, remote_entities.STEPS):
        monkeypatch.setattr(remote_entities, "STEPS", steps)
        with RemoteGraph(url) as graph:
            asked = graph.endpoint.requests
            assert Knowledge(graph).wider(WD + "Q350").keys() == Knowledge(store).wider(WD + "Q350").keys()
            alone.append(graph.endpoint.requests - asked)
    assert 1 < alone[1] < alone[0]


def test_links_of_both_ends_of_a_path_are_asked_for_once(url):
    with RemoteGraph(url) as graph:
        graph.entities_read.fetch((WD + "Q42", WD + "Q84"))
        asked = graph.endpoint.requests
        found = graph.paths([WD + "Q42"], [WD + "Q84"], 2, 4)
        assert found and graph.endpoint.requests - asked <= 2  # these links, and the weights of what lies between
        asked = graph.endpoint.requests
        assert graph.paths([WD + "Q42"], [WD + "Q84"], 2, 4) == found and graph.endpoint.requests == asked


@pytest.mark.parametrize(("asked", "name"), [("Muse (reverse", "Muse (reverse)"), ("The British", "the British")])
def test_a_name_is_found_without_its_last_bracket_and_behind_an_article(asked, name):
    assert name in variants(asked)


@pytest.mark.parametrize("iri", ["Q84", "Q350", "Q30", "Q5"])
def test_what_leads_upwards_is_whole_without_the_rest(store, url, iri):
    with RemoteGraph(url) as graph:
        for step in sorted(graph.entities_read.upwards):
            assert shown(graph.statements(WD + iri, step)) == shown(store.statements(WD + iri, step))
        for step in graph.entities_read.downwards:
            assert shown(graph.incoming(WD + iri, step)) == shown(store.incoming(WD + iri, step))
        assert WD + iri not in graph.entities_read.whole
        assert shown(graph.statements(WD + iri)) == shown(store.statements(WD + iri))


def test_much_linked_things_are_counted_once(store, remote):
    hubs = remote.counted.hubs
    assert hubs and {iri: store.catalog.entity(iri).degree for iri in hubs} == hubs


def test_properties_behave_the_same(store, remote):
    mine, theirs = store.properties(), remote.properties()
    assert mine.keys() == theirs.keys()
    for key in ("label", "datatype", "statements", "subjects", "objects", "single_valued", "inverse", "value_kinds"):
        different = [iri for iri in mine if getattr(mine[iri], key) != getattr(theirs[iri], key)]
        assert not different, (key, different[:3])


def test_kinds_and_paths(store, remote):
    for one in ("Q42", "Q64"):
        assert set(store.instance_types(WD + one)) == set(remote.instance_types(WD + one))
    assert store.supertypes(WD + "Q5") == remote.supertypes(WD + "Q5")
    for ends in (("Q42", "Q84"), ("Q42", "Q145"), ("Q64", "Q84")):
        here, there = (graph.paths([WD + ends[0]], [WD + ends[1]], 2, 4) for graph in (store, remote))
        assert [len(way) for way in here] == [len(way) for way in there]
        assert set(there) <= set(store.paths([WD + ends[0]], [WD + ends[1]], 3, 50)) | set(here)


def test_what_was_counted_is_kept(url, remote):
    with RemoteGraph(url) as again:
        assert again.endpoint.requests == 0
        assert again.counted.made == remote.counted.made and again.counted.age_days == 0


# -- commands ----------------------------------------------------------------------------------------------------------


def test_commands_take_an_address(url):
    report = answer("verify", "--text", "Douglas Adams was born in Paris.", "--kg", url)
    assert report["label"] == "contradictory" and report["kg"]["name"] == url.removeprefix("sparql+")
    assert report["claims"][0]["evidence"]
    assert answer("entity", "Douglas Adams", "--kg", url)["id"] == "Q42"
    assert any("Cambridge" in str(one) for one in answer("facts", "Q42", "--kg", url))
    assert "Cambridge" in run("path", "Douglas Adams", "Cambridge", "--kg", url).stdout
    assert answer("info", "--kg", url)["counts"]["triples"] > 500_000
    assert "Q42" in run("link", "Douglas Adams wrote it.", "--kg", url).stdout
    rows = answer("sparql", "SELECT ?who { wd:Q42 wdt:P19 ?who }", "--kg", url)["results"]["bindings"]
    assert rows[0]["who"]["value"].endswith("Q350")


def test_a_server_that_cannot_put_patterns_together_is_asked_for_each(url, store, monkeypatch):
    select = Endpoint.select

    def simple(self, query):
        if query.count("UNION") > 6:
            raise EndpointFailed(self.url, "refuses the query (HTTP 400: too complex)", "check it")
        return select(self, query)

    with RemoteGraph(url) as graph:
        monkeypatch.setattr(Endpoint, "select", simple)
        assert shown(graph.statements(WD + "Q42")) == shown(store.statements(WD + "Q42"))


def test_search_falls_back_to_reading_every_name(remote, url):
    assert remote.search("Douglas Adams", 3)[0].iri == WD + "Q42"
    line = refused("search", "robots", "--by", "meaning", "--kg", url)
    assert "an endpoint has no search by meaning: copy a part of it with `kgstore mirror`" in line


def test_things_whose_iris_are_no_addresses_have_their_names(tmp_path, home):
    rows = ["name,annual salary (EUR),manager", "David Dorn,50000,Anna Abel", "Cara Crane,61000,Anna Abel"]
    (tmp_path / "staff.csv").write_text("\n".join([*rows, "Anna Abel,42000,"]), encoding="utf-8")
    run("load", tmp_path / "staff.csv", "--kg", tmp_path / "staff.kg", "--no-vectors")
    server, url = serve(tmp_path / "staff.kg")
    text = "David Dorn's annual salary is 60000 EUR. Cara Crane's manager is Anna Abel."
    try:
        here, there = (
            [run(*words, "--kg", kg).stdout for words in (("facts", "David Dorn"), ("verify", "--text", text))]
            for kg in (tmp_path / "staff.kg", url)
        )
    finally:
        server.terminate()
        server.wait()
    assert here == there and "David Dorn (urn:kgstore:staff/David_Dorn)" in here[0] and "contradictory" in here[1]


def test_what_needs_a_folder_says_so(url, tmp_path):
    assert "kgstore mirror" in refused("export", "--kg", url)
    assert "kgstore mirror" in refused("index", "--kg", url)
    gone = run("verify", "--text", "x", "--kg", "sparql+http://127.0.0.1:1/sparql")
    assert gone.exit_code == 2 and "cannot be reached" in gone.stderr.splitlines()[-1]
    (tmp_path / "a.csv").write_text("name,born\nAda,1815\n", encoding="utf-8")
    for server in (url, url.removeprefix("sparql+")):
        assert f"{server} is a server" in refused("export", "--kg", server)
        assert f"{server} is a server" in refused("load", tmp_path / "a.csv", "--kg", server)


def test_mirror_copies_a_part_and_resumes(url, tmp_path, monkeypatch, store):
    kg, calls = tmp_path / "part.kg", []
    select = Endpoint.select

    def dying(self, query):
        calls.append(query)
        if len(calls) == 12:
            raise EndpointFailed(self.url, "cannot be reached")
        return select(self, query)

    monkeypatch.setattr(Endpoint, "select", dying)
    command = ("mirror", url, "--entities", "Q42", "--hops", 1, "--pause", 0, "--kg", kg)
    assert "cannot be reached" in refused(*command)
    assert not kg.exists() and (tmp_path / "part.kg.mirror").is_dir()
    done = len(calls)
    assert run(*command).exit_code == 0
    assert not (tmp_path / "part.kg.mirror").exists() and len(calls) > done
    with Store(kg) as part:
        mine, theirs = (graph.statements(WD + "Q42", references=True) for graph in (part, store))
        assert shown(mine) == shown(theirs)
        assert part.label(WD + "Q350") == "Cambridge" and part.properties()[WD + "P19"].label == "place of birth"


@pytest.mark.parametrize(
    "part", [("--query", "SELEKT ?x"), ("--class", "Q999999999"), ("--entities", "none.txt")], ids=lambda part: part[0]
)
def test_a_mirror_that_copied_nothing_bars_no_other(url, tmp_path, part):
    refused("mirror", url, *part, "--kg", tmp_path / "part.kg")
    assert not list(tmp_path.iterdir())


# -- answers that are not whole ----------------------------------------------------------------------------------------

WHOLE = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "uri", "value": "http://ex/a"}}]}}


class Saying(BaseHTTPRequestHandler):
    """Answers with what the test has put into ``answers``, the last one again and again."""

    answers: list[tuple[int, dict[str, str], bytes]] = []
    seen: list[str | None] = []
    accepted: list[str] = []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append(self.headers.get("Authorization"))
        self.accepted.append(self.headers["Accept"])
        status, headers, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def saying(monkeypatch):
    monkeypatch.setattr(endpoint_module, "PAUSE", 0.01)
    Saying.seen, Saying.accepted = [], []
    with ThreadingHTTPServer(("127.0.0.1", 0), Saying) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with Endpoint(f"sparql+http://127.0.0.1:{server.server_port}/sparql", timeout=5) as one:
            yield one
        server.shutdown()
        thread.join()


GOOD = json.dumps(WHOLE).encode()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((200, {}, GOOD[:-9]), "its answer breaks off"),
        ((200, {"Content-Length": "9999", "Connection": "close"}, GOOD), "cannot be reached"),
        ((503, {}, b"busy"), "HTTP 503"),
        ((400, {}, b"no such prefix"), "refuses the query"),
        ((200, {}, b"[]"), "something else than solutions"),
        ((200, {"Content-Type": "text/html"}, b"<html>"), "web page"),
        ((200, {}, b'{"head": {}}'), "something else than solutions"),
    ],
)
def test_half_an_answer_is_none(saying, given, error):
    Saying.answers = [given]
    with pytest.raises(EndpointFailed, match=error):
        saying.select("SELECT ?s { ?s ?p ?o }")


SOLUTIONS = b"""<sparql xmlns="http://www.w3.org/2005/sparql-results#">
<head><variable name="s"/><variable name="n"/></head><results>
<result><binding name="s"><uri>http://ex/a</uri></binding></result>
<result><binding name="n"><literal xml:lang="zh-classical">x</literal></binding></result>
</results></sparql>"""


def test_virtuoso_is_asked_for_xml(saying, monkeypatch):
    monkeypatch.setattr(Saying, "server_version", "Virtuoso/07.20.3229")
    xml = {"Content-Type": "application/sparql-results+xml; charset=UTF-8"}
    Saying.answers = [(200, {}, GOOD), (200, xml, SOLUTIONS[:-30]), (200, xml, SOLUTIONS)]
    assert saying.select("SELECT ?s { ?s ?p ?o }") == [{"s": NamedNode("http://ex/a")}]
    assert saying.select("SELECT ?s ?n { ?s ?p ?n }") == [{"s": NamedNode("http://ex/a")}, {"n": Literal("x")}]
    assert [accept.rpartition("+")[2] for accept in Saying.accepted] == ["json", "xml", "xml"]


@pytest.mark.parametrize("header", ["X-SQL-State", "X-SPARQL-MaxRows"])
def test_an_answer_that_virtuoso_has_cut_is_refused(saying, header):
    Saying.answers = [(200, {header: "10000"}, GOOD)]
    with pytest.raises(TooMuch, match="cut its answer"):
        saying.select("SELECT ?s { ?s ?p ?o }")


def test_a_busy_server_is_asked_again(saying):
    Saying.answers = [(503, {}, b""), (200, {}, GOOD[:20]), (200, {}, GOOD)]
    assert [row["s"].value for row in saying.select("SELECT ?s { ?s ?p ?o }")] == ["http://ex/a"]
    assert saying.requests == 3


def test_credentials_come_from_the_environment(saying, monkeypatch):
    Saying.answers = [(401, {}, b"")]
    with pytest.raises(EndpointFailed, match="KGSTORE_SPARQL_USER"):
        saying.select("SELECT ?s { ?s ?p ?o }")
    Saying.answers = [(200, {}, GOOD)]
    monkeypatch.setenv("KGSTORE_SPARQL_USER", "ada")
    monkeypatch.setenv("KGSTORE_SPARQL_PASSWORD", "secret")
    saying.select("SELECT ?s { ?s ?p ?o }")
    monkeypatch.setenv("KGSTORE_SPARQL_TOKEN", "token")
    saying.select("SELECT ?s { ?s ?p ?o }")
    assert Saying.seen == [None, "Basic YWRhOnNlY3JldA==", "Bearer token"]


def test_a_server_that_dies_ends_the_verification(small_kg, home, monkeypatch):
    monkeypatch.setattr(endpoint_module, "PAUSE", 0.01)
    server, url = serve(small_kg)
    try:
        with RemoteGraph(url) as graph:
            verifier = Verifier(graph)
            assert verifier.verify("Douglas Adams was born in Cambridge.").verdicts
            server.kill()
            server.wait()
            with pytest.raises(EndpointFailed, match="cannot be reached"):
                verifier.verify("Ada Lovelace was born in Paris, and Steve Martin is a comedian.")
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize("text", ["sparql+ftp://x", "sparql+http://", "sparql+http://u:p@x/", "sparql+http://x:port/"])
def test_what_is_no_address(text):
    from kgstore.errors import InputError

    with pytest.raises(InputError):
        address(text)


@pytest.mark.parametrize("given", ["http://127.0.0.1:1/query", "sparql+ftp://x/y"])
def test_an_address_is_shown_as_it_was_written(given):
    line = refused("facts", "Q42", "--kg", given)
    assert f"'{given}' is not the address of an endpoint: write " in line and "sparql+http://127.0.0.1:" in line


def test_a_server_killed_in_a_run_over_many_texts(small_kg, home, tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint_module, "PAUSE", 0.01)
    server, url = serve(small_kg)
    texts, out, asked = tmp_path / "texts.jsonl", tmp_path / "reports.jsonl", []
    texts.write_text("\n".join(LABELLED.read_text(encoding="utf-8").splitlines()[:12]), encoding="utf-8")
    select = Endpoint.select

    def killing(self, query):
        asked.append(query)
        if "VALUES ?name" in query and sum("VALUES ?name" in one for one in asked) == 8:
            server.kill()
            server.wait()
        return select(self, query)

    monkeypatch.setattr(Endpoint, "select", killing)
    command = ("verify", texts, "--kg", url, "--format", "jsonl", "-o", out)
    try:
        done = run(*command)
        assert done.exit_code == 2 and "cannot be reached" in done.stderr.splitlines()[-1]
        assert not out.exists() or all(json.loads(line)["claims"] for line in out.read_text().splitlines())
        server = subprocess.Popen(server.args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        servers.wait_for(address(url).port, server)
        assert run(*command, "--resume").exit_code == 0
        assert len(out.read_text(encoding="utf-8").splitlines()) == 12
    finally:
        server.kill()
        server.wait()
