"""Two runs claim by claim, parts of a run, halves of the rows."""

from __future__ import annotations

import pytest

from kgstore.errors import InputError
from kgstore.verifier.measure.breakdown import by_field, by_tier, has_field, selective
from kgstore.verifier.measure.compare_runs import compare, mcnemar
from kgstore.verifier.measure.judged import judged
from kgstore.verifier.measure.labelled import half_of, read_reports
from tests.test_evaluate import A, C, E, claim, gold, passage, report


def run(*labels: str) -> dict:
    return {str(i): report(claim(label, method=f"rule:{label[:1]}")) for i, label in enumerate(labels)}


def ids(changes: tuple) -> list[str]:
    return [one.id for one in changes]


def test_claims_are_mended_broken_or_only_relabelled():
    found = compare(gold(A, A, E, C, C), run(A, E, E, A, C), run(E, A, E, E, C))
    assert (ids(found.mended), ids(found.broke), ids(found.relabelled)) == (["0"], ["1"], ["3"])
    change = found.mended[0]
    assert (change.text, change.gold, change.before, change.before_method) == ("text 0", A, E, "rule:e")
    assert (change.after, change.after_method) == (A, "rule:a")
    assert (found.rows, found.claims, found.p_value) == (5, 5, 1.0)


def test_a_false_claim_that_is_now_contradicted_is_relabelled_in_binary_sets():
    found = compare(gold(A, "not_attributable"), run(A, C), run(A, E))
    assert ids(found.relabelled) == ["1"] and not found.mended and not found.broke


def test_differences_have_paired_intervals():
    rows = gold(*[A] * 60)
    better = compare(rows, run(*[A] * 55, *[E] * 5), run(*[A] * 35, *[E] * 25)).differences["accuracy"]
    assert better.change == pytest.approx(20 / 60)
    assert 0.2 < better.low < better.change < better.high < 0.47
    same = compare(rows, run(*[A] * 35, *[E] * 25), run(*[A] * 35, *[E] * 25)).differences["accuracy"]
    assert (same.change, same.low, same.high) == (0.0, None, None)      # no draw moves it


def test_only_rows_of_both_runs_with_the_same_text_are_compared():
    new, old = run(A, A, A), run(E, E)
    old["1"]["text"] = "another text"
    found = compare(gold(A, A, A), new, old)
    assert (found.rows, found.only_new, found.other_text) == (1, 1, 1)
    with pytest.raises(ValueError, match="in both"):
        compare(gold(A), new, {})


def test_claims_of_a_passage_are_compared_one_by_one():
    row = passage((0, 10, A), (20, 30, C))
    new = {"p": report(claim(A, start=0, end=10), claim(C, start=20, end=30), claim(A, start=50, end=60))}
    old = {"p": report(claim(E, start=0, end=10))}
    found = compare([row], new, old)
    assert [(one.before, one.after) for one in found.mended] == [(E, A), ("not found", C)]
    assert found.claims == 2 and found.to_dict()["mended"][1]["before_method"] == "not found"


def test_the_exact_test_of_mended_against_broken():
    assert mcnemar(5, 0) == mcnemar(0, 5) == 2 / 32
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(1000, 1100) == pytest.approx(0.0307, abs=1e-3)


def test_parts_by_tier_and_by_field():
    rows = [{**row, "kind": kind} for row, kind in zip(gold(A, A, C, E), ("one", "one", "two", None), strict=True)]
    claims = judged(rows, {**run(A, C, C), "3": report()})
    assert [(one.name, one.claims, one.right, one.false_accusations) for one in by_tier(claims)] == [
        ("rule:c", 2, 1, 1), ("no claim found", 1, 1, 0), ("rule:a", 1, 1, 0)]
    assert [(one.name, one.claims, one.accuracy) for one in by_field(claims, "kind")] == [
        ("one", 2, 0.5), ("(none)", 1, 1.0), ("two", 1, 1.0)]
    assert has_field(claims, "kind") and not has_field(claims, "source")


def test_parts_of_passages_take_the_fields_of_their_claims():
    row = {**passage((0, 10, A), (20, 30, C)), "kind": "passage"}
    row["claims"][1]["kind"] = "date"
    claims = judged([row], {"p": report(claim(A, start=0, end=10), claim(A, start=50, end=60))})
    assert [(one.name, one.claims) for one in by_field(claims, "kind")] == [("date", 1), ("passage", 1)]
    assert [(one.name, one.claims) for one in by_tier(claims)] == [("not found", 1), ("rule:x", 1)]


def test_the_more_confidence_is_asked_for_the_less_is_decided():
    rows = gold(A, A, A, E)
    got = {str(i): report({**claim(A), "probabilities": {A: p}}) for i, p in enumerate((0.99, 0.85, 0.55, 0.75))}
    found = selective(judged(rows, got))
    assert [(one.confidence, one.decided, one.accuracy) for one in found] == [
        (0.0, 4, 0.75), (0.6, 3, pytest.approx(2 / 3)), (0.8, 2, 1.0), (0.9, 1, 1.0)]
    assert [one.coverage for one in found] == [1.0, 0.75, 0.5, 0.25]
    assert selective(judged(gold(E), {"0": report()})) == []


def test_halves_are_told_by_the_subject_else_by_the_id():
    assert half_of({"id": "1", "subject": "Q42"}) == half_of({"id": "2", "subject": "Q42"}) == "tune"
    assert half_of({"id": "Q42", "subject": None}) == half_of({"id": "Q42"}) == "tune"
    halves = [half_of({"id": str(i)}) for i in range(400)]
    assert 160 < halves.count("tune") < 240


@pytest.mark.parametrize(("lines", "why"), [
    ("{", "line 1 is no report"),
    ('{"id": "a"}', "line 1 is no report"),
    ('{"id": "a", "claims": [{}]}', "line 1 is no report"),
    ('\n{"claims": []}', "line 2 has no id"),
    ('{"id": "a", "claims": []}\n{"id": "a", "claims": []}', "line 2 has no id of its own"),
])
def test_a_bad_file_of_reports_is_named_with_its_line(tmp_path, lines, why):
    path = tmp_path / "reports.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_reports(path)
