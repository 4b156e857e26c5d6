"""The extractor that needs no language model: grammar, and the KG's own names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from kgstore.catalog import fold
from kgstore.verifier.claims import Claim, Hop, Measure, Mention, Passage
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.brackets import abbreviates, other_name, tells_apart
from kgstore.verifier.link.coherence import Company
from kgstore.verifier.link.coreference import PLURAL, Coreference
from kgstore.verifier.link.forms import WithForms
from kgstore.verifier.link.linker import Demonyms, link
from kgstore.verifier.link.mentions import BRACKETS, Found, find_mentions
from kgstore.verifier.link.sorts import without_sort
from kgstore.verifier.llm.windows import sentences as split
from kgstore.verifier.read.clauses import drafts
from kgstore.verifier.read.coverage import Outline, Stretch
from kgstore.verifier.read.draft import Clause, Draft, Scale, subjects
from kgstore.verifier.read.forms import FRAGMENT, form
from kgstore.verifier.read.lifespans import keyed_brackets, lifespans
from kgstore.verifier.read.lines import Line, keyed_lines
from kgstore.verifier.read.markup import is_section, plain
from kgstore.verifier.read.misread import misread, read_well
from kgstore.verifier.read.nouns import definite, np_name, phrase_of, relation_noun, two_things
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.read.parse import DEFAULT_MODEL, Lexicon, Sentence, Word, sentences
from kgstore.verifier.values.units import singular


class RulesExtractor:
    """Claims by dependency grammar, each with its mentions already linked to candidates.

    :param is_noun: is this text the name of a relation of the KG ("cause of death")?
    :param is_value: is it the name of a relation to dates or amounts ("running time")?
    :param model: the spaCy pipeline
    """

    def __init__(
        self,
        store: KnowledgeGraph,
        is_noun: Callable[[str], bool],
        is_value: Callable[[str], bool] = lambda text: False,
        model: str = DEFAULT_MODEL,
    ) -> None:
        self.store, self.is_noun, self.is_value, self.model = store, is_noun, is_value, model
        self.demonyms = Demonyms(store)
        self._last = Outline("")

    def mentions(self, text: str, nouns: bool = False) -> tuple[Mention, ...]:
        """The names, dates and amounts in a text; names come with the entities that they may mean.

        :param nouns: names in lower case as well ("oboe", "science fiction"), which the grammar finds by itself
        """
        reading = self._read(plain(text))
        found = (*reading.mentions, *reading.nouns) if nouns else reading.mentions
        return tuple(sorted(found, key=lambda one: one.start))

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order. A mention that the KG does not know has no candidates."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[list[Claim], list[Passage]]:
        """Claims in reading order, and each parsed sentence with what it speaks of."""
        written, text = text, plain(text)
        reading = self._read(text)
        claims: list[Claim] = []
        passages: list[Passage] = []
        lines = list(keyed_lines(text, reading.mentions, self.is_noun))
        parsed = sentences(text, reading.mentions, self.model, lines, reading.lexicon())
        stretches = [Stretch(one.start, one.end, form(one.words)) for one in parsed]  # before they are rearranged
        stretches = sorted((*stretches, *_of_lines(text, lines)), key=lambda one: one.start)
        self._last = Outline(written, tuple(stretches), reading.mentions)
        for part in sorted((*parsed, *lines), key=lambda one: one.start):
            if isinstance(part, Sentence):
                passages.append(reading.passage(part))
            claims += reading.line(part) if isinstance(part, Line) else reading.claims(part)
        brackets = list(keyed_brackets(text, reading.mentions, self.is_noun))
        said = {(claim.tail.start, claim.tail.end) for claim in brackets}
        claims = [claim for claim in claims if (claim.tail.start, claim.tail.end) not in said] + brackets
        told = {(claim.tail.start, claim.tail.end) for claim in claims}
        claims += (
            one
            for one in lifespans(text, reading.mentions, reading.topics.is_person)
            if (one.start, one.end) not in told
        )
        claims = [replace(claim, text=written[claim.start : claim.end]) for claim in claims]
        return reading.company.apart(sorted(claims, key=lambda claim: claim.start)), passages

    def outline(self, text: str) -> Outline:
        """The sentences and names of a text; those of the last one are known from extracting its claims."""
        if self._last.text != text:
            self.extract(text)
        return self._last

    def linked(self, text: str, claims: Sequence[Claim]) -> list[Claim]:
        """Claims of another extractor, with candidates and values for their heads and tails."""
        reading = self._read(plain(text))
        return reading.company.apart(
            replace(claim, head=reading.meant(claim.head), tail=reading.meant(claim.tail)) for claim in claims
        )

    def _read(self, text: str) -> _Reading:
        """:param text: without Markdown"""
        return _Reading(self, text, find_mentions(text, WithForms(self.store), fold, self.is_noun))


def _of_lines(text: str, lines: Sequence[Line]) -> list[Stretch]:
    """The sentences of paragraphs that were read without grammar; a table's head says nothing."""
    found = []
    for start, end in paragraphs(text) if lines else ():
        inside = [line for line in lines if start <= line.start < end]
        kind = "" if any(line.values for line in inside) else FRAGMENT
        spans = split(text[start:end]) if inside else ()
        found += [Stretch(start + first, start + last, kind) for first, last in spans]
    return found


