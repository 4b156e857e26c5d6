"""Sentences that grammar does not help with: misread ones with two names, and lines without a verb."""

from __future__ import annotations

from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import COPULA, HEDGES, NEGATIONS, Draft, is_amount, is_date, relation_words
from kgstore.verifier.read.grammar import Grammar
from kgstore.verifier.read.parse import Sentence

_UNSURE = words("hedging.line")
_LINKING = words("prepositions.linking")


def linear(sentence: Sentence, grammar: Grammar) -> list[Draft]:
    """The words between two names, for sentences that the parser misreads ("Alien stars Ann Smith" as one noun)."""
    anchors = [word for word in sentence.words if word.mention is not None]
    dates = [word for word in anchors if is_date(word)]
    if len(anchors) - len(dates) >= 2:  # "Ann Smith married Bob Jones in 1931."
        anchors = [word for word in anchors if word not in dates]
    if len(anchors) == 1:
        anchors += [word for word in sentence.words[-3:] if word.start >= anchors[0].end and grammar.is_name(word)][-1:]
    words = [word for word in sentence.words if word not in anchors and word.dep != "punct"]
    if len(anchors) != 2 or not any(word.tag.startswith("V") or word.start > anchors[0].end for word in words):
        return []
    head, tail = anchors[:2]
    between = [word for word in words if head.end <= word.start < tail.start]
    before = [word for word in words if word.end <= head.start and word.tag.startswith(("NN", "WRB", "IN", "JJ"))]
    after = [word for word in words if word.start >= tail.end]
    if not between or any(word.text in ("and", "or") for word in between) or len(between) > 12:
        return []
    end = max(tail.end, *(word.end for word in words)) if words else tail.end
    negated = any(word.lower in NEGATIONS for word in words)
    marked = any(word.dep == "mark" or word.lower in _UNSURE for word in words)
    hedged = grammar.hedged or marked or any(word.lower in HEDGES for word in words)
    nominal = [word for word in before if word.lower not in _LINKING]
    if not any(word.tag.startswith(("V", "MD")) for word in words) and between[-1].lower == "of":
        noun = " ".join(relation_words(between[:-1]))  # "B - the birth name of A"
        return [Draft(sentence.start, end, tail, (), noun, head, (), negated, hedged)]
    copula = all(word.lower in COPULA | {"'s"} for word in between)
    relation = " ".join(relation_words(nominal if nominal and copula else [*nominal, *between, *after]))
    when = dates[0] if dates and dates[0] not in anchors else None
    if when is not None:
        relation = relation.removesuffix(" in").removesuffix(" on")
    draft = Draft(sentence.start, end, head, (), relation, tail, (), negated, hedged, when)
    return [replace(draft, head=tail, tail=head)] if is_amount(head) else [draft]


def listed(sentence: Sentence, grammar: Grammar) -> list[Draft]:
    """A line without a verb, as in lists: "Population: 37,200", or a title alone, which says what follows is about."""
    words = [word for word in sentence.words if word.dep != "punct" and word.tag != "DT"]
    if any(word.tag.startswith("V") for word in words) or not words:
        return []
    *before, value = words
    nouns = [word for word in before if word.mention is None]
    names = [word for word in before if word.mention is not None]
    noun = " ".join(word.lower for word in nouns)
    if value.mention is None or not nouns or len(names) > 1 or not grammar.is_noun(noun):
        return []
    return [Draft(sentence.start, value.end, names[0] if names else None, (), noun, value)]
