"""Commands that work in a child where memory is limited, so that its end can be told from success.

Rust and C++ end a process that gets no memory, and the system kills one that takes too much. Both leave the KG as it
was, but say little, or nothing. The parent here is small, outlives that, and says what was needed.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kgstore import memory
from kgstore.memory import RESERVED

LOG = logging.getLogger(__name__)
WATCHED = "KGSTORE_WATCHED"
"""Set in the child."""
_FIXED, _BYTE, _TRIPLE, _MOST = 900e6, 1.5, 70, 2.4e9
"""A load: bytes at least, for each byte of a file unpacked, for each triple of the KG already, and at most."""
_PACKED = {".gz": 12, ".bz2": 16, ".zst": 12}
_VERIFY, _MAPPED, _RESERVED = 700e6, 0.05, 900e6
"""A verifier: its models, the share of the KG that stays in memory, address space that is only reserved."""
_NAMES = ("SIGABRT", "SIGKILL", "SIGSEGV", "SIGBUS", "SIGILL")
_KILLED = tuple(-getattr(signal, name) for name in _NAMES if hasattr(signal, name))  # Windows has some of them
_CRASHED = 70
_UNLINKED = 127  # glibc's dynamic linker ends a process so that gets no memory for a library or for a thread's data


def of_load(arguments: Sequence[str]) -> float:
    """Bytes that a load takes at most, judged by the sizes of its files; a KG that is there already is derived anew."""
    size = 0.0
    for path in (Path(one) for one in arguments):
        if path.is_file():
            size += path.stat().st_size * _PACKED.get(path.suffix, 1)
    return min(_MOST, _FIXED + _BYTE * size + _TRIPLE * _triples(arguments))


def of_index(arguments: Sequence[str]) -> float:
    return min(_MOST, _FIXED + _TRIPLE * _triples(arguments))


def of_verify(arguments: Sequence[str]) -> float:
    jobs = _after(arguments, "--jobs")
    kg = Path(_after(arguments, "--kg") or os.environ.get("KGSTORE_KG") or ".")
    size = sum(one.stat().st_size for one in kg.glob("generations/*/catalog/*")) if kg.is_dir() else 0
    return _VERIFY * (1 + (int(jobs) if jobs.isdigit() and int(jobs) > 1 else 0)) + _MAPPED * size


NEEDS: dict[str, tuple[Callable[[Sequence[str]], float], float]] = {
    "load": (of_load, RESERVED),
    "index": (of_index, RESERVED),
    "verify": (of_verify, _RESERVED),
}
"""Command -> what it takes, and address space on top of that."""


def run(arguments: Sequence[str]) -> int | None:
    """Run a command in a child if its memory is limited to less than it may need; None if this process can do it.

    :return: the exit code; 2, after a line that names the memory that is needed, if memory ran out
    """
    given, arguments = arguments, after_root(arguments)
    name = arguments[0] if arguments else ""
    if name not in NEEDS or os.environ.get(WATCHED) or any(one in ("-h", "--help") for one in arguments):
        return None
    estimate, reserved = NEEDS[name]
    needed = estimate(arguments)
    short = _too_small(needed, needed + reserved)
    if short is None:
        return None
    what, allowed, wanted = short
    code = _child(given)
    if code in (*_KILLED, _CRASHED, _UNLINKED):
        said = f"{what} allows {memory.shown(allowed)} of memory and `kgstore {name}` ran out of it"
        instead = f"allow {memory.shown(wanted)}" + ("" if name == "verify" else ", or load less at a time")
        LOG.error("%s; nothing was changed: %s", said, instead)
        return 2
    if code == 2:
        LOG.error("%s allows %s; this may need %s", what, memory.shown(allowed), memory.shown(wanted))
    return code


def after_root(arguments: Sequence[str]) -> Sequence[str]:
    """The command and what follows it.

    >>> after_root(["-q", "--log", "a.log", "load", "--quiet"])
    ['load', '--quiet']
    """
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        at += 2 if arguments[at] == "--log" else 1
    return arguments[at:]


def _too_small(needed: float, space: float) -> tuple[str, int, float] | None:
    """The limit that is below what is needed: its name, what it allows, and what it should allow."""
    for what, allowed, wanted in (
        ("ulimit -v", memory.address_space(), space),
        ("the control group", memory.control_group(), needed),
    ):
        if allowed is not None and allowed < wanted:
            return what, allowed, wanted
    return None


def _child(arguments: Sequence[str]) -> int:
    command = [sys.executable, "-c", "import sys; from kgstore.cli.main import main; sys.exit(main())", *arguments]
    with subprocess.Popen(command, env={**os.environ, WATCHED: "1"}) as child:
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:  # the terminal sent it to the child, too, which tidies up
                continue


def _triples(arguments: Sequence[str]) -> int:
    try:
        table = json.loads(Path(_after(arguments, "--kg") or os.environ["KGSTORE_KG"], "manifest.json").read_bytes())
        return int(table["counts"]["triples"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _after(arguments: Sequence[str], option: str) -> str:
    for one, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if one == option:
            return following
        if one.startswith(option + "="):
            return one.removeprefix(option + "=")
    return ""
