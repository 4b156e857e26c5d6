"""Whom each pronoun of a text means: the names that it may mean, weighed by a few readable features.

A softmax over these names and over nobody. The features say where a name stood last (how many sentences before, as a
subject or as what), what the text is about, by which pronouns a name was spoken of, and what is known of unknown names.
The weights lie in ``antecedents.json`` beside this file; `kgstore.verifier.training.pronouns` fits them on pronouns
that people have read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import exp
from pathlib import Path

import orjson

from kgstore.catalog import fold
from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import given_names, peoples, words
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.coreference import NEUTRAL, PERSONAL, is_called
from kgstore.verifier.read.keys import Line
from kgstore.verifier.read.parse import Sentence, Word

SHIPPED = Path(__file__).with_name("antecedents.json")
SURE = {"he": 0.55, "it": 0.4}
"""P(meant) from which a pronoun stands for a name, by its kind."""
ALONE = {"he": 0.25, "it": 0.05}
"""The same for a subject where the text named nobody else whom it may mean, and the KG knows that one; for "it", where
the text, or the sentence before, named nothing else: so in simpler texts than those of the weights."""
CERTAIN = 0.9
"""The same for "he" and "she", from which they mean nobody else."""
_SUBJECTS = ("nsubj", "nsubjpass")
_BESIDE = ("appos", "conj")
_WITHIN = ("compound", "amod", "nmod", "nummod")
_FULL = re.compile(r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){1,2}")
"""What a person may be called, in full."""
_SUFFIXES = words("names.suffixes")
_MOST, _KEPT = 25, 200
"""Names that are weighed, and that are kept in mind, those that were spoken of last."""


@dataclass(slots=True, eq=False)
class Named:
    """Somebody or something that the text named.

    :param mention: the fullest name that it has in the text
    :param article: did an article stand before the name?
    :param last: the word by which it was spoken of last, ``sentence`` the number of its sentence
    :param called: the kinds of pronouns that stood for it, see `kind`
    :param often: how often the text spoke of it
    :param meant: P(meant) of the last of these, and of those that it rests on, the least
    """

    mention: Mention
    article: bool
    last: Word
    sentence: int
    called: set[str] = field(default_factory=set)
    often: int = 0
    meant: float = 1.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A name that a pronoun may stand for.

    :param values: feature -> value
    :param alone: has it no rival, see `ALONE`?
    """

    named: Named
    values: Mapping[str, float]
    alone: bool = False


Choose = Callable[[Word, Sequence[Choice]], Named | None]


def antecedents(
    text: str, parts: Sequence[Sentence | Line], beings: Beings, centre: Mention | None = None
) -> dict[int, Mention]:
    """Where each pronoun begins that surely stands for a name of the text -> that name. Plural ones are not asked.

    :param centre: what the text is about as a whole
    """
    found: dict[int, Mention] = {}

    def choose(pronoun: Word, choices: Sequence[Choice]) -> Named | None:
        one, share = likeliest(pronoun, choices, weights())
        if one is not None:
            one.meant = min(share, one.meant) if one.last.tag.startswith("PRP") else share
            found[pronoun.start] = replace(one.mention, meant=one.meant)
        return one

    Pronouns(text, beings, choose, centre).read(parts)
    return found


def likeliest(
    pronoun: Word, choices: Sequence[Choice], weighed: Mapping[str, float]
) -> tuple[Named | None, float]:
    """Who is surely meant, None where nobody is, and P(meant)."""
    powers = [exp(sum(weighed.get(name, 0.0) * value for name, value in one.values.items())) for one in choices]
    for share, one in sorted(zip(powers, choices, strict=True), key=lambda each: -each[0]):
        least = (ALONE if one.alone else SURE)[_of(pronoun)]
        if share >= least * (1 + sum(powers)):
            return one.named, share / (1 + sum(powers))
    return None, 0.0


@cache
def weights() -> Mapping[str, float]:
    """Feature -> weight, as they come along."""
    return orjson.loads(SHIPPED.read_bytes())["weights"]


