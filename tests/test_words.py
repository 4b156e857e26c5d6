"""The word lists of English: read from one file, each of them asked for somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from kgstore.verifier.english.words import entry, words

ROOT = Path(__file__).parent.parent / "verifier"
LISTS = tomllib.loads((ROOT / "english" / "words.toml").read_text("utf-8"))
NAMES = [f"{table}.{name}" for table, lists in LISTS.items() for name in lists]


def test_a_list_is_a_set_of_words_or_of_phrases():
    assert words("negation.adverbs") == {"not", "never", "neither", "nor"}
    assert "was made up of" in words("verbs.made_of")
    assert entry("pronouns.personal")["hers"] == "female"


def test_a_list_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        words("negation.nothing")


def test_no_list_is_idle_and_none_is_missing():
    code = "\n".join(path.read_text("utf-8") for path in ROOT.rglob("*.py"))
    asked = set(re.findall(r"""(?:words|entry|either|listed|_scales)\(["']([a-z_.]+)["']\)""", code))
    assert asked - {"negation.nothing"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_no_word_stands_twice_in_a_list(name):
    found = entry(name)
    listed = found.split() if isinstance(found, str) else [str(one) for one in found]
    assert listed and len(listed) == len(set(listed))
