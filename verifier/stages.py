"""From a text to claims, stage by stage; each hands a value to the next, and none looks back.

    text ─ names ─> mentions ─ parse ─> sentences ─ propose ─> utterances ─ link ─> claims ─ decide ─> verdicts

Names come first because the parser sees each of them as one word; whom pronouns mean is asked of the sentences, for the
linking. What decides is `kgstore.verifier.pipeline`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kgstore.verifier.claims import Claim, Mention, Passage
from kgstore.verifier.kg.kinds import classes_named
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.link.antecedents import antecedents
from kgstore.verifier.link.claims import Linking
from kgstore.verifier.link.linker import Demonyms
from kgstore.verifier.link.names import Names
from kgstore.verifier.link.said import with_said
from kgstore.verifier.link.whereabouts import located
from kgstore.verifier.llm.windows import sentences as split
from kgstore.verifier.read.coverage import Outline, Stretch, in_other_languages
from kgstore.verifier.read.forms import FRAGMENT, form
from kgstore.verifier.read.keys import Line
from kgstore.verifier.read.lines import keyed_lines
from kgstore.verifier.read.markup import plain
from kgstore.verifier.read.misread import misread, read_well
from kgstore.verifier.read.nouns import np_name
from kgstore.verifier.read.paragraphs import paragraphs
from kgstore.verifier.read.parse import Lexicon, Sentence, Word, sentences
from kgstore.verifier.read.proposition import Proposition, Utterance
from kgstore.verifier.read.utter import Utterances


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text without markup, its sentences, and its lines that need no grammar, in text order."""

    text: str
    parts: tuple[Sentence | Line, ...]
    stretches: tuple[Stretch, ...]


class RulesExtractor:
    """Claims by dependency grammar, each with its mentions already linked to candidates.

    :param is_noun: is this text the name of a relation of the KG ("cause of death")?
    :param is_value: is it the name of a relation to dates or amounts ("running time")?
    :param know: what the KG says of where places lie; asked of the store unless given
    """

    notices: tuple[str, ...] = ()

    def __init__(
        self,
        store: KnowledgeGraph,
        is_noun: Callable[[str], bool],
        is_value: Callable[[str], bool] = lambda text: False,
        know: Knowledge | None = None,
    ) -> None:
        self.store, self.is_noun, self.is_value = store, is_noun, is_value
        self.know = know or Knowledge(store)
        self.demonyms = Demonyms(store)
        self._last = Outline("")

    # -- the stages ---------------------------------------------------------------------------------------------------

    def names(self, text: str) -> Names:
        """What a text names, linked by names alone."""
        return Names(self.store, plain(text), self.demonyms, self.is_noun)

    def parse(self, names: Names) -> Parsed:
        """Sentences and lines of a text; a sentence that is surely not in English has its stretch alone."""
        text = names.text
        known = sorted((*names.mentions, *(one for one in names.nouns if one.proper)), key=lambda one: one.start)
        lines = list(keyed_lines(text, known, self.is_noun))
        parsed = sentences(text, names.mentions, lines, self._lexicon(names))
        stretches = [Stretch(one.start, one.end, form(one.words)) for one in parsed]
        stretches = sorted((*stretches, *_of_lines(text, lines)), key=lambda one: one.start)
        other = {one.start for one in in_other_languages(text, stretches)}
        english = (one for one in parsed if one.start not in other)
        parts: list[Sentence | Line] = sorted((*english, *lines), key=lambda one: one.start)
        return Parsed(text, tuple(parts), tuple(stretches))

    def propose(self, names: Names, parsed: Parsed) -> list[Utterance | Line]:
        """What the sentences say, in phrases of the text."""
        reading = Utterances(
            parsed.text,
            lambda word: np_name(word, names.hits, self.is_noun),
            self.is_noun,
            self.is_value,
            self.demonyms.knows,
            self._is_class,
            lambda span: span in names.hits,
        )
        return [reading.read(part) if isinstance(part, Sentence) else part for part in parsed.parts]

    def means(self, names: Names, parsed: Parsed) -> dict[int, Mention]:
        """Where each pronoun begins -> the name that it surely stands for."""
        return antecedents(parsed.text, parsed.parts, names.beings, names.centre)

    def link(
        self, text: str, names: Names, said: Iterable[Utterance | Line], means: Mapping[int, Mention]
    ) -> tuple[list[Claim], list[Passage]]:
        """The claims in reading order, and each sentence with what it speaks of.

        :param text: as it was written, with its markup
        :param means: what pronouns stand for, by where they begin
        """
        claims, passages = Linking(names, self.is_noun, means).claims(said)
        return self._finished(text, claims), passages

    # -- all of them --------------------------------------------------------------------------------------------------

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order. A mention that the KG does not know has no candidates."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[list[Claim], list[Passage]]:
        """Claims in reading order, and each parsed sentence with what it speaks of."""
        names = self.names(text)
        parsed = self.parse(names)
        self._last = Outline(text, parsed.stretches, names.mentions)
        return self.link(text, names, self.propose(names, parsed), self.means(names, parsed))

    def linked(self, text: str, propositions: Sequence[Proposition]) -> list[Claim]:
        """The claims of propositions that name outright what they mean, such as a language model's."""
        return self._finished(text, Linking(self.names(text), self.is_noun).named(propositions))

    def mentions(self, text: str, nouns: bool = False) -> tuple[Mention, ...]:
        """The names, dates and amounts in a text; names come with the entities that they may mean.

        :param nouns: names in lower case as well ("oboe", "science fiction"), which the grammar finds by itself
        """
        names = self.names(text)
        found = (*names.mentions, *names.nouns) if nouns else names.mentions
        return tuple(sorted(found, key=lambda one: one.start))

    def outline(self, text: str) -> Outline:
        """The sentences and names of a text; those of the last one are known from extracting its claims."""
        if self._last.text != text:
            self.extract(text)
        return self._last

    def _finished(self, text: str, claims: Sequence[Claim]) -> list[Claim]:
        """The claims with their words as written, without towns that lie elsewhere, and with what else they say."""
        written = [replace(claim, text=text[claim.start : claim.end]) for claim in claims]
        return [with_said(text, one) for one in located(text, written, self.know)]

    def _lexicon(self, names: Names) -> Lexicon:
        """What the KG knows of the words of the text, for the parser."""
        lower = {span for span in names.hits if names.text[slice(*span)].islower()}
        nouns = {span for span in lower if not self.is_noun(names.text[slice(*span)])}
        return Lexicon(nouns, lambda words: misread(words, self.is_noun), read_well)

    def _is_class(self, word: Word) -> bool:
        return bool(classes_named(self.store, word.lower))


def _of_lines(text: str, lines: Sequence[Line]) -> list[Stretch]:
    """The sentences that were read without grammar; a table's head says nothing."""
    found = []
    for start, end in paragraphs(text) if lines else ():
        inside = [line for line in lines if start <= line.start < end]
        kind = "" if any(line.values for line in inside) else FRAGMENT
        for first, last in split(text[start:end]) if inside else ():
            first, last = start + first, start + last
            if any(line.start < last and first < max(line.end, line.start + 1) for line in inside):
                found.append(Stretch(first, last, kind))
    return found
