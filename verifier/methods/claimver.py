"""ClaimVer: every claim with its span, its label, the triplets behind it and a rationale.

P. P. S. Dammu and others, ClaimVer (Findings of EMNLP 2024), section 3. With a language model one question decomposes a
text and labels its claims: the text and the triplets retrieved for it go in, spans, labels, triplets and rationales
come out. The paper fine-tunes its models for that; ours is whatever is given, and nothing of its reply is trusted: a
span must stand in the text; a triplet must be one of those given, in the KG (the membership check), and name an entity
that the claim names; a rationale may name nothing else; a label needs triplets. Beyond the paper, and because a model
that was not trained for this errs often: it accuses nobody by itself, but only where the tiers do, and supports nothing
that they contradict, nor, unless they agree, what has names or numbers that the triplets lack. Without a model the
claims and labels are those of the tiers.

The scores (TMS, KAS) are added by `kgstore.verifier.methods.matching`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgstore.model import Statement
from kgstore.verifier.claims import Candidate, Claim, Evidence, Label, Mention, Role, Verdict
from kgstore.verifier.kg.retrieve import between, with_context
from kgstore.verifier.llm.faithful import strange
from kgstore.verifier.llm.windows import Span, sentences, trim, windows
from kgstore.verifier.methods.claimver_task import TASK, Part, parse, question, schema, tokens
from kgstore.verifier.methods.matching import matched, named, triplets
from kgstore.verifier.methods.membership import in_kg, words
from kgstore.verifier.methods.registry import MethodResult, VerifierParts
from kgstore.verifier.report.explain import explain

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import KnowledgeGraph
    from kgstore.verifier.protocols import ChatModel

NAME = "claimver"
WINDOW = 1200
"""Characters of text in one question; a longer text is asked about in several."""
MOST_GIVEN = 24
"""Triplets in one question."""
MOST_ENTITIES = 8
"""Entities of a window between which paths are looked for."""

_ROLES = {Label.ATTRIBUTABLE: Role.SUPPORTS, Label.CONTRADICTORY: Role.CONTRADICTS, Label.EXTRAPOLATORY: Role.RELATED}
_EVEN = (1 / 3, 1 / 3, 1 / 3)
_NOTHING = "the model named no triplet for it"
_UNSAID = "the triplets named do not settle it"
_LACKING = "the triplets that the model named lack a name or number of it"
_DISAGREE = "the model and the tiers disagree"


def judged(text: str, claims: Sequence[Claim], verifier: VerifierParts) -> MethodResult:
    """The claims of the language model, in reading order; those of the tiers where there is no model."""
    ruled = verifier.verdicts(text, claims)
    model = verifier.language_model
    if model is None:
        notice = "claimver: no language model is given, so the tiers label the claims"
        return MethodResult(tuple(ruled), notices=(notice,))
    spans = sentences(text)
    found: list[Verdict] = []
    left_out: Counter[str] = Counter()
    for window in windows(text, spans, [end - start for start, end in spans], WINDOW):
        asked = _Window(text, window, [one for one in ruled if _inside(one.claim, window)], verifier)
        verdicts, out = asked.ask(model)
        found += verdicts
        left_out += out
    notices = []
    if left_out.total():
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()) if count)
        notices.append(f"claimver: left out or replaced: {reasons}")
    if others := sum(_otherwise(one, ruled) for one in found):
        notices.append(f"claimver: {others} of {len(found)} claims are labelled otherwise by the tiers (--method auto)")
    found.sort(key=lambda one: (one.claim.start, one.claim.end))
    scored = matched(text, [with_context(one, verifier.store) for one in found], verifier.store)
    return MethodResult(tuple(map(_weighed, scored)), notices=tuple(notices))


@dataclass(frozen=True, slots=True)
class _Window:
    """A part of a text, what the tiers make of its claims, and what is asked about it."""

    text: str
    span: Span
    ruled: Sequence[Verdict]
    verifier: VerifierParts

    def ask(self, model: ChatModel) -> tuple[list[Verdict], Counter[str]]:
        store, shown = self.verifier.store, self.text[slice(*self.span)]
        mentions = [one for one in self.verifier.rules.mentions(self.text) if _inside(one, self.span)]
        found, entities = retrieved(self.ruled, mentions, store)
        given = found[:MOST_GIVEN]
        asked = question(shown, [words(one, store) for one in given])
        reply = model.write(TASK, asked, tokens(shown), schema(shown, len(given)))
        parts, left_out = parse(reply, len(given))
        left_out[f"triplet beyond the {MOST_GIVEN} that are given"] += len(found) - len(given)
        left_out[f"entity beyond the {MOST_ENTITIES} between which paths are looked for"] += entities
        verdicts: list[Verdict] = []
        for part in parts:
            place = _place(self.text, part.span, self.span)
            if place is None or any((one.claim.start, one.claim.end) == place for one in verdicts):
                left_out["span not in the text" if place is None else "span given before"] += 1
                continue
            verdicts.append(self._verdict(part, place, given, mentions, left_out))
        return verdicts, left_out

    def _verdict(
        self, part: Part, place: Span, given: Sequence[Statement], mentions: Sequence[Mention], left_out: Counter[str]
    ) -> Verdict:
        store = self.verifier.store
        asked = [given[number - 1] for number in part.triplets]
        claim, head, tail, relation = self._claim(place, mentions, asked)
        about = {one.iri for one in (head, tail) if one is not None}
        about |= {one.candidates[0].iri for one in mentions if one.candidates and _inside(one, place)}
        held = []
        for statement in asked:
            if not in_kg(statement, store):
                left_out["triplet not in the KG"] += 1
            elif not about & named([statement]):
                left_out["triplet about something else"] += 1
            else:
                held.append(statement)
        said = [" ".join(words(one, store)) for one in held]
        label, why_not = part.label, None if held else _NOTHING
        if label is not Label.EXTRAPOLATORY and not held:
            label = Label.EXTRAPOLATORY
            left_out["label without a triplet"] += 1
        elif _denied(label, alike := {one.label for one in _alike(claim, self.ruled)}):
            label, why_not = Label.EXTRAPOLATORY, _DISAGREE
            left_out["label that the tiers deny"] += 1
        elif label is Label.ATTRIBUTABLE and label not in alike and strange(claim.tail.text, said):
            label, why_not = Label.EXTRAPOLATORY, _LACKING
            left_out["support by triplets that lack what the claim names"] += 1
        evidence = tuple(Evidence(one, _ROLES[label]) for one in held)
        verdict = Verdict(claim, label, _EVEN, NAME, evidence, part.why, relation, head, tail, why_not=why_not)
        if label is part.label and part.why.strip() and not strange(part.why, [claim.text, *said]):
            return verdict
        left_out["rationale replaced"] += 1
        return _explained(verdict, store)

    def _claim(
        self, place: Span, mentions: Sequence[Mention], asked: Sequence[Statement]
    ) -> tuple[Claim, Candidate | None, Candidate | None, str | None]:
        """The span as a claim, with what its head, its tail and its relation were read as.

        They are those of the tiers' claim in it that rests on the triplets named, else on most of its words; where the
        tiers have none, its first and its last name.
        """
        start, end = place
        own = [one for one in self.ruled if _inside(one.claim.tail, place) and one.claim.start < end]
        if own:
            best = max(
                own,
                key=lambda one: (
                    len({*triplets(one)} & {*asked}),
                    min(end, one.claim.end) - max(start, one.claim.start),
                ),
            )
            one = best.claim
            claim = Claim(
                start, end, self.text[start:end], one.head, one.relation, one.tail, one.bridge, one.negated, one.hedged
            )
            return claim, best.head, best.tail, best.relation
        inside = [one for one in mentions if _inside(one, place)]
        whole = Mention(start, end, self.text[start:end])
        head, tail = (inside[0], inside[-1]) if len(inside) > 1 else (inside[0] if inside else whole, whole)
        claim = Claim(start, end, self.text[start:end], head, self.text[head.end : tail.start].strip(), tail)
        first, last = (one.candidates[0] if one.candidates else None for one in (head, tail))
        return claim, first, last, None


def _weighed(verdict: Verdict) -> Verdict:
    """The verdict with its TMS as confidence (section 3.5.2 calls it a proxy): none leaves all labels alike."""
    sure = (1 + 2 * verdict.scores["tms"]) / 3
    first, second, third = (sure if one is verdict.label else (1 - sure) / 2 for one in Label)
    return replace(verdict, probabilities=(first, second, third))


def _otherwise(verdict: Verdict, ruled: Sequence[Verdict]) -> bool:
    """Do the tiers label a claim about the same words differently?"""
    labels = {one.label for one in _alike(verdict.claim, ruled)}
    return bool(labels) and verdict.label not in labels


def _alike(claim: Claim, ruled: Sequence[Verdict]) -> list[Verdict]:
    return [one for one in ruled if (one.claim.head, one.claim.tail) == (claim.head, claim.tail)]


def _denied(label: Label, ruled: set[Label]) -> bool:
    """May the label not stand beside those of the tiers? The model accuses nobody by itself."""
    if label is Label.CONTRADICTORY:
        return label not in ruled
    return label is Label.ATTRIBUTABLE and label not in ruled and Label.CONTRADICTORY in ruled


def retrieved(
    ruled: Iterable[Verdict], mentions: Iterable[Mention], store: KnowledgeGraph
) -> tuple[list[Statement], int]:
    """The triplets for a text: what the tiers looked at, then paths from each entity to the later ones.

    :return: the triplets; how many entities were left out of the search for paths
    """
    found = dict.fromkeys(one for verdict in ruled for one in triplets(verdict))
    entities = list(dict.fromkeys(one.candidates[0].iri for one in mentions if one.candidates))
    near = entities[:MOST_ENTITIES]
    for at, entity in enumerate(near):
        for path in between([entity], near[at + 1 :], store):
            found |= dict.fromkeys(path)
    return list(found), len(entities) - len(near)


def _explained(verdict: Verdict, store: KnowledgeGraph) -> Verdict:
    """The verdict with a rationale of ours, made of its evidence alone."""
    plain = replace(verdict, method="", reason=verdict.why_not or _UNSAID)
    return replace(verdict, reason=explain(plain, store))


def _place(text: str, span: str, window: Span) -> Span | None:
    """Where a span stands; its white space, and a full stop at its end, may differ."""
    wanted = " ".join(span.split()).strip(" .,;")
    if not wanted:
        return None
    found = re.compile(r"\s+".join(map(re.escape, wanted.split(" "))), re.IGNORECASE).search(text, *window)
    return trim(text, *found.span()) if found else None


def _inside(inner: Claim | Mention, outer: Span) -> bool:
    return outer[0] <= inner.start and inner.end <= outer[1]
