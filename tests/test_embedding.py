"""Embedders: the default model, and folders of sentence-transformers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kgstore import bert, embedding
from kgstore.bert import grouped, threads
from kgstore.embedding import Embedder, MiniLM, SentenceModel, load_embedder, rough
from kgstore.errors import ModelMissing
from kgstore.verifier.training import embedder, graph
from kgstore.verifier.training.embedder import original

ORIGINAL = original()
TEXTS = [
    "Ada Lovelace was born in London.",
    "place of birth",
    "capital",
    "東京都は日本の首都である。",
    "naïve café — Ωmega \U0001f680",
    "a lone \ud800 surrogate",
    "The population of Germany is 83,000,000.",
    "x",
    "word " * 300,
    "\x00\x01",
]


def by_onnxruntime() -> Embedder:
    return MiniLM()


def by_sentence_transformers() -> Embedder:
    return SentenceModel(ORIGINAL)


MAKERS = [by_onnxruntime, by_sentence_transformers]


@pytest.fixture(scope="module")
def reference() -> np.ndarray:
    return SentenceModel(ORIGINAL).embed(TEXTS)


@pytest.fixture(params=MAKERS, ids=lambda make: make.__name__, scope="module")
def model(request: pytest.FixtureRequest) -> Embedder:
    make: Callable[[], Embedder] = request.param
    return make()


def test_equals_sentence_transformers(model, reference):
    assert np.abs(model.embed(TEXTS) - reference).max() < 1e-4


def test_rows_are_float32_of_length_one(model):
    rows = model.embed(TEXTS)
    assert rows.dtype == np.float32 and rows.shape == (len(TEXTS), model.dim) == (len(TEXTS), 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("make", MAKERS)
def test_one_text_embeds_the_same_alone_and_in_a_batch(make):
    batch = make().embed(TEXTS * 20)
    alone = make()
    for number, text in enumerate(TEXTS):
        assert np.abs(alone.embed([text])[0] - batch[number]).max() < 1e-5


def test_an_empty_text_gives_zeros(model):
    rows = model.embed(["", "capital", " \n\t"])
    assert not rows[0].any() and rows[1].any() and not rows[2].any()


def test_no_text_gives_no_row(model):
    assert model.embed([]).shape == (0, 384)


def test_a_text_is_cut_after_256_tokens(model):
    long, longer = "word " * 254, "word " * 253 + "word end"
    assert np.abs(np.diff(model.embed([long, longer]), axis=0)).max() < 1e-6


def test_many_texts_come_back_in_their_order():
    texts = [f"item {number} " + "of many " * (number % 13) for number in range(300)] * 2
    model = MiniLM()
    rows = model.embed(texts)
    assert np.array_equal(rows[:300], rows[300:])
    for number in (0, 12, 57, 299):
        assert np.abs(model.embed([texts[number]])[0] - rows[number]).max() < 1e-5


def test_the_rough_model_tells_nearly_what_the_exact_one_does():
    exact = load_embedder()
    pairs = ["Ada was born in London.", "The place of birth of Ada is London.", "A river flows to the sea.", ""]
    rows, other = exact.embed(pairs), rough(exact).embed(pairs)
    assert abs(rows @ rows.T - other @ other.T).max() < 0.03 and (rows != other).any()
    assert rough(exact) is rough(exact) and not other[3].any()
    kept = SimpleNamespace(embed=exact.embed)  # a model of a user's own has no other form
    assert rough(kept) is kept


def test_a_phrase_is_remembered_and_its_row_is_the_callers_own():
    model = MiniLM()
    first = model.embed(["born in"])
    model._bert = None  # asked no more
    second = model.embed(["born in", "born in"])
    second[0] = 0
    assert np.array_equal(model.embed(["born in"]), first)


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(embedding, "_KEPT", 3)
    model = MiniLM()
    for number in range(9):
        model.embed([f"phrase {number}"])
    assert len(model._known) <= 4


def test_few_texts_need_neither_torch_nor_transformers():
    code = (
        "import sys; from kgstore.embedding import MiniLM\n"
        "assert MiniLM().embed(['born in', 'wife of', '']).shape == (3, 384)\n"
        "print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_libraries_are_told_to_stay_offline():
    import os

    SentenceModel(ORIGINAL)
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"


def test_the_fingerprint_follows_from_the_weights(tmp_path):
    copy = Path(shutil.copytree(ORIGINAL, tmp_path / "other"))
    assert MiniLM(copy).fingerprint == MiniLM(ORIGINAL).fingerprint == SentenceModel(copy).fingerprint
    weights = copy / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    assert MiniLM(copy).fingerprint != MiniLM(ORIGINAL).fingerprint


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(tmp_path, name):
    folder = tmp_path / "model"
    folder.mkdir()
    for file in embedding.FOLDER.glob("*.*"):
        if file.is_file() and file.name != name:
            (folder / file.name).symlink_to(file)
    with pytest.raises(ModelMissing, match=name):
        MiniLM(folder)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", '{"model_type": "gpt2"}'),
        ("config.json", "no JSON"),
        ("tokenizer.json", "{}"),
        ("model.safetensors", ""),
    ],
)
def test_a_model_of_another_kind_is_refused(tmp_path, name, content):
    for file in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / file).symlink_to(embedding.FOLDER / file)
    (tmp_path / name).unlink()
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ModelMissing, match="BERT"):
        MiniLM(tmp_path)


def test_a_folder_without_a_sentence_model_is_refused(tmp_path):
    with pytest.raises(ModelMissing, match="modules.json"):
        load_embedder(tmp_path / "nothing")
    (tmp_path / "modules.json").write_text((ORIGINAL / "modules.json").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ModelMissing, match=str(tmp_path)):
        load_embedder(tmp_path)


def test_the_default_is_the_packaged_model():
    assert isinstance(load_embedder(), MiniLM) and load_embedder().fingerprint == MiniLM().fingerprint


def test_a_group_keeps_to_its_size_and_takes_a_longer_text_alone():
    texts = [[7] * length for length in (3, 50, 4, 3, 4, 2)]
    assert list(grouped(texts, tokens=10)) == [[5], [0, 3], [2, 4], [1]]
    assert list(grouped(texts, tokens=4)) == [[5], [0], [3], [2], [4], [1]]


def test_fewer_threads_where_the_environment_says_so(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "0")
    assert threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert threads() >= 1


def test_the_weights_that_come_along_are_what_the_script_writes(tmp_path):
    embedder.main(["-o", str(tmp_path)])
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        assert (tmp_path / name).read_bytes() == (embedding.FOLDER / name).read_bytes()


def test_the_graph_that_comes_along_is_what_the_script_writes(tmp_path):
    graph.main(["-o", str(tmp_path / "graph.onnx")])
    assert (tmp_path / "graph.onnx").read_bytes() == bert._DEFAULT.read_bytes()
