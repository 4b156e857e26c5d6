"""Factum's factuality degree: against the paper's own scores, over a KG, and as a label.

Run:    python -m tests.bench.bench_factum stored ROWS.jsonl.gz [--kg KG]
        python -m tests.bench.bench_factum labels CLAIMS.jsonl... --kg KG [--every 1]
        python -m tests.bench.bench_factum enrich TEXTS.jsonl... --kg KG [--every 1]
Prints: one JSON line.

``stored`` takes the 35 WikiQA rows of the paper (github.com/lindakwan/factum-graph-enhancer): the extracted triples,
the facts that its authors' program retrieved for them, and its scores, for the first answers and the enriched ones.
Their degree is computed anew from triples and retrieved facts. With a KG the retrieval is done anew, too, for the
subjects that the KG holds: how many these are, and how often the same fact is found, or one as close.

``labels`` runs ``--method factum`` over labelled claims. The logistic curve from cosine to P(attributable)
(`verifier.methods.factum.STEEP`, ``MIDDLE``) is fitted on the rows whose half is ``tune`` and measured on the others.

``enrich`` adds facts as sentences to each text: the mean degree before and after over the texts that have one, and what
``--method auto`` says of the claims that it finds in the added sentences.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from kgstore.embedding import MiniLM
from kgstore.prefixes import expand
from kgstore.store import Store
from kgstore.verifier.measure.labelled import HALVES, half_of, read_gold
from kgstore.verifier.measure.logistic import fit
from kgstore.verifier.measure.metrics import roc_auc
from kgstore.verifier.methods.enrich import enrich, joined
from kgstore.verifier.methods.factum import MIDDLE, STEEP, facts_about, in_words, soft_match
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.scores import factuality_degree

Row = dict[str, Any]
Fact = tuple[str, str, str]
CLOSE = 1e-4


def pairs(row: Row, round_: int) -> Iterator[tuple[Fact, list[Fact]]]:
    """Each extracted triple with the fact that was retrieved for it; none where its subject was not linked.

    The rows list a retrieved fact once: where the next one is about another subject, it is one of those before.
    """
    facts, at = [tuple(one) for one in row[f"true_facts_names_{round_}"]], 0
    before: dict[str, list[Fact]] = {}
    for triple in map(tuple, row[f"triples_{round_}"]):
        subject, found = triple[0], []
        if subject in row[f"linked_entities_{round_}"]:
            if at < len(facts) and facts[at][0] == subject:
                found = [facts[at]]
                before.setdefault(subject, []).append(facts[at])
                at += 1
            else:
                found = before.get(subject, [])
        yield triple, found


def stored(rows: list[Row], embed) -> dict[str, Any]:
    """Our degrees from the stored retrieved facts beside the stored degrees."""
    result: dict[str, Any] = {"rows": len(rows)}
    for round_, name in enumerate(("first answers", "enriched answers")):
        ours = []
        for row in rows:
            matches = [
                soft_match(relation, obj, [one[1:] for one in found], embed)
                for (_, relation, obj), found in pairs(row, round_)
            ]
            ours.append(factuality_degree([one.similarity if one else 0.0 for one in matches]) or 0.0)
        theirs = [row[f"% true_{round_}"] for row in rows]
        result[name] = {
            "fd": round(mean(ours), 4),
            "stored_fd": round(mean(theirs), 4),
            "equal": sum(abs(a - b) < CLOSE for a, b in zip(ours, theirs, strict=True)),
            "largest_difference": round(max(abs(a - b) for a, b in zip(ours, theirs, strict=True)), 4),
        }
    return result


def retrieved(rows: list[Row], store: Store, embed) -> dict[str, Any]:
    """The retrieval done anew over a KG, where it has the subject that the rows link."""
    seen = known = same = closer = 0
    ours, theirs = [], []
    for row in rows:
        for (subject, relation, obj), found in pairs(row, 0):
            iri = row["linked_entities_0"].get(subject)
            seen += bool(found)
            statements = facts_about(expand(iri.removeprefix("wd:")), store) if found and iri.startswith("wd:Q") else []
            if not statements:
                continue
            known += 1
            words = [in_words(one, store) for one in statements]
            match = soft_match(relation, obj, words, embed)
            stored_match = soft_match(relation, obj, [one[1:] for one in found], embed)
            assert match is not None and stored_match is not None
            same += words[match.at] == found[stored_match.at][1:]
            closer += match.similarity >= stored_match.similarity - CLOSE
            ours.append(match.similarity)
            theirs.append(stored_match.similarity)
    return {
        "linked_facts": seen,
        "subject_in_kg": known,
        "same_fact": same,
        "as_close_or_closer": closer,
        "mean_cosine": round(mean(ours), 4) if ours else None,
        "mean_stored_cosine": round(mean(theirs), 4) if theirs else None,
    }


def labels(files: list[Path], kg: Path, every: int) -> dict[str, Any]:
    """The curve fitted on one half, and how well it separates attributable claims on the other."""
    halves: dict[str, list[tuple[float, bool]]] = {half: [] for half in HALVES}
    with Store(kg) as store:
        verifier = Verifier(store, judge="none", method="factum")
        for row in (row for path in files for row in read_gold(path)[::every]):
            for verdict in verifier.verify(row["text"]).verdicts:
                if not (verdict.claim.negated or verdict.claim.hedged):
                    halves[half_of(row)].append((verdict.scores["similarity"], row["label"] == "attributable"))
    tune, report = (np.array(halves[half], float) for half in HALVES)
    right = np.stack([tune[:, 1], 1 - tune[:, 1]], 1).astype(bool)
    weights = fit(np.stack([tune[:, 0], np.ones(len(tune))], 1), right, np.zeros((2, 2)), 0.01)
    steep, offset = weights[:, 0] - weights[:, 1]
    called, gold = report[:, 0] > MIDDLE, report[:, 1].astype(bool)
    return {
        "tune": len(tune),
        "report": len(report),
        "fitted": {"steep": round(float(steep), 2), "middle": round(float(-offset / steep), 3)},
        "used": {"steep": STEEP, "middle": MIDDLE},
        "auc": roc_auc(report[gold, 0], report[~gold, 0]),
        "balanced_accuracy": round(float((called[gold].mean() + (~called[~gold]).mean()) / 2), 4),
        "precision": round(float(gold[called].mean()), 4),
        "recall": round(float(called[gold].mean()), 4),
    }


def enriched(files: list[Path], kg: Path, every: int) -> dict[str, Any]:
    """What plain sentences do to the degree, and whether the verifier can read them."""
    degrees: list[tuple[float, float]] = []
    added: Counter[str] = Counter()
    facts = texts = 0
    with Store(kg) as store:
        verifier = Verifier(store, judge="none")
        for row in (row for path in files for row in read_gold(path)[::every]):
            done = enrich(row["text"], verifier)
            texts += 1
            facts += len(done.facts)
            if done.before is not None and done.after is not None:
                degrees.append((done.before, done.after))
            sentences = joined(done.facts, store)
            added.update(one.label.value for one in verifier.verify(sentences).verdicts)
    return {
        "texts": texts,
        "with_degree": len(degrees),
        "fd_before": round(mean(one for one, _ in degrees), 4),
        "fd_after": round(mean(one for _, one in degrees), 4),
        "facts": facts,
        "claims_in_added_sentences": dict(added),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("stored", "labels", "enrich"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--kg", type=Path)
    parser.add_argument("--every", type=int, default=1, help="only each so many-th labelled row")
    args = parser.parse_args()
    if args.what != "stored":
        if args.kg is None:
            parser.error(f"{args.what} needs --kg")
        measure = labels if args.what == "labels" else enriched
        print(json.dumps({args.what: measure(args.files, args.kg, args.every)}))
        return
    rows = [json.loads(line) for path in args.files for line in gzip.decompress(path.read_bytes()).splitlines()]
    model = MiniLM()
    result = {"stored": stored(rows, model.embed)}
    if args.kg is not None:
        with Store(args.kg) as store:
            result["retrieved"] = retrieved(rows, store, model.embed)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
