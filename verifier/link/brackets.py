"""What brackets behind a name say: which thing of that name is meant, or only how it is called otherwise.

"Michelle Williams (American actress)" is none of the others of that name. "Duele Menos (English: Hurts Less)" is Duele
Menos: a translation, a transcription, an abbreviation, a former name or a clause tells nothing apart.
"""

from __future__ import annotations

import re
import unicodedata

from kgstore.verifier.english.words import either

_NAMES = re.compile(
    rf"(?:(?:\w+ )?{either('brackets.adverbs')}*{either('brackets.names')})\b[ .:]*(?:as |by |the |a )*", re.IGNORECASE
)
_ASIDE = re.compile(rf"{either('brackets.clauses')}\b|{either('brackets.remarks')}$")
_MARKS = re.compile(r"[:;/\[\]\"“”‘]|^\W*,|,\s*$|^\W+$|\s-|-\s|--")
_LONG = 9
"""Words; no remark that tells things apart is so long."""
_WORD = re.compile(r"[^\W_]+")


def other_name(said: str) -> str:
    """The words in brackets without "also known as": what may be another name of the thing.

    >>> other_name("formerly known as the Paris Masters"), other_name("ST Kinetics"), other_name("American actress")
    ('Paris Masters', 'ST Kinetics', 'American actress')
    """
    lead = _NAMES.match(said)
    return said[lead.end() :].strip(" ,") if lead else said.strip()


def tells_apart(name: str, said: str) -> bool:
    """May the words in brackets say which thing of the name is meant? Then they must agree with it.

    >>> [tells_apart("Ann Smith", said) for said in ("American actress", "1953 film", "Ohio")]
    [True, True, True]
    >>> [tells_apart("Ann Smith", said) for said in ("French: Anne", "also Annie", "AS", ", Анна", "“The Ann”")]
    [False, False, False, False, False]
    """
    if _MARKS.search(said) or _NAMES.match(said) or _ASIDE.match(said) or len(_WORD.findall(said)) > _LONG:
        return False
    return not (abbreviates(name, said) or abbreviates(said, name) or _transcribes(said))


def is_clause(said: str) -> bool:
    """Do the brackets go on about the thing ("now part of Canada") rather than name it?"""
    return bool(_ASIDE.match(other_name(said)))


def abbreviates(name: str, said: str) -> bool:
    """Is this a word in capitals whose letters stand in the name in that order, as in "National Football League (NFL)"?

    >>> abbreviates("National Football League", "NFL"), abbreviates("Ann Smith", "Ohio")
    (True, False)
    """
    letters = [sign for sign in said if sign.isalpha()]
    capitals = sum(sign.isupper() for sign in letters)
    if " " in said or capitals < 2 or capitals * 2 < len(letters) or letters[:1] != [name.lstrip("\"'(")[:1].upper()]:
        return False
    rest = iter(name.casefold())
    return all(sign.casefold() in rest for sign in letters)


def _transcribes(said: str) -> bool:
    """Signs of another script or long vowels as in "Bāgātaimu": not how English tells things apart."""
    if any(sign.isalpha() and not unicodedata.name(sign, "").startswith("LATIN") for sign in said):
        return True
    return any("\u0304" in unicodedata.normalize("NFKD", sign) for sign in said)  # a macron