class Pronouns:
    """Goes through the pronouns of one text in reading order.

    :param choose: whom a pronoun means, of those that it may mean
    :param centre: what the text is about as a whole
    """

    def __init__(self, text: str, beings: Beings, choose: Choose, centre: Mention | None = None) -> None:
        self.text, self.beings, self.choose, self.centre = text, beings, choose, centre
        self.named: list[Named] = []
        self.first: Named | None = None
        """What the paragraph named first; ``title`` what the text did."""
        self.title: Named | None = None

    def read(self, parts: Sequence[Sentence | Line]) -> None:
        end = 0
        for at, part in enumerate(parts):
            if "\n\n" in self.text[end : part.start]:
                self.first = None
            end = part.end
            if isinstance(part, Line):
                if (head := part.head) is not None:
                    self._name(head, Word(head.start, head.end, head.text, "NNP", _SUBJECTS[0], head), at)
                continue
            for word in part.words:
                if word.tag in ("PRP", "PRP$") and kind(word.lower) and not word.lower.endswith("self"):
                    self._pronoun(word, at, part)
                elif (mention := _name(word)) is not None:
                    self._name(mention, word, at)
                elif word.tag == "NN" and (one := self._called(word)) is not None:
                    self._spoken(one, word, at)

    def _spoken(self, one: Named, word: Word, at: int) -> None:
        if one in self.named:
            self.named.remove(one)
        self.named.append(one)
        del self.named[:-_KEPT]
        one.last, one.sentence = word, at
        one.often += 1

    def _name(self, mention: Mention, word: Word, at: int) -> None:
        one = next((one for one in reversed(self.named) if _same(one.mention, mention)), None)
        if one is None:
            one = Named(mention, bool(word.all("det")), word, at)
        self.first, self.title = self.first or one, self.title or one
        if len(mention.text) > len(one.mention.text) and (mention.candidates or not one.mention.candidates):
            one.mention = mention
        self._spoken(one, word, at)

    def _called(self, word: Word) -> Named | None:
        """ "The writer" is the latest name of a writer."""
        if not any(one.lower == "the" for one in word.all("det")):
            return None
        known = (one for one in reversed(self.named) if is_called(word.lower, self.beings.kinds(one.mention)))
        return next(known, None)

    def _pronoun(self, word: Word, at: int, sentence: Sentence) -> None:
        may = [one for one in self.named[-_MOST:] if self._may_mean(word, one)]
        near = [one for one in may if at - one.sentence <= 1]
        before = [one for one in may if _role(one.last) == "subject"]
        latest = max(before, key=lambda one: one.last.start, default=None)
        most = max((one.often for one in may), default=0)
        often = [one for one in may if one.often == most > 1]
        choices, begin = [], _of(word)
        for one in may:
            told = self._told(word, at, one) | {
                "alone in the sentence before": near == [one] and at > one.sentence,
                "latest subject": one is latest,
                "most often": often == [one],
            }
            values = {f"{begin}: {name}": 1.0 for name, holds in told.items() if holds}
            known = bool(self.beings.kinds(one.mention))
            choices.append(Choice(one, values, _is_alone(word, [one], may, near if begin == "it" else [], known)))
        coming = self._coming(word, at, sentence)
        if coming is not None and not any(_same(one.mention, coming.mention) for one in may):
            choices.append(Choice(coming, {f"{begin}: behind": 1.0}))
        meant = self.choose(word, choices)
        if meant is not None:
            self._spoken(meant, word, at)
            meant.called.add(kind(word.lower))

    def _coming(self, word: Word, at: int, sentence: Sentence) -> Named | None:
        """ "In his youth Ann's teacher Bob Smith sang": the subject that a pronoun in front may stand for."""
        subjects = sentence.root.all(*_SUBJECTS)
        for subject in subjects:
            mention = _name(subject)
            if mention is not None and subject.start > word.start and word not in subjects:
                one = Named(mention, bool(subject.all("det")), subject, at)
                return one if self._may_mean(word, one) else None
        return None

    def _may_mean(self, word: Word, one: Named) -> bool:
        known = self.beings.kinds(one.mention)
        person = bool(known & self.beings.persons) if known else None
        if word.lower in NEUTRAL:
            return person is not True
        return person is not False and self.beings.gender(one.mention) in (PERSONAL[word.lower], "")

    def _told(self, word: Word, at: int, one: Named) -> dict[str, bool]:
        role, own, verb = _role(one.last), kind(word.lower), _verb(word)
        together = verb is not None and verb is _verb(one.last)
        return {
            "any": True,
            f"{min(at - one.sentence, 3)} sentences before": True,
            f"as {role}": True,
            "joined": one.last.dep in _BESIDE,
            "by a pronoun": one.last.tag.startswith("PRP"),
            "first": one is self.first,
            "first of the text": one is self.title,
            "what the text is about": self.centre is not None and _same(one.mention, self.centre),
            "in a paragraph before": "\n\n" in self.text[one.last.end : word.start],
            "in one role": role == _role(word),
            "of one clause": together,
            "of one clause, an owner": together and word.tag == "PRP$",
            "of one phrase": one.last in _above(word),
            "for a subject": word.dep in _SUBJECTS,
            "for nothing, maybe": word.dep in _SUBJECTS and _is_empty(word),
            "for an owner": word.tag == "PRP$",
            "called so": own in one.called,
            "called otherwise": bool(one.called - {own}),
            **(_unknown(one, own) if not self.beings.kinds(one.mention) else {}),
        }


