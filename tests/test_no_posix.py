"""Python on Windows has no fcntl, no resource and fewer signals; kgstore does without, as far as can be seen here."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import signal, sys
import portalocker  # which asks the fcntl of this system; we do not
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("SIGALRM", "SIGKILL", "SIGBUS", "setitimer", "ITIMER_REAL"):
    delattr(signal, name)
from kgstore.cli.main import COMMANDS, main
from importlib import import_module
for name in sorted(set(COMMANDS) - {"grounding"}):
    import_module("kgstore.cli." + name.replace("-", "_"))
import kgstore.verifier.measure.reviews, kgstore.verifier.report.candidates
main(sys.argv[1:], prog_name="kgstore")
"""


def kgstore(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CODE, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_load_facts_a_query_and_a_verdict(tmp_path):
    (tmp_path / "p.csv").write_text("name,place of birth@entity\nAda Lovelace,London\n", encoding="utf-8")
    kg = ("--kg", tmp_path / "p.kg")
    done = kgstore("load", tmp_path / "p.csv", *kg, "--no-vectors")
    assert done.returncode == 0, done.stderr
    assert "London" in kgstore("facts", "Ada Lovelace", *kg).stdout
    assert "Ada Lovelace" in kgstore("sparql", "SELECT ?n { ?x rdfs:label ?n }", *kg).stdout
    text = ("--text", "Ada Lovelace was born in London.", "--judge", "none", "--reader", "none")
    done = kgstore("verify", *text, *kg, "--candidates", tmp_path / "c.ttl")
    assert done.returncode == 0 and "attributable" in done.stdout, done.stderr
