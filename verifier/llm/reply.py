"""From what a language model replied to propositions with exact spans. Pure functions: no model, no KG.

A model's reply is never trusted. It is parsed as JSON and nothing else, and a triple stays only if both of its ends
stand in the text; what is left out is counted, so that it can be said.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kgstore.verifier.claims import Claim, Hop, Mention
from kgstore.verifier.english.words import either, words
from kgstore.verifier.llm.windows import ABBREVIATED, Span, sentences, trim
from kgstore.verifier.read.proposition import Phrase, Proposition
from kgstore.verifier.values import Amount, find_amounts, find_dates


@dataclass(frozen=True, slots=True)
class Found:
    """A triple as the model gave it."""

    head: str
    relation: str
    tail: str


def parse_reply(reply: str) -> tuple[list[Found], bool]:
    """The triples of a JSON list, each a list of three strings or an object, and whether the list was finished.

    What a model says around the list does not count. A reply that was cut off at the token limit still gives its
    complete triples; anything else gives none.

    >>> parse_reply('Facts: [["Ada", "was born in", "London"], ["Ada", "died')
    ([Found(head='Ada', relation='was born in', tail='London')], False)
    """
    decoder = json.JSONDecoder()
    found: list[Found] = []
    opening = _LIST.search(reply, reply.rfind(_THOUGHT) + 1)
    if opening is None:
        return [], False
    at = opening.end()
    while True:
        at = _skip(reply, at, " \t\r\n,")
        if reply.startswith("]", at):
            return found, True
        try:
            item, at = decoder.raw_decode(reply, at)
        except (json.JSONDecodeError, RecursionError):
            return found, False
        match item:
            case {"head": str(head), "relation": str(relation), "tail": str(tail)}:
                pass
            case [str(head), str(relation), str(tail)]:
                pass
            case _:
                return found, False
        found.append(Found(*(" ".join(part.split()) for part in (head, relation, tail))))


def parse_answers(reply: str) -> list[bool]:
    """Yes and no as a model replied them, in whatever wrapping.

    >>> parse_answers('["yes", "no"]'), parse_answers("1. Yes\\n2. No")
    ([True, False], [True, False])
    """
    return [word[0] in "yY" for word in _ANSWER.findall(reply, reply.rfind(_THOUGHT) + 1)]


def goes_round(reply: str) -> bool:
    """Whether the last two facts were both given before: a small model that has nothing more to say repeats itself."""
    found = parse_reply(reply)[0]
    return len(found) > 2 and found[-1] in found[:-1] and found[-2] in found[:-2]


_LIST = re.compile(r"\[(?=\s*[\[{\]])")
_AFTER_DATE = re.compile(r",? (in|at) ((?:the )?[^\Wa-z_].*)")
_BEFORE_DATE = re.compile(r"([^\Wa-z_].*?),? (on|in)(?: the)? ?")
_SEPARATOR = re.compile(r"\s*(?:[,;]\s*(?:and\b|or\b|but\b)?|\b(?:and|or|but)\b)\s*")
_ANSWER = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_THOUGHT = "</think>"


def to_propositions(
    text: str, found: Sequence[Found], region: Span | None = None
) -> tuple[list[Proposition], Counter[str]]:
    """Propositions in reading order for the triples that hold, and how many did not, by reason.

    :param region: the part of the text that the model saw; the whole text unless given
    """
    left_out: Counter[str] = Counter()
    start, end = region or (0, len(text))
    place = _Place(text, start, end)
    seen: set[tuple[Span, Span, str]] = set()
    made = []
    for triple in dict.fromkeys(part for one in found for part in split_date(one)):
        said = place.proposition(triple)
        if isinstance(said, str):
            left_out[said] += 1
            continue
        head, tail = ends(said)
        key = head.refers_to or (head.start, head.end), (tail.start, tail.end), fold(said.relation)[0]
        if key in seen:
            left_out["repeated"] += 1
            continue
        seen.add(key)
        made.append(said)
    if repeats := len(found) - len(set(found)):
        left_out["repeated"] += repeats
    return sorted(_apportioned(text, made), key=lambda said: (said.start, ends(said)[1].start)), left_out


def ends(said: Claim | Proposition) -> tuple[Mention, Mention]:
    """Head and tail of what a language model said, or of a claim, as mentions."""
    if isinstance(said, Claim):
        return said.head, said.tail
    assert said.head is not None and said.head.mention is not None
    assert said.tail is not None and said.tail.mention is not None
    return said.head.mention, said.tail.mention


def _apportioned(text: str, made: Sequence[Proposition]) -> list[Proposition]:
    """Each of several propositions of one sentence gets its own part: "Ada was born in Rome", "died in Bern"."""
    own, placed = list(made), [ends(one) for one in made]
    heads: dict[Span, list[int]] = {}
    for i, (head, tail) in enumerate(placed):
        if head.end <= tail.start:
            heads.setdefault((head.start, head.end), []).append(i)
    for group in heads.values():
        group.sort(key=lambda i: placed[i][1].start)
        for done, (i, j) in enumerate(pairwise(group), 1):
            before, after = placed[i][1].end, placed[j][1].start
            if not (made[j].start < before <= after and text[before:after].strip()):
                continue
            cut = _SEPARATOR.search(text, before, after)
            end, start = cut.span() if cut else (before, trim(text, before, after)[0])
            own[j] = replace(own[j], start=start)
            for k in group[:done]:
                if own[k].end > end:
                    own[k] = replace(own[k], end=end)
    return own


def split_date(triple: Found) -> tuple[Found, ...]:
    """One fact for the date and one for the place, where a model put both into one tail.

    >>> for one in split_date(Found("Ada", "died on", "5 May 1931 in Bern")): print(one.relation, one.tail)
    died on 5 May 1931
    died in Bern
    """
    words = triple.relation.split()
    bare = " ".join(words[:-1] if len(words) > 1 and words[-1] in ("in", "on", "at") else words)
    for start, end, _ in find_dates(triple.tail):
        date, before, after = triple.tail[start:end], triple.tail[:start], triple.tail[end:]
        if (place := _AFTER_DATE.fullmatch(after)) and before.strip() in ("", "the"):
            return replace(triple, tail=date), Found(triple.head, f"{bare} {place[1]}", place[2])
        if (place := _BEFORE_DATE.fullmatch(before)) and not after.strip():
            return replace(triple, tail=place[1]), Found(triple.head, f"{bare} {place[2]}", date)
    return (triple,)


def denied(words: str) -> bool:
    """Whether words before or between the ends of a claim deny it; "not in Rome but in Oslo" does not deny Oslo.

    >>> denied("did not live in"), denied("was born not in Rome but in"), denied("not only sang in")
    (True, False, False)
    """
    last = max((found.end() for found in _DENIED.finditer(words)), default=-1)
    return last >= 0 and not _CONTRAST.search(words, last)


def unsure(words: str) -> bool:
    """Whether a clause is hedged: perhaps so, said by others, or only expected."""
    return bool(_UNSURE.search(words))


def is_question(sentence: str) -> bool:
    """Whether a sentence asks.

    >>> is_question("“Was he born in Rome?”")
    True
    """
    return sentence.rstrip("\"'”’») ").endswith("?")


def same_ends(a: Claim | Proposition, b: Claim | Proposition) -> bool:
    """Whether both connect the same two things, in either direction, by place or by what they are linked to."""
    (a_head, a_tail), (b_head, b_tail) = ends(a), ends(b)
    if _same(a_head, b_tail) and _same(a_tail, b_head):
        return True
    pointed = _overlap((a_head.start, a_head.end), (b_head.start, b_head.end))  # one "he", read in two ways
    return (pointed or _same(a_head, b_head)) and _same(a_tail, b_tail)


def _same(a: Mention, b: Mention) -> bool:
    linked = a.candidates and b.candidates and a.candidates[0].iri == b.candidates[0].iri
    return bool(linked) or _overlap(a.refers_to or (a.start, a.end), b.refers_to or (b.start, b.end))


# -- places ------------------------------------------------------------------------------------------------------------

_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_PRONOUN = re.compile(either("pronouns.standing_alone"), re.IGNORECASE)
_ANAPHOR = re.compile(
    rf"\b{either('pronouns.third')}\b"
    r"|\b(?:the|this) [a-z]+(?: [a-z]+)??(?= (?:is|was|are|were|has|had|[a-z]+s|[a-z]+ed)\b)",
    re.IGNORECASE,
)
_PRONOUN_FIRST = re.compile(rf"{either('pronouns.third')}\b", re.IGNORECASE)
_CLAUSES = re.compile(rf"\s*(?:;|,?\s+{either('conjunctions.of_clauses')}\s+)\s*")
_NO = sorted((words("negation.adverbs") | words("negation.pronouns") | words("negation.others")) - {"not"})
_DENIED = re.compile(rf"\b(?:not(?! only\b)|{'|'.join(_NO)})\b|n['’]t\b", re.IGNORECASE)
_CONTRAST = re.compile(r"\bbut\b|\b(?:instead|rather)\b")
_UNSURE = re.compile(
    rf"\b{either('hedging.modals')}\b|\b(?i:{either('hedging.hearsay')})\b"
)
_ROLE = re.compile(
    r"(?:[Tt]he )?(?P<role>[a-z][a-z' -]*?) of (?P<of>(?:the )?[A-Z0-9\"'“‘].*|the [a-z][a-z' -]*? of .+)"
)
_SWALLOWED = re.compile(r"(?P<verb>[a-z].*?) (?P<tail>[^\Wa-z_](?:.*[ -][^\Wa-z_])?[^ ]*)(?P<rest>(?: [a-z]+)*)")
_IS = re.compile(r"(?:is|was|are|were|be|became|has been)(?: an?| the)?")
_OF = re.compile(r"(?P<role>(?:(?:an?|the) )?[a-z]+(?: [a-z]+)?) of (?P<of>(?:the )?[^\Wa-z_].*)")
_OWNED = re.compile(r"(?P<of>.+?)['’]s? (?P<role>[a-z][a-z -]*)")


class _Place:
    """Finds the ends of triples in one region of a text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.folded, self.offsets = fold(text[start:end])
        self.start = start
        self.sentences = [(a + start, b + start) for a, b in sentences(text[start:end])]

    def proposition(self, triple: Found) -> Proposition | str:
        """What the model said, at its place in the text, or why it has none."""
        if not (triple.head and triple.relation and triple.tail):
            return "an empty part"
        if _PRONOUN.fullmatch(triple.head) or _PRONOUN.fullmatch(triple.tail):
            return "a pronoun left as it is"
        name, roles = split_role(triple.head)
        relation, whom = triple.relation, triple.tail
        if (named := _OF.fullmatch(whom)) and _IS.fullmatch(relation):  # is a | citizen of France
            relation, whom = f"{relation} {named['role']} of", named["of"]
        heads, tails = self.find(name), self.find(whom)
        if (not tails or fold(whom) == fold(triple.head)) and (swallowed := _SWALLOWED.fullmatch(relation)):
            tails = self.find(swallowed["tail"])    # held American citizenship | none
            relation = f"{swallowed['verb']} {swallowed['rest'].strip()}".strip()
        if roles and not heads:
            roles, heads = [], self.find(triple.head)
        if not heads:
            return "head not in the text"
        if not tails:
            return "tail not in the text"
        together = self._together(heads, tails, relation) or self._apart(heads, tails)
        if together is None:
            return "head and tail overlap"
        (start, end), head, tail = together
        middle = self.text[max(start, min(head.start, tail.start)) : max(head.end, tail.end)]
        return Proposition(
            start,
            end,
            _given(head),
            relation,
            _given(_valued(self.text, tail)),
            tuple(Hop(role, definite=self._definite(role)) for role in roles),
            negated=denied(middle) or denied(relation),
            hedged=unsure(self.text[start:end]) or self._asks(start),
        )

    def _asks(self, at: int) -> bool:
        """Whether the sentence around this offset is a question."""
        return any(start <= at < end and is_question(self.text[start:end]) for start, end in self.sentences)

    def _definite(self, role: str) -> bool:
        """Whether the text speaks of *the* spouse, or of Ada's."""
        return bool(re.search(rf"(?:\bthe|['’]s?) {re.escape(role)}\b", self.text, re.IGNORECASE))

    def find(self, words: str) -> list[Span]:
        """Where the words stand as whole words; case, accents, dashes and kinds of quotation mark do not matter."""
        for form in (words, _ARTICLE.sub("", words, count=1)):
            wanted = fold(form)[0].strip()
            spans, at = [], self.folded.find(wanted) if wanted else -1
            while at >= 0:
                if _whole(self.folded, at, at + len(wanted)):
                    spans.append((self.start + self.offsets[at], self.start + self.offsets[at + len(wanted) - 1] + 1))
                at = self.folded.find(wanted, at + 1)
            if spans:
                return [self._with_marks(span) for span in spans]
        return []

    def _with_marks(self, span: Span) -> Span:
        """Combining marks belong to the letter before them."""
        start, end = span
        while end < len(self.text) and unicodedata.combining(self.text[end]):
            end += 1
        return start, end

    def _together(self, heads: list[Span], tails: list[Span], relation: str) -> tuple[Span, Mention, Mention] | None:
        """The clause with both ends that has most of the relation's words; of several the first, then the smallest."""
        options = []
        for number, sentence in enumerate(self.sentences):
            for head in (h for h in heads if _inside(h, sentence)):
                for tail in (t for t in tails if _inside(t, sentence) and not _overlap(t, head)):
                    clause = self._clause(sentence, head, tail)
                    words = fold(self.text[clause[0] : clause[1]])[0]
                    missing = sum(word not in words for word in fold(relation)[0].split())
                    options.append((missing, number, clause[1] - clause[0], abs(head[0] - tail[0]), clause, head, tail))
        if not options:
            return None
        *_, clause, head, tail = min(options)
        known = self._mention(head)
        own = next((part for part in self._parts(clause) if _inside(tail, part)), clause)
        if own[0] > head[0] and (pronoun := _PRONOUN_FIRST.match(self.text, *own)):
            clause, known = _bare(self.text, *own), replace(self._mention(pronoun.span()), refers_to=head)
        return clause, known, self._mention(tail)

    def _apart(self, heads: list[Span], tails: list[Span]) -> tuple[Span, Mention, Mention] | None:
        """One end is named earlier and only referred to in the other's sentence; the head perhaps not even that."""
        for tail in tails:
            if (referred := self._earlier(heads, tail)) is None:
                continue
            sentence, name, word = referred
            if said := next((np for np in self._anaphors(sentence) if np[0] < tail[0] and tail[1] <= np[1]), None):
                return said, replace(self._mention(said), refers_to=name), self._mention(tail)  # "the Swiss chemist"
            if word is None:
                return _bare(self.text, *sentence), self._mention(name), self._mention(tail)
            return self._clause(sentence, word, tail), replace(self._mention(word), refers_to=name), self._mention(tail)
        for head in heads:
            match self._earlier(tails, head):
                case sentence, name, (_, _) as word:
                    referring = replace(self._mention(word), refers_to=name)
                    return self._clause(sentence, head, word), self._mention(head), referring
        return None

    def _anaphors(self, sentence: Span) -> list[Span]:
        return [found.span() for found in _ANAPHOR.finditer(self.text, *sentence)]

    def _earlier(self, names: list[Span], end: Span) -> tuple[Span, Span, Span | None] | None:
        """The sentence of one end, the last name before that sentence, and the word that stands for the name there."""
        sentence = next((one for one in self.sentences if _inside(end, one)), None)
        before = [name for name in names if sentence and name[1] <= sentence[0]]
        if sentence is None or not before:
            return None
        for region in ((sentence[0], end[0]), (end[1], sentence[1])):
            if word := self._short_form(before[-1], region) or _ANAPHOR.search(self.text, *region):
                return sentence, before[-1], word.span()
        return sentence, before[-1], None

    def _short_form(self, name: Span, region: Span) -> re.Match[str] | None:
        """The closing word of a name on its own: "Holt" for Mira Holt."""
        words = self.text[slice(*name)].split()
        if len(words) < 2 or not words[-1][:1].isupper():
            return None
        return re.compile(rf"(?<!\w){re.escape(words[-1])}(?!\w)").search(self.text, *region)

    def _clause(self, sentence: Span, head: Span, tail: Span) -> Span:
        for part in self._parts(sentence):
            if _inside(head, part) and _inside(tail, part):
                return _bare(self.text, *part)
        return _bare(self.text, *sentence)

    def _parts(self, sentence: Span) -> list[Span]:
        cuts = (border for cut in _CLAUSES.finditer(self.text, *sentence) for border in cut.span())
        borders = [sentence[0], *cuts, sentence[1]]
        return list(zip(borders[::2], borders[1::2], strict=True))

    def _mention(self, span: Span) -> Mention:
        return Mention(*span, self.text[span[0] : span[1]])