def _listed(name: Word) -> list[Word]:
    """ "A", "B" and "C" of "A, B and C", which the parser may take for appositions; nothing where one stands alone."""
    found = [name]
    for word in found:
        found += (one for one in word.all("conj", "appos") if one.mention is not None)
    return found if any(word.dep == "conj" for word in found[1:]) else []


def _named_as(about: Mention, start: int, key: str) -> Mention:
    """What a line is about, where its key stands for it: "Born: 1951"."""
    return replace(about, start=start, end=start + len(key), text=key)


def _meaning(short: Mention, whole: Mention) -> Mention:
    return replace(short, candidates=whole.candidates, refers_to=whole.refers_to or (whole.start, whole.end))


_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]{2,}\b")
_JOINED = re.compile(r" (?:and|at|in)(?: the)? ")
_APART = (":", "–", "—", "-")
_OF_TWO = {"former": 0, "latter": 1}
_COPULA = ("is", "was", "are", "were")
_EQUATED = tuple(f"{verb} " for verb in _COPULA)


class _Reading:
    """One pass over one text."""

    def __init__(self, extractor: RulesExtractor, text: str, found: Found) -> None:
        self.store, self.is_noun, self.is_value = extractor.store, extractor.is_noun, extractor.is_value
        self.demonyms, self.text, self.hits = extractor.demonyms, text, found.hits
        self.topics = Coreference(self.store)
        self.first_named = Coreference(self.store)  # what pronouns may stand for in a text that no rule understands
        linked = [self._linked(mention) for mention in found.mentions]
        self.company = Company(self.store, linked)
        self.mentions = tuple(self.company.linked(mention) for mention in linked)
        self.two: tuple[Mention, ...] = ()
        self.mentions = self._again()
        self.topics.named = self.mentions
        self.names: list[Mention] = []
        self.joined: set[tuple[int, int]] = set()

    def _again(self) -> tuple[Mention, ...]:
        """The mentions with those of things that the text named in full before: "Smith", and "NFL" where the full name
        has these initials or brackets with them."""
        found: list[Mention] = []
        short: dict[str, Mention] = {}
        people: dict[str, Mention | None] = {}
        for one in self.mentions:
            whole = None if one.candidates or one.value is not None else short.get(one.text)
            found.append(_meaning(one, whole) if whole is not None else one)
            if not one.candidates or " " not in one.text:
                continue
            words = BRACKETS.sub("", one.text).split()
            if self.topics.is_person(one):
                short |= {" ".join(words[i:]): one for i in range(1, len(words))}
                same = people.get(words[-1], one)
                people[words[-1]] = same and (one if same.candidates[0] == one.candidates[0] else None)
            else:
                said = BRACKETS.search(one.text)
                initials = "".join(word[0] for word in words if word[0].isupper())
                given = (initials, *([said.group(1)] if said else []))
                short |= {form: one for form in given if abbreviates(" ".join(words), form)}
        free = [True] * (len(self.text) + 1)
        for one in self.mentions:
            free[one.start : one.end] = [False] * (one.end - one.start)
        for match in _CAPITAL.finditer(self.text) if people else ():
            whole = people.get(match[0])
            if whole is not None and whole.end < match.start() and all(free[match.start() : match.end()]):
                found.append(_meaning(Mention(*match.span(), match[0]), whole))
        return tuple(sorted(found, key=lambda one: one.start))

    def lexicon(self) -> Lexicon:
        """What the KG knows of the words of the text, for the parser."""
        nouns = {span for span in self.hits if (word := self.text[slice(*span)]).islower() and not self.is_noun(word)}
        return Lexicon(nouns, lambda words: misread(words, self.is_noun), read_well)

    def claims(self, sentence: Sentence) -> list[Claim]:
        self._name_first(sentence.words[0])
        made, things = [], two_things(sentence)
        if len(sentence.words) > 2 and sentence.words[1].text in _APART and sentence.words[0].mention is not None:
            self.topics.about(sentence.words[0].mention)  # "Hamburg: Located on the Elbe, it has ..."
        subject = next((word for word in subjects(sentence.root) if word.mention and word.mention.candidates), None)
        first = subject or sentence.words[0]
        several = _listed(subject) if subject is not None else []
        self.joined = {(word.start, word.end) for word in several}
        owners = (word for word in sentence.words if word.tag == "PRP$" and word.start > first.end)
        owned = any(not several or word.lower in PLURAL for word in owners)
        if first.mention is not None and first.mention.candidates and (owned or (subject and not self.topics.topic)):
            self.topics.about(first.mention)  # "Ann Smith died, and the cause of death was ...", "and her sister"
        known = (self._name, self.is_noun, self.is_value, self.demonyms.knows)
        for draft in drafts(sentence, *known, lambda word: bool(classes_named(self.store, word.lower))):
            claim = self._claim(draft)
            if claim is not None and claim.head.refers_to != (claim.tail.start, claim.tail.end):  # not "it has itself"
                made.append(claim)
        if things and not any(word.lower in _OF_TWO for word in sentence.words):
            self.two = things if len(things) == 2 else ()
        named = [word.mention for word in sentence.words if word.mention is not None]
        self.names = [one for one in named if one.value is None]
        titled = not any(word.tag.startswith("V") for word in sentence.words) or sentence.words[-1].text == ":"
        if not made and titled and len(self.names) == 1 and not is_section(self.names[0].text):
            self.topics.about(self.names[0])  # a title on its own, "Here are some facts about Ann Smith:"
        return made

    def passage(self, sentence: Sentence) -> Passage:
        """What a sentence speaks of, asked before its claims are: a pronoun stands for what was spoken of before."""
        about = {word.start for word in subjects(sentence.root)}
        found = [one for word in sentence.words for one in self._places(word, word.start in about)]
        found += [one for one in self.nouns if sentence.start <= one.start and one.end <= sentence.end]
        places: dict[tuple[int, int], Mention] = {}
        for one in found:
            free = all(one.end <= start or end <= one.start for start, end in places)
            if free and (one.candidates or one.value is not None):
                places[one.start, one.end] = one
        named = [one for one in places.values() if one.refers_to is None and one.value is None]
        if named:
            self.first_named.about(named[0])
        return Passage(sentence.start, sentence.end, tuple(sorted(places.values(), key=lambda one: one.start)))

    def _places(self, word: Word, subject: bool) -> Iterator[Mention]:
        mention = word.mention
        if mention is not None:
            known = self.topics.short_form(mention) or mention
            yield from (known,) if known.candidates or known.value is not None else self._parts(mention)
        elif word.tag in ("PRP", "PRP$"):
            meant = self.topics.pronoun(word.text) or self.first_named.pronoun(word.text)
            if meant is not None:
                span = meant.refers_to or (meant.start, meant.end)
                yield Mention(word.start, word.end, word.text, meant.candidates, refers_to=span)
        elif subject and word.tag.startswith("NN") and definite(word):
            known = self._subject(word)
            if known is not None and known.refers_to is not None:
                yield known

    def _parts(self, mention: Mention) -> Iterator[Mention]:
        """Names of the KG in what was taken for one longer name: "the Golden Lion at the Venice Film Festival"."""
        start = mention.start
        for part in _JOINED.split(mention.text):
            at = self.text.index(part, start)
            first, _, rest = part.partition(" ")
            if rest and (at, at + len(part)) not in self.hits and self.demonyms.knows(first):
                at, part = at + len(first) + 1, rest
            start = at + len(part)
            if part != mention.text and " " in part and (hits := self.hits.get((at, start))):
                yield link(self.store, Mention(at, start, part), hits)  # type: ignore[arg-type]

    def _name_first(self, word: Word) -> None:
        """ "Mozart, born in Salzburg, ...": a name that the KG lacks, whose capital could be that of any first word."""
        subject = word.tag == "NNP" and word.mention is None and word.dep in ("nsubj", "nsubjpass")
        if subject and (word.start, word.end) not in self.hits and word.text[:1].isupper():
            word.mention = Mention(word.start, word.end, word.text)

    def line(self, line: Line) -> list[Claim]:
        """One claim a value, about the name in the line or else about the text's topic."""
        head = line.head or self.topics.topic
        if head is None:
            named = [one for one in line.values if one.value is None]
            if len(named) == len(line.values) == 1:
                self.topics.about(self._linked(named[0]))  # "Name: Ann Smith", and then what she is
            return []
        about = replace(head, refers_to=head.refers_to or (head.start, head.end)) if line.head is None else head
        made = []
        for value in line.values:
            tail = value
            if value.value is None and not value.candidates and (hits := self.hits.get((value.start, value.end))):
                tail = link(self.store, value, hits)  # type: ignore[arg-type]
            start = line.start if value is line.values[0] else value.start
            end = value.end
            key = re.split(r"\s*[:|]", self.text[line.start : line.values[0].start])[0]
            own = about if line.head is not None else _named_as(about, line.start, key)
            made.append(Claim(start, end, self.text[start:end], own, line.relation, tail))
        if line.head is not None and line.head.candidates:
            self.topics.about(line.head)
        return made

    def _claim(self, draft: Draft) -> Claim | None:
        draft = self._of_topic(draft)
        nouns, relation = draft.nouns, draft.relation
        asked = relation in _COPULA
        head = self._subject(draft.head, asked) if draft.head is not None else self._left_out(draft)
        if (
            head is None
            and draft.head is not None
            and self.is_noun(relation_noun(draft.head, self.text, self.is_noun))
        ):
            noun = relation_noun(draft.head, self.text, self.is_noun)
            known = self.is_noun(f"{noun} {relation}") or (draft.tail is not None and draft.tail.mention is not None)
            if not known and not draft.head.all("det", "poss"):
                return None  # "Visitors praise the food"
            head = self._implied(draft.head)  # "The screenplay was written by ..."
            if head is not None:
                fused = f"{noun} {relation}"
                if (
                    self.is_noun(fused)
                    or draft.relation.split()[0] in _COPULA
                    and len(relation.split()) == 1
                ):
                    relation = fused if self.is_noun(fused) else noun
                else:
                    nouns = (noun, *nouns)
        if head is None and draft.head is not None:
            equated = relation.startswith(_EQUATED) and relation.endswith(" of") and not nouns
            equated |= asked and self.topics.topic is None  # "The lion is a mammal", of which nobody spoke before
            some = definite(draft.head) and not (equated and self._only_one(draft.head))
            head = self._common(draft.head, definite=some)
        tail = self._object(draft.tail, head, relation)
        if draft.tail is None and draft.measure is not None and head is not None:
            tail = self._other(head)
        if tail is not None and draft.tail is not None and tail.end <= draft.tail.start and tail.refers_to is None:
            relation = f"{relation} {draft.tail.lower}"  # "the jazz genre" names the relation, too
        if (
            head is not None
            and not head.candidates
            and draft.head is not None
            and draft.head.mention is None
            and (
                not draft.head.tag.startswith("PRP") and head.refers_to is None and not draft.head.tag.startswith("NNP")
            )
        ):
            return None  # "Reporters asked him": about nobody whom the text or the KG names
        if head is None or tail is None or (head.start, head.end) == (tail.start, tail.end):
            return None
        if relation in ("has", "have", "had") and tail.candidates and draft.tail is not None and not draft.tail.mention:
            relation = f"{relation} {draft.tail.lower}"  # "has a left-handed shot": the noun tells of what kind it is
        bridge = tuple(_hop(noun, draft.definite) for noun in nouns) + tuple(
            Hop(step.relation, step.noun) for step in draft.steps
        )
        called = tail.text if relation in _COPULA and tail.text.islower() and not nouns else ""
        named = draft.head is None or draft.head.mention is not None or draft.head.tag.startswith(("PRP", "NNP"))
        bridged = any(isinstance(noun, Clause) for noun in nouns)
        named = head.refers_to is not None or named  # a class ("shooting") is nobody's topic
        if named and not bridged and self._may_be_topic(head):
            self.topics.about(head, called)
            if tail.refers_to is not None:
                self.topics.about(tail)  # "Ann Smith wrote the music for it": it is what the text is about
        when, until = (
            word.mention.value if word is not None and word.mention is not None else None
            for word in (draft.when, draft.until)
        )
        return Claim(
            draft.start,
            draft.end,
            self.text[draft.start : draft.end],
            head,
            relation,
            tail,
            bridge,
            draft.negated,
            draft.hedged,
            when,
            until,
            self._measure(draft.measure),
        )  # type: ignore[arg-type]

    def _of_topic(self, draft: Draft) -> Draft:
        """ "Portuguese is the official language": that of the text's topic, and the name is the value."""
        value, noun, topic = draft.head, draft.tail, self.topics.topic
        if value is None or noun is None or topic is None or not topic.candidates or draft.relation not in _COPULA:
            return draft
        phrase = relation_noun(noun, self.text, self.is_noun)
        own = 0 if phrase == phrase_of(noun, self.text) else 1  # "the place of birth" has one of its own
        bare = definite(noun) and noun.mention is None and len(noun.all("prep", "relcl", "acl")) == own
        if draft.nouns or draft.steps or not bare or not self.is_noun(phrase):
            return draft
        if value.mention is not None:
            named = value.mention.value is None and topic.candidates[0] not in value.mention.candidates
        else:  # "The rupee is the currency", where the text has not spoken of a rupee
            new = definite(value) and self.topics.noun(phrase_of(value, self.text)) is None
            named = new and self._name(value) is not None
        role = self.topics.is_person(topic) and classes_named(self.store, phrase)  # "Bob Smith was the president"
        return replace(draft, head=None, relation=phrase, tail=value) if named and not role else draft

    def _only_one(self, word: Word) -> bool:
        """ "The euro": not some euro, since nothing is one."""
        return definite(word) and self._name(word) is not None and not classes_named(self.store, word.lower)

    def _may_be_topic(self, head: Mention) -> bool:
        """No date or amount; nor a common noun's abbreviation ("VAT"), where the text is about something already."""
        if head.value is not None:
            return False
        if (head.start, head.end) in self.joined and self.topics.topic is not None:
            return False  # "A, B and C lie on it. It ...": none of the three
        short = len(head.text) > 1 and head.text.isupper() and head.refers_to is None
        return not (short and self.topics.topic is not None and any(one.label[:1].islower() for one in head.candidates))

    def _measure(self, scale: Scale | None) -> Measure | None:
        if scale is None:
            return None
        things = scale.things and (scale.things.mention or self._class(scale.things))
        return Measure(scale.kind, scale.properties, scale.direction, things, scale.rank)

    def meant(self, mention: Mention) -> Mention:
        """A mention that came without candidates, linked by its own span or by what it refers to."""
        if mention.candidates or mention.value is not None:
            return mention
        start, end = mention.refers_to or (mention.start, mention.end)
        for known in self.mentions:
            inside = known.start <= start and end <= known.end + 1
            named = (known.start, known.end) == (start, end) or known.text.startswith(self.text[start:end])
            if inside and named and (known.candidates or known.value is not None):
                return replace(mention, candidates=known.candidates, value=known.value)
        hits = self.hits.get((start, end))
        if hits:
            named = link(self.store, Mention(start, end, self.text[start:end]), hits)  # type: ignore[arg-type]
            return replace(mention, candidates=named.candidates)
        return mention

    # -- what words refer to ------------------------------------------------------------------------------------------

    def _subject(self, word: Word, asked: bool = False) -> Mention | None:
        """:param asked: the sentence says what the subject is"""
        if word.mention is not None and (known := self._by_people(word)) is not None:
            return known
        if word.mention is not None:
            return self.topics.short_form(word.mention) or word.mention
        if word.lower in _OF_TWO and self.two and definite(word):
            meant = self.two[_OF_TWO[word.lower]]
            return Mention(word.start, word.end, word.text, meant.candidates, refers_to=(meant.start, meant.end))
        if word.tag == "NNP" and (known := self.topics.short_form(Mention(word.start, word.end, word.text))):
            return known
        if word.lower == "there":
            meant = self.topics.topic
        elif word.tag.startswith("PRP"):
            meant = self.topics.pronoun(word.text) or self._thing_named(word)
        elif definite(word):
            phrase = phrase_of(word, self.text)  # "the capital", "the rupiah": nothing of which one speaks already
            other = (asked and self.is_noun(phrase)) or not classes_named(self.store, word.lower, True)
            meant = self.topics.noun(phrase, () if other else self._classes(word), before=word.start)
        else:
            meant = None
        if meant is None:
            return None if not word.tag.startswith("PRP") else Mention(word.start, word.end, word.text)
        return Mention(
            word.start, word.end, word.text, meant.candidates, refers_to=meant.refers_to or (meant.start, meant.end)
        )

    def _thing_named(self, word: Word) -> Mention | None:
        """ "Ann Smith appears in Alien. It ...": the only thing among the names of the sentence before, or, where that
        names none, of the text so far."""
        if word.lower != "it":
            return None
        for names in (self.names, [one for one in self.mentions if one.end <= word.start and one.value is None]):
            things = [one for one in names if not (one.candidates and self.topics.is_person(one))]
            if things:
                same = {one.candidates[:1] for one in things}
                return things[0] if len(same) == 1 and things[0].candidates else None
        return None

    def _other(self, one: Mention) -> Mention | None:
        """The other of the two that the text named last."""
        same = [two.candidates[:1] == one.candidates[:1] for two in self.two]
        return self.two[same.index(False)] if sorted(same) == [False, True] else None

    def _by_people(self, word: Word) -> Mention | None:
        """ "The Scot" is the person whom the text is about, "The Belgians" are Belgium."""
        mention, topic = word.mention, self.topics.topic
        if mention is None or topic is None or not any(item.lower == "the" for item in word.all("det")):
            return None
        single = singular(mention.text)
        if not self.demonyms.knows(single) and not self.demonyms.knows(mention.text):
            return None
        places = {one.iri for name in (single, mention.text) for one in self.demonyms.candidates(name)}
        own = bool(places & {one.iri for one in topic.candidates[:1]})
        if own if single != mention.text else self.topics.is_person(topic):
            return replace(mention, candidates=topic.candidates, refers_to=topic.refers_to or (topic.start, topic.end))
        return None

    def _implied(self, word: Word | None) -> Mention | None:
        """The topic, where a sentence leaves it out."""
        topic = self.topics.topic
        if topic is None or word is None:
            return None
        return Mention(
            word.start, word.end, word.text, topic.candidates, refers_to=topic.refers_to or (topic.start, topic.end)
        )

    def _left_out(self, draft: Draft) -> Mention | None:
        """The topic, for "Ann Smith appears in the cast": its span is what follows the name."""
        topic = self.topics.topic
        if topic is None or draft.tail is None:
            return None
        start, end = (draft.tail.end, draft.end) if draft.tail.end < draft.end else (draft.start, draft.tail.start)
        return Mention(
            start,
            end,
            self.text[start:end].strip(),
            topic.candidates,
            refers_to=topic.refers_to or (topic.start, topic.end),
        )

    def _classes(self, word: Word) -> tuple[str, ...]:
        """What the noun names, as a class of the KG."""
        span = self._name(word)
        return tuple(hit.iri for hit in self.hits[span][:3]) if span is not None else ()  # type: ignore[index]

    def _common(self, word: Word, definite: bool = False) -> Mention | None:
        """A noun phrase as a mention of what has that name; "the town" is some town, never the class of that name."""
        span = self._name(word)
        if span is not None and not definite and not self._no_class(word, span):
            start, end = span
            hits = self.hits[span]
            if self.text[start:end].islower():  # "prince" is the title before it is anybody called Prince
                hits = [hit for hit in hits if hit.name[:1].islower()] or hits  # type: ignore[attr-defined]
            return link(self.store, Mention(start, end, self.text[start:end]), hits)  # type: ignore[arg-type]
        if word.tag.startswith("NN"):
            apart = {id(inner) for item in word.all("acl", "relcl", "appos") for inner in item.subtree()}
            words = [item for item in word.subtree() if item.dep not in ("det", "punct") and id(item) not in apart]
            start, end = words[0].start, words[-1].end
            return Mention(start, end, self.text[start:end])
        return None

    def _class(self, word: Word) -> Mention:
        """The class that a noun names, in the singular: "cities" are of the class city."""
        first = next((item for item in word.all("compound") if item.mention is None), word)
        start, end = first.start, word.end
        text = self.text[start:end]
        names = (text.lower(), " ".join((*text.lower().split()[:-1], singular(word.lower))))
        hits = self.store.lookup([fold(name) for name in names])
        lower = [hit for name in names for hit in hits.get(fold(name), ()) if hit.name[:1].islower()]
        return link(self.store, Mention(start, end, text), lower)

    def _no_class(self, word: Word, span: tuple[int, int]) -> bool:
        """ "a prince" is nobody called Prince."""
        lower = self.text[span[0] : span[1]].islower() and self.store.profile.wikibase
        indefinite = any(item.lower in ("a", "an") for item in word.all("det"))
        return lower and indefinite and not any(hit.name[:1].islower() for hit in self.hits[span])  # type: ignore[attr-defined]

    def _object(self, word: Word | None, head: Mention | None, relation: str) -> Mention | None:
        if word is None:
            return None
        if word.mention is not None:
            mention = word.mention
            if relation == "nationality" and mention.text.startswith("The "):  # "The French composer Ann Smith"
                mention = self._linked(Mention(mention.start + 4, mention.end, mention.text[4:]))
            persons = (self.topics.is_person(replace(mention, candidates=(one,))) for one in mention.candidates)
            return (self.topics.short_form(mention) if all(persons) else None) or mention  # Washington may be a place
        if word.tag.startswith("PRP"):
            if head is None or not head.candidates or head.refers_to is not None:
                return None  # "Many enjoy it", "He shot himself"
            meant = self.topics.pronoun(word.text)
            if meant is not None and meant.candidates[:1] == head.candidates[:1]:
                return None  # "Ann divorced him": not herself
            return meant and Mention(
                word.start, word.end, word.text, meant.candidates, refers_to=(meant.start, meant.end)
            )
        meant = self.topics.noun(phrase_of(word, self.text), whole=True) if definite(word) else None
        if meant is not None and not (head and head.candidates and meant.candidates[:1] == head.candidates[:1]):
            return Mention(word.start, word.end, word.text, meant.candidates, refers_to=(meant.start, meant.end))
        if (
            self.is_noun(word.lower)
            and self.is_noun(f"{relation} {word.lower}")
            and (part := self._shorter(word)) is not None
        ):
            whole = self._common(word)  # "belongs to the jazz genre", "plays the keyboard instrument"
            return replace(part, candidates=part.candidates + (whole.candidates[:1] if whole else ()))
        found = self._common(word)
        if found is not None and not found.candidates:
            return self._shorter(word) or found
        return found

    def _shorter(self, word: Word) -> Mention | None:
        """ "the crime film genre": the longest part of the phrase that is a name, without its closing noun."""
        before = [item for item in word.children if item.dep in ("compound", "amod", "nmod") and item.end <= word.start]
        parts = [item for item in before if not (item.mention and self.demonyms.knows(item.text))]
        if not parts:
            return None
        begin, end = min(item.subtree()[0].start for item in parts), parts[-1].end
        for start in sorted({item.start for part in parts for item in part.subtree()}):
            if begin <= start and (start, end) in self.hits:
                return link(self.store, Mention(start, end, self.text[start:end]), self.hits[start, end])  # type: ignore[arg-type]
        return None

    def _name(self, word: Word) -> tuple[int, int] | None:
        return np_name(word, self.hits, self.is_noun)

    def _linked(self, mention: Mention) -> Mention:
        if mention.value is not None:
            return mention
        hits = self.hits.get((mention.start, mention.end)) or (
            self.hits.get((mention.start, mention.end - 1)) if mention.text.endswith((".", ")")) else None
        )
        people = mention.text.removeprefix("The ")  # "The French president"
        if hits:
            found = link(self.store, mention, hits)
            return replace(found, candidates=found.candidates + self.demonyms.candidates(people, found.candidates))
        if (known := self.demonyms.candidates(people)) and not hits:
            return replace(mention, candidates=known)
        brackets = BRACKETS.search(mention.text)
        if brackets and brackets.end() == len(mention.text):
            name_end = mention.start + brackets.start()
            hits = self.hits.get((mention.start, name_end))
            said, named = brackets.group(1), replace(mention, end=name_end, text=self.text[mention.start : name_end])
            if hits is not None:
                remark = said if tells_apart(named.text, said) else ""
                return replace(mention, candidates=link(self.store, named, hits, remark).candidates)  # type: ignore[arg-type]
            if (other := other_name(said)) and not tells_apart(named.text, said):
                start = self.text.index(other, name_end)
                named = replace(mention, start=start, end=start + len(other), text=other)
                if hits := self.hits.get((start, named.end)):
                    return replace(mention, candidates=link(self.store, named, hits).candidates)  # type: ignore[arg-type]
        return self._by_sort(mention)

    def _by_sort(self, mention: Mention) -> Mention:
        """ "Rhine River": the Rhine, if the KG says that it is a river."""
        if (found := without_sort(BRACKETS.sub("", mention.text))) is None:
            return mention
        start, end, classes = mention.start + found[0], mention.start + found[1], found[2]
        hits = [hit for hit in self.hits.get((start, end), ()) if hit.name == self.text[start:end]]
        meant = link(self.store, Mention(start, end, self.text[start:end]), hits).candidates  # type: ignore[arg-type]
        kept = tuple(one for one in meant if self.topics.is_one(replace(mention, candidates=(one,)), classes))
        return replace(mention, candidates=kept)

    @cached_property
    def nouns(self) -> tuple[Mention, ...]:
        """Names of the KG in lower case outside of the mentions, each the longest at its place."""
        taken = [(one.start, one.end) for one in self.mentions]
        found: list[Mention] = []
        for start, end in sorted(self.hits, key=lambda span: (span[0] - span[1], span[0])):
            text = self.text[start:end]
            if not text.islower() or any(one < end and start < other for one, other in taken):
                continue
            hits = self.hits[start, end]
            named = [hit for hit in hits if hit.name[:1].islower()] or (hits if " " in text else [])
            mention = link(self.store, Mention(start, end, text), named)  # type: ignore[arg-type]
            if mention.candidates:
                taken.append((start, end))
                found.append(mention)
        return tuple(found)


def _hop(lead: str | Clause, definite: bool) -> Hop:
    if isinstance(lead, Clause):
        return Hop(lead.relation, lead.noun, definite, lead.turned)
    return Hop(lead, "", definite)
