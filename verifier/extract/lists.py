"""Lists that the parser takes for something else: what is said of the first name is said of all of them.

"A borders B, C and D" names three neighbours, but C is often read as another name of B. "The wife of B and later of C"
has two husbands. "A was directed by B, written by C and composed by D" says nothing that B wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.extract.draft import is_date
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach, loosen

_LAST = ("and", "or", "&")
_LINKED = ("appos", "conj", "npadvmod", "dep")
"""How the parser may hang a name of a list on one before it."""


def listed(sentence: Sentence) -> None:
    """Join the names of each list, every one to the name before it."""
    words, at = sentence.words, 0
    while at < len(words):
        members, at = _list(words, at)
        if len(members) > 2 and all(
            word.dep in _LINKED and word.head in members and word.head.start < word.start for word in members[1:]
        ):
            for before, word in zip(members, members[1:], strict=False):
                attach(word, before, "conj")
    for word in words:
        _again(word, words)
        _after_date(word)
        _participle(word)


def _list(words: Sequence[Word], at: int) -> tuple[list[Word], int]:
    """The names from ``at`` on with nothing but commas between them and "and" before the last, or nothing; and where
    to look on.
    """
    if not _name(words[at]):
        return [], at + 1
    members, closing = [words[at]], False
    at += 1
    while at < len(words) and not closing:
        start = at
        at += at < len(words) and words[at].text == ","
        closing = at < len(words) and words[at].lower in _LAST
        at += closing
        at += at < len(words) and words[at].lower == "the"
        if at == start or at >= len(words) or not _name(words[at]):
            return [], at
        members.append(words[at])
        at += 1
    return members if closing else [], at


def _name(word: Word) -> bool:
    return word.mention is not None and word.mention.value is None


def _again(preposition: Word, words: Sequence[Word]) -> None:
    """ "of B and later of C", "at B in 1953 and at C in 1963": C beside B, under the first preposition."""
    inner = preposition.head if preposition.dep == "aux" else next(iter(preposition.all("pobj")), None)
    if preposition.tag not in ("IN", "TO") or inner is None or not _name(inner):
        return
    before = [word for word in words if word.end <= preposition.start]
    while before and (before[-1].text == "," or before[-1].tag.startswith("RB")):
        before.pop()
    if not before or before.pop().lower != "and":
        return
    while before and (before[-1].text == "," or before[-1].tag in ("IN", "TO", "DT") or before[-1].mention is not None):
        word = before.pop()
        first = word.head
        if _name(word) and word.dep == "pobj" and first is not None and first.lower == preposition.lower:
            if _verb(first) is _verb(preposition):
                for dates in preposition.all("prep"):
                    attach(dates, inner, "prep")
                loosen(preposition)
                attach(inner, word, "conj")
            return


def _verb(word: Word | None) -> Word | None:
    """The verb that a word depends on."""
    while word is not None and not word.tag.startswith(("V", "MD")):
        word = word.head
    return word


def _after_date(name: Word) -> None:
    """ "won B in 1975 and C in 1959": C beside B, where the parser joins it to the verb or to the date."""
    verb = name.head
    if not _name(name) or name.dep != "conj" or verb is None:
        return
    if is_date(verb) and verb.head is not None and verb.head.head is not None:
        verb = verb.head.head
    objects = [word for word in verb.all("dobj") if word.end <= name.start and _name(word)]
    if verb.tag.startswith("V") and objects:
        attach(name, objects[-1], "conj")


def _participle(word: Word) -> None:
    """ "directed by B, written by C and starring D": each is said of what the first is said of."""
    head = word.head
    if head is None or word.tag not in ("VBN", "VBG"):
        return
    if word.dep == "conj" and head.tag in ("VBN", "VBG") and head.dep in ("acl", "advcl") and head.head is not None:
        attach(word, head.head, head.dep)
    elif word.dep == "acl" and word.tag == "VBN" and _name(head) and head.dep == "pobj" and head.head is not None:
        verb = head.head.head
        comma = any(one.text == "," and head.end <= one.start < word.start for one in (*head.children, *word.children))
        if comma and head.head.dep == "agent" and word.all("agent") and verb is not None and verb.tag == "VBN":
            attach(word, verb, "conj")
            for further in word.all("conj"):
                if further.tag == "VBN":
                    attach(further, verb, "conj")
