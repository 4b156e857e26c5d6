"""Words that the parser hangs on the wrong one: a cause on a date, "as its seat" on a town, "starring" on the star."""

from __future__ import annotations

from verifier.extract.draft import is_amount, is_date, is_entity, subjects
from verifier.extract.syntax import Sentence, Word
from verifier.extract.tree import attach, loosen

_SPANS = frozenset("day days week weeks month months year years decade decades century centuries".split())
_OF_PEOPLE = frozenset("born known educated trained raised married named called nominated best remembered".split())


def lost_main_verb(root: Word) -> Word | None:
    """ "Ann Smith, who grew up in B, studied physics at C", where the parser takes "studied" for an adjective."""
    for noun in root.all("appos") if root.mention is not None and root.all("relcl") else ():
        verb = noun.subtree()[0]
        if verb.dep != "amod" or verb.head is not noun or verb.tag not in ("VBN", "VBD") or noun.mention is not None:
            continue
        loosen(verb)
        verb.dep, verb.tag = "ROOT", "VBD"
        attach(noun, verb, "dobj")
        for word in (*noun.all("prep"), *root.all("conj")):
            attach(word, verb, word.dep)
        attach(root, verb, "nsubj")
        return verb
    return None


def rehung(sentence: Sentence) -> None:
    """Hang on its verb what can belong to no other word."""
    for word in sentence.words:
        if word.dep == "prep":
            if word.lower == "unlike":  # "unlike Bob Jones, Ann Smith was born in Oslo"
                loosen(word)
                continue
            _behind_value(word)
            _behind_cause(word)
            _as_its(word)
            _of_birth(word)
        elif word.tag == "VBG" and word.dep == "amod":
            _lost_verb(sentence, word)
        elif word.lower == "aged" and word.dep == "advcl":
            _age(word)
        elif word.tag == "VBN" and word.dep == "acl":
            _of_thing(word)
        elif word.dep == "amod" and word.lower.endswith("ed"):
            _verb_before_name(sentence, word)
        elif word.tag == "VBN" and word.dep == "ccomp":
            _perfect(word)
        elif word.lower == "making" and word.dep == "advcl":
            _made_it(word)
        elif word.dep == "npadvmod":
            _interval(word)
        elif word.dep == "attr" and word.lower == "one":
            _one_of(word)
        elif word.dep == "conj":
            _among_names(word)
            _another_measure(word)
        elif word.dep.startswith("nsubj"):
            _title(sentence, word)
            _second_subject(word)


def _behind_value(of: Word) -> None:
    """ "died on 20 May 1506 of heart failure", "died in Oslo of heart failure"."""
    value = of.head
    if value is None or value.mention is None or value.dep != "pobj" or of.start < value.end or value.head is None:
        return
    verb = value.head.head
    if verb is not None and verb.tag.startswith("V") and (is_date(value) or _of_death(verb, of)):
        attach(of, verb, "prep")


def _behind_cause(on: Word) -> None:
    """ "died of heart failure on 20 May 1506", "died of heart failure in Oslo"."""
    noun, inner = on.head, on.all("pobj")
    if noun is None or noun.mention is not None or noun.dep != "pobj" or noun.head is None:
        return
    verb = noun.head.head
    if verb is None or not verb.tag.startswith("V") or not any(word.mention is not None for word in inner):
        return
    if _of_death(verb, noun.head) or (any(map(is_date, inner)) and not noun.all("det")):
        attach(on, verb, "prep")


def _of_death(verb: Word, of: Word) -> bool:
    return verb.lower in ("died", "dies") and of.lower in ("of", "from")


def _as_its(role: Word) -> None:
    """ "has Oslo as its capital": of the subject, not of Oslo."""
    value = role.head
    own = role.lower == "as" and any(noun.all("poss") for noun in role.all("pobj"))
    if own and value is not None and value.dep == "dobj" and value.head is not None:
        attach(role, value.head, "prep")


def _lost_verb(sentence: Sentence, verb: Word) -> None:
    """ "directed by A and starring B": the star is no conjunct of "directed"."""
    name = verb.head
    if name is None or name.mention is None or name.dep != "conj" or name.head is None:
        return
    before = sentence.words[sentence.words.index(verb) - 1]
    if name.head.tag.startswith("V") and before.text in ("and", ","):
        attach(verb, name.head, "conj")
        attach(name, verb, "dobj")


def _among_names(name: Word) -> None:
    """ "a member of A and B": what is joined are the two names."""
    noun = name.head
    if not is_entity(name) or noun is None or noun.mention is not None:
        return
    for of in noun.all("prep"):
        for other in of.all("pobj"):
            if of.lower == "of" and other.mention is not None and other.end < name.start and noun.tag.startswith("NN"):
                attach(name, other, "conj")
                return


def _another_measure(noun: Word) -> None:
    """ "has a population of 51 million people and an area of 100 km²": the area is joined to the population."""
    counted, amounts = noun.head, [one for of in noun.all("prep") for one in of.all("pobj") if is_amount(one)]
    if counted is None or counted.dep != "pobj" or not any(map(is_amount, counted.all("nummod"))):
        return
    measure = counted.head.head if counted.head is not None else None
    if amounts and noun.all("det") and measure is not None and measure.tag == "NN" and measure.mention is None:
        attach(noun, measure, "conj")


