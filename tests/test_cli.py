"""The commands as a user meets them: what they print, and with which exit code they end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgstore.cli.main import BROKEN_PIPE, main

ROOT = Path(__file__).parent.parent


def run(*arguments: object, stdin: str | bytes = "") -> Result:
    """A command in this process; a bug shows its traceback."""
    result = CliRunner().invoke(main, [str(one) for one in arguments], input=stdin, prog_name="kgstore")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*arguments: object, stdin: str | bytes = "") -> str:
    """The one line that a command ends with when the user is wrong."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("kgstore: "), result.stderr
    return lines[0]


def answer(*arguments: object, stdin: str | bytes = "") -> object:
    """What a command prints as JSON."""
    result = run(*arguments, "--format", "json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


# -- asking ------------------------------------------------------------------------------------------------------------


def test_info_shows_what_a_kg_holds(small_kg):
    text = run("info", "--kg", small_kg).stdout
    assert "wikidata-small" in text and "profile      wikidata" in text and "from wikidata-small.json.gz" in text
    facts = answer("info", "--kg", small_kg)
    assert facts["profile"] == "wikidata" and facts["counts"]["triples"] > 500_000


def test_info_shows_how_properties_behave(small_kg):
    birth = next(one for one in answer("info", "--properties", "--kg", small_kg)["properties"] if one["id"] == "P19")
    assert birth["label"] == "place of birth" and birth["functionality"] > 0.9
    assert "place of birth" in run("info", "--properties", "--kg", small_kg).stdout


def test_the_kg_may_come_from_the_environment(small_kg, monkeypatch):
    monkeypatch.setenv("KGSTORE_KG", str(small_kg))
    assert "wikidata-small" in run("info").stdout


@pytest.mark.parametrize(
    "name", ["Douglas Adams", "douglas adams", "Q42", "wd:Q42", "http://www.wikidata.org/entity/Q42"]
)
def test_entity_is_found_by_name_id_and_iri(small_kg, name):
    found = answer("entity", name, "--kg", small_kg)
    assert found["id"] == "Q42" and "Douglas Noel Adams" in found["names"]
    assert "English writer and humorist" in run("entity", name, "--kg", small_kg).stdout


def test_a_name_that_several_bear_alike_is_refused_with_a_choice(small_kg):
    line = refused("entity", "drama", "--kg", small_kg)
    assert "entities are named 'drama': name one by its id: Q" in line


def test_the_best_known_of_a_name_is_taken_and_the_others_are_mentioned(small_kg):
    result = run("entity", "Germany", "--kg", small_kg)
    assert "Q183" in result.stdout and "also: Q1350565 (Germany, constituency" in result.stderr


def test_a_misspelt_name_gets_a_suggestion(small_kg):
    assert "did you mean Q42 (Douglas Adams" in refused("entity", "Duglas Adams", "--kg", small_kg)


def test_an_unknown_id_is_said_to_be_unknown(small_kg):
    assert "nothing in the KG has the id Q999999999" in refused("entity", "Q999999999", "--kg", small_kg)


def test_facts_show_values_ranks_and_qualifiers(small_kg):
    text = run("facts", "Q183", "--property", "capital", "--kg", small_kg).stdout
    assert text.splitlines()[0] == "Germany (Q183)"
    assert "preferred" in text and "Berlin" in text and "start time" in text


def test_facts_as_json_have_the_shape_of_evidence(small_kg):
    [fact] = answer("facts", "Douglas Adams", "--property", "P19", "--references", "--kg", small_kg)
    assert fact["labels"] == ["Douglas Adams", "place of birth", "Cambridge"]
    assert (fact["subject"], fact["predicate"], fact["object"], fact["rank"]) == ("Q42", "P19", "Q350", "normal")
    assert fact["references"]


def test_facts_about_a_value_are_limited_and_say_so(small_kg):
    result = run("facts", "Paris", "--incoming", "-p", "place of birth", "--limit", "2", "--kg", small_kg)
    assert "2 statements, and there are more" in result.stderr


def test_an_unknown_property_is_refused(small_kg):
    assert "no property is called 'colour of socks'" in refused(
        "facts", "Q42", "-p", "colour of socks", "--kg", small_kg
    )


def test_path_shows_the_direction_of_each_step(small_kg):
    text = run("path", "Douglas Adams", "Charlie Chaplin", "--kg", small_kg).stdout
    assert "Douglas Adams —[occupation]→ comedian ←[occupation]— Charlie Chaplin" in text
    [first, *_] = answer("path", "Douglas Adams", "Charlie Chaplin", "--kg", small_kg)
    assert first[0]["subject"] == "Q42"


def test_search_finds_misspelt_names(small_kg):
    assert answer("search", "Duglas Adams", "--kg", small_kg)["entities"][0]["id"] == "Q42"
    assert "no vectors" in run("search", "Duglas Adams", "--kg", small_kg).stderr


def test_search_by_meaning_finds_statements(tmp_path):
    (tmp_path / "a.csv").write_text("subject,predicate,object\nAda,born in,London\nGrete,profession,baker\n")
    assert run("load", tmp_path / "a.csv", "--kg", tmp_path / "own.kg").exit_code == 0
    found = answer("search", "birthplace of Ada", "--by", "meaning", "--kg", tmp_path / "own.kg")["statements"]
    assert (found[0]["sentence"], found[0]["object"]) == ("Ada was born in London.", "London")
    assert found[0]["score"] > found[1]["score"]


def test_an_embedding_model_that_is_not_there_is_refused(small_kg, tmp_path):
    missing = tmp_path / "model"
    assert str(missing) in refused("search", "robots", "--embedder", missing, "--kg", small_kg)


def test_search_by_meaning_needs_vectors(small_kg):
    assert "`kgstore index --vectors" in refused("search", "robots", "--by", "meaning", "--kg", small_kg)


def test_search_for_nothing_is_refused(small_kg):
    assert "nothing to search for" in refused("search", " ", "--kg", small_kg)


# -- SPARQL ------------------------------------------------------------------------------------------------------------

QUERY = (
    "SELECT ?who ?whoLabel { ?who wdt:P19 wd:Q350 . "
    "SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' } } ORDER BY ?whoLabel"
)


def test_sparql_prints_a_table(small_kg):
    result = run("sparql", QUERY, "--kg", small_kg)
    assert [line.split("  ")[0] for line in result.stdout.splitlines()][:2] == ["who", "Q42"]
    assert "Douglas Adams" in result.stdout and result.stderr == "3 rows\n"


def test_sparql_speaks_the_standard_formats(small_kg):
    rows = answer("sparql", QUERY, "--kg", small_kg)["results"]["bindings"]
    adams = {"type": "literal", "value": "Douglas Adams", "xml:lang": "en"}
    assert {"who": {"type": "uri", "value": "http://www.wikidata.org/entity/Q42"}, "whoLabel": adams} in rows
    comma = run("sparql", QUERY, "--kg", small_kg, "--format", "csv").stdout
    assert "http://www.wikidata.org/entity/Q42,Douglas Adams\r\n" in comma.replace("\n", "\r\n").replace("\r\r", "\r")
    assert (
        '<http://www.wikidata.org/entity/Q42>\t"Douglas Adams"@en'
        in run("sparql", QUERY, "--kg", small_kg, "--format", "tsv").stdout
    )


def test_sparql_reads_files_and_stdin(small_kg, tmp_path):
    (tmp_path / "q.rq").write_text("ASK { wd:Q42 wdt:P31 wd:Q5 }")
    assert run("sparql", "--file", tmp_path / "q.rq", "--kg", small_kg).stdout == "true\n"
    assert run("sparql", "-", "--kg", small_kg, stdin="ASK { wd:Q42 wdt:P31 wd:Q6256 }").stdout == "false\n"


def test_sparql_says_when_there_are_more_rows(small_kg):
    result = run("sparql", "SELECT ?a { ?a wdt:P31 wd:Q5 }", "--limit", "3", "--kg", small_kg)
    assert "3 rows, and there are more" in result.stderr


def test_sparql_that_writes_or_asks_others_is_refused(small_kg):
    assert "query refused" in refused("sparql", "INSERT DATA { <a:b> <a:c> <a:d> }", "--kg", small_kg)
    query = "SELECT * { SERVICE <http://example.org/> { ?a ?b ?c } }"
    assert "query refused" in refused("sparql", query, "--kg", small_kg)


def test_sparql_that_runs_too_long_is_stopped(small_kg):
    query = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a"
    assert "stopped after 0.5 s" in refused("sparql", query, "--timeout", "0.5", "--kg", small_kg)


def test_sparql_that_does_not_parse_is_refused(small_kg):
    assert "does not parse" in refused("sparql", "SELECT {", "--kg", small_kg)


# -- wrong use ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["info"], ["entity", "Q42"], ["sparql", "ASK {}"], ["prune"], ["index"]])
def test_a_folder_that_is_no_kg_is_refused(command, tmp_path):
    assert "no KG at" in refused(*command, "--kg", tmp_path / "missing") or command == ["index"]
    assert "is not a KG" in refused(*command, "--kg", tmp_path)


def test_a_kg_of_a_later_format_is_refused(small_kg, tmp_path):
    manifest = json.loads((small_kg / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "format": 99}))
    assert "upgrade kgstore" in refused("info", "--kg", tmp_path)


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["info"], ["info", "--kg"], ["info", "--kg", "x", "--colour"], ["sparql", "--kg", "x"]]
)
def test_wrong_options_end_in_one_line_that_names_the_help(arguments):
    assert refused(*arguments).endswith("--help`")


