"""Who did a part of something: "Jaws is a film with music by John Williams" is a claim beside that of the sentence."""

from __future__ import annotations

from verifier.extract.draft import Draft, Is, is_entity, subjects
from verifier.extract.phrases import Phrases
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import loosen


def credited(sentence: Sentence, phrases: Phrases, is_noun: Is) -> list[Draft]:
    """A draft for each name in "with music by A and B", about what the sentence is about; the tree loses the phrase."""
    found = []
    for at, word in enumerate(sentence.words):
        if word.lower != "with" or (subject := _about(word)) is None:
            continue
        noun, by, name = _parts(sentence.words[at + 1 :])
        if noun is None or by is None or name is None or not is_noun(f"{noun.lower} by"):
            continue
        base, nouns = phrases.subject(subject)
        for one in (name, *(other for other in name.all("conj") if is_entity(other))):
            start, end = min(word.start, base.start), max(one.end, base.end)
            found.append(Draft(start, end, base, nouns, f"{noun.lower} by", one))
        for part in (word, by):
            loosen(part)
    return found


def _parts(words: list[Word]) -> tuple[Word | None, Word | None, Word | None]:
    """Noun, "by" and name, if nothing but an article and adjectives stands before and between them."""
    rest = [word for word in words if word.dep not in ("det", "amod")][:3]
    if len(rest) < 3 or not rest[0].tag.startswith("NN") or rest[0].mention is not None or rest[1].lower != "by":
        return None, None, None
    return (rest[0], rest[1], rest[2]) if is_entity(rest[2]) else (None, None, None)


def _about(word: Word) -> Word | None:
    """The subject that a phrase belongs to, however deep the parser hangs it."""
    above = word.head
    while above is not None:
        if above.dep.startswith("nsubj") and above.mention is not None:
            return above
        found = next(iter(subjects(above)), None)
        if found is not None:
            return found if above.dep in ("ROOT", "conj", "relcl") else None
        above = above.head
    return None
