"""The judge that somebody names."""

from __future__ import annotations

import json
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
    folder = Path(name)
    if folder.suffix == ".gguf":
        from kgstore.verifier.judges.asked import AskingJudge
        from kgstore.verifier.llm.llama import LlamaModel

        return AskingJudge(LlamaModel(folder))
    if ours(folder):
        return NativeJudge(folder)
    from kgstore.verifier.judges.huggingface import HuggingFaceJudge

    return HuggingFaceJudge(folder)


def shipped() -> bool:
    """Did the weights of the default judge come with this installation?"""
    return all((FOLDER / name).is_file() for name in FILES)


def ours(folder: Path) -> bool:
    """Does the folder hold a judge that `kgstore train-judge` made?"""
    try:
        return SETTINGS in json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
