"""The names, dates and amounts of one text, each with what it may mean: the KG's own names, and those that follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from kgstore.catalog import NameHit, fold
from kgstore.verifier.claims import Candidate, Mention
from kgstore.verifier.english.words import either, peoples, words
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.brackets import abbreviates, other_name, tells_apart
from kgstore.verifier.link.capitals import CALLINGS, JOINS, TITLES
from kgstore.verifier.link.centre import centre
from kgstore.verifier.link.coherence import Company
from kgstore.verifier.link.forms import WithForms
from kgstore.verifier.link.linker import Demonyms, described, link
from kgstore.verifier.link.mentions import BRACKETS, STOP, find_mentions
from kgstore.verifier.link.sorts import without_sort

_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]{2,}\b")
_FULL = re.compile(r"(?:[A-Z][\w'’-]+ ){1,2}[A-Z][a-z][\w'’-]+")
"""A name of somebody in full, as it seems."""
_SHORT = re.compile(r" \(([A-Z][\w-]{1,7})\)")
"""What stands in brackets behind a name, where it may be short for that."""
_SORTED = re.compile(rf"\b{either('names.sorting')} (?:[a-z-]+ ){{0,2}}$", re.IGNORECASE)
_CALLINGS = words("names.callings")
_KIND_BEFORE = re.compile(r"\b[Tt]he ([a-z]+) [\"“*_‘']*$")
_KIND_BEHIND = re.compile(rf"[\"”*_’']*, an? (?:[\w-]+ ){{0,3}}?([a-z]+) {either('prepositions.leading')} ")
"""The noun that says of what kind something is: "the novel Dune", "Dune, a long novel by ..."."""
_ARTICLE = re.compile(r"(?:The|An?) ")
_LAND = re.compile(rf" (?:[a-z-]+ ){{0,2}}?{either('names.lands')}(?=[^\w\s-]| {either('names.stop')}\b|\s*$)")
"""What makes a people's adjective mean the place ("a French port city"), and not the language."""
_JOINED = re.compile(rf" {either('names.parting')}(?: the)? ")
_MORE_JOINED = re.compile(rf" {either('names.parting_unknown')}(?: the)? ")


