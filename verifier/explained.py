"""How a text was read, stage by stage: what `kgstore explain-reading` shows.

Everything here is made by the stages themselves, asked one after the other; nothing is read twice in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kgstore.catalog import fold
from kgstore.verifier.claims import Candidate, Claim, Hop, Mention
from kgstore.verifier.english.wording import nouns
from kgstore.verifier.link.mentions import find_mentions
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.read.keys import Line
from kgstore.verifier.read.markup import plain
from kgstore.verifier.read.parse import Sentence, sentences
from kgstore.verifier.read.proposition import Phrase, Proposition, Utterance
from kgstore.verifier.read.shapes import steps
from kgstore.verifier.read.utter import Utterances
from kgstore.verifier.reader import assertions as reading
from kgstore.verifier.values import Amount, DateValue

_LEFT_OUT = "(left out)"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a whole name, as the parser has it.

    :param tag: Penn part of speech
    :param role: dependency label; ``of``: the word that it depends on, "" for the main one
    """

    start: int
    text: str
    tag: str
    role: str
    of: str


@dataclass(frozen=True, slots=True)
class Said:
    """Who, by which words, to what, in words; ``remarks`` as in "denied", "compares area"."""

    head: str
    relation: str
    tail: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """A claim, and what its ends may mean, likeliest first."""

    said: Said
    heads: tuple[Candidate, ...]
    tails: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the relation reader was asked of two places, and how sure it is, 0 to 1."""

    head: str
    relation: str
    tail: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explained:
    """One sentence, or a line of a list or table, which has neither a parse nor propositions.

    :param shapes: names of the sentence shapes that were undone, in order
    """

    start: int
    end: int
    text: str
    parse: tuple[Token, ...] = ()
    shapes: tuple[str, ...] = ()
    propositions: tuple[Said, ...] = ()
    claims: tuple[Linked, ...] = ()
    asked: tuple[Asked, ...] = ()


def explained(text: str, verifier: Verifier) -> list[Explained]:
    """Each sentence of a text with what every stage made of it."""
    rules = verifier.rules
    names = rules.names(text)
    parsed = rules.parse(names)
    said = rules.propose(names, parsed)
    claims, _ = rules.link(text, names, said, rules.means(names, parsed))
    asked = dict(_asked(text, verifier))
    return [
        _explained(
            text,
            part,
            one,
            rules.demonyms.knows,
            [claim for claim in claims if part.start <= claim.start < part.end],
            [question for (start, _), question in asked.items() if part.start <= start < part.end],
        )
        for part, one in zip(parsed.parts, said, strict=True)
    ]


def explained_without_kg(text: str) -> list[Explained]:
    """Sentences, shapes and propositions by grammar alone: names are what has capitals, and nothing is linked."""
    text, written = plain(text), text
    known = nouns().__contains__
    mentions = find_mentions(text, _NoNames(), fold, known).mentions
    reading = Utterances(text, lambda word: None, known, known, _never, _never, _never)
    parts = sentences(text, mentions)
    return [_explained(written, part, reading.read(part), _never, [], []) for part in parts]


def _never(_: object) -> bool:
    return False


class _NoNames:
    def lookup(self, names: Iterable[str]) -> dict:
        return {}


def _explained(
    text: str,
    part: Sentence | Line,
    said: Utterance | Line,
    is_demonym: Callable[[str], bool],
    claims: list[Claim],
    asked: list[Asked],
) -> Explained:
    linked = tuple(Linked(_claimed(one), one.head.candidates, one.tail.candidates) for one in claims)
    words = text[part.start : part.end]
    if not isinstance(part, Sentence) or not isinstance(said, Utterance):
        return Explained(part.start, part.end, words, claims=linked, asked=tuple(asked))
    parse = tuple(
        Token(one.start, one.text, one.tag, one.dep, one.head.text if one.head is not None else "")
        for one in part.words
    )
    shapes = tuple(shape.name for shape, _ in steps(part, is_demonym))
    proposed = tuple(map(_proposed, said.propositions))
    return Explained(part.start, part.end, words, parse, shapes, proposed, linked, tuple(asked))


def _proposed(one: Proposition) -> Said:
    head, tail = (_words(end) for end in (one.head, one.tail))
    return Said(_led(head, one.bridge), one.relation, tail, tuple(_remarks(one, one.steps)))


def _words(phrase: Phrase | None) -> str:
    return _LEFT_OUT if phrase is None else phrase.mention.text if phrase.mention else phrase.words or phrase.text


def _claimed(one: Claim) -> Said:
    return Said(_led(_meant(one.head), one.bridge), one.relation, _meant(one.tail), tuple(_remarks(one, ())))


def _meant(mention: Mention) -> str:
    label = mention.candidates[0].label if mention.candidates else mention.means
    if mention.is_implied:
        return f"{_LEFT_OUT} = {label}"
    return f"{mention.text} = {label}" if mention.refers_to is not None and label else mention.text


def _led(head: str, bridge: tuple[Hop, ...]) -> str:
    """ "Ann Smith > spouse": what leads from the head to what is spoken of."""
    return " > ".join([head, *(hop.relation for hop in bridge)])


def _remarks(one: Proposition | Claim, further: tuple[Hop, ...]) -> Iterator[str]:
    yield from ["denied"] * one.negated + ["not asserted"] * one.hedged
    yield from (f"by way of {hop.noun}: {hop.relation}" for hop in further)
    yield from (f"{name} {_date(date)}" for name, date in (("when", one.when), ("until", one.until)) if date)
    if one.measure is not None:
        yield f"{one.measure.kind.value} of {', '.join(one.measure.properties) or 'something'}"


def _date(value: DateValue | Amount) -> str:
    """ "1919", "1919-05", "1919-05-31"."""
    if isinstance(value, Amount):
        return str(value.value)
    return "-".join(f"{part:02}" for part in (value.year, value.month, value.day) if part is not None)


def _asked(text: str, verifier: Verifier) -> Iterator[tuple[tuple[int, str], Asked]]:
    """What the reader was asked, surest first, each with the offset of the sentence's part that it stands in."""
    claims, passages = verifier.read(text)
    if verifier.reader is None:
        return
    ruled = verifier.verdicts(text, claims)
    _, heard = reading.assertions(text, passages, verifier.guide, verifier.reader, ruled)
    for (head, tail, iri), share in sorted(heard.items(), key=lambda one: -one[1]):
        label = verifier.aligner.properties[iri].label
        place = min(head[0], tail[0])
        words = text[slice(*head)] or _LEFT_OUT, label, text[slice(*tail)] or _LEFT_OUT
        yield (place, " | ".join(words)), Asked(*words, round(share, 4))
