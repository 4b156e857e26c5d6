"""KEA Explain against a KG: how alike are the graph of a text's claims and what the KG says about the same entities?

R. Haskins, B. Adams, KEA Explain: Explanations of Hallucinations using Graph Kernel Analysis (2025). The comparison is
`verifier.kernel.compare`; here the ground truth graph comes from the KG, and each claim gets a verdict. The paper calls
a text a hallucination where the similarity is below a threshold, whatever the reason. We say attributable from the
threshold on (a tie is not below it), and below it contradictory only where a contradictory pair shows another value and
the property excludes it; else extrapolatory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from kgstore.errors import InputError
from kgstore.verifier.claims import Claim, Evidence, Label, Role, Verdict
from kgstore.verifier.decide.accuse import is_plain, may_be_listed
from kgstore.verifier.decide.direct import outcome_of, tail_kinds
from kgstore.verifier.decide.nli import NAMED
from kgstore.verifier.decide.outcome import Outcome
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.kernel.clusters import DISTANCE
from kgstore.verifier.kernel.compare import DEFAULT, likeness
from kgstore.verifier.kernel.graphs import Triple
from kgstore.verifier.kernel.ground import Graphs, Grounder
from kgstore.verifier.kernel.memory import Memory
from kgstore.verifier.kernel.pairs import Part, contradictory_pairs, contrast, edits
from kgstore.verifier.kernel.phrasing import phrased
from kgstore.verifier.kg.align import UNKNOWN, Aligned
from kgstore.verifier.kg.world import changes
from kgstore.verifier.methods.registry import MethodResult, VerifierParts

NAME = "kernel"
PHRASED = "kernel:phrased"
"""Where a language model that was named explains the contrast, see `kgstore.verifier.kernel.phrasing`."""
SETTING = replace(DEFAULT, distance=DISTANCE)
"""Beside a KG labels are merged up to the paper's distance only: entities are known there, and a relation of a KG that
is merged with another one supports what it does not say."""
THRESHOLD = 0.5
"""From this similarity a claim is attributable. On labelled claims 0.45 told supported claims from others best (0.98
balanced accuracy), and 0.5 hardly less well (0.97); a head and a tail that the KG links have 0.375 whatever relation is
claimed of them, so that the lower one would ask too little of the relation.
"""
SCHEMA, OWN = "kgstore.kernel/1", "kernel.json"
"""Of the file in a KG's folder with a threshold of its own."""
STEEP = 12.0
"""How fast P(attributable) grows around the threshold: 0.998 for what the KG says in the same words."""
SURE = 0.95
"""P(contradictory) of an accusation."""
_READINGS = 8


@dataclass(frozen=True, slots=True)
class _Compared:
    """What all claims of a text share."""

    graphs: Graphs
    embedder: Memory
    verifier: VerifierParts
    threshold: float


def threshold_of(folder: Path | None) -> float:
    """The threshold of a KG: its own where `kgstore sweep --into` has written one, else `THRESHOLD`.

    :raises InputError: if the file holds something else
    """
    path = folder / OWN if folder is not None else None
    if path is None or not path.exists():
        return THRESHOLD
    try:
        data = orjson.loads(path.read_bytes())
        if data["schema"] != SCHEMA or not 0 <= (threshold := float(data["threshold"])) <= 1:
            raise ValueError
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError(f"{path} holds no threshold", "write it again with `kgstore sweep --into`") from None
    return threshold


def threshold_json(threshold: float) -> str:
    """As `threshold_of` reads it."""
    return orjson.dumps({"schema": SCHEMA, "threshold": threshold}, option=orjson.OPT_INDENT_2).decode() + "\n"


def judged(text: str, claims: Sequence[Claim], verifier: VerifierParts) -> MethodResult:
    """Every claim with its similarity to the statement closest to it, and the similarity of the whole.

    ``scores["kernel"]`` of a verdict is its own similarity, that of the text is the kernel of the whole graph, None
    where nothing is claimed.
    """
    embedder = Memory(verifier.store.embedder)
    grounder = Grounder(verifier.knowledge, verifier.aligner, embedder)
    read = [verifier.judge(claim) for claim in claims]
    for verdict in read:
        grounder.add(text, verdict)
    graphs = grounder.graphs
    found = likeness(graphs.claim, graphs.known, embedder, SETTING, graphs.names)
    compared = _Compared(graphs, embedder, verifier, threshold_of(verifier.store.path))
    verdicts = []
    for at, verdict in enumerate(read):
        known = [graphs.known[k] for k in graphs.about[at]]
        own = likeness([graphs.claim[at]], known, embedder, SETTING, graphs.names)
        closest = None if own.selected[0] is None else graphs.about[at][own.selected[0]]
        verdicts.append(_verdict(at, verdict, own.score, closest, compared))
    notices = tuple(_notices(graphs, verdicts, verifier))
    return MethodResult(tuple(verdicts), {NAME: found.score if claims else None}, notices)


