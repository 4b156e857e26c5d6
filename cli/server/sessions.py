"""Who has shown the token to the page: a cookie with a random name for it, kept in memory only."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field


def cookie_name(secure: bool) -> str:
    """Browsers take a name that begins so by HTTPS only, and from this host only."""
    return "__Host-kgstore" if secure else "kgstore"


LASTS = 12 * 3600
"""Seconds until the token must be shown again."""
MOST = 1_000
TRIES = 10
"""Wrong tokens a minute after which the next must wait."""


@dataclass(slots=True)
class Sessions:
    """Names of sessions and when they end; a new one drives out the oldest."""

    ends: dict[str, float] = field(default_factory=dict)
    wrong: list[float] = field(default_factory=list)

    def start(self) -> str:
        if len(self.ends) >= MOST:
            self.ends.pop(next(iter(self.ends)))
        name = secrets.token_urlsafe(32)
        self.ends[name] = time.monotonic() + LASTS
        return name

    def holds(self, name: str) -> bool:
        return self.ends.get(name, 0.0) > time.monotonic()

    def end(self, name: str) -> None:
        self.ends.pop(name, None)

    def may_try(self) -> bool:
        """Have there been few wrong tokens in the last minute?"""
        self.wrong = [at for at in self.wrong if at > time.monotonic() - 60]
        return len(self.wrong) < TRIES

    def tried(self) -> None:
        self.wrong.append(time.monotonic())
