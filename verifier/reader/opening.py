"""The relation reader that somebody names: a judge (`verifier.protocols.Judge`) that was taught which relations a
sentence asserts."""

from __future__ import annotations

from pathlib import Path

from kgstore.verifier.judges.native import FILES, NativeJudge
from kgstore.verifier.protocols import Judge

NONE, DEFAULT = "none", "default"
FOLDER = Path(__file__).parents[1] / "models" / "reader"


def open_reader(name: str | Path | None = None) -> Judge | None:
    """``none``, ``default`` (the one that comes with kgstore), or a folder that `kgstore train-reader` made.

    :param name: None is the default
    :return: None for ``none``, and for the default where its weights did not come with this installation
    :raises ModelMissing: if what is named is not there
    """
    if name in (None, DEFAULT):
        return NativeJudge(FOLDER) if shipped() else None
    return None if name == NONE else NativeJudge(Path(name))


def shipped() -> bool:
    """Did the weights of the reader come with this installation?"""
    return all((FOLDER / name).is_file() for name in FILES)
