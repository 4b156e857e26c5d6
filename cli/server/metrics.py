"""Counts of what was asked and how long it took, in Prometheus' text form."""

from __future__ import annotations

import logging
import mmap
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kgstore.memory import peak

_log = logging.getLogger(__name__)

BOUNDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Seconds; upper ends of the histogram's buckets."""
TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(slots=True)
class Metrics:
    """Counters since the start. Paths are those of the routes, never what a client writes."""

    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    took: dict[str, list[int]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        path = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in ("GET", "POST", "HEAD", "OPTIONS") else "other"
        _log.debug("%s %s %d after %.3f s", method, path, status, seconds)
        with self._lock:
            self.requests[method, path, status] += 1
            self.took.setdefault(path, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
            self.seconds[path] += seconds  # type: ignore[assignment]

    def judged(self, labels: Iterable[str]) -> None:
        with self._lock:
            self.labels.update(labels)

    def text(self, running: int, refused: int) -> str:
        """
        :param running: requests that run or wait at a desk
        :param refused: requests that were turned away because too many did
        """
        with self._lock:
            return "\n".join((*self._lines(running, refused), ""))

    def _lines(self, running: int, refused: int) -> Iterator[str]:
        yield from _head("kgstore_requests_total", "counter", "Answers by method, path and status.")
        for (method, path, status), many in sorted(self.requests.items()):
            yield f'kgstore_requests_total{{method="{method}",path="{path}",status="{status}"}} {many}'
        yield from _head("kgstore_request_seconds", "histogram", "Seconds until an answer was sent.")
        for path, counts in sorted(self.took.items()):
            total = 0
            for bound, many in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                total += many
                yield f'kgstore_request_seconds_bucket{{path="{path}",le="{bound}"}} {total}'
            yield f'kgstore_request_seconds_sum{{path="{path}"}} {self.seconds[path]:.6f}'
            yield f'kgstore_request_seconds_count{{path="{path}"}} {total}'
        yield from _head("kgstore_claims_total", "counter", "Claims of finished reports by label.")
        for label, many in sorted(self.labels.items()):
            yield f'kgstore_claims_total{{label="{label}"}} {many}'
        yield from _head("kgstore_running", "gauge", "Requests that run or wait for a thread.")
        yield f"kgstore_running {running}"
        yield from _head("kgstore_refused_total", "counter", "Requests turned away because too many were waiting.")
        yield f"kgstore_refused_total {refused}"
        yield from _head("process_resident_memory_bytes", "gauge", "Memory in use.")
        yield f"process_resident_memory_bytes {memory()}"


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def memory() -> int:
    """Bytes of this process in memory; where the system does not say, the most that there were."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return peak()
