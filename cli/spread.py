"""Reports by many processes, on one machine or several: Ray runs the workers, order and repetition are ours.

A worker is an actor with one warm verifier. Ray never starts one again and never asks one twice: what was given to a
worker that is gone is given to another one, and an answer that comes although its worker was given up is dropped. So
each text has one report, and the reports come in the order of the texts.
"""

from __future__ import annotations

import logging
import os
import socket
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kgstore.cli.batch import VERIFIER, Desk, Settings
from kgstore.cli.render import json_bytes
from kgstore.cli.texts import Text
from kgstore.errors import InputError, KgError
from kgstore.memory import workers
from kgstore.opening import is_elsewhere

SCHEME = "ray"
PORTION, LONGEST = 8, 20_000
"""A worker is given so many texts at a time, or so many characters."""
GIVEN = 2
"""Portions that a worker has at a time, so that it never waits."""
AHEAD = 32 * PORTION
"""Texts for each worker that may be finished before one in front of them is."""
DEATHS = 5
"""A text that so many workers died of is not tried again."""
CONNECTING = 5.0
"""Seconds for a connection to a Ray that runs already."""
PATIENCE = 300.0
"""Seconds without any worker that is ready, after which the run ends."""
_BUILT_IN = ("default", "none")
_OBJECTS = 150_000_000
"""Bytes that Ray keeps for answers on this machine."""


def address_of(engine: str) -> str | None:
    """Where the Ray of ``--engine`` is: None for one of our own, on this machine.

    >>> address_of("ray"), address_of("ray://10.0.0.5:6379"), address_of("ray://auto")
    (None, '10.0.0.5:6379', 'auto')

    :raises InputError: if it is no such engine
    """
    name, _, address = engine.partition("://")
    if name != SCHEME or (":" in engine and not address):
        raise InputError(f"there is no engine {engine!r}", "name local, ray, or ray://HOST:PORT")
    return address or None


@contextmanager
def cluster(address: str | None, jobs: int | None) -> Iterator[int]:
    """Ray as long as the block lasts; yields how many workers there shall be.

    Nothing is reported to anybody, and no page is served. Ray listens on all interfaces of a machine; whoever lacks the
    token in ``~/.ray/auth_token`` is refused.

    :param jobs: one for each core unless told
    :raises InputError: if no Ray answers there
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if address is None or _has_token():  # Ray's own rule for `ray start`, which it does not follow when one joins
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_worker_niceness", "0")  # where it is ours: 15 is usual, and starves beside other work
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)  # else it explains its tokens each time
    usual: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}
    with tempfile.TemporaryDirectory(prefix="kgray-", ignore_cleanup_errors=True) as scratch:
        if address is None:
            many = workers(jobs or os.cpu_count() or 1, VERIFIER, 1.0)
            ray.init(
                "local", num_cpus=many, include_dashboard=False, object_store_memory=_OBJECTS, _temp_dir=scratch,
                **usual,
            )
        else:
            _reach(address)
            try:
                ray.init(address, **usual)
            except (ConnectionError, RuntimeError, ValueError) as error:
                why = f"no Ray answers at {address} ({str(error).splitlines()[0] if str(error) else 'no connection'})"
                raise InputError(why, "start it with `ray start`, also on this machine") from None
            many = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        try:
            yield many
        finally:
            ray.shutdown()


def _reach(address: str) -> None:
    """Ray itself waits for minutes where nobody listens.

    :param address: ``HOST:PORT``; another one, such as ``auto``, Ray looks up on this machine
    :raises InputError: if no connection can be made
    """
    host, colon, port = address.rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECTING).close()
    except (OSError, OverflowError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        instead = "start it with `ray start`, also on this machine"
        raise InputError(f"no Ray can be reached at {address} ({why})", instead) from None


def _has_token() -> bool:
    named = any(os.environ.get(f"RAY_AUTH_TOKEN{end}") for end in ("", "_PATH"))
    return named or Path("~/.ray/auth_token").expanduser().exists()


class Worker:
    """What runs in a process of its own, on whichever machine."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def start(self) -> dict[str, Any]:
        """Open the KG and the models; which KG it is, in which state."""
        self.desk = Desk(self.settings)
        return dict(self.desk.store.identity) if self.desk.store is not None else {}

    def reports(self, texts: list[Text]) -> list[bytes]:
        """One line of JSON each. They have no timings, so that the same text has the same bytes from every worker."""
        return [json_bytes({**self.desk.report(one), "timings_ms": {}}, indent=False) + b"\n" for one in texts]


def spread(texts: Iterator[Text], settings: Settings, many: int, asked: dict[str, Any]) -> Iterator[bytes]:
    """A line of JSON for each text, in their order, within `cluster`.

    :param many: workers
    :param asked: the identity of the KG, which every machine must have under the same path
    :raises InputError: if a machine has another KG there, or a text ends every worker that reads it
    """
    return _Crew(_absolute(settings), many, asked).lines(enumerate(texts))


def _absolute(settings: Settings) -> Settings:
    """Paths as another process finds them, which works in another folder."""
    found: dict[str, Any] = {}
    for name in ("kg", "embedder", "calibration", "judge", "reader"):
        value = getattr(settings, name)
        if value not in (None, *_BUILT_IN) and not is_elsewhere(Path(value)) and Path(value).exists():
            found[name] = type(value)(Path(value).absolute())
    if settings.reading.gguf is not None:
        found["reading"] = replace(settings.reading, gguf=settings.reading.gguf.absolute())
    return replace(settings, **found)