def _of_birth(place: Word) -> None:
    """ "Ann Smith, born Ann Jones on 5 May 1950, in Oslo, ...": the place is that of the birth."""
    name = place.head
    if name is None or name.mention is None:
        return
    for born in name.all("acl", "relcl"):
        if born.lower == "born" and born.end < place.start and place.lower in ("in", "at", "on"):
            attach(place, born, "prep")
            return


def _title(sentence: Sentence, name: Word) -> None:
    """ "The German novelist Ann Smith lived ...": one subject, where the parser finds two."""
    at = sentence.words.index(name)
    noun = sentence.words[at - 1] if at else name
    if name.mention is None or noun.mention is not None or not noun.tag.startswith("NN"):
        return
    if noun.dep.startswith("nsubj") and noun.head is name.head and noun.end + 1 == name.start:
        attach(noun, name, "compound")


def _verb_before_name(sentence: Sentence, verb: Word) -> None:
    """ "Ann Smith, a painter, married B in 1929, divorced ...": "married" is no adjective of B."""
    name, before = verb.head, sentence.words[sentence.words.index(verb) - 1]
    subject = name if name is not None and is_entity(name) else None
    while subject is not None and subject.dep == "appos":
        subject = subject.head
    main = subject.head if subject is not None and subject.dep.startswith("nsubj") else None
    if name is None or main is None or before.text != "," or main.tag != "VBD" or main.start < name.end:
        return
    if name.subtree()[0] is verb:
        verb.tag = "VBD"
        attach(verb, main, "conj")
        attach(name, verb, "dobj")
        for way in name.all("prep"):
            attach(way, verb, "prep")


def _second_subject(name: Word) -> None:
    """ "A wrote The B, which ...": what stands behind the verb, whose subject is another word, is its object."""
    verb = name.head
    if verb is None or not verb.tag.startswith("V") or verb.all("dobj", "attr", "auxpass", "expl"):
        return
    before = [one for one in subjects(verb) if one.end <= verb.start]
    if is_entity(name) and name.start >= verb.end and before and before[0].tag not in ("WDT", "WP"):
        name.dep = "dobj"


def _of_thing(verb: Word) -> None:
    """ "was designed by Ann Smith, built in 1889": what was built is what was designed."""
    name, commas = verb.head, verb.head.all("punct") if verb.head is not None else []
    by = name.head if name is not None and name.mention is not None else None
    made = by.head if by is not None and by.dep == "agent" else None
    apart = name is not None and any(word.text == "," and name.end <= word.start < verb.start for word in commas)
    if made is not None and made.tag == "VBN" and apart and verb.lower not in _OF_PEOPLE:
        attach(verb, made, "conj")


def _age(aged: Word) -> None:
    """ "died on 28 March 2009 in Oslo, aged 84": the age is that of the death."""
    verb = aged.head
    if verb is not None and verb.lower in ("died", "dies"):
        for number in aged.all("npadvmod", "dobj", "nummod"):
            attach(number, verb, "npadvmod")
        loosen(aged)


def _perfect(verb: Word) -> None:
    """ "lies on the coast and has been the capital": "has" is no verb of its own."""
    has = verb.head
    above = has.head if has is not None else None
    if has is None or above is None or has.lower not in ("has", "have", "had") or has.all("dobj", "nsubj", "attr"):
        return
    attach(verb, above, has.dep)
    attach(has, verb, "aux")


def _interval(span: Word) -> None:
    """ "opened in 1862, one year after its founding in 1861": it opened in 1862."""
    head = span.head
    if head is None or span.lower.split()[-1] not in _SPANS:
        return
    apart = ("after", "before")
    if any(way.lower in apart for way in span.all("prep")) or any(mark.lower in apart for mark in head.all("mark")):
        loosen(span)
    elif head.lower in apart and head.dep == "prep":
        loosen(head)


def _one_of(one: Word) -> None:
    """ "is one of the languages used in Lille": is a language used in Lille. Not "one of the cities she visited"."""
    for noun in (noun for of in one.all("prep") if of.lower == "of" for noun in of.all("pobj")):
        clauses = noun.all("acl", "relcl")
        own = [word for clause in clauses for word in subjects(clause) if word.tag not in ("WDT", "WP")]
        if noun.tag == "NNS" and noun.mention is None and clauses and not own and one.head is not None:
            attach(noun, one.head, "attr")
            noun.tag = "NN"
            loosen(one)
            return


def _made_it(making: Word) -> None:
    """ "has 2 million people, making it the largest city in the Caribbean": it is that."""
    subject = next(iter(subjects(making.head)), None) if making.head is not None else None
    for noun in making.all("ccomp", "dobj", "oprd"):
        it = [word for word in noun.all("nsubj") if word.lower in ("it", "him", "her", "them")]
        if subject is not None and it and noun.tag.startswith("NN"):
            loosen(it[0])
            attach(noun, subject, "appos")
            loosen(making)
            return
