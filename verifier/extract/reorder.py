"""Sentences in another order than usual, put into the usual one: the tree changes, the offsets stay.

"It was in Ulm that A was born", "What A won was B", "1955 saw the death of A", "Among his prizes was B", "B was a
language he used", "A Polish chemist, A was born in B", "It cost $2m to make A" all say what a plain sentence could say.
Every function here takes a sentence's root and gives the root that a plain sentence would have.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from verifier.claims import Mention
from verifier.extract.apposed import apposed
from verifier.extract.compass import compass
from verifier.extract.draft import (
    COPULA,
    HAPPENING,
    HEDGES,
    NEGATIONS,
    Is,
    is_amount,
    is_date,
    is_entity,
    noun_of,
    subjects,
)
from verifier.extract.lists import listed
from verifier.extract.placed import placed
from verifier.extract.rehung import lost_main_verb, rehung
from verifier.extract.relative import relative
from verifier.extract.shared import agents, apart, measured, roles, same_way, shared
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach, loosen
from verifier.values import Amount

_MARKS = frozenset("that who whom which where when".split())
_WITNESSING = frozenset("saw sees seen see witnessed witnesses marked marks brought brings".split())
_INSIDE = frozenset("among amongst between one".split())
_ANYBODY = frozenset(
    "one you we people audiences viewers readers visitors listeners everybody everyone somebody someone".split()
)
_MEASURING = frozenset("cost costs measures weighs spans covers lasts".split())
"""Verbs that the parser takes for nouns before an amount."""
_COMPARING = frozenset("towers surpasses exceeds".split())
"""The same between two names."""
_CLAUSES = ("ccomp", "advcl", "relcl", "acl", "csubj")


def usual_order(sentence: Sentence, is_noun: Is) -> Sentence:
    """The sentence as a plain one; the very same object where its order is usual already."""
    root = _between_names(sentence) or lost_main_verb(sentence.root) or _verb_of(sentence.root)
    if root is not sentence.root:
        sentence = replace(sentence, root=root)
    for word in sentence.words:
        _lost_subject(word)
    placed(sentence)
    relative(sentence)
    rehung(sentence)
    compass(sentence)
    apposed(sentence)
    listed(sentence)
    shared(sentence)
    apart(sentence)
    measured(sentence)
    roles(sentence)
    same_way(sentence)
    agents(sentence)
    for word in sentence.words:
        _none_of(word, is_noun)
    for change in (_cleft, _free_relative, _reduced, _year_first, _effort, _inverted, _including, _spoken_of, _anybody):
        changed = change(root)
        if changed is not None:
            words = [word for word in sentence.words if word is changed or word.head is not None]
            return replace(sentence, words=words, root=changed)
    _came_to(root, is_noun)
    return sentence


# -- the shapes -------------------------------------------------------------------------------------------------------


def _cleft(root: Word) -> Word | None:
    """ "It was in Ulm that A was born", "It was B who directed A"."""
    if root.lower not in COPULA or not any(word.lower == "it" for word in subjects(root)):
        return None
    focus = next(
        (word for word in root.children if word.dep in ("attr", "acomp", "prep", "npadvmod", "advmod", "dobj", "oprd")),
        None,
    )
    if focus is None or not any(word.mention is not None for word in focus.subtree()):
        return None
    beside = (root, focus, *(focus.all("pobj") if focus.dep == "prep" else ()))
    clause, mark = next(
        (
            (word, mark)
            for holder in beside
            for word in holder.all(*_CLAUSES)
            if (mark := _mark(word)) is not None and mark.start > focus.start
        ),
        (None, None),
    )
    if clause is None or mark is None:
        return None
    loosen(clause)
    loosen(focus)
    for word in root.all("neg", "aux", "advmod"):
        if word.lower in NEGATIONS | HEDGES:
            attach(word, clause, word.dep)
    _fill(clause, mark, focus)
    return _as_root(clause)


def _free_relative(root: Word) -> Word | None:
    """ "What A won was B", "Where A was born was B"."""
    if root.lower not in COPULA:
        return None
    focus = next((word for word in root.all("attr", "acomp", "pobj", "dobj", "oprd")), None)
    for clause in root.all("csubj", "advcl", "ccomp", "nsubj"):
        mark = clause.subtree()[0]
        if focus is None or mark.lower not in ("what", "where", "who", "when") or focus.start < clause.end:
            continue
        if mark.dep == "det" and mark.head is not None and mark.head.mention is not None:
            mark.head.dep = "nsubj"  # "What Ann Smith directed", read as one noun phrase
        loosen(clause)
        loosen(focus)
        for word in root.all("neg"):
            attach(word, clause, "neg")
        _fill(clause, mark, focus)
        return _as_root(clause)
    return None


def _reduced(root: Word) -> Word | None:
    """ "The person married to A was born in B", read as if the person had married: the second verb is the main one."""
    subject = next((word for word in root.all("nsubj", "nsubjpass")), None)
    if (
        subject is None
        or subject.mention is not None
        or root.tag not in ("VBD", "VBN", "JJ")
        or root.all("aux", "auxpass")
    ):
        return None
    for verb in root.all("ccomp", "xcomp"):
        finite = verb.tag in ("VBD", "VBZ") or any(word.tag in ("VBD", "VBZ") for word in verb.all("aux", "auxpass"))
        if not finite or subjects(verb) or verb.all("mark") or verb.start < root.end:
            continue
        loosen(verb)
        for name in root.all("advmod", "npadvmod", "dep"):
            if name.mention is not None and name.end <= root.start:
                name.dep = "nsubj"  # "the husband whom Ann Smith married"
        attach(subject, verb, "nsubj")
        attach(root, subject, "acl")
        return _as_root(verb)
    return None


def _year_first(root: Word) -> Word | None:
    """ "1955 saw the death of A" is "the death of A was 1955"; "1955 saw A win B" is "A won B in 1955"."""
    if root.lower not in _WITNESSING:
        return None
    subject = next((word for word in root.all("nsubj")), None)
    year = _year_of(subject) if subject is not None else None
    if subject is None or year is None:
        return None
    loosen(year)
    for noun in root.all("dobj"):
        if noun.mention is None:
            loosen(subject)
            noun.dep = "nsubj"
            root.text = "was"
            attach(year, root, "attr")
            return root
    for clause in root.all("ccomp", "xcomp"):
        if subjects(clause):
            loosen(clause)
            _under_preposition(year, clause, "in")
            return _as_root(clause)
    return None


def _year_of(subject: Word) -> Word | None:
    """The date that a subject is: "1955", "the year 1955"."""
    if is_date(subject):
        return subject
    if subject.lower in ("year", "month", "day", "spring", "summer", "autumn", "fall", "winter"):
        return next((word for word in subject.children if is_date(word)), None)
    return None


def _effort(root: Word) -> Word | None:
    """ "It cost $2m to make A", "Making A cost $2m": of A."""
    subject = next(iter(subjects(root)), None)
    if subject is None:
        return None
    if subject.lower == "it":
        efforts = [
            word for word in root.all("advcl", "xcomp", "ccomp") if any(w.lower == "to" for w in word.all("aux"))
        ]
    elif subject.dep == "csubj" and subject.tag == "VBG":
        efforts = [subject]
    else:
        return None
    for effort in efforts:
        for name in effort.all("dobj", "advmod", "npadvmod", "oprd"):
            if name.mention is not None and name.mention.value is None:
                if subject.lower == "it":
                    loosen(subject)
                else:
                    effort.dep = "advmod"
                attach(name, root, "nsubj")
                return root
    return None


def _inverted(root: Word) -> Word | None:
    """ "Among his prizes was B" is "his prizes include B"."""
    if root.lower not in COPULA:
        return None
    for preposition in root.all("prep", "advmod"):
        if preposition.lower not in _INSIDE or preposition.start > root.start:
            continue
        kind = next(iter(preposition.all("pobj")), None)
        names = [word for word in root.all("nsubj", "attr", "acomp") if word.start > root.start]
        if kind is None or not names or kind.mention is not None:
            continue
        loosen(preposition)
        name = names[0]
        for word in root.all("prep"):  # "the Nobel Prize in Physics" torn apart
            if word.start > name.start:
                attach(word, name, "prep")
        attach(kind, root, "nsubj")
        name.dep = "attr"
        return root
    return None


def _including(root: Word) -> Word | None:
    """ "Films directed by A include B and C" is "films directed by A are B and C", and "Films by A include B and C" is
    "B and C are films by A".
    """
    noun = next((word for word in root.all("nsubj")), None)
    if root.lower not in ("include", "included") or noun is None or noun.tag != "NNS" or noun.mention is not None:
        return None
    for way in root.all("prep"):
        if noun.end < way.start < root.start:
            attach(way, noun, "prep")
    told = bool(noun.all("acl", "relcl"))
    placed = any(way.lower != "of" and is_entity(one) for way in noun.all("prep") for one in way.all("pobj"))
    if not told and not placed:
        return None
    root.text = "are" if root.lower == "include" else "were"
    for name in root.all("dobj"):
        name.dep = "attr" if told else "nsubj"
    noun.dep = "nsubj" if told else "attr"
    if not told:
        root.start = root.end = noun.subtree()[0].start  # its place is before the noun
    return root


def _spoken_of(root: Word) -> Word | None:
    """ "B was a language he used", "B is one of the languages he used" is "he used B"; the noun goes with the verb."""
    if root.lower not in COPULA:
        return None
    name = next((word for word in root.all("nsubj") if word.mention is not None), None)
    for attribute in root.all("attr"):
        inner = [one for of in attribute.all("prep") if of.lower == "of" for one in of.all("pobj")]
        noun = inner[0] if inner and attribute.lower == "one" else attribute
        for clause in noun.all("relcl"):
            own = [word for word in subjects(clause) if word.tag not in ("WP", "WDT")]
            if name is None or noun.mention is not None or not own or clause.all("dobj", "attr", "pobj"):
                continue
            marks = [word for word in clause.children if word.lower in _MARKS]
            if any(word.lower in ("where", "when") for word in marks) or noun.all("amod", "prep", "appos", "poss"):
                continue
            objects = [(way, one) for way in clause.all("prep") for one in way.all("pobj")]
            if any(one.lower not in _MARKS for _, one in objects):
                continue
            marks += [one for _, one in objects]  # "an award for which she was nominated"
            for word in marks:
                loosen(word)
            loosen(clause)
            loosen(name)
            for word in root.all("neg"):
                attach(word, clause, "neg")
            for word in noun.all("det"):
                loosen(word)
            attach(noun, name, "nmod")
            for way, _ in objects:
                way.start = way.end = clause.end  # its place is after the verb
                attach(way, clause, "prep")
            hanging = next((word for word in clause.all("prep")), None)
            if hanging is not None:
                attach(name, hanging, "pobj")
            else:
                attach(name, clause, "dobj")
            return _as_root(clause)
    return None


def _anybody(root: Word) -> Word | None:
    """ "Audiences first saw A in 1933" says of A when it was seen: whoever it was, nobody can check."""
    subject = next((word for word in root.all("nsubj")), None)
    if subject is None or subject.mention is not None or subject.lower not in _ANYBODY or subject.children:
        return None
    verbs = [root, *root.all("xcomp")]
    for verb in verbs:
        names = [word for word in verb.all("dobj") if word.mention is not None and word.mention.value is None]
        if len(names) == 1:
            loosen(subject)
            if verb is not root:
                for word in verb.all("prep", "npadvmod"):
                    attach(word, root, word.dep)
            attach(names[0], root, "nsubj")
            return root
    return None


def _came_to(root: Word, is_noun: Is) -> None:
    """ "Death came to A in 1955": the death of A."""
    subject = next((word for word in root.all("nsubj")), None)
    if subject is None or subject.mention is not None or subject.children or root.lower not in HAPPENING:
        return
    if not is_noun(noun_of(subject)):
        return
    for preposition in root.all("prep", "dative"):
        inner = preposition.all("pobj")
        if preposition.lower in ("to", "for") and inner and inner[0].mention is not None and not is_date(inner[0]):
            attach(preposition, subject, "prep")
            preposition.text, preposition.tag = "of", "IN"
            return


def _between_names(sentence: Sentence) -> Word | None:
    """ "A towers above B", "A surpasses B in area", where the parser knows no verb."""
    if any(word.tag.startswith(("V", "MD")) for word in sentence.words):
        return None
    for verb in sentence.words:
        names = [word for word in sentence.words if word.mention is not None and word.mention.value is None]
        before = [word for word in names if word.end <= verb.start]
        after = [word for word in names if word.start >= verb.end]
        if verb.lower not in _COMPARING or len(before) != 1 or len(after) != 1:
            continue
        (subject,), (other,) = before, after
        loose = [word for word in sentence.words if word.dep == "prep" and word.start >= verb.end]
        top, verb.tag = sentence.root, "VBZ"
        _as_root(verb)
        if top is not verb and top is not other:
            attach(top, verb, "dep")
        for word in loose:
            attach(word, verb, "prep")
        if not any(other in word.subtree() for word in loose):
            attach(other, verb, "dobj")
        for word in [one for one in sentence.words if one.dep == "det" and one.head is verb]:
            attach(word, subject, "det")
        attach(subject, verb, "nsubj")
        return verb
    return None


def _verb_of(root: Word) -> Word:
    """ "Dutch and French are official languages of Belgium", where the parser makes a name the main word."""
    if root.mention is None:
        amounts = [word for word in root.all("appos") if is_amount(word)] if root.tag == "NN" else []
        return _verb_inside(amounts[0], root) if amounts and not subjects(root) else root
    for verb in root.all("compound", "nmod", "amod") if root.mention.value is not None else ():
        before = [word for word in (*root.children, *verb.children) if word.end <= verb.start and word.dep != "det"]
        if verb.lower in _MEASURING and before:  # "the film cost 5 million dollars", read as one noun phrase
            articles = [word for word in (*root.all("det"), *verb.all("det")) if word.end <= before[-1].start]
            verb.tag = "VBD"
            _as_root(verb)
            attach(before[-1], verb, "nsubj")
            for article in articles:
                attach(article, before[-1], "det")
            for clause in [word for word in root.all("conj") if word.tag.startswith(("V", "MD"))]:
                attach(clause, verb, "conj")
            _move_front(root, verb, before[-1])
            attach(root, verb, "dobj")
            return verb
    if root.mention.value is not None:
        subject = next(iter(root.all("nsubj")), None)
        return _verb_inside(root, subject) if subject is not None else root
    for verb in root.all("auxpass", "aux"):
        if verb.lower in COPULA and verb.all("attr", "acomp", "prep") and verb.start >= root.end:
            _as_root(verb)
            attach(root, verb, "nsubj")
            return verb
    return root


def _verb_inside(amount: Word, subject: Word) -> Word:
    """ "The basin of the river measures 10 hectares", "The Rhine measures 10 km", where the parser reads "the river
    measures" as one noun."""
    for verb in subject.subtree():
        parts, owner = verb.all("amod", "compound", "nmod"), verb.head
        if verb.lower not in _MEASURING or verb.dep not in ("pobj", "nsubj") or not parts or owner is None:
            continue
        noun = parts[-1]
        if verb is subject:  # "From source to mouth, the river measures 500 km"
            if noun.mention is None:
                continue
            _move_front(amount, verb, noun)
            subject, owner = noun, verb
        noun.tag = "NN" if noun.mention is None else noun.tag
        for word in (*verb.all("det"), *parts[:-1]):
            attach(word, noun, word.dep)
        attach(noun, owner, "pobj")
        verb.tag = "VBZ"
        _as_root(verb)
        attach(subject, verb, "nsubj")
        attach(amount, verb, "dobj")
        return verb
    return amount if subject.head is amount else subject


