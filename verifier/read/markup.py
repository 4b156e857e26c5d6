"""Markdown and a little HTML, as language models write it, taken for what it shows: every offset stays, marks become
blanks.

"2. **Birth**: He was born in **Graz**.[1]" is read as "Birth. He was born in Graz.", and "a sister who, by the way, was
born in Graz" as "a sister who was born in Graz".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from kgstore.verifier.english.words import either, words

_FENCE = re.compile(r"^[ \t]*+(?:```|~~~).*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*+(?:[*_=-][ \t]*){3,}$", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]*+#{1,6}[ \t][^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*+#{1,6}(?=[ \t])|^[ \t]*+(?:>[ \t]?)+", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*+[-*+•–](?=[ \t])", re.MULTILINE)
_NUMBER = re.compile(r"^[ \t]*+\(?\d{1,2}[.)](?=[ \t]+\S)", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\(\S{0,500}?\)")
_SOURCE = re.compile(r"[ \t]?\((?:\[[^\[\]\n]{1,300}\]\(\S{0,500}?\)[,; ]*){1,9}\)")
_NOTE = re.compile(r"(?<=[\w.,;:!?)”\"*_\]])[ \t]?\[\^?[1-9]\d{0,2}(?:[ \t]?[,–-][ \t]?\d{1,3})*\]")
_MARKED = re.compile(r"(?<![\w*_`~])(\*{1,3}|_{1,3}|`{1,2}|~~)(?=[^\s*_`~])([^\n]{1,200}?)(?<=[^\s*_`~])\1(?![\w*_`~])")
_STRAY = re.compile(r"\*+(?=\w)|(?<=[\w:.,)])\*+|__|`+")
_NESTED = 3
"""Marks in marks that are looked into."""
_BREAK = re.compile(r"<(?=(?:br|/?p|/?li|/?[uo]l|/?div|/?tr|/?h[1-6])\s*/?>)[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|sup|sub|td|th|code)>", re.IGNORECASE)
_SPEAKER = re.compile(r"^[ \t]*+(?:Q|A|Question|Answer|User|Assistant)[ \t]*:(?=[ \t])", re.MULTILINE)
_APART = r"(?::|(?<=[ \t])[–—-])"
_BEGINS = either("lines.begins")
_TELLS = either("lines.tells")
_LABELLED = re.compile(
    rf"^[ \t]*+([^\s:|][^:\n|]{{1,60}}?{_APART})[ \t]++"
    rf"(?:{_BEGINS}\b|(?:[A-Z][\w'’.-]*[ \t]+){{1,4}}(?={_TELLS}\b))(?=[^\n]*\b{_TELLS}\b)[^\n]*[.!?][ \t]*+$",
    re.MULTILINE,
)
"""A label before a whole sentence."""
_DEFINED = re.compile(
    rf"^([ \t]*+[A-Z][^:\n|]{{1,60}}?){_APART}[ \t]++(The|A|An)\b(?![^\n]*\b{_TELLS}\b[^\n]*\.[ \t]*$)", re.MULTILINE
)
"""A label before what it is, without a verb."""
_WRAPPED = re.compile(
    r"^(?=[^\n|]{60,}$)([^\n]*[\w,;)”\"'’-])\n(?![^\n:|.]{2,40}:\s)(?=[\w(“\"'‘][^\n|]*$)", re.MULTILINE
)
"""The end of a long line in the middle of a sentence, as mails and terminals have it; not before a key."""
_SECTIONS = words("lines.sections")
_REMARK = re.compile(
    rf"\b{either('pronouns.describing')}\b(, (?!an? |the )(?:[a-z'’-]+|I)(?: (?:[a-z'’-]+|I)){{0,8}},)(?= [a-z])"
)
"""What stands between a relative pronoun and the rest of its clause, and names nothing."""


def plain(text: str, titles: bool = True) -> str:
    """The text without Markdown's marks, list numbers and notes, as long as before.

    :param titles: keep headings and labels, which may tell whom a part is about

    >>> plain("- **Birth**: He was born in *Graz*.[1]").split()
    ['Birth', '.', 'He', 'was', 'born', 'in', 'Graz', '.']
    >>> plain("He moved [1, 2] to Graz[3][4].").split()
    ['He', 'moved', 'to', 'Graz', '.']
    >>> plain("See [the *Spree*](https://x.org) and 2 * 3 * 4").split()
    ['See', 'the', 'Spree', 'and', '2', '*', '3', '*', '4']
    >>> plain("<b>Ann Smith</b><br>Born: 1931").split("\\n")
    ['   Ann Smith    ', '   Born: 1931']
    >>> plain("The film that everybody in the town had been waiting for was by Ann\\nSmith.")[-10:]
    'Ann Smith.'
    """
    marked = text
    text = text if titles else _TITLE.sub(_blank, text)
    text = _BREAK.sub(lambda found: "\n".ljust(len(found[0])), text)
    for pattern in (_TAG, _FENCE, _RULE, _HEADING, _BULLET):
        text = pattern.sub(_blank, text)
    if len(_NUMBER.findall(text)) > 1:  # one alone may be a name: "1. FC Union"
        text = _NUMBER.sub(_blank, text)
    text = _NOTE.sub(_blank, _LINK.sub(_inside, _SOURCE.sub(_blank, text)))
    for _ in range(_NESTED):
        text = _MARKED.sub(_inside_marks, text)
    text = _SPEAKER.sub(_blank, text)
    for pattern, shown in ((_LABELLED, _ended if titles else _unlabelled), (_DEFINED, _joined)):
        text = pattern.sub(partial(_labelled, marked, shown), text)
    return _REMARK.sub(_outside, _WRAPPED.sub(r"\1 ", text))


def unmarked(words: str) -> str:
    """A part of a text to be shown in one line, without the marks of which it has one end only.

    >>> unmarked("Birthday:** she came into the *world")
    'Birthday: she came into the world'
    """
    return " ".join(_STRAY.sub("", words).split())


def is_section(title: str) -> bool:
    """Does a title tell what a part is about, and not whom?

    >>> is_section("Early Life"), is_section("Early Adams")
    (True, False)
    """
    return title.lower().split()[-1] in _SECTIONS


def _labelled(marked: str, shown: Callable[[re.Match[str]], str], found: re.Match[str]) -> str:
    """Only where the label is marked: in plain text a colon may stand behind whatever."""
    label = slice(found.start(), found.end(1))
    return found[0] if marked[label] == found.string[label] else shown(found)


def _joined(found: re.Match[str]) -> str:
    """ "Berlin: The capital of Germany" as an apposition."""
    label, article, end = (at - found.start() for at in (found.end(1), *found.span(2)))
    return f"{found[0][:label]},{found[0][label + 1 : article]}{found[2].lower()}{found[0][end:]}"


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _ended(found: re.Match[str]) -> str:
    """The label as a sentence of its own: it may name what is spoken of."""
    end = found.end(1) - found.start()
    return found[0][: end - 1] + "." + found[0][end:]


def _unlabelled(found: re.Match[str]) -> str:
    end = found.end(1) - found.start()
    return " " * end + found[0][end:]


def _inside(found: re.Match[str]) -> str:
    start, end = (at - found.start() for at in found.span(1))
    return " " * start + found[1] + " " * (len(found[0]) - end)


def _outside(found: re.Match[str]) -> str:
    at = found.start(1) - found.start()
    return found[0][:at] + " " * len(found[1])


def _inside_marks(found: re.Match[str]) -> str:
    around = " " * len(found[1])
    return around + found[2] + around
