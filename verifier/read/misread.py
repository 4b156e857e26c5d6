"""Verbs that the parser takes for nouns: found by their place and by what the KG calls its relations.

"She works for A and reports to B", "A treats B and interacts with C", "A and B lie in C": the parser reads "reports",
"interacts" and "lie" as nouns, and what they say would be lost. A sentence with such a word is parsed once more with a
plain verb in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgstore.verifier.read.draft import COPULA, Is, is_amount, subjects
from kgstore.verifier.read.parse import StandIn, Word

_FINITE = ("VBZ", "VBD", "VBP", "MD")
_CLAUSAL = ("ROOT", "conj", "relcl", "ccomp", "advcl", "acl", "acl:relcl", "parataxis", "csubj", "pcomp", "xcomp")
_BASE = ("NN", "NNP", "JJ", "VB", "VBP", "IN")
_BESIDE = ("det", "poss", "amod", "nummod")
"""What a noun has in front of it and a verb has not."""


def misread(words: Sequence[Word], is_relation: Is) -> dict[int, StandIn]:
    """Start of each word of a sentence that is a verb against the parser's reading -> the verb that is parsed for it.

    :param is_relation: is this the name of a relation of the KG ("treats", "reports to")?
    """
    found = {}
    for at, word in enumerate(words[1:-1], 1):
        if word.mention is not None or not word.text.isalpha() or not word.text.islower() or word.lower in COPULA:
            continue
        after = words[at + 1]
        if any(one.mention is None for one in word.all(*_BESIDE)):
            continue
        preposition = after.tag in ("IN", "TO")
        named = is_relation(f"{word.lower} {after.lower}") if preposition else is_relation(word.lower)
        named = named or is_relation(" ".join(one.lower for one in words[at : at + 3]))  # "shares borders with"
        if word.lower.endswith("s") and not word.lower.endswith("ss"):
            alone = (named and (_led(words, at) or _between(words, at))) or _only_verb(words, at)
            second = named and word.dep == "compound" and words[at - 1].lower == "and" and _only_verb(words, 1)
            noun = word.tag == "NNS" and (alone or second or _joined(words, at, named))
            lost = word.tag == "VBZ" and named and not _clausal(word) and (word.dep != "conj" or _today(words, word))
            if noun or lost:
                found[word.start] = StandIn("went" if preposition else "saw", "VBZ")
        elif word.lower.endswith("ed") and (
            named and (_between(words, at) or (word.tag == "VBN" and _led(words, at)))
            or word.tag == "VBN" and _apart(words, at)
        ):
            found[word.start] = StandIn("went" if preposition else "saw", "VBD")
        elif named and (_of_several(words, at) or _behind_that(words, at)):
            found[word.start] = StandIn("went" if preposition else "saw", "VBP")
    return found


def read_well(words: Sequence[Word], replaced: Mapping[int, StandIn]) -> bool:
    """Is each of these words, now that a verb stands for it, a verb with a subject?"""
    for verb in (word for word in words if word.start in replaced):
        while verb.dep == "conj" and not _has_subject(verb) and verb.head is not None:
            verb = verb.head
        if not verb.tag.startswith("V") or not _has_subject(verb) or not _clausal(verb):
            return False
    return True


def _clausal(verb: Word) -> bool:
    """Does it stand where a verb may stand?"""
    beside = verb.head.tag if verb.dep == "conj" and verb.head is not None else "V"
    return verb.dep in _CLAUSAL and not beside.startswith("N")


def _has_subject(verb: Word) -> bool:
    """Also a name right in front, which the parser may call an adverb."""
    before = [one for one in verb.children if one.mention is not None and one.end + 1 == verb.start]
    return bool(subjects(verb) or before)


def _joined(words: Sequence[Word], at: int, named: bool) -> bool:
    """ "works for A and reports to B": a noun that is joined to a verb, in the present or known as a relation."""
    word, before, head = words[at], words[at - 1], words[at].head
    if word.dep == "compound" and head is words[at + 1] and head.dep == "conj":
        return named and before.lower == "and" and head.head is not None and head.head.tag.startswith("V")
    if word.dep != "conj" or before.lower not in ("and", ",", "but") or head is None:
        return False
    verb, after = head.tag.startswith("V"), words[at + 1]
    leads = after.tag in ("IN", "TO") or (after.mention is not None and after.mention.value is None)
    listed = words[at - 2].tag == "NNS" and words[at - 2].mention is None  # "writes letters and poems about A"
    if _today(words, word):
        return named or (leads and verb and not listed)
    return named and verb and not listed  # not "was an author of prose and works for children"


def _today(words: Sequence[Word], word: Word) -> bool:
    """Is there a verb in the present before the word?"""
    return any(one.tag == "VBZ" and one.end < word.start for one in words)


def _led(words: Sequence[Word], at: int) -> bool:
    """ "A treats B", "A, whose capital is C, borders B": behind a name or what is set apart by commas, before another
    name, where no other verb has that name as its subject.
    """
    name, before, after = words[0], words[at - 1], words[at + 1]
    if name.mention is None or name.mention.value is not None:
        return False
    if at > 1:
        apart = words[1].text in (",", "(") and before.text == "," and name.dep == "ROOT"
        return apart and after.mention is not None
    others = [subject for one in words if one.tag in _FINITE for subject in subjects(one)]
    return all(one.start > after.end for one in others)  # "A borders B, and its capital is C"


def _only_verb(words: Sequence[Word], at: int) -> bool:
    """ "A stretches along the coast and ...", "A treats diabetes.": a sentence has a verb."""
    word, after = words[at], words[at + 1]
    if at != 1 or words[-1].text != "." or not _led(words, at):
        return False
    if after.tag in ("IN", "TO"):
        return after.lower != "of" and len(words) > 5 and word.dep == "ROOT"
    noun = after.tag.startswith("NN") and after.text.islower() and not is_amount(after)  # not "Alien stars Ann Smith."
    return noun and not any(one.tag.startswith(("VB", "MD")) for one in words)


def _apart(words: Sequence[Word], at: int) -> bool:
    """ "A, a trained physicist, led B": whatever it means, as the sentence has no other verb."""
    return at > 1 and _led(words, at) and not any(one.tag in _FINITE for one in words)


def _between(words: Sequence[Word], at: int) -> bool:
    """ "A married B", "A and B directed C", "A (1975) starred B": between two names, in a sentence that has no other
    verb but in relative clauses. The first word may be a name that nobody knows.
    """
    last = at - 1
    if words[last].text == ")":
        last = next((i - 1 for i in range(last, 0, -1) if words[i].text == "("), last)
    names = [one.mention is not None and one.mention.value is None for one in (words[last], words[at + 1])]
    names[0] = names[0] or (last == 0 and words[0].tag == "NNP")
    others = any(one.tag in _FINITE and one.dep not in ("relcl", "acl:relcl") for one in words)
    return all(names) and words[at].dep != "ROOT" and not others


def _behind_that(words: Sequence[Word], at: int) -> bool:
    """ "the countries that border A": behind a plural and before a name."""
    return (
        at > 1
        and words[at].tag in _BASE
        and words[at - 1].lower in ("that", "which", "who")
        and words[at - 2].tag == "NNS"
        and words[at + 1].mention is not None
    )


def _of_several(words: Sequence[Word], at: int) -> bool:
    """ "A and B lie in C": two or more names in front and no verb behind them."""
    word, subject = words[at], words[:at]
    if word.tag not in _BASE or any(one.tag in _FINITE for one in words if one is not word):
        return False
    names = [one for one in subject if one.mention is not None and one.mention.value is None]
    joined = all(one in names or one.lower in ("and", ",", "both", "the") for one in subject)
    return len(names) > 1 and subject[-1] in names and joined and subjects(word)[:1] != names[:1]
