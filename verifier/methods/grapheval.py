"""GraphEval: is a text consistent with a document? Each of its triples is put to a judge of entailment.

After Sansford et al., GraphEval: A Knowledge-Graph Based LLM Hallucination Evaluation Framework (2024), section 4. The
text becomes a graph of triples; each triple and the document go to an NLI model, and the text is inconsistent if any
triple is, with a probability above 0.5. The paper's large language model for the triples is a parser here (or any
claims that you bring), and its models, which read 512 tokens and more, are any judge of ours: what it cannot read at
once it reads in windows, of which the one that speaks most for the triple counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgstore.verifier.claims import Claim
from kgstore.verifier.document.entailment import WINDOW, Entailed, entailment, premises, reads_whole
from kgstore.verifier.document.open_facts import open_claims, spoken
from kgstore.verifier.document.source import Document
from kgstore.verifier.judges.hypothesis import hypothesis
from kgstore.verifier.protocols import Judge

THRESHOLD = 0.5
"""Above it a triple is inconsistent (section 4)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One triple of a text and what the judge made of it.

    :param hypothesis: what the judge was asked
    """

    claim: Claim
    hypothesis: str
    entailed: Entailed

    @property
    def probability(self) -> float:
        """Of an inconsistency, 0 to 1."""
        return self.entailed.unsupported


def grapheval(
    text: str,
    document: Document,
    judge: Judge,
    *,
    claims: Sequence[Claim] | None = None,
    paper: bool = False,
) -> list[Checked]:
    """Every triple of a text, judged against a document; in reading order.

    As the paper has it (``paper``), the hypothesis is head, relation and tail put together, and the whole document is
    read, in overlapping windows. The default asks about the triple's own words in the text with names in place of
    pronouns, and reads only the sentences nearest in meaning to the triple, which takes a quarter of the time. With the
    built-in judge it is not better: on QAGS-X the balanced accuracy at 0.5 is 0.62 as published (239 texts) and 0.56 by
    default (120 texts), within each other's intervals (`tests/bench/bench_closed.py`).

    >>> from kgstore.embedding import load_embedder
    >>> from kgstore.verifier.judges.opening import open_judge
    >>> document = Document("Ann Smith was born in Oslo. She is a chemist.", load_embedder())
    >>> [one.claim.text for one in flagged(grapheval("Ann Smith was born in Rome.", document, open_judge()))]
    ['Ann Smith was born in Rome']

    :param claims: triples found otherwise; those of `kgstore.verifier.document.open_facts` unless given
    """
    triples = list(open_claims(text) if claims is None else claims)
    if paper:
        asked = [concatenated(text, claim) for claim in triples]
        wanted = [document.overlapping(judge.reads if reads_whole(judge) else WINDOW)] * len(asked)
    else:
        asked = [own_words(text, claim) for claim in triples]
        told = [concatenated(text, claim) for claim in triples]
        wanted = premises(document, document.likeness(told), judge) if told else []
    found = entailment(document, asked, wanted, judge, word_for_word=not paper)
    return [Checked(*one) for one in zip(triples, asked, found, strict=True)]


def flagged(checked: Iterable[Checked], threshold: float = THRESHOLD) -> list[Checked]:
    """The inconsistent triples; the text is inconsistent if there is any. A tie is not above the threshold."""
    return [one for one in checked if one.probability > threshold]


def concatenated(text: str, claim: Claim) -> str:
    """ "h r t", as the paper puts a triple to the model."""
    return " ".join(spoken(text, claim))


def own_words(text: str, claim: Claim) -> str:
    """The stretch of the text that the triple was read from, as a sentence that stands by itself."""
    head, _, tail = spoken(text, claim)
    return hypothesis(text, claim, head, tail)
