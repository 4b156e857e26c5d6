"""Check the types of the whole tree with mypy: ``python tests/types.py``; what it finds fails ``make lint``.

mypy looks for ``kgstore.cli`` in a folder ``cli`` beside the other files of ``kgstore``, where an installation has it;
in the repository it lies elsewhere. So mypy is shown a folder of links that looks like an installation.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def as_installed(folder: Path) -> None:
    """Links to all packages, in the places where they are installed."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for path in [*(ROOT / "kgstore").iterdir(), *(ROOT / name for name in ("cli", "loaders", "verifier"))]:
        if path.name != "__pycache__":
            (folder / path.name).symlink_to(path)


if __name__ == "__main__":
    as_installed(ROOT / "build" / "types" / "kgstore")
    sys.exit(subprocess.run([sys.executable, "-m", "mypy", "-p", "kgstore"], cwd=ROOT).returncode)
