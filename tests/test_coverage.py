"""No sentence disappears: each ends in a claim or in a named reason, in the report, on the terminal and on the page."""

from __future__ import annotations

import json

import pytest

from kgstore.cli.unread import told
from kgstore.store import Store
from kgstore.verifier.claims import Candidate, Mention
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.coverage import Outline, Stretch, coverage
from kgstore.verifier.report.report import report_dict
from kgstore.verifier.values import DateValue
from tests.html_pages import claim, of_class, report, said, shown, text_of
from tests.test_cli import answer, run

RIGHT = "Douglas Adams was born in Cambridge."
KNOWN = f"{RIGHT} He died on 11 May 2001. The writer was 1.96 metres tall."
GERMAN = "Der Autor wurde in Cambridge geboren und arbeitete für die BBC."


@pytest.fixture(scope="module")
def verified(small_kg):
    """Text -> its report."""
    with Store(small_kg, read_only=True) as store:
        verifier = Verifier(store, judge="none")
        yield lambda text: report_dict(verifier.verify(text), store)


def whys(found: dict) -> dict[str, str]:
    """Each sentence that was not read, and why."""
    text = found["text"]
    return {text[one["start"] : one["end"]]: one["why"] for one in found["coverage"]["unread"]}


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Where was he born?", "question"),
        ("“Why?”", "question"),
        ("Hello there!", "opinion, instruction or greeting"),
        ("I could hardly sleep.", "opinion, instruction or greeting"),
        ("Our friends slept.", "opinion, instruction or greeting"),
        ("The lady of Our Dreams slept.", "names nothing that the KG knows"),
        ("You should sleep.", "opinion, instruction or greeting"),
        ("Please note that.", "opinion, instruction or greeting"),
        ("The early years", "heading or fragment without a verb"),
        ("Nobody slept.", "names nothing that the KG knows"),
        (GERMAN, "in another language: German"),
        ("北京是中国的首都。", "in another language: Chinese"),
    ],
)
def test_a_sentence_without_a_claim_has_its_reason(verified, sentence, why):
    found = verified(f"{KNOWN}\n{sentence}")
    assert whys(found) == {sentence: why}
    assert found["coverage"]["language"] == "en"
    assert (found["coverage"]["sentences"], found["coverage"]["read"]) == (4, 3)


@pytest.mark.parametrize(
    ("text", "claims", "unread"),
    [
        ("Der Autor Douglas Adams wurde im Jahr 1952 geboren.", 0, ["German"]),  # "im" is no "I'm"
        ("Grüße aus Lund. Das Krankenhaus St. Mary wurde 1887 gegründet.", 0, ["German", "German"]),
        ("Le romancier est né à Cambridge en 1952. Il est mort en 2001.", 0, ["French", "French"]),
        (f"{GERMAN} {RIGHT}", 1, ["German"]),
        ("Der Autor wurde in Cambridge geboren. Douglas Adams died 2001.", 1, ["German"]),
    ],
)
def test_only_english_is_read(verified, text, claims, unread):
    found = verified(text)
    assert len(found["claims"]) == claims
    assert list(whys(found).values()) == [f"in another language: {one}" for one in unread]


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ([], "names nothing that the KG knows"),
        (["Ann"], "names only one thing that the KG knows: Ann"),
        (["Ann", "1990", "Oslo"], "no relation recognised between Ann and Oslo"),
        (["1990", "Ann"], "no relation recognised between Ann and 1990"),
        (["1990"], "names nothing that the KG knows"),
        (None, "no relation recognised"),
    ],
)
def test_what_the_kg_knows_of_a_sentence_is_in_the_reason(named, why):
    text = "In 1990 it rained on Ann in Oslo, Zorkia."
    mentions = named and [
        Mention(text.index(one), text.index(one) + len(one), one, value=DateValue(1990))
        if one.isdigit()
        else Mention(text.index(one), text.index(one) + len(one), one, (Candidate(f"http://ex/{one}", one, 0.9),))
        for one in [*named]
    ]
    outline = Outline(text, (Stretch(0, len(text)),), None if mentions is None else tuple(mentions))
    assert [one.why for one in coverage(outline, ()).unread] == [why]


