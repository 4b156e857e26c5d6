"""The smallest edit that makes a contradicted claim say what the KG says; offered only once it is verified again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgstore.model import Literal, NamedNode, Quantity, Rank, Statement, Time
from kgstore.profile import BUILT_IN
from kgstore.verifier.claims import Claim, Correction, Label, MeasureKind, Mention, Role, Verdict
from kgstore.verifier.decide.complete import WHY as DECLARED
from kgstore.verifier.english.words import either
from kgstore.verifier.report.report import Report
from kgstore.verifier.values import Amount, DateValue
from kgstore.verifier.values.formatting import amount_like, date_like
from kgstore.verifier.values.units import COUNTING, fold

if TYPE_CHECKING:
    from kgstore.verifier.kg.protocol import Facts

_AT, _FROM, _UNTIL = (
    frozenset(iri for profile in BUILT_IN.values() for iri in getattr(profile, name)) for name in ("at", "start", "end")
)
_DEMONYM = frozenset(label for profile in BUILT_IN.values() for label in profile.demonym)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text and the edits that made it; each edited claim is attributable in ``report``.

    :param corrections: offsets are those of the original text, in reading order
    :param withheld: contradicted claims for which there is no edit that verifies
    :param report: what the KG says about the corrected text
    """

    text: str
    corrections: tuple[Correction, ...]
    withheld: int
    report: Report


def correct_text(text: str, verify: Callable[[str], Report], store: Facts, report: Report | None = None) -> Corrected:
    """Correct what the KG contradicts. An edit stays only if its claim is attributable in the corrected text.

    :param verify: the verifier; called once for each round, and each further round has fewer edits
    :param report: the report on ``text``, if there is one already
    """
    report = report or verify(text)
    wrong = [verdict for verdict in report.verdicts if verdict.label is Label.CONTRADICTORY]
    offered = correct(text, wrong, store)[1]
    while True:
        new = apply(text, offered)
        again = verify(new) if offered else report
        kept = [edit for edit, span in zip(offered, _moved(offered), strict=True) if _holds(again, span)]
        if len(kept) == len(offered):
            return Corrected(new, tuple(kept), len(wrong) - sum(_touches(verdict, kept) for verdict in wrong), again)
        offered = kept


def correct(text: str, verdicts: Sequence[Verdict], store: Facts) -> tuple[str, list[Correction]]:
    """The text with an edit for every contradictory verdict that allows one, not yet verified again.

    Where two edits would overlap, that of the more confident verdict stays.

    :return: the new text; the edits in reading order, with offsets into the old text
    """
    edits: list[Correction] = []
    for verdict in sorted(verdicts, key=lambda verdict: -verdict.confidence):
        edit = correction(text, verdict, store)
        if edit and edit not in edits and all(edit.end <= other.start or other.end <= edit.start for other in edits):
            edits.append(edit)
    edits.sort(key=lambda edit: edit.start)
    return apply(text, edits), edits


def apply(text: str, edits: Sequence[Correction]) -> str:
    """
    >>> apply("born in Paris", [Correction(8, 13, "London")])
    'born in London'
    """
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[:edit.start] + edit.text + text[edit.end:]
    return text


def correction(text: str, verdict: Verdict, store: Facts) -> Correction | None:
    """The edit for one verdict; None unless it is contradictory and the KG's value fits into the sentence."""
    measure = verdict.claim.measure
    if verdict.label is not Label.CONTRADICTORY or (measure is not None and measure.kind is not MeasureKind.COUNT):
        return None  # no value of one statement makes a comparison right
    against = [item.statement for item in verdict.evidence if item.role is Role.CONTRADICTS]
    if not against:
        return None
    if DECLARED in verdict.reason and len({one.value for one in against}) > 1:
        return None  # nobody can tell which of the listed ones was meant
    statement = _current(against)
    if verdict.claim.negated:
        return _affirm(text, verdict.claim)
    mention, value = _ends(verdict, statement)
    if mention.refers_to is not None:
        return None  # a pronoun cannot be replaced by a value
    claimed = verdict.head if mention is verdict.claim.head else verdict.tail
    if claimed is not None and value == NamedNode(claimed.iri):
        return None  # the end is right; something else, such as the time, is not
    new = _rendered(text, mention, value, claimed.iri if claimed else None, store)
    if new is None or new == mention.text:
        return None
    if isinstance(value, NamedNode):
        return _with_article(text, mention, new)
    return _with_preposition(text, mention, new)


