"""A local language model through llama.cpp, its replies held to their form.

The instructions and examples of a task never change: the model reads them once and keeps what it made of them, and
every question continues after them.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgstore.errors import ModelMissing
from kgstore.verifier.llm.constrained import NoRoom, write_answers, write_facts
from kgstore.verifier.llm.prompts import FACTS, Task, messages
from kgstore.verifier.llm.reply import goes_round
from kgstore.verifier.llm.writing import write

if TYPE_CHECKING:
    from llama_cpp import Llama

CONTEXT = 4096
"""Tokens that prompt, text and reply may take together."""

_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""llama.cpp's llama_token_data; a grammar sets the logit of what does not fit to minus infinity."""

_PLACEHOLDER = "\x02TEXT\x03"


@dataclass(frozen=True, slots=True)
class _Frame:
    """The tokens before a question and after it, and the model's memory of those before."""

    before: list[int]
    after: list[int]
    memory: Any


class LlamaModel:
    """A `ChatModel` over any instruct model in GGUF format. The model is opened at the first question.

    :param context: tokens for prompt, text and reply together
    :raises ModelMissing: if there is no file at ``gguf``, or llama-cpp-python is not installed, or the file is no model
    """

    def __init__(self, gguf: Path, *, context: int = CONTEXT, threads: int | None = None) -> None:
        if not Path(gguf).is_file():
            raise ModelMissing("the GGUF model", gguf, "name a .gguf file with --gguf, or use --extractor rules")
        self.gguf = Path(gguf)
        self.context, self.threads = context, threads or _cores()
        self._frames: dict[Task, _Frame] = {}
        self._at: Task | None = None
        self._behind: tuple[str, int] | None = None
        self._pieces: dict[int, bytes] = {}

    @property
    def room(self) -> int:
        """Tokens of text that one question can bring: the reply is given several times as much."""
        frame = self._frame(FACTS)
        return max(32, (self.context - len(frame.before) - len(frame.after)) // 6)

    def size(self, text: str) -> int:
        """Tokens of a text."""
        return len(self._tokens(text))

    def ask(self, task: Task, question: str, most: int) -> str:
        """The reply as it is, a JSON list unless it ran out of room."""
        if not self._asked(task, question):
            return ""
        return write_answers(self, most) if task.judges else write_facts(self, most, goes_round)

    def write(self, task: Task, question: str, most: int, schema: dict[str, Any] | None = None) -> str:
        """Text, or JSON that fits a schema unless it ran out of room."""
        if not self._asked(task, question):
            return ""
        if schema is None:
            return write(self, most)
        grammar = _SchemaGrammar(self._llama, schema)
        try:
            return write(self, most, grammar)
        finally:
            grammar.close()

    def _asked(self, task: Task, question: str) -> bool:
        """Read a question; False where there is no room for it."""
        frame = self._frame(task)
        self._go_to(task, frame)
        try:
            self._read([*self._tokens(question), *frame.after])
        except NoRoom:
            return False
        return True

    def leaning(self, task: Task, shared: str, question: str, words: Sequence[str]) -> np.ndarray | None:
        """How well each of some words would begin the reply to ``shared`` and ``question``.

        :param shared: how the question begins; read once for all questions in a row that begin so
        :return: the logits of their first tokens, float32 ``(len(words),)``; None if the question is too long
        """
        frame = self._frame(task)
        if self._at is not task or self._behind is None or self._behind[0] != shared:
            self._go_to(task, frame)
            self._behind = None
            try:
                self._read(self._tokens(shared))
            except NoRoom:
                return None
            self._behind = shared, self._llama.n_tokens
        self._llama.n_tokens = self._behind[1]
        try:
            self._read([*self._tokens(question), *frame.after])
        except NoRoom:
            return None
        return self.logits()[[self._tokens(word)[0] for word in words]]

    def read(self, text: str) -> None:
        """Go on with this text."""
        self._read(self._tokens(text))

    def take(self, token: int) -> None:
        """Go on with one token."""
        self._read([token])

    def logits(self) -> np.ndarray:
        """How well each token of the vocabulary would go on."""
        return np.ctypeslib.as_array(self._llama._ctx.get_logits_ith(-1), shape=(self._llama.n_vocab(),))

    def piece(self, token: int) -> bytes:
        """The bytes of a token, none for one that controls."""
        if token not in self._pieces:
            self._pieces[token] = self._llama.detokenize([token], special=False)
        return self._pieces[token]

    def _read(self, tokens: list[int]) -> None:
        if self._llama.n_tokens + len(tokens) >= self.context:
            raise NoRoom
        self._llama.eval(tokens)

    def prepare(self, task: Task) -> None:
        """Read the fixed part of a task now, so that the first question need not wait for it."""
        self._frame(task)

    def close(self) -> None:
        """Free the model's memory; the next question opens it again."""
        if "_llama" in self.__dict__:
            self._llama.close()
            del self.__dict__["_llama"]
        self._frames.clear()
        self._at = None

    @cached_property
    def _llama(self) -> Llama:
        llama_cpp = _llama_cpp(self.gguf)
        try:
            return llama_cpp.Llama(
                str(self.gguf),
                n_ctx=self.context,
                n_threads=self.threads,
                n_threads_batch=self.threads,
                verbose=False,
            )
        except (ValueError, OSError) as error:
            raise ModelMissing("a usable GGUF model", str(self.gguf), f"name another with --gguf ({error})") from None

    def _frame(self, task: Task) -> _Frame:
        """The fixed part of a task, read by the model when it is first needed."""
        if task not in self._frames:
            before, _, after = self._prompt(task).partition(_PLACEHOLDER)
            starts = self._llama.detokenize([self._llama.token_bos()], special=True)
            opening = before.encode().removeprefix(starts) if starts else before.encode()
            tokens = self._llama.tokenize(opening, add_bos=True, special=True)
            self._llama.reset()
            self._llama.eval(tokens)
            self._at, self._behind = task, None
            self._frames[task] = _Frame(
                tokens, self._llama.tokenize(after.encode(), add_bos=False, special=True), self._memory()
            )
        return self._frames[task]

    def _go_to(self, task: Task, frame: _Frame) -> None:
        """Put the model to the end of a task's fixed part: a reply depends on nothing but its question."""
        if self._at is not task:
            context, lib = self._llama._ctx.ctx, _llama_cpp(self.gguf)
            lib.llama_state_seq_set_data(context, frame.memory, len(frame.memory), 0)
            self._llama.input_ids[: len(frame.before)] = frame.before
            self._at = task
        self._llama.n_tokens = len(frame.before)

    def _memory(self) -> Any:
        """What the model holds now: some 30 kB a token for a model of 1.5 billion parameters."""
        context, lib = self._llama._ctx.ctx, _llama_cpp(self.gguf)
        memory = (ctypes.c_uint8 * lib.llama_state_seq_get_size(context, 0))()
        lib.llama_state_seq_get_data(context, memory, len(memory), 0)
        return memory

    def _prompt(self, task: Task) -> str:
        """Instruction, examples and a placeholder for the question, laid out as the model was taught."""
        turns = messages(task, _PLACEHOLDER)
        template = self._llama.metadata.get("tokenizer.chat_template")
        if not template:
            names = {"user": "Question", "assistant": "Answer"}
            return "".join(f"{names[turn['role']]}: {turn['content']}\n" for turn in turns) + "Answer: "
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        bos, eos = (
            self._llama.detokenize([token], special=True).decode(errors="replace") if token >= 0 else ""
            for token in (self._llama.token_bos(), self._llama.token_eos())
        )
        return Jinja2ChatFormatter(template=template, bos_token=bos, eos_token=eos)(messages=turns).prompt  # type: ignore[arg-type]

    def _tokens(self, text: str) -> list[int]:
        """Tokens of somebody's text: what looks like a control token in it is read as plain letters."""
        return self._llama.tokenize(text.encode(errors="replace"), add_bos=False, special=False)


class _SchemaGrammar:
    """llama.cpp's own grammar of a JSON schema, asked about a few tokens at a time: about all of them it is slow."""

    def __init__(self, llama: Llama, schema: dict[str, Any]) -> None:
        import llama_cpp
        from llama_cpp.llama_grammar import json_schema_to_gbnf

        self._lib = llama_cpp
        rules = json_schema_to_gbnf(json.dumps(schema), prop_order=_keys(schema))
        self._sampler = llama_cpp.llama_sampler_init_grammar(llama._model.vocab, rules.encode(), b"root")
        if not self._sampler:
            raise ValueError(f"llama.cpp makes no grammar of the schema {schema}")

    def first(self, tokens: np.ndarray) -> int | None:
        lib = self._lib
        data = np.zeros(len(tokens), _TOKEN_DATA)
        data["id"] = tokens
        place = data.ctypes.data_as(lib.llama_token_data_p)
        asked = lib.llama_token_data_array(place, len(tokens), -1, False)
        lib.llama_sampler_apply(self._sampler, ctypes.byref(asked))
        fits = np.flatnonzero(data["logit"] == 0)
        return int(data["id"][fits[0]]) if len(fits) else None

    def accept(self, token: int) -> None:
        self._lib.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        self._lib.llama_sampler_free(self._sampler)


def _keys(schema: Any) -> list[str]:
    """The names of all properties in the order in which the schema has them: a model writes them in that order."""
    if isinstance(schema, list):
        return [key for part in schema for key in _keys(part)]
    if not isinstance(schema, dict):
        return []
    own = list(schema["properties"]) if isinstance(schema.get("properties"), dict) else []
    return own + [key for part in schema.values() for key in _keys(part)]


def _llama_cpp(gguf: Path) -> Any:
    # waiting threads must not spin: on a busy machine that made a reply eight times slower
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    try:
        import llama_cpp
        from llama_cpp import _utils
    except ImportError:
        raise ModelMissing("llama-cpp-python, the reader of", gguf, "pip install 'kgstore[llm]'") from None
    for name in ("outnull_file", "errnull_file"):
        # it never closes these two, which Python would warn of at its end
        sink = getattr(_utils, name, None)
        if sink is not None and sink.buffer.raw.closefd:
            sink.close()
            setattr(_utils, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False))
    return llama_cpp


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
