"""How much of what GraphEval flags does a language model put right, and how much of the text does it keep?

Run:    python -m tests.bench.bench_graphcorrect qags_xsum.json.gz --gguf model.gguf --replies replies.jsonl --texts 60
        (--methods graphcorrect,published,direct; --threads 1; --out FILE keeps each text with what became of it)
Prints: one JSON line a method, with the number of texts, then 95 % intervals of the two main figures.

The texts are those of the file (``article`` and ``summary``) that the built-in judge flags, in an order that a seed
fixes. All methods go over one text before the next; --replies keeps the model's replies, so that a run can go on.
believed: share of the texts in which nothing is flagged afterwards. rouge_*: mean F1 against the original, which is 1
where nothing was changed; changed: share of the texts that differ at all, rouge_1_changed is over those.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.measure.bootstrap import DRAWS, SEED, percentiles
from kgstore.verifier.methods.graphcorrect import Rewritten
from kgstore.verifier.methods.grapheval import flagged, grapheval
from kgstore.verifier.methods.registry import open_rewriting
from kgstore.verifier.methods.rouge import rouge
from tests.bench.bench_extractors import Remembered


def corrected(rows: list[dict[str, Any]], methods: list[str], model: Remembered) -> Iterator[list[dict[str, Any]]]:
    """For each flagged text one line a method."""
    embedder, judge = load_embedder(), open_judge()
    assert judge is not None
    for row in rows:
        document = Document(row["article"], embedder)

        def detect(text: str, document: Document = document) -> list:
            return flagged(grapheval(text, document, judge))

        if not detect(row["summary"]):
            continue
        lines = []
        for method in methods:
            model.seconds = 0.0
            done = open_rewriting(method)(row["summary"], document, detect, model)
            lines.append({"id": row["id"], "label": row["label"], "method": method, **told(row["summary"], done)}
                         | {"seconds": round(model.seconds, 1)})
        yield lines


def told(text: str, done: Rewritten) -> dict[str, Any]:
    kept = rouge(text, done.text)
    return {
        "text": text,
        "corrected": done.text,
        "edits": [[edit.old, edit.new] for edit in done.edits],
        "refused": dict(done.refused),
        "before": len(done.before),
        "after": len(done.after),
        "believed": not done.after,
        "rouge": [kept.rouge_1, kept.rouge_2, kept.rouge_l],
    }


def summary(method: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    scores = np.array([one["rouge"] for one in lines])
    believed = np.array([one["believed"] for one in lines], float)
    changed = np.array([one["corrected"] != one["text"] for one in lines])
    drawn = np.random.default_rng(SEED).integers(0, len(lines), (DRAWS, len(lines)))
    return {
        "method": method,
        "texts": len(lines),
        "believed": round(float(believed.mean()), 3),
        "believed_95": percentiles(believed[drawn].mean(axis=1)),
        **{name: round(float(score), 3) for name, score in zip(("rouge_1", "rouge_2", "rouge_l"), scores.mean(axis=0),
                                                               strict=True)},
        "rouge_1_95": percentiles(scores[:, 0][drawn].mean(axis=1)),
        "changed": round(float(changed.mean()), 3),
        "rouge_1_changed": round(float(scores[changed, 0].mean()), 3) if changed.any() else None,
        "triples_before": sum(one["before"] for one in lines),
        "triples_after": sum(one["after"] for one in lines),
        "refused": dict(sum((Counter(one["refused"]) for one in lines), Counter())),
        "cpu_seconds_a_text": round(float(np.mean([one["seconds"] for one in lines])), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--methods", default="graphcorrect,published,direct")
    parser.add_argument("--texts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop before the next text after so long")
    asked = parser.parse_args()
    with gzip.open(asked.rows, "rt", encoding="utf-8") as stream:
        rows = json.load(stream)
    random.Random(asked.seed).shuffle(rows)
    model = Remembered(LlamaModel(asked.gguf, threads=asked.threads), asked.replies)
    methods, found, began = asked.methods.split(","), [], time.monotonic()
    for lines in corrected(rows, methods, model):
        found.append(lines)
        if asked.out is not None:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for some in found for line in some)
            asked.out.write_text(text, encoding="utf-8")
        if len(found) == asked.texts or time.monotonic() - began > asked.minutes * 60:
            break
    model.close()
    for at, method in enumerate(methods):
        print(json.dumps(summary(method, [lines[at] for lines in found])))


if __name__ == "__main__":
    main()