class Names:
    """What one text names, found and linked before it is parsed.

    ``mentions`` are in text order and disjoint; ``company`` weighs what each may mean by the others.

    :param text: without Markdown
    :param is_noun: is this the name of a relation of the KG? Then it is no name of a thing
    """

    def __init__(self, store: KnowledgeGraph, text: str, demonyms: Demonyms, is_noun: Callable[[str], bool]) -> None:
        self.store, self.text, self.demonyms, self.is_noun = store, text, demonyms, is_noun
        self.beings = Beings(store)
        found = find_mentions(text, WithForms(store), fold, is_noun)
        self.hits, self._opening = found.hits, found.nouns
        linked = [self.linked(mention) for mention in found.mentions]
        self.company = Company(store, linked)
        self.mentions = self._again(tuple(self.company.linked(mention) for mention in linked))

    @cached_property
    def centre(self) -> Mention | None:
        """What the text is about as a whole; None where the KG links no name to two others."""
        return centre(self.store, self.mentions)

    # -- what a name may mean -----------------------------------------------------------------------------------------

    def at(self, start: int, end: int, hits: Sequence[NameHit] | None = None) -> Mention:
        """The words of a span as a mention of what has that name, or of the ``hits``."""
        found = self.hits.get((start, end), ()) if hits is None else hits
        return link(self.store, Mention(start, end, self.text[start:end]), found)  # type: ignore[arg-type]

    def linked(self, mention: Mention) -> Mention:
        """A mention with all that it may mean, by its own words alone."""
        if mention.value is not None:
            return mention
        hits = self.hits.get((mention.start, mention.end)) or (
            self.hits.get((mention.start, mention.end - 1)) if mention.text.endswith((".", ")")) else None
        )
        people = _ARTICLE.sub("", mention.text)  # "The French president"
        land = _LAND.match(self.text, mention.end) and self.demonyms.candidates(people)
        if land:
            return replace(mention, candidates=land)
        if hits:
            found = self._of_kind(link(self.store, mention, hits))  # type: ignore[arg-type]
            return replace(found, candidates=found.candidates + self.demonyms.candidates(people, found.candidates))
        if known := self.demonyms.candidates(people):
            return replace(mention, candidates=known)
        return self._in_brackets(mention) or self._by_sort(mention)

    def _of_kind(self, mention: Mention) -> Mention:
        """The mention; without what the noun beside it does not describe: "the novel Dune" is no film."""
        known = mention.candidates
        before = _KIND_BEFORE.search(self.text, 0, mention.start) if len(known) > 1 else None
        noun = before or (_KIND_BEHIND.match(self.text, mention.end) if len(known) > 1 else None)
        kept = [one for one in known if described(self.store, one.iri, noun[1])] if noun is not None else []
        total = sum(one.score for one in kept)
        return replace(mention, candidates=tuple(replace(one, score=one.score / total) for one in kept) or known)

    def _in_brackets(self, mention: Mention) -> Mention | None:
        """ "Michelle Williams (American actress)", "Duele Menos (Hurts Less)": by the name before, or by the one in
        brackets; None where neither is known.
        """
        brackets = BRACKETS.search(mention.text)
        if not brackets or brackets.end() != len(mention.text):
            return None
        name_end = mention.start + brackets.start()
        hits = self.hits.get((mention.start, name_end))
        said, named = brackets.group(1), replace(mention, end=name_end, text=self.text[mention.start : name_end])
        if hits is not None:
            start = self.text.index(said, name_end)
            both = {hit.iri for hit in self.hits.get((start, start + len(said)), ())}
            if shared := [hit for hit in hits if hit.iri in both]:
                return replace(mention, candidates=link(self.store, named, shared).candidates)
            remark = said if tells_apart(named.text, said) else ""
            meant = link(self.store, named, hits, remark).candidates
            return replace(mention, candidates=meant or self._translated(named, hits, said))
        if (other := other_name(said)) and not tells_apart(named.text, said):
            start = self.text.index(other, name_end)
            if hits := self.hits.get((start, start + len(other))):
                return replace(mention, candidates=self.at(start, start + len(other), hits).candidates)
        return None

    def _translated(self, named: Mention, hits: Sequence[NameHit], said: str) -> tuple[Candidate, ...]:
        """ "Jeux (Games)": what alone has the name, if the brackets have a title that nothing in the KG has, too."""
        start = self.text.index(said, named.end)
        titled = said[:1].isupper() and not any(sign.isdigit() for sign in said)
        if not titled or (start, start + len(said)) in self.hits or classes_named(self.store, said.lower()):
            return ()
        if any(self.demonyms.knows(word) for word in said.split()):
            return ()
        found = link(self.store, named, hits)
        return found.candidates if len(found.candidates) == 1 and not self.beings.is_person(found) else ()

    def _by_sort(self, mention: Mention) -> Mention:
        """ "Rhine River": the Rhine, if the KG says that it is a river."""
        if (found := without_sort(BRACKETS.sub("", mention.text))) is None:
            return mention
        start, end, classes = mention.start + found[0], mention.start + found[1], found[2]
        hits = [hit for hit in self.hits.get((start, end), ()) if hit.name == self.text[start:end]]
        meant = self.at(start, end, hits).candidates
        kept = tuple(one for one in meant if self.beings.is_one(replace(mention, candidates=(one,)), classes))
        return replace(mention, candidates=kept)

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
        if (start, end) in self.hits:
            return replace(mention, candidates=self.at(start, end).candidates)
        return mention

    # -- names that the text itself makes -----------------------------------------------------------------------------

    def _again(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """The mentions with those of things that the text named in full before: "Smith", and "NFL" where the full name
        has these initials or brackets with them."""
        found: list[Mention] = []
        short: dict[str, Mention] = {}
        people: dict[str, Mention | None] = {}
        given: dict[str, Mention | None] = {}
        unknown: set[str] = set()
        for one in mentions:
            named = short.get(one.text) or given.get(one.text)
            whole = None if one.candidates or one.value is not None else named or self._defined(one)
            found.append(_meaning(one, whole) if whole is not None else self._unless_named(one, unknown))
            words = BRACKETS.sub("", one.text).split()
            if not one.candidates or " " not in one.text:
                if one.value is None and _FULL.fullmatch(one.text):
                    unknown.add(words[-1])
                    given[words[0]] = None
            elif self.beings.is_person(one):
                short |= {" ".join(words[i:]): one for i in range(1, len(words))}
                _only(people, words[-1], one)
                if words[0].lower() not in CALLINGS | TITLES | STOP:
                    _only(given, words[0], one)
            else:
                short |= _short_forms(one, words)
        found += self._parts_of_names(mentions, given | people)
        return tuple(sorted(found, key=lambda one: one.start))

    def _defined(self, short: Mention) -> Mention | None:
        """What the text has said that a word stands for: "PD" behind "Parkinson's disease (PD)"."""
        end = self._short.get(short.text, len(self.text))
        if end >= short.start:
            return None
        start = min((a for a, b in (*self.hits, *self._opening) if b == end), default=end)
        whole, hits = self.text[start:end], self.hits.get((start, end), ())
        if not abbreviates(whole, short.text):
            return None
        named = self._common(whole, hits) if whole.islower() else hits
        meant = self.at(start, end, self._opening.get((start, end), named))
        return meant if meant.candidates else None

    @cached_property
    def _short(self) -> dict[str, int]:
        """What stands in brackets as a short form may, and where the words before it end; the first time."""
        return {match[1]: match.start() for match in reversed(list(_SHORT.finditer(self.text)))}

    def _unless_named(self, one: Mention, unknown: set[str]) -> Mention:
        """The mention; without any meaning if it is the surname of somebody who was named before and is unknown, or a
        title ("the Prince")."""
        titled = one.text.lower() in CALLINGS | TITLES and self.text[: one.start].lower().endswith("the ")
        return replace(one, candidates=()) if titled or one.text in unknown else one

    def _parts_of_names(self, mentions: Sequence[Mention], people: dict[str, Mention | None]) -> Iterator[Mention]:
        """ "Smith" or "Ann" on its own, outside of other names, behind the only Smith or Ann of the text."""
        free = [True] * (len(self.text) + 1)
        for one in mentions:
            free[one.start : one.end] = [False] * (one.end - one.start)
        for match in _CAPITAL.finditer(self.text) if people else ():
            whole = people.get(match[0])
            if whole is not None and whole.end < match.start() and all(free[match.start() : match.end()]):
                yield _meaning(Mention(*match.span(), match[0]), whole)

    # -- names that are no mentions -----------------------------------------------------------------------------------

    def parts(self, mention: Mention) -> Iterator[Mention]:
        """Names of the KG in what was taken for one longer name: "the Golden Lion at the Venice Film Festival",
        "Vogelsberg of Hesse"."""
        for start, end in _parted(mention.text, _JOINED):
            span = self._without_people(mention.start + start, mention.start + end)
            if self.hits.get(span):
                finer = [span]
            else:
                within = _parted(self.text[slice(*span)], _MORE_JOINED)
                finer = [(span[0] + one, span[0] + other) for one, other in within]
            every = len(finer) > 1 and all(map(self.hits.get, finer))
            for one, other in finer:
                whole = (one, other) == (mention.start, mention.end)
                if not whole and self.hits.get((one, other)) and (every or " " in self.text[one:other]):
                    yield self.at(one, other)

    def _without_people(self, start: int, end: int) -> tuple[int, int]:
        """A span without a people and a calling at its beginning ("French DJ"), unless it is a name with them."""
        first, _, rest = self.text[start:end].partition(" ")
        said = self.demonyms.knows(first) or first.lower() in peoples() or first.lower() in _CALLINGS
        drop = rest and (start, end) not in self.hits and said
        return self._without_people(end - len(rest), end) if drop else (start, end)

    @cached_property
    def nouns(self) -> tuple[Mention, ...]:
        """Names of the KG in lower case outside of the mentions, or with the capital that begins a sentence, each the
        longest at its place."""
        known = [one for one in self.mentions if one.candidates or (one.start, one.end) not in self._opening]
        taken = [(one.start, one.end) for one in known]
        found: list[Mention] = []
        for start, end in sorted({*self.hits, *self._opening}, key=lambda span: (span[0] - span[1], span[0])):
            opening, text = self._opening.get((start, end)), self.text[start:end]
            free = not any(one < end and start < other for one, other in taken)
            if free and (opening or text.islower()):
                hits = opening or self._common(text, self.hits[start, end])
                mention = self.at(start, end, hits)
                if mention.candidates:
                    taken.append((start, end))
                    found.append(replace(mention, text=text.lower(), proper=self._is_proper(mention, hits)))
        return tuple(found)

    def _is_proper(self, noun: Mention, hits: Sequence[NameHit]) -> bool:
        """Is it a name though it has no capital? Not where the graph has one ("agreement" for an Agreement), where an
        article sorts ("a contract"), nor of a class, nor of Wikidata's, which has all nouns."""
        profile = self.store.profile
        lower = " " in noun.text or any(hit.name[:1].islower() for hit in hits)
        if profile.wikibase or not lower or _SORTED.search(self.text, 0, noun.start):
            return False
        steps = [profile.property_of(one) for one in (*profile.type, *profile.subclass)]
        return not any(self.store.has_incoming(one.iri, step) for one in noun.candidates for step in steps)

    def _common(self, text: str, hits: Sequence[NameHit]) -> Sequence[NameHit]:
        """What a common noun may mean. That labels have capitals tells nothing but of Wikidata's ("Gout", "Cube")."""
        titled = () if self.store.profile.wikibase else ("label",)
        lower = [hit for hit in hits if hit.name[:1].islower()]
        return lower or [hit for hit in hits if " " in text or hit.kind in titled]

    @cached_property
    def further(self) -> tuple[Mention, ...]:
        """What else the text names: the names that the KG has within unknown ones and in brackets, and labels in which
        common nouns stand beside names ("president of Chile", "Armenian army"), around the names in them."""
        found = [part for one in self.mentions if not one.candidates and one.value is None for part in self.parts(one)]
        for one in self.mentions:
            if one.candidates and (brackets := BRACKETS.search(one.text)):
                found += self._within(one.start + brackets.start(1), one.start + brackets.end(1))
        for start, end in self.hits:
            words = self.text[start:end].split()
            common = any(word.islower() and word not in JOINS for word in words)
            if len(words) > 1 and common and not all(map(str.islower, words)) and not self._crosses(start, end):
                labels = [hit for hit in self.hits[start, end] if hit.kind == "label"]
                found.append(self.at(start, end, labels))
        return tuple(one for one in found if one.candidates)

    def _crosses(self, start: int, end: int) -> bool:
        """Does a mention begin or end within a span without lying in it, or take all of it?"""
        over = [one for one in self.mentions if one.start < end and start < one.end]
        return any(not start <= one.start < one.end <= end or (one.start, one.end) == (start, end) for one in over)

    def _within(self, start: int, end: int) -> Iterator[Mention]:
        """The names of the KG between two places, the longest first."""
        taken: list[tuple[int, int]] = []
        for one, other in sorted(self.hits, key=lambda span: (span[0] - span[1], span[0])):
            free = all(other <= begin or stop <= one for begin, stop in taken)
            if start <= one and other <= end and free and self.text[one].isupper():
                taken.append((one, other))
                yield self.at(one, other)


def _parted(text: str, by: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the parts of a text lie."""
    start = 0
    for match in by.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _only(people: dict[str, Mention | None], name: str, one: Mention) -> None:
    """Note who has a name; it means nobody if two have it."""
    same = people.get(name, one)
    people[name] = one if same is not None and same.candidates[0] == one.candidates[0] else None


def _short_forms(one: Mention, words: Sequence[str]) -> dict[str, Mention]:
    """ "NFL" of "National Football League", and what brackets behind the name say."""
    said = BRACKETS.search(one.text)
    initials = "".join(word[0] for word in words if word[0].isupper())
    given = (initials, *([said.group(1)] if said else []))
    return {form: one for form in given if abbreviates(" ".join(words), form)}


def _meaning(short: Mention, whole: Mention) -> Mention:
    return replace(short, candidates=whole.candidates, refers_to=whole.refers_to or (whole.start, whole.end))
