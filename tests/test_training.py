"""What the judge learns from: rows of files, pairs made from a KG; and that it learns."""

from __future__ import annotations

import gzip
import json
import random
import runpy
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
import torch

from kgstore.bert import shared_words
from kgstore.embedding import MiniLM
from kgstore.errors import InputError
from kgstore.model import Quantity, Time
from kgstore.store import Store
from kgstore.verifier.judges.native import FOLDER, NativeJudge
from kgstore.verifier.training import fit, forward, moves, public, shipped
from kgstore.verifier.training.kg_pairs import KgPairs
from kgstore.verifier.training.measure import measure, table
from kgstore.verifier.training.pairs import OPEN_LICENCES, Pair, part_of, read_pairs
from kgstore.verifier.training.tune import kg_pairs
from tests.plain_graph import plain_store

YES, NO = (0,), (2,)


@pytest.fixture(scope="module")
def pairs(small_kg: Path) -> list[Pair]:
    with Store(small_kg) as store:
        return list(KgPairs(store, seed=1).make(400))


def test_pairs_of_a_kg_are_the_same_for_the_same_seed(small_kg: Path, pairs: list[Pair]) -> None:
    with Store(small_kg) as store:
        assert list(KgPairs(store, seed=1).make(50)) == pairs[:50]
        assert list(KgPairs(store, seed=2).make(50)) != pairs[:50]


def test_pairs_of_a_kg_have_all_classes_and_most_recipes(pairs: list[Pair]) -> None:
    assert {pair.allowed for pair in pairs} >= {(0,), (1,), (2,), (1, 2)}
    assert {pair.source for pair in pairs} >= {"kg:true", "kg:swapped", "kg:silent", "kg:denied", "kg:chain"}
    shares = [np.mean([pair.allowed[-1] == number for pair in pairs]) for number in range(3)]
    assert min(shares) > 0.25


def test_a_premise_that_is_silent_does_not_hold_the_hypothesis(pairs: list[Pair]) -> None:
    silent = [pair for pair in pairs if pair.source == "kg:silent"]
    assert silent
    assert all(pair.hypothesis.rstrip(".") not in pair.premise for pair in silent)


def test_subjects_can_be_kept_aside(small_kg: Path) -> None:
    with Store(small_kg) as store:
        some = KgPairs(store, subjects=lambda iri: part_of(iri) == 9)
        assert all(part_of(some._subject()) == 9 for _ in range(20))


def test_a_graph_that_says_too_little_teaches_nothing(tmp_path: Path) -> None:
    turtle = 'ex:a rdfs:label "Thing" .'
    with plain_store(turtle, tmp_path) as store, pytest.raises(InputError, match="too few to learn from"):
        kg_pairs(store, 200, 13)


def test_dates_and_amounts_are_moved_out_of_reach_and_coarsened_within() -> None:
    chance = random.Random(3)
    day, people = Time("+1931-05-05T00:00:00Z", 11), Quantity(Decimal(4_412_345))
    assert set(moves.coarser(day, "5 May 1931", chance)) == {"the 1930s", "1931", "May 1931", "May 5, 1931"}
    assert moves.coarser(people, "4,412,345", chance)[0].endswith("4.4 million")
    assert all(moves.moved(day, chance, str) not in (None, "5 May 1931", "1931", "May 1931") for _ in range(50))
    for _ in range(50):
        text, holds = moves.roughly(people, chance, str)
        bound = int(text.rsplit(" ", 1)[1].replace(",", ""))
        above = text.startswith(("more", "over", "at least"))
        assert holds == (bound < 4_412_345 if above else bound > 4_412_345)
    assert moves.finer(day, chance) is None
    assert moves.finer(Time("+1931-00-00T00:00:00Z", 9), chance).endswith(" 1931")


def test_rows_are_read_with_their_licence(tmp_path: Path) -> None:
    path = _nli(tmp_path) / "train.jsonl.gz"
    assert [pair.allowed for pair in read_pairs(path)][:4] == [(0,), (2,), (1, 2), (0,)]
    assert {pair.source for pair in read_pairs(path, OPEN_LICENCES)} == {"fever_rte_dev"}


def test_a_row_without_label_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"premise": "a", "hypothesis": "b", "label": "entailment"}\n{"premise": "a"}\n')
    with pytest.raises(InputError, match="line 2"):
        list(read_pairs(path))


def test_no_row_is_both_learnt_and_measured(tmp_path: Path) -> None:
    folder = _nli(tmp_path)
    learnt = {(pair.premise, pair.hypothesis) for pair in public.learnt(folder)}
    measured = {(pair.premise, pair.hypothesis) for rows in public.measured(folder).values() for pair in rows}
    assert learnt and measured and not learnt & measured
    assert not any("noncommercial" in premise for premise, _ in learnt)
    assert any("noncommercial" in premise for premise, _ in measured)


def test_what_is_computed_while_a_model_learns_is_what_transformers_computes(tmp_path: Path) -> None:
    model, tokenizer = fit.load(_tiny_bert(tmp_path))
    pairs = [Pair("Ada is here.", "Ada is away.", NO, "toy"), Pair("Ben is here and there.", "Ben is.", YES, "toy")]
    batch = fit.tensors(fit.encoded(pairs, tokenizer, 32))
    torch.manual_seed(0)
    with torch.no_grad():
        told = forward.logits(model.eval(), batch)
        assert torch.allclose(told, model(**batch).logits, atol=1e-6)
        assert not torch.allclose(forward.logits(model.train(), batch), told, atol=1e-3)


