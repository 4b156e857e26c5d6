"""Judges: ours without torch, folders of Hugging Face, and which of them a name opens. All weights are random."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgstore import bert
from kgstore.bert import GRAPH
from kgstore.embedding import MiniLM
from kgstore.errors import InputError, ModelMissing
from kgstore.verifier.judges import opening
from kgstore.verifier.judges.huggingface import HuggingFaceJudge
from kgstore.verifier.judges.labels import places
from kgstore.verifier.judges.native import FILES, NativeJudge
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.reader.opening import FOLDER
from kgstore.verifier.training import graph

NLI = ("entailment", "neutral", "contradiction")
PAIRS = [
    ("The place of birth of Ada Lovelace is London.", "Ada Lovelace was born in London."),
    ("Ada Lovelace | born | 1815\nAda Lovelace | father | Lord Byron", "Lord Byron was her father."),
    ("", "Berlin is the capital of Germany."),
    ("The population of Germany is 83,000,000. " * 30, "Germany has 83 million inhabitants."),
    ("x", "x"),
    ("a lone \ud800 surrogate", "東京都は日本の首都である。"),
    ("a literal [SEP] and [CLS]", "stay words"),
]

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Writes a random BERT with the given classes; ``ours`` adds what marks a folder of kgstore, in half precision."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    def write(labels: tuple[str, ...] = NLI, *, ours: bool = False, **changes: Any) -> Path:
        folder = tmp_path_factory.mktemp("judge")
        torch.manual_seed(7)
        config = BertConfig(
            hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, initializer_range=0.2,
            max_position_embeddings=192, num_labels=len(labels), id2label=dict(enumerate(labels)),
            label2id={label: at for at, label in enumerate(labels)},
        )  # fmt: skip
        model = BertForSequenceClassification(config)
        (model.half() if ours else model).save_pretrained(folder)
        BertTokenizerFast(tokenizer_file=str(MiniLM().path / "tokenizer.json")).save_pretrained(folder)
        written = json.loads((folder / "config.json").read_text())
        if ours:
            written["kgstore"] = {"temperature": 1.5, "max_tokens": 160}
        (folder / "config.json").write_text(json.dumps({**written, **changes}))
        graph.write(folder / GRAPH, graph.Shape(2, 48, 4, 96))
        return folder

    return write


@pytest.fixture(scope="module")
def ours(make: Make) -> Path:
    return make(ours=True)


@pytest.fixture(params=["native", "huggingface"])
def judge(request: pytest.FixtureRequest, ours: Path) -> Any:
    return {"native": NativeJudge, "huggingface": HuggingFaceJudge}[request.param](ours)


# -- what every judge does ---------------------------------------------------------------------------------------------


def test_rows_are_probabilities(judge):
    rows = judge.judge(PAIRS)
    assert rows.dtype == np.float32 and rows.shape == (len(PAIRS), 3)
    assert (rows >= 0).all() and np.allclose(rows.sum(1), 1, atol=1e-6)
    assert rows.std(0).max() > 0.01


def test_no_pairs_give_no_rows(judge):
    assert judge.judge([]).shape == (0, 3)


def test_a_pair_is_judged_the_same_alone_and_in_a_batch(judge):
    many = [(f"{premise} {'of many ' * (at % 9)}", hypothesis) for at in range(12) for premise, hypothesis in PAIRS]
    together = judge.judge(many)
    backwards = judge.judge(many[::-1])[::-1]
    alone = np.concatenate([judge.judge([pair]) for pair in many])
    assert np.abs(together - alone).max() < 1e-6 and np.abs(together - backwards).max() < 1e-6


def test_a_hypothesis_beyond_all_bounds_is_judged(judge):
    assert judge.judge([("Ada was born.", "word " * 5000)]).shape == (1, 3)


# -- ours --------------------------------------------------------------------------------------------------------------


def transformers_says(folder: Path, pairs: list[tuple[str, str]], temperature: float) -> np.ndarray:
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification

    model = BertForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        logits = [model(**tokenizer(*pair, return_tensors="pt")).logits[0] for pair in pairs]
        return torch.softmax(torch.stack(logits) / temperature, 1).numpy()


def test_equals_transformers(ours):
    short = [PAIRS[0], PAIRS[4], ("Ada. She was born.", "Ada, born: 1815. She lived.")]
    told = transformers_says(ours, [(p if p.endswith(".") else f"{p}.", h) for p, h in short], 1.5)
    assert np.abs(NativeJudge(ours).judge(short) - told).max() < 1e-4


def test_the_order_of_the_classes_is_that_of_the_config(make):
    usual, turned = (NativeJudge(make(labels, ours=True)).judge(PAIRS) for labels in (NLI, NLI[::-1]))
    assert np.abs(usual[:, ::-1] - turned).max() < 1e-7


def test_the_premise_is_shortened_and_the_hypothesis_is_not(ours):
    judge = NativeJudge(ours)
    numbers = judge._numbers("The premise is long. " * 100, "The hypothesis stays as it is.")
    words = len(judge._bert.weights.words)
    assert 150 < len(numbers) <= 160
    assert sum(number >= words for number in numbers) == len(judge._tokens("The hypothesis stays as it is.")) + 1


def test_a_few_pairs_need_neither_torch_nor_transformers(ours):
    code = (
        "import sys; from pathlib import Path; from kgstore.verifier.judges.opening import open_judge\n"
        "assert open_judge(Path(sys.argv[1])).judge([('Ada was born.', 'She was.')] * 40).shape == (40, 3)\n"
        "print({'torch', 'transformers', 'spacy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, ours], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_model_of_an_unusual_shape_needs_its_graph(make):
    folder = make(ours=True)
    (folder / GRAPH).unlink()
    with pytest.raises(ModelMissing):
        NativeJudge(folder)


def test_the_graphs_that_come_along_are_those_that_are_written(tmp_path):
    made = ("minilm.onnx", False, False), ("minilm_whole.onnx", True, False), ("minilm_classes.onnx", True, True)
    for name, whole, first in made:
        graph.write(tmp_path / name, whole=whole, first=first)
        assert (tmp_path / name).read_bytes() == Path(bert.__file__).with_name(name).read_bytes()


def test_of_the_last_layer_a_head_needs_the_first_token_alone(monkeypatch):
    pairs = [PAIRS[0], PAIRS[4], ("Ada.", "She was born."), ("Ada. She was born in London. " * 5, "Ada lived.")]
    told = NativeJudge(FOLDER).judge(pairs)
    monkeypatch.setattr(bert, "_CLASSES", bert._WHOLE)
    assert np.abs(NativeJudge(FOLDER).judge(pairs) - told).max() < 1e-6


def test_whole_numbers_tell_what_fractions_tell(tmp_path):
    for name in FILES:
        shutil.copy(FOLDER / name, tmp_path)
    graph.write(tmp_path / GRAPH)  # a folder's own graph is of fractions
    pairs = [
        ("Ada, who was born in London, wrote the first program.", "The place of birth of Ada is London."),
        ("Ada, who was born in London, wrote the first program.", "The place of death of Ada is London."),
        ("The film was directed by Ann and written by Bob.", "The screenwriter of the film is Bob."),
        ("The film was directed by Ann and written by Bob.", "The director of the film is Ann."),
        ("The film was directed by Ann and written by Bob.", "The director of the film is Bob."),  # at even odds
    ]
    whole, fractions = (NativeJudge(folder).judge(pairs) for folder in (FOLDER, tmp_path))
    assert abs(whole - fractions).max() < 0.1
    assert (whole[:4, 0] > 0.5).tolist() == (fractions[:4, 0] > 0.5).tolist() == [True, False, True, True]
    assert abs(whole - [NativeJudge(FOLDER).judge([pair])[0] for pair in pairs]).max() < 1e-5


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_an_absent_file_is_named(make, name):
    folder = make(ours=True)
    (folder / name).unlink()
    with pytest.raises(ModelMissing, match=f"{name}: "):
        NativeJudge(folder)


# -- Hugging Face ------------------------------------------------------------------------------------------------------


def test_three_classes_by_transformers_are_what_ours_says(make):
    folder = make(ours=True)
    config = json.loads((folder / "config.json").read_text())
    config["kgstore"]["temperature"] = 1
    (folder / "config.json").write_text(json.dumps(config))
    pairs = [pair for pair in PAIRS if len(pair[0]) < 200 and "[SEP]" not in pair[0]]  # a mark, there
    theirs, ours = (judge(folder).judge(pairs) for judge in (HuggingFaceJudge, NativeJudge))
    assert np.abs(theirs - ours).max() < 1e-5


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (("contradiction", "neutral", "entailment"), (2, 1, 0)),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0, 2, 1)),
        (("entailment", "not_entailment"), (0, 1)),
        (("not-entailed", "entailed"), (1, 0)),
        (("SUPPORTS", "REFUTES"), (0, 2)),
        (("contradiction", "no contradiction"), (2, 1)),
        (("inconsistent", "consistent"), (1, 0)),
    ],
)
def test_classes_go_where_their_names_say(make, labels, columns):
    folder = make(labels)
    judge = HuggingFaceJudge(folder)
    told = transformers_says(folder, [PAIRS[0]], 1)[0]
    row = judge.judge([PAIRS[0]])[0]
    assert np.abs(row[list(columns)] - told).max() < 1e-5 and row.sum() == pytest.approx(1, abs=1e-6)


def test_one_score_is_the_share_of_entailment(make):
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification

    folder = make(("LABEL_0",))
    score = BertForSequenceClassification.from_pretrained(folder)(
        **AutoTokenizer.from_pretrained(folder)(*PAIRS[0], return_tensors="pt")
    ).logits
    entails, neutral, contradicts = HuggingFaceJudge(folder).judge([PAIRS[0]])[0]
    assert entails == pytest.approx(torch.sigmoid(score).item(), abs=1e-5)
    assert neutral == pytest.approx(1 - entails, abs=1e-6) and contradicts == 0


@pytest.mark.parametrize(
    "labels",
    [("LABEL_0", "LABEL_1", "LABEL_2"), ("cat", "dog"), ("entailment", "entailed"), ("neutral", "not_entailment", "a")],
)
def test_classes_without_a_meaning_are_refused(labels):
    with pytest.raises(InputError, match=labels[0]):
        places(labels)


def test_pickled_weights_are_refused(make):
    folder = make()
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelMissing, match=r"pickled.*safetensors"):
        HuggingFaceJudge(folder)


def test_a_model_without_a_trained_head_is_refused(make):
    from transformers import BertModel

    folder = make()
    BertModel.from_pretrained(folder).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "id2label": dict(enumerate(NLI))}))
    with pytest.raises(ModelMissing, match="classifier"):
        HuggingFaceJudge(folder)


def test_code_from_the_folder_is_refused(make):
    auto = {"AutoConfig": "code.Config", "AutoModelForSequenceClassification": "code.Model"}
    folder = make(model_type="special", auto_map=auto)
    (folder / "code.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ModelMissing):
        HuggingFaceJudge(folder)


# -- by name -----------------------------------------------------------------------------------------------------------


def test_a_folder_is_opened_by_what_it_holds(make, ours):
    assert isinstance(open_judge(ours), NativeJudge)
    assert isinstance(open_judge(str(make())), HuggingFaceJudge)
    with pytest.raises(ModelMissing, match="nowhere"):
        open_judge("nowhere")


def test_the_default_may_be_absent(monkeypatch, ours, tmp_path):
    assert open_judge("none") is None
    monkeypatch.setattr(opening, "FOLDER", tmp_path)
    assert open_judge() is None and open_judge("default") is None
    monkeypatch.setattr(opening, "FOLDER", ours)
    assert isinstance(open_judge(), NativeJudge) and isinstance(open_judge("default"), NativeJudge)
