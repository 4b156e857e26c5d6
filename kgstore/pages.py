"""What the system is told about mapped files that are read here and there.

Left alone it reads on behind every page that is asked for, by as much as the disk is set to: 128 KB usually, on some
machines 8 MB, which a query over many small stretches would do a hundred times. Where it cannot be told, nothing is.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np


def _madvise() -> Any:
    try:
        found = ctypes.CDLL(None).madvise
    except (AttributeError, OSError, TypeError):  # Windows
        return None
    found.argtypes, found.restype = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int], ctypes.c_int
    return found


_MADVISE = _madvise()


def read_here_and_there(address: int, size: int) -> None:
    """Read only the pages that are asked for.

    :param address: where a mapping begins
    :param size: its bytes
    """
    if _MADVISE is not None and size:
        _MADVISE(address, size, mmap.MADV_RANDOM)


def read_soon(addresses: np.ndarray, sizes: np.ndarray | int) -> None:
    """Begin to read some stretches of mapped files, all at once, and go on meanwhile.

    :param addresses: where each begins
    :param sizes: bytes of each
    """
    if _MADVISE is None:
        return
    begins = addresses - addresses % mmap.PAGESIZE
    for begin, length in zip(begins.tolist(), (addresses + sizes - begins).tolist(), strict=True):
        _MADVISE(begin, length, mmap.MADV_WILLNEED)
