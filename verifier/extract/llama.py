"""Claims found by a local language model through llama.cpp: one call for one text, its reply held to a grammar.

The instructions and examples come first and never change, so the model reads them once; every later call continues
after them. Calls do not see each other: the same text gives the same claims whatever was asked before.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgstore.errors import ModelMissing
from verifier.claims import Claim
from verifier.extract.reply import parse_reply, to_claims
from verifier.extract.windows import sentences, windows
from verifier.protocols import Extractor

if TYPE_CHECKING:
    from llama_cpp import Llama, LlamaGrammar

CONTEXT = 4096
"""Tokens that prompt, text and reply may take together."""

MOST_WINDOWS = 32
"""Beyond so many calls for one text (about 20,000 words) the rules extractor takes over: a CPU would work for hours."""

TRIPLE_TOKENS = 48
"""Room for one triple in the reply, generously."""

INSTRUCTION = """\
List the facts that the text states, each as one JSON object with "head", "relation" and "tail".
- Copy head and tail from the text, letter by letter: a name, a date, a number with its unit, or a short noun phrase.
- The relation is the few words that connect them.
- Write the full name where the text says he, she, it or "the film".
- One object for each fact: split lists, and give date and place separately.
- State only what the text says. Leave out opinions. Answer [] if there is no fact."""

EXAMPLES = (
    (
        "Mira Holt (born 3 March 1921 in Graz) was an Austrian chemist. She taught at the University of Basel and, in "
        "1960, received the Lang Prize. Many students admired her.",
        (
            ("Mira Holt", "was born on", "3 March 1921"),
            ("Mira Holt", "was born in", "Graz"),
            ("Mira Holt", "has nationality", "Austrian"),
            ("Mira Holt", "is a", "chemist"),
            ("Mira Holt", "taught at", "University of Basel"),
            ("Mira Holt", "received", "Lang Prize"),
        ),
    ),
    ("What a lovely evening it was, and how quickly it passed!", ()),
    (
        "The Glass Harbour is a drama film directed by Tom Reyes, with Ann Cole and Luc Petit in the main roles. The "
        "film runs for 95 minutes. The mother of Ann Cole was born in Lyon.",
        (
            ("The Glass Harbour", "is a", "drama film"),
            ("The Glass Harbour", "directed by", "Tom Reyes"),
            ("The Glass Harbour", "has main role", "Ann Cole"),
            ("The Glass Harbour", "has main role", "Luc Petit"),
            ("The Glass Harbour", "runs for", "95 minutes"),
            ("The mother of Ann Cole", "was born in", "Lyon"),
        ),
    ),
)

_PLACEHOLDER = "\x02TEXT\x03"


class LlamaExtractor:
    """An `Extractor` over any instruct model in GGUF format. The model is opened at the first text.

    ``notices`` tells what the last call left out or did otherwise than asked; empty when all went well.

    :param gguf: the model file; None means ``KGSTORE_GGUF``, and with that unset every text goes to ``fallback``
    :param fallback: takes the texts for which the model gives nothing usable
    :param context: tokens for prompt, text and reply together; longer texts are read in windows
    :raises ModelMissing: if there is no file at ``gguf``, or llama-cpp-python is not installed, or the file is no model
    """

    def __init__(
        self,
        gguf: Path | None,
        fallback: Extractor,
        *,
        context: int = CONTEXT,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        if gguf is None and os.environ.get("KGSTORE_GGUF"):
            gguf = Path(os.environ["KGSTORE_GGUF"])
        if gguf is not None and not Path(gguf).is_file():
            raise ModelMissing("the GGUF model", gguf, "name a .gguf file with --gguf, or use --extractor rules")
        self.gguf = None if gguf is None else Path(gguf)
        self.fallback = fallback
        self.context, self.seed, self.threads = context, seed, threads or _cores()
        self.notices: list[str] = []

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order, each with its character span; ``[]`` when nothing is claimed."""
        self.notices = []
        if not text.strip():
            return []
        if self.gguf is None:
            return self._fall_back(text, "no GGUF model is given (--gguf or KGSTORE_GGUF)")
        spans = sentences(text)
        parts = list(windows(text, spans, [len(self._tokens(text[a:b])) for a, b in spans], self._room))
        if len(parts) > MOST_WINDOWS:
            return self._fall_back(text, f"the text needs {len(parts)} calls of the model, more than {MOST_WINDOWS}")
        claims, left_out = [], Counter[str]()
        for start, end in parts:
            found, finished = parse_reply(self.reply(text[start:end], len(sentences(text[start:end]))))
            if not finished and not found:
                return self._fall_back(text, "the model's reply is not a list of facts")
            some, out = to_claims(text, found, (start, end))
            if found and not some:
                return self._fall_back(text, f"none of the model's {len(found)} facts stands in the text")
            claims += some
            left_out += out
            if not finished:
                self.notices.append("llama: the reply was cut off at its limit; facts after that are missing")
        if left_out:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
            self.notices.append(f"llama: {left_out.total()} facts of the model left out ({reasons})")
        return claims

    def reply(self, text: str, sentences: int) -> str:
        """What the model answers, as it is; its length is bounded by the number of sentences."""
        before, after = self._frame
        most = most_triples(sentences)
        prompt = [*before, *self._tokens(text), *after]
        room = self.context - len(prompt) - 1
        # only the fixed part of the last call may be reused: then a reply depends on nothing but its text
        self._llama.n_tokens = min(self._llama.n_tokens, len(before))
        pieces: Any = self._llama.create_completion(
            prompt,
            max_tokens=min(room, most * TRIPLE_TOKENS + 8),
            temperature=0.0,
            seed=self.seed,
            grammar=self._grammar(most),
            stream=True,
        )
        reply = ""
        with closing(pieces):
            for piece in pieces:
                reply += piece["choices"][0]["text"]
                if "}" in piece["choices"][0]["text"] and goes_round(reply):
                    return reply[: reply.rindex("}") + 1] + "]"
        return reply

    def close(self) -> None:
        """Free the model's memory; the next text opens it again."""
        if "_llama" in self.__dict__:
            self._llama.close()
        for part in ("_llama", "_frame"):
            self.__dict__.pop(part, None)

    def _fall_back(self, text: str, why: str) -> list[Claim]:
        self.notices.append(f"llama: {why}; the rules extractor read the text instead")
        return self.fallback.extract(text)

    @cached_property
    def _llama(self) -> Llama:
        llama_cpp = _llama_cpp(self.gguf)
        try:
            return llama_cpp.Llama(
                str(self.gguf),
                n_ctx=self.context,
                seed=self.seed,
                n_threads=self.threads,
                n_threads_batch=self.threads,
                verbose=False,
            )
        except (ValueError, OSError) as error:
            raise ModelMissing("a usable GGUF model", str(self.gguf), f"name another with --gguf ({error})") from None

    @cached_property
    def _frame(self) -> tuple[list[int], list[int]]:
        """The tokens before the text and after it. The first part is read here, once, and kept by the model."""
        before, _, after = self._prompt().partition(_PLACEHOLDER)
        starts = self._llama.detokenize([self._llama.token_bos()], special=True)
        opening = before.encode().removeprefix(starts) if starts else before.encode()
        tokens = self._llama.tokenize(opening, add_bos=True, special=True)
        self._llama.eval(tokens)
        return tokens, self._llama.tokenize(after.encode(), add_bos=False, special=True)

    def _prompt(self) -> str:
        """Instruction, examples and a placeholder for the text, laid out as the model was taught."""
        turns = messages()
        template = self._llama.metadata.get("tokenizer.chat_template")
        if not template:
            names = {"user": "Text", "assistant": "Facts"}
            return "".join(f"{names[turn['role']]}: {turn['content']}\n" for turn in turns) + "Facts: "
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        bos, eos = (
            self._llama.detokenize([token], special=True).decode(errors="replace") if token >= 0 else ""
            for token in (self._llama.token_bos(), self._llama.token_eos())
        )
        return Jinja2ChatFormatter(template=template, bos_token=bos, eos_token=eos)(messages=turns).prompt

    @property
    def _room(self) -> int:
        """Tokens of text that one call can take: the reply is given five times as much."""
        before, after = self._frame
        return max(32, (self.context - len(before) - len(after)) // 6)

    def _tokens(self, text: str) -> list[int]:
        """Tokens of somebody's text: what looks like a control token in it is read as plain letters."""
        return self._llama.tokenize(text.encode(errors="replace"), add_bos=False, special=False)

    def _grammar(self, triples: int) -> LlamaGrammar:
        return _llama_cpp(self.gguf).LlamaGrammar.from_string(grammar(triples), verbose=False)


def most_triples(sentences: int) -> int:
    """How many facts a text of so many sentences may give; a grammar alone would let a model repeat itself for ever."""
    return min(64, 4 + 4 * sentences)


def goes_round(reply: str) -> bool:
    """Whether the last two facts were both given before: a small model that has nothing more to say repeats itself."""
    found = parse_reply(reply)[0]
    return len(found) > 2 and found[-1] in found[:-1] and found[-2] in found[:-2]


def grammar(triples: int) -> str:
    """GBNF of a JSON list of at most ``triples`` objects with short strings; control characters cannot occur."""
    return f"""\
root ::= "[" (triple (", " triple){{0,{triples - 1}}})? "]"
triple ::= "{{\\"head\\": " string ", \\"relation\\": " string ", \\"tail\\": " string "}}"
string ::= "\\"" char{{1,120}} "\\""
char ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" ["\\\\]
"""


def messages() -> list[dict[str, str]]:
    """The conversation that the model continues: the same for every text up to the placeholder."""
    turns = []
    for text, facts in EXAMPLES:
        reply = json.dumps([{"head": head, "relation": relation, "tail": tail} for head, relation, tail in facts])
        turns += [{"role": "user", "content": text}, {"role": "assistant", "content": reply}]
    turns.append({"role": "user", "content": _PLACEHOLDER})
    # not as a system message: some models' templates refuse that role
    turns[0]["content"] = f"{INSTRUCTION}\n\n{turns[0]['content']}"
    return turns


def _llama_cpp(gguf: Path | None) -> Any:
    # waiting threads must not spin: on a busy machine that made a reply eight times slower
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    try:
        import llama_cpp
    except ImportError:
        raise ModelMissing("llama-cpp-python, the reader of", gguf or "", "pip install 'kgstore[llm]'") from None
    return llama_cpp


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
