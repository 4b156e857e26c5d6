"""What the methods against a document are made of, each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgstore.embedding import load_embedder
from kgstore.errors import InputError
from kgstore.verifier.claims import Label
from kgstore.verifier.document import combined, graphs, triples
from kgstore.verifier.document.context import OpenExtractor
from kgstore.verifier.document.entailment import NOTHING, Entailed, entailment
from kgstore.verifier.document.open_clauses import facts
from kgstore.verifier.document.open_pronouns import Named
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.reading import read, weakest
from kgstore.verifier.document.sentence_claims import as_written
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.together import covering, joined
from kgstore.verifier.document.verdicts import denied, left_open, nearest_numbers, supported
from kgstore.verifier.judges.labels import ENTAILS, LABELS, NEUTRAL
from kgstore.verifier.judges.remembering import Remembering
from kgstore.verifier.protocols import DocumentJudge
from kgstore.verifier.read.parse import sentences
from kgstore.verifier.reader.opening import open_reader

SAID = "Ann Smith was born in Oslo in 1931. She directed a film about the sea."


class Words:
    """A judge that is sure of what stands there word for word, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def judge(self, pairs):
        self.asked += len(pairs)
        rows = np.zeros((len(pairs), len(LABELS)), np.float32)
        for at, (premise, hypothesis) in enumerate(pairs):
            rows[at, ENTAILS if hypothesis.rstrip(".") in premise else NEUTRAL] = 1
        return rows


@pytest.fixture(scope="module")
def embedder():
    return load_embedder()


@pytest.fixture(scope="module")
def document(embedder):
    return Document(SAID, embedder)


def parts(embedder, judge=None) -> DocumentParts:
    return DocumentParts(embedder, judge, OpenExtractor())


def test_a_clause_is_taken_apart_into_who_what_and_whom():
    (sentence,) = sentences("Ann Smith, a chemist, did not leave Oslo.", ())
    found = facts(sentence)
    told = {(one.head.text, one.relation, " ".join(word.text for word in one.tail), one.negated) for one in found}
    assert ("Smith", "did not leave", "Oslo", True) in told and len(told) == 2


def test_a_pronoun_stands_for_the_name_before_it():
    known = Named(SAID)
    first, second = sentences(SAID, ())
    known.sentence(first)
    (claim, *_) = [one for one in OpenExtractor().extract(SAID) if one.text.startswith("She")]
    she = next(word for word in second.words if word.text == "She")
    assert known.meant(replace(claim.head, refers_to=None), she).refers_to == (0, 9)


def test_each_verdict_shows_the_sentences_that_it_rests_on(document):
    claim = OpenExtractor().extract(SAID)[0]
    sure = Entailed((0.9, 0.1, 0.0), (0,))
    good = supported(claim, sure, document, "nli")
    assert good.label is Label.ATTRIBUTABLE and good.probabilities == (0.9, 0.1, 0.0) and "Oslo" in good.reason
    bad = denied(claim, replace(sure, denial=0.8, denying=1), document, "nli", "in a number")
    assert bad.label is Label.CONTRADICTORY and bad.confidence == pytest.approx(0.8)
    none = left_open(claim, replace(sure, nli=(0.2, 0.7, 0.1)), document, "nli", [])
    assert none.label is Label.EXTRAPOLATORY and none.why_not == "no document" and not none.evidence
    assert nearest_numbers(np.float32([0.1, 0.9, 0.5])) == [1, 2, 0]


def test_graphs_alike_support_and_others_leave_open(document, embedder):
    same = graphs.judged("Ann Smith was born in Oslo.", document, parts(embedder)).verdicts
    other = graphs.judged("Ann Smith was born in Rome.", document, parts(embedder)).verdicts
    assert {one.label for one in same} == {Label.ATTRIBUTABLE}
    assert Label.ATTRIBUTABLE not in {one.label for one in other}
    claims = OpenExtractor().extract("Ann Smith was born in Oslo.")
    assert graphs.compared("Ann Smith was born in Oslo.", claims, document).each[0] > 0.9


