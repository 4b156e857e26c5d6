"""In which language a text is written: by its script, or by the small words that every sentence needs.

Statistics of letters (py3langid, lingua and fastText's lid.176 were tried) take English sentences full of foreign names
for foreign ones. Small words do not, since names hardly have any: only words in lower case count, and the first of a
sentence, and none of those that join the parts of a name.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ENGLISH = "en"
UNKNOWN = "und"
"""Too little is said to tell; such a text is read as English."""

SAMPLE = 20_000
"""Characters of a text that are looked at."""
LEAST = 2
"""Different words of another language that make a text one of it."""
TIMES = 4
"""How often its words have to come for each English one: an English text may quote."""

_LETTER = re.compile(r"[^\W\d_]")
_FAR = re.compile(r"[^\W\d_\u0000-\u036f\u1e00-\u1eff]")
"""A letter that is not Latin."""
_WORD = re.compile(r"[^\W\d_]+")
_BEGINS = re.compile(r"(?:^|(?<=[.!?:]\s))[^\W\d_]+(?=,? (?!\d)\w)", re.MULTILINE)
_JOINED = re.compile(
    r"\b([^\W\d_]+)\s+(?:(?:de|da|do|dos|das|di|du|des|del|della|delle|dei|der|den|von|van|zu|zum|la|le|les|los|las|el|al"
    r"|y|e|i|et|und|en)\s+)+(?=[^\W\d_])"
)
"""What joins the parts of a name: "Rio de Janeiro", "Mies van der Rohe"."""


@dataclass(frozen=True, slots=True)
class _Languages:
    """:param of: word -> the languages that have it; ``by_script``: script -> languages; ``names``: in English"""

    of: dict[str, frozenset[str]]
    by_script: dict[str, tuple[str, ...]]
    names: dict[str, str]


def language(text: str) -> str:
    """The code (ISO 639) of a text's language, `UNKNOWN` where too little is said to tell.

    >>> language("Berlin ist die Hauptstadt von Deutschland."), language("Москва — столица России.")
    ('de', 'ru')
    >>> language("Duele Menos (English: Hurts Less) is a Latin pop song written by Kany García")
    'en'
    >>> language("Rio de Janeiro, São Paulo")
    'und'
    """
    text = text[:SAMPLE]
    if in_other_script(text):
        return _of_script(text)
    known, words = _languages(), _small_words(text)
    english, own, shared, kinds = 0, Counter[str](), Counter[str](), Counter[str]()
    for word, number in words.items():
        codes = known.of.get(word, frozenset())
        common = ENGLISH in codes  # speaks for neither language that has it
        english += number * common
        for code in codes - {ENGLISH}:
            (shared if common else own)[code] += number
            kinds[code] += not common and (len(word) > 1 or not word.isascii())  # else it may be an initial
    likely = [code for code in known.names if kinds[code] >= LEAST and own[code] > TIMES * (english - shared[code])]
    if likely:
        return max(likely, key=lambda code: own[code] + shared[code])
    return ENGLISH if english else UNKNOWN


def in_other_script(text: str) -> bool:
    """Are most of its letters not Latin?"""
    far = len(_FAR.findall(text))
    return bool(far) and 2 * far > len(_LETTER.findall(text))


def is_other(code: str) -> bool:
    """Is it the code of a language that is not read?"""
    return code not in (ENGLISH, UNKNOWN)


def name_of(code: str) -> str:
    """The name of a language in English; of one that `language` does not know, its code.

    >>> name_of("de")
    'German'
    """
    return _languages().names.get(code, code)


def _small_words(text: str) -> Counter[str]:
    """Words in lower case, with the first of a sentence where the second is."""
    text = _JOINED.sub(lambda found: f"{found[1]} " if _is_name(found) else found[0], text)
    text = _BEGINS.sub(lambda found: found[0].lower() if _goes_on(found) else found[0], text)
    return Counter(word for word in _WORD.findall(text) if word[0].islower())


def _is_name(found: re.Match[str]) -> bool:
    return found[1][0].isupper() and found.string[found.end()].isupper()


def _goes_on(found: re.Match[str]) -> bool:
    return found.string[found.end() :].lstrip(", ")[:1].islower()


def _of_script(text: str) -> str:
    known = _languages()
    scripts = Counter(unicodedata.name(letter, "").split(" ")[0] for letter in _FAR.findall(text))
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        return "ja"  # which has Chinese letters, too
    script = max((one for one in scripts if one in known.by_script), key=lambda one: scripts[one], default="")
    words = Counter(_WORD.findall(text.lower()))
    said = {
        code: sum(number for word, number in words.items() if code in known.of.get(word, ()))
        for code in known.by_script.get(script, ())
    }
    return max(said, key=lambda code: said[code], default=UNKNOWN)


@cache
def _languages() -> _Languages:
    table = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
    of: dict[str, set[str]] = {}
    by_script: dict[str, list[str]] = {}
    for code, entry in table.items():
        for word in entry.get("words", "").split():
            of.setdefault(word, set()).add(code)
        for script in entry.get("script", "").split():
            by_script.setdefault(script, []).append(code)
    return _Languages(
        {word: frozenset(codes) for word, codes in of.items()},
        {script: tuple(codes) for script, codes in by_script.items()},
        {code: entry["name"] for code, entry in table.items()},
    )
