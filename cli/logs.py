"""What commands say beside their results: one logger, on stderr and in a file, and the options that set how much.

::

    level       on stderr                            with
    WARNING     warnings, and why it ends with 2     -q
    INFO        also counts, hints and progress      nothing
    DEBUG       also each step, and when it was      -v

The file of ``--log`` has all levels. It never holds a text that is checked, or a query.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kgstore.errors import InputError

ROOT = logging.getLogger("kgstore")
VARIABLE = "KGSTORE_LOG"
LEVEL = "KGSTORE_LOG_LEVEL"
"""Set for processes that this one starts, see `follow`."""
_FILE_LINES = logging.Formatter("%(asctime)s %(levelname)s %(name)s[%(process)d] %(message)s", "%Y-%m-%dT%H:%M:%S%z")


class _Terminal(logging.Handler):
    """Writes to what is stderr now; a step of DEBUG stands behind the seconds since the start."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.since = time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if record.exc_info:  # what to do comes last
            traceback.print_exception(record.exc_info[1])
        if record.levelno >= logging.ERROR:
            line = f"kgstore: {line}"
        elif record.levelno < logging.INFO:
            line = f"{time.monotonic() - self.since:7.2f} s  {line}"
        click.echo(line, file=sys.stderr)


@contextmanager
def started() -> Iterator[None]:
    """Say what is logged while the command line runs. Inside itself (one command calls another) it changes nothing."""
    if _terminal() is not None:
        yield
        return
    level, named, here = ROOT.level, os.environ.get(VARIABLE), _Terminal()
    ROOT.addHandler(here)
    ROOT.setLevel(logging.INFO)
    try:
        yield
    finally:
        for handler in (here, *_files()):
            ROOT.removeHandler(handler)
            handler.close()
        ROOT.setLevel(level)
        os.environ.pop(LEVEL, None)
        os.environ.pop(VARIABLE, None) if named is None else os.environ.update({VARIABLE: named})


def follow() -> None:
    """In a process that a command started: log as the command does."""
    if LEVEL in os.environ and _terminal() is None:
        ROOT.addHandler(_Terminal())
        _say(int(os.environ[LEVEL]))
        if path := os.environ.get(VARIABLE):
            _write(Path(path))


def is_quiet() -> bool:
    """Is progress not to be shown?"""
    here = _terminal()
    return here is not None and here.level > logging.INFO


def attach(command: click.Command) -> click.Command:
    """Give a command, and those below it, ``--quiet``, ``--verbose`` and ``--log``, unless it has them."""
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        attach(inner)
    known = {param.name for param in command.params}
    command.params += [option for option in _options() if option.name not in known]
    return command


def with_details(more: str) -> Any:
    """``--verbose`` of a command that prints more of its results then, and wants to know."""
    return click.option("-v", "--verbose", is_flag=True, callback=_verbose, help=f"{more} {_STEPS}")


_STEPS = "Each step with its time goes to stderr."


def _options() -> list[click.Option]:
    return [
        click.Option(
            ["-q", "--quiet"], is_flag=True, expose_value=False, is_eager=True, callback=_quiet,
            help="Only results, warnings and errors: no counts, hints and progress.",
        ),
        click.Option(
            ["-v", "--verbose"], is_flag=True, expose_value=False, is_eager=True, callback=_verbose, help=_STEPS
        ),
        click.Option(
            ["--log"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", envvar=VARIABLE,
            show_envvar=True, expose_value=False, is_eager=True, callback=_log,
            help="Append each step with its time to FILE; no texts, no queries.",
        ),
    ]  # fmt: skip


def _quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        _say(logging.WARNING)


def _verbose(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    if value:
        _say(logging.DEBUG)
    return value


def _log(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is not None:
        _write(value)


def _say(level: int) -> None:
    if (here := _terminal()) is not None:
        here.setLevel(level)
        os.environ[LEVEL] = str(level)
    ROOT.setLevel(min([level, *(file.level for file in _files())]))


def _write(path: Path) -> None:
    if any(Path(file.baseFilename) == path.absolute() for file in _files()):
        return
    try:
        file = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {why}", "name another file for --log") from None
    file.setLevel(logging.DEBUG)
    file.setFormatter(_FILE_LINES)
    ROOT.addHandler(file)
    ROOT.setLevel(logging.DEBUG)
    os.environ[VARIABLE] = str(path.absolute())


def _terminal() -> _Terminal | None:
    return next((one for one in ROOT.handlers if isinstance(one, _Terminal)), None)


def _files() -> list[logging.FileHandler]:
    return [one for one in ROOT.handlers if isinstance(one, logging.FileHandler)]
