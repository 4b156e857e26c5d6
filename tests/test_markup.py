"""Markdown, as language models write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.markup import is_section, plain
from tests.plain_graph import plain_store


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        verifier = Verifier(store)
        verifier.without = frozenset(("nli",))
        yield verifier


def read(verifier: Verifier, text: str) -> list[tuple[str, str, str, str]]:
    verdicts = verifier.verify(text).verdicts
    for one in verdicts:
        assert one.claim.text == text[one.claim.start : one.claim.end]
    heads = [one.head.label if one.head else "" for one in verdicts]
    said = [(one.claim.relation, one.claim.tail.text, one.label) for one in verdicts]
    return [(head, *rest) for head, rest in zip(heads, said, strict=True)]


@given(st.text(alphabet="*_`~#[]()|:-. \n1aA!", max_size=60))
def test_every_offset_stays(text):
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(new == old or new in " .,a" for new, old in zip(shown, text, strict=True))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Ann** *Smith*, ***here***, `there` and ~~gone~~", "Ann Smith , here , there and gone"),
        ("__init__ and snake_case_name", "init and snake_case_name"),
        ("## Early life\n> a quote", "Early life a quote"),
        ("1. One\n2. Two", "One Two"),
        ("1. FC Union won.", "1. FC Union won."),
        ("- one\n* two\n+ three", "one two three"),
        ("a [link](http://x.org/a_b) and ![picture](p.png)", "a link and picture"),
        ("So it is ([Ann](http://x.org); [Bob](http://y.org)).", "So it is ."),
        ("It is so.[1][2] And so[^3].", "It is so. And so ."),
        ("2 * 3 * 4 = 24 and -5", "2 * 3 * 4 = 24 and -5"),
        ("---\n* * *\ntext", "text"),
        ("Q: Who?\nA: Ann.", "Who? Ann."),
        ("Note: He was born in Oslo.", "Note: He was born in Oslo."),
        ("- **Oslo** – It is old.", "Oslo . It is old."),
        ("- **Oslo** - the capital of Norway\n- Jean-Paul is old.", "Oslo - the capital of Norway Jean-Paul is old."),
        ("2 - 3\n**Oslo** — A capital", "2 - 3 Oslo , a capital"),
        ("Critics claim: He was born in Oslo.[1]", "Critics claim: He was born in Oslo."),
        ("**Note**: He was born in Oslo.", "Note . He was born in Oslo."),
        ("**Oslo:** The capital of Norway", "Oslo, the capital of Norway"),
        ("a sister who, let me say it, sang in Oslo", "a sister who sang in Oslo"),
        ("a sister who, in 1931, sang in Oslo", "a sister who, in 1931, sang in Oslo"),
        ("a sister who, a dancer by training, sang", "a sister who, a dancer by training, sang"),
    ],
)  # fmt: skip
def test_what_is_shown(text, shown):
    assert " ".join(plain(text).split()) == shown


def test_a_numbered_list_about_somebody(verifier):
    text = """Here are some facts about **Douglas Adams**:

1. **Birth**: He was born in *Cambridge*.[1]
2. **Early Life**: He was educated at St John's College.
3. **Occupation:** playwright"""
    assert read(verifier, text) == [
        ("Douglas Adams", "was born in", "Cambridge", "attributable"),
        ("Douglas Adams", "was educated at", "St John's College", "attributable"),
        ("Douglas Adams", "occupation", "playwright", "attributable"),
    ]


def test_labels_that_name_what_is_spoken_of(verifier):
    text = "- **Berlin**: It is the capital of Germany.\n- **Oslo**: The capital of Norway"
    assert [(head, label) for head, *_, label in read(verifier, text)] == [
        ("Berlin", "attributable"),
        ("Oslo", "attributable"),
    ]


def test_a_label_that_the_kg_lacks_is_nobody_else(verifier):
    text = "# Douglas Adams\n\n- **Zorka Petrov**: She was born in Oslo."
    assert {label for *_, label in read(verifier, text)} == {"extrapolatory"}


def test_a_table_of_things(verifier):
    text = "| Country | Capital |\n|---|:---:|\n| Germany | Berlin |\n| Norway | Berlin |"
    assert [one[:3] for one in read(verifier, text)] == [
        ("Germany", "capital", "Berlin"),
        ("Norway", "capital", "Berlin"),
    ]
    assert read(verifier, text)[0][3] == "attributable"


NAMES = 'ex:one rdfs:label "Zork"@en . ex:two rdfs:label "Milka"@en . ex:both rdfs:label "Zork Milka"@en .\n'


def test_no_name_goes_on_in_the_next_cell(tmp_path):
    with plain_store(NAMES, tmp_path) as store:
        assert [one.text for one in Verifier(store).extractor.mentions("| Zork | Milka |")] == ["Zork", "Milka"]


def test_a_table_about_one_thing(verifier):
    text = "## Germany\n\n| Attribute | Value |\n|---|---|\n| Capital | Berlin |"
    assert read(verifier, text) == [("Germany", "capital", "Berlin", "attributable")]


@pytest.mark.parametrize("text", ["", "\n", "|", "|---|", "# ", "**", "|a|\n|-|", "- ", "|Germany|Berlin|\n|---|---|"])
def test_marks_alone_claim_nothing(verifier, text):
    assert read(verifier, text) == []


def test_a_name_as_the_first_of_the_labels(verifier):
    text = "**Name:** Douglas Adams\n**Born:** 11 March 1952 (age 49), Cambridge"
    assert [(head, label) for head, *_, label in read(verifier, text)] == [("Douglas Adams", "attributable")] * 2


def test_titles_of_parts():
    assert is_section("Political Career") and not is_section("Ann Smith")
