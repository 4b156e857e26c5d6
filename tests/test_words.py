"""The word lists of English: read from one file, each of them asked for somewhere."""

from __future__ import annotations

import ast
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
    asked = set(re.findall(r"""(?:words|entry|either|ordered|listed|_scales)\(["']([a-z_.]+)["']\)""", code))
    assert asked - {"negation.nothing"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_no_word_stands_twice_in_a_list(name):
    found = entry(name)
    listed = found.split() if isinstance(found, str) else [str(one) for one in found]
    assert listed and len(listed) == len(set(listed))


ROOMS = ("decide", "document", "english", "judges", "kg", "link", "llm", "read", "reader", "report", "values")
ALTERNATIVES = re.compile(r"[A-Za-z]{2,}(?:\|[A-Za-z]{2,}){3,}")
LABELS = set(
    "acl acomp advcl advmod amod appos attr aux auxpass case cc ccomp compound conj csubj dative dep det dobj intj "
    "mark neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj predet prep prt punct "
    "quantmod relcl xcomp".split()
)
"""What the parser calls the parts of a sentence; no words of English."""
LEFT = {
    "document/deciding.py": 1,  # 1st, 2nd
    "document/sentence_claims.py": 1,  # "do you know that"
    "english/language.py": 1,  # "Rio de Janeiro": many languages
    "english/words.py": 1,  # an example
    "judges/hypothesis.py": 1,
    "judges/labels.py": 1,  # what models call their answers
    "kg/label_units.py": 1,  # kg, km
    "kg/world.py": 1,  # a property's own name
    "link/capitals.py": 2,
    "link/forms.py": 1,
    "link/said.py": 3,
    "link/sorts.py": 1,
    "llm/faithful.py": 2,
    "llm/reply.py": 2,
    "read/lifespans.py": 2,
    "read/markup.py": 2,  # Question, Answer; HTML
    "read/relative.py": 2,  # is -> are: one stands for the other
    "reader/walks.py": 2,  # who, whom, whose
    "report/correct.py": 3,  # a or an, by sound
    "values/amounts.py": 5,  # USD, k, hundred, and dimensions
    "values/dates.py": 4,  # 1st, joined dates
    "values/formatting.py": 3,
    "values/units.py": 1,  # endings of plurals
}
"""Lists of words in code: patterns whose parts depend on each other, where a name in place of them would say less."""


def lists_in(path: Path) -> int:
    """How often four words or more stand side by side in a file: alternatives of a pattern, a collection, a split."""
    found = 0
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += ALTERNATIVES.search(node.value) is not None
        elif isinstance(node, ast.Tuple | ast.Set | ast.List) and len(node.elts) > 3:
            listed = [one.value if isinstance(one, ast.Constant) else None for one in node.elts]
            words = [one for one in listed if isinstance(one, str) and re.fullmatch("[a-z']+", one)]
            found += len(words) == len(listed) and not set(words) <= LABELS
        elif isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant):
            found += len(re.findall(r"\b[a-z']+(?= |$)", str(node.value.value))) > 5
    return found


def test_lists_of_words_stand_in_the_file_of_words():
    paths = {path.relative_to(ROOT).as_posix(): path for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    counts = {name: lists_in(path) for name, path in sorted(paths.items())}
    assert {name: n for name, n in counts.items() if n} == LEFT
