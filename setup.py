"""What pyproject.toml cannot say: weights that several models share are stored once in a wheel."""

from __future__ import annotations

import json
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

WORDS = "embeddings.word_embeddings.weight"


def shares(weights: Path) -> bool:
    """Does the model take its words' vectors from the embedding model (`kgstore.bert.SHARED`)?"""
    settings = json.loads(weights.with_name("config.json").read_text(encoding="utf-8"))
    return bool(settings.get("kgstore", {}).get("words"))


def without_words(path: Path) -> bytes:
    """A ``model.safetensors`` without the words' vectors, for a model whose settings say that they are another's."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8:start]), data[start:]
    kept, parts, at = {}, [], 0
    for name, one in header.items():
        if name == "__metadata__":
            kept[name] = one
        elif not name.endswith(WORDS):
            begin, end = one["data_offsets"]
            kept[name] = one | {"data_offsets": [at, at + end - begin]}
            parts.append(body[begin:end])
            at += end - begin
    text = json.dumps(kept, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


class Build(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for weights in Path(self.build_lib).glob("kgstore/verifier/models/*/model.safetensors"):
            if shares(weights):
                weights.write_bytes(without_words(weights))


if __name__ == "__main__":
    setup(cmdclass={"build_py": Build})
