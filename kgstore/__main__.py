"""``python -m kgstore`` is the command ``kgstore``, for where no script was installed."""

from __future__ import annotations

from kgstore.cli.main import main

if __name__ == "__main__":
    main(prog_name="kgstore")
