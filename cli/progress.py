"""How far it is, on stderr: a bar with rate and time left on a terminal, little or nothing elsewhere."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from kgstore.cli.logs import is_quiet

if TYPE_CHECKING:
    from kgstore.loaders.run import Event

_LOG = logging.getLogger("kgstore.cli")


class RateColumn(ProgressColumn):
    """Things a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.{0 if speed >= 10 else 1}f}/s", style="dim")


def _bar(*columns: ProgressColumn) -> Progress:
    """Leaves no trace when it ends; silent if stderr is no terminal."""
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not _shown())


def _shown() -> bool:
    return sys.stderr.isatty() and not is_quiet()


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields ``advance(n)``. One thing alone gets no bar."""
    bar = _bar(
        TextColumn(what),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,}"),
        RateColumn(),
        TimeRemainingColumn(),
    )
    if total < 2:
        yield lambda step: None
        return
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda step: bar.advance(task, step)


@contextmanager
def spinning() -> Iterator[Callable[[str], None]]:
    """For steps of unknown length. Yields ``say(what is going on)``; off a terminal only the log hears it."""
    if not _shown():
        yield lambda message: _LOG.debug("%s", message)
        return
    with Console(stderr=True).status("starting") as status:

        def say(message: str) -> None:
            _LOG.debug("%s", message)
            status.update(Text(message))

        yield say


class Loading:
    """Shows the events of a load: a bar for the file that is read, then the step that is being done."""

    def __init__(self) -> None:
        self._bar = _bar(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._task: TaskID | None = None
        self._key: tuple[str, str] | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, event: Event) -> None:
        key = event.part, event.path
        if key != self._key or self._task is None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            name = Path(event.path).name if event.part == "read" else event.part
            _LOG.debug("load: %s %s", event.part, Path(event.path).name)
            self._key, self._task = key, self._bar.add_task(name, total=event.total or None, rate="")
        rate = f"{event.entities:,} entities, {event.rate:,.0f} triples/s" if event.part == "read" else ""
        self._bar.update(self._task, completed=event.read, rate=rate)
