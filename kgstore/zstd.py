"""Python's own zstandard module, which versions before 3.14 have as the package ``backports.zstd`` (0.6 MB)."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import *  # noqa: F403
else:
    from backports.zstd import *  # noqa: F403
