"""Sentence shapes that say what a plainer sentence could say, in the order in which they are undone.

"It was in Ulm that A was born" is read as "A was born in Ulm". Each shape edits a copy of the tree: the parse that came
from the parser is never changed, and the offsets of its words stay what they are. A word that a shape puts in has none
of the text's own and says so (`Word.inserted`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kgstore.verifier.read.apposed import name_first, noun_first, pronoun_second
from kgstore.verifier.read.draft import Is
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.relative import relative
from kgstore.verifier.read.reorder import cleft, interval, lost_subject, name_as_root, reduced, year_first
from kgstore.verifier.read.shared import agents, apart, shared
from kgstore.verifier.read.states import of_peoples, of_states

Edits = Callable[[Sentence, Is], Sentence | None]
"""Edits a copy in place; gives the sentence where that has another main word. Asks whether a word is a demonym."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to say it that is not the usual one.

    :param example: a sentence of that shape, with the plainer one that says the same
    :param alone: of these the first that fits is the only one
    """

    name: str
    example: str
    edits: Edits
    alone: bool = False


ORDER: tuple[Shape, ...] = (
    Shape("people", "Ann Smith is a retired Norway football player. -> She is of Norway.", of_peoples),
    Shape("state", "The Norway capital is Oslo. -> Norway's capital is Oslo.", of_states),
    Shape("name as main word", "Oslo and Bergen are cities. -> Oslo is a city, and so is Bergen.", name_as_root),
    Shape("lost subject", "Norway has a population of 5 million. -> Its population is 5 million.", lost_subject),
    Shape("interval", "NATO closed in 1931, a year after its start in 1930. -> NATO closed in 1931.", interval),
    Shape("relative clause", "Ann Smith lived in Oslo, where she died in 1931. -> She died in Oslo in 1931.", relative),
    Shape("noun in front", "A writer, Ann Smith was born in Oslo. -> She is a writer, born in Oslo.", noun_first),
    Shape("pronoun behind", "The wife of Bob Jones, she was born in Oslo. -> She, his wife, was born.", pronoun_second),
    Shape("name in front", "Ann Smith and Bob Jones, the founders of NATO, live in Oslo. -> They do.", name_first),
    Shape("joined nouns", "Oslo is the capital and largest city of Norway. -> It is the capital of Norway.", shared),
    Shape("two nouns", "Oslo is the capital of Norway and the largest city in Norway. -> It is both.", apart),
    Shape("joined participles", "Alien was written and directed by Ann Smith. -> Ann Smith wrote Alien.", agents),
    Shape("cleft", "It was in Oslo that Ann Smith was born. -> Ann Smith was born in Oslo.", cleft, alone=True),
    Shape("reduced clause", "The person married to Bob Jones was born in Oslo. -> His wife was.", reduced, alone=True),
    Shape("year as subject", "The year 1931 saw the death of Ann Smith. -> She died in 1931.", year_first, alone=True),
)  # fmt: skip
"""All shapes, first to last: a later one sees what an earlier one made of the sentence."""


def usual(sentence: Sentence, is_demonym: Is) -> Sentence:
    """The sentence in the usual shape, as a copy."""
    sentence, found = copied(sentence), False
    for shape in ORDER:
        if not (shape.alone and found):
            changed = shape.edits(sentence, is_demonym)
            found |= shape.alone and changed is not None
            sentence = changed or sentence
    return sentence


def steps(sentence: Sentence, is_demonym: Is) -> Iterator[tuple[Shape, Sentence]]:
    """The shapes that changed something, each with the sentence after it, for those who want to see."""
    found = False
    for shape in ORDER:
        if shape.alone and found:
            continue
        edited = copied(sentence)
        changed = shape.edits(edited, is_demonym)
        found |= shape.alone and changed is not None
        edited = changed or edited
        if _tree(edited) != _tree(sentence):
            sentence = edited
            yield shape, edited


def copied(sentence: Sentence) -> Sentence:
    """The sentence with words of its own."""
    every = list(sentence.words)
    known = set(map(id, every))
    for word in every:
        for child in word.children:
            if id(child) not in known:
                known.add(id(child))
                every.append(child)
    new = {id(word): _alone(word) for word in every}
    for word in every:
        own = new[id(word)]
        own.head = new.get(id(word.head)) if word.head is not None else None
        own.children = [new[id(child)] for child in word.children]
    return Sentence(sentence.start, sentence.end, [new[id(word)] for word in sentence.words], new[id(sentence.root)])


def _alone(word: Word) -> Word:
    return Word(word.start, word.end, word.text, word.tag, word.dep, word.mention, inserted=word.inserted)


def _tree(sentence: Sentence) -> list[tuple]:
    """All words below the main one, as values."""

    def told(word: Word) -> tuple:
        return word.start, word.end, word.text, word.tag, word.dep, [told(child) for child in word.children]

    return [told(sentence.root), *(told(word) for word in sentence.words if word.head is None)]
