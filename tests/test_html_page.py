"""`kgstore verify --format html` and `kgstore page`: one file that is whole, safe, and says what the report says."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.cli.html.page import HERE, page
from kgstore.cli.html.view import pieces
from kgstore.cli.html.words import LONGEST, visible
from tests.html_pages import claim, dom, entity, of_class, report, said, shown, statement, text_of, words
from tests.test_cli import refused, run

SAMPLE = Path(__file__).parent.parent / "data" / "sample.txt"
LABELS = ("attributable", "extrapolatory", "contradictory")


@pytest.fixture(scope="module")
def sample(small_kg):
    """The page about data/sample.txt, and the report it shows."""
    result = run("verify", SAMPLE, "--kg", small_kg, "--format", "jsonl")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return shown(found), found


# -- one file that is whole and safe -----------------------------------------------------------------------------------

ELEMENTS = set(
    "html head meta title style body a header p h1 h2 h3 h4 strong bdi br span code div fieldset legend input label "
    "button main nav table thead tbody tfoot tr th td abbr section ul ol li dl dt dd mark details summary article q "
    "blockquote del ins footer script".split()
) | {f"{{http://www.w3.org/2000/svg}}{name}" for name in ("svg", "g", "rect", "line", "polygon", "text", "title")}
POINTS_TO = ("href", "aria-labelledby", "for")


def check_page(root):
    """Nothing is loaded, nothing leads out, nothing runs that is not ours, and every reference has its target."""
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    for one in root.iter():
        assert one.tag in ELEMENTS, one.tag
        for name, value in one.items():
            assert not name.startswith("on") and name not in ("style", "src", "srcset", "action", "formaction"), name
            if name in POINTS_TO:
                assert value.removeprefix("#") in ids, value
            if name == "href":
                assert re.fullmatch(r"#[\w-]+", value)
    [policy] = [one.get("content") for one in root.iter("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        [only] = root.iter(tag)
        digest = base64.b64encode(hashlib.sha256(words(only).encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_page_of_a_real_report_is_whole(sample):
    check_page(sample[0])


def test_the_text_is_there_unchanged(sample):
    assert text_of(sample[0]) == SAMPLE.read_text(encoding="utf-8")


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "</script><script>alert(1)</script>", "</style>", "<!--", "]]>", "\"'><img src=x onerror=alert(1)>", "&lt;",
            "javascript:alert(1)", "{{ 7 * 7 }}", "{% raw %}", "\u202egnp.exe\u202c", "\u2066x", "\x00\x1b[31m",
            "\r\n", "\ufdd0\uffff", "\U0001fffe", "\ud800",
            "مرحبا", "日本", "W" * 300, "<svg><style>", "</title>", "</text>", "http://x/",
        ]
    ),
)  # fmt: skip


@st.composite
def hostile_reports(draw):
    text = draw(st.lists(HOSTILE, max_size=4).map("".join))
    made = []
    for _ in range(draw(st.integers(0, 3))):
        start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        role = draw(st.sampled_from(["supports", "contradicts", "related"]))
        fact = statement(draw(HOSTILE), draw(HOSTILE), draw(HOSTILE), role)
        snak = {name: draw(HOSTILE) for name in ("property", "label", "object", "value")}
        fact |= {"statement": draw(HOSTILE), "qualifiers": [snak], "references": [[snak]]}
        edit = draw(st.sampled_from([None, {"start": start, "end": end, "text": draw(HOSTILE)}]))
        feature = {draw(HOSTILE): {"value": 0.5, "weights": [1.0, -1.0, 0.0]}}
        label, strings = draw(st.sampled_from(LABELS)), [draw(HOSTILE) for _ in range(3)]
        more = {"explanation": draw(HOSTILE), "why_not": draw(HOSTILE), "method": draw(HOSTILE)}
        made.append(
            claim(start, end, label, triple=strings, evidence=[fact], paths=[[fact]], correction=edit, features=feature)
            | more
        )
    linked = entity(draw(HOSTILE), draw(HOSTILE)) | {"description": draw(HOSTILE)}
    kg = {"name": draw(HOSTILE), "generation": draw(HOSTILE), "fingerprint": draw(HOSTILE)}
    return report(text, *made, id=draw(HOSTILE), kg=kg, entities=[linked], notices=[draw(HOSTILE)])


def test_a_line_end_that_a_claim_cuts_in_two_is_one():
    claims = [{"start": 0, "end": 2, "label": "attributable"}]
    assert [visible(one.text) for one in pieces("a\r\nb", claims)] == ["a\n", "b"]


@settings(max_examples=25, deadline=None)
@given(st.lists(hostile_reports(), min_size=1, max_size=2))
def test_nothing_in_a_report_becomes_markup(reports):
    html = page(reports)
    html.encode()
    root = dom(html)
    check_page(root)
    assert text_of(root) == visible(reports[0]["text"])


def test_what_turns_the_direction_of_text_is_shown_as_a_mark():
    root = shown(report("a\u202eb", claim(0, 3)))
    assert "\u202e" not in words(root) and text_of(root) == "a\ufffdb"


def test_a_label_of_five_megabytes_is_cut_and_says_so():
    fact = statement("Ada", "name", "x" * 5_000_000, "supports")
    html = page([report("Ada.", claim(0, 3, evidence=[fact], paths=[[fact]]))])
    assert len(html) < 100_000
    assert f"… ({5_000_000 - LONGEST:,} more characters)" in html


def test_the_text_itself_is_never_cut():
    text = "word " * 10_000
    assert text_of(shown(report(text, claim(5, 40_000)))) == text


# -- what it says ------------------------------------------------------------------------------------------------------


def test_each_claim_has_its_card_and_its_number_in_the_text(sample):
    root, found = sample
    cards = of_class(root, "claim")
    assert [one.find("blockquote").text for one in cards] == [one["text"] for one in found["claims"]]
    for number, (card, one) in enumerate(zip(cards, found["claims"], strict=True), 1):
        sign = dict(zip(LABELS, "✓?✗", strict=True))[one["label"]]
        [mark] = [a for a in root.iter("a") if a.get("id") == f"{card.get('id')}-mark"]
        assert words(mark) == f"{sign}{number}" and mark.get("href") == f"#{card.get('id')}"
        assert mark.get("aria-label") == f"claim {number}, {one['label']}"
        assert said(card).startswith(f"{sign} {one['label']} claim {number} confidence 0.9")
        marked = [piece for piece in root.iter("mark") if card.get("id") in piece.get("data-claims").split()]
        assert "".join(map(words, marked)) == one["text"]


def test_evidence_is_shown_with_ids_rank_qualifiers_and_references(sample):
    root, found = sample
    for card, one in zip(of_class(root, "claim"), found["claims"], strict=True):
        for fact in one["evidence"]:
            shown_here = said(card)
            ids = [fact["subject"], fact["predicate"], fact["object"], fact["statement"], f"{fact['rank']} rank"]
            snaks = fact["qualifiers"] + [snak for reference in fact["references"] for snak in reference]
            for part in (*ids, *(snak["value"] for snak in snaks), *(snak["property"] for snak in snaks)):
                assert part in shown_here
            assert " → ".join(fact["labels"]) in shown_here


def test_a_contradiction_has_contrast_correction_and_picture(sample):
    root, found = sample
    [card] = [one for one in of_class(root, "claim") if one.find("blockquote").text == "died in Paris"]
    assert "The text says “died in Paris”; the KG says that the place of death of Walt Disney is Los" in said(card)
    assert (words(next(card.iter("del"))), words(next(card.iter("ins")))) == ("Paris", "Los Angeles")
    [picture] = of_class(card, "graph")
    assert picture.get("aria-label") == "the KG says place of death: Los Angeles; the text says died in: Paris"
    assert said(of_class(root, "corrected")[0]).startswith("The text with 3 corrections")


def test_coverage_says_how_many_were_decided_and_why_not_the_others(sample):
    coverage = said(of_class(sample[0], "coverage")[0])
    assert coverage.startswith("Read 10 of 10 sentences. 11 of 13 claims could be decided. Why not the others:")
    assert "entity not found: 1?12" in coverage and "it leaves this open: 1?9" in coverage


def test_entities_are_listed_once_with_id_description_and_mentions(sample):
    [box] = [one for one in sample[0].iter("li") if said(one).startswith("Douglas Adams Q42")]
    assert "English" in said(box) and "“Douglas Adams”, “writer”, “He”" in said(box)


def test_the_features_add_up_to_what_the_probabilities_come_from():
    features = {"x": {"value": 0.5, "weights": [2.0, -1.0, 0.0]}, "y": {"value": 1.0, "weights": [1.0, 0.5, -3.0]}}
    [why] = of_class(shown(report("Ada.", claim(0, 3, features=features))), "features")
    assert said(why).endswith("sum+2.00+0.00-3.00")


def test_scores_come_with_what_they_mean():
    scores = {"tms": 0.82, "kernel": None, "nli": [0.9, 0.08, 0.02], "similarity": None, "novel": 0.5}
    root = shown(report("Ada.", claim(0, 3, scores=scores), scores={"kas": 0.8589, "fd": 0.7, "kernel": None}))
    whole, own = map(said, of_class(root, "scores"))
    assert "KAS0.85 Attribution of the whole text" in whole and "FD0.70 Factuality" in whole and "kernel" not in whole
    assert "TMS0.82 Triplets match" in own and "NLI0.90, 0.08, 0.02" in own and "novel0.50" in own


@pytest.mark.parametrize("text", ["", "Hello there!", "\n"])
def test_a_text_without_claims_says_that_this_means_nothing(text):
    root = shown(report(text))
    check_page(root)
    assert "No claims were found in this text" in said(root) and not of_class(root, "claim")


def test_several_texts_have_a_table_of_contents():
    reports = [report("Ada.", claim(0, 3, label), id=f"n{at}") for at, label in enumerate(LABELS * 2)]
    root = shown(*reports)
    check_page(root)
    regions = [one.get("aria-label") for one in root.iter() if one.tag == "section" or one.get("role") == "region"]
    assert len(regions) == len(set(regions)) == 12
    rows = [said(one) for one in root.iter("tr")][:8]
    assert rows[1:4] == ["n0100–", "n1010–", "n2001–"] and rows[-1] == "all222"


def test_texts_checked_against_different_graphs_each_name_theirs():
    other = {"name": "other", "generation": "000007", "fingerprint": None}
    root = shown(report("Ada."), report("Bob.", kg=other))
    assert ["generation 000007" in said(one) for one in of_class(root, "report")] == [False, True]
    assert "knowledge graph small" in said(of_class(root, "report")[0])


def test_evidence_from_a_document_is_a_quotation():
    fact = statement("doc.txt", "says", "Ada was born in Rome.", "supports") | {
        "predicate": "document:says", "statement": "document:5-26",
    }  # fmt: skip
    none = {"name": None, "generation": None, "fingerprint": None}
    root = shown(report("Ada.", claim(0, 3, method="document:nli", evidence=[fact]), kg=none))
    check_page(root)
    assert "What the document says about this text" in said(root) and "knowledge graph" not in said(root)
    [card] = of_class(root, "claim")
    assert "doc.txt: Ada was born in Rome. characters 5 to 26 of the document" in said(card)
    assert [words(one) for one in card.iter("q")] == ["Ada was born in Rome."] and " rank" not in said(card)


def test_nothing_to_check_is_a_page_too():
    root = shown()
    check_page(root)
    assert "There was no text to check." in said(root)


def test_fields_that_are_null_or_missing_are_left_out():
    fact = statement("Ada", "born", "London", "supports", rank=None, qualifiers=None, references=None)
    one = claim(0, 3, evidence=[fact], paths=None, scores=None, features=None, explanation=None)
    root = shown(report("Ada.", one, entities=None, timings_ms=None))
    check_page(root)
    assert "Ada → born → London" in said(root) and "None" not in said(root) and " rank" not in said(root)


# -- how it looks ------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance of ``#rrggbb``."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(theme):
    palette = dict(re.findall(r"--([\w-]+): (#\w{6});", (HERE / f"{theme}.css").read_text()))
    pairs = [(front, back) for front in ("ink", "quiet", "link", "good", "open", "bad") for back in ("page", "card")]
    pairs += [("ink", f"{label}-tint") for label in ("good", "open", "bad")] + [("card", "link")]
    pairs += [("good", "good-tint"), ("bad", "bad-tint")]
    for front, back in pairs:
        dark, light = sorted((luminance(palette[front]), luminance(palette[back])))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (front, back)


def test_the_style_names_only_what_the_page_has(sample):
    style, script = ((HERE / name).read_text() for name in ("page.css", "page.js"))
    ids = {one.get("id") for one in sample[0].iter()}
    asked = set(re.findall(r"#((?:show|theme)-\w+)", style + page([]))) | set(re.findall(r'ById\("([\w-]+)"', script))
    assert len(asked) > 6 and asked <= ids


# -- the commands ------------------------------------------------------------------------------------------------------


def test_verify_writes_the_page_and_page_writes_it_again(small_kg, tmp_path):
    (tmp_path / "batch.jsonl").write_text('{"id": "a", "text": "Douglas Adams was born in London."}\n{"text": ""}\n')
    batch, stored, once, again = (tmp_path / name for name in ("batch.jsonl", "r.json", "1.html", "2.html"))
    assert run("verify", batch, "--kg", small_kg, "--format", "html", "-o", once).exit_code == 0
    run("verify", batch, "--kg", small_kg, "--format", "json", "-o", stored)
    result = run("page", stored, "-o", again)
    assert result.exit_code == 0 and "2 reports written" in result.stderr
    times = re.compile(r"Checked in [\d.]+ s")
    assert times.sub("", once.read_text()) == times.sub("", again.read_text())
    lines = "\n".join(map(json.dumps, json.loads(stored.read_text())))
    assert run("page", "-", stdin=lines).stdout == again.read_text()


GOOD = report("Ada.", claim(0, 3))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("{", "line 1 is not JSON"),
        (json.dumps({**GOOD, "schema": "other/1"}), "schema is not “kgstore.report/1”"),
        (json.dumps([GOOD, {**GOOD, "text": 3}]), "report 2 is no report: text is not of type string"),
        (json.dumps({**GOOD, "claims": [{**GOOD["claims"][0], "label": "wrong"}]}), "label is none of attributable"),
        (json.dumps({**GOOD, "claims": [{**GOOD["claims"][0], "end": 9}]}), "claim 1 or its correction lies outside"),
        (json.dumps({**GOOD, "claims": [{**GOOD["claims"][0], "triple": []}]}), "triple has 0 parts"),
        (json.dumps({key: value for key, value in GOOD.items() if key != "kg"}), "has no “kg”"),
        ("[[]]", "not of type object"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(tmp_path, raw, why):
    (tmp_path / "r.json").write_text(raw)
    assert why in refused("page", tmp_path / "r.json")


def test_an_empty_batch_of_reports_is_no_error(tmp_path):
    result = run("page", "-", stdin="\n")
    assert "There was no text to check." in result.stdout and "0 reports written" in result.stderr


def test_a_missing_file_is_refused(tmp_path):
    assert "cannot read" in refused("page", tmp_path / "none.json")


def test_fields_of_later_versions_do_no_harm(tmp_path):
    (tmp_path / "r.json").write_text(json.dumps({**GOOD, "novel": [1], "scores": {**GOOD["scores"], "tms": 0.25}}))
    result = run("page", tmp_path / "r.json")
    assert result.exit_code == 0 and "0.25" in result.stdout
