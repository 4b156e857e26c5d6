"""``kgstore correct --context``: a document and a language model behind a server of the test's own."""

from __future__ import annotations

import json

import pytest

from kgstore.verifier.llm.prompts import written
from tests.test_cli import refused, run
from tests.test_llm_server import said, serve  # noqa: F401

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

ABOUT = "Ann Smith was born in Oslo. Her brother Karl died in 1980."
TEXT = "Ann Smith was born in Rome. Karl died in 1980. What a day!"


def replies(triple: str, text: str):
    """A server that corrects triples and texts in one way."""

    def answer(path, body):
        if path == "/v1/models":
            return 200, {"data": [{"id": "m"}]}
        direct = body["messages"][-1]["content"].startswith("Wrong text")
        return 200, said(json.dumps({"text": text}) if direct else triple)

    return answer


@pytest.fixture
def url(serve):  # noqa: F811
    return serve(replies(written([("Ann Smith", "was born in", "Oslo")]), TEXT.replace("Rome", "Oslo"))).url


@pytest.fixture
def files(tmp_path):
    text, document = tmp_path / "text.txt", tmp_path / "document.txt"
    text.write_text(TEXT)
    document.write_text(ABOUT)
    return [str(text), "--context", str(document)]


def test_the_corrected_text_goes_to_stdout_and_the_edits_to_stderr(files, url):
    done = run("correct", *files, "--llm", url)
    assert (done.exit_code, done.stdout) == (0, TEXT.replace("Rome", "Oslo") + "\n")
    assert "22: “Rome” → “Oslo”" in done.stderr
    assert "1 sentence from which no triple was read is not checked" in done.stderr


@pytest.mark.parametrize("method", ["graphcorrect", "direct"])
def test_json_has_edits_and_what_is_left(files, url, method):
    data = json.loads(run("correct", *files, "--llm", url, "--method", method, "--format", "json").stdout)
    assert data["edits"] == [{"start": 22, "end": 26, "old": "Rome", "new": "Oslo"}]
    assert data["flagged"] == {"before": 1, "after": 0} and data["refused"] == {}
    born = ["Ann Smith", "was born in"]
    triples = [{"old": [*born, "Rome"], "new": [*born, "Oslo"]}]
    assert data["triples"] == (triples if method == "graphcorrect" else [])


def test_lines_of_a_batch_bring_their_own_documents(tmp_path, url):
    batch = tmp_path / "batch.jsonl"
    lines = [{"id": "a", "text": TEXT, "context": ABOUT}, {"id": "b", "text": ABOUT, "context": ABOUT}]
    batch.write_text("\n".join(map(json.dumps, lines)))
    done = run("correct", str(batch), "--llm", url, "--format", "jsonl")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["corrected"] == TEXT.replace("Rome", "Oslo")
    assert (second["id"], second["corrected"], second["edits"]) == ("b", ABOUT, [])


def test_a_reply_that_says_something_else_is_refused_and_told(files, serve):  # noqa: F811
    url = serve(replies(written([("Ann Smith", "was born in", "Paris")]), "")).url
    done = run("correct", *files, "--llm", url)
    assert done.stdout == TEXT + "\n"
    assert "1 reply of the model refused: the new triple says what the document does not" in done.stderr
    assert "1 fact that the document does not bear out: “Ann Smith was born in Rome”" in done.stderr


def test_what_is_missing_is_said(files, small_kg):
    assert "name one with --gguf or --llm" in refused("correct", *files)
    assert "name a KG with --kg, or a document with --context" in refused("correct", files[0])
    assert "there is none: name one with --judge" in refused("correct", *files, "--llm", "http://x", "--judge", "none")
    assert "by a KG no language model corrects" in refused("correct", files[0], "--kg", str(small_kg), "--llm", "http://x")
