"""The relation reader that somebody names: a judge (`verifier.protocols.Judge`) that was taught which relations a
sentence asserts."""

from __future__ import annotations

from pathlib import Path

from verifier.judges.native import FILES, NativeJudge
from verifier.protocols import Judge

NONE = "none"
FOLDER = Path(__file__).parents[1] / "models" / "reader"


def open_reader(name: str | Path | None = None) -> Judge | None:
    """``none``, or a folder that `kgstore train-reader` made.

    :param name: None is the one that comes with kgstore, where its weights came with this installation
    :raises ModelMissing: if what is named is not there
    """
    if name == NONE or (name is None and not shipped()):
        return None
    return NativeJudge(FOLDER if name is None else Path(name))


def shipped() -> bool:
    """Did the weights of the reader come with this installation?"""
    return all((FOLDER / name).is_file() for name in FILES)
