"""GGA: the detector beside six baselines, its ablation, and how PRD and SAS differ between right and wrong answers."""

from __future__ import annotations

from pathlib import Path

from kgstore.embedding import load_embedder
from kgstore.verifier.grounding.collect import read_rows
from kgstore.verifier.grounding.evaluate import OURS, compare
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.reproduce.table import Asked, Line, Result, sample

_COLUMNS = ("paper, Llama 2 7B", "paper, Qwen2.5 7B", "ours")
_AUC = {
    "perplexity": (0.4578, 0.4935),
    "token confidence": (0.5020, 0.4966),
    "max token probability": (0.5000, 0.4419),
    "embedding similarity": (0.6366, 0.4867),
    "embedding divergence": (0.6914, 0.4900),
    "NLI contradiction": (0.5741, 0.5044),
    OURS: (0.8341, 0.8528),
}
"""Table 2; the fourth is BERTScore there."""
_GGA = {
    "F1 (class 1)": (0.5390, 0.4606),
    "F1 (macro)": (0.7524, 0.7083),
    "precision": (0.5632, 0.3974),
    "recall": (0.5168, 0.5477),
}
_ABLATION = {
    "SAS only": (0.6324, 0.6331),
    "PRD only": (0.5502, 0.5067),
    "GGA core": (0.6574, 0.6730),
    "GGA full": (0.8328, 0.8506),
}
"""Table 3, AUC."""
_DIFFERENCES = {"PRD": -0.18, "SAS": 0.60}
_QUADRANTS = (0.095, 0.050, 0.222, 0.109)
_NONE = (None, None)


def detection(asked: Asked, path: Path) -> Result:
    """Tables 1 to 3 and section 6.1, from the rows of `kgstore grounding measure`."""
    found = compare(sample(read_rows(path), asked.rows), load_embedder(None), open_judge(asked.judge))
    lines = [Line(f"AUC, {one.name}", (*_AUC.get(one.name, _NONE), one.rates.auc)) for one in found.methods]
    ours = found.methods[-1].rates
    own = zip(_GGA.items(), (ours.f1, ours.macro_f1, ours.precision, ours.recall), strict=True)
    lines += [Line(f"{OURS}, {name}", (*paper, figure)) for (name, paper), figure in own]
    lines += [Line(f"AUC, {name}", (*_ABLATION.get(name, _NONE), one.auc)) for name, one in found.ablation.items()]
    lines += [
        Line(f"Cohen's d, {name}, right over wrong", (_DIFFERENCES[name], None, one.d))
        for name, one in found.measures.items()
    ]
    lines += [
        Line(f"wrong in {one.name}", (paper, None, one.wrong))
        for one, paper in zip(found.quadrants, _QUADRANTS, strict=True)
    ]
    learnt, tested = found.wrong
    notes = (
        f"learnt from {found.learnt:,} answers ({learnt:.0%} wrong), tested on {found.tested:,} ({tested:.0%} wrong)",
        f"SAS is taken of layer {found.layer}, chosen on the answers that were learnt from",
    )
    return Result(_COLUMNS, tuple(lines), notes)