def _current(statements: Sequence[Statement]) -> Statement:
    """Of the first statement's property the preferred value, else the one that still holds, else the latest."""

    def order(statement: Statement) -> tuple[bool, bool, int, str]:
        times = {prop.value: value for prop, value in statement.qualifiers if isinstance(value, Time)}
        stated = (value.iso for known in (_AT, _FROM, _UNTIL) for prop, value in times.items() if prop in known)
        latest = next(stated, "")
        return statement.rank is Rank.PREFERRED, _UNTIL.isdisjoint(times), latest.startswith("+"), latest

    first = statements[0]
    alike = (one for one in statements if (one.subject, one.predicate) == (first.subject, first.predicate))
    return max(alike, key=order)


def _ends(verdict: Verdict, statement: Statement) -> tuple[Mention, object]:
    """The mention to replace and the value to put there: the tail, or in a statement about the tail, the head."""
    claim, tail = verdict.claim, verdict.tail
    passed = [item.statement for item in verdict.evidence if item.role is Role.SUPPORTS]  # on the way from the head
    start = {one for step in passed for one in (step.subject, step.value)}
    if verdict.head is not None:
        start.add(NamedNode(verdict.head.iri))
    if statement.value in start and statement.subject not in start:  # read backwards: the subject is the answer
        return claim.tail, statement.subject
    if tail is not None and statement.subject.value == tail.iri and not claim.bridge:
        return claim.head, statement.value
    return claim.tail, statement.value


def _rendered(text: str, mention: Mention, value: object, claimed: str | None, store: Facts) -> str | None:
    match value:
        case Time() if mention.value is None or isinstance(mention.value, DateValue):
            return date_like(mention.text, value)
        case Quantity() if isinstance(mention.value, Amount) and not mention.value.bound:  # 420 is not "fewer than 420"
            names = _unit_names(value.unit, store)
            return amount_like(mention.text, mention.value.unit, value, names, rounded=mention.value.approximate)
        case NamedNode() if mention.value is None:
            return _name(mention, value.value, claimed, store)
        case Literal() if mention.value is None:
            return value.value
    return None


def _unit_names(unit: str | None, store: Facts) -> tuple[str, ...]:
    if unit is None:
        return ()
    name = store.label(unit)
    return () if fold(name) in COUNTING else (name,)


def _name(mention: Mention, iri: str, claimed: str | None, store: Facts) -> str | None:
    """The entity's label, or its adjective where the text has one ("French"); None where there is no such adjective."""
    label = store.label(iri)
    if label.startswith(("http:", "https:", "urn:")) or re.fullmatch(r"[QPL]\d+", label):
        return None  # it has no name that could stand in a text
    if claimed is not None and _adjective(mention.text, claimed, store):
        return min(_demonyms(iri, store), key=lambda word: (len(word), word), default=None)
    return label


def _adjective(word: str, iri: str, store: Facts) -> bool:
    if word.casefold() == store.label(iri).casefold():
        return False
    known = {one.casefold() for one in _demonyms(iri, store)}
    kin = word[:3].casefold() == store.label(iri)[:3].casefold()
    return word.casefold() in known or bool(kin and re.search(r"(?:ish|an|ese|ch|i|ic|ss|er)s?$", word))


def _demonyms(iri: str, store: Facts) -> list[str]:
    said = store.statements(iri)
    values = (one.value for one in said if store.label(one.predicate.value) in _DEMONYM)
    return [value.value for value in values if isinstance(value, Literal) and (value.language or "en") == "en"]


# -- the words around --------------------------------------------------------------------------------------------------

_ARTICLE_BEFORE = re.compile(r"\b(an?|the)\s+$", re.IGNORECASE)
_ARTICLE = re.compile(r"(an?|the)\s+", re.IGNORECASE)
_NEGATION = re.compile(rf"(?<=\w)\s+{either('correction.not')}\b|(?<=is|as|re|ad|ve)n['’]t\b", re.IGNORECASE)
_AUXILIARY = re.compile(rf"\b{either('verbs.auxiliaries')}$", re.IGNORECASE)
_TAKES_THE = re.compile(
    rf"(?:{either('correction.with_the')}|(?:[A-Z][\w'’-]+ )*{either('correction.of_something')} of )"
    rf"|.* {either('correction.closing')}$"
)
_VOWEL = re.compile(
    r"(?!uni(?!n|m)|use|usu|eu|ewe|one\b|once\b|(?-i:U[A-Z\d]))(?:[aeiou]|hour|honest|heir|honou?r|8|1[18]\b)",
    re.IGNORECASE,
)
_YEAR_OR_MONTH = re.compile(r"(?:[A-Z][a-z]+\.? )?\d{1,4}(?: B\.?C\.?(?:E\.?)?)?")