def _notices(graphs: Graphs, verdicts: Sequence[Verdict], verifier: VerifierParts) -> Iterator[str]:
    if graphs.left_out:
        yield f"{graphs.left_out} statements about entities with very many were not compared"
    plain = sum(one.label is Label.CONTRADICTORY and one.method == NAME for one in verdicts)
    if plain and verifier.language_model is not None:
        yield f"{plain} explanations stay plain: the language model's words went beyond the evidence or left part out"


def _verdict(at: int, read: Verdict, score: float, closest: int | None, compared: _Compared) -> Verdict:
    """
    :param score: similarity of the claim and the statement ``closest`` to it
    """
    graphs, threshold, model = compared.graphs, compared.threshold, compared.verifier.language_model
    claim, said = read.claim, graphs.claim[at]
    base = Verdict(
        claim, Label.EXTRAPOLATORY, (0.0, 1.0, 0.0), NAME, head=read.head, tail=read.tail, scores={NAME: score}
    )
    if closest is None:
        described = "the subject is described, not named" if claim.bridge else ""
        why = described or ("entity not found" if read.head is None else "no statement in the KG")
        return replace(base, reason=f"Nothing of the KG to compare with: {why}", why_not=why)
    statement, known = graphs.statements[closest], graphs.known[closest]
    likely = 1 / (1 + math.exp(-STEEP * (score - threshold)))
    told = f"the closest statement is “{' · '.join(known)}” (similarity {score:.2f})"
    if score >= threshold and not (why := _beyond(claim)):
        return replace(
            base,
            label=Label.ATTRIBUTABLE,
            probabilities=(likely, 1 - likely, 0.0),
            evidence=(Evidence(statement, Role.SUPPORTS),),
            reason=told,
            relation=statement.predicate.value,
        )
    if score < threshold and (shown := _contradiction(at, read, compared)):
        outcome, others = shown
        changes = edits([said], others, compared.embedder, names=graphs.names)
        words = phrased(model, claim.text, changes) if model is not None and changes else None
        return replace(
            base,
            label=Label.CONTRADICTORY,
            probabilities=(0.0, 1 - SURE, SURE),
            method=PHRASED if words else NAME,
            evidence=outcome.evidence,
            reason=words or contrast(changes) or outcome.reason,
            relation=outcome.evidence[0].statement.predicate.value,
        )
    likely = min(likely, 0.5)
    return replace(
        base,
        probabilities=(likely, 1 - likely, 0.0),
        evidence=(Evidence(statement, Role.RELATED),),
        reason=f"{told}, {why if score >= threshold else f'which is below {threshold:.2f}'}",
    )


def _beyond(claim: Claim) -> str:
    """What the claim says beyond its triple, so that no statement alike to the triple supports it."""
    if claim.negated:
        return "but the text denies it"
    if claim.measure:
        return "but the claim compares or counts"
    return "but the claim is about a time, which is not compared" if claim.when or claim.until else ""


def _contradiction(at: int, read: Verdict, compared: _Compared) -> tuple[Outcome, list[Triple]] | None:
    """The closest contradictory pair of a property that excludes the claim's value, as the value tiers find it."""
    claim, graphs, verifier = read.claim, compared.graphs, compared.verifier
    if _beyond(claim) or claim.hedged or claim.bridge or read.head is None or not is_plain(claim):
        return None
    if any(one is not None and one.score < NAMED for one in (read.head, read.tail)):
        return None
    known = [graphs.known[k] for k in graphs.about[at]]
    pairs = contradictory_pairs([graphs.claim[at]], known, compared.embedder, names=graphs.names)
    readings = {}
    if pairs:
        tails = [read.tail.iri] if read.tail else []
        kinds = tail_kinds(claim.tail)
        aligned = verifier.aligner.align(claim.relation, kinds, [read.head.iri], tails, _READINGS)
        readings = {one.property.iri: one for one in aligned if not one.turned}
    for pair in pairs:
        statement = graphs.statements[graphs.about[at][pair.known]]
        reading = readings.get(statement.predicate.value)
        if pair.differs is not Part.TAIL or statement.subject.value != read.head.iri or reading is None:
            continue
        if not _may_accuse(read, reading, verifier):
            return None
        outcome = outcome_of(verifier.knowledge, claim, reading, read.head, read.tail)
        if outcome.method is Tier.COMPLETE and may_be_listed(
            claim, outcome, reading.property, read.tail, verifier.knowledge
        ):
            return None
        if outcome.label is Label.CONTRADICTORY:
            against = {one.statement for one in outcome.evidence if one.role is Role.CONTRADICTS}
            others = [graphs.known[k] for k in graphs.about[at] if graphs.statements[k] in against]
            return outcome, others or [known[pair.known]]
        return None
    return None


def _may_accuse(read: Verdict, reading: Aligned, verifier: VerifierParts) -> bool:
    assert read.head is not None
    if changes(reading.property) and read.claim.said.past:
        return False
    return read.tail is None or verifier.aligner.fit(reading, read.head, read.tail) >= UNKNOWN
