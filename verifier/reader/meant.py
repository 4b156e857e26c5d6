"""Nobody is accused under a part of a longer name, or by words that do not fit who is taken for meant.

A graph has few of all things. "Jordan" of "Jordan Medical Journal" is linked where the journal is not known, "the novel
Ring" to the film, "the waterway" to a country where the canal is not known, "the Finnish company" to the only company
that is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgstore.catalog import fold
from kgstore.verifier.claims import Label, Mention, Passage, Verdict
from kgstore.verifier.decide.tier import Tier
from kgstore.verifier.english.words import either, peoples, words
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.capitals import CALLINGS, TITLES, starts_sentence
from kgstore.verifier.link.coreference import NEUTRAL, PERSONAL, PLURAL, is_called
from kgstore.verifier.link.linker import Demonyms, described
from kgstore.verifier.link.mentions import BRACKETS
from kgstore.verifier.read.utter import OF_TWO

_GOES_ON = re.compile(r"-[A-Z\d]|[ -](?:[A-Z]\w|\d)|\s?: ?[A-Z]| ['‘\"“][A-Z]| ['’]n['’] | (?:of |of the |the )[A-Z]")
"""Behind a name, the rest of a longer one."""
_BEGAN = re.compile(r"([A-Z][\w'’]*)[ -]$")
"""The word before a name."""
_NTH = re.compile(rf"\b\d+{either('numbers.behind_digits')}[ -]$", re.IGNORECASE)
_SORT = re.compile(r"\b([a-z]+)(?: called)? [\"“*_‘']*$")
_SORTS = words("classes.works_called")
"""The noun before a title: "the novel"."""
_WORKS = words("classes.works")
_PEOPLE = words("beings.persons") | words("beings.male") | words("beings.female") | words("beings.related")
_ARTICLE = re.compile(r"\b[Tt]h(?:e|is|at) ((?:[\w'’-]+,? ){0,4})$")
_FROM = re.compile(rf" {either('prepositions.leading')} (?:the )?")
_NO_PART = TITLES | CALLINGS | words("articles.small")
_SHORT = frozenset((*PERSONAL, *NEUTRAL, *PLURAL, *OF_TWO))


@dataclass(frozen=True, slots=True)
class Meant:
    """Asks whether a text surely means what its names and nouns are linked to.

    :param demonyms: the places of "Finnish"
    """

    know: Knowledge
    beings: Beings
    demonyms: Demonyms

    def spare(self, text: str, verdicts: Sequence[Verdict], passages: Sequence[Passage]) -> list[Verdict]:
        """The verdicts of one text; contradictions of what it may not mean are left open."""
        places = [place for passage in passages for place in passage.places if place.refers_to is None]
        unknown = [one for passage in passages for one in passage.unknown]
        return [
            self._spared(text, one, places, unknown) if one.label is Label.CONTRADICTORY else one for one in verdicts
        ]

    def _spared(self, text: str, verdict: Verdict, places: Sequence[Mention], unknown: Sequence[Mention]) -> Verdict:
        for end in (verdict.claim.head, verdict.claim.tail):
            if end.value is not None or not end.candidates:
                continue
            start, stop = end.refers_to or (end.start, end.end)
            before = [one.text for one in unknown if one.start < start]
            compound = end is verdict.claim.head and text.startswith("-", stop)  # "Oscar-nominated", not "Graz-born"
            if compound or is_part(text, start, stop):
                why = f"“{text[start:stop]}” may be a part of a longer name"
            elif end is verdict.claim.head and (whole := _longer(text[start:stop], before)):
                why = f"“{text[start:stop]}” may be short for {whole}"
            elif end.is_cut:
                why = f"the KG knows too many called {text[start:stop]}"
            elif end is verdict.claim.head and verdict.claim.relation.startswith(end.text):
                continue  # "The population is 1,200", of what the text is about
            elif not (self.fits(text, end, places) if end.refers_to else self.is_titled(text, end)):
                why = f"“{end.text}” may not mean {end.candidates[0].label}"
            else:
                continue
            return verdict.opened(Tier.AMBIGUOUS, f"{why}; {verdict.reason}")
        return verdict

    def fits(self, text: str, noun: Mention, places: Sequence[Mention]) -> bool:
        """Does the KG bear out what a text calls somebody: the noun, a people before it, a place behind it?"""
        called = fold(noun.text).removeprefix("the ")
        if not noun.text.islower() or called in _SHORT:
            return True
        if not is_called(called.split(" of ")[0], self.beings.kinds(noun)):
            return False
        iri = noun.candidates[0].iri
        before = _ARTICLE.search(text, 0, noun.start)
        for word in before[1].split() if before else ():
            lands = self.demonyms.candidates(word) if word[:1].isupper() else ()
            if lands and not any(self._links(iri, one.iri) for one in lands):
                return False
        behind = [one for one in places if 0 < one.start - noun.end < 12 and _FROM.fullmatch(text, noun.end, one.start)]
        return all(any(self._links(iri, each.iri) for each in one.candidates) for one in behind)

    def is_titled(self, text: str, name: Mention) -> bool:
        """Is a work named by its own title, behind no other sort of work than the KG has, and no "son" either?"""
        if name.text.islower() and any(word[:1].isupper() for word in name.candidates[0].label.split()[1:]):
            return False  # "her greatest hits" are no album of that title
        sort, kinds = _SORT.search(text, 0, name.start), self.beings.kinds(name)
        if sort is not None and sort[1] in _PEOPLE and kinds and not self.beings.is_person(name):
            return False  # "his son Michael" is no album
        if kinds & _WORKS and _title(name.text) != _title(name.candidates[0].label):
            return False  # "The Professional" is many a film, and the KG has "Léon: The Professional"
        if sort is None or sort[1] not in _SORTS or not kinds or any(sort[1] in kind for kind in kinds):
            return True
        return described(self.know.store, name.candidates[0].iri, sort[1])

    def _links(self, one: str, other: str) -> bool:
        return bool(self.know.links(one, other) or self.know.links(other, one))


def _longer(name: str, unknown: Sequence[str]) -> str:
    """The name that the KG does not have of which a word is a part: "Bayern" of "FC Bayern Munich"; "" if there is
    none. In "University of Oslo" it is the place.

    >>> [_longer(word, ["FC Bayern Munich", "University of Oslo"]) for word in ("Bayern", "Oslo")]
    ['FC Bayern Munich', '']
    """
    part = re.compile(rf"(?<!\bof )(?<!\bin )(?<!\bat )(?<!\bthe )\b{re.escape(name)}\b")
    found = (one for one in unknown if " " not in name and one != name and part.search(one))
    return next(found, "")


def _title(text: str) -> str:
    """Without brackets and an article in front."""
    return fold(BRACKETS.sub("", text)).removeprefix("the ")


def is_nth(text: str, start: int) -> bool:
    """Does a name with a number in front name one of several, as the "103rd United States Congress" does?

    >>> is_nth("the 103rd Congress", 10), is_nth("the Congress", 4)
    (True, False)
    """
    return text[start : start + 1].isupper() and _NTH.search(text, max(0, start - 8), start) is not None


def is_part(text: str, start: int, end: int) -> bool:
    """Does a name go on, or begin before, without what the KG calls so?

    >>> [is_part(text, 8, 14) for text in ("See the Jordan Journal", "See the Jordan or", "See Old Jordan or")]
    [True, False, True]
    """
    if _GOES_ON.match(text, end) or is_nth(text, start):
        return True
    before = _BEGAN.search(text, 0, start)
    if before is None or starts_sentence(text, before.start()):
        return False
    word = before[1].lower()
    if " " in text[start:end] and word.endswith(("'s", "’s")):
        return False  # "Ann Smith's Grey Dunes"
    return word not in _NO_PART and word not in peoples()
