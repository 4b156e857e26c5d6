"""The files of a folder that hold texts."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path


def texts_in(folder: Path, kinds: tuple[str, ...]) -> tuple[list[Path], Counter[str]]:
    """Files of these kinds in a folder and the folders in it, sorted by path, and how many others there are of a kind.

    What begins with a dot is passed over, as shells do; links to folders are not followed, they might lead round.
    """
    found: list[Path] = []
    others: Counter[str] = Counter()
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(where, name) for name in files if not name.startswith(".")):
            if path.suffix.lower() in kinds:
                found.append(path)
            else:
                others[path.suffix.lower() or "no ending"] += 1
    return sorted(found, key=lambda path: path.parts), others