@dataclass(eq=False, slots=True)
class _Portion:
    """Texts by their numbers, and how many workers were gone while it was their turn."""

    texts: list[tuple[int, Text]]
    deaths: int = 0


@dataclass(eq=False, slots=True)
class _Member:
    actor: Any
    given: list[_Portion] = field(default_factory=list)


class _Crew:
    """Who has been given what."""

    def __init__(self, settings: Settings, many: int, asked: dict[str, Any]) -> None:
        import ray

        self._ray, self._settings, self._many, self._asked = ray, settings, many, asked
        self._class = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Worker)
        self._starting: dict[Any, _Member] = {}
        self._ready: list[_Member] = []
        self._running: dict[Any, tuple[_Member, _Portion]] = {}
        self._again: deque[_Portion] = deque()
        self._done: dict[int, bytes] = {}
        self._failed, self._alone = 0, time.monotonic()

    def lines(self, texts: Iterator[tuple[int, Text]]) -> Iterator[bytes]:
        following = 0
        while self._again or self._running or self._more(texts):
            self._hand_out(texts)
            self._take_in()
            while following in self._done:
                yield self._done.pop(following)
                following += 1

    def _more(self, texts: Iterator[tuple[int, Text]]) -> bool:
        """Whether there is a portion to hand out; at the end of the texts, and too far ahead of the first one, not."""
        waiting = len(self._done) + sum(len(portion.texts) for _, portion in self._running.values())
        if not self._again and waiting < self._many * AHEAD:
            found: list[tuple[int, Text]] = []
            size = 0
            while len(found) < PORTION and size < LONGEST and (one := next(texts, None)) is not None:
                found.append(one)
                size += len(one[1].text)
            self._again.extend([_Portion(found)] if found else ())
        return bool(self._again)

    def _hand_out(self, texts: Iterator[tuple[int, Text]]) -> None:
        """Give everybody enough to do."""
        while len(self._ready) + len(self._starting) < self._many:
            self._hire()
        for one in sorted(self._ready, key=lambda member: len(member.given)):
            while len(one.given) < GIVEN and self._more(texts):
                portion = self._again.popleft()
                one.given.append(portion)
                self._running[one.actor.reports.remote([text for _, text in portion.texts])] = one, portion

    def _hire(self) -> None:
        actor: Any = self._class.remote(self._settings)
        self._starting[actor.start.remote()] = _Member(actor)

    def _take_in(self) -> None:
        """Wait for an answer, and see what came and who is gone."""
        found, _ = self._ray.wait([*self._running, *self._starting], num_returns=1, timeout=1.0)
        for answer in found:
            if answer in self._starting:
                self._welcome(answer, self._starting.pop(answer))
            elif answer in self._running:  # else its worker was given up a moment ago
                self._receive(answer, *self._running[answer])
        if self._ready:
            self._alone = time.monotonic()
        elif time.monotonic() - self._alone > PATIENCE:
            raise InputError(f"no worker was ready for {PATIENCE:.0f} seconds", "see whether a machine has a free core")

    def _welcome(self, answer: Any, member: _Member) -> None:
        try:
            identity = self._get(answer)
        except self._ray.exceptions.RayError as error:
            self._failed += 1
            if self._failed > DEATHS * self._many:
                why = f"workers end as soon as they start ({str(error).splitlines()[0]})"
                raise InputError(why, "see whether the machines have the memory and the same kgstore") from None
            return
        if self._asked and identity != self._asked:
            why = f"a machine has another KG at {self._settings.kg}"
            raise InputError(why, "copy the KG to the same path on every machine")
        self._ready.append(member)

    def _receive(self, answer: Any, member: _Member, portion: _Portion) -> None:
        try:
            lines = self._get(answer)
        except self._ray.exceptions.RayError:
            self._give_up(member)
            return
        del self._running[answer]
        member.given.remove(portion)
        self._failed = 0
        for (number, _), line in zip(portion.texts, lines, strict=True):
            self._done[number] = line

    def _get(self, answer: Any) -> Any:
        """What a worker answered.

        :raises KgError: and whatever else it raised
        """
        try:
            return self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, KgError):
                raise cause from None
            raise (cause if isinstance(cause, Exception) else RuntimeError(str(error))) from error

    def _give_up(self, member: _Member) -> None:
        """A worker is gone, or cannot be reached: what it had is for others."""
        self._ready.remove(member)
        with suppress(self._ray.exceptions.RayError):  # it is gone, or cannot be reached
            self._ray.kill(member.actor)
        self._running = {key: pair for key, pair in self._running.items() if pair[0] is not member}
        first, rest = member.given[0], member.given[1:]
        first.deaths += 1
        if first.deaths > DEATHS:
            text = first.texts[0][1]
            named = "a text" if text.id is None else f"the text {text.id}"
            raise InputError(f"{named} ends every worker that reads it", "take it out, and go on with --resume")
        alone = [_Portion([one], first.deaths) for one in first.texts] if first.deaths > 1 else [first]
        self._again.extendleft(reversed([*alone, *rest]))
