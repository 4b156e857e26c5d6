"""What does a language model add to the rules, and what does it cost?

Run:    python -m tests.bench.bench_extractors labelled.jsonl --kg medium.kg --gguf model.gguf --rows 25
        (--modes rules,llama chooses; --threads 1; --replies FILE keeps the model's replies, so that a run can go on)
Prints: one JSON line a mode: questions and processor seconds a text, span F1, macro-F1, accuracy, false accusations.

Rows are taken at even distances. No question is asked twice: each mode is charged with what its questions took when
they were asked. Processor seconds are wall-clock seconds on a quiet machine with one thread.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kgstore.store import Store
from kgstore.verifier.llm.combined import CombinedExtractor
from kgstore.verifier.llm.extractor import LlmExtractor
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import Task, messages
from kgstore.verifier.measure.evaluate import errors, evaluate
from kgstore.verifier.measure.labelled import read_gold
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.protocols import Extractor
from kgstore.verifier.report.report import report_dict

MODES = ("rules", "llama", "llama-careful", "combined", "combined-careful")


class Remembered:
    """A model whose replies are kept, with the processor seconds that each took; a `ChatModel` itself."""

    def __init__(self, model: LlamaModel, path: Path | None) -> None:
        self.model, self.path = model, path
        self.replies: dict[str, dict[str, Any]] = {}
        self.questions, self.seconds = 0, 0.0
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                kept = json.loads(line)
                self.replies[kept["asked"]] = kept

    @property
    def room(self) -> int:
        return self.model.room

    def size(self, text: str) -> int:
        return self.model.size(text)

    def ask(self, task: Task, question: str, most: int) -> str:
        return self._kept(task, question, [most], lambda: self.model.ask(task, question, most))

    def write(self, task: Task, question: str, most: int, schema: dict[str, Any] | None = None) -> str:
        return self._kept(task, question, [most, schema], lambda: self.model.write(task, question, most, schema))

    def _kept(self, task: Task, question: str, settings: list[Any], reply: Callable[[], str]) -> str:
        asked = json.dumps([messages(task, question), *settings], ensure_ascii=False)
        if asked not in self.replies:
            self.model.prepare(task)    # once for all questions, so nobody is charged with it
            began = time.process_time()
            kept = {"asked": asked, "reply": reply(), "seconds": time.process_time() - began}
            self.replies[asked] = kept
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(kept, ensure_ascii=False) + "\n")
        self.questions += 1
        self.seconds += self.replies[asked]["seconds"]
        return self.replies[asked]["reply"]

    def close(self) -> None:
        self.model.close()


def extractor(mode: str, model: Remembered, verifier: Verifier) -> Extractor:
    """The extractor of a mode, over one model for all modes."""
    if mode == "rules":
        return verifier.rules
    llm = LlmExtractor(model, verifier.rules, careful=mode.endswith("careful"))
    return llm if mode.startswith("llama") else CombinedExtractor(verifier.rules, llm)


def measure(rows: list[dict], verifier: Verifier, model: Remembered, mode: str) -> tuple[dict, list[dict]]:
    """The line of one mode, and its errors."""
    verifier.extractor = extractor(mode, model, verifier)
    model.questions, model.seconds, reports, own = 0, 0.0, {}, time.process_time()
    before = sum(kept["seconds"] for kept in model.replies.values())
    for row in rows:
        reports[row["id"]] = report_dict(verifier.verify(row["text"], row["id"]), verifier.store)
    asked = sum(kept["seconds"] for kept in model.replies.values()) - before
    own = time.process_time() - own - asked
    scores, wrong = evaluate(rows, reports, seconds=own + model.seconds), list(errors(rows, reports))
    accused = sum(error["accusation"] for error in wrong)
    line = {
        "mode": mode,
        "rows": len(rows),
        "questions_a_text": round(model.questions / len(rows), 2),
        "seconds_a_text": round((own + model.seconds) / len(rows), 2),
        "claims": sum(len(report["claims"]) for report in reports.values()),
        "accused_falsely": accused,
        **{
            name: value and round(value, 4)
            for name, value in scores.measures.items()
            if name in ("span_f1", "span_precision", "span_recall", "label_accuracy", "macro_f1", "accuracy")
        },
    }
    if scores.kind == "passages" and scores.labels:
        line["macro_f1"] = round(sum(one.f1 for one in scores.labels.values()) / len(scores.labels), 4)
    return line, [{"mode": mode, **error} for error in wrong]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=25)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--errors", type=Path, help="every wrong verdict of every mode, as JSON lines")
    options = parser.parse_args()
    rows = list(spread(read_gold(options.labelled), options.rows))
    model = Remembered(LlamaModel(options.gguf, threads=options.threads), options.replies)
    wrong: list[dict] = []
    with Store(options.kg, read_only=True) as store:
        verifier = Verifier(store)
        verifier.verify("Warm up.")
        for mode in options.modes.split(","):
            line, found = measure(rows, verifier, model, mode)
            wrong += found
            print(json.dumps(line), flush=True)
    if options.errors is not None:
        options.errors.write_text("".join(json.dumps(error) + "\n" for error in wrong), encoding="utf-8")


def spread(rows: list[dict], count: int) -> Iterator[dict]:
    """At most ``count`` rows at even distances."""
    count = min(count, len(rows))
    return (rows[i * len(rows) // count] for i in range(count))


if __name__ == "__main__":
    main()
