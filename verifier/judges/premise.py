"""What of a premise a judge reads, when it cannot read all of it. Training and judging both go through here."""

from __future__ import annotations

from collections.abc import Callable

_BLANK = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~–—“”‘’", " "))
_BAR = " | "


def fitted(premise: str, hypothesis: str, count_tokens: Callable[[str], int], budget: int) -> str:
    """The premise as sentences; if that is too long, the lines most like the hypothesis, in the order they had.

    >>> premise = "Ada | born | 1815\\nAda | field | mathematics\\nAda | father | Lord Byron"
    >>> fitted(premise, "Lord Byron was Ada's father.", lambda text: len(text.split()), 5)
    'Ada, father: Lord Byron.'

    A long text of one line is taken sentence by sentence. Of a table, the caption and the first row stay.

    :param count_tokens: tokens of a text, without those that a model puts around it
    :param budget: tokens that the premise may have; if no line fits, the best one is cut behind a word
    """
    lines = [line for line in premise.split("\n") if line.strip()]
    title, units = _facts(lines)
    if not title and len(units) == 1:
        units = _split(units[0])
    units = [_ended(unit) for unit in units]
    whole = _joined(title, units)
    if count_tokens(whole) <= budget:
        return whole
    room = budget - (count_tokens(f"{title},") if title else 0)
    asked = _words(hypothesis)
    shared = [len(asked & _words(unit)) for unit in units]
    if not title and any(_BAR in line for line in lines):
        for at in {0, next(at for at, line in enumerate(lines) if _BAR in line)}:
            shared[at] = len(asked) + 1
    best, kept = sorted(range(len(units)), key=lambda at: -shared[at]), []
    for at in best:
        size = count_tokens(units[at])
        if size <= room:
            kept.append(at)
            room -= size
    if kept:
        return _joined(title, [units[at] for at in sorted(kept)])
    return _cut(_joined(title, [units[best[0]]]), count_tokens, budget)


def sentences(premise: str) -> list[str]:
    """The lines of a premise as sentences.

    >>> sentences("Ada | born | 1815\\nAda | field | mathematics"), sentences("Ada was born.\\nShe died")
    (['Ada, born: 1815.', 'field: mathematics.'], ['Ada was born.', 'She died.'])
    """
    title, units = _facts([line for line in premise.split("\n") if line.strip()])
    units = [_ended(unit) for unit in units]
    return [f"{title}, {units[0]}", *units[1:]] if title else units


def _facts(lines: list[str]) -> tuple[str, list[str]]:
    """Lines ``title | key | value`` with one title: that title, and ``key: value`` of each. Otherwise all lines."""
    rows = [line.split(_BAR) for line in lines]
    title = rows[0][0].strip() if rows else ""
    if not title or any(len(row) != 3 or row[0].strip() != title for row in rows):
        return "", lines
    return title, [f"{key.strip()}: {value.strip()}" for _, key, value in rows]


def _split(text: str) -> list[str]:
    parts = text.split(". ")
    return [f"{part}." for part in parts[:-1]] + parts[-1:] if parts[-1] else [f"{part}." for part in parts[:-1]]


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _joined(title: str, units: list[str]) -> str:
    text = " ".join(units)
    return f"{title}, {text}" if title else text


def _words(text: str) -> set[str]:
    return set(text.lower().translate(_BLANK).split())


def _cut(text: str, count_tokens: Callable[[str], int], budget: int) -> str:
    """As many of the first words as fit."""
    words = text.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(" ".join(words[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return " ".join(words[:low])
