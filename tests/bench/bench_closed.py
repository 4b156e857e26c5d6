"""How well does each method tell whether a summary is consistent with its article?

Reads each text once, sentence by sentence, and keeps what it found in a file: a run that was cut off goes on where it
stopped, and figures are made from the file in seconds. Thresholds and weights are chosen on one half of the articles
and measured on the other: the last bit of the SHA-256 digest of the article tells which half it is in.

Run:    python -m tests.bench.bench_closed read TEXTS.json.gz --to found.jsonl
        python -m tests.bench.bench_closed figures found.jsonl
        python -m tests.bench.bench_closed figures found.jsonl --shipped --all
        python -m tests.bench.bench_closed fit found.jsonl more.jsonl --even --beside few.jsonl --to combination.json
        python -m tests.bench.bench_closed across found.jsonl more.jsonl --even --beside few.jsonl
        python -m tests.bench.bench_closed read TEXTS.json.gz --to asked.jsonl --judge MODEL.gguf
        python -m tests.bench.bench_closed fit asked.jsonl more.jsonl --even --judge MODEL.gguf --to whole.json
        python -m tests.bench.bench_closed paper TEXTS.json.gz --to paper.jsonl --limit 100
        python -m tests.bench.bench_closed figures paper.jsonl
TEXTS is a list of objects with ``id``, ``article``, ``summary`` and ``label`` (consistent, inconsistent), or JSON lines
with ``id``, ``text``, ``context`` and ``label`` (attributable, or anything else). ``fit`` also chooses
where an attributable sentence begins: by the mean of the sources' balanced accuracies. ``across`` leaves each source
out in turn, fits to the others, and measures on all texts of the one that was left out.
Prints: JSON lines, one a method: balanced accuracy at the chosen threshold and at 0.5, with 95 % intervals from 2,000
draws of the articles, and the area under the ROC curve. ``paper`` puts GraphEval as its paper has it to the same texts:
head, relation and tail as the hypothesis, all windows of the article.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.verifier.document.context import OpenExtractor
from kgstore.verifier.document.deciding import difference
from kgstore.verifier.document.entailment import reads_whole
from kgstore.verifier.document.features import NAMES, WEIGHED, WHOLE
from kgstore.verifier.document.parts import DocumentParts
from kgstore.verifier.document.reading import read
from kgstore.verifier.document.recase import recased
from kgstore.verifier.document.sentence_claims import only_asked
from kgstore.verifier.document.source import Document
from kgstore.verifier.document.weights import STRENGTH, balances, bounded, fitted, shipped, supports
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.measure.metrics import balanced_accuracy, best_threshold, roc_auc
from kgstore.verifier.methods.grapheval import THRESHOLD, grapheval
from kgstore.verifier.read.markup import plain

Row = dict[str, Any]


def texts(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream] if ".jsonl" in path.name else json.load(stream)
    for row in rows:
        if "context" in row:
            label = "consistent" if row["label"] == "attributable" else "inconsistent"
            row.update(article=row["context"], summary=row["text"], label=label)
    return sorted(rows, key=lambda row: digest(row["article"]))


def digest(article: str) -> str:
    return hashlib.sha256(article.encode()).hexdigest()


class Remembering:
    """A judge that judges each pair once."""

    def __init__(self, judge: Any) -> None:
        self.inner, self.known = judge, {}
        if reads_whole(judge):
            self.reads = judge.reads

    def judge(self, pairs):
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        if new:
            self.known.update(zip(new, self.inner.judge(new), strict=True))
        return np.array([self.known[pair] for pair in pairs], np.float32).reshape(-1, 3)


def gather(path: Path, to: Path, limit: int | None, judge: str | None, one) -> None:
    """Append what ``one(row, document, parts)`` finds for each text that the file does not have yet."""
    done = {json.loads(line)["id"] for line in to.read_text().splitlines()} if to.exists() else set()
    parts = DocumentParts(Memory(load_embedder()), Remembering(open_judge(judge)), OpenExtractor())
    document, started = None, time.monotonic()
    with to.open("a", encoding="utf-8") as stream:
        for number, row in enumerate(texts(path)[:limit]):
            if row["id"] in done:
                continue
            if document is None or document.text != row["article"]:
                document = Document(row["article"], parts.embedder)
                parts.judge.known.clear()
            found = {"id": row["id"], "article": digest(row["article"]), "consistent": row["label"] == "consistent"}
            stream.write(json.dumps(found | one(row, document, parts)) + "\n")
            stream.flush()
            if number % 16 == 0:
                print(number, round(time.monotonic() - started), "s", flush=True)


def everything(row: Row, document: Document, parts: DocumentParts) -> Row:
    text = plain(row["summary"], titles=False)
    found = read(text, document, parts, "auto")
    shaped = recased(text, document.text)
    claims = [claim for one in found.sentences for claim in one.triples]
    asked = [] if reads_whole(parts.judge) else claims  # a language model is too slow for that
    told = {id(one.claim): one for one in grapheval(shaped, document, parts.judge, claims=asked)}
    return {
        "kernel": found.kernel,
        "asks": not found.sentences and bool(only_asked(text)),
        "sentences": [
            {
                "features": one.features.round(5).tolist(),
                "nli": [round(p, 5) for p in one.entailed.nli],
                "triples": [[round(p, 5) for p in told[id(each)].entailed.nli] for each in one.triples if told],
                "kernels": [round(each, 5) for each in one.kernels],
                "strangers": len(one.strangers),
                "accused": difference(one.claim, one.entailed, one.likeness, document) is not None,
            }
            for one in found.sentences
        ],
    }


def as_published(row: Row, document: Document, parts: DocumentParts) -> Row:
    checked = grapheval(row["summary"], document, parts.judge, paper=True)
    return {"triples": [[round(p, 5) for p in one.entailed.nli] for one in checked]}


# -- figures ----------------------------------------------------------------------------------------------------------


def risks_of(rows: list[Row], weights: np.ndarray | None) -> dict[str, list[float]]:
    """For each method the risk of an inconsistency of each text, 0 to 1; nothing said is no risk."""

    def worst(row: Row, risk) -> float:
        return max((risk(one) for one in row["sentences"]), default=0.0)

    found = {
        "nli": [worst(row, lambda one: 1 - one["nli"][0]) for row in rows],
        "grapheval": [worst(row, lambda one: max((1 - p[0] for p in one["triples"]), default=0.0)) for row in rows],
        "kernel": [0.0 if row["kernel"] is None else 1 - row["kernel"] for row in rows],
    }
    if weights is not None:
        found["auto"] = [risk_of(row, weights) for row in rows]
    return found


def risk_of(row: Row, weights: np.ndarray) -> float:
    """The risk by everything together, as `kgstore.verifier.document.combined` has it."""
    if not row["sentences"]:
        return float(row.get("asks", False))
    if any(one.get("accused") for one in row["sentences"]):
        return 1.0
    known = values(row)
    found = zip(supports(known, weights), balances(known, weights), row["sentences"], strict=True)
    return 1 - min(
        bounded(float(share), one["nli"][0], one["strangers"], float(balance)) for share, balance, one in found
    )


def values(row: Row) -> np.ndarray:
    return np.array([one["features"] for one in row["sentences"]])


def learnt(rows: list[Row], strength: float = STRENGTH, names: tuple[str, ...] = WEIGHED) -> np.ndarray:
    """
    :param names: features that get a weight
    """
    full = [row for row in rows if row["sentences"]]
    weighed = np.isin(NAMES, names)
    return fitted([values(row) * weighed for row in full], [row["consistent"] for row in full], strength)


def placed(weights: np.ndarray, parts: list[list[Row]]) -> np.ndarray:
    """The weights, moved so that one half is the best place to cut, taken over all sources alike. The likelihood does
    not ask for that: sources differ in what they take for consistent. A place is as good as those around it are on
    average, so that a few texts more or less do not move it far.
    """
    moved = [weights + move * (np.array(NAMES) == "1") for move in np.linspace(-2, 2, 41)]

    def score(tried: np.ndarray) -> float:
        known = [[(risk_of(row, tried), row["consistent"]) for row in part] for part in parts]
        return sum(balanced_accuracy(part, 0.5) for part in known)

    scores = [score(tried) for tried in moved]
    around = [round(float(np.mean(scores[max(0, at - 3) : at + 4])), 9) for at in range(len(moved))]
    return moved[max(range(len(moved)), key=around.__getitem__)]


def combination(
    parts: list[list[Row]],
    beside: list[list[Row]],
    even: bool = False,
    names: tuple[str, ...] = WEIGHED,
    every: bool = False,
) -> np.ndarray:
    """Weights from the halves to choose by.

    :param parts: texts of each source
    :param beside: of the sources that only the cut is chosen by
    :param even: each source counts the same, and in it both kinds
    :param every: from both halves, so that nothing is left to measure on
    """
    chosen, more = ([[row for row in part if every or half(row) == 0] for part in some] for some in (parts, beside))
    kinds = [[row for row in part if row["consistent"] is kind] for part in chosen for kind in (True, False)]
    most = max(map(len, kinds)) if even else 0
    often = [row for kind in kinds for row in kind * max(1, round(most / max(1, len(kind))))]
    return placed(learnt(often, names=names), [*chosen, *more])


def half(row: Row) -> int:
    """0 to choose by, 1 to measure on."""
    return int(row["article"][-1], 16) % 2


def drawn(rows: list[Row], risks: list[float], threshold: float) -> tuple[float, float]:
    """The 95 % interval of the balanced accuracy over draws of the articles."""
    articles = {name: at for at, name in enumerate(dict.fromkeys(row["article"] for row in rows))}
    counts = np.zeros((len(articles), 4))
    for row, risk in zip(rows, risks, strict=True):
        counts[articles[row["article"]], 2 * row["consistent"] + (risk > threshold)] += 1
    random = np.random.default_rng(0)
    draws = random.multinomial(len(articles), np.full(len(articles), 1 / len(articles)), 2000) @ counts
    scores = (draws[:, 1] / (draws[:, 0] + draws[:, 1]) + draws[:, 2] / (draws[:, 2] + draws[:, 3])) / 2
    return tuple(np.nanquantile(scores, (0.025, 0.975)).tolist())


def figures(
    rows: list[Row], weights: np.ndarray | None = None, every: bool = False, names: tuple[str, ...] = WEIGHED
) -> list[Row]:
    """One line a method, for the half that nothing was chosen by.

    :param every: for both halves: a source that the weights do not know
    :param names: features that get a weight, where there are no weights yet
    """
    tune, report = ([row for row in rows if half(row) == which] for which in (0, 1))
    report = rows if every else report
    ours = learnt(tune, names=names) if weights is None else weights
    lines = []
    for method, risks in risks_of(report, ours).items():
        before = list(zip(risks_of(tune, ours)[method], (row["consistent"] for row in tune), strict=True))
        after = list(zip(risks, (row["consistent"] for row in report), strict=True))
        threshold = best_threshold(before)
        line = {"method": method, "texts": len(report), "threshold": round(threshold, 4)}
        for name, at in (("balanced_accuracy", threshold), ("at_half", 0.5)):
            line[name] = [round(x, 3) for x in (balanced_accuracy(after, at), *drawn(report, risks, at))]
        line["roc_auc"] = round(roc_auc([r for r, good in after if not good], [r for r, good in after if good]), 3)
        lines.append(line)
    return lines


def published(rows: list[Row]) -> Row:
    """The paper's GraphEval at its threshold, on all texts: nothing was chosen by them."""
    risks = [max((1 - p[0] for p in row["triples"]), default=0.0) for row in rows]
    known = list(zip(risks, (row["consistent"] for row in rows), strict=True))
    score = [round(x, 3) for x in (balanced_accuracy(known, THRESHOLD), *drawn(rows, risks, THRESHOLD))]
    auc = roc_auc([r for r, good in known if not good], [r for r, good in known if good])
    return {"method": "grapheval as published", "texts": len(rows), "at_half": score, "roc_auc": round(auc, 3)}


