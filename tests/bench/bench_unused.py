"""Which lines of the verifier run for hardly any text that people wrote?

Run:    python -m tests.bench.bench_unused --work DIR [--shared FOLDER] [--sets NAME...] [--limit N] [--rooms ROOM...]
Prints: a line a stretch of code that ran in fewer texts than ``--least``: where, and in how many.

The texts and graphs are those of `tests.bench.record`. What a line that never runs is for may still be a guard: this
says where to look, `tests.bench.bench_grammar` what is lost without it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import kgstore.verifier
from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from tests.bench import record

ROOMS = ("read", "link", "decide", "kg", "values", "english")
HOME = Path(kgstore.verifier.__file__).parent
Line = tuple[str, int]
"""A file, by its path below the verifier, and a line of it."""


def ran(files: frozenset[str], verifier: Verifier, text: str) -> frozenset[Line]:
    """The lines of these files that run while a text is verified."""
    found: set[Line] = set()

    def inside(frame: FrameType, event: str, _: Any) -> Callable | None:
        if event == "line":
            found.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    sys.settrace(lambda frame, *_: inside if frame.f_code.co_filename in files else None)
    try:
        verifier.verify(text)
    finally:
        sys.settrace(None)
    return frozenset(found)


def lines_of(path: Path) -> Iterator[int]:
    """The lines within functions that can run."""
    waiting: list[tuple[CodeType, bool]] = [(compile(path.read_text(encoding="utf-8"), str(path), "exec"), False)]
    for code, inner in waiting:
        if inner:
            yield from (line for *_, line in code.co_lines() if line and line != code.co_firstlineno)
        own = code.co_name != "<module>" and (inner or code.co_flags & 2)  # neither a module nor a class
        waiting += [(one, bool(own or one.co_flags & 2)) for one in code.co_consts if isinstance(one, CodeType)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("build"), help="where the graphs are kept")
    parser.add_argument("--shared", type=Path, default=record.ROOT.parent / "shared")
    parser.add_argument("--sets", nargs="*", help="only sets whose names begin so")
    parser.add_argument("--limit", type=int, help="texts a set")
    parser.add_argument("--rooms", nargs="*", default=ROOMS)
    parser.add_argument("--least", type=int, default=3)
    given = parser.parse_args(arguments)
    files = frozenset(str(path) for room in given.rooms for path in (HOME / room).glob("*.py"))
    texts: Counter[Line] = Counter()
    for _, graph, rows in record.wanted(given):
        with Store(graph, read_only=True) as store:
            verifier = Verifier(store)
            for _, text in rows:
                texts.update(ran(files, verifier, text))
    for file in sorted(files):
        rare = [line for line in sorted(set(lines_of(Path(file)))) if texts[file, line] < given.least]
        for _, few in groupby(enumerate(rare), key=lambda one: one[1] - one[0]):
            stretch = [line for _, line in few]
            most = max(texts[file, line] for line in stretch)
            print(f"{Path(file).relative_to(HOME)}:{stretch[0]}-{stretch[-1]}  {most}")


if __name__ == "__main__":
    main()