def test_a_tenth_is_left_out_and_the_mean_stays() -> None:
    torch.manual_seed(0)
    left = forward._dropped(torch.nn.Dropout(0.1), torch.ones(300, 400))
    assert 0.09 < float((left == 0).float().mean()) < 0.11 and abs(float(left.mean()) - 1) < 0.01
    assert float(left.max()) == pytest.approx(1 / 0.9)


def test_training_learns_and_what_is_written_judges_alike(tmp_path: Path) -> None:
    base = _tiny_bert(tmp_path / "base")
    model, tokenizer = fit.load(base)
    rows = [Pair(f"{name} is here.", f"{name} is {way}.", YES if way == "here" else NO, "toy")
            for name in ("Ada", "Ben", "Cleo", "Dan") for way in ("here", "away")]  # fmt: skip
    encoded = fit.encoded(rows, tokenizer, 32)
    fit.train(model, encoded, fit.Recipe(epochs=300, rate=3e-3, batch=8))
    logits = fit.logits_of(model, encoded)
    assert [int(one.argmax()) for one in logits] == [0, 2] * 4
    heat = fit.temperature(logits, [row.allowed for row in rows])
    fit.save(model, tokenizer, tmp_path / "judge", temperature=heat, max_tokens=32)
    judge = NativeJudge(tmp_path / "judge")
    scaled = np.exp(logits / heat)
    expected = scaled / scaled.sum(1, keepdims=True)
    given = judge.judge([(row.premise, row.hypothesis) for row in rows])
    assert np.abs(given - expected).max() < 0.02        # the file has half precision
    found = measure(judge, {"toy": rows}, blind=True)["toy"]
    assert found.accuracy == found.balanced == 1.0
    assert found.classes == ("entailment", "contradiction")
    assert "| toy | 8 | entailment, contradiction | 1.000 |" in list(table({"toy": found}))[2]


def test_the_shipped_judge_is_made_in_courses_that_are_not_repeated(
    small_kg: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shipped, "PER_KG", (110, 110))
    base, work, judge = _tiny_bert(tmp_path / "base"), tmp_path / "work", tmp_path / "judge"
    arguments = ["--nli", str(_nli(tmp_path)), "--kg", str(small_kg), "--work", str(work), "--base", str(base)]
    shipped.main([*arguments, "-o", str(judge)])
    assert "| KG pairs, other subjects |" in capsys.readouterr().out
    assert json.loads((judge / "results.json").read_text())["sick"]["rows"] == 10
    made = [(work / f"course{number}" / "model.safetensors").stat().st_mtime_ns for number in (1, 2, 3)]
    shipped.main([*arguments, "-o", str(judge)])
    assert made == [(work / f"course{number}" / "model.safetensors").stat().st_mtime_ns for number in (1, 2, 3)]


def test_words_that_are_those_of_the_embedding_model_are_said_to_be_and_may_be_left_out(tmp_path: Path) -> None:
    model, tokenizer = fit.load(FOLDER)  # the judge, whose words were never trained
    fit.save(model, tokenizer, tmp_path, temperature=1.0, max_tokens=32)
    assert json.loads((tmp_path / "config.json").read_text())["kgstore"]["words"] == "minilm"
    pairs = [("Ada was born in London.", "Ada was born in Paris."), ("naïve 東京", "[SEP]")]
    before = NativeJudge(tmp_path).judge(pairs)
    weights = tmp_path / "model.safetensors"
    whole = weights.stat().st_size
    weights.write_bytes(runpy.run_path("setup.py")["without_words"](weights))
    assert weights.stat().st_size < 0.5 * whole
    assert (NativeJudge(tmp_path).judge(pairs) == before).all()
    again, _ = fit.load(tmp_path)
    assert np.abs(again.bert.embeddings.word_embeddings.weight.detach().numpy() - shared_words()).max() == 0


def test_a_premise_that_is_too_long_is_cut_and_the_hypothesis_is_not() -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MiniLM().path / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    pair = Pair("word " * 100, "one two three", YES, "toy")
    ((ids, types, _),) = fit.encoded([pair], tokenizer, 20)
    assert len(ids) == len(types) <= 20
    assert sum(types) == 4                                                       # three words and the mark behind them
    assert types == sorted(types)


def _nli(folder: Path) -> Path:
    def row(number: int, label: str, source: str, licence: str) -> str:
        made = {"premise": f"{licence} {number}", "hypothesis": f"h {number}", "label": label, "source": source}
        return json.dumps({**made, "licence": licence})

    labels = ("entailment", "contradiction", "not_entailment") * 20
    train = [row(n, label, "fever_rte_dev", "share-alike") for n, label in enumerate(labels)]
    train += [row(n, "neutral", "sick", "noncommercial") for n in range(100, 110)]
    dev = [row(n, "neutral", "snli", "share-alike") for n in range(200, 260)]
    dev += [row(n, "neutral", "sick", "noncommercial") for n in range(300, 310)]
    for name, lines in (("train", train), ("dev", dev)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
            file.write("\n".join(lines))
    return folder


def _tiny_bert(folder: Path) -> Path:
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(5)
    config = BertConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64,
                        max_position_embeddings=192, initializer_range=0.2)  # fmt: skip
    BertModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((MiniLM().path / "tokenizer.json").read_bytes())
    return folder
