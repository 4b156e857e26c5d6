"""Reports as data frames, and in notebooks."""

from __future__ import annotations

import pytest

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.frames import COLUMNS
from kgstore.verifier.report.report import Report

TEXT = "Douglas Adams was born in London. <b>Douglas Adams</b> was born in Cambridge. Why?"


@pytest.fixture(scope="module")
def report(small_kg) -> Report:
    with Store(small_kg) as store:
        return Verifier(store, judge="none", reader="none").verify(TEXT)


def test_a_row_for_each_verdict(report):
    pytest.importorskip("pandas")
    frame = report.to_pandas()
    assert list(frame.columns) == list(COLUMNS) and len(frame) == len(report.verdicts) >= 2
    wrong = frame[frame.label == "contradictory"].iloc[0]
    assert (wrong.correction, wrong["tail"], wrong.start) == ("Cambridge", "London", 0)
    assert wrong.property_iri.endswith("/P19") and 0 < wrong.confidence <= 1


def test_arrow_holds_the_same(report):
    pytest.importorskip("pyarrow")
    assert report.to_arrow().column_names == list(COLUMNS)
    assert report.to_arrow().num_rows == len(report.verdicts)


def test_a_report_without_claims_is_an_empty_frame():
    pytest.importorskip("pandas")
    assert list(Report("").to_pandas().columns) == list(COLUMNS) and not len(Report("").to_pandas())
    assert Report("")._repr_html_()


def test_a_notebook_shows_marks_and_escapes_the_text(report):
    html = report._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert 'title="contradictory">Douglas Adams was born in London</span>' in html
    assert html.count("<tr>") == 1 + len(report.verdicts)


def test_a_store_in_a_notebook(small_kg):
    with Store(small_kg) as store:
        assert "wikidata-small" in store._repr_html_() and "triples" in store._repr_html_()
    with Store() as store:
        assert store._repr_html_()
