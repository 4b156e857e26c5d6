"""``kgstore sweep``: thresholds, ties, curves, and the files that it reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.cli.main import main
from kgstore.errors import InputError
from kgstore.verifier.measure.metrics import balanced_accuracy, best_threshold, roc_auc
from kgstore.verifier.measure.sweep import balanced_interval, curves, rates, roc_interval
from kgstore.verifier.measure.sweep_measures import kernel_alone
from kgstore.verifier.measure.sweep_plot import sweep_plot
from kgstore.verifier.measure.sweep_rows import read_rows
from kgstore.verifier.methods.kea import THRESHOLD, threshold_of

PAIRS = Path(__file__).parents[1].parent / "shared" / "data" / "kea_graphs"
EDGE = "[('ada', '{}', {{'relation': 'born in'}})]"


@st.composite
def labelled(draw):
    scores = draw(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), min_size=2, max_size=30))
    bad = draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    bad[:2] = [True, False]
    return scores, bad


@settings(max_examples=20, deadline=None)
@given(labelled())
def test_curves_agree_with_the_measures_one_by_one(rows):
    scores, bad = rows
    found = curves(scores, bad)
    for threshold, hit, accused in zip(found.thresholds, found.found, found.accused, strict=True):
        one = rates(scores, bad, float(threshold))
        assert one.recall == pytest.approx(hit)
        assert one.balanced_accuracy == pytest.approx((hit + 1 - accused) / 2)
    good = [score for score, b in zip(scores, bad, strict=True) if not b]
    wrong = [score for score, b in zip(scores, bad, strict=True) if b]
    area = float(np.trapezoid(found.found, found.accused))
    assert area == pytest.approx(roc_auc(good, wrong))
    assert roc_interval(scores, bad, [str(i) for i in range(len(scores))])[0] == pytest.approx(area)
    risks = [(1 - score, not b) for score, b in zip(scores, bad, strict=True)]
    best = balanced_accuracy(risks, best_threshold(risks))
    assert rates(scores, bad, found.best()).balanced_accuracy == pytest.approx(best)


def test_a_tie_at_the_threshold_counts_one_way_only():
    scores, bad = [0.5] * 10, [True] * 5 + [False] * 5
    assert rates(scores, bad, 0.5).balanced_accuracy == 0.5
    assert rates(scores, bad, 0.5).recall == 0.0 and rates(scores, bad, 0.51).recall == 1.0


def test_rows_of_one_group_are_drawn_together():
    scores, bad = [0.1, 0.9, 0.6, 0.7] * 20, [True, False, True, False] * 20
    alone = balanced_interval(scores, bad, [str(i) for i in range(80)], 0.5)
    together = balanced_interval(scores, bad, [str(i // 20) for i in range(80)], 0.5)
    assert alone is not None and alone[0] < 0.75 < alone[1]
    assert together is None                                         # all groups are alike, so nothing moves


def test_only_good_texts_have_no_threshold():
    with pytest.raises(ValueError, match="both"):
        curves([0.1, 0.2], [False, False])


# -- files -------------------------------------------------------------------------------------------------------------


def test_csv_as_the_paper_stores_it(tmp_path):
    path = tmp_path / "pairs.csv.gz"
    lines = [f'0.0,5.0,"{EDGE.format("london")}","{EDGE.format("london")}"']
    lines += [f'0.75,3.67,"{EDGE.format("london")}","{EDGE.format("paris")}"']
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    first, second = read_rows(path, together=2)
    assert (first.bad, second.bad, first.score, second.score) == (False, True, 1.0, 0.25)
    assert first.claim == (("ada", "born in", "london"),) and first.group == second.group
    assert kernel_alone(first) == 1.0 and kernel_alone(second) < 0.5
    assert [row.bad for row in read_rows(path, from_=3)] == [False, False]


@pytest.mark.parametrize("line", [
    '{"label": "attributable"}',
    '{"score": 1.5, "label": "attributable"}',
    '{"claim": [["a", "b"]], "label": "attributable"}',
    '{"claim": [["a", "b", 3]], "label": "attributable"}',
    '{"score": 0.5}',
    "[1]",
    "{",
])
def test_a_line_that_is_no_row_is_named(tmp_path, line):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"score": 0.5, "label": "attributable"}\n' + line + "\n")
    with pytest.raises(InputError, match="line 2"):
        read_rows(path)


@pytest.mark.parametrize(
    "cell", ["__import__('os').getcwd()", "[" * 5000, "[(1, 2, {})]", "[('a', 'b', {'relation': 1})]"]
)
def test_a_graph_in_a_csv_is_read_and_never_run(tmp_path, cell):
    path = tmp_path / "pairs.csv"
    path.write_text(f'0.1,accurate,"{cell}","[]"\n')
    with pytest.raises(InputError, match="row 1"):
        read_rows(path)


# -- the command -------------------------------------------------------------------------------------------------------


def rows_file(tmp_path: Path) -> Path:
    path, towns = tmp_path / "rows.jsonl", ["London", "Paris", "Rome", "Oslo", "Cairo", "Lima"]
    rows = []
    for i in range(24):
        said, known = towns[i % 6], towns[(i + i % 2) % 6]
        graph = {"claim": [["Ada", "born in", said]], "context": [["Ada", "born in", known]]}
        rows.append({"id": str(i), **graph, "label": "consistent" if said == known else "wrong", "score": 0.5})
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_sweep_of_graphs(tmp_path):
    plot = tmp_path / "roc.png"
    done = CliRunner().invoke(main, ["sweep", str(rows_file(tmp_path)), "--plot", str(plot), "--format", "json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["rows"] == 24 and found["bad"] == 12 and found["roc_auc"] == 1.0
    by = {one["source"]: one for one in found["thresholds"]}
    assert by["labels (tune)"]["balanced_accuracy"] == 1.0
    assert by["flag all"]["balanced_accuracy"] == 0.5 and "mixture" in by and "wrong on purpose" in by
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_sweep_of_scores_with_a_threshold_of_ones_own(tmp_path):
    path = rows_file(tmp_path)
    assert threshold_of(tmp_path) == threshold_of(None) == THRESHOLD
    options = ["--setting", "stored", "--threshold", "0.625", "--into", str(tmp_path)]
    done = CliRunner().invoke(main, ["sweep", str(path), *options])
    assert done.exit_code == 0, done.output
    assert "ROC-AUC 0.500" in done.stdout and "given" in done.stdout
    assert threshold_of(tmp_path) == 0.625
    (tmp_path / "kernel.json").write_text('{"schema": "kgstore.kernel/1", "threshold": 7}')
    with pytest.raises(InputError, match="no threshold"):
        threshold_of(tmp_path)


def test_sweep_says_what_is_missing(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"score": 0.5, "label": "attributable"}\n')
    done = CliRunner().invoke(main, ["sweep", str(path)])
    assert done.exit_code == 2 and "both" in done.stderr


def test_a_plot_says_areas_and_threshold(tmp_path):
    found = curves([0.1, 0.2, 0.6, 0.9], [True, False, True, False])
    sweep_plot(tmp_path / "a.svg", found, 0.75, 0.6)
    text = (tmp_path / "a.svg").read_text()
    assert "ROC, area 0.750" in text and "dots: threshold 0.600" in text
    with pytest.raises(InputError):
        sweep_plot(tmp_path / "a.gif", found, 0.75, 0.6)


@pytest.mark.skipif(not PAIRS.is_dir(), reason="the graphs of the paper's authors are not here")
@pytest.mark.parametrize(("name", "area"), [("summeval", 0.7942), ("wikibio", 0.5851)])
def test_our_kernel_gives_every_stored_score_of_the_paper(name, area):
    rows = read_rows(PAIRS / f"{name}_graph_pairs.csv.gz", together=16)
    assert max(abs(kernel_alone(row) - (row.score or 0.0)) for row in rows) < 1e-9
    scores, bad = [row.score or 0.0 for row in rows], [row.bad for row in rows]
    found = curves(scores, bad)
    assert float(np.trapezoid(found.found, found.accused)) == pytest.approx(area, abs=1e-4)
    if name == "summeval":
        assert rates(scores, bad, found.best()).balanced_accuracy >= 0.762
    else:
        assert rates(scores, bad, 2.0).f1 > 0.84                    # calling everything wrong is as good as the paper


def test_sweep_with_a_kernel_of_grakel(tmp_path):
    pytest.importorskip("grakel")
    words = ["sweep", str(rows_file(tmp_path)), "--kernel"]
    done = CliRunner().invoke(main, [*words, "PyramidMatch", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["roc_auc"] == 1.0
    wrong = CliRunner().invoke(main, [*words, "Nothing"])
    assert wrong.exit_code == 2 and "GraKeL has no kernel Nothing" in wrong.stderr
    wrong = CliRunner().invoke(main, [*words, "PyramidMatch", "--setting", "stored"])
    assert wrong.exit_code == 2 and "--kernel compares graphs" in wrong.stderr
