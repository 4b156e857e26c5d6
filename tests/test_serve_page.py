"""The live page without a browser: what the server writes into it, whatever comes in."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import html5lib
import pytest
from click.testing import CliRunner
from docx import Document
from starlette.testclient import TestClient

from kgstore.cli.main import main
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.files import UNPACKED, texts_of
from kgstore.verifier.measure import reviews
from kgstore.verifier.measure.labelled import read_gold
from kgstore.verifier.training.pairs import read_pairs
from kgstore.verifier.training.reader_tune import _given
from tests.html_pages import said
from tests.plain_graph import plain_store
from tests.serving import ONE, TEXT, events, serving

SCRIPT = "<script>alert(1)</script>"
PAGES = ["/", "/find?q=Adams", "/query", "/entity?id=Q42", "/path?from=Q42&to=Cambridge", "/reviews", "/docs"]


@pytest.fixture(scope="module")
def kg(small_kg, tmp_path_factory) -> Path:
    """The small KG in a folder of its own, beside which reviews may be written."""
    path = tmp_path_factory.mktemp("page") / "small.kg"
    path.symlink_to(small_kg)
    return path


@pytest.fixture(scope="module")
def client(kg) -> Iterator[TestClient]:
    with serving(kg) as found:
        yield found


def dom(html: str):
    """The page as a browser reads it; markup that it would have to repair is an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)


def scripts(page) -> list[str]:
    """What would run: scripts but for ours, and attributes that hold any."""
    found = [one.get("src") or said(one) for one in page.iter("script")]
    found += [name for one in page.iter() for name in one.attrib if str(name).startswith("on") or name == "style"]
    return [one for one in found if one not in ("/static/page.js", "/static/query.js")]


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_well_formed_and_bring_no_script_of_their_own(client, path):
    answer = client.get(path)
    assert answer.status_code == 200 and not scripts(dom(answer.text))


def test_a_text_is_checked_without_a_script(client):
    page = client.post("/", data={"text": TEXT}).text
    assert "He died in Paris" in said(dom(page)) and "Santa Barbara" in page
    assert client.post("/", data={"text": ""}).status_code == 400
    given = {"file": ("notes.md", TEXT.encode(), "text/markdown")}
    assert "Santa Barbara" in client.post("/", data={"text": ""}, files=given).text


