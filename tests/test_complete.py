"""Lists that the owner of a graph declares complete: what they lack is contradicted, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgstore.catalog_rows import FOLDER as ROWS
from kgstore.catalog_rows import usable
from kgstore.cli.main import main
from kgstore.errors import InputError
from kgstore.layout import generation_path
from kgstore.loaders.run import load as load_files
from kgstore.model import Literal
from kgstore.profile import load, stored
from kgstore.store import Store
from kgstore.verifier.claims import Verdict
from kgstore.verifier.decide.complete import may_mean
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict
from tests.plain_graph import plain_store

COMPLETE, SEVERAL = "rule:complete", "rule:several-values"
YES, OPEN, NO = "attributable", "extrapolatory", "contradictory"

TURTLE = """
ex:foundedBy rdfs:label "founded by" ; skos:altLabel "founder" .
ex:reportsTo rdfs:label "reports to" . ex:supplier rdfs:label "supplier" . ex:motto rdfs:label "motto" .
ex:opened rdfs:label "opening date" ; skos:altLabel "opened on" .
ex:headOf rdfs:label "head of" . ex:memberOf rdfs:label "member of" . ex:cofounder rdfs:label "co-founder" .
ex:cofounder rdfs:subPropertyOf ex:foundedBy .
ex:until rdfs:label "until" .
ex:Person rdfs:label "person" . ex:Company rdfs:label "company" .

ex:velo a ex:Company ; rdfs:label "Velographic" ; ex:foundedBy ex:ann, ex:bob ; ex:supplier ex:zinc ;
    ex:motto "Never stand still", "Onwards" ; ex:opened "1994-05-02"^^xsd:date, "1999-06-03"^^xsd:date .
ex:norta a ex:Company ; rdfs:label "Nortalia" ; ex:foundedBy ex:cleo .
ex:zinc a ex:Company ; rdfs:label "Zincworks" .
ex:hansa a ex:Company ; rdfs:label "Hansaform" ; ex:foundedBy ex:trio .
ex:lumen a ex:Company ; rdfs:label "Lumenotec" ; ex:foundedBy ex:ann, "Dora Vance" .
ex:prima a ex:Company ; rdfs:label "Primatex" ; ex:foundedBy ex:ann ; ex:cofounder ex:dora .
ex:ann a ex:Person ; rdfs:label "Ann Keller" ; skos:altLabel "A. Keller" .
ex:bob a ex:Person ; rdfs:label "Bob Moreau" ; ex:reportsTo ex:ann .
ex:cleo a ex:Person ; rdfs:label "Cleo Martin" ; ex:reportsTo ex:ann, ex:bob ; ex:memberOf ex:trio .
ex:dora a ex:Person ; rdfs:label "Dora Vance" .
ex:anna a ex:Person ; rdfs:label "Ann Maria Keller" .
ex:trio a ex:Person ; rdfs:label "Hansa Trio" .
ex:robin a ex:Person ; rdfs:label "Robin Dale" . ex:robin2 a ex:Person ; rdfs:label "Robin Dale" .
ex:moreau a ex:Person ; rdfs:label "Moreau" .
ex:treats rdfs:label "treats" . ex:contents rdfs:label "contents" .
ex:bactivel a ex:Drug ; rdfs:label "Bactivel" ; ex:treats ex:pneumonia, ex:cystitis ;
    ex:contents "salt, chalk, starch" .
