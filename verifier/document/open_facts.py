"""The facts of any text, without a KG: triples as the methods for documents compare them.

After the graph construction of GraphEval (section 5) and KEA, with a parser in place of a large language model: what is
named, what refers to what, and what is said of it. Heads and tails are noun phrases of the text, relations its verbs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgstore.verifier.claims import Claim, Mention, Triple
from kgstore.verifier.document.open_clauses import facts
from kgstore.verifier.document.open_pronouns import Named
from kgstore.verifier.read.parse import Sentence, Word, sentences
from kgstore.verifier.read.phrase_spans import span

_RESULT = re.compile(r"(?<![\w-])\d+ ?[-–] ?\d+(?![\w-])")
"""A score such as 0-0, one word to the parser."""


def open_claims(text: str) -> list[Claim]:
    """What the text says, in reading order, with exact spans; ``[]`` where nothing is said.

    A pronoun's mention ``refers_to`` the latest earlier name that it can stand for. "not" stays in the relation, and
    ``negated`` is set, too; ``hedged`` where the sentence leaves it open.

    """
    results = [Mention(*found.span(), found[0]) for found in _RESULT.finditer(text)]
    return claims_of(text, sentences(text, results))


def open_triples(text: str) -> list[tuple[tuple[int, int], str, str, str]]:
    """The same as (span, head, relation, tail), names in place of pronouns.

    >>> for found in open_triples("Ann Smith founded Acme in Oslo. She was not born there."):
    ...     print(found)
    ((0, 22), 'Ann Smith', 'founded', 'Acme')
    ((0, 30), 'Ann Smith', 'founded Acme in', 'Oslo')
    ((32, 54), 'Ann Smith', 'was not', 'born there')
    """
    return [((claim.start, claim.end), *spoken(text, claim)) for claim in open_claims(text)]


def spoken(text: str, claim: Claim) -> Triple:
    """Head, relation and tail in words, with the name in place of a pronoun."""
    ends = [text[slice(*(end.refers_to or (end.start, end.end)))] for end in (claim.head, claim.tail)]
    return _plain(ends[0]), claim.relation, _plain(ends[1])


def claims_of(text: str, parsed: list[Sentence]) -> list[Claim]:
    """The claims of a text that is parsed already."""
    named = Named(text)
    claims = []
    for sentence in parsed:
        named.sentence(sentence)
        for fact in facts(sentence):
            start, end = fact.span
            head, tail = Mention(*_marked(text, fact.heads)), Mention(*_marked(text, fact.tail))
            head, tail = named.meant(head, fact.head), named.meant(tail, fact.tail[0] if len(fact.tail) == 1 else None)
            claims.append(Claim(start, end, text[start:end], head, fact.relation, tail, (), fact.negated, fact.hedged))
    return claims


def _marked(text: str, words: Iterable[Word]) -> tuple[int, int, str]:
    start, end = span(words)
    return start, end, text[start:end]


def _plain(words: str) -> str:
    return " ".join(words.split())
