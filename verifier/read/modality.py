"""Does a clause assert, deny, or leave open what it says?

"never", "failed to", "it is false that" deny; "may", "if", "wanted to", "according to", somebody's words leave it open.
What is left open accuses nobody.
"""

from __future__ import annotations

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import HEDGES, NEGATIONS, REPORTING, Argument, subjects
from kgstore.verifier.read.parse import Word

_FEW = words("hedging.subjects")
_FAILED = words("negation.failed")
"""What follows did not happen."""
_REFUSED = words("negation.refused")
"""What follows was not wanted, then."""
_OPEN = words("hedging.open")
"""What follows may have happened or not."""
_UNDONE = _FAILED | _REFUSED | _OPEN
_KNOWN = words("hedging.known")
"""What these tell of is asserted with them."""
_TRUE, _FALSE = words("hedging.true"), words("negation.false")
_CONDITIONS = words("hedging.conditions")
_BEGUN = words("hedging.begun")


def modality(verb: Word) -> tuple[bool, bool]:
    """Whether the clause of ``verb`` is denied, and whether it is left open."""
    negated = any(_is_of(word, verb) for word in verb.all("neg", "preconj", "cc") if word.lower in NEGATIONS) or any(
        child.lower in ("no", "neither")
        for argument in (*verb.all("dobj", "attr"), *subjects(verb))
        for child in argument.all("det", "preconj", "cc")
    )
    hedged = any(word.lower in HEDGES for word in (*verb.all("aux", "advmod", "mark"), verb))
    hedged |= any(word.lower in ("according", "allegedly") for word in verb.all("prep", "advmod"))
    hedged |= any(word.lower in _FEW for word in subjects(verb))
    leading = [verb, *verb.all("acomp", "oprd", "attr")]
    following = [word for one in leading for word in one.all("xcomp", "ccomp") if not subjects(word)]
    if following:
        negated ^= any(word.lower in _FAILED | _REFUSED for word in leading)
        hedged |= any(word.lower in _OPEN | _REFUSED for word in leading)
    above_negated, above_hedged = _above(verb)
    return negated ^ above_negated, hedged or above_hedged


def _is_of(denial: Word, verb: Word) -> bool:
    """Is it the verb that is denied, not what comes behind its complement ("was built by A, not, as he says, by B")?"""
    complements = verb.all("agent", "prep", "dobj", "attr")
    return not any(verb.end <= one.start and one.end <= denial.start for one in complements)


def _above(verb: Word) -> tuple[bool, bool]:
    """What the clauses say that this one depends on."""
    negated = hedged = False
    word = verb
    while word.head is not None and word.dep in ("ccomp", "advcl", "csubj", "conj", "acl", "relcl", "parataxis"):
        marks = {mark.lower for mark in word.all("mark", "advmod")}
        head = word.head
        if word.dep == "advcl":
            hedged |= bool(marks & _CONDITIONS)
        elif word.dep in ("ccomp", "csubj") or (word.dep == "acl" and "that" in marks):
            said = {one.lower for one in (head, *head.all("acomp", "attr", "oprd"))}
            if said & _FALSE:
                negated = not negated
            elif said & _TRUE:
                negated ^= bool(head.all("neg"))
            elif said & _KNOWN:
                doubted = any(one.lower in NEGATIONS for one in head.all("neg"))
                doubted |= head.dep == "xcomp" and head.head is not None and head.head.lower in _UNDONE
                hedged |= doubted or any(one.lower in _FEW for one in subjects(head))
            elif word.start > head.start or said & REPORTING:  # else two sentences, joined by a semicolon
                hedged = True
        elif word.dep == "conj" and any(one.lower in _BEGUN for one in head.all("aux")) and not word.all("aux"):
            hedged |= not subjects(word)  # "may have been born in A and died in B"
        word = head
    return negated, hedged


def denied_of(subject: Word, negated: bool) -> bool:
    """Is it denied of this one of several subjects, where the verb is ``negated`` or not: "neither A nor B but *C*",
    "A, and not *B*, wrote it"? Not of whom "not only" names.
    """
    own = [one.lower for one in subject.all("neg", "advmod")]
    if "not" in own and "only" not in own:
        return not negated
    joined = subject.head.all("cc") if subject.dep == "conj" and subject.head is not None else []
    return negated and [one.lower for one in joined if one.end <= subject.start][-1:] != ["but"]


def denied(argument: Argument, negated: bool) -> bool:
    """Is this argument denied? "born in Rome, not in Milan", "not a chemist but a physicist", "without leaving A",
    "instead of leaving A".
    """
    joined = argument.joined
    own = [child.lower for word in (argument.word, joined) if word is not None for child in word.all("neg", "advmod")]
    if joined is not None and joined.head is not None and not set(own) & NEGATIONS:
        before = [word for word in joined.head.all("cc") if word.end <= joined.start]
        if before and before[-1].lower == "but":
            return False
    instead = any(word.lower == "instead" for way in argument.path for word in way.all("advmod"))
    if instead or any(word.lower == "without" for word in argument.path):
        return not negated
    beside = [argument.word, *argument.path, *(word.head for word in argument.path[:1] if word.head is not None)]
    around = [child for word in beside for child in word.all("neg", "advmod", "preconj", "cc")]
    children = [child.lower for child in around if child.start < argument.word.start]
    return negated or bool({"not", "n't", "never"} & set(children))