def accusations(rows: list[Row]) -> Row:
    """How many texts have a contradictory sentence, of each kind; in a consistent text that is a false accusation.
    Both halves: nothing was chosen by it.
    """
    known = [row for row in rows if all("accused" in one for one in row["sentences"])]
    found: Row = {"texts": len(known)}
    for name, wanted in (("consistent", True), ("inconsistent", False)):
        some = [any(one["accused"] for one in row["sentences"]) for row in known if row["consistent"] is wanted]
        found[name] = {"texts": len(some), "accused": sum(some)}
    return {"accusations": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["read", "paper", "figures", "fit", "across"])
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--judge", help="as of kgstore verify; with a GGUF file no triples are judged")
    parser.add_argument("--shipped", action="store_true", help="figures with the weights that come with kgstore")
    parser.add_argument("--all", action="store_true", help="both halves: figures of a source not fitted to, or a fit")
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="sources that only the cut is chosen by")
    parser.add_argument("--even", action="store_true", help="each source counts the same, and in it both kinds")
    wanted = parser.parse_args()
    if wanted.what in ("read", "paper"):
        one = everything if wanted.what == "read" else as_published
        gather(wanted.sources[0], wanted.to, wanted.limit, wanted.judge, one)
        return
    parts = [[json.loads(line) for line in source.read_text().splitlines()] for source in wanted.sources]
    rows = [row for part in parts for row in part]
    if "triples" in rows[0]:
        print(json.dumps(published(rows)))
        return
    names = WHOLE if wanted.judge else WEIGHED
    if wanted.what == "figures":
        weights = shipped(whole=bool(wanted.judge)) if wanted.shipped else None
        for line in (*figures(rows, weights, wanted.all, names), accusations(rows)):
            print(json.dumps(line))
        return
    beside = [list(map(json.loads, source.read_text().splitlines())) for source in wanted.beside]
    if wanted.what == "across":
        for at, source in enumerate([*wanted.sources, *wanted.beside]):
            others = [part for number, part in enumerate(parts) if number != at]
            few = [part for number, part in enumerate(beside) if number + len(parts) != at]
            line = figures([*parts, *beside][at], combination(others, few, wanted.even, names), every=True)[-1]
            print(json.dumps({"without": source.stem} | line))
        return
    rows = [row for row in rows if wanted.all or half(row) == 0]
    about = {
        "sources": [source.stem for source in wanted.sources],
        "beside": [source.stem for source in wanted.beside],
        "articles": len({row["article"] for row in rows}),
        "texts": len(rows),
        "consistent": sum(row["consistent"] for row in rows),
        "by": "python -m tests.bench.bench_closed fit",
    }
    found = dict(zip(NAMES, combination(parts, beside, wanted.even, names, wanted.all).round(3).tolist(), strict=True))
    weights = {name: found[name] for name in NAMES if name in names}
    wanted.to.write_text(json.dumps({"about": about, "weights": weights}, indent=1) + "\n")


if __name__ == "__main__":
    main()