def takes_the(name: str) -> bool:
    """Whether a proper name is used with "the", by rule of thumb.

    >>> [takes_the(name) for name in ("United States", "Soviet Union", "University of Oxford", "Germany", "The Hobbit")]
    [True, True, True, False, False]
    """
    return bool(_TAKES_THE.match(name))


def _with_article(text: str, mention: Mention, new: str) -> Correction:
    """Put a name or noun in place of the mention and keep its article right; the edit is as small as that allows."""
    inside, before = _ARTICLE.match(mention.text), _ARTICLE_BEFORE.search(text, 0, mention.start)
    old = mention.text[inside.end():] if inside else mention.text
    start = mention.start + inside.end() if inside else mention.start
    found = inside or before
    at = mention.start if inside else before.start() if before else start
    article = found[1] if found else ""
    named = new[:1].isupper() or new[:1].isdigit()
    if article.lower() in ("a", "an"):
        wanted = ("an" if _VOWEL.match(new) else "a") if not named or not takes_the(new) else "the"
    elif article:
        wanted = "" if named and (not takes_the(new) or new.startswith("The ")) and old[:1].isupper() else "the"
    else:
        wanted = "the" if named and takes_the(new) and not takes_the(old) and not new.startswith("The ") else ""
    if wanted != article.lower():
        if article[:1].isupper() or (not article and _opens_sentence(text, start)):
            wanted, new = wanted.capitalize(), new if wanted else new[:1].upper() + new[1:]
        return Correction(at, mention.end, f"{wanted} {new}".lstrip())
    if not article and _opens_sentence(text, start):
        new = new[:1].upper() + new[1:]
    return Correction(start, mention.end, new)


def _with_preposition(text: str, mention: Mention, new: str) -> Correction:
    """On a day, in a month or year."""
    before = re.compile(r"\bon\s+(?:the\s+)?$", re.IGNORECASE).search(text, 0, mention.start)
    if before and isinstance(mention.value, DateValue) and _YEAR_OR_MONTH.fullmatch(new):
        shown = text[before.start():mention.start]
        return Correction(before.start(), mention.end, ("In " if shown[0] == "O" else "in ") + new)
    return Correction(mention.start, mention.end, new)


def _affirm(text: str, claim: Claim) -> Correction | None:
    """Take the "not" out of "was not born"; None where the verb would have to change ("did not write")."""
    low, high = min(claim.head.end, claim.tail.end), max(claim.head.start, claim.tail.start)
    found = list(_NEGATION.finditer(text, low, high))
    if len(found) != 1 or not _AUXILIARY.search(text, low, found[0].start()):
        return None
    return Correction(found[0].start(), found[0].end(), "")


def _opens_sentence(text: str, at: int) -> bool:
    return not text[:at].strip() or bool(re.search(r"[.!?]['\"”’)]*\s+$", text[:at]))


# -- verified again ----------------------------------------------------------------------------------------------------


def _moved(edits: Sequence[Correction]) -> list[tuple[int, int]]:
    """Where the edits' texts stand once all are made."""
    spans, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        spans.append((start, start + len(edit.text)))
        shift += len(edit.text) - (edit.end - edit.start)
    return spans


def _holds(report: Report, span: tuple[int, int]) -> bool:
    """Some claim that has the new words as one of its ends (or, for a removed "not", around them) is attributable, and
    none of them is contradicted."""
    start, end = span
    labels = {
        verdict.label
        for verdict in report.verdicts
        if any(_meet(start, end, one.start, one.end) for one in (verdict.claim.head, verdict.claim.tail))
        or (start == end and verdict.claim.start <= start <= verdict.claim.end)
    }
    return Label.ATTRIBUTABLE in labels and Label.CONTRADICTORY not in labels


def _meet(a: int, b: int, c: int, d: int) -> bool:
    return a < d and c < b


def _touches(verdict: Verdict, edits: Sequence[Correction]) -> bool:
    claim = verdict.claim
    parts = (claim,) if claim.negated else (claim.head, claim.tail)
    return any(_meet(edit.start, edit.end, part.start, part.end) for edit in edits for part in parts)
