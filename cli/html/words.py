"""Strings from a text or a KG as a page may show them: no control characters, and nothing endless.

What is escaped is decided elsewhere: jinja2 escapes every value that the template prints.
"""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

LONGEST = 1_000
"""Characters of one value; of a longer one the rest is counted."""

_LAST = "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
_UNFIT = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef{_LAST}]")
"""What HTML forbids or a file cannot hold (controls, half characters), and marks that turn the direction of text."""


def visible(text: str) -> str:
    r"""One character for each, but for line ends, which become ``\n``.

    >>> visible("a\x00b\r\nc\u202ed\U0001fffe")
    'a\ufffdb\nc\ufffdd\ufffd'
    """
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def whole(text: str) -> Markup:
    """Text that is never cut."""
    return escape(visible(text))


def shown(value: Any) -> Any:
    """A value as the template prints it, before it is escaped; a long one is cut and says so."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    rest = len(value) - LONGEST
    return visible(value) if rest <= 0 else f"{visible(value[:LONGEST])}… ({rest:,} more characters)"

