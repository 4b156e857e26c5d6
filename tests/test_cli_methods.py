"""`kgstore verify --method factum|claimver`: what is shown, and which formats bring the match scores."""

from __future__ import annotations

import json

from tests.test_cli import answer, refused, run

TEXT = "Douglas Adams was born in London. He died in Santa Barbara."


def test_factum_shows_the_degree_and_what_each_fact_adds(small_kg):
    result = run("verify", "--text", TEXT, "--kg", small_kg, "--method", "factum")
    shown = " ".join(result.stdout.split())
    assert "FD 0." in shown and "similarity 0." in shown and "KAS" not in shown
    assert "the predicates closest to the text's are place of death (" in shown


def test_claimver_shows_the_scores_and_says_who_labelled(small_kg):
    result = run("verify", "--text", TEXT, "--kg", small_kg, "--method", "claimver")
    assert result.stdout.count("TMS 0.") == 2 and result.stdout.count("KAS 0.") == 3
    assert "no language model is given" in result.stderr
    assert "TMS" not in run("verify", "--text", TEXT, "--kg", small_kg).stdout


def test_a_server_may_be_named_for_claimver_without_an_extractor_that_asks_it(small_kg):
    options = ("verify", "--text", TEXT, "--kg", small_kg, "--llm", "nowhere")
    assert "is not the address of a server" in refused(*options, "--method", "claimver")
    assert "needs --extractor" in refused(*options)


def test_every_format_for_programs_has_the_same_match_scores(small_kg):
    whole = answer("verify", "--text", TEXT, "--kg", small_kg)
    [line] = run("verify", "--text", TEXT, "--kg", small_kg, "--format", "jsonl").stdout.splitlines()
    assert all(claim["scores"]["tms"] > 0.5 for claim in whole["claims"])
    assert json.loads(line)["scores"] == whole["scores"]
    assert json.loads(line)["claims"] == whole["claims"]
