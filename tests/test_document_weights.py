"""What is found out about a sentence beside a document, and how it is weighed."""

from __future__ import annotations

import numpy as np
import pytest

from kgstore.embedding import load_embedder
from kgstore.verifier.claims import Claim, Mention
from kgstore.verifier.document.deciding import difference
from kgstore.verifier.document.entailment import Entailed
from kgstore.verifier.document.features import NAMES, SEVERAL, WEIGHED, WHOLE, features
from kgstore.verifier.document.recase import recased
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.verbatim import says
from kgstore.verifier.document.weights import balances, bounded, fitted, shipped, supports

GOOD = [1, 0.9, 0.0, 0.9, 0.1, 0.9, 0.8, 0, 0, 0.9, 0.1, 2]
BAD = [1, 0.1, 0.6, 0.5, 0.9, 0.3, 0.4, 1, 0, -0.5, 0.9, 2]


def test_features_are_what_they_are_called():
    document = Document("Ann Smith left Oslo. Bob stayed.", load_embedder())
    entailed = Entailed((0.7, 0.2, 0.1), (0,), balance=0.4)
    found = features("Ann Smith left Rome.", entailed, [0.4, 0.8], 0.6, np.array([0.9, 0.1]), document, 2, 1)
    assert dict(zip(NAMES, found.round(3).tolist(), strict=True)) == {
        "1": 1.0, "entailed": 0.7, "contradicted": 0.1, "likeness": 0.9, "new pairs": 0.333, "kernel": 0.6,
        "kernel of the text": 0.6, "strangers": 1.0, "sentences": 0.0, "balance": 0.4, "new neighbours": 0.333,
        "length": 1.609,
    }  # fmt: skip
    empty = features("Oh!", entailed, [], None, np.zeros(0), document, 0, 2)
    longer = [features("Oh!", entailed, [], None, np.zeros(0), document, 0, many) for many in (SEVERAL, 9)]
    assert longer[0].tolist() == longer[1].tolist()
    assert empty.round(2).tolist() == [1.0, 0.7, 0.1, 0.0, 0.0, 0.5, 0.5, 0.0, 0.69, 0.4, 0.0, 0.69]


def test_shipped_weights_count_support_for_and_novelty_against():
    weights = dict(zip(NAMES, shipped().tolist(), strict=True))
    assert weights["balance"] > 0 and weights["new neighbours"] < 0 and weights["strangers"] < 0
    assert {name for name, weight in weights.items() if weight} <= set(WEIGHED)
    good, bad = supports(np.array([GOOD, BAD]), shipped())
    assert bad < 0.5 < good


def test_a_judge_that_reads_all_counts_for_more():
    assert shipped(whole=True)[NAMES.index("entailed")] > shipped()[NAMES.index("entailed")]


def test_a_judge_that_reads_all_is_weighed_by_other_numbers():
    weights = dict(zip(NAMES, shipped(whole=True).tolist(), strict=True))
    assert weights["entailed"] > 0 and {name for name, weight in weights.items() if weight} <= set(WHOLE)
    good, bad = supports(np.array([GOOD, BAD]), shipped(whole=True))
    assert bad < 0.5 < good


def test_a_text_is_as_good_as_its_worst_sentence():
    random = np.random.default_rng(0)

    def near(point, sentences):
        return np.clip(np.array([point] * sentences) + random.normal(0, 0.05, (sentences, len(NAMES))), 0, 1)

    texts = [near(GOOD, 3) for _ in range(40)] + [np.vstack([near(GOOD, 2), near(BAD, 1)]) for _ in range(10)]
    for text in texts:
        text[:, 0] = 1
    weights = fitted(texts, [True] * 40 + [False] * 10)
    worst = [supports(text, weights).min() for text in texts]
    assert min(worst[:40]) > 0.5 > max(worst[40:])


def test_texts_of_one_kind_teach_nothing():
    with pytest.raises(ValueError, match="both kinds"):
        fitted([np.array([GOOD])], [True])


@pytest.mark.parametrize("before", ["Bob denied that", "It is not true that", "If", "Police said reports claim"])
def test_words_that_are_taken_back_are_not_said(before):
    assert not says(f"{before} Ann Smith left Oslo.", "Ann Smith left Oslo.")
    assert says(f"On Monday, {'police said'} Ann Smith left Oslo.", "ann smith left oslo .")


@pytest.mark.parametrize(
    ("said", "known", "accused"),
    [
        ("City lost the derby 1-0.", "City lost the derby 4-2.", True),
        ("City lost the derby 1-0.", "City lost the 169th derby.", False),
        ("City lost the 12th derby.", "City lost the 169th derby.", True),
        ("City showed the derby on TV.", "City showed the derby in Rome.", False),
        ("City showed the derby in Oslo.", "City showed the derby in Rome.", True),
        ("City won the cup in 2019.", "City took the cup this year, having lost it in 2018.", False),
        ("City won the cup in 2019.", "City took the cup, having lost it in 2018.", True),
        ("City is run by Jordanians.", "City is run by people all over Jordan.", False),
    ],
)
def test_a_score_is_not_denied_by_the_number_of_a_derby(said, known, accused):
    claim = Claim(0, len(said), said, Mention(0, 4, "City"), "lost", Mention(5, 9, "derby"))
    denied = Entailed((0.02, 0.03, 0.95), (0,), 0.95, 0)
    why = difference(claim, denied, np.array([0.9], np.float32), Document(known, load_embedder()))
    assert (why is not None) == accused


def test_recasing_keeps_every_offset():
    text = "ann smith left oslo ; she liked acme ﬁlms ."
    shaped = recased(text, "On Monday Ann Smith left Oslo for Acme Films. The Films were good.")
    assert shaped == "Ann Smith left Oslo ; she liked Acme ﬁlms ."
    assert len(shaped) == len(text)


def test_what_a_judge_is_sure_of_in_every_reading_is_borne_out_by_weights_that_count_it():
    sure = np.array([[0.0 if name != "balance" else 0.95 for name in NAMES]])
    (known,), (unknown,) = balances(sure, shipped()), balances(sure, shipped(whole=True))
    assert (known, unknown) == (0.95, 0)
    assert bounded(0.3, 0.97, 0, known) > 0.5 > bounded(0.3, 0.97, 0, unknown)