HOSTILE = {
    "markup": f"Douglas Adams {SCRIPT} was born in <b>London</b>. <img src=x onerror=alert(1)> </textarea>{SCRIPT}",
    "template": "Douglas Adams was born in {{ 7*7 }} {% raw %} ${alert(1)}.",
    "right to left": "Douglas Adams \u202ewas born\u202c in London. \u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627.",
    "emoji": "Douglas Adams was born in London 👩‍👩‍👧‍👦🏳️‍🌈. He died in Paris 🎉.",
    "nul": "Douglas Adams was born in\x00 London.\x1b[31m He died in Paris.\x07",
    "lines": "Douglas Adams was born\r\n\r\nin London.\u2028data: x\n\nevent: report\n\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_whatever_is_in_a_text_is_shown_as_text(client, text):
    page = dom(client.post("/", data={"text": text}).text)
    assert not scripts(page) and not list(page.iter("img"))
    found = events(client.post("/page/verify", json={"text": text}).text)
    assert [name for name, _ in found][-1] == "report"
    assert found[-1][1]["report"]["text"] == text
    for _, data in found:
        assert not scripts(html5lib.parse(data["html"], namespaceHTMLElements=False))


def test_half_a_character_is_replaced(client):
    report = client.post("/verify", content=b'{"text": "a\\ud800b"}', headers={"Content-Type": "application/json"})
    assert report.status_code in (200, 400)


def test_200_kb_of_one_word_are_read_in_time(kg):
    with serving(kg, limits=ONE) as client:
        assert client.post("/verify", json={"text": "a" * 200_000}).json()["label"] == "no_claims"
        assert client.post("/page/verify", json={"text": "Adams" * 40_000}).status_code == 200


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Iterator[TestClient]:
    """A KG whose names hold markup."""
    folder = tmp_path_factory.mktemp("hostile")
    name = SCRIPT.replace('"', '\\"')
    turtle = (
        f'ex:ann a ex:Person ; rdfs:label "Ann {name}" ; rdfs:comment "{name}" ; ex:born ex:oslo .\n'
        f'ex:oslo rdfs:label "Oslo \\" onload=alert(1) {name}" . ex:born rdfs:label "born in {name}" .\n'
        f'ex:Person rdfs:label "{name}" .'
    )
    plain_store(turtle, folder).close()
    with serving(folder / "plain.kg") as found:
        yield found


@pytest.mark.parametrize(
    "path",
    [
        "/entity?id=http://example.org/ann",
        "/path?from=http://example.org/ann&to=http://example.org/oslo",
        "/find?q=Ann",
        "/query?query=SELECT * { ?s ?p ?o }",
        "/query?query=CONSTRUCT WHERE { ?s ?p ?o }",
        f"/query?query={SCRIPT}",
        f"/find?q={SCRIPT}",
    ],
)
def test_whatever_is_in_a_kg_or_an_address_is_shown_as_text(hostile, path):
    page = dom(hostile.get(path).text)
    assert not scripts(page) and "alert(1)" in said(page)


def test_whatever_is_in_a_kg_is_shown_as_text_beside_claims(tmp_path):
    turtle = (
        f'ex:bob rdfs:label "Bob Smith" ; rdfs:comment "{SCRIPT}" ; ex:born ex:oslo .\n'
        f'ex:oslo rdfs:label "Oslo" ; rdfs:comment "{SCRIPT}" . ex:born rdfs:label "was born in" .'
    )
    plain_store(turtle, tmp_path).close()
    text = f"Bob Smith was born in Oslo. Bob Smith was born in {SCRIPT}."
    with serving(tmp_path / "plain.kg") as client:
        page = dom(client.post("/", data={"text": text}).text)
        assert not scripts(page) and said(page).count("alert(1)") > 2
        *parts, (_, last) = events(client.post("/page/verify", json={"text": text}).text)
        assert parts and not scripts(html5lib.parse(last["html"], namespaceHTMLElements=False))
        assert client.post("/review", json={"text": text, "claim": 1, "label": "attributable", "by": SCRIPT}).json()
        assert not scripts(dom(client.get("/reviews").text))
        found = client.get("/page/complete", params={"q": "bob"})
        assert found.headers["content-type"] == "application/json" and found.json() is not None


def test_an_error_tells_nothing_of_the_inside(client):
    found = client.get("/entity", params={"id": SCRIPT})
    assert found.status_code == 404 and found.headers["content-type"] == "application/json"
    assert "Traceback" not in found.text and "site-packages" not in found.text
    looked_at = client.get("/entity", params={"id": SCRIPT}, headers={"Accept": "text/html,*/*"})
    assert looked_at.status_code == 404 and not scripts(dom(looked_at.text)) and SCRIPT in said(dom(looked_at.text))
    assert "nowhere" not in client.get("/nowhere", headers={"Accept": "text/html"}).text


# -- files -------------------------------------------------------------------------------------------------------------


def docx(*paragraphs: str) -> bytes:
    document, target = Document(), io.BytesIO()
    for one in paragraphs:
        document.add_paragraph(one)
    document.add_table(1, 2).rows[0].cells[1].text = "in a cell"
    document.save(target)
    return target.getvalue()


def pdf(text: str) -> bytes:
    """The smallest file that shows a line."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    found, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(found))
        found += b"%d 0 obj%s endobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 6\n0000000000 65535 f \n" + table
    return found + head + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(found)


def test_word_and_pdf_files_are_read(client):
    [word] = texts_of("a.DOCX", docx(TEXT, "More."))
    assert word.text.startswith(f"{TEXT}\n\nMore.") and "in a cell" in word.text
    [page] = texts_of("a.pdf", pdf("Ann was born in Oslo."))
    assert page.text.strip() == "Ann was born in Oslo."
    found = client.post("/page/extract", files={"file": ("a.docx", docx(TEXT))}).json()
    assert not found["batch"] and found["texts"][0]["text"].startswith(TEXT)


def test_a_word_file_cannot_have_another_file_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx("Ann was born in Oslo. &leak;"))) as old, zipfile.ZipFile(target, "w") as new:
        for one in old.infolist():
            data = old.read(one)
            if one.filename == "word/document.xml":
                kind = f'<!DOCTYPE w:document [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>'.encode()
                data = data.replace(b"&amp;leak;", b"&leak;").replace(b"<w:document", kind + b"<w:document", 1)
            new.writestr(one, data)
    try:
        assert "swordfish" not in texts_of("a.docx", target.getvalue())[0].text
    except Refused as error:
        assert error.status == 400


def test_a_batch_is_read(client):
    lines = "".join(json.dumps({"id": name, "text": TEXT}) + "\n" for name in "ab")
    found = client.post("/page/extract", files={"file": ("a.jsonl", lines.encode())}).json()
    assert found == {"batch": True, "texts": [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT}]}


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("a.exe", b"MZ", 415),
        ("a", b"", 415),
        ("a.txt", b"\xff\xfe", 400),
        ("a.jsonl", b"{}\n", 400),
        ("a.pdf", b"%PDF-1.4 and nothing", 400),
        ("a.docx", b"PK\x03\x04", 400),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(client, name, data, status):
    assert client.post("/page/extract", files={"file": (name, data)}).status_code == status


def test_a_word_file_that_unpacks_to_too_much_is_refused(client):
    import zipfile

    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"\x00" * (UNPACKED + 1))
    assert client.post("/page/extract", files={"file": ("a.docx", target.getvalue())}).status_code == 400


# -- reviews -----------------------------------------------------------------------------------------------------------


def test_reviews_are_kept_for_those_who_measure_and_teach(client, kg):
    file = reviews.beside(kg)
    file.unlink(missing_ok=True)
    for claim, label, by in ((2, "attributable", "ann"), (1, "attributable", "bob"), (2, "contradictory", "cid")):
        given = {"text": TEXT, "claim": claim, "label": label, "by": by}
        answer = client.post("/review", json=given)
        assert answer.status_code == 201
    assert answer.json()["measure"].startswith("Of 1 reviewed accusation 0 were wrong: at most 95")
    rows = reviews.read(file)
    assert [row["by"] for row in rows] == ["ann", "bob", "cid"] and all(row["kg"]["fingerprint"] for row in rows)
    [gold] = read_gold(file)
    assert [(TEXT[one["start"] : one["end"]], one["label"]) for one in gold["claims"]] == [
        ("Douglas Adams was born in Cambridge", "attributable"),
        ("He died in Paris", "contradictory"),
    ]
    assert [(pair.hypothesis, pair.allowed) for pair in read_pairs(file)] == [
        ("Douglas Adams was born in Cambridge", (0,)),
        ("He died in Paris", (2,)),
    ]
    [row] = _given(file)
    assert (TEXT[slice(*row.head)], TEXT[slice(*row.tail)]) == ("Douglas Adams", "Cambridge")
    assert "place of birth" in astuple(row)[3]
    done = CliRunner().invoke(main, ["evaluate", str(file), "--kg", str(kg), "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["confusion"] == {
        "attributable": {"attributable": 1},
        "contradictory": {"contradictory": 1},
    }
    assert "He died in Paris" in said(dom(client.get("/reviews").text))


def test_who_reviewed_is_told_beside_the_claim(kg):
    reviews.beside(kg).unlink(missing_ok=True)
    with serving(kg, reviewer="dora") as client:
        assert 'value="dora"' in client.get("/").text
        for given, kept in (({}, "dora"), ({"by": " Ann\n <b> "}, "Ann <b>")):
            found = client.post("/review", json={"text": TEXT, "claim": 2, "label": "contradictory", **given})
            assert found.json()["by"] == kept
        shown = said(dom(client.post("/", data={"text": TEXT}).text))
        assert shown.count("reviewed by") == 1 and "reviewed by Ann <b>, 2" in shown
        assert "reviewed by" not in client.post("/", data={"text": TEXT.replace("Paris", "Rome")}).text


def test_a_reading_that_was_wrong_teaches_the_reader_nothing(kg):
    reviews.beside(kg).unlink(missing_ok=True)
    text = "Douglas Adams was born in London."
    with serving(kg) as client:
        for label in ("attributable", "contradictory"):
            client.post("/review", json={"text": text, "claim": 1, "label": label})
    wrong, right = reviews.read(reviews.beside(kg))
    assert "relations" not in wrong and right["relations"] == ["place of birth"]


def test_a_review_of_another_verdict_is_refused(client):
    given = {"text": TEXT, "claim": 2, "label": "attributable"}
    assert client.post("/review", json={**given, "verdict": "attributable"}).status_code == 409
    assert client.post("/review", json={**given, "claim": 9}).status_code == 400
    assert client.post("/review", json={**given, "label": "nice"}).status_code == 400
    assert client.post("/review", json={**given, "text": "Hello."}).status_code in (400, 409)


def test_two_kgs_are_compared(kg, tmp_path):
    other = 'ex:da rdfs:label "Douglas Adams" ; ex:born ex:london . ex:london rdfs:label "London" .'
    plain_store(other, tmp_path).close()
    with serving(kg, tmp_path / "plain.kg") as client:
        found = events(client.post("/page/verify", json={"text": TEXT, "kg": "small", "against": "plain"}).text)
        assert [name for name, _ in found][-2:] == ["report", "compared"]
        assert "differ" in found[-1][1]["html"]
        assert client.get("/entity?id=http://example.org/da&kg=plain").status_code == 200


def drawn(page, shape):
    return list(page.iter(f"{{http://www.w3.org/2000/svg}}{shape}"))


def test_rows_with_points_make_a_map_and_pairs_a_picture(client):
    rows = '(wd:Q84 "Point(-0.1 51.5)") (wd:Q350 "point(0.12 52.2)") (wd:Q42 "no point") (wd:Q1 "Point(999 0)")'
    where = f"SELECT ?place ?point {{ VALUES (?place ?point) {{ {rows} }} }}"
    page = dom(client.get("/query", params={"query": where}).text)
    assert [one.get("class") for one in drawn(page, "path")] == ["land", "spot", "spot"]
    pairs = "SELECT ?a ?b { ?a wdt:P26 ?b } LIMIT 5"
    assert len(drawn(dom(client.get("/query", params={"query": pairs}).text), "line")) == 10, "five, wide and narrow"
    assert "yes" in client.get("/query", params={"query": "ASK { ?s ?p ?o }"}).text
    assert client.get("/query", params={"query": "SELECT"}).status_code == 400


def test_names_are_completed(client):
    found = client.get("/page/complete", params={"q": "place of bir"}).json()
    assert found[0]["name"] == "wdt:P19"
    assert "wd:Q42" in [one["name"] for one in client.get("/page/complete", params={"q": "douglas ad"}).json()]
