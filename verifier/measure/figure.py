"""Pictures by matplotlib (extra plot), as SVG or PNG; without a display, and the same bytes for the same values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgstore.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, PALE, GREY, FAINT = "#08519c", "#d94801", "#c6dbef", "#555555", "#e0e0e0"
_KINDS = {".svg": "svg", ".png": "png"}
_STYLE = {
    "svg.fonttype": "none",  # words stay words, that can be searched and read aloud
    "svg.hashsalt": "kgstore", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": FAINT, "axes.axisbelow": True, "axes.edgecolor": GREY,
}  # fmt: skip


def check_plot(path: Path) -> None:
    """
    :raises InputError: if the name ends neither in .svg nor in .png
    :raises ModuleNotFoundError: if matplotlib is not installed; the command line says how to get it
    """
    if path.suffix.lower() not in _KINDS:
        raise InputError(f"{path} is neither .svg nor .png", "name a file that ends in one of them")
    import matplotlib  # noqa: F401


def figure(width: float = 6.4, height: float = 5.6, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure and its axes, side by side; sizes in inches."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):  # type: ignore[arg-type]
        found = Figure(figsize=(width, height), layout="constrained")
        return found, list(found.subplots(1, columns, squeeze=False)[0])


def unit(axes: Axes) -> None:
    """Both axes from 0 to 1, of one length."""
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")


def save(path: Path, drawn: Figure) -> None:
    """
    :raises InputError: if the name ends in another way, or the file cannot be written
    """
    check_plot(path)
    from matplotlib import rc_context

    kind = _KINDS[path.suffix.lower()]
    try:
        with rc_context(_STYLE):  # type: ignore[arg-type]
            drawn.savefig(path, format=kind, metadata={"Date": None} if kind == "svg" else None)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write {path}: {why}", "name another file for the picture") from None
