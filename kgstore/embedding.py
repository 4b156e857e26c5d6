"""Texts as vectors. The default model comes along; any sentence-transformers folder can take its place."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kgstore.bert import FOLDER, SETTINGS, Bert
from kgstore.errors import ModelMissing
from kgstore.wordpiece import WordPiece

_log = logging.getLogger(__name__)
_LONGEST = 256
"""Tokens of a text that the default model reads, what it was trained for; the rest is cut off."""
_FEW = 64
"""Up to so many different texts of one call are remembered, `_KEPT` in all."""
_KEPT = 20_000
_EDGE = 1 << 16


class Embedder(Protocol):
    """Turns texts into vectors whose dot product says how close their meanings are.

    :param dim: width of a vector
    :param fingerprint: the same for the same weights, whatever their path
    """

    @property
    def dim(self) -> int: ...

    @property
    def fingerprint(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 ``(len(texts), dim)``; rows have length 1, an empty text gives zeros."""


def load_embedder(path: Path | None = None) -> Embedder:
    """The default model, or that of a sentence-transformers folder.

    :raises ModelMissing: if there is none
    """
    return MiniLM() if path is None else SentenceModel(path)


class MiniLM:
    """all-MiniLM-L6-v2, 384 wide, ready in a tenth of a second.

    >>> model = MiniLM()
    >>> close, far = model.embed(["place of birth", "mains voltage"]) @ model.embed(["was born in"])[0]
    >>> bool(close > 0.5 > far)
    True

    :param path: a folder with the same kind of model
    :raises ModelMissing: if a file is absent, or of another kind
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = FOLDER if path is None else Path(path)
        for name in ("config.json", "model.safetensors", "tokenizer.json"):
            if not (self.path / name).is_file():
                raise ModelMissing("the embedding model", self.path / name, "install kgstore again")
        try:
            self._bert = Bert(self.path)
            self._tokens = WordPiece(self.path / "tokenizer.json")
        except Exception as error:  # of many kinds
            raise ModelMissing(f"a BERT for embedding ({error})", self.path, "name another folder") from None
        _log.debug("opened the model in %s", self.path)
        self._known: dict[str, np.ndarray] = {}
        self.dim = self._bert.weights.dim

    @cached_property
    def rough(self) -> MiniLM:
        """The same model, see `rough`."""
        other = copy(self)
        other._bert, other._known = Bert(self.path, rough=True, weights=self._bert.weights), {}
        return other

    @cached_property
    def fingerprint(self) -> str:
        """Of the weights, or of those that they were made from and agree with to 1e-4."""
        config = json.loads((self.path / "config.json").read_text(encoding="utf-8"))
        return config.get(SETTINGS, {}).get("fingerprint") or fingerprint(self.path)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors of texts; of a long text its first 256 tokens. A few short texts are remembered from call to call."""
        distinct = list(dict.fromkeys(texts))
        if len(distinct) > _FEW:
            numbers = {text: number for number, text in enumerate(distinct)}
            return self._rows(distinct)[[numbers[text] for text in texts]]
        if len(self._known) > _KEPT:
            self._known = {}
        known = self._known
        if new := [text for text in distinct if text not in known]:
            known.update(zip(new, self._rows(new), strict=True))
        return np.array([known[text] for text in texts], np.float32).reshape(-1, self.dim)

    def _rows(self, texts: list[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dim), np.float32)
        filled = np.array([number for number, text in enumerate(texts) if text.strip()], np.int64)
        begin, end = self._tokens.begin, self._tokens.end
        tokens = (self._tokens(clean(texts[number]))[: _LONGEST - 2] for number in filled)
        rows[filled] = self._bert([[begin, *some, end] for some in tokens])
        return rows


def rough(embedder: Embedder) -> Embedder:
    """One that takes half the time where there is one, for texts that are compared with each other only.

    The default model's cosines are 0.005 off on average then: 0.014 for one pair in twenty, never over 0.031 in 428.
    """
    return embedder.rough if isinstance(embedder, MiniLM) else embedder


class SentenceModel:
    """Any model that sentence-transformers reads, without pickled weights and without code from the folder.

    :raises ModelMissing: if the folder is absent, or holds no such model
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        if not (self.path / "modules.json").is_file():
            raise ModelMissing("a sentence-transformers model", self.path / "modules.json", "name another folder")
        offline()
        from sentence_transformers import SentenceTransformer

        try:
            self._model = SentenceTransformer(
                str(self.path), device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True}
            )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise ModelMissing(f"a sentence-transformers model ({reason})", self.path, "name another folder") from None
        self.dim = int(self._model.encode(["width"], show_progress_bar=False).shape[1])
        self.fingerprint = fingerprint(self.path)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        options: dict[str, Any] = {"normalize_embeddings": True, "show_progress_bar": False, "convert_to_numpy": True}
        rows = np.zeros((len(texts), self.dim), np.float32)
        if filled := [number for number, text in enumerate(texts) if text.strip()]:
            rows[filled] = self._model.encode([clean(texts[number]) for number in filled], **options)
        return rows


def offline() -> None:
    """Nothing is downloaded; must come before the first import of such a library."""
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"


def clean(text: str) -> str:
    """Without lone surrogates, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def fingerprint(folder: Path) -> str:
    """Names, sizes and first and last bytes of the weights: read in a millisecond, and different after any training."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.safetensors")):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder)} {size}\n".encode())
        with path.open("rb") as file:
            digest.update(file.read(_EDGE))
            file.seek(max(0, size - _EDGE))
            digest.update(file.read())
    return digest.hexdigest()[:16]