ex:dolorine a ex:Drug ; rdfs:label "Dolorine" ; ex:treats ex:migraine, ex:pneumonia .
ex:pneumonia a ex:Illness ; rdfs:label "pneumonia" . ex:cystitis a ex:Illness ; rdfs:label "cystitis" .
ex:migraine a ex:Illness ; rdfs:label "migraine" .
"""
FOUNDERS = ("founded by", "reports to")


@pytest.fixture(scope="module")
def kg(tmp_path_factory) -> Path:
    with plain_store(TURTLE, tmp_path_factory.mktemp("complete")) as store:
        assert store.path is not None
        return store.path


@pytest.fixture(scope="module")
def store(kg) -> Iterator[Store]:
    with Store(kg) as store:
        yield store


def one(store: Store, text: str, *complete: str) -> Verdict:
    (verdict,) = Verifier(store, judge="none", reader="none", complete=complete).verify(text).verdicts
    return verdict


@pytest.mark.parametrize(
    ("text", "label", "method"),
    [
        ("Velographic was founded by Cleo Martin.", NO, COMPLETE),
        ("Velographic was founded by Bob Moreau.", YES, "rule:statement"),
        ("Cleo Martin founded Velographic.", NO, COMPLETE),  # said of the value
        ("The founder of Velographic was Cleo Martin.", NO, COMPLETE),
        ("Bob Moreau reports to Cleo Martin.", NO, COMPLETE),
        ("Velographic was not founded by Cleo Martin.", YES, "rule:negation"),
        ("Zincworks was founded by Cleo Martin.", OPEN, "rule:open"),  # no founder is listed
        ("Velographic may have been founded by Cleo Martin.", OPEN, "rule:hedged"),
        ("The supplier of Velographic is Nortalia.", OPEN, SEVERAL),  # not declared
        ("Velographic was founded by Greta Holm.", OPEN, SEVERAL),  # whom the KG does not know
    ],
)
def test_a_declared_list_denies_what_it_lacks(store, text, label, method):
    found = one(store, text, *FOUNDERS)
    assert (found.label, found.method) == (label, method)


@pytest.mark.parametrize(
    "text",
    [
        "Velographic was founded by Cleo Martin.",
        "Cleo Martin founded Velographic.",
        "Bob Moreau reports to Cleo Martin.",
    ],
)
def test_without_the_declaration_it_stays_open(store, text):
    assert one(store, text).label == OPEN


@pytest.mark.parametrize(
    "text",
    [
        "Velographic was founded by Ann Maria Keller.",  # perhaps Ann Keller with her second name
        "Hansaform was founded by Cleo Martin.",  # as a member of the trio
        "Lumenotec was founded by Dora Vance.",  # who is listed as a string
        "Lumenotec was founded by Cleo Martin.",
        "Primatex was founded by Dora Vance.",  # by a narrower property
        "Bob Moreau reported to Cleo Martin.",  # perhaps he did, once
        "Bob Moreau reports to Cleo Martin since 2011.",
        "Velographic was founded by Robin Dale.",  # one of two of that name
        "Velographic was founded by Moreau.",  # which may be short for Bob Moreau
    ],
)
def test_what_may_be_listed_after_all_is_not_denied(store, text):
    assert one(store, text, *FOUNDERS).label == OPEN


def test_the_explanation_contrasts_and_gives_the_reason(store):
    report = Verifier(store, judge="none", complete=["founder"]).verify("Velographic was founded by Cleo Martin.")
    said = report_dict(report, store)["claims"][0]["explanation"]
    assert said.startswith("The text says “Velographic was founded by Cleo Martin”; under “founded by” the KG lists ")
    assert "Ann Keller" in said and "Bob Moreau" in said
    assert said.endswith(" for Velographic and not Cleo Martin, and the list is declared complete.")


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("Nortalia was founded by Ann Keller.", "Cleo Martin"),
        ("Ann Keller founded Nortalia.", "Cleo Martin"),
        ("Bob Moreau reports to Cleo Martin.", "Ann Keller"),
        ("Velographic was founded by Cleo Martin.", None),  # two could replace her
    ],
)
def test_a_correction_is_offered_where_one_value_is_listed(store, text, edit):
    found = one(store, text, *FOUNDERS)
    assert (found.label, found.correction and found.correction.text) == (NO, edit)


@pytest.mark.parametrize(
    ("text", "declared", "label"),
    [
        ("Velographic has three founders.", "founded by", NO),
        ("Velographic has at least three founders.", "founded by", NO),
        ("Velographic has three founders.", "supplier", OPEN),
        ("Velographic has two founders.", "founded by", YES),
        ("Velographic has one founder.", "founded by", OPEN),  # of whom the text may count some only
        ("Velographic has fewer than four founders.", "founded by", YES),
        ("Lumenotec has five founders.", "founded by", OPEN),  # not all that is listed is a thing
        ("Zincworks has two founders.", "founded by", OPEN),
    ],
)
def test_a_list_that_lacks_nothing_can_be_counted(store, text, declared, label):
    assert one(store, text, declared).label == label


@pytest.mark.parametrize(
    ("text", "declared", "label", "method"),
    [
        ("The motto of Velographic is “Ever upwards”.", "motto", NO, COMPLETE),
        ("The motto of Velographic is “Onwards”.", "motto", YES, "rule:string"),
        ("The motto of Velographic is “Ever upwards”.", "supplier", OPEN, None),
        ("Velographic opened on 7 July 2003.", "opening date", NO, COMPLETE),
        ("Velographic opened on 3 June 1999.", "opening date", YES, "rule:date"),
        ("Velographic opened on 7 July 2003.", "supplier", OPEN, SEVERAL),
    ],
)
def test_strings_and_dates_may_be_listed_too(store, text, declared, label, method):
    found = one(store, text, declared)
    assert (found.label, found.method) == (label, method or found.method)


def test_all_declares_every_property_but_those_of_kinds(store):
    know = Verifier(store, complete=["all"]).knowledge
    assert {"http://example.org/foundedBy", "http://example.org/supplier"} <= know.complete
    assert not any(iri.endswith("#type") for iri in know.complete)
    assert one(store, "The supplier of Velographic is Nortalia.", "all").method == COMPLETE
    assert one(store, "Zincworks was founded by Cleo Martin.", "all").label == OPEN


@pytest.mark.parametrize("name", ["founded by", "Founder", "foundedBy", "http://example.org/foundedBy"])
def test_a_property_is_declared_by_label_alias_or_iri(store, name):
    assert Verifier(store, complete=[name]).knowledge.complete == {"http://example.org/foundedBy"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yuki Tanabe is head of the Optics Department.", NO),  # she is head of Sales
        ("Greta Holm is head of the Sales Department.", OPEN),  # she was head of Optics until 2012
        ("Yuki Tanabe was head of the Optics Department.", OPEN),
    ],
)
def test_what_has_ended_leaves_the_list_open(tmp_path, text, label):
    files = sorted((Path(__file__).parent.parent / "data/examples/company").glob("*.[ct]*[vl]"))
    load_files(files, tmp_path / "company.kg", vectors=False)
    with Store(tmp_path / "company.kg") as store:
        assert one(store, text, "head of").label == label


# -- where it is said --------------------------------------------------------------------------------------------------


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


TEXT = "Velographic was founded by Cleo Martin."
OWN = 'base = "rdfs"\ncomplete = ["founded by", "ex:reportsTo"]\n[prefixes]\nex = "http://example.org/"\n'


def test_a_profile_declares_it_and_info_shows_it(tmp_path):
    with plain_store(TURTLE, tmp_path, OWN) as store:
        assert store.profile.complete == ("founded by", "http://example.org/reportsTo")
        assert one(store, TEXT).method == COMPLETE
        assert one(store, "The supplier of Velographic is Nortalia.", "supplier").method == COMPLETE  # and one more
        kg = store.path
    mended = replace(load(tmp_path / "profile.toml"), complete=("supplier",))
    assert usable(generation_path(kg, "000001") / "catalog" / ROWS, mended)  # no reason to build the catalog anew
    assert "founded by, reports to" in run("info", "--kg", kg).stdout
    told = json.loads(run("info", "--properties", "--format", "json", "--kg", kg).stdout)
    assert [item["label"] for item in told["complete"]] == ["founded by", "reports to"]
    assert {item["label"] for item in told["properties"] if item["complete"]} == {"founded by", "reports to"}
    assert "declared complete" in run("info", "--properties", "--kg", kg).stdout


def test_a_profile_keeps_what_it_declares(tmp_path):
    (tmp_path / "own.toml").write_text(OWN + 'nn = "http://example.org/n#"\n', encoding="utf-8")
    profile = load(tmp_path / "own.toml")
    assert stored(profile.stored()) == profile
    (tmp_path / "own.toml").write_text('complete = "all"', encoding="utf-8")
    assert load(tmp_path / "own.toml").complete == ("all",)
    (tmp_path / "own.toml").write_text('label = "rdfs:label"', encoding="utf-8")
    assert "complete" not in load(tmp_path / "own.toml").stored()


def test_a_name_in_the_profile_that_no_property_has_is_an_error_of_the_verifier(tmp_path):
    with plain_store(TURTLE, tmp_path, 'complete = ["foundered by"]') as store:
        with pytest.raises(InputError, match=r"profile 'profile': no property is called 'foundered by'.*--profile"):
            Verifier(store)
        kg = store.path
    assert "foundered by (no property is called 'foundered by')" in " ".join(run("info", "--kg", kg).stdout.split())
    result = run("verify", "--kg", kg, "--text", TEXT)
    assert result.exit_code == 2 and "kgstore info --properties" in result.stderr


@pytest.mark.parametrize("command", ["verify", "correct"])
def test_a_name_on_the_command_line_that_no_property_has_is_an_error(kg, command):
    result = run(command, "--kg", kg, "--text", TEXT, "--complete", "founded by", "--complete", "foundered by")
    assert result.exit_code == 2
    assert "--complete: no property is called 'foundered by': `kgstore info --properties` lists" in result.stderr


def test_verify_correct_and_evaluate_take_the_declaration(kg, tmp_path):
    text = "Nortalia was founded by Ann Keller."
    declared = ("--kg", kg, "--complete", "founded by", "--judge", "none")
    claims = json.loads(run("verify", "--text", text, *declared, "--format", "json").stdout)["claims"]
    assert [claim["method"] for claim in claims] == [COMPLETE]
    assert run("correct", "--text", text, *declared).stdout.strip() == "Nortalia was founded by Cleo Martin."
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "1", "text": text, "label": NO}), encoding="utf-8")
    tiers = json.loads(run("evaluate", rows, *declared, "--format", "json").stdout)["tiers"]
    assert [tier["name"] for tier in tiers] == [COMPLETE]


@pytest.mark.parametrize("command", ["verify", "correct"])
def test_a_document_has_no_properties_to_declare(tmp_path, command):
    (tmp_path / "article.txt").write_text(TEXT, encoding="utf-8")
    result = run(command, "--text", TEXT, "--context", tmp_path / "article.txt", "--complete", "founded by")
    assert result.exit_code == 2 and "name it with --kg" in result.stderr


@pytest.mark.parametrize(
    ("text", "complete", "label"),
    [
        ("Cleo Martin brought Velographic into being in a garage.", FOUNDERS, NO),
        ("Cleo Martin brought Velographic into being in a garage.", (), OPEN),
        ("Doctors give Bactivel to treat migraine.", ("treats",), NO),  # a thing, though its name is a common noun
        ("Doctors give Bactivel to treat migraine.", (), ""),
    ],
)
def test_what_the_reader_reads_is_denied_too(store, text, complete, label):
    found = Verifier(store, judge="none", complete=complete).verify(text).verdicts
    assert [one.label for one in found] == [label] * bool(label)


@pytest.mark.parametrize(
    "text",
    ["The supplier of Velographic was formerly Hansaform.", "The former supplier of Velographic is Hansaform."],
)
def test_what_was_so_once_is_not_denied(store, text):
    assert one(store, text, "supplier").label == OPEN


def test_a_part_of_a_listed_string_is_not_denied(store):
    know = Knowledge(store)
    listed = know.about("http://example.org/bactivel").values()
    (contents,) = (one for one in listed if isinstance(one[0].value, Literal))
    assert may_mean(know, "starch and chalk", contents)
    assert not may_mean(know, "starch and sugar", contents)
