"""Our pieces of words are those of the library tokenizers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.bert import FOLDER
from kgstore.wordpiece import WordPiece

PATH = FOLDER / "tokenizer.json"
OURS = WordPiece(PATH)


@pytest.fixture(scope="module")
def theirs():
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(PATH))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [one.ids for one in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def test_every_character_of_the_great_scripts_is_read_alike(theirs):
    """Others than these differ only where Unicode has got a mark since version 8, which tokenizers stopped at."""
    blocks = ((0, 0x600), (0x1E00, 0x2E40), (0x3000, 0xA000), (0xAC00, 0xD800), (0xF900, 0x10000), (0x1F000, 0x20000))
    texts = [f"a{chr(code)}b" for first, end in blocks for code in range(first, end)]
    assert [text for text, right in zip(texts, theirs(texts), strict=True) if OURS(text) != right] == []


def test_words_of_a_labelled_set_are_cut_alike(theirs):
    with open("data/labelled.jsonl", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    texts += ["x" * 100, "x" * 101, "unaffordableness"]
    texts += ["İstanbul ΣΊΣΥΦΟΣ ﬁ Ǆ", "don't stop--now...", "\x00\x0b\u200b a"]
    assert list(map(OURS, texts)) == theirs(texts)


@given(st.text(st.characters(codec="utf-8", max_codepoint=0x24F), max_size=60))
def test_any_latin_text_is_cut_alike(theirs, text):
    if not any(mark in text for mark in ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")):
        assert OURS(text) == theirs([text])[0]


def test_a_mark_inside_a_text_is_plain_text():
    assert OURS.end not in OURS("a [SEP] b")


def test_a_table_of_another_kind_is_refused(tmp_path):
    settings = json.loads(PATH.read_text(encoding="utf-8"))
    settings["normalizer"]["lowercase"] = False
    (tmp_path / "tokenizer.json").write_text(json.dumps(settings))
    with pytest.raises(ValueError, match="no pieces of words"):
        WordPiece(tmp_path / "tokenizer.json")
