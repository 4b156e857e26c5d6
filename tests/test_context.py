"""Texts checked against documents: the command and its reports, with the real judge and parser."""

from __future__ import annotations

import json

import pytest

from kgstore.verifier.claims import Label
from kgstore.verifier.document.context import ContextVerifier
from kgstore.verifier.judges.opening import shipped
from kgstore.verifier.report.report import EvidenceNotInKg, report_dict
from tests.test_cli import answer, refused, run
from tests.test_report import check

pytestmark = pytest.mark.skipif(not shipped(), reason="no judge came with this installation")

NEWS = (
    "Ann Smith was born in Oslo in 1950. She studied chemistry in Rome.\n\nIn May 1999 she sold her company, Acme, to "
    "Bob Jones for 20 million dollars. Nobody was hurt in the fire."
)
TEXT = "Ann Smith was born in Paris. She sold Acme to Bob Jones in May 1999. She likes dogs."


@pytest.fixture(scope="module")
def checker():
    return ContextVerifier()


@pytest.fixture
def news(tmp_path):
    (tmp_path / "news.txt").write_text(NEWS)
    return tmp_path / "news.txt"


def test_a_report_quotes_the_document_by_its_offsets(news):
    report = answer("verify", "--text", TEXT, "--context", news, "--method", "nli")
    check(report)
    wrong, right, silent = report["claims"]
    assert (wrong["label"], right["label"], silent["label"]) == ("contradictory", "attributable", "extrapolatory")
    assert report["label"] == "contradictory" and report["kg"]["name"] is None
    for claim in report["claims"]:
        assert TEXT[claim["start"] : claim["end"]] == claim["text"]
        assert sum(claim["probabilities"].values()) == pytest.approx(1)
        assert claim["confidence"] == max(claim["probabilities"].values())
        for item in claim["evidence"]:
            start, end = map(int, item["statement"].removeprefix("document:").split("-"))
            assert NEWS[start:end] == item["object"] == item["labels"][2] and item["labels"][0] == "news.txt"
    assert right["evidence"][0]["role"] == "supports" and "Acme" in right["explanation"]
    assert wrong["evidence"][0]["role"] == "contradicts" and "Paris in the text" in wrong["explanation"]
    assert {one["role"] for one in silent["evidence"]} == {"related"}


@pytest.mark.parametrize("method", ["auto", "nli", "grapheval", "kernel"])
def test_every_method_finds_what_the_document_says(news, method):
    report = answer("verify", "--text", "Ann Smith was born in Oslo in 1950.", "--context", news, "--method", method)
    assert report["label"] == "attributable"
    assert {claim["method"] for claim in report["claims"]} == {f"document:{method}"}
    assert (report["scores"]["kernel"] is not None) == (method in ("auto", "kernel"))


@pytest.mark.parametrize("method", ["nli", "grapheval"])
def test_hedged_and_unsaid_things_are_no_contradiction(checker, method):
    checker.method = method
    document = checker.document(NEWS)
    for text in ("Ann Smith may have been born in Paris.", "Ann Smith paid 30 pounds.", "The dog barked."):
        assert checker.verify(text, document).label == "extrapolatory", text


def test_what_no_triple_is_read_from_is_said(checker):
    checker.method = "grapheval"
    report = checker.verify("Ann Smith was born in Oslo. Oh dear oh dear!", checker.document(NEWS))
    assert report.notices == ("1 sentence from which no triple was read is not checked",)


@pytest.mark.parametrize("method", ["auto", "nli", "grapheval", "kernel"])
def test_an_empty_document_decides_nothing(checker, method):
    checker.method = method
    report = checker.verify("Ann Smith was born in Oslo.", checker.document("  \n "))
    assert [verdict.label for verdict in report.verdicts] == [Label.EXTRAPOLATORY]
    assert report.verdicts[0].why_not == "no document" and report.verdicts[0].evidence == ()


@pytest.mark.parametrize("method", ["auto", "nli", "grapheval", "kernel"])
def test_a_text_that_says_nothing_has_no_claims(checker, method):
    checker.method = method
    assert checker.verify("", checker.document(NEWS)).label == "no_claims"


def test_auto_weighs_the_judge_against_words_and_graph(checker):
    checker.method = "auto"
    report = checker.verify(TEXT, checker.document(NEWS))
    wrong, right, silent = report.verdicts
    assert (wrong.label, right.label, silent.label) == (Label.CONTRADICTORY, Label.ATTRIBUTABLE, Label.EXTRAPOLATORY)
    assert right.scores["kernel"] > silent.scores["kernel"] and "nli_entails" in right.scores


@pytest.mark.parametrize("method", ["auto", "nli"])
def test_questions_and_marks_are_no_claims_and_questions_are_told(checker, method):
    checker.method = method
    text = "Was she happy? In May 1999 she sold her company to Bob Jones [1, 2]."
    report = checker.verify(text, checker.document(NEWS))
    (verdict,) = report.verdicts
    assert verdict.label is Label.ATTRIBUTABLE and verdict.claim.text == text[15:]
    assert report.notices == ("1 question is not checked",)
    report = checker.verify("Why? Who?", checker.document(NEWS))
    assert report.notices == ("2 questions are not checked",)
    assert [(one.label, one.why_not) for one in report.verdicts] == [(Label.EXTRAPOLATORY, "question")] * 2
    assert checker.verify("[1]", checker.document(NEWS)).verdicts == ()