def test_a_sentence_whose_head_stands_in_another_one_is_read(verified):
    coverage = verified(KNOWN)["coverage"]
    assert coverage == {"language": "en", "sentences": 3, "read": 3, "unread": []}


def test_short_sentences_are_in_the_language_of_their_text(verified):
    found = verified(f"{GERMAN} Er schlief.")
    assert found["coverage"]["language"] == "de"
    assert set(whys(found).values()) == {"in another language: German"} and len(whys(found)) == 2


def test_markdown_keeps_its_offsets_and_its_headings_are_said(verified):
    found = verified(f"## The **early** years\n\n- **{RIGHT}**\n- Why?\n\n---\n")
    assert whys(found) == {"The **early** years": "heading or fragment without a verb", "Why?": "question"}
    assert found["coverage"]["sentences"] == 3


def test_lines_and_tables_are_sentences(verified):
    table = "Douglas Adams\nPlace of birth: Cambridge\n\n| Country | Capital |\n|---|---|\n| Belgium | Brussels |\n"
    found = verified(table)
    heading = "heading or fragment without a verb"
    assert whys(found) == {"Douglas Adams": heading, "| Country | Capital |": heading}
    assert found["coverage"]["sentences"] == 4


@pytest.mark.parametrize("text", ["", " \n", "🦊🦊", "---"])
def test_a_text_without_words_has_no_sentences(verified, text):
    found = verified(text)["coverage"]
    assert found == {"language": "und", "sentences": 0, "read": 0, "unread": []} and told([found]) == ""


@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (f"{RIGHT} Why?", 1), (GERMAN, 1)])
def test_fail_on_unread_sets_the_exit_code(small_kg, text, code):
    result = run("verify", "-", "--fail-on", "unread", "--kg", small_kg, "--format", "json", stdin=text)
    assert result.exit_code == code and bool(result.stderr) == bool(code)


def test_the_terminal_tells_it_in_one_line(small_kg):
    result = run("verify", "-", "--kg", small_kg, stdin=f"{KNOWN} Why? How? {GERMAN}")
    assert result.stdout.endswith("read 3 of 6 sentences; 3 not: question (2), in another language: German\n")
    assert run("verify", "-", "--kg", small_kg, stdin=RIGHT).stdout.endswith("\nread 1 of 1 sentence\n")


def test_a_batch_adds_up(small_kg, tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate([RIGHT, "Why?"])))
    line = "read 1 of 2 sentences; 1 not: question\n"
    assert run("verify", path, "--kg", small_kg).stdout.endswith(f"\nall 2 texts: {line}")
    result = run("verify", path, "--kg", small_kg, "--format", "jsonl")
    assert [json.loads(line)["coverage"]["read"] for line in result.stdout.splitlines()] == [1, 0]
    assert line in result.stderr


def test_against_a_document_every_sentence_is_accounted_for(tmp_path):
    (tmp_path / "news.txt").write_text("Ann Smith was born in Oslo in 1950.")
    text = "Ann Smith was born in Oslo. Oh dear oh dear! Why?"
    asked = ("verify", "--text", text, "--context", tmp_path / "news.txt")
    assert whys(answer(*asked, "--method", "grapheval")) == {
        "Oh dear oh dear!": "no relation recognised", "Why?": "question",
    }  # fmt: skip
    assert whys(answer(*asked)) == {"Why?": "question"}  # each other sentence is a claim
    german = run("verify", "--text", GERMAN, "--context", tmp_path / "news.txt", "--fail-on", "unread")
    assert german.exit_code == 1 and "written in German" in german.stdout


def test_the_page_marks_what_was_not_read():
    text = "Ann was born in Oslo. Why <b>?"
    unread = [{"start": 22, "end": 30, "why": "question & more"}]
    coverage = {"language": "en", "sentences": 2, "read": 1, "unread": unread}
    root = shown(report(text, claim(0, 20), coverage=coverage))
    [mark] = [one for one in of_class(root, "unread") if one.get("title")]
    assert (mark.get("title"), said(mark)) == ("not read: question & more", "Why <b>?") and text_of(root) == text
    assert "Read 1 of 2 sentences; 1 not: question & more." in said(of_class(root, "coverage")[0])


def test_a_page_of_an_older_report_has_nothing_of_it():
    assert not of_class(shown(report("Ann was born in Oslo.", claim(0, 20))), "unread")