def _lost_subject(root: Word) -> None:
    """ "Germany has ...", where the parser takes a name in front for an adverb."""
    if root.tag not in ("VBZ", "VBD", "VBP") or subjects(root) or root.dep not in ("ROOT", "conj", "advcl", "ccomp"):
        return
    before = [
        word for word in root.children if word.end <= root.start and word.dep not in ("punct", "cc", "mark", "preconj")
    ]
    names = [word for word in before[-1:] if word.mention is not None and word.mention.value is None]
    if (
        names
        and all(word.dep in ("advcl", "prep", "advmod") for word in before[:-1])
        and (
            names[0].dep in ("advmod", "npadvmod", "compound", "dep", "amod", "nmod")
            or (root.lower in COPULA and names[0].dep in ("attr", "acomp") and len(root.all("attr", "acomp")) > 1)
        )
    ):
        names[0].dep = "nsubj"


def _none_of(noun: Word, is_noun: Is) -> None:
    """ "has no children" counts them: 0."""
    verb = noun.head
    if verb is None or noun.dep != "dobj" or noun.mention is not None or verb.lower not in ("has", "have", "had"):
        return
    for no in noun.all("det"):
        if no.lower == "no" and is_noun(noun_of(noun)):
            none = Amount(Decimal(0), noun=noun.lower, digits=1, step=Decimal(1))
            no.mention, no.dep = Mention(no.start, no.end, no.text, value=none), "nummod"