def test_a_quotation_must_stand_in_the_document(checker):
    checker.method = "auto"
    document = checker.document('Ann Smith called the sale "a great success for everybody in the town".')
    right, wrong = (
        checker.verify(f'She called the sale "{said}".', document).verdicts[0]
        for said in ("a great success", "a great failure")
    )
    assert right.label is Label.ATTRIBUTABLE
    assert wrong.label is Label.EXTRAPOLATORY and "not in the document: a great failure" in wrong.reason


def test_small_letters_are_read_with_the_documents_capitals(checker):
    checker.method = "auto"
    text = "Ann smith sold acme to bob jones in may 1999 ."
    (verdict,) = checker.verify(text, checker.document(NEWS)).verdicts
    assert verdict.label is Label.ATTRIBUTABLE
    assert verdict.claim.text == text and verdict.claim.head.text == "Ann smith"


def test_without_a_judge_the_kernel_decides_and_says_so(news):
    result = run("verify", "--text", TEXT, "--context", news, "--judge", "none", "--format", "json")
    assert {claim["method"] for claim in json.loads(result.stdout)["claims"]} == {"document:kernel"}
    assert "the kernel alone decides" in result.stderr


def test_a_denial_is_not_alike_to_what_it_denies(checker):
    checker.method = "kernel"
    report = checker.verify("Ann Smith was not born in Oslo.", checker.document(NEWS))
    assert report.label == "extrapolatory"


def test_the_kernel_shows_the_pair_that_differs(checker):
    checker.method = "kernel"
    verdicts = checker.verify("Ann Smith was born in 1960.", checker.document(NEWS)).verdicts
    assert any("1960” " in one.reason or "1960”;" in one.reason for one in verdicts)


def test_evidence_of_another_document_is_refused(checker):
    checker.method = "nli"
    report = checker.verify("Ann Smith was born in Oslo.", checker.document(NEWS))
    with pytest.raises(EvidenceNotInKg):
        report_dict(report, checker.sources(checker.document("Another document.")))


def test_each_line_of_a_batch_may_bring_a_document(tmp_path, news):
    rows = [{"id": 1, "text": "Ann lives in Rome.", "context": "Ann lives in Rome."}, {"id": 2, "text": "Bob died."}]
    (tmp_path / "batch.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = run("verify", tmp_path / "batch.jsonl", "--context", news, "--format", "jsonl", "--method", "nli")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["claims"][0]["evidence"][0]["statement"] == "document:0-18" and first["label"] == "attributable"
    assert second["claims"][0]["evidence"][0]["labels"][0] == "news.txt"
    assert "1 text without a context" in refused("verify", tmp_path / "batch.jsonl")


def test_a_kg_decides_what_the_document_leaves_open(small_kg, news):
    text = "Ann Smith was born in Oslo. Douglas Adams was born in London."
    alone = answer("verify", "--text", text, "--context", news, "--method", "grapheval")
    both = answer("verify", "--text", text, "--context", news, "--method", "grapheval", "--kg", small_kg)
    assert [claim["label"] for claim in alone["claims"]] == ["attributable", "extrapolatory"]
    assert [claim["label"] for claim in both["claims"]] == ["attributable", "contradictory"]
    assert both["claims"][1]["evidence"][0]["subject"] == "Q42" and both["entities"]


def test_a_kg_that_decides_only_a_part_takes_nothing_away(small_kg, news):
    text = "Douglas Adams was born in Cambridge and sold his company to Ann Smith."
    both = answer("verify", "--text", text, "--context", news, "--method", "nli", "--kg", small_kg)
    assert ("document:nli", len(text)) in [(claim["method"], claim["end"]) for claim in both["claims"]]
    assert "Q42" in [item["subject"] for claim in both["claims"] for item in claim["evidence"]]


def test_what_cannot_be_checked_so_is_refused(small_kg, news):
    assert "name a KG with --kg, or a document with --context" in refused("verify", "--text", TEXT)
    assert "name one with --context" in refused("verify", "--text", TEXT, "--kg", small_kg, "--method", "grapheval")
    assert "not against a document" in refused("verify", "--text", TEXT, "--context", news, "--method", "factum")
    assert "missing.txt" in refused("verify", "--text", TEXT, "--context", news.with_name("missing.txt"))
    none = refused("verify", "--text", TEXT, "--context", news, "--method", "nli", "--judge", "none")
    assert "asks a judge" in none


def test_markdown_is_read_for_what_it_shows(checker):
    text = "## Facts\n\n1. **Birth**: Ann Smith was born in *Oslo*.[1]\n2. **Dogs**: She will like `dogs`."
    report = checker.verify(text, checker.document(NEWS))
    claims = [one.claim for one in report.verdicts]
    assert [one.text for one in claims] == ["Ann Smith was born in *Oslo*.", "She will like `dogs`."]
    assert all(text[one.start : one.end] == one.text for one in claims)
    assert [one.label for one in report.verdicts] == [Label.ATTRIBUTABLE, Label.EXTRAPOLATORY]
