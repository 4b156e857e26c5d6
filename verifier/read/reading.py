"""How the claims of a text are found, as a user chooses it. An extractor is one file, and one line of `EXTRACTORS`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgstore.verifier.protocols import ChatModel, Extractor, LinkingExtractor

RULES = "rules"
EXTRACTORS: dict[str, str | None] = {RULES: None, "llama": "extractor:opened", "combined": "combined:opened"}
"""Module in `kgstore.verifier.llm`, and what there makes an extractor of the rules, a model and ``careful``; it is
imported when it is asked for. None: the rules themselves, which ask no language model."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Which extractor reads, and which language model it asks.

    :param extractor: ``rules``, ``llama`` (a language model), or ``combined`` (both)
    :param gguf: a local model's file; None means ``KGSTORE_GGUF``
    :param llm: address of a server in the closed network, used in place of a file
    :param llm_model: which of the server's models; None means its first
    :param careful: the model reads twice and checks what it found
    """

    extractor: str = RULES
    gguf: Path | None = None
    llm: str | None = None
    llm_model: str | None = None
    careful: bool = False

    @property
    def asks(self) -> bool:
        """Does the extractor ask a language model?"""
        return EXTRACTORS[self.extractor] is not None

    def open(self, rules: LinkingExtractor, model: ChatModel | None = None) -> Extractor:
        """The extractor. Nothing is loaded or asked before the first text.

        :param model: what `model` gave before, so that it is not loaded twice
        :raises ModelMissing: if there is no file at the GGUF's path
        :raises InputError: if the server's address is none
        """
        if (home := EXTRACTORS[self.extractor]) is None:
            return rules
        module, _, opener = home.partition(":")
        found = import_module(f"kgstore.verifier.llm.{module}")
        return getattr(found, opener)(rules, model or self.model(), self.careful)

    def model(self) -> ChatModel | None:
        """The language model, None where none is named. Nothing is loaded or asked yet.

        :raises ModelMissing: if there is no file at the GGUF's path
        :raises InputError: if the server's address is none
        """
        if self.llm is not None:
            from kgstore.verifier.llm.server import ServerModel

            return ServerModel(self.llm, self.llm_model)
        gguf = self.gguf or (Path(os.environ["KGSTORE_GGUF"]) if os.environ.get("KGSTORE_GGUF") else None)
        if gguf is None:
            return None
        from kgstore.verifier.llm.llama import LlamaModel
        from kgstore.verifier.llm.wheel import WheelModel, only_in_a_wheel

        return WheelModel(gguf) if only_in_a_wheel() else LlamaModel(gguf)
