"""How the commands read texts and write results: encodings, batches, output files, colours."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from kgstore.cli.main import main
from kgstore.cli.render import clean, console, plain, sink
from kgstore.cli.texts import read_texts
from kgstore.cli.verdicts import LOOK, marked, print_report, summary
from kgstore.errors import InputError


def test_a_file_is_one_text_without_an_id(tmp_path):
    (tmp_path / "a.txt").write_text("Åda was born in Paris.\n", encoding="utf-8")
    texts = read_texts([str(tmp_path / "a.txt")])
    assert [(one.id, one.text) for one in texts.items] == [(None, "Åda was born in Paris.\n")]
    assert not texts.batch


def test_several_files_are_told_apart_by_their_names(tmp_path):
    names = [str(tmp_path / name) for name in ("b.txt", "a.txt")]
    for name in names:
        open(name, "w").close()
    assert [one.id for one in read_texts(names).items] == names


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfHi")
    assert read_texts([str(tmp_path / "a.txt")]).items[0].text == "Hi"


def test_a_batch_keeps_ids_and_order(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "x", "text": "1"}\r\n\n{"id": 7, "text": ""}\n{"text": "3\xe2\x80\xa8"}')
    texts = read_texts([str(path)])
    assert [(one.id, one.text) for one in texts.items] == [("x", "1"), (7, ""), (4, "3\u2028")]
    assert texts.batch


@pytest.mark.parametrize(
    ("line", "why"),
    [(b"{", "not JSON"), (b"[1]", "no text"), (b'{"text": 3}', "no text"), (b'{"text": "\xff"}', "not JSON")],
)
def test_a_bad_line_of_a_batch_is_named(tmp_path, line, why):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "fine"}\n' + line + b"\n")
    with pytest.raises(InputError, match=f"line 2.*{why}"):
        read_texts([str(path)])


def test_bytes_that_are_not_utf8_are_named_with_their_place(tmp_path):
    (tmp_path / "a.txt").write_bytes("né en".encode("latin1"))
    with pytest.raises(InputError, match="not UTF-8 .byte 0xe9 at offset 1.: convert"):
        read_texts([str(tmp_path / "a.txt")])


@pytest.mark.parametrize("name", ["missing.txt", "missing/also.txt"])
def test_what_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(InputError, match="cannot read"):
        read_texts([str(tmp_path / name)])


def test_output_replaces_a_file_only_when_all_went_well(tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), sink(path) as stream:
        stream.write("half")
        raise ZeroDivisionError
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    assert path.read_text() == "old"
    with sink(path) as stream:
        stream.write("né")
    assert path.read_bytes() == "né".encode()


def test_output_into_a_missing_folder_is_the_users_error(tmp_path):
    with pytest.raises(InputError, match="cannot write"), sink(tmp_path / "no" / "out"):
        pass


def test_data_cannot_steer_the_terminal():
    assert clean("a\x1b[31mb\x9bc\u202ed\te\nf") == "a\ufffd[31mb\ufffdc\ufffdd\te\nf"
    out = io.StringIO()
    console(out).print(plain("[red]not markup[/red] :smile: https://a.example/\x1b]0;x"))
    assert out.getvalue() == "[red]not markup[/red] :smile: https://a.example/\ufffd]0;x\n"


REPORT = {
    "schema": "kgstore.report/1",
    "id": None,
    "text": "Ada was born in [red]Paris. She wrote a poem.",
    "label": "contradictory",
    "claims": [
        {
            "start": 0, "end": 26, "text": "Ada was born in [red]Paris", "label": "contradictory", "confidence": 0.97,
            "method": "rule:single-value",
            "triple": ["Ada", "was born in", "Paris"],
            "evidence": [
                {
                    "role": "contradicts", "labels": ["Ada", "place of birth", "London"], "rank": "preferred",
                    "qualifiers": [{"property": "P1480", "label": "circumstances", "object": "Q1", "value": "near"}],
                }
            ],
            "paths": [], "explanation": "The KG says London.", "correction": {"start": 16, "end": 26, "text": "London"},
            "why_not": None,
        },
        {
            "start": 28, "end": 44, "text": "She wrote a poem", "label": "extrapolatory", "confidence": 0.5,
            "method": "rule:silent", "triple": ["She", "wrote", "a poem"],
            "evidence": [], "paths": [], "explanation": "The KG is silent.", "correction": None,
            "why_not": "entity not found",
        },
    ],
}  # fmt: skip


def printed(report: dict, verbose: bool = True, **options: object) -> str:
    out = io.StringIO()
    console = Console(file=out, highlight=False, markup=False, width=200, **options)  # type: ignore[arg-type]
    print_report(report, console, verbose=verbose)
    return out.getvalue()


def test_a_report_reads_well_without_colour():
    text = printed(REPORT)
    for part in (
        REPORT["text"], "✗ contradictory 0.97  Ada was born in [red]Paris", "The KG says London.",
        "contradicted by  Ada · place of birth · London  (preferred; circumstances: near)",
        "correction  [red]Paris → London",
        "? extrapolatory 0.50  She wrote a poem", "not checked: entity not found",
        "rule:single-value, characters 0 to 26", "2 claims: 1 extrapolatory, 1 contradictory",
    ):  # fmt: skip
        assert part in text
    assert "\x1b" not in text


def test_the_error_is_underlined_and_details_wait_until_they_are_asked_for():
    text = printed(REPORT, verbose=False)
    assert "  Ada was born in [red]Paris. She wrote a poem.\n                  ^^^^^^^^^^ London\n" in text
    assert "The KG says London." in text and "correction  [red]Paris → London" in text
    assert "contradicted by" not in text and "characters 0 to 26" not in text and "not checked" not in text


def test_colours_mark_the_claims_in_the_text():
    assert "\x1b[31mAda was born in [red]Paris\x1b[0m. \x1b[33mShe wrote a poem" in printed(REPORT, force_terminal=True)


def test_no_color_turns_colours_off(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in printed(REPORT, force_terminal=True)


def test_where_claims_overlap_the_worse_one_colours_the_text():
    claims = [{**REPORT["claims"][0], "start": 0, "end": 3}, {**REPORT["claims"][1], "start": 0, "end": 5}]
    spans = marked({**REPORT, "claims": claims}).spans
    assert [span.style for span in spans if span.start == 0][-1] == LOOK["contradictory"][1]


def test_claims_made_by_the_same_words_are_told_apart():
    claims = [REPORT["claims"][0], {**REPORT["claims"][0], "triple": ["Ada", "was born on", "5 May"]}]
    text = printed({**REPORT, "claims": claims})
    assert "read as  Ada · was born in · Paris" in text and "read as  Ada · was born on · 5 May" in text
    assert "read as" not in printed(REPORT)


def test_a_text_without_claims_says_so():
    assert summary({**REPORT, "claims": []}).plain == "no claims found"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, capsys):
    with pytest.raises(SystemExit) as end:
        main(["completion", shell], prog_name="kgstore")
    assert end.value.code == 0
    assert "_KGSTORE_COMPLETE" in capsys.readouterr().out


def test_json_of_a_report_round_trips(capsys):
    from kgstore.cli.render import echo_json

    echo_json(REPORT, indent=False)
    assert json.loads(capsys.readouterr().out) == REPORT
