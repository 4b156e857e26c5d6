"""Names and verbs that the parser has never seen or takes for something else: what the KG calls them decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgstore.cli.main import main
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory) -> Iterator[dict[str, Verifier]]:
    folder = tmp_path_factory.mktemp("misread")
    stores = {}
    for name in ("medicines", "company"):
        files = [str(one) for one in sorted((EXAMPLES / name).iterdir()) if one.suffix in (".ttl", ".csv")]
        kg = folder / f"{name}.kg"
        result = CliRunner().invoke(main, ["load", *files, "--kg", str(kg), "--no-vectors"], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        stores[name] = Store(kg, read_only=True)
    yield {name: Verifier(store, judge="none") for name, store in stores.items()}
    for store in stores.values():
        store.close()


def said(verifier: Verifier, text: str) -> list[tuple[str, str, str]]:
    claims = verifier.claims(text)
    assert all(claim.text == text[claim.start : claim.end] for claim in claims)
    return [(claim.head.text, claim.relation, claim.tail.text) for claim in claims]


MEDICINES = {
    "Dolorine contains velaphen.": [("contains", "velaphen")],  # the parser takes it for an adverb
    "Dolorine contains velaphen and treats migraine.": [("contains", "velaphen"), ("treats", "migraine")],
    "Dolorine is made by Helvimed and contains velaphen.": [("is made by", "Helvimed"), ("contains", "velaphen")],
    "Dolorine is used against migraine and interacts with Cardanox.":
        [("is used against", "migraine"), ("interacts with", "Cardanox")],
    "Cardanox treats thrombosis and interacts with Dolorine.":
        [("treats", "thrombosis"), ("interacts with", "Dolorine")],
    "Cardanox is an anticoagulant and treats thrombosis.": [("is", "anticoagulant"), ("treats", "thrombosis")],
}  # fmt: skip


@pytest.mark.parametrize("text", MEDICINES)
def test_names_that_the_parser_does_not_know_are_nouns(verifiers, text):
    assert [claim[1:] for claim in said(verifiers["medicines"], text)] == MEDICINES[text]


def test_after_a_pronoun_too(verifiers):
    text = "Dolorine is a painkiller. It contains velaphen and is used against migraine."
    assert said(verifiers["medicines"], text)[1:] == [
        ("It", "contains", "velaphen"),
        ("It", "is used against", "migraine"),
    ]
    assert {one.label for one in verifiers["medicines"].verify(text).verdicts} == {Label.ATTRIBUTABLE}


COMPANY = {
    "Ines Caldeira works for the Optics Department and reports to Tobias Okafor.":
        [("works for", "Optics Department"), ("reports to", "Tobias Okafor")],
    "Tobias Okafor leads the Optics Department and reports to Yuki Tanabe.":
        [("leads", "Optics Department"), ("reports to", "Yuki Tanabe")],
    "Ines Caldeira reports to Tobias Okafor and advises Yuki Tanabe.":
        [("reports to", "Tobias Okafor"), ("advises", "Yuki Tanabe")],
    "Pavel Novotny joined the Sales Department in 2010 and reports to Yuki Tanabe.":
        [("joined", "Sales Department"), ("reports to", "Yuki Tanabe")],
}  # fmt: skip


@pytest.mark.parametrize("text", COMPANY)
def test_a_verb_that_is_read_as_a_noun_has_its_own_claim(verifiers, text):
    assert [claim[1:] for claim in said(verifiers["company"], text)] == COMPANY[text]


@pytest.mark.parametrize("verb", ["work for", "report to"])
def test_a_plural_verb_says_it_of_each_subject(verifiers, verb):
    text = f"Ines Caldeira and Pavel Novotny {verb} the Sales Department."
    assert said(verifiers["company"], text) == [
        (name, verb, "Sales Department") for name in ("Ines Caldeira", "Pavel Novotny")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Ines Caldeira composed songs and works for children.",
        "The reports to Tobias Okafor are long.",
        "Ines Caldeira sent her reports to Tobias Okafor.",
    ],
)
def test_nouns_stay_nouns(verifiers, text):
    assert not [claim for claim in said(verifiers["company"], text) if claim[1] in ("reports to", "works for")]
