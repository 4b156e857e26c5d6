"""Locks on open files that the system takes back when a process ends: flock, and on Windows portalocker's.

Not portalocker everywhere: it takes 15 ms to import, which is a tenth of `kgstore info`. filelock has no shared locks.
"""

from __future__ import annotations

import os

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

OPEN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Flags for `os.open`: a child process must not inherit the lock."""


def locked(handle: int, shared: bool = False, wait: bool = False) -> bool:
    """Take a lock, False if another one holds it.

    :param shared: any number of these at a time, but none beside one that is not
    """
    if fcntl is None:
        import portalocker

        flags = portalocker.LOCK_SH if shared else portalocker.LOCK_EX
        try:
            portalocker.lock(handle, flags if wait else flags | portalocker.LOCK_NB)
        except portalocker.AlreadyLocked:
            return False
        return True
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def read(handle: int, most: int = 1000) -> str:
    """What a locked file says; empty on Windows, where a lock forbids to read."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return os.read(handle, most).decode("utf-8", "replace").strip()
    except PermissionError:
        return ""


def write(handle: int, text: str) -> None:
    """Put a text in place of what the file said."""
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, text.encode())
