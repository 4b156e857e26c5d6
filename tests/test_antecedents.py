"""Whom the pronouns of a text mean, and the weights by which that is found."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from kgstore.store import Store
from kgstore.verifier.english.words import given_names
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.link.antecedents import Choice, antecedents, likeliest, weights
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.parse import Sentence
from kgstore.verifier.stages import RulesExtractor
from kgstore.verifier.training import pronouns
from tests.plain_graph import plain_store


@pytest.fixture(scope="module")
def store(small_kg):
    with Store(small_kg, read_only=True) as opened:
        yield opened


def meant(store: Store, text: str) -> list[str | None]:
    """The name for which each pronoun of a text stands, in reading order."""
    aligner = Aligner(store)
    stages = RulesExtractor(store, aligner.is_noun, aligner.is_value)
    names = stages.names(text)
    parsed = stages.parse(names)
    found = antecedents(text, parsed.parts, names.beings)
    sentences = [part for part in parsed.parts if isinstance(part, Sentence)]
    spoken = [word.start for part in sentences for word in part.words if word.tag.startswith("PRP")]
    assert set(found) <= set(spoken)
    return [found[start].text if start in found else None for start in spoken]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Douglas Adams came. He went.", ["Douglas Adams"]),
        ("Douglas Adams came. His house burned.", ["Douglas Adams"]),
        ("Douglas Adams came. She went.", [None]),
        ("Meryl Streep came. She went.", ["Meryl Streep"]),
        ("Meryl Streep came. He went.", [None]),
        ("Oslo is large. He went.", [None]),
        ("Oslo is large. It grew.", ["Oslo"]),
        ("Oslo is large. By Norwegian standards it is hot.", ["Oslo"]),
        ("Douglas Adams came. It rained.", [None]),
        ("Douglas Adams lived in Oslo. He went.", ["Douglas Adams"]),
        ("Oslo is large. Douglas Adams lived there. It grew.", ["Oslo"]),
        ("Douglas Adams met Meryl Streep. He was tall.", ["Douglas Adams"]),
        ("Meryl Streep met Douglas Adams. Her house burned.", ["Meryl Streep"]),
        ("Douglas Adams met Neil Young. Adams read a book, and Young liked it. He went.", [None, "Douglas Adams"]),
        ("He went. It grew. She came.", [None, None, None]),
        ("50 Cent is a singer. He was born in Oslo.", ["50 Cent"]),
        ("Neil Young was born in Toronto. It is said that nobody came.", [None]),
        ("In his youth Douglas Adams lived in Oslo.", ["Douglas Adams"]),
        ("Zed Zorkov made *The Hunt*. He was born in Oslo, and she in Zorkville.", ["Zed Zorkov", None]),
        ("Elizabeth Zorkova met George Zorkov. She sang. He danced. Her voice was thin.",
         ["Elizabeth Zorkova", None, "Elizabeth Zorkova"]),
        ("Neil Young is a singer.\n- Born: 1945 in Toronto\n\nHe plays the piano.", ["Neil Young"]),
    ],
)  # fmt: skip
def test_a_pronoun_means_a_name_of_the_text(store, text, names):
    assert meant(store, text) == names


def test_who_is_spoken_of_all_the_time_stays_in_mind(store):
    others = [f"He saw {first}{last} Bridge." for first in ("Zork", "Bork", "Lork") for last in "abcdefghijklmnop"]
    assert meant(store, f"Douglas Adams was a writer. {' '.join(others)}") == ["Douglas Adams"] * len(others)


@pytest.mark.parametrize("word", ["He", "She", "It"])
def test_a_name_that_the_kg_does_not_know_can_be_anybody(store, word):
    assert meant(store, f"Zorkov arrived. {word} was welcome.") == ["Zorkov"]


PAINTERS = """
ex:artist a owl:Class ; rdfs:label "artist"@en . ex:city a owl:Class ; rdfs:label "city"@en .
ex:ann a ex:artist ; rdfs:label "Ann Berg"@en ; ex:sex ex:woman . ex:woman rdfs:label "female"@en .
ex:oslo a ex:city ; rdfs:label "Oslo"@en . ex:sex rdfs:label "sex"@en .
"""


@pytest.mark.parametrize(
    ("profile", "it", "she"),
    [('person = ["artist"]\ngender = ["sex"]', "Oslo", "Ann Berg"), ("rdfs", None, None)],
)
def test_who_is_a_person_the_profile_says(tmp_path, profile, it, she):
    with plain_store(PAINTERS, tmp_path, profile) as graph:
        assert meant(graph, "Ann Berg lives in Oslo. It grew.") == [it]
        assert meant(graph, "Ann Berg lives in Oslo. She sang.") == [she]
        assert meant(graph, "Ann Berg lives in Oslo. He sang.") == [None]


def test_whom_the_kg_does_not_know_is_named_in_the_reason(store):
    verifier = Verifier(store, judge="none", reader="none")
    first, second = verifier.verify("Zed Zorkov came from Oslo. He died in Berlin.").verdicts[-1], verifier.verify(
        "In 1999 he died in Berlin."
    ).verdicts[-1]
    assert first.claim.head.means == "Zed Zorkov" and first.reason == "the KG knows nothing called Zed Zorkov"
    assert second.reason == "whom “he” means is not sure"


def test_the_likeliest_is_sure_enough_or_alone(store):
    (word,) = [word for word in _words(store, "It grew.") if word.tag == "PRP"]
    one, other = object(), object()
    sure = [Choice(one, {"it: first": 1.0}), Choice(other, {})]  # type: ignore[arg-type]
    meant, share = likeliest(word, sure, {"it: first": 3.0})
    assert meant is one and share == pytest.approx(math.exp(3) / (2 + math.exp(3)))
    assert likeliest(word, sure, {})[0] is None
    assert likeliest(word, [Choice(one, {}), Choice(other, {}, alone=True)], {})[0] is other  # type: ignore[arg-type]
    assert likeliest(word, [], {}) == (None, 0.0)


def test_a_pronoun_is_no_surer_than_the_one_before_that_it_rests_on(store):
    verifier = Verifier(store, judge="none", reader="none")
    text = "Zed Zorkov met Bea Bork. She died in Oslo, and she was born in Berlin."
    first, second = [one.head.meant for one in verifier.claims(text) if one.head.text.lower() == "she"]
    assert 0 < second <= first < 1


def _words(store, text):
    aligner = Aligner(store)
    stages = RulesExtractor(store, aligner.is_noun, aligner.is_value)
    return stages.parse(stages.names(text)).parts[0].words


def test_no_given_name_is_a_mans_and_a_womans():
    assert given_names()["ada"] == "female" and given_names()["douglas"] == "male"
    assert set(given_names().values()) == {"male", "female"} and "jean" not in given_names()


def test_weights_are_fitted_on_pronouns_that_were_read(store, tmp_path, capsys, monkeypatch):
    met = [("Douglas Adams", "Meryl Streep", "He"), ("Meryl Streep", "Neil Young", "She"), ("Neil Young", "Oslo", "He")]
    said = [f"{who} met {other}. {word} went home. {word} slept." for who, other, word in 4 * met]
    texts = {str(at): text for at, text in enumerate(said)}
    with gzip.open(tmp_path / "docred.jsonl.gz", "wt") as file:
        file.writelines(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items())
    rows = []
    for id, text in texts.items():
        who, word = text.split(" met ")[0], text.split(". ")[1].split()[0]
        starts = [at for at in range(len(text)) if text.startswith(f"{word} ", at)]
        rows.append({"of": "docred.jsonl.gz", "id": id, "means": {str(at): who for at in starts}})
    (tmp_path / "pronouns.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(pronouns, "DATA", tmp_path)
    out = tmp_path / "weights.json"
    pronouns.main(["--kg", str(store.path), "--reading", str(tmp_path), "-o", str(out)])
    shown = json.loads(capsys.readouterr().out)
    assert shown["pronouns"] == 24 and shown["he right"] > 60 and not shown.get("he wrong", 0)
    made = json.loads(out.read_text())["weights"]
    assert made["he: as subject"] > 0.3 > made.get("he: as object", 0.0)
    assert weights().keys() >= {"he: first", "it: first", "he: unknown, with a given name"}
