"""What stands beside a subject, set apart by commas, where the parser mistakes it for something else."""

from __future__ import annotations

from kgstore.verifier.english.words import words
from kgstore.verifier.read.draft import Is, subjects
from kgstore.verifier.read.parse import Sentence, Word
from kgstore.verifier.read.tree import attach

_ONCE = words("adverbs.once_or_now")


def noun_first(sentence: Sentence, _: Is) -> None:
    """ "A Polish chemist, Ann Smith was born in Oslo": the noun in front is what she is."""
    for name in sentence.words:
        if name.mention is None or name.mention.value is not None:
            continue
        verb = name.head
        if verb is None or name.dep not in ("nsubj", "nsubjpass", "appos"):
            continue
        if name.dep == "appos":
            noun, verb = verb, verb.head
            if noun.dep == "pobj" and noun.mention is not None and verb is not None and verb.head is not None:
                noun, verb = verb.head, verb.head.head  # "the director of B, Ann Smith": no name is another's
            comma = any(word.text == "," and noun.end <= word.start < name.start for word in noun.subtree())
            if verb is None or not comma or noun.dep not in ("nsubj", "nsubjpass"):
                continue
        else:
            before = [word for word in verb.children if word.end <= name.start and word.dep != "punct"]
            comma = any(word.text == "," and word.end <= name.start for word in verb.children)
            noun = before[-1] if before else name
            if not comma or noun.dep not in ("nsubj", "nsubjpass", "npadvmod", "dep", "advcl"):
                continue
        first = sentence.words[0]
        bare = noun.mention is None and noun.tag in ("NN", "NNS")
        bare = bare and noun.subtree()[0] is sentence.words[1 if first.lower in _ONCE and first.head is verb else 0]
        plain = not noun.all("poss") and not any(word.lower in ("the", "this") for word in noun.all("det"))
        two = name.dep == "appos" or noun.dep == name.dep
        if bare and (plain or (two and _whose(noun))):
            dep = noun.dep if noun.dep.startswith("nsubj") else name.dep
            if first.lower in _ONCE:
                attach(first, noun, "advmod")
            attach(name, verb, dep)
            attach(noun, name, "appos")
            return


def _whose(noun: Word) -> bool:
    """ "The director of B, Ann Smith, ...", "B's director, Ann Smith, ...": two claims, not one about whoever it is."""
    owners = [*noun.all("poss"), *(word for of in noun.all("prep") if of.lower == "of" for word in of.all("pobj"))]
    return any(owner.mention is not None and owner.mention.value is None for owner in owners)


def pronoun_second(sentence: Sentence, _: Is) -> None:
    """ "The daughter of Ann Smith, she was born in Oslo": she is the subject."""
    for pronoun in sentence.words:
        verb = pronoun.head
        if pronoun.tag != "PRP" or verb is None or not pronoun.dep.startswith("nsubj"):
            continue
        noun = next((word for word in subjects(verb) if word.mention is None and word.end < pronoun.start), None)
        apart = any(word.text == "," and word.end <= pronoun.start for word in verb.children)
        if noun is not None and noun.tag in ("NN", "NNS") and noun.subtree()[0] is sentence.words[0] and apart:
            attach(noun, pronoun, "appos")
            return


def name_first(sentence: Sentence, _: Is) -> None:
    """ "Ann Smith, the founder of B, was born in Oslo": she is the subject, where the parser takes the founder."""
    name, verb = sentence.words[0], sentence.words[0].head
    if name.mention is None or verb is None or name.dep not in ("advcl", "npadvmod", "dep", "nmod", "advmod"):
        return
    noun = next((word for word in subjects(verb) if word.mention is None and word.all("det", "poss")), None)
    comma = next((at for at, word in enumerate(sentence.words) if word.text == ","), len(sentence.words))
    names = [word for word in sentence.words[:comma] if word.tag != "CC"]
    behind = sentence.words[comma + 1 : comma + 2]
    if noun is None or noun.subtree()[:1] != behind or any(one.mention is None for one in names):
        return
    last = [word for word in noun.subtree() if word.dep != "punct"][-1]
    if any(word.text == "," and last.end <= word.start < verb.start for word in sentence.words):
        attach(name, verb, noun.dep)
        attach(noun, name, "appos")
