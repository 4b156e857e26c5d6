"""A language model on this machine through xllamacpp: llama.cpp in a wheel, for where no compiler is (extra llm-wheel).

It is asked as a server is, in this process: replies are held to a JSON schema by llama.cpp's own grammar, where
`kgstore.verifier.llm.llama` steers the model token by token. A GGUF judge, which is asked for probabilities, cannot be
had in this way. The package listens on a port of 127.0.0.1 besides; it gets a key that nobody knows, so that nobody
else is answered.
"""

from __future__ import annotations

import secrets
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kgstore.errors import ModelMissing
from kgstore.verifier.llm.llama import CONTEXT
from kgstore.verifier.llm.server import ServerFailed, ServerModel


def only_in_a_wheel() -> bool:
    """Is xllamacpp here, and llama-cpp-python is not?"""
    return find_spec("llama_cpp") is None and find_spec("xllamacpp") is not None


class WheelModel(ServerModel):
    """A `ChatModel` over any instruct model in GGUF format. The model is opened at the first question.

    :raises ModelMissing: if there is no file at ``gguf``; at the first question, if it is no model
    """

    def __init__(self, gguf: Path, *, context: int = CONTEXT, threads: int | None = None) -> None:
        if not Path(gguf).is_file():
            raise ModelMissing("the GGUF model", gguf, "name a .gguf file with --gguf, or use --extractor rules")
        super().__init__("http://127.0.0.1", Path(gguf).name, room=context // 2)
        self.gguf, self.context, self.threads = Path(gguf), context, threads
        self.url = str(gguf)

    def _send(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._server.handle_chat_completions(body)
        if isinstance(answer, dict) and "error" in answer:
            why = " ".join(str(answer["error"].get("message", "")).split())[:200]
            raise ServerFailed(self.url, f"refused the question ({why})", "give it a shorter text")
        return answer

    @cached_property
    def _server(self) -> Any:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path, params.n_ctx, params.n_parallel = str(self.gguf), self.context, 1
        params.api_keys, params.ui, params.warmup, params.verbosity = [secrets.token_hex()], False, False, -1
        if self.threads:
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self.threads
        try:
            return xllamacpp.Server(params)
        except (RuntimeError, ValueError) as error:
            why = " ".join(str(error).split())[:200]
            raise ModelMissing(f"a model that llama.cpp reads ({why})", self.gguf, "name another .gguf file") from None

    def close(self) -> None:
        """Let go of the model; the next question opens it again."""
        self.__dict__.pop("_server", None)
