"""Several measures of one thing: "The lake is 30 km long, 5 km wide and up to 80 metres deep" is three claims."""

from __future__ import annotations

from verifier.extract.draft import COPULA, Draft, is_amount, subjects
from verifier.extract.measures import basic
from verifier.extract.modality import modality
from verifier.extract.phrases import Phrases
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import loosen


def dimensions(sentence: Sentence, phrases: Phrases) -> list[Draft]:
    """A draft for each of at least two amounts with an adjective right behind; the tree loses them."""
    verb = sentence.root
    subject = next(iter(subjects(verb)), None)
    pairs = [
        (amount, adjective)
        for amount, adjective in zip(sentence.words, sentence.words[1:], strict=False)
        if is_amount(amount) and adjective.mention is None and basic(adjective) and amount.start > verb.end
    ]
    if subject is None or verb.lower not in COPULA or len(pairs) < 2 or not _one_list(sentence, verb, pairs):
        return []
    negated, hedged = modality(verb)
    base, nouns = phrases.subject(subject)
    found = []
    for number, (amount, adjective) in enumerate(pairs):
        start = amount.start if number else subject.start
        relation = f"{verb.lower} {adjective.lower}"
        found.append(Draft(start, adjective.end, base, nouns, relation, amount, negated=negated, hedged=hedged))
    for word in [one for one in sentence.words if verb.end < one.start < pairs[-1][1].end]:
        loosen(word)
    return found


def _one_list(sentence: Sentence, verb: Word, pairs: list[tuple[Word, Word]]) -> bool:
    """Is there nothing but commas, "and" and words like "about" or "up to" from the verb to the last adjective?"""
    own = {id(word) for pair in pairs for word in pair}
    between = [word for word in sentence.words if verb.end < word.start < pairs[-1][1].end and id(word) not in own]
    return all(word.tag in ("RB", "CC", "IN", ",") or word.text == "," for word in between)
