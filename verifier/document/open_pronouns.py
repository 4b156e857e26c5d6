"""What "he", "it" and "they" stand for in a text of which no KG knows the names.

The latest earlier name that fits: a person's for "he" and "she", a thing's for "it", a plural or a group's for "they".
What the text itself tells counts: nouns such as "actress" beside a name, and the pronouns that were used of it before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.link.coreference import NEUTRAL, PERSONAL, PLURAL
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrase_spans import noun_phrase, span

_MALE = words("beings.male")
_FEMALE = words("beings.female")
_PERSON = _MALE | _FEMALE | words("beings.persons")
_GROUP = words("beings.groups")
_NO_PERSON = words("beings.no_person")
_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "appos", "conj", "ROOT", "poss", "attr")
_MOST = 24
"""Names that are remembered."""


@dataclass(slots=True)
class _Name:
    start: int
    end: int
    plural: bool | None
    """None where both will do: a council is "it" and "they"."""
    gender: str
    """male, female, thing, person (either), or "" where nothing tells."""
    subject: bool
    words: frozenset[str] = field(default_factory=frozenset)


class Named:
    """The names of one text so far: tell each sentence with `sentence`, then ask with `meant`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: list[_Name] = []

    def sentence(self, sentence: Sentence) -> None:
        """The text goes on with this sentence. Its own names count only for what follows them."""
        for word in sentence.words:
            if word.tag.startswith("NN") and word.dep in _PLACES:
                self._add(word)
        self.names.sort(key=lambda name: name.start)
        del self.names[:-_MOST]

    def meant(self, mention: Mention, word: Word | None) -> Mention:
        """The mention with what it refers to, if it is a pronoun for which a name stands before it."""
        if word is None or not word.tag.startswith("PRP") or word.tag == "PRP$":
            return mention
        found = self._pronoun(word)
        return mention if found is None else replace(mention, refers_to=(found.start, found.end))

    def _pronoun(self, word: Word) -> _Name | None:
        lower = word.lower
        before = [name for name in self.names if name.end <= word.start]
        if lower in PERSONAL:
            wanted = PERSONAL[lower]
            fits = [name for name in before if name.gender == wanted and not name.plural]
            fits = fits or [name for name in before if name.gender in ("person", "") and not name.plural]
            best = self._best(fits)
            if best is not None:
                self._known(best, wanted)
            return best
        if lower in NEUTRAL:
            return self._best([name for name in before if name.gender in ("thing", "") and not name.plural])
        if lower in PLURAL:
            return self._best([name for name in before if name.plural is not False])
        return None

    def _best(self, names: list[_Name]) -> _Name | None:
        """The latest subject, else the latest name."""
        led = [name for name in names if name.subject]
        return (led or names)[-1] if names else None

    def _known(self, best: _Name, gender: str) -> None:
        for name in self.names:
            if name is best or name.words & best.words:
                name.gender = gender

    def _add(self, word: Word) -> None:
        phrase = noun_phrase(word, word.all("prep", "case"))
        start, end = span(phrase)
        words = {one.lower for one in phrase}
        proper = word.tag.startswith("NNP")
        plural: bool | None = word.tag in ("NNS", "NNPS") or bool(word.all("conj"))
        if word.lower in _GROUP:
            plural = None
        gender = ""
        if words & _FEMALE:
            gender = "female"
        elif words & _MALE:
            gender = "male"
        elif words & _PERSON:
            gender = "person"
        elif not proper or words & _NO_PERSON or plural:
            gender = "thing"
        names = frozenset(one.lower for one in phrase if one.tag.startswith("NNP"))
        for known in self.names:
            if known.words & names and known.gender in ("male", "female") and gender in ("", "person"):
                gender = known.gender
        if _called_person(word) and gender == "":
            gender = "person"
        self.names.append(_Name(start, end, plural, gender, word.dep.startswith("nsubj"), names))


def _called_person(word: Word) -> bool:
    """A proper name in apposition to a person's noun: "the singer Ann Smith"."""
    near = [word.head] if word.dep == "appos" and word.head is not None else []
    return any(one.lower in _PERSON for one in (*near, *word.all("appos", "compound", "nmod")))
