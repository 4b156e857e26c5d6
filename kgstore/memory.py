"""How much memory this process may use, and the shares of it that its parts get.

Three limits count, and the smallest holds: ``--memory`` (handed down in ``KGSTORE_MEMORY``), the address space of
``ulimit -v``, and the control group's. Without one, every part takes what it takes by default.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from kgstore.errors import InputError

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

VARIABLE = "KGSTORE_MEMORY"
"""Bytes that ``--memory`` allows, for this process and those that it starts."""
SCALES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
RESERVED = 1_600_000_000
"""Bytes of address space that libraries reserve in a load and never use; they count for ``ulimit -v`` only."""
WORKER = 150_000_000
"""Bytes of a process that reads a dump."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_SHORT = ("bad_alloc", "bad allocation", "can't start new thread", "Cannot allocate memory", "OutOfMemory",
          "Resource temporarily unavailable", "failed to map segment")  # fmt: skip


def parse_size(text: str) -> int:
    """Bytes of a size as people write it; K, M, G are powers of 1024.

    >>> parse_size("4G"), parse_size("1.5 GiB"), parse_size("700mb")
    (4294967296, 1610612736, 734003200)

    :raises InputError: if it is none
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None or float(found[1]) <= 0:
        raise InputError(f"{text!r} is no size of memory", "write it like 4G or 700M")
    return int(float(found[1]) * SCALES[found[2].lower()])


def shown(size: float) -> str:
    """A size as `parse_size` reads it, rounded up to 10 MB.

    >>> shown(734003200), shown(1)
    ('700M', '10M')
    """
    return f"{-(-int(size) // (10 << 20)) * 10}M"


def asked() -> int | None:
    """What ``--memory`` allows."""
    value = os.environ.get(VARIABLE)
    return int(value) if value and value.isdigit() else None


def address_space() -> int | None:
    """What ``ulimit -v`` allows."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def peak(children: bool = False) -> int:
    """The most bytes that this process had in memory, or the largest of those that it started; 0 on Windows."""
    if resource is None:
        return 0
    found = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return found if sys.platform == "darwin" else found * 1024


def control_group(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int | None:
    """What the control groups around this process allow, of version 2 or 1; the smallest."""
    try:
        lines = own.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        kind = {"": ("", "memory.max"), "memory": ("memory", "memory.limit_in_bytes")}.get(controllers)
        if kind is None:
            continue
        place = root / kind[0] / path.lstrip("/")
        while place.is_relative_to(root):
            with suppress(OSError, ValueError):  # not visible here, or "max"
                found.append(int((place / kind[1]).read_text(encoding="ascii")))
            place = place.parent
    found = [one for one in found if one < 1 << 50]  # version 1 writes a huge number for no limit
    return min(found, default=None)


def limit() -> int | None:
    """Bytes of real memory to stay within; of an address space only what libraries do not merely reserve."""
    space = address_space()
    usable = None if space is None else max(space - RESERVED, space // 4)
    return min((one for one in (asked(), control_group(), usable) if one is not None), default=None)


def share(part: float, usual: int, least: int = 0) -> int:
    """Bytes for one part of the program.

    :param part: of the limit, 0 to 1
    :param usual: bytes where there is no limit; more only where ``--memory`` allows it
    :param least: bytes without which the part cannot work
    """
    allowed = limit()
    if allowed is None:
        return usual
    wanted = int(part * allowed)
    return max(least, wanted if asked() is not None else min(wanted, usual))


def workers(wanted: int, each: int = WORKER, part: float = 0.3) -> int:
    """How many of the processes that were asked for fit into their part of the limit; at least one."""
    allowed = limit()
    return wanted if allowed is None else max(1, min(wanted, int(part * allowed) // each))


def is_short(error: BaseException) -> bool:
    """Whether an error says that memory ran out, whichever library raised it."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or any(sign in f"{type(seen).__name__} {seen}" for sign in _SHORT):
            return True
        seen = seen.__cause__ or seen.__context__
    return False
