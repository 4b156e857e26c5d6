"""What definite nouns and short names refer to, with what the KG knows of types.

A text is mostly about few things: each sentence's subject becomes the topic, and "the film" is the latest topic that
can be meant. What the text itself calls a thing counts as much as the KG's types ("A is a linguist. The linguist ...").
Whom pronouns mean is found by `kgstore.verifier.link.antecedents`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kgstore.catalog import fold
from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import entry, words
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.beings import Beings

PERSONAL: dict[str, str] = entry("pronouns.personal")
NEUTRAL = words("pronouns.neutral")
PLURAL = words("pronouns.plural")
_PLACES = words("classes.places")
_STATES = words("classes.states")
_CALLINGS = words("classes.callings")
_MOST = 12
_ALIKE: list[list[str]] = entry("nouns.alike")
_SUFFIXES = words("names.suffixes")
_SAME = {one: group for group in _ALIKE for one in group}
"""Nouns that texts use for one another."""


@dataclass(slots=True)
class _Topic:
    mention: Mention
    called: set[str] = field(default_factory=set)


class Coreference:
    """The topics of one text so far; ask with `noun` and `short_form`, tell with `about`."""

    def __init__(self, store: KnowledgeGraph, beings: Beings | None = None) -> None:
        self.store, self.beings = store, beings or Beings(store)
        self._topics: list[_Topic] = []
        self.named: tuple[Mention, ...] = ()
        """All names of the text: "Cameron" is an earlier "James Cameron" of whom nothing was said."""

    def about(self, mention: Mention, called: str = "") -> None:
        """The text speaks of ``mention``, and perhaps calls it something."""
        span = mention.refers_to or (mention.start, mention.end)
        for topic in self._topics:
            if (topic.mention.start, topic.mention.end) == span or (
                mention.candidates
                and topic.mention.candidates
                and mention.candidates[0].iri == topic.mention.candidates[0].iri
            ):
                self._topics.remove(topic)
                self._topics.append(topic)
                break
        else:
            self._topics.append(_Topic(mention))
            del self._topics[:-_MOST]
        if called:
            self._topics[-1].called.add(fold(called))

    @property
    def topic(self) -> Mention | None:
        """What the text is about at this point."""
        return self._topics[-1].mention if self._topics else None

    def short_form(self, mention: Mention) -> Mention | None:
        """An earlier full name of which this mention is a part: "Kubrick" after "Stanley Kubrick"."""
        words = fold(mention.text).split()
        for topic in reversed(self._topics):
            whole = [word for word in fold(topic.mention.text).split() if word not in _SUFFIXES]
            if len(words) < len(whole) and (whole[-len(words) :] == words or whole[: len(words)] == words):
                span = topic.mention.refers_to or (topic.mention.start, topic.mention.end)
                if mention.start >= span[1] and self.beings.is_person(topic.mention):
                    return Mention(mention.start, mention.end, mention.text, topic.mention.candidates, refers_to=span)
        for name in reversed(self.named if not mention.candidates else ()):
            whole = fold(name.text).split()
            before = name.end <= mention.start and len(words) < len(whole) and whole[-len(words) :] == words
            if before and self.beings.is_person(name):
                span = (name.start, name.end)
                return Mention(mention.start, mention.end, mention.text, name.candidates, refers_to=span)
        return None

    def noun(
        self, phrase: str, classes: tuple[str, ...] = (), whole: bool = False, before: int = 0
    ) -> Mention | None:
        """The latest topic that "the ``phrase``" can stand for, or else the latest name of such a thing.

        :param whole: the phrase as it is; else its closing words will do ("the American actor")
        :param before: offset of the phrase: names that end before it count
        :param classes: what the phrase names in the KG: where no topic is known to be one of these, the text's topic is
            meant if both or neither of them are persons
        """
        words = fold(phrase).split()
        for i in range(1 if whole else len(words)):
            if (found := self._called(" ".join(words[i:]))) is not None:
                return found
        for i in range(1 if whole else len(words)):  # "Suva is the capital of Fiji. The country ..."
            wanted = " ".join(words[i:])
            for name in reversed(self.named):
                if name.end <= before and is_called(wanted, self.beings.kinds(name)):
                    return name
        topic = self.topic
        if topic is None or not classes or not topic.candidates:
            return None
        known = self.beings.kinds(topic)
        if not known:
            return None
        store = self.store
        about = {
            fold(one.label)
            for iri in classes
            for one in store.entities({*store.supertypes(iri), *store.instance_types(iri), iri}).values()
        }
        if known & _PLACES and not about & _PLACES:
            return None  # "Amsterdam is the capital, although the government sits in ..."
        if known & _PLACES and set(words[-1:]) & _STATES and not known & _STATES:
            return None  # a city is not meant by "the country"
        personal = bool(about & (_CALLINGS | self.beings.persons))
        return topic if about and not personal and not known & self.beings.persons else None

    def _called(self, wanted: str) -> Mention | None:
        for topic in reversed(self._topics):
            if is_called(wanted, topic.called | self.beings.kinds(topic.mention)):
                return topic.mention
        return None


def is_called(wanted: str, names: Iterable[str]) -> bool:
    """Is a noun one of the names of a class, or the noun in it ("country" of "landlocked country")?"""
    alike = _SAME.get(wanted, (wanted,))
    firsts = [(name, name.split(" of ")[0].split(" in ")[0]) for name in names]
    return any(name == one or first == one or first.endswith(" " + one) for name, first in firsts for one in alike)
