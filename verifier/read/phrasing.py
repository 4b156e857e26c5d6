"""From words of a tree to phrases that need none."""

from __future__ import annotations

from kgstore.verifier.claims import Hop, Measure
from kgstore.verifier.english.words import ordered
from kgstore.verifier.read.draft import Clause, Draft, Is, IsName
from kgstore.verifier.read.nouns import phrase_of, relation_noun
from kgstore.verifier.read.parse import Word
from kgstore.verifier.read.proposition import Phrase, Proposition, Span

_ARTICLES = (*ordered("articles.definite"), "a", "an")


class Phrasing:
    """Phrases of one sentence; each word is put into one once.

    :param is_name: the span of a noun phrase that is a name of the KG
    :param is_noun: is this the name of a relation?
    :param is_demonym: is this a people's adjective?
    """

    def __init__(self, text: str, is_name: IsName, is_noun: Is, is_demonym: Is) -> None:
        self.text, self.is_name, self.is_noun, self.is_demonym = text, is_name, is_noun, is_demonym
        self._known: dict[int, tuple[Word, Phrase]] = {}

    def phrase(self, word: Word) -> Phrase:
        """The phrase whose main word this is."""
        if id(word) not in self._known:
            self._known[id(word)] = word, self._phrase(word)  # the word is kept, so that no other one gets its id
        return self._known[id(word)][1]

    def _phrase(self, word: Word) -> Phrase:
        dets = {one.lower for one in word.all("det")}
        article = next((one for one in _ARTICLES if one in dets), next(iter(dets), ""))
        return Phrase(
            word.start,
            word.end,
            word.text,
            word.tag,
            word.mention,
            article,
            bool(dets or word.all("poss")),
            phrase_of(word, self.text),
            relation_noun(word, self.text, self.is_noun),
            self.is_name(word),
            _whole(word) if word.tag.startswith("NN") else None,
            self._parts(word),
            len(word.all("prep", "relcl", "acl")),
        )

    def _parts(self, word: Word) -> tuple[Span, ...]:
        """ "crime film", "film" of "the crime film genre": what ends where the closing noun begins."""
        before = [one for one in word.children if one.dep in ("compound", "amod", "nmod") and one.end <= word.start]
        parts = [one for one in before if not (one.mention and self.is_demonym(one.text))]
        starts = sorted({one.start for part in parts for one in part.subtree()})
        return tuple((start, parts[-1].end) for start in starts)

    def proposition(self, draft: Draft) -> Proposition:
        """What a draft says, without the tree that it was read from."""
        when, until = (
            word.mention.value if word is not None and word.mention is not None else None
            for word in (draft.when, draft.until)
        )
        scale = draft.measure
        return Proposition(
            draft.start,
            draft.end,
            self.phrase(draft.head) if draft.head is not None else None,
            draft.relation,
            self.phrase(draft.tail) if draft.tail is not None else None,
            tuple(_hop(noun, draft.definite) for noun in draft.nouns),
            tuple(Hop(step.relation, step.noun) for step in draft.steps),
            draft.definite,
            draft.negated,
            draft.hedged,
            when,
            until,
            Measure(scale.kind, scale.properties, scale.direction, None, scale.rank) if scale is not None else None,
            _things(scale.things, self.text) if scale is not None and scale.things is not None else None,
        )


def spoken(word: Word) -> Phrase:
    """A name or a pronoun, which no other word tells more of."""
    return Phrase(word.start, word.end, word.text, word.tag, word.mention)


def _whole(word: Word) -> Span:
    """Without articles, clauses and appositions."""
    apart = {id(inner) for item in word.all("acl", "relcl", "appos") for inner in item.subtree()}
    beside = apart | {id(item) for item in word.subtree() if item.dep in ("det", "punct") and item is not word}
    words = [item for item in word.subtree() if id(item) not in beside]
    return words[0].start, words[-1].end


def _things(word: Word, text: str) -> Phrase:
    """What is counted or compared: the noun with what is compounded with it."""
    if word.mention is not None:
        return spoken(word)
    first = next((item for item in word.all("compound") if item.mention is None), word)
    return Phrase(first.start, word.end, text[first.start : word.end], word.tag, words=word.lower)


def _hop(lead: str | Clause, definite: bool) -> Hop:
    if isinstance(lead, Clause):
        return Hop(lead.relation, lead.noun, definite, lead.turned)
    return Hop(lead, "", definite)
