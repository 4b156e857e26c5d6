"""From text to verdicts over the shipped slice: each file of `tests/golden`, odd texts, and what always holds."""

from __future__ import annotations

import resource
import tomllib
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier, entities
from tests.checks import check_report, told

CASES = sorted((Path(__file__).parent / "golden").glob("*.toml"))


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, reader="none")  # the golden claims are the grammar's


def golden(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_claim(verifier, path):
    case = golden(path)
    report = verifier.verify(case["text"])
    check_report(report, verifier.store)
    assert len(report.verdicts) == len(case["claims"]), case["because"]
    for verdict, wanted in zip(report.verdicts, case["claims"], strict=True):
        assert (verdict.label, case["because"]) == (wanted["label"], case["because"])
        assert verdict.claim.text == wanted.get("text", verdict.claim.text)
        assert verdict.method == wanted.get("method", verdict.method)


def test_the_text_s_label_is_the_worst_of_its_claims(verifier):
    assert verifier.verify("").label == "no_claims"
    assert verifier.verify("Douglas Adams was born in Cambridge.").label == Label.ATTRIBUTABLE
    assert verifier.verify("Douglas Adams was born in Zorkville. He was a writer.").label == Label.EXTRAPOLATORY
    assert verifier.verify("Douglas Adams was born in Toronto. He was in Zorkville.").label == Label.CONTRADICTORY


def test_an_entity_is_listed_as_what_its_claim_was_judged_by(verifier):
    [verdict] = verifier.verify("Douglas Adams was born in Cambridge.").verdicts
    other = replace(verdict.tail, iri=verdict.head.iri)
    shown = entities([replace(verdict, tail=other)])
    assert [mention.candidates[0].iri for mention in shown] == [verdict.head.iri, other.iri]
    assert shown[1].candidates[1] == verdict.tail
    undecided = entities([replace(verdict, head=None, tail=None)])
    assert undecided == (verdict.claim.head, verdict.claim.tail)


SENTENCES = [text for path in CASES if (text := golden(path)["text"]).strip()]


def test_the_same_text_twice_gives_the_same_report(verifier):
    text = "\n\n".join(SENTENCES)
    first = verifier.verify(text)
    check_report(first, verifier.store)
    assert told(verifier.verify(text)) == told(first)
    assert told(Verifier(verifier.store, reader="none").verify(text)) == told(first)


def test_sentences_get_the_same_labels_alone_and_in_one_text(verifier):
    alone = [text for text in SENTENCES if text[0] not in "HT"]  # "He", "The film" need the sentence before
    labels = [verdict.label for text in alone for verdict in verifier.verify(text).verdicts]
    together = verifier.verify("\n\n".join(alone))
    assert [verdict.label for verdict in together.verdicts] == labels


def test_a_sentence_keeps_its_verdict_wherever_it_stands(verifier):
    sentence = "Douglas Adams was born in Toronto."
    (known,) = verifier.verify(sentence).verdicts
    for before in ("", "  ", "\n\n", "What a day! ", "😀 Hello.\n", "x\r\n"):
        for after in ("", " ", "\n", " What a day!"):
            report = verifier.verify(before + sentence + after)
            check_report(report, verifier.store)
            verdict = next(one for one in report.verdicts if one.claim.head.text == "Douglas Adams")
            assert (verdict.claim.start, verdict.label, verdict.method) == (len(before), known.label, known.method)


ODD = {
    "a possessive of a possessive": "Einstein's birthplace was Ulm.",
    "one word again and again": "Aa " * 3_000,
    "half a character": "Douglas Adams was born in Cambridge\ud800.",
    "NUL": "Douglas Adams\x00 was born in\x00 Cambridge.\x00",
    "control characters": "".join(map(chr, range(32))) + "Oslo is in Norway.\x7f\x85",
    "line separators": "Oslo is in Norway.\u2028Oslo is in Norway.\u2029Oslo\vis\fin Norway.",
    "a very long word": "Douglas Adams was born in " + "x" * 50_000 + ".",
    "a very long capital": "A" * 50_000,
    "capital letters": "Q" * 5_000 + " " + "Z " * 5_000,
    "digits": "1" * 20_000,
    "numbers": "1952 " * 2_000,
    "full stops": "." * 10_000,
    "brackets": "(" * 3_000 + "Oslo" + ")" * 3_000,
    "quotes": '"' * 3_000 + "Oslo is in Norway." + '"' * 3_000,
    "commas": "Oslo, " * 2_000,
    "and": "Oslo is in Norway" + " and in Norway" * 200 + ".",
    "of": "The spouse" + " of the spouse" * 200 + " of Lou Reed was born in Chicago.",
    "hyphens": "well-" * 5_000 + "known",
    "right to left": "ولد دوغلاس آدمز في كامبريدج. \u202eOslo is in Norway.\u202c",
    "Chinese": "道格拉斯·亚当斯出生于剑桥。" * 100,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈 Oslo is in Norway 🇳🇴.",
    "combining marks": "Oslo\u0301" * 1_000,
    "markup": "<script>alert(1)</script> <b>Oslo</b> is in <i>Norway</i>. {{x}} %s %d \\N",
    "query": '") } ; DROP ALL ; SELECT * { ?s ?p "Oslo\' OR 1=1 -- is in Norway.',
    "a list": "- Oslo\n- Norway\n* Oslo is in Norway.\n1. Population: 37,200\n2) Oslo: Norway",
    "only names": "Oslo Norway Oslo Norway",
}  # fmt: skip


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_no_text_breaks_it_or_takes_long(verifier, text):
    begin = perf_counter()
    check_report(verifier.verify(text), verifier.store)
    assert perf_counter() - begin < 20  # seconds; none should take 2, but a machine may be busy


def test_a_long_text_is_read_in_memory_that_does_not_grow_with_it(verifier):
    plain = "The weather was fine on that day and everybody went home early, as they always did. "
    sentence = "Douglas Adams was born in Cambridge. "
    page = sentence + plain * 40
    verifier.verify(page)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = page * (250_000 // len(page))
    report = verifier.verify(text)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert sum(one.label is Label.ATTRIBUTABLE for one in report.verdicts) == text.count(sentence)
    assert grown < 300  # megabytes: words of the whole text, never its parses
