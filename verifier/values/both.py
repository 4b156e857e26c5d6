"""The old name of `kgstore.verifier.values`, for changes that are under way."""

from __future__ import annotations

from kgstore.verifier.values import *  # noqa: F403
