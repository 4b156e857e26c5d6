"""Which words of a clause belong to which of the things that it says."""

from __future__ import annotations

from kgstore.verifier.read.draft import COPULA, Argument, IsName, is_amount, is_date
from kgstore.verifier.read.nouns import WORKS
from kgstore.verifier.read.parse import Word


def territory_of(
    verb: Word, subjects: list[Word], arguments: list[Argument], dates: tuple[Word | None, ...], is_name: IsName
) -> dict[int, frozenset[int]]:
    """For each argument the words below the verb that do not belong to its relation.

    :param dates: those that say when
    """
    common = _common(verb, subjects, arguments, dates)
    return {id(argument): _outside(argument, arguments, verb, common, is_name) for argument in arguments}


def _common(
    verb: Word, subjects: list[Word], arguments: list[Argument], dates: tuple[Word | None, ...]
) -> frozenset[int]:
    """The words that belong to no relation: subjects, other clauses, what is said beside, and when."""
    common = {id(word) for subject in subjects for word in subject.subtree()}
    common |= {
        id(word)
        for other in verb.all("conj", "ccomp", "advcl", "parataxis")
        if other.tag.startswith(("V", "MD"))
        for word in other.subtree()
    }
    reached = {id(word) for argument in arguments for word in (argument.word, *argument.path)}
    for way in verb.all("prep"):  # "After leaving Rome, ..."
        if way.lower == "without" or any(
            word.end < verb.start or way.all("advmod") for word in way.all("pcomp")
        ):
            common |= {id(word) for word in way.subtree()}
    named = [word for word in verb.all("dobj") if word.mention is not None]
    for way in verb.all("prep"):  # "received the prize for his work on X-rays"
        behind = bool(named) and way.lower == "for" and way.start > named[0].start
        if behind and not any(word.mention is not None for word in way.subtree()):
            common |= {id(word) for word in way.subtree()}
    for clause in verb.subtree():
        told = clause.dep == "relcl" or (clause.dep == "acl" and clause.tag == "VBN")
        if told and clause is not verb and not any(id(word) in reached for word in clause.subtree()):
            common |= {id(word) for word in clause.subtree()}
    for date in dates:
        if date is not None:
            common |= {id(date), *(id(date.head),) * (date.head is not None and date.head.dep == "prep")}
    for date in verb.subtree():  # "and again from 1951 to 1955"
        above = date.head if is_date(date) and id(date) not in reached else None
        while above is not None and above is not verb and above.tag in ("IN", "TO", "RB", "CC"):
            common.add(id(above))
            above = above.head
    return frozenset(common)


def _outside(
    argument: Argument, arguments: list[Argument], verb: Word, common: frozenset[int], is_name: IsName
) -> frozenset[int]:
    """The words that do not belong to the relation of one argument."""
    own = {id(word) for word in argument.path}
    outside = set(common)
    hop = argument.word
    while argument.hops and hop.head is not None and hop.head not in (verb, *argument.path):
        hop = hop.head
    outside |= {id(word) for word in hop.subtree()} - own if argument.hops else set()
    for other in arguments:
        if other is not argument:
            beside = (inner for word in other.path for inner in word.all("amod"))
            territory = {id(word) for word in (*other.path, *beside, *other.word.subtree())}
            outside |= territory - own
    below = {id(word): word for word in argument.word.subtree()}
    scales = [way for way in argument.word.all("prep", "advmod") if is_amount(argument.word)]
    measured = {id(word) for way in scales for word in way.subtree()}  # "10 metres in length"
    if any(word.mention is not None for way in scales for word in way.subtree()):
        measured = set()
    span = is_name(argument.word) if argument.word.mention is None else None
    genre = span is not None and argument.word.lower in WORKS and verb.lower in COPULA  # "is a spy film"
    for word in below.values():
        leading = (
            word.tag == "NN"
            and word.mention is None
            and word.dep in ("compound", "nmod")
            and (span is not None and word.end <= span[0] or argument.word.mention is not None)
        )
        if (not leading or genre) and id(word) not in own and id(word) not in measured:
            outside.add(id(word))
    return frozenset(outside)
