"""From a parsed sentence to an utterance: its propositions, and what tells of whom the text speaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.read.clauses import drafts
from kgstore.verifier.read.draft import Is, IsClass, IsName, subjects
from kgstore.verifier.read.forms import is_told
from kgstore.verifier.read.nouns import definite, two_things
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrasing import Phrasing, spoken
from kgstore.verifier.read.proposition import Phrase, Utterance
from kgstore.verifier.read.shapes import copied

_APART = (":", "–", "—", "-")
OF_TWO = {"former": 0, "latter": 1}
PLURAL = words("pronouns.plural")


class Utterances:
    """Reads the sentences of one text.

    :param is_name: the span of a noun phrase that is a name of the KG
    :param is_noun: is this the name of a relation ("cause of death")?
    :param is_value: is it the name of a relation to dates or amounts ("running time")?
    :param is_demonym: is this a people's or a country's adjective ("American")?
    :param is_class: does this noun name a class that has members in the KG?
    :param is_known: is there a name of the KG at this span?
    """

    def __init__(
        self,
        text: str,
        is_name: IsName,
        is_noun: Is,
        is_value: Is,
        is_demonym: Is,
        is_class: IsClass,
        is_known: Callable[[tuple[int, int]], bool],
    ) -> None:
        self.text, self.is_known, self.is_name = text, is_known, is_name
        self.is_noun, self.is_demonym = is_noun, is_demonym
        self.knows = is_name, is_noun, is_value, is_demonym, is_class

    def read(self, sentence: Sentence) -> Utterance:
        """The sentence as linking sees it."""
        told = tuple(self._spoken(sentence))
        sentence = self._name_first(sentence)
        words = sentence.words
        titled = words[0].mention if len(words) > 2 and words[1].text in _APART else None
        named = [word for word in subjects(sentence.root) if word.mention is not None and word.mention.value is None]
        subject = next((word for word in named if word.mention and word.mention.candidates), None)
        first = subject or words[0]
        several = _listed(subject) if subject is not None else []
        owners = [word for word in words if word.tag == "PRP$" and word.start > first.end]
        things = () if any(word.lower in OF_TWO for word in words) else two_things(sentence)
        names = tuple(word.mention for word in words if word.mention is not None and word.mention.value is None)
        return Utterance(
            sentence.start,
            sentence.end,
            self._propositions(sentence),
            told,
            titled,
            first.mention if first.mention is not None and first.mention.candidates else None,
            named[0].mention if named else None,
            any(not several or word.lower in PLURAL for word in owners),
            frozenset((word.start, word.end) for word in several),
            (things if len(things) == 2 else ()) if things else None,
            names,
            words[-1].text == ":" or not (any(word.tag.startswith("V") for word in words) or is_told(words)),
        )

    def _propositions(self, sentence: Sentence) -> tuple:
        found = drafts(sentence, *self.knows)
        phrasing = Phrasing(self.text, self.is_name, self.is_noun, self.is_demonym)
        return tuple(phrasing.proposition(draft) for draft in found)

    def _spoken(self, sentence: Sentence) -> Iterator[Phrase]:
        """Names, pronouns, and subjects such as "the film"."""
        about = {word.start for word in subjects(sentence.root)}
        phrasing = Phrasing(self.text, self.is_name, self.is_noun, self.is_demonym)
        for word in sentence.words:
            if word.mention is not None or word.tag in ("PRP", "PRP$"):
                yield spoken(word)
            elif word.start in about and word.tag.startswith("NN") and definite(word):
                yield phrasing.phrase(word)

    def _name_first(self, sentence: Sentence) -> Sentence:
        """ "Mozart, born in Salzburg, ...": a name that the KG lacks, whose capital could be that of any first word."""
        word = sentence.words[0]
        subject = word.tag == "NNP" and word.mention is None and word.dep in ("nsubj", "nsubjpass")
        if not subject or self.is_known((word.start, word.end)) or not word.text[:1].isupper():
            return sentence
        sentence = copied(sentence)
        sentence.words[0].mention = Mention(word.start, word.end, word.text)
        return sentence


def _listed(name: Word) -> list[Word]:
    """ "A", "B" and "C" of "A, B and C", which the parser may take for appositions; nothing where one stands alone."""
    found = [name]
    for word in found:
        found += (one for one in word.all("conj", "appos") if one.mention is not None)
    return found if any(word.dep == "conj" for word in found[1:]) else []
