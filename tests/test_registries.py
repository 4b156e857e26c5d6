"""Whatever has a registry is one file and one line: each kind is added here as somebody would add it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import numpy as np
import pytest
from click.testing import CliRunner

from kgstore import opening as backends
from kgstore.cli import formats as formats_of_reports
from kgstore.cli import rows
from kgstore.cli.index import index
from kgstore.cli.verify import verify
from kgstore.loaders import formats
from kgstore.loaders.options import LoadOptions
from kgstore.loaders.protocol import Block
from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.verifier import Label, Verdict, Verifier
from kgstore.verifier.judges import opening
from kgstore.verifier.methods import registry
from kgstore.verifier.read.reading import EXTRACTORS, Reading
from tests.test_kg_protocol import Strict


def file(monkeypatch: pytest.MonkeyPatch, name: str, **holds: object) -> None:
    """A new file of the tree."""
    module = ModuleType(name)
    vars(module).update(holds)
    monkeypatch.setitem(sys.modules, name, module)


def test_a_loader(monkeypatch, tmp_path):
    class Lines:
        suffixes = (".sow",)

        def read(self, source, filters):
            for number, line in enumerate(Path(source.path).read_text().splitlines(), 1):
                s, o, w = line.split()
                yield Block(f"<urn:{s}> <urn:{w}> <urn:{o}> .\n".encode(), 0, 1, 1, number, number)

    file(monkeypatch, "kgstore.loaders.sow", loader=lambda format, setting: Lines())
    monkeypatch.setitem(formats.FORMATS, "sow", formats.Format("sow", (".sow",)))
    (tmp_path / "a.sow").write_text("ada london born\n")
    load([tmp_path / "a.sow"], tmp_path / "a.kg", LoadOptions(vectors=False), jobs=1)
    with Store(tmp_path / "a.kg") as store:
        assert [triple.object.value for triple in store.match("urn:ada")] == ["urn:london"]


def test_a_judge(monkeypatch, tmp_path):
    class Yes:
        def __init__(self, path):
            self.path = path

        def judge(self, pairs):
            return np.tile(np.float32((1, 0, 0)), (len(pairs), 1))

    file(monkeypatch, "kgstore.verifier.judges.yes", Yes=Yes)
    monkeypatch.setattr(opening, "KINDS", (opening.Kind(lambda path: path.suffix == ".yes", "yes:Yes"), *opening.KINDS))
    judge = opening.open_judge(tmp_path / "a.yes")
    assert judge is not None and judge.judge([("a", "b")]).tolist() == [[1, 0, 0]]


def test_a_method(monkeypatch, small_kg):
    def judged(text, claims, verifier):
        verdicts = (Verdict(one, Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), "shrug") for one in claims)
        return registry.MethodResult(tuple(verdicts), notices=("shrug: nobody knows",))

    file(monkeypatch, "kgstore.verifier.methods.shrug", judged=judged)
    monkeypatch.setitem(registry.REGISTRY, "shrug", registry.Entry(graph="methods.shrug"))
    with Store(small_kg) as store:
        verifier = Verifier(store, method="shrug", judge="none", reader="none")
        report = verifier.verify("Douglas Adams was born in London.")
    assert [one.method for one in report.verdicts] == ["shrug"] and report.notices == ("shrug: nobody knows",)


def test_an_extractor(monkeypatch, small_kg):
    """Here one that reads what the rules read, turned round."""

    class Backwards:
        def __init__(self, rules, model, careful):
            self.rules, self.notices = rules, ["backwards: read from the end"]

        def extract(self, text):
            return self.rules.extract(text)[::-1]

    file(monkeypatch, "kgstore.verifier.llm.backwards", opened=Backwards)
    monkeypatch.setitem(EXTRACTORS, "backwards", "backwards:opened")
    text = "Douglas Adams was born in Cambridge. He died in Santa Barbara."
    with Store(small_kg) as store:
        verifier = Verifier(store, Reading("backwards"), judge="none", reader="none")
        report = verifier.verify(text)
    assert [text[one.claim.tail.start :].split()[0] for one in report.verdicts] == ["Santa", "Cambridge."]
    assert report.notices == ("backwards: read from the end",)


def test_a_backend(monkeypatch, small_kg):
    """Here one with no more than what the verifier asks of a graph."""

    class Behind(Strict):
        def __init__(self, kg, report, anew):
            super().__init__(Store(Path(str(kg).removeprefix("behind:"))))

        def close(self):
            self._store.close()

    file(monkeypatch, "kgstore.behind", Behind=Behind)
    home = backends.Backend(lambda kg: str(kg).startswith("behind:"), "kgstore.behind:Behind")
    monkeypatch.setattr(backends, "BACKENDS", (*backends.BACKENDS, home))
    arguments = ["--text", "Douglas Adams was born in Cambridge.", "--judge", "none", "--format", "json"]
    done = CliRunner().invoke(verify, [*arguments, "--kg", f"behind:{small_kg}"])
    assert done.exit_code == 0 and json.loads(done.stdout)["label"] == "attributable"
    refused = CliRunner().invoke(index, ["--kg", f"behind:{small_kg}"])
    assert refused.exit_code == 2 and "only read" in refused.output


def test_a_format_of_reports(monkeypatch, small_kg):
    def write(reports, stream, layout):
        for item, report in reports:
            stream.write(f"{layout.file(item)}: {report['label']}\n")

    file(monkeypatch, "kgstore.cli.labels", write=write)
    monkeypatch.setitem(formats_of_reports.FORMATS, "labels", "labels:write")
    chosen = next(one for one in verify.params if one.name == "fmt")
    monkeypatch.setattr(chosen, "type", click.Choice(list(formats_of_reports.FORMATS)))
    arguments = ["--text", "Douglas Adams was born in Cambridge.", "--kg", str(small_kg), "--judge", "none"]
    done = CliRunner().invoke(verify, [*arguments, "--format", "labels"])
    assert (done.exit_code, done.stdout) == (0, "stdin: attributable\n")


def test_a_format_of_rows(monkeypatch, capsys):
    monkeypatch.setitem(rows.FORMATS, "words", rows.RowFormat(lambda columns, found: " ".join(map(str, found))))
    assert rows.print_rows("words", ["a"], [("x",), ("y",)]) and not rows.print_rows("text", ["a"], [])
    assert capsys.readouterr().out == "('x',) ('y',)"


@pytest.mark.parametrize("name", [name for name, one in registry.REGISTRY.items() if one.rewrites])
def test_every_line_leads_to_a_function(name):
    assert registry.open_rewriting(name).__name__ == name


def test_what_is_named_first_opens_it(tmp_path):
    kinds = [kind.home for kind in opening.KINDS if kind.takes(tmp_path / "model.gguf")]
    assert kinds[0] == "language_model:gguf_judge" and len(kinds) == 2
    assert SimpleNamespace(**{home.partition(":")[0]: 1 for home in kinds}).huggingface