def test_triples_are_judged_one_by_one(document, embedder):
    judge = Words()
    with pytest.raises(InputError, match="asks a judge"):
        triples.judged("Ann Smith was born in Oslo.", document, parts(embedder))
    found = triples.judged("Ann Smith was born in Oslo.", document, parts(embedder, judge))
    assert {one.label for one in found.verdicts} == {Label.ATTRIBUTABLE}


def test_a_sentence_is_read_beside_the_document_with_what_is_strange_in_it(document, embedder):
    text = "Ann Smith was born in Oslo. Bob Jones was born in Bergen."
    found = read(text, document, parts(embedder, Words()), "auto")
    known, strange = found.sentences
    assert known.entailed.nli[ENTAILS] == 1 and not known.strangers
    assert set(strange.strangers) & {"Bob Jones", "Bergen"} and weakest(strange) is None
    assert 0 <= found.kernel <= 1


def test_a_capital_that_the_document_has_elsewhere_makes_no_name_of_a_word(embedder):
    document = Document("The right to Self-Determination is old. Ann spoke of Self-Help.", embedder)
    (one,) = read("1. ann spoke of self-rule.", document, parts(embedder, Words()), "auto").sentences
    assert one.strangers == ()


def test_without_a_judge_the_kernel_alone_decides_and_says_so(document, embedder):
    found = combined.judged("Ann Smith was born in Oslo.", document, parts(embedder))
    assert "there is no judge: the kernel alone decides" in found.notices
    (claim,) = OpenExtractor().extract("Ann Smith was born in Oslo.")
    shouted = "ANN SMITH was born in OSLO."
    assert (as_written(shouted, claim).head.text, as_written(shouted, claim).tail.text) == ("ANN SMITH", "OSLO")


def test_a_judge_that_remembers_is_asked_once_and_reads_no_whole_document():
    judge = Words()
    kept = Remembering(judge, most=2)
    pairs = [("Ann left", "Ann"), ("Ann left", "Bob"), ("Ann left", "Ann")]
    assert np.array_equal(kept.judge(pairs), kept.judge(pairs)) and judge.asked == 2
    assert kept.judge([]).shape == (0, len(LABELS)) and not isinstance(kept, DocumentJudge)
    assert not kept.two_steps and Remembering(open_reader()).two_steps  # the server's reader reads two steps, too


PAIR = ["Ann Smith was a painter.", "It rained in Paris all day.", "She was born in Oslo in 1931.", "Bob wrote to her."]


def test_the_sentences_that_a_claim_needs_are_read_together(embedder):
    document = Document(" ".join(PAIR), embedder)
    likeness = np.array([0.5, 0.1, 0.7, 0.2], np.float32)
    assert covering(document, "The painter Ann Smith was born in Oslo.", likeness, 80) == (0, 2)
    assert covering(document, "The painter Ann Smith was born in Oslo.", likeness, 10) == (0,)
    assert joined(document, "Ann Smith was born in Oslo.", likeness) == [(1, 2, 3), (0, 1, 2, 3)]
    assert joined(Document("Ann left.", embedder), "Ann left.", likeness[:1]) == [(0,)]
    assert joined(Document("", embedder), "Ann left.", likeness[:0]) == []


def test_what_is_read_together_counts_for_the_balance_alone(embedder):
    document, judge = Document(" ".join(PAIR), embedder), Words()
    asked = [["Ann Smith was born."], [[(0,), (2,)]]]
    (found,) = entailment(document, *asked, judge, beside=[[(0, 2)]])
    assert found.nli == (0, 1, 0) and found.premise == (0,) and found.balance == 0
    (found,) = entailment(document, ["a painter. She was"], asked[1], judge, False, [[(0, 2), (2, 3)]])
    assert found.nli == (0, 1, 0) and found.balance == pytest.approx(1 / 3)
    assert entailment(document, ["Ann."], [[]], judge) == [NOTHING]


def test_what_only_several_sentences_say_word_for_word_needs_no_judge(embedder):
    document, judge = Document(" ".join(PAIR), embedder), Words()
    (found,) = entailment(document, ["painter, it rained"], [[(2,)]], judge, beside=[[(0, 1)]])
    assert found.nli == (1, 0, 0) and found.balance == 1 and found.premise == (0, 1) and judge.asked == 0
