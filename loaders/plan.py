"""What a load will take, judged by loading the beginning of each file into a KG that is thrown away.

The beginning may differ from the rest: Wikidata's dump begins with its largest documents, so that what is said of it is
too much rather than too little.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgstore import layout, memory
from kgstore.loaders.formats import CONTINUED, format_of
from kgstore.loaders.options import LoadOptions
from kgstore.loaders.run import load
from kgstore.loaders.sources import COMPRESSIONS, Source
from kgstore.loaders.summary import Summary

SAMPLE = 8_000_000
"""Bytes, unpacked, of each file whose lines are read for themselves; of others `TRIPLES` triples."""
TRIPLES = 50_000
_FIXED_MEMORY, _MEMORY, _MOST_MEMORY = 650e6, 70, 2e9
"""Bytes: what a load takes at least, what each triple adds at first, and where that ends (measured by bench_load)."""
_STATEMENTS_A_SECOND = 500
_SPARE, _LINE, _MOST_LINES = 1.6, 120, 134e6
"""Oxigraph rewrites its files while the old ones are read; bytes of a line, and of those that are read at a time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """About how much a load will take.

    :param triples: that the files hold
    :param disk: bytes at the most, without what the KG takes already
    :param memory: bytes at the most
    :param seconds: on this machine as busy as it is now
    :param free: bytes on the disk
    :param allowed: bytes of memory that this process may use, None without a limit
    :param sampled: triples that this is judged by
    :param unknown: files of unknown size (standard input), which are left out
    """

    triples: int
    disk: int
    memory: int
    seconds: float
    free: int
    sampled: int
    unknown: tuple[str, ...] = ()
    allowed: int | None = None


def plan(
    paths: Sequence[Path | str],
    kg: Path,
    options: LoadOptions | None = None,
    **more: Any,
) -> Plan:
    """Estimate a load; see `kgstore.loaders.run.load` for the parameters.

    :raises InputError: as `load`
    :raises LoadError: as `load`
    """
    options = replace(options or LoadOptions(), **more)
    triples = disk = seconds = sampled = 0.0
    unknown = []
    for path in paths:
        if str(path) == "-" or not Path(path).is_file():
            unknown.append(str(path))
            continue
        summary, times = _tried(Path(path), format_of(path, options.format), options)
        assert summary.manifest is not None
        triples += summary.triples * times
        sampled += summary.triples
        disk += summary.disk * times
        seconds += sum(summary.seconds.values()) * times
        if options.vectors:
            seconds += summary.statements * times / _STATEMENTS_A_SECOND
            disk += summary.statements * times * 4 * 384
    peak, allowed = min(_MOST_MEMORY, _FIXED_MEMORY + _MEMORY * triples), memory.limit()
    disk = _SPARE * disk + min(_MOST_LINES, _LINE * triples)
    free = layout.free_bytes(kg)
    return Plan(int(triples), int(disk), int(peak), seconds, free, int(sampled), tuple(unknown), allowed)


def _tried(path: Path, form: str, options: LoadOptions) -> tuple[Summary, float]:
    """The load of a file's beginning, and how many times as much the whole file is."""
    with tempfile.TemporaryDirectory(prefix="kgstore-plan-") as folder:
        sample, times, filters = path, 1.0, options.kept
        by_line = form in CONTINUED and filters.limit is None
        with Source(path, options.max_ratio, by_line) as source:
            size = source.size
            if by_line:
                name = path.name
                for ending in COMPRESSIONS:
                    name = name.removesuffix(ending)
                sample = Path(folder, name)
                with sample.open("wb") as file:
                    for _, block in source.blocks():
                        file.write(block)
                        if file.tell() >= SAMPLE:
                            break
                times = max(1.0, size / source.offset) if source.offset else 1.0
        limited = filters if by_line or filters.limit else replace(filters, limit=TRIPLES)
        read = []
        trial = replace(options, format=form, filters=limited, vectors=False, embedder=Path(folder, "none"))
        summary = load([sample], Path(folder, "plan.kg"), trial, report=lambda event: read.append(event.read))
        if not by_line and filters.limit is None and summary.triples >= TRIPLES:
            times = max(1.0, size / max(read))
        return summary, times