# -- changes of the tree ----------------------------------------------------------------------------------------------


def _mark(clause: Word) -> Word | None:
    """The word that ties a clause to what stands before it; also inside "in which"."""
    for word in clause.children:
        if word.lower in _MARKS and word.start < clause.start:
            return word
    for preposition in clause.all("prep"):
        for word in preposition.all("pobj"):
            if word.lower in _MARKS and word.start < clause.start:
                return word
    return None


def _fill(clause: Word, mark: Word, focus: Word) -> None:
    """``focus`` takes the place in the clause that its mark holds."""
    holder = mark.head
    loosen(mark)
    if focus.dep == "prep":
        attach(focus, clause, "prep")
    elif mark.dep in ("nsubj", "nsubjpass"):
        attach(focus, clause, mark.dep)
    elif mark.dep == "pobj" and holder is not None:
        attach(focus, holder, "pobj")
    elif mark.lower in ("where", "when") or is_date(focus):
        _under_preposition(focus, clause, "in")
    elif not subjects(clause):
        attach(focus, clause, "nsubj")
    elif (hanging := next((word for word in clause.all("prep") if not word.all("pobj")), None)) is not None:
        attach(focus, hanging, "pobj")
    else:
        attach(focus, clause, "dobj")


def _under_preposition(word: Word, verb: Word, preposition: str) -> None:
    """The preposition has no place in the text; it stands where its object begins."""
    between = Word(word.start, word.start, preposition, "IN", "prep")
    attach(between, verb, "prep")
    attach(word, between, "pobj")


def _move_front(word: Word, verb: Word, subject: Word) -> None:
    """ "From source to mouth, ..." goes with the verb."""
    for front in word.all("prep", "punct"):
        if front.end <= subject.start:
            attach(front, verb, front.dep)


def _as_root(word: Word) -> Word:
    loosen(word)
    word.dep = "ROOT"
    return word
