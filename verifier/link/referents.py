"""Whom the phrases of a text mean, sentence by sentence: names, pronouns, "the film", and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from kgstore.catalog import fold
from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.link.centre import foremost
from kgstore.verifier.link.coreference import PERSONAL, PLURAL, Coreference
from kgstore.verifier.link.linker import link
from kgstore.verifier.link.names import Names
from kgstore.verifier.read.markup import is_section
from kgstore.verifier.read.proposition import GIVEN, Phrase, Proposition, Utterance
from kgstore.verifier.read.utter import OF_TWO
from kgstore.verifier.values.units import singular


class Referents:
    """What has been spoken of so far in one text, and what the next phrase means by it.

    :param is_noun: is this the name of a relation of the KG?
    :param means: what pronouns stand for, by where they begin
    """

    def __init__(self, names: Names, is_noun: Callable[[str], bool], means: Mapping[int, Mention]) -> None:
        self.names, self.is_noun, self.means = names, is_noun, means
        self.store, self.demonyms, self.beings = names.store, names.demonyms, names.beings
        self.topics = Coreference(self.store, self.beings)
        self.topics.named = names.mentions
        self.kept: Mention | None = None
        """Whom a pronoun of the sentence means."""
        self.centre = names.centre or foremost(names.mentions)
        """What the text is about as a whole, or since its last heading."""
        self.start = 0
        """Of the sentence."""
        self.two: tuple[Mention, ...] = ()
        self.joined: frozenset[tuple[int, int]] = frozenset()

    # -- what the text is about ---------------------------------------------------------------------------------------

    @property
    def topic(self) -> Mention | None:
        """What the text is about at this point."""
        return self.topics.topic

    def about_all(self) -> Iterator[Mention]:
        """The topic, and what the text returns to: each if the KG knows it."""
        yield from (one for one in (self.topic, self.centre) if one is not None and one.candidates)

    def begin(self, said: Utterance) -> None:
        """A sentence begins: a title before a colon, or a subject that its pronouns stand for, is what it is about."""
        self.start = said.start
        if said.titled is not None:
            self.topics.about(said.titled)
        spoken = (self._meant(one) for one in said.spoken if one.tag == "PRP" and one.lower in PERSONAL)
        self.kept = next((one for one in spoken if one is not None), None)
        self.joined = said.joined
        if said.first is not None and (said.owns or (said.first == said.subject and not self.topic)):
            self.topics.about(said.first)  # "Ann Smith died, and the cause of death was ...", "and her sister"

    def end(self, said: Utterance, heads: Sequence[Mention]) -> None:
        """The sentence is over; a title on its own says what follows is about: "Here are some facts about Ann Smith:".

        :param heads: whom something was claimed of in it
        """
        if said.two is not None:
            self.two = said.two
        told = any(one == said.subject or self.beings.is_person(one) for one in heads)
        if (who := said.subject) is not None and not told and (not who.candidates or self.beings.is_person(who)):
            self.topics.about(who)  # "Ann Smith became Norway's first president. She ...": claimed of Norway alone
        if self.kept is not None:
            self.topics.about(self.kept)  # "President Ford gave him a medal. He ...": still who was spoken of
        alone = not heads and said.is_title and len(said.names) == 1 and not is_section(said.names[0].text)
        if alone and ":" not in self.names.text[said.start : said.names[0].start]:  # "Instance of: county of Iowa"
            self.topics.about(said.names[0])
            self.centre = said.names[0]

    def about(self, head: Mention, tail: Mention, proposition: Proposition) -> None:
        """A claim was made of the head: is it what the text is about from here?"""
        phrase = proposition.head
        called = ""
        if proposition.relation in COPULA and tail.text.islower() and not proposition.bridge:
            called = tail.text
        named = phrase is None or phrase.mention is not None or phrase.tag.startswith(("PRP", "NNP"))
        bridged = any(hop.noun for hop in proposition.bridge)
        named = head.refers_to is not None or named  # a class ("shooting") is nobody's topic
        if named and not bridged and self._may_be_topic(head):
            self.topics.about(head, called)
            if tail.refers_to is not None:
                self.topics.about(tail)  # "Ann Smith wrote the music for it": it is what the text is about

    def _may_be_topic(self, head: Mention) -> bool:
        """No date or amount; nor a common noun's abbreviation ("VAT"), where the text is about something already."""
        if head.value is not None:
            return False
        if (head.start, head.end) in self.joined and self.topic is not None:
            return False  # "A, B and C lie on it. It ...": none of the three
        short = len(head.text) > 1 and head.text.isupper() and head.refers_to is None
        return not (short and self.topic is not None and any(one.label[:1].islower() for one in head.candidates))

    def places(self, phrase: Phrase) -> Iterator[Mention]:
        """What a name, a pronoun or a definite subject stands for, asked before the sentence's claims are."""
        mention = phrase.mention
        if mention is not None:
            known = self.topics.short_form(mention) or mention
            yield from (known,) if known.candidates or known.value is not None else self.names.parts(mention)
        elif phrase.is_pronoun:
            meant = self._meant(phrase)
            if meant is not None:
                yield _standing(phrase, meant)
        else:
            noun = self.head(phrase)
            if noun is not None and noun.refers_to is not None:
                yield noun

    # -- the subject --------------------------------------------------------------------------------------------------

    def head(self, phrase: Phrase, asked: bool = False) -> Mention | None:
        """What a subject means, None for a noun that refers to nothing.

        :param asked: the sentence says what the subject is
        """
        if phrase.mention is not None:
            if phrase.tag == GIVEN:
                return self.names.meant(phrase.mention)
            return self._by_people(phrase) or self.topics.short_form(phrase.mention) or phrase.mention
        if phrase.lower in OF_TWO and self.two and phrase.definite:
            one = self.two[OF_TWO[phrase.lower]]
            return Mention(phrase.start, phrase.end, phrase.text, one.candidates, refers_to=(one.start, one.end))
        if phrase.tag == "NNP" and (known := self.topics.short_form(Mention(phrase.start, phrase.end, phrase.text))):
            return known
        if phrase.lower == "there":
            meant = self.topic
        elif phrase.is_pronoun:
            meant = self._meant(phrase)
        elif phrase.definite:
            words = phrase.words  # "the capital", "the rupiah": nothing of which one speaks already
            other = (asked and self.is_noun(words)) or not classes_named(self.store, phrase.lower, True)
            meant = self.topics.noun(words, () if other else self._classes(phrase), before=phrase.start)
        else:
            meant = None
        if meant is None:
            return Mention(phrase.start, phrase.end, phrase.text) if phrase.is_pronoun else None
        return _standing(phrase, meant)

    def _meant(self, phrase: Phrase) -> Mention | None:
        """Whom a pronoun stands for."""
        return self.topic if phrase.lower in PLURAL else self.means.get(phrase.start)

    def _by_people(self, phrase: Phrase) -> Mention | None:
        """ "The Scot" is the person whom the text is about, "The Belgians" are Belgium."""
        mention, topic = phrase.mention, self.topic
        if mention is None or topic is None or phrase.article != "the":
            return None
        single = singular(mention.text)
        if not self.demonyms.knows(single) and not self.demonyms.knows(mention.text):
            return None
        places = {one.iri for name in (single, mention.text) for one in self.demonyms.candidates(name)}
        own = bool(places & {one.iri for one in topic.candidates[:1]})
        if own if single != mention.text else self.beings.is_person(topic):
            return replace(mention, candidates=topic.candidates, refers_to=topic.refers_to or (topic.start, topic.end))
        return None

    def implied(self, phrase: Phrase) -> Mention | None:
        """What the text is about, where a sentence leaves it out: "The screenplay was written by ...". A sentence that
        names it first leaves nothing out: "In Poland people pay with the złoty"."""
        known = self.centre is not None and self.centre.start < self.start
        meant = self.centre if known else self.topic
        return _standing(phrase, meant) if meant is not None else None

    def left_out(self, proposition: Proposition) -> Mention | None:
        """The topic, for "Ann Smith appears in the cast": its span is what follows the name."""
        topic, tail = self.topic, proposition.tail
        if topic is None or tail is None:
            return None
        behind = tail.end < proposition.end
        start, end = (tail.end, proposition.end) if behind else (proposition.start, tail.start)
        text = self.names.text[start:end].strip()
        return Mention(start, end, text, topic.candidates, refers_to=topic.refers_to or (topic.start, topic.end))

    def other(self, one: Mention) -> Mention | None:
        """The other of the two that the text named last."""
        same = [two.candidates[:1] == one.candidates[:1] for two in self.two]
        return self.two[same.index(False)] if sorted(same) == [False, True] else None

    # -- the object ---------------------------------------------------------------------------------------------------

    def tail(self, phrase: Phrase, head: Mention | None, relation: str) -> Mention | None:
        """What an object means; None where it means nothing that a claim could be about."""
        if phrase.mention is not None:
            if phrase.tag == GIVEN:
                return self.names.meant(phrase.mention)
            return self._named(phrase.mention, relation)
        if phrase.is_pronoun:
            if head is None or not head.candidates or head.refers_to is not None:
                return None  # "Many enjoy it", "He shot himself"
            meant = self._meant(phrase)
            if meant is None or meant.candidates[:1] == head.candidates[:1]:
                return None  # "Ann divorced him": not herself
            return _standing(phrase, meant)
        meant = self.topics.noun(phrase.words, whole=True) if phrase.definite else None
        if meant is not None and not (head and head.candidates and meant.candidates[:1] == head.candidates[:1]):
            return Mention(phrase.start, phrase.end, phrase.text, meant.candidates, refers_to=(meant.start, meant.end))
        names_relation = self.is_noun(phrase.lower) and self.is_noun(f"{relation} {phrase.lower}")
        if names_relation and (part := self._shorter(phrase)) is not None:
            whole = self.common(phrase)  # "belongs to the jazz genre", "plays the keyboard instrument"
            return replace(part, candidates=part.candidates + (whole.candidates[:1] if whole else ()))
        found = self.common(phrase)
        if found is not None and not found.candidates:
            return self._shorter(phrase) or found
        return found

    def _named(self, mention: Mention, relation: str) -> Mention:
        if relation == "nationality" and mention.text.startswith("The "):  # "The French composer Ann Smith"
            mention = self.names.linked(Mention(mention.start + 4, mention.end, mention.text[4:]))
        persons = (self.beings.is_person(replace(mention, candidates=(one,))) for one in mention.candidates)
        return (self.topics.short_form(mention) if all(persons) else None) or mention  # Washington may be a place

    # -- common nouns -------------------------------------------------------------------------------------------------

    def common(self, phrase: Phrase, definite: bool = False) -> Mention | None:
        """A noun phrase as a mention of what has that name; "the town" is some town, never the class of that name."""
        if phrase.name is not None and not definite and not self._no_class(phrase):
            start, end = phrase.name
            hits = self.names.hits[start, end]
            if self.names.text[start:end].islower():  # "prince" is the title before it is anybody called Prince
                hits = [hit for hit in hits if hit.name[:1].islower()] or hits  # type: ignore[attr-defined]
            return self.names.at(start, end, hits)  # type: ignore[arg-type]
        if phrase.whole is not None:
            return Mention(*phrase.whole, self.names.text[slice(*phrase.whole)])
        return None

    def only_one(self, phrase: Phrase) -> bool:
        """ "The euro": not some euro, since nothing is one."""
        return phrase.definite and phrase.name is not None and not classes_named(self.store, phrase.lower)

    def class_of(self, phrase: Phrase) -> Mention:
        """The class that a noun names, in the singular: "cities" are of the class city."""
        if phrase.mention is not None:
            return phrase.mention
        text = phrase.text.lower()
        names = (text, " ".join((*text.split()[:-1], singular(phrase.words))))
        hits = self.store.lookup([fold(name) for name in names])
        lower = [hit for name in names for hit in hits.get(fold(name), ()) if hit.name[:1].islower()]
        return link(self.store, Mention(phrase.start, phrase.end, phrase.text), lower)

    def _classes(self, phrase: Phrase) -> tuple[str, ...]:
        """What the noun names, as a class of the KG."""
        return tuple(hit.iri for hit in self.names.hits[phrase.name][:3]) if phrase.name else ()  # type: ignore[attr-defined]

    def _no_class(self, phrase: Phrase) -> bool:
        """ "a prince" is nobody called Prince."""
        start, end = phrase.name  # type: ignore[misc]
        lower = self.names.text[start:end].islower() and self.store.profile.wikibase
        indefinite = phrase.article in ("a", "an")
        hits = self.names.hits[start, end]
        return lower and indefinite and not any(hit.name[:1].islower() for hit in hits)  # type: ignore[attr-defined]

    def _shorter(self, phrase: Phrase) -> Mention | None:
        """ "the crime film genre": the longest part of the phrase that is a name, without its closing noun."""
        return next((self.names.at(*span) for span in phrase.parts if span in self.names.hits), None)


COPULA = words("verbs.is")


def _standing(phrase: Phrase, meant: Mention) -> Mention:
    """The phrase as a mention of what another one names."""
    span = meant.refers_to or (meant.start, meant.end)
    standing = Mention(phrase.start, phrase.end, phrase.text, meant.candidates, refers_to=span, means=meant.name)
    return replace(standing, meant=meant.meant) if phrase.is_pronoun else standing