def test_a_missing_empty_or_wrong_file_is_not_loaded(tmp_path):
    kg = tmp_path / "new.kg"
    (tmp_path / "empty.nt").touch()
    (tmp_path / "a.what").write_text("x")
    (tmp_path / "a.json").write_text("[\n]\n")
    assert "no such file" in refused("load", tmp_path / "missing.nt", "--kg", kg)
    assert "empty" in refused("load", tmp_path / "empty.nt", "--kg", kg)
    assert "folder" in refused("load", tmp_path, "--format", "nt", "--kg", kg)
    assert "give --format" in refused("load", tmp_path / "a.what", "--kg", kg)
    assert "colour" in refused("load", tmp_path / "a.json", "--properties", "colour", "--kg", kg)
    assert not kg.exists()


def test_a_pipe_that_closes_early_ends_the_command_quietly(small_kg):
    code = "from kgstore.cli.main import main; main(prog_name='kgstore')"
    child = subprocess.Popen(
        [sys.executable, "-c", code, "facts", "Q183", "--kg", str(small_kg)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None and child.stderr is not None
    child.stdout.close()
    said = child.stderr.read().decode()
    child.stderr.close()
    assert child.wait() == BROKEN_PIPE
    assert "Traceback" not in said and "BrokenPipe" not in said


# -- loading and housekeeping ------------------------------------------------------------------------------------------

TRIPLES = """\
<http://ex/Ada> <http://ex/bornIn> <http://ex/London> .
<http://ex/Ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada" .
"""


@pytest.fixture
def own_kg(tmp_path) -> Path:
    (tmp_path / "a.nt").write_text(TRIPLES + "broken line\n")
    result = run("load", tmp_path / "a.nt", "--kg", tmp_path / "own.kg", "--no-vectors")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "own.kg"


def test_load_says_what_it_took_and_what_it_left_out(tmp_path):
    (tmp_path / "a.nt").write_text(TRIPLES + "broken line\n")
    said = run("load", tmp_path / "a.nt", "--kg", tmp_path / "own.kg", "--no-vectors").stderr
    assert "2 triples from 1 file" in said and "profile rdfs" in said
    assert "skipped 1: " in said and "a.nt:3" in said
    assert "generation 1: 2 triples" in said


def test_load_can_report_as_json(tmp_path):
    (tmp_path / "a.nt").write_text(TRIPLES)
    result = run("load", tmp_path / "a.nt", "--kg", tmp_path / "own.kg", "--no-vectors", "--summary", "json")
    summary = json.loads(result.stdout)
    assert summary["triples"] == 2 and summary["skipped"] == {} and summary["counts"]["triples"] == 2


def test_a_graph_of_ones_own_can_be_asked(own_kg):
    assert run("facts", "Ada", "--kg", own_kg).exit_code == 0
    assert "profile      rdfs" in run("info", "--kg", own_kg).stdout


def test_prune_deletes_old_generations(own_kg, tmp_path):
    assert run("load", tmp_path / "a.nt", "--kg", own_kg, "--no-vectors").exit_code == 0
    result = run("prune", "--kg", own_kg)
    assert result.stdout == "deleted 000001\n" and "1 generation deleted, 1 kept" in result.stderr
    assert answer("prune", "--kg", own_kg) == {"deleted": [], "kept": ["000002"]}


def test_index_rebuilds_what_was_lost(own_kg):
    shutil.rmtree(own_kg / "generations" / "000001" / "topology")
    assert "kgstore index" in refused("path", "Ada", "http://ex/London", "--kg", own_kg)
    assert answer("index", "--kg", own_kg)["generation"] == "000002"
    assert (
        run("path", "Ada", "http://ex/London", "--kg", own_kg).stdout == "Ada —[born in]→ http://ex/London\n"
    )


def test_a_property_in_a_filter_that_no_statement_has_is_named(tmp_path):
    slice_ = Path(__file__).parent.parent / "data" / "wikidata-small.json.gz"
    wanted = ("--properties", "P1659,P999999", "--limit", 40, "--no-vectors")
    result = run("load", slice_, "--kg", tmp_path / "few.kg", *wanted)
    assert result.exit_code == 0 and "P999999 occurs in no statement" in result.stderr
    assert "P1659 occurs" not in result.stderr