def split_role(head: str) -> tuple[str, list[str]]:
    """A head that is described by another's role, as a name and the roles to walk from it.

    >>> split_role("the spouse of Ada Lovelace"), split_role("Ada's father"), split_role("The Lord of the Rings")
    (('Ada Lovelace', ['spouse']), ('Ada', ['father']), ('The Lord of the Rings', []))
    >>> split_role("the place of birth of the director of Tootsie")
    ('Tootsie', ['director', 'place of birth'])
    """
    if found := _ROLE.fullmatch(head) or _OWNED.fullmatch(head):
        name, roles = split_role(found["of"])
        return name, [*roles, found["role"]]
    return head, []


_SAME = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’ʼ`", "'"), **dict.fromkeys("“”„«»", '"')})


def fold(text: str) -> tuple[str, list[int]]:
    """Text for comparison (no accents, no case, one dash, one quote, single spaces), and each character's offset.

    >>> fold("Zoë  A")
    ('zoe a', [0, 1, 2, 3, 5])
    """
    letters: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        for part in unicodedata.normalize("NFKD", char.translate(_SAME)).casefold():
            if unicodedata.combining(part) or (part.isspace() and letters and letters[-1] == " "):
                continue
            letters.append(" " if part.isspace() else part)
            offsets.append(offset)
    return "".join(letters), offsets


def _given(mention: Mention) -> Phrase:
    return Phrase(mention.start, mention.end, mention.text, mention=mention)


def _valued(text: str, mention: Mention) -> Mention:
    """The mention narrowed to its date or amount, where it is one: "about" and what is counted stay outside."""
    first = max(0, mention.start - 30)  # far enough to see "about" before it
    for finder in (find_dates, find_amounts):
        for start, end, value in finder(text[first : mention.end]):
            start, end = start + first, end + first
            before, after = text[mention.start : start], text[end : mention.end].strip(" .,")
            counted = isinstance(value, Amount) and value.noun
            if start >= mention.start and len(before) <= 15 and (not after or (counted and len(after.split()) <= 2)):
                return Mention(start, end, text[start:end], value=value)
    return mention


def _whole(text: str, start: int, end: int) -> bool:
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum() and text[start].isascii()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum() and text[end - 1].isascii()
    return not before and not after


def _bare(text: str, start: int, end: int) -> Span:
    """Without white space and without the full stop at the end, unless that belongs to an abbreviation."""
    start, end = trim(text, start, end)
    while end > start and text[end - 1] in ".!?…;,:" and not ABBREVIATED.search(text, start, end):
        end -= 1
    return start, end


def _skip(text: str, at: int, chars: str) -> int:
    while at < len(text) and text[at] in chars:
        at += 1
    return at


def _inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
