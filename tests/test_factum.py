"""Factum: the closest statement to each fact of a text, and the factuality degree."""

from __future__ import annotations

import numpy as np
import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.methods.factum import TOP, degree, soft_match
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict
from tests.checks import check_report

TEXT = (
    "Douglas Adams was born in Cambridge. He died in Santa Barbara. The spouse of Douglas Adams was born in Cambridge. "
    "Zork Blat was born in Cambridge."
)
ANGLES = {
    "born in": 0, "born in Rome": 10, "birth place": 20, "residence": 30, "club": 50, "mother": 90,
    "birth place Oslo": 60, "birth place Rome": 25, "residence Rome": 12, "club Rome": 80, "mother Rome": 10,
}  # fmt: skip


def turned(texts):
    """Vectors in a plane, at the angles above."""
    radians = np.radians([ANGLES[text] for text in texts])
    return np.stack([np.cos(radians), np.sin(radians)], axis=1)


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, judge="none", method="factum")


def test_three_predicates_are_kept_and_of_their_facts_the_closest_one():
    known = [tuple(fact.rsplit(" ", 1)) for fact in ANGLES if fact.endswith((" Rome", " Oslo")) and "born" not in fact]
    match = soft_match("born in", "Rome", known, turned)
    assert match is not None and known[match.at] == ("residence", "Rome")     # "mother Rome" is closer, out of reach
    assert match.similarity == pytest.approx(cosine(2))
    assert [name for name, _ in match.predicates] == ["birth place", "residence", "club"]
    assert [one for _, one in match.predicates] == pytest.approx([cosine(20), cosine(30), cosine(50)], abs=1e-4)
    nearest = soft_match("born in", "Rome", known, turned, top=1)
    assert nearest is not None and known[nearest.at] == ("birth place", "Rome")


def test_nothing_known_is_no_match():
    assert soft_match("born in", "Rome", [], turned) is None


def test_each_fact_has_its_statement_and_the_degree_is_their_mean(verifier):
    report = verifier.verify(TEXT)
    check_report(report, verifier.store)
    born, died, spouse, nobody = report.verdicts
    words = [verifier.store.label(one.evidence[0].statement.predicate.value) for one in (born, died)]
    assert words == ["place of birth", "place of death"]
    assert "place of birth (" in born.reason and born.reason.count("(") == TOP + 1
    assert spouse.scores["similarity"] == nobody.scores["similarity"] == 0 and not spouse.evidence
    assert (spouse.why_not, nobody.why_not) == ("the subject is described, not named", "entity not found")
    shares = [one.scores["similarity"] for one in report.verdicts]
    assert report.scores["fd"] == pytest.approx(sum(shares) / 4) == degree(TEXT, verifier)
    assert min(shares[:2]) > 0.6


def test_the_report_says_the_degree_and_what_it_comes_from(verifier):
    report = report_dict(verifier.verify("Douglas Adams was born in Cambridge."), verifier.store)
    [claim] = report["claims"]
    assert claim["method"] == "factum" and claim["scores"]["similarity"] == report["scores"]["fd"]
    assert claim["explanation"].startswith("Of what the KG says about Douglas Adams")


def test_a_text_without_facts_has_no_degree(verifier):
    assert verifier.verify("Hello there!").scores["fd"] is None


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Douglas Adams died in Santa Barbara.", Label.ATTRIBUTABLE),
        ("Douglas Adams did not die in Santa Barbara.", Label.EXTRAPOLATORY),
        ("Douglas Adams may have died in Santa Barbara.", Label.EXTRAPOLATORY),
        ("Douglas Adams was born in Paris.", Label.EXTRAPOLATORY),
    ],
)
def test_it_accuses_nobody_and_supports_only_what_is_asserted(verifier, text, label):
    report = verifier.verify(text)
    check_report(report, verifier.store)
    assert [one.label for one in report.verdicts] == [label]
    assert report.verdicts[0].evidence


def test_an_embedded_stock_of_many_predicates_is_matched_in_pieces():
    names = [f"p{i}" for i in range(150)]
    calls: list[int] = []

    def embed(texts):
        calls.append(len(texts))
        return np.array([[1.0, 0.0] if "p149" in text or "asked" in text else [0.0, 1.0] for text in texts])

    match = soft_match("asked", "x", [(name, "y") for name in names], embed)
    assert match is not None and match.at == 149 and match.similarity == pytest.approx(1.0)
    assert max(calls) <= 64
