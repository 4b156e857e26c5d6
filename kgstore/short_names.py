"""Other forms of a label by which texts call a thing, worked out when a catalog is built.

They are weaker than what the graph states, and each says how it must stand in a text: "the Sava" behind its article,
"Arlington, Texas" as "Arlington" where Texas is named as well.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from kgstore.catalog_entries import fold
from kgstore.lines import FIELD

FORM = "\x1e"
BARE, DERIVED = "bare", "derived"
"""Kinds of `kgstore.catalog.NameHit`: a label without its closing brackets, and any other form."""
_BRACKETS = re.compile(r"(?=[^()]*[^\W\d_])([^()]*\w) \((?=[^()]*(?:[^\W\d_]{2}|\d{4}))[^()]+\)")
_COMMA = re.compile(r"([A-ZÀ-Þ][\w.'’-]+(?: [A-ZÀ-Þ][\w.'’-]+){0,2}), (?:[^,()]+, )?[A-ZÀ-Þ][^,()]{2,}")
_ARTICLE = re.compile(r"The (\S.*)")
_THE = re.compile(r"([^\W\d_]\S+) (?:River|Ocean|Sea|Desert|Mountains)|River ([^\W\d_]\S+)")
_RIVER = re.compile(r"(?P<name>\S+(?: \S+)?) River|River (?P<other>\S+)")
_MOUNT = re.compile(r"Mount ([^\W\d_]\S{2,})")
_SORT = re.compile(r"([A-ZÀ-Þ]\S+(?: [A-ZÀ-Þ]\S+)*) (?:language|people|architecture|Party)")
_OF_PLACE = re.compile(r"([A-ZÀ-Þ][\w.'’-]+(?: [A-ZÀ-Þ][\w.'’-]+)+) (?:of|in) (?:the )?([A-ZÀ-Þ][^,()]{2,})")
_INITIALS = re.compile(r"\b(?:[A-Z]\. ?){2,}(?=\s*[A-Z]|$)")
_JOINED = re.compile(r"^([A-Z]{2,3})(?= [A-Z][a-z])")
_ADJECTIVES = frozenset(
    "north south east west northern southern eastern western central upper lower inner outer great big little new old "
    "white black red yellow green blue brown grey orange golden dead high rocky arctic open deep".split()
)
"""The Dead Sea is not "the Dead"."""
FORMED = (
    r"\(|, |&|^[A-Z]\S+( [A-Z]\S+)+ (of|in) | (language|people|architecture|Party)$| and [A-Z]|^The "
    r"|[A-Z]\.|^[A-Z]{2,3} |\b(River|Ocean|Sea|Desert|Mountains)$|^(River|Mount) "
)
"""SQL's first look at a label: others have no further forms, unless they are listed in the table."""


@cache
def listed() -> dict[str, tuple[str, ...]]:
    """Usual short forms by label ("United States": "US", "USA"), most of them of countries."""
    text = (Path(__file__).parent / "short_names.toml").read_text(encoding="utf-8")
    return {label: tuple(forms) for label, forms in tomllib.loads(text).items()}


def forms(label: str) -> list[tuple[str, str, str]]:
    """The forms of a label: each as it is looked up, as it must stand in the text, and its kind.

    >>> forms("Alien (film)"), forms("J. R. R. Tolkien")
    ([('Alien', 'Alien', 'bare')], [('JRR Tolkien', 'JRR Tolkien', 'derived')])
    >>> forms("Arlington, Texas"), forms("The Beatles")
    ([('Arlington', 'Arlington, Texas', 'derived')], [('Beatles', 'The Beatles', 'derived')])
    >>> [look for look, *_ in forms("Green Party (Norway)")], forms("Supreme Court of India")
    (['Green Party', 'Green'], [('Supreme Court', 'Supreme Court, India', 'derived')])
    >>> [look for look, *_ in forms("Sava River")], forms("Douglas Adams"), forms("Dead Sea")
    (['Sava', 'River Sava'], [], [])
    """
    if bare := _BRACKETS.fullmatch(label):
        sort = _SORT.fullmatch(bare[1])
        return [(bare[1], bare[1], BARE), *([(sort[1], sort[1], DERIVED)] if sort else ())]
    found = [(one, one) for one in listed().get(label, ())]
    if part := _COMMA.fullmatch(label):
        found.append((part[1], label))
    if sort := _SORT.fullmatch(label):
        found.append((sort[1], sort[1]))
    if held := _OF_PLACE.fullmatch(label):
        found.append((held[1], f"{held[1]}, {held[2]}"))
    if article := _ARTICLE.fullmatch(label):
        found.append((article[1], label))
    if (the := _THE.fullmatch(label)) and (name := the[1] or the[2]).lower() not in _ADJECTIVES:
        found.append((name, f"the {name}"))
    if river := _RIVER.fullmatch(label):
        turned = f"River {river['name']}" if river["name"] else f"{river['other']} River"
        found.append((turned, turned))
    if mount := _MOUNT.fullmatch(label):
        found += [(one, one) for one in (mount[1], f"Mt. {mount[1]}")]
    together = _INITIALS.sub(lambda match: re.sub(r"[. ]", "", match[0]) + " ", label).strip()
    apart = _JOINED.sub(lambda match: ".".join(match[1]) + ".", label)
    joined = label.replace(" & ", " and ") if " & " in label else re.sub(r" and (?=[A-Z])", " & ", label)
    found += [(one, one) for one in (together, apart, joined) if one != label]
    return [(look, written, DERIVED) for look, written in dict.fromkeys(found)]


def packed(label: str) -> str:
    """The forms of a label as one text for DuckDB, each folded."""
    return FORM.join(FIELD.join((fold(look), written, kind)) for look, written, kind in forms(label))
