"""Labels, features, baselines, the detector and the comparison, on rows that are made up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kgstore.cli.grounding_learn import evaluate, train
from kgstore.embedding import load_embedder
from kgstore.errors import InputError
from kgstore.verifier.grounding.answers import mark, named
from kgstore.verifier.grounding.baselines import baselines, divergence, fit, log_perplexity
from kgstore.verifier.grounding.differences import correlation, difference, quadrants
from kgstore.verifier.grounding.evaluate import OURS, check, choose_layer, judged
from kgstore.verifier.grounding.features import SETS, features, surface
from kgstore.verifier.grounding.parts import folds, split
from kgstore.verifier.grounding.pictures import answer_picture
from kgstore.verifier.grounding.rates import ahead, best_threshold, rates
from kgstore.verifier.reproduce.gga import detection
from kgstore.verifier.reproduce.table import Asked


def made_up(number: int, seed: int = 3) -> list[dict]:
    """Answers of which a third are wrong: low SAS, low PRD of layer 1, low confidence, and some repeat themselves."""
    random = np.random.default_rng(seed)
    rows = []
    for at in range(number):
        wrong = bool(random.random() < 0.33)
        sas = random.normal(0.45 if wrong else 0.6, 0.07, 2)
        chosen = np.clip(random.normal(0.6 if wrong else 0.7, 0.2, 4), 0.05, 1)
        rows.append(
            {
                "id": str(at),
                "question": f"who made film {at}",
                "topics": [f"Film {at // 2}"],
                "answers": ["Ada"],
                "output": "ans: Bob Bob Bob" if wrong and random.random() < 0.5 else "ans: Ada Lovelace",
                "wrong": wrong,
                "begin": 2,
                "prd": float(random.normal(-0.9, 0.02)),
                "prd_layers": random.normal((-0.95 if wrong else -0.9, -0.9), 0.02).tolist(),
                "sas_layers": sas.tolist(),
                "chosen": chosen.tolist(),
                "highest": chosen.tolist(),
                "model": "tiny",
            }
        )
    return rows


@pytest.mark.parametrize(
    ("output", "gold", "wrong", "f1"),
    [
        ("ans: The Tin Larks", ["tin larks"], False, 1.0),
        ("ans: London\nans: Rome", ["Rome", "London"], False, 1.0),
        ("ans: Rome", ["Rome", "London", "Paris"], False, 1.0),
        ("Rome", ["Rome"], False, 1.0),
        ("ans: a b c d e f g h Rome", ["Rome"], True, 0.25 - 0.25 / 9),
        ("ans: Milan", ["Rome"], True, 0.0),
        ("", ["Rome"], True, 0.0),
        ("ans:", ["Rome"], True, 0.0),
    ],
)
def test_right_and_wrong_answers(output, gold, wrong, f1):
    found = mark(output, gold)
    if output.startswith("ans: a b"):
        f1 = 2 / (8 + 1)  # "a" is an article; seven letters and Rome against Rome
    assert (found.wrong, found.f1) == (wrong, pytest.approx(f1))


def test_names_are_read_from_lines_and_prefixes():
    assert named("The answers are:\n- Rome\n2. Paris\nrome") == ["Rome", "Paris"]
    assert named("ANS: Rome, \nI think so") == ["Rome"]


def test_surface_cues_count_what_they_say():
    assert surface("ans: a, b?") == {
        "words": 3.0,
        "repetition": 0.0,
        "word_length": pytest.approx(8 / 3),
        "unique_words": 1.0,
        "prefix": 1.0,
        "commas": 1.0,
        "question_marks": 1.0,
    }
    assert surface("")["word_length"] == 0.0 and surface("Rome")["prefix"] == 0.0


def test_no_topic_is_on_both_sides():
    rows = made_up(200)
    learnt, tested = split(rows)
    assert not {row["topics"][0] for row in learnt} & {row["topics"][0] for row in tested}
    assert 0.45 < len(learnt) / len(rows) < 0.75
    together = {}
    for row, fold in zip(rows, folds(rows).tolist(), strict=True):
        assert together.setdefault(row["topics"][0], fold) == fold
    assert set(together.values()) == {0, 1, 2}


def test_rates_of_a_perfect_and_a_useless_score():
    wrong = np.array([True, False, False, True] * 10)
    perfect = rates(wrong.astype(float), wrong, 0.5)
    assert (perfect.auc, perfect.f1, perfect.macro_f1, perfect.interval) == (1.0, 1.0, 1.0, None)
    useless = rates(np.zeros(40), wrong, 0.0)
    assert (useless.auc, useless.recall, useless.precision, useless.flagged) == (0.5, 1.0, 0.5, 1.0)
    assert ahead(wrong.astype(float), np.zeros(40), wrong)[0] == 0.5


def test_a_threshold_has_the_best_f1():
    risk, wrong = np.arange(100) / 100, np.arange(100) >= 60
    assert best_threshold(risk, wrong) == pytest.approx(0.6, abs=0.02)


def test_a_baseline_learns_which_way_it_points():
    scores, wrong = np.array([5.0, 4.0, 1.0, 2.0]), np.array([False, False, True, True])
    found = fit(scores, wrong)
    assert found.sign == -1 and list(found.sign * scores >= found.threshold) == [False, False, True, True]


def test_baselines_are_what_the_appendix_says():
    rows = [{**row, "output": "ans: London", "question": "London"} for row in made_up(2)]
    rows[0] |= {"begin": 1, "chosen": [0.9, 0.5, 0.125], "highest": [0.9, 0.99, 0.97]}
    found = {one.name: one.scores[0] for one in baselines(rows, load_embedder(None), None)}
    assert found["perplexity"] == pytest.approx(np.log(4))
    assert (found["token confidence"], found["max token probability"]) == (0.95, 0.95)
    assert found["token confidence, not clipped"] == pytest.approx(0.98)
    assert found["max token probability, not clipped"] == 0.99
    assert found["embedding similarity"] == pytest.approx(1.0) and found["embedding divergence"] < 1e-3
    assert log_perplexity(np.array([0.0])) == pytest.approx(np.log(10_000))


def test_divergence_of_opposite_vectors():
    one = np.array([0.6, 0.8])
    p, q = np.exp(one) / np.exp(one).sum(), np.exp(-one) / np.exp(-one).sum()
    middle = (p + q) / 2
    shannon = sum(float((x * np.log(x / middle)).sum()) for x in (p, q)) / 2
    assert divergence(one, -one) == pytest.approx(0.4 * 2 + 0.2 * 2 / (2 * np.sqrt(2)) + 0.2 + 0.2 * shannon)


def test_a_difference_is_students_t():
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(1)
    values, wrong = random.normal(0, 1, 50), random.random(50) < 0.4
    found, expected = difference(values, wrong), stats.ttest_ind(values[~wrong], values[wrong])
    assert (found.t, found.p, found.freedom) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue), 48)
    assert correlation(values, values) == pytest.approx(1.0) and correlation(values, np.ones(50)) == 0.0


def test_quadrants_hold_every_answer_once():
    prd, sas = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.1, 0.3, 0.2])
    found = quadrants(prd, sas, np.array([True, False, False, True]))
    assert [one.answers for one in found] == [1, 1, 1, 1]
    assert [one.wrong for one in found] == [0.0, 1.0, 0.0, 1.0]


def test_a_detector_is_learnt_saved_and_read_back(tmp_path):
    pytest.importorskip("xgboost")
    from kgstore.verifier.grounding.detector import load, train

    learnt, tested = split(made_up(300))
    detector = train(learnt, 2)
    wrong = np.array([row["wrong"] for row in tested])
    assert rates(detector.risk(tested), wrong, detector.threshold).auc > 0.85
    assert next(iter(detector.importances())) == "sas" and sum(detector.importances().values()) == pytest.approx(1)
    detector.save(tmp_path / "detector.json")
    again = load(tmp_path / "detector.json")
    assert (again.features, again.layer, again.threshold) == (detector.features, 2, detector.threshold)
    assert again.risk(tested).tolist() == detector.risk(tested).tolist()
    assert json.loads((tmp_path / "detector.json").read_text())["schema"] == "kgstore.gga/1"
    (tmp_path / "detector.json").write_text("{}")
    with pytest.raises(InputError, match="holds no detector"):
        load(tmp_path / "detector.json")


def test_one_kind_of_answer_is_not_enough_to_learn_from():
    pytest.importorskip("xgboost")
    from kgstore.verifier.grounding.detector import train

    with pytest.raises(InputError, match="too few"):
        train([{**row, "wrong": False} for row in made_up(30)], 1)


def test_train_and_evaluate_print_the_tables_and_draw(tmp_path):
    pytest.importorskip("xgboost")
    rows, target, plots = tmp_path / "rows.jsonl", tmp_path / "detector.json", tmp_path / "plots"
    rows.write_text("".join(json.dumps(row) + "\n" for row in made_up(200)), encoding="utf-8")
    trained = CliRunner().invoke(train, [str(rows), "-o", str(target), "--format", "json"])
    assert trained.exit_code == 0, trained.output
    assert json.loads(trained.output)["layer"] == 2
    words = [str(rows), "--detector", str(target), "--judge", "none", "--plots", str(plots)]
    done = CliRunner().invoke(evaluate, words)
    assert done.exit_code == 0, done.output
    names = ("GGA (PRD + SAS)", "perplexity", "embedding divergence", *SETS, "PRD of layer 1", "Q3: low PRD, low SAS")
    for name in names:
        assert name in done.output
    assert {path.name for path in plots.iterdir()} == {
        f"{name}.{kind}" for name in ("boxes", "quadrants", "layers", "ablation") for kind in ("svg", "png")
    }


def test_features_follow_the_chosen_layer():
    [row] = made_up(1)
    assert [features(row, layer)["sas"] for layer in (1, 2)] == row["sas_layers"]


def test_the_papers_table_stands_beside_ours(tmp_path):
    pytest.importorskip("xgboost")
    from kgstore.verifier.reproduce.table import Asked
    from kgstore.verifier.reproduce.tables import table

    (tmp_path / "gga_rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in made_up(200)), encoding="utf-8")
    found = {line.what: line.figures for line in table("gga").run(Asked(tmp_path, judge="none")).lines}
    assert found["AUC, GGA (PRD + SAS)"][:2] == (0.8341, 0.8528) and found["AUC, GGA (PRD + SAS)"][2] > 0.8
    assert found["AUC, surface only"][:2] == (None, None)
    assert found["wrong in Q3: low PRD, low SAS"][0] == 0.222


def test_rows_are_parted_so_that_either_side_has_both_kinds():
    rows = made_up(60)
    assert choose_layer(rows) == 2, "of two layers the upper half is the second"
    assert judged([{**rows[0], "wrong": None}, rows[1]]) == [rows[1]]
    learnt, tested = check(rows)
    assert len(learnt) + len(tested) == 60 and not {row["topics"][0] for row in learnt} & {
        row["topics"][0] for row in tested
    }
    with pytest.raises(InputError, match="measure more questions"):
        check(rows[:12])


def test_the_tables_of_the_paper_stand_beside_ours(tmp_path):
    pytest.importorskip("xgboost")
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in made_up(80)), encoding="utf-8")
    found = detection(Asked(judge="none"), path)
    lines = {line.what: line.figures for line in found.lines}
    assert lines[f"AUC, {OURS}"][:2] == (0.8341, 0.8528) and 0 <= lines[f"AUC, {OURS}"][2] <= 1
    assert all(len(line.figures) == len(found.columns) for line in found.lines) and "layer 2" in found.notes[1]


def test_an_answer_is_drawn_with_its_triples(tmp_path):
    pytest.importorskip("matplotlib")
    triple = {"triple": ["Ada", "born in", "London"], "attention": 0.3, "on_path": True}
    tokens = [{"text": word, "sas": 0.5} for word in ("ans:", " London")]
    data = {"question": "where", "prd": 0.1, "sas": 0.5, "risk": None, "triples": [triple], "tokens": tokens}
    answer_picture(tmp_path / "one.svg", data)
    assert "Ada, born in, London" in (tmp_path / "one.svg").read_text(encoding="utf-8")
