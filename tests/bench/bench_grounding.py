"""How many questions a second are answered and looked into, and in how much memory?

Run:    python -m tests.bench.bench_grounding kb.txt.gz qa_1hop_dev.jsonl.gz --lm model.gguf --questions 48 --threads 2
Prints: one JSON line (arguments, questions a second by the clock, CPU seconds a question, tokens of the prompts, peak
        memory), so that runs can be appended and compared. Reading graph and model is not timed; memory is of all.

The quality of PRD, SAS and the detector, on the data of the paper (github.com/yuyuz/MetaQA, 1-hop):

    kgstore grounding measure qa_1hop_dev.jsonl.gz --triples kb.txt.gz --lm model.gguf --limit 2060 -o gga_rows.jsonl
    kgstore grounding evaluate gga_rows.jsonl --plots pictures
    kgstore reproduce gga --data .

The first takes some 35 minutes of two cores and can be stopped and started again.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from pathlib import Path

from kgstore.verifier.grounding.collect import read_questions, sample
from kgstore.verifier.grounding.knowledge import read_triples
from kgstore.verifier.grounding.lm import LanguageModel
from kgstore.verifier.grounding.measure import BATCH, Looked, look
from kgstore.verifier.grounding.prompt import ask
from kgstore.verifier.grounding.subgraph import prepare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triples", type=Path)
    parser.add_argument("questions_file", type=Path)
    parser.add_argument("--lm", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=3 * BATCH)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    import torch

    torch.set_num_threads(given.threads)
    graph, model = read_triples(given.triples), LanguageModel(given.lm)
    asked = sample(read_questions(given.questions_file), given.questions)
    subgraphs = [prepare(graph, list(one.topics), list(one.gold)) for one in asked[:BATCH]]
    lengths = [len(model.encode(ask(sub.triples, one.question))[0]) for sub, one in zip(subgraphs, asked, strict=False)]
    list(look(model, graph, asked[:1]))  # reads what all prompts begin with
    seconds, used = time.perf_counter(), time.process_time()
    measured = sum(
        isinstance(found, Looked)
        for start in range(0, len(asked), BATCH)
        for found in look(model, graph, asked[start : start + BATCH])
    )
    seconds, used = time.perf_counter() - seconds, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    line = {
        "lm": given.lm.name,
        "questions": len(asked),
        "measured": measured,
        "threads": given.threads,
        "per_second": round(len(asked) / seconds, 3),
        "cpu_seconds_each": round(used / len(asked), 3),
        "prompt_tokens": round(statistics.mean(lengths)),
        "peak_memory_gb": round(peak / 1e9, 2),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
