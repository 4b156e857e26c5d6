"""Texts as numbers of pieces of words, as BERT without capitals reads them.

The same as the library tokenizers, which the tests compare it with, but for marks such as ``[SEP]`` inside a text: here
they are plain text. That library needs huggingface-hub, with its clients for downloads; 41 MB, and a base that nothing
can be downloaded with is easier to vouch for.
"""

from __future__ import annotations

import json
import string
import unicodedata
from pathlib import Path

_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_LONGEST = 100
"""Characters of a word; a longer one is unknown."""
_KEPT = 50_000
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class _Characters(dict[int, str]):
    """Code point -> what stands for it: small letters without accents, spaces around what is a word of its own."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _normal(chr(code))
        return found


def _normal(character: str) -> str:
    kind = unicodedata.category(character)
    if character in "\t\n\r" or (kind[0] == "Z" and character.isspace()):
        return " "
    if character == "\N{REPLACEMENT CHARACTER}" or kind in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if any(first <= ord(character) <= last for first, last in _IDEOGRAPHS):
        character = unicodedata.normalize("NFD", character)
        return f" {character} "
    plain = (one for one in unicodedata.normalize("NFD", character) if unicodedata.category(one) != "Mn")
    return "".join(f" {one} " if _punctuation(one) else one for one in "".join(plain).lower())


def _punctuation(one: str) -> bool:
    return one in string.punctuation or unicodedata.category(one)[0] == "P"


class WordPiece:
    """The pieces of a folder's ``tokenizer.json``.

    :raises ValueError: if it cuts texts in another way
    """

    def __init__(self, path: Path) -> None:
        settings = json.loads(path.read_text(encoding="utf-8"))
        model, normal = settings["model"], settings["normalizer"]
        kinds = (model["type"], normal["type"], normal["lowercase"], normal["strip_accents"])
        if kinds != ("WordPiece", "BertNormalizer", True, None):
            raise ValueError(f"{kinds} are no pieces of words without capitals")
        self._numbers: dict[str, int] = model["vocab"]
        self._prefix: str = model["continuing_subword_prefix"]
        self._characters = _Characters()
        self._known: dict[str, tuple[int, ...]] = {}
        self.begin, self.end = self._numbers[_BEGIN], self._numbers[_END]

    def __call__(self, text: str) -> list[int]:
        """The pieces' numbers, without any marks around them."""
        if len(self._known) > _KEPT:
            self._known = {}
        numbers: list[int] = []
        for word in text.translate(self._characters).split():
            found = self._known.get(word)
            if found is None:
                found = self._known[word] = self._pieces(word)
            numbers += found
        return numbers

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest piece that the word begins with, then of the rest, and so on."""
        found, at = [], 0
        while at < len(word) <= _LONGEST:
            prefix = self._prefix if at else ""
            for end in range(len(word), at, -1):
                number = self._numbers.get(prefix + word[at:end])
                if number is not None:
                    break
            else:
                return (self._numbers[_UNKNOWN],)
            found.append(number)
            at = end
        return tuple(found) or (self._numbers[_UNKNOWN],)
