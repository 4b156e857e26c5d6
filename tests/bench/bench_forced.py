"""Is llama-cpp-python's own ``response_format`` as quick as our way to hold a language model to a form?

Run:    python -m tests.bench.bench_forced --gguf model.gguf [--texts 6] [--most 6]
Prints: one JSON line: for each way the seconds of a text (median), the facts that it gave, and how many replies were
        valid JSON of the schema. Both get the same instructions, one thread and the same texts (everyday sentences).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from kgstore.default import SAMPLE
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import FACTS, messages
from kgstore.verifier.llm.reply import parse_reply
from kgstore.verifier.llm.server import FACT_TOKENS, reply_schema
from kgstore.verifier.read.parse import sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=6)
    parser.add_argument("--most", type=int, default=6, help="facts of one reply")
    given = parser.parse_args()
    sample = SAMPLE.read_text(encoding="utf-8")
    texts = [sample[one.start : one.end].strip() for one in sentences(sample, ())][: given.texts]
    model = LlamaModel(given.gguf, threads=1)

    def ours(text: str) -> str:
        return model.ask(FACTS, text, given.most)

    def theirs(text: str) -> str:
        model._at = None  # the other way writes over what the model remembers
        reply = model._llama.create_chat_completion(
            messages(FACTS, text), temperature=0, max_tokens=64 + given.most * FACT_TOKENS,
            response_format={"type": "json_object", "schema": reply_schema(FACTS, given.most)},
        )  # fmt: skip
        return reply["choices"][0]["message"]["content"]

    found = {"gguf": given.gguf.name, "texts": len(texts)}
    print(json.dumps(found | {"ours": measured(ours, texts), "response_format": measured(theirs, texts)}))


def measured(ask: Callable[[str], str], texts: list[str]) -> dict[str, float]:
    ask(texts[0])  # reads the instructions
    seconds, facts, whole = [], 0, 0
    for text in texts:
        begun = time.perf_counter()
        reply = ask(text)
        seconds.append(time.perf_counter() - begun)
        triples, finished = parse_reply(reply)
        facts, whole = facts + len(triples), whole + finished
    return {"median_s": round(median(seconds), 2), "facts": facts, "whole": whole}


if __name__ == "__main__":
    main()
