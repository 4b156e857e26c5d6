"""Statements as English sentences, by the shape of the property's label.

There is no table of properties, so that any vocabulary is served.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from math import ceil, log10

from kgstore.model import BlankNode, Coordinate, Literal, NamedNode, Quantity, Special, Time, Value

OPAQUE = frozenset(
    ("external-id", "url", "media", "commonsMedia", "property", "lexeme", "form", "sense", "math")
)
"""Datatypes of properties (`kgstore.catalog.Property`) whose values are no part of a sentence that people write."""
UNKNOWN, NOTHING = "an unknown value", "no value"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_ISO = re.compile(r"([+-]?)0*(\d+)-(\d\d)-(\d\d)(?:T(\d\d:\d\d)(:\d\d))?")

# -- sentences ---------------------------------------------------------------------------------------------------------


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PREPOSITIONS = _words_of(
    "about after as at before by for from in into of off on onto over to under upon with"
)
_VERBS = _words_of(
    "accepts accompanies acquires activates adjoins administers advises affects allows alters amends antagonises "
    "antagonizes appoints approves attaches attracts audits authorises authorizes became becomes began begins belongs "
    "binds blocks borders borrows brings built buys calibrates carries catalyses catalyzes causes certifies chairs "
    "colonises colonizes competes complicates complies comprises conducts confirms conforms connects consists "
    "constitutes consumes contains continues contributes controls converts correlates corresponds covers creates "
    "crosses cures decreases defines delivers depends dephosphorylates depicts derives describes designed destroys "
    "detects determines develops diagnoses differentiates directed discovered downregulates edits employs enables "
    "encloses encodes endorses enforces enhances enters establishes evaluates examines exceeds exports expresses "
    "extends facilitates features feeds finished flows follows forbids founded funds generates governs guarantees had "
    "handles has have helps hires holds hosts identifies impairs implements improves includes increases indicates "
    "induces infects influences inherits inhibits initiates inspects insures interacts invades invented invests "
    "involves irrigates is joined keeps killed knows leads left lends lies likes lives localises localizes loves "
    "lowers maintains makes manages married measures mediates mentions met metabolises metabolizes modifies modulates "
    "monitors needs neutralises neutralizes obtains occupies occurs operates opposes originates oversees owns painted "
    "participates pays performs permits phosphorylates played possesses potentiates practises precedes prescribes "
    "prevents produced produces prohibits promotes protects proves provides published publishes raises reaches reacts "
    "received receives recommends reduces refers regulates relates relies removes repeals replaces represents "
    "requires resembles resides resolves retains reverses runs satisfies secretes sees sells sends separates serves "
    "shares shows speaks specifies sponsors starred started stimulates studies submits succeeds supersedes supervises "
    "supplies supports suppresses surrounds sustains synthesises synthesizes takes targets teaches terminates "
    "transcribes transfers translates transmits transports treats triggers undergoes upregulates uses vaccinates "
    "validates verifies was wears won works wrote"
)
"""A label that begins with one of these is a verb phrase; with a participle only if it is the whole label."""
_PARTICIPLES = _words_of(
    "born built drawn found given held known led made said seen shown spoken sung taken used won worn written"
)
_LASTING = _words_of(
    "affiliated based connected depicted distributed followed interested licensed located maintained named owned "
    "practiced said spoken studied used"
)
"""Participles that go with "is"; with the others the thing is done: "was educated at"."""
_ENDS_IN_TIME = _words_of(
    "appeared arrived debuted departed died ended enlisted entered graduated joined moved premiered resigned retired "
    "started"
)
"""Bare labels of dates that go without "was"."""
_DATE = re.compile(
    rf"(?P<day>\d{{1,2}} (?:{'|'.join(MONTHS)}) \d+|\d+-\d\d-\d\d)|(?:(?:{'|'.join(MONTHS)}) )?\d{{3,4}}(?![\d,.])"
    r"|the \d+(?:s|th century|st century|nd century|rd century)\b"
)
_BARE = _words_of("different identical native part present related similar subject")
_THE = _words_of("capital opposite")
_HEAD_ENDS = _PREPOSITIONS | {"per", "that", "which"}
_TYPES = frozenset(("instance of", "type", "is a", "a"))
_KIND = "is a"


def verbalise(
    subject_label: str, property_label: str, value_text: str, qualifiers: Sequence[tuple[str, str]] = ()
) -> str:
    """One sentence.

    >>> verbalise("Ada Lovelace", "place of birth", "London")
    'The place of birth of Ada Lovelace is London.'
    >>> verbalise("Ada", "reports to", "Charles")
    'Ada reports to Charles.'
    >>> verbalise("Ada", "born", "10 December 1815"), verbalise("Acme", "founded", "1994")
    ('Ada was born on 10 December 1815.', 'Acme was founded in 1994.')
    >>> verbalise("Berlin", "capital of", "Germany"), verbalise("Ada", "award received", "a medal", [("date", "1843")])
    ('Berlin is the capital of Germany.', 'The award received by Ada is a medal (date: 1843).')

    :param qualifiers: labels of qualifiers and the texts of their values
    """
    subject, value = subject_label.strip(), value_text.strip()
    before, between, lacks = _frame(property_label)
    if value == NOTHING:
        sentence = f"{subject} {lacks}"
    elif between == _KIND:
        sentence = f"{subject} is {article(value)} {value}"
    elif said := _dated(property_label, value):
        sentence = f"{subject} {said} {value}"
    elif before:
        sentence = f"{before} {subject} {between} {'unknown' if value == UNKNOWN else value}"
    else:
        sentence = f"{subject} {between} {value}"
    if qualifiers:
        sentence += f" ({'; '.join(f'{name}: {text}' for name, text in qualifiers)})"
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def described(subject_label: str, property_label: str) -> str:
    """What a statement's value is to its subject, in place of the value's name.

    >>> described("Alien", "director"), described("Ada", "educated at"), described("Acme", "founded by")
    ('the director of Alien', 'what Ada was educated at', 'what Acme was founded by')
    """
    subject = subject_label.strip()
    before, between, _ = _frame(property_label)
    return f"{before[:1].lower()}{before[1:]} {subject}" if before else f"what {subject} {between}"


def _dated(label: str, value: str) -> str:
    """ "was born on" for a label that is a participle alone, where the value is a date; else empty."""
    word = readable(label).lower()
    date = _DATE.match(value)
    if date is None or (word not in _ENDS_IN_TIME and word not in ("born", "built", "written") and not _is_done(word)):
        return ""
    return f"{word if word in _ENDS_IN_TIME else f'was {word}'} {'on' if date['day'] else 'in'}"


def _is_done(word: str) -> bool:
    return word.isalpha() and word.endswith("ed") and _is_participle(word)


@lru_cache(4096)
def _frame(label: str) -> tuple[str, str, str]:
    """What stands before the subject, between subject and value, and behind a subject that has no value."""
    label = readable(label)
    if label.lower() in _TYPES:
        return "", _KIND, "is of no kind"
    label = re.sub(r"^this .*?\b(?=is )", "", label)  # "this taxon is source of"
    words = label.lower().split()
    first, last, kind = words[0], words[-1], _kind(words)
    if kind == "verb":
        return "", label, f'has no value for "{label}"'
    if kind == "participle":
        is_ = "is" if first in _LASTING or first in _PREPOSITIONS else "was"
        return "", f"{is_} {label}", f"{is_} not {label} anything"
    if kind == "relation":
        if last in ("by", "at"):
            return "", f"has {label}", f"has no {label} anybody"
        bare = first in _BARE or last == "with"
        is_ = "is" if bare else "is the" if first in _THE else f"is {article(first)}"
        return "", f"{is_} {label}", f"{is_.replace('is', 'is not', 1)} {label} anything"
    are = "are" if _is_plural(_head(words)) else "is"
    of = "by" if len(words) > 1 and _is_participle(last) else "of"
    return f"The {label} {of}", are, f"has no {label}"


def _head(words: list[str]) -> str:
    """The last word of a noun before what explains it: "languages" of "languages spoken, written or signed"."""
    for at, word in enumerate(words[1:]):
        if word in _HEAD_ENDS or word.endswith("ly") or _is_participle(word.rstrip(",")):
            return words[at]
    return words[-1]


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


_AS_YOU = ("univ", "unio", "unit", "unic", "unif", "uniq", "eu", "use", "one-", "once")
"""Beginnings with a vowel that is not spoken as one."""


def article(word: str) -> str:
    """The indefinite article before a word, by its first letters.

    >>> article("album"), article("university"), article("city")
    ('an', 'a', 'a')
    """
    low = word.lower()
    return "an" if low[:1] in "aeiou" and not low.startswith(_AS_YOU) else "a"


def _kind(words: list[str]) -> str:
    """``verb`` (follows), ``participle`` (educated at, on focus list of), ``relation`` (member of) or ``noun``."""
    first, last = words[0], words[-1]
    preposition = last in _PREPOSITIONS or (len(words) > 1 and words[1] in _PREPOSITIONS)
    if first in _PREPOSITIONS or (preposition and len(words) > 1 and _is_participle(first)):
        return "participle"
    if first in _VERBS and (len(words) == 1 or not _is_participle(first)):
        return "verb"
    if len(words) == 2 and _is_plural(first) and last in ("against", "for", "to", "with"):  # reports to, applies for
        return "verb"
    return "relation" if len(words) > 1 and last in _PREPOSITIONS else "noun"


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (len(word) > 4 and word.endswith("ed") and word not in ("speed", "breed", "creed"))


def readable(label: str) -> str:
    """A property's label, or an identifier in its place, as words.

    >>> readable("ex:bornIn"), readable("http://example.org/born_in"), readable("IATA code"), readable("has/had")
    ('born in', 'born in', 'IATA code', 'has/had')
    """
    label = " ".join(label.split())
    if " " not in label:
        label = re.sub(r"^\S+://\S*[/#](?=\w)|^[\w.-]*:(?=\w)", "", label)
        label = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", label).replace("_", " ").strip()
        if " " in label:
            label = " ".join(word if word.isupper() else word.lower() for word in label.split())
    return label or "value"


MOST_LISTED = 3
"""Values named in a sentence; the others are counted."""


def listed(values: Iterable[str]) -> str:
    """
    >>> listed(["Rome"]), listed(["Rome", "Oslo"]), listed("ABCDE")
    ('Rome', 'Rome and Oslo', 'A, B, C and 2 more')
    """
    names = [value for value in values if value]
    if len(names) > MOST_LISTED:
        names = [*names[:MOST_LISTED], f"{len(names) - MOST_LISTED} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# -- values ------------------------------------------------------------------------------------------------------------


def value_text(value: Value, label_of: Callable[[str], str]) -> str:
    """A value as it would stand in a sentence.

    >>> value_text(Quantity(Decimal(165), "cm"), {"cm": "centimetre"}.get)
    '165 centimetres'

    :param label_of: IRI of an entity or unit -> its label
    """
    match value:
        case NamedNode():
            return label_of(value.value)
        case Literal():
            return " ".join(value.value.split())
        case Time():
            return time_text(value)
        case Quantity():
            return amount_text(value.amount) if value.unit is None else _with_unit(value.amount, label_of(value.unit))
        case Coordinate():
            return _coordinate_text(value, label_of)
        case Special.NONE:
            return NOTHING
        case Special.SOME | BlankNode():
            return UNKNOWN
    return str(value)  # a quoted triple


def time_text(time: Time) -> str:
    """A date as precise as it is known.

    >>> [time_text(Time("+1931-05-05T00:00:00Z", precision)) for precision in (11, 10, 9, 8, 7, 6)]
    ['5 May 1931', 'May 1931', '1931', 'the 1930s', 'the 20th century', 'the 2nd millennium']
    >>> time_text(Time("-0044-03-15T00:00:00Z")), time_text(Time("-13798000000-00-00T00:00:00Z", 3))
    ('15 March 44 BCE', 'about 13,798,000,000 BCE')
    """
    parts = _ISO.match(time.iso)
    if parts is None:
        return time.iso
    number, month, day = int(parts[2]), int(parts[3]), int(parts[4])
    era = " BCE" if parts[1] == "-" else " CE" if number < 100 else ""
    if time.precision <= 5:
        return f"about {number:,}{era}"
    if time.precision <= 7:
        length, name = (1000, "millennium") if time.precision == 6 else (100, "century")
        return f"the {ordinal(ceil(number / length))} {name}{era.removesuffix(' CE')}"
    if time.precision == 8:
        return f"the {number // 10 * 10}s{era}"
    year = f"{number}{era}"
    if time.precision == 9 or not 1 <= month <= 12:
        return year
    if time.precision == 10 or not day:
        return f"{MONTHS[month - 1]} {year}"
    date = f"{day} {MONTHS[month - 1]} {year}"
    if time.precision >= 12 and parts[5]:
        return f"{date}, {parts[5]}{parts[6] if time.precision == 14 else ''}"
    return date


def amount_text(amount: Decimal) -> str:
    """A number with its thousands apart, without idle zeros.

    >>> amount_text(Decimal("4400000")), amount_text(Decimal("-0.50")), amount_text(Decimal("1E+300"))
    ('4,400,000', '-0.5', '1E+300')
    """
    if not amount.is_finite() or abs(amount.adjusted()) > 30:
        return str(amount)
    text = f"{amount:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with_unit(amount: Decimal, unit: str) -> str:
    return f"{amount_text(amount)} {unit if abs(amount) == 1 else plural(unit)}"


_SAME = _words_of("percent hertz lux siemens yen yuan won baht rand renminbi decibel mach ppm")
_IRREGULAR = {"foot": "feet", "person": "people", "child": "children"}


@lru_cache(1024)
def plural(unit: str) -> str:
    """A unit's plural: of its last word, or of the one before "per", "of" or a name.

    >>> [plural(unit) for unit in ("kilometre per hour", "degree Celsius", "square foot", "percent", "century")]
    ['kilometres per hour', 'degrees Celsius', 'square feet', 'percent', 'centuries']
    """
    words = unit.split()
    at = next((i for i, word in enumerate(words[1:]) if word in ("per", "of")), len(words) - 1)
    if words and words[0] == "degree":
        at = 0
    word = words[at] if words else ""
    if not word.isalpha() or word.endswith("s") or word.isupper() or word in _SAME:
        return unit
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        words[at] = word[:-1] + "ies"
    else:
        words[at] = _IRREGULAR.get(word) or word + ("es" if word.endswith(("ch", "sh", "x")) else "s")
    return " ".join(words)


def ordinal(number: int) -> str:
    """
    >>> [ordinal(n) for n in (1, 2, 3, 11, 22, 113)]
    ['1st', '2nd', '3rd', '11th', '22nd', '113th']
    """
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _coordinate_text(point: Coordinate, label_of: Callable[[str], str]) -> str:
    digits = min(6, max(0, ceil(-log10(point.precision)))) if point.precision else 4
    latitude = f"{abs(point.latitude):.{digits}f}° {'S' if point.latitude < 0 else 'N'}"
    longitude = f"{abs(point.longitude):.{digits}f}° {'W' if point.longitude < 0 else 'E'}"
    return f"{latitude}, {longitude}" + (f" on {label_of(point.globe)}" if point.globe else "")
