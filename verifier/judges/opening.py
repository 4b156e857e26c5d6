"""The judge that somebody names. A kind of judge is one file, and one line of `KINDS`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from kgstore.verifier.judges.native import FILES, FOLDER, SETTINGS, NativeJudge
from kgstore.verifier.protocols import Judge

NONE, DEFAULT = "none", "default"


def open_judge(name: str | Path | None = None) -> Judge | None:
    """``none``, ``default`` (the one that comes with kgstore), a folder (ours or of Hugging Face), or a GGUF file.

    :param name: None is the default
    :return: None for ``none``, and for the default where its weights did not come with this installation
    :raises ModelMissing: if what is named is not there
    :raises InputError: if the classes of a folder's model do not tell what they mean
    """
    if name == NONE:
        return None
    if name is None or name == DEFAULT:
        return NativeJudge(FOLDER) if shipped() else None
    path = Path(name)
    module, _, opener = next(kind.home for kind in KINDS if kind.takes(path)).partition(":")
    return getattr(import_module(f"kgstore.verifier.judges.{module}"), opener)(path)


def shipped() -> bool:
    """Did the weights of the default judge come with this installation?"""
    return all((FOLDER / name).is_file() for name in FILES)


def ours(folder: Path) -> bool:
    """Does the folder hold a judge that `kgstore train-judge` made?"""
    try:
        return SETTINGS in json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of judge that lies in files.

    :param takes: is a path one of this kind? The first kind that takes it opens it
    :param home: module in this folder, and what there makes a judge of a path; imported when it is asked for
    """

    takes: Callable[[Path], bool]
    home: str


KINDS = (
    Kind(lambda path: path.suffix == ".gguf", "language_model:gguf_judge"),
    Kind(ours, "native:NativeJudge"),
    Kind(lambda path: True, "huggingface:HuggingFaceJudge"),  # says itself what a folder lacks
)
