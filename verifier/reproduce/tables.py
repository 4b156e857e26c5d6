"""All tables that `kgstore reproduce` knows."""

from __future__ import annotations

from kgstore.errors import InputError
from kgstore.verifier.reproduce.table import Needed, Table

_KEA = "KEA Explain (Haskins and Adams 2025)"
_GRAPHEVAL = "GraphEval (Sansford et al. 2024)"
_PAIRS = (
    "it is what the authors stored (github.com/Reih02/hallucination_explanation_graph_kernel_analysis), as CSV of "
    "score, label, claim graph and context graph"
)
_TEXTS = "as a JSON list of objects with article, summary and label (consistent, inconsistent)"
_SUMMEVAL = Needed("summeval.json", f"SummEval is at github.com/Yale-LILY/SummEval, put it down {_TEXTS}")
_QAGS_X = Needed("qags_xsum.json", f"QAGS is at github.com/W4ngatang/qags, put its XSum part down {_TEXTS}")
_STORED = (
    "graphs are those that the authors stored, after their extraction, linking, relation selection and clustering; "
    "nothing is extracted here",
    "the paper's thresholds (0.15, 0.3) are distances: flagged is a similarity below 0.85 or 0.7",
    "a score that equals the threshold is not below it; to count such ties as right for both kinds gives more",
    "our default also compares relations and directions, and half of its score is the weakest part of each triple; it "
    "was chosen on one half of these rows, and what is said of the other half is measured on the other",
)
_READERS = (
    "triples are read by a parser, in the paper by Claude 2",
    "the judge is a MiniLM of 45 MB; those of the paper take 738 MB (HHEM) and 45.5 GB (TRUE, TrueTeacher)",
    "it reads 160 tokens at a time: overlapping windows of the document (as published) or its nearest sentences (ours)",
)

TABLES = (
    Table(
        "kea-example",
        "Weisfeiler-Lehman kernel, worked example",
        f"{_KEA}, appendix",
        "kgstore.verifier.reproduce.kea:example",
        (),
        ("none",),
    ),
    Table(
        "kea-summeval",
        "Hallucinations in summaries, by graph kernel",
        f"{_KEA}, tables 2 and 5, figure 3",
        "kgstore.verifier.reproduce.kea:summeval",
        (Needed("summeval_graph_pairs.csv", _PAIRS),),
        _STORED,
    ),
    Table(
        "kea-wikibio",
        "Hallucinations in biographies, by graph kernel",
        f"{_KEA}, tables 3 and 5, figure 4",
        "kgstore.verifier.reproduce.kea:wikibio",
        (Needed("wikibio_graph_pairs.csv", _PAIRS),),
        (*_STORED, "flagging everything already gives a high F1 here, so that ROC-AUC and balanced accuracy say more"),
    ),
    Table(
        "grapheval-summeval",
        "Inconsistent summaries, triple by triple",
        f"{_GRAPHEVAL}, table 2",
        "kgstore.verifier.reproduce.closed:grapheval_summeval",
        (_SUMMEVAL,),
        (*_READERS, "a summary is consistent if it was rated 5 of 5"),
    ),
    Table(
        "grapheval-qags-x",
        "Inconsistent one-sentence summaries, triple by triple",
        f"{_GRAPHEVAL}, table 2",
        "kgstore.verifier.reproduce.closed:grapheval_qags_x",
        (_QAGS_X,),
        (*_READERS, "the paper's figures for this set are not at hand; it finds GraphEval about as good as its judges"),
    ),
    Table(
        "graphcorrect",
        "Flagged summaries, corrected",
        f"{_GRAPHEVAL}, tables 3 and 4, QAGS-X",
        "kgstore.verifier.reproduce.closed:graphcorrect_qags_x",
        (_QAGS_X,),
        (
            *_READERS,
            "the language model is yours (--gguf) and writes what is likeliest; theirs is Claude 2 at temperature 1",
            "the model sees the 500 characters of the document nearest to a triple, not the whole",
            "a reply that changes anything but the flagged facts is refused; the column GraphCorrect also hides tails "
            "from the model, may leave out a phrase, and keeps an edit only if fewer triples are flagged afterwards",
            "the paper's figures are not at hand; it finds GraphCorrect closer to the original than the direct prompt "
            "everywhere, and with more texts believed corrected in all but two cases, both on QAGS-X",
        ),
    ),
    Table(
        "factum",
        "Factuality degree before and after enrichment",
        "Factum (Kwan et al. 2024), section 3",
        "kgstore.verifier.reproduce.factum:degrees",
        (
            Needed(
                "wikiqa_35.jsonl",
                "the stored answers are at github.com/lindakwan/factum-graph-enhancer, put them down one object a line",
            ),
        ),
        (
            "answers, triples and facts of Wikidata are those that the authors stored; only the matching is done again",
            "the paper does not say which Sentence-BERT it used; ours is all-MiniLM-L6-v2",
        ),
    ),
    Table(
        "claimver",
        "Claim score, triplets match and attribution score",
        "ClaimVer (Dammu et al. 2024), equations 2 to 5",
        "kgstore.verifier.reproduce.claimver:scores",
        (),
        ("the paper prints no case with all its parts, so that the other column is worked out by hand",),
    ),
    Table(
        "gga",
        "Wrong answers of a language model over a subgraph",
        "GGA (Li et al. 2025), tables 1 to 3, section 6.1",
        "kgstore.verifier.reproduce.gga:detection",
        (
            Needed(
                "gga_rows.jsonl",
                "it is what `kgstore grounding measure` writes for the 1-hop questions of github.com/yuyuz/MetaQA",
            ),
        ),
        (
            "the language model is the one that the rows were measured with",
            "learnt and tested on questions of one part of MetaQA, no topic on both sides; the paper learns from "
            "37,500 questions of the training part and tests on the test part",
            "MiniLM's embeddings stand for BERTScore, as in the paper where RoBERTa is absent; NLI is our own judge",
            "the tokens of the baselines are those of PRD and SAS, and each baseline learns its direction, which makes "
            "them better than in the paper; those that the paper clips are also there without clipping",
        ),
    ),
)


def table(name: str) -> Table:
    """:raises InputError: if there is no table of that name"""
    for one in TABLES:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in TABLES)
    raise InputError(f"there is no table {name!r}", f"name one of {names}")
