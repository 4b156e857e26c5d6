"""From the grammar of a sentence to drafts of claims: who, by which words, to what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import REPORTING, Draft, Is, IsClass, IsName, subjects
from kgstore.verifier.read.fronted import fronted
from kgstore.verifier.read.grammar import Grammar, antecedent, distinct
from kgstore.verifier.read.linear import linear, listed
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.phrases import aside
from kgstore.verifier.read.shapes import usual

_IF = words("hedging.if")


def drafts(
    sentence: Sentence,
    is_name: IsName,
    is_noun: Is,
    is_value: Is = lambda text: False,
    is_demonym: Is = lambda text: False,
    is_class: IsClass = lambda word: False,
) -> list[Draft]:
    """All drafts of a sentence, in reading order.

    :param is_value: is this the name of a relation to dates or amounts ("running time")?
    :param is_demonym: is this a people's or a country's adjective ("American")?
    :param is_class: does this noun name a class that has members ("countries")?
    """
    grammar = Grammar(is_name, is_noun, is_value, is_demonym, is_class)
    grammar.hedged = sentence.words[-1].text == "?" or any(
        word.lower in REPORTING
        and word.tag.startswith("V")
        and (word.dep == "parataxis" or word.all("ccomp", "parataxis"))
        for word in sentence.words
    )
    sentence, found = fronted(usual(sentence, is_demonym), grammar.phrases, is_noun)
    found = [replace(draft, hedged=grammar.hedged) for draft in found]
    for verb, start, end in _clauses(sentence):
        found += grammar.clause(verb, start, end)
    for word in sentence.words:
        if word.mention is not None and word.mention.value is None and word.dep.startswith(("nsubj", "ROOT", "appos")):
            if word.dep != "appos":
                found += grammar.appositions(word)
            found += grammar.titles(word)
    found = distinct(found)
    if not any(
        draft.tail is None or grammar.phrases.solid(draft.tail) or draft.tail.all("compound", "amod") for draft in found
    ):
        found = linear(sentence, grammar) or listed(sentence, grammar) or found
    return found


def _clauses(sentence: Sentence) -> Iterator[tuple[Word, int, int]]:
    """Main verbs with their spans; "A was born in B and died in C" has two."""
    verbs = [sentence.root]
    for verb in verbs:
        verbs += [child for child in verb.all("conj") if child.tag.startswith(("V", "MD"))]
        inner = verb.all("ccomp", "advcl", "parataxis")
        verbs += [child for child in inner if subjects(child) and child.lower not in ("did", "does")]
    verbs += [word for word in sentence.words if word.tag.startswith("V") and antecedent(word) is not None]
    last = sentence.end
    words = [word for word in sentence.words if word.dep != "punct" or word.text not in ".!?;:,"]
    if words:
        last = words[-1].end
        closing = sentence.words[-1]
        if closing.end > last and closing.text in ')"”':
            last = closing.end
    spans = []
    for verb in verbs:
        below = {id(word) for other in verbs if other is not verb and _below(other, verb) for word in other.subtree()}
        own = [word for word in verb.subtree() if id(word) not in below and word.dep != "punct"]
        while own and own[-1].dep == "cc":
            own.pop()
        while own and own[0].dep in ("cc", "mark") and own[0].lower not in _IF:
            own.pop(0)
        rest = _after_aside(verb, own)
        if len(rest) < len(own) and rest:
            spans.append((verb, rest[0].start, last if verb is sentence.root and len(verbs) == 1 else rest[-1].end))
        elif len(verbs) == 1:
            spans.append((verb, sentence.start, last))
        elif own:
            about = antecedent(verb)
            start = own[0].start
            if about is not None and about.head is not verb and aside(about, verb):
                start = min(word.start for word in (about, *about.all("det", "amod", "compound")))
            spans.append((verb, min(start, own[0].start), own[-1].end))
    yield from sorted(spans, key=lambda item: item[1])


def _after_aside(verb: Word, own: list[Word]) -> list[Word]:
    """ "was born in Oslo" of "Ann Smith, a writer, was born in Oslo": what stands in between has claims of its own."""
    for subject in subjects(verb):
        asides = [
            word for word in subject.all("appos", "relcl", "acl") if word.mention is None and aside(subject, word)
        ]
        if asides and subject.start < verb.start:
            end = max(word.end for word in subject.subtree())
            return [word for word in own if word.start >= end]
    return own


def _below(word: Word, other: Word) -> bool:
    while word.head is not None:
        word = word.head
        if word is other:
            return True
    return False
