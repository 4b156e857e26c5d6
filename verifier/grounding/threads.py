"""A thread for each processor, each with work of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def apart(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """``work(item)`` for each, in order, with torch. While they run nothing else may.

    Threads that share the products of one item wait for each other at every step: a sixth of the time on an idle
    machine, and most of it on a busy one. An item that is alone is shared all the same.

    :param threads: as many items at once, at least 1; torch is left with so many for one item
    """
    import torch

    items = list(items)
    if len(items) == 1:
        yield work(items[0])
        return
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(work, items)
    finally:
        torch.set_num_threads(threads)
