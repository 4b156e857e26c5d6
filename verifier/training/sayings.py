"""Sentences that say one fact, in the words of the phrase table, of the property's own names, or of its label."""

from __future__ import annotations

import random
import re
from functools import lru_cache

from kgstore.catalog import Property
from kgstore.verbalise import readable, verbalise
from kgstore.verifier.english.wording import entries

_BE = re.compile(r"^(is|was|are|were|has been)\b")


def say(chance: random.Random, subject: str, item: Property, value: str) -> str:
    """One of the ways to say it."""
    says, nouns, turned = ways(item.label.lower())
    kind = chance.random()
    if says and kind < 0.55:
        return f"{subject} {_for_date(chance.choice(says), value)} {value}."
    if turned and kind < 0.65:
        return f"{value} {chance.choice(turned)} {subject}."
    noun = chance.choice((readable(item.label), *nouns, *item.aliases[:3]))
    if _is_noun(noun) and kind < 0.9:
        verb = chance.choice(("is", "was"))
        return chance.choice(
            (f"The {noun} of {subject} {verb} {value}.", f"{subject}'s {noun} {verb} {value}.",
             f"{value} {verb} the {noun} of {subject}.")
        )  # fmt: skip
    return verbalise(subject, item.label, value)


def say_not(chance: random.Random, subject: str, item: Property, value: str) -> str | None:
    """A denial, None where no wording can be denied by one word."""
    says = [phrase for phrase in ways(item.label.lower())[0] if _BE.match(phrase)]
    if says and chance.random() < 0.8:
        denied = _BE.sub(r"\1 not", _for_date(chance.choice(says), value))
        return f"{subject} {denied} {value}."
    noun = readable(item.label)
    return f"The {noun} of {subject} is not {value}." if _is_noun(noun) else None


def say_of(chance: random.Random, subject: str, item: Property) -> str:
    """A description of the value: ``the director of Alien``."""
    noun = readable(item.label)
    return f"{subject}'s {noun}" if chance.random() < 0.4 else f"the {noun} of {subject}"


@lru_cache(4096)
def ways(label: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Verb phrases, nouns, and phrases that want the value first."""
    entry = entries().get(label) or next((one for one in entries().values() if label in one.get("also", ())), {})
    nouns = tuple(noun for noun in entry.get("nouns", ()) if _is_noun(noun))
    return tuple(entry.get("says", ())), nouns, tuple(entry.get("turned", ()))


def _is_noun(phrase: str) -> bool:
    words = phrase.split()
    odd = {"was", "is", "where", "who", "came", "occurred", "took", "were", "are", "by", "on", "to", "with"}
    return len(words) <= 4 and not odd & set(words) and words[-1] not in ("of", "in", "at", "as", "from", "for")


def _for_date(phrase: str, value: str) -> str:
    """"on" before a day, "in" before a year."""
    if phrase.endswith((" on", " in")) and re.search(r"\b\d{3,4}$", value):
        day = re.match(r"\d{1,2} [A-Z]|[A-Z][a-z]+ \d{1,2},", value)
        return f"{phrase[:-2]}{'on' if day else 'in'}"
    return phrase