def _unknown(one: Named, own: str) -> dict[str, bool]:
    """What a name tells of whom the KG does not know.

    :param own: the pronoun's kind
    """
    name = one.mention.text
    given = given_names().get(next(iter(_bare(name)), ""), "")
    return {
        "unknown": True,
        "unknown, in full": _FULL.fullmatch(name) is not None and not name.startswith("The "),
        "unknown, a word": " " not in name,
        "unknown, with an article": one.article,
        "unknown, with a given name": bool(given) and own in (given, "neutral"),
        "unknown, with another's name": bool(given) and own not in (given, "neutral"),
    }


def kind(word: str) -> str:
    """``male``, ``female``, ``neutral``, or "" for another word.

    >>> kind("her"), kind("its"), kind("they")
    ('female', 'neutral', '')
    """
    return PERSONAL.get(word, "neutral" if word in NEUTRAL else "")


def _of(word: Word) -> str:
    """What the features of a pronoun begin with."""
    return "it" if word.lower in NEUTRAL else "he"


def _is_alone(word: Word, one: list[Named], may: list[Named], near: list[Named], known: bool) -> bool:
    """Has a subject no other name to stand for? See `ALONE`."""
    subject = word.dep in _SUBJECTS and not _is_empty(word)
    return subject and one in (near, may) and (known or _of(word) == "it")


def _is_empty(word: Word) -> bool:
    """May it stand for nothing ("it is said that ...")?"""
    return word.head is not None and bool(word.head.all("ccomp", "csubj", "xcomp", "acl", "relcl"))


def _name(word: Word) -> Mention | None:
    """A name, known to the KG or not; no date, no amount, and no people before a noun ("by Australian standards")."""
    if word.lower in peoples() and word.dep in _WITHIN:
        return None
    if word.mention is not None:
        return word.mention if word.mention.value is None and not word.mention.text[:1].islower() else None
    if word.tag == "NNP" and word.dep in _SUBJECTS and word.text[:1].isupper() and len(word.text) > 1:
        return Mention(word.start, word.end, word.text)
    return None


def _same(one: Mention, other: Mention) -> bool:
    """Do two names mean the same, or may one be short for the other?"""
    mine, yours = ({each.iri for each in name.candidates} for name in (one, other))
    if mine and yours:
        if one.candidates[0].iri == other.candidates[0].iri:
            return True
        if not mine & yours:
            return False
    short, long = sorted((_bare(one.text), _bare(other.text)), key=len)
    return bool(short) and (long[-len(short) :] == short or len(short) == 1 and long[:1] == short)


@lru_cache(maxsize=4096)
def _bare(name: str) -> tuple[str, ...]:
    return tuple(word for word in fold(name).split() if word not in _SUFFIXES)


def _role(word: Word) -> str:
    while word.dep in _BESIDE and word.head is not None:
        word = word.head
    if word.dep in _SUBJECTS:
        return "subject"
    if word.dep == "poss":
        return "owner"
    if word.head is not None and word.head.dep == "agent":
        return "agent"
    return "modifier" if word.dep in _WITHIN else "object" if word.dep in ("dobj", "dative", "attr") else "other"


def _verb(word: Word) -> Word | None:
    return next((one for one in (word, *_above(word)) if one.tag.startswith("V")), None)


def _above(word: Word) -> list[Word]:
    """The words that a word depends on, nearest first: "Ann" for "his" in "Ann and his sister"."""
    found = []
    while word.head is not None:
        word = word.head
        found.append(word)
    return found
