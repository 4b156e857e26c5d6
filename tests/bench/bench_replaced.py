"""How many values that were replaced in true texts are found to be false?

Run:    python -m tests.bench.bench_replaced --kg KG [FILE...]
Prints: each accusation of a text as it was, or beside what was replaced, then a JSON line: texts, values replaced and
found, both also by the kind of value, and texts accused as they were, and elsewhere.

A true text is read, and up to four values that the KG supports, of properties with one value, become other ones: a
year one some years off, an amount a multiple, a name one that other texts say rightly of something else by the same
property. Then it is read again. So only what the verifier reads is replaced, in the words of people who knew nothing of
it. Without files the texts of `data/true_texts` are read against the graph of `kgstore demo`.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kgstore.store import Store
from kgstore.verifier.claims import Label, Mention, Verdict
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.values import DateValue
from tests.bench.true_texts import arguments, rows, touches

MOST, APART = 4, 120
"""Values that are replaced in a text, and characters between them."""
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TIMES = ("0.4", "0.6", "1.5", "2.2", "3")

Pool = Mapping[str | None, Sequence[Mention]]
"""Property -> the values that texts rightly say."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What replaces a value; offsets are those of the text as it was."""

    start: int
    end: int
    text: str
    kind: str


def main() -> None:
    given, chance = arguments(__doc__), random.Random(7)
    counts: Counter[str] = Counter()
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        read = [(row, verifier.verify(row["text"]).verdicts) for row in rows(given.files)]
        pool = defaultdict(list)
        for _, verdicts in read:
            for one in verdicts:
                if one.label is Label.ATTRIBUTABLE and one.tail is not None and one.claim.tail.refers_to is None:
                    pool[one.relation].append(one.claim.tail)
        for row, verdicts in read:
            edits = list(chosen(row["text"], verdicts, verifier, pool, chance))
            counts += of_text(row["id"], row["text"], verdicts, edits, verifier)
    print(json.dumps(counts))


def chosen(
    text: str, verdicts: Iterable[Verdict], verifier: Verifier, pool: Pool, chance: random.Random
) -> Iterator[Edit]:
    """The values of a text that are replaced."""
    taken: list[int] = []
    plain = [one for one in verdicts if _is_plain(one, text, verifier)]
    chance.shuffle(plain)
    for one in plain:
        tail = one.claim.tail
        if len(taken) < MOST and all(abs(tail.start - other) >= APART for other in taken):
            new = other_value(one, text, verifier, pool, chance)
            if new is not None:
                taken.append(tail.start)
                yield Edit(tail.start, tail.end, new, _kind(tail))


def _is_plain(verdict: Verdict, text: str, verifier: Verifier) -> bool:
    """Is it supported by one statement, of a property with one value, which the text names once?"""
    claim, know = verdict.claim, verifier.knowledge
    if verdict.label is not Label.ATTRIBUTABLE or verdict.relation is None or len(verdict.evidence) != 1:
        return False
    if claim.bridge or claim.measure or claim.negated or claim.tail.refers_to or claim.tail.is_common:
        return False
    item = verifier.aligner.properties[verdict.relation]
    return know.single(item) and text.count(claim.tail.text) == 1


def other_value(
    verdict: Verdict, text: str, verifier: Verifier, pool: Pool, chance: random.Random
) -> str | None:
    """Another value than the one supported, as it is written; None where none is found."""
    tail, store = verdict.claim.tail, verifier.store
    if tail.value is not None:
        return _other_number(tail, chance)
    if verdict.tail is None or verdict.head is None or not tail.text[:1].isupper():
        return None
    kinds = set(store.instance_types(verdict.tail.iri))
    own = {one.value.value for one in verifier.knowledge.about(verdict.head.iri).get(verdict.relation or "", ())}  # type: ignore[union-attr]
    others = [one for one in pool[verdict.relation] if one.text not in text and one.text[:1].isupper()]
    chance.shuffle(others)
    for one in others:
        meant = one.candidates[0].iri
        if meant not in own and kinds & set(store.instance_types(meant)):
            return one.text
    return None


def _other_number(tail: Mention, chance: random.Random) -> str | None:
    years, numbers = _YEAR.findall(tail.text), _NUMBER.findall(tail.text)
    if len(years) == 1 and (isinstance(tail.value, DateValue) or tail.text == years[0]):
        off = chance.choice((-1, 1)) * chance.randint(2, 40)
        return tail.text.replace(years[0], str(min(int(years[0]) + off, 2019)))
    if len(numbers) != 1 or isinstance(tail.value, DateValue):
        return None
    number = numbers[0]
    places = len(number.partition(".")[2])
    new = f"{Decimal(number.replace(',', '')) * Decimal(chance.choice(_TIMES)):,.{places}f}"
    return tail.text.replace(number, new if "," in number else new.replace(",", ""))


def of_text(
    name: str, text: str, verdicts: Iterable[Verdict], edits: Sequence[Edit], verifier: Verifier
) -> Counter[str]:
    """What one text adds to the counts; accusations that are false are printed."""
    before = [one for one in verdicts if one.label is Label.CONTRADICTORY]
    counts, wrong = Counter(texts=1, accused=bool(before)), []
    if edits:
        altered, spans, at = "", [], 0
        for one in sorted(edits, key=lambda each: each.start):
            altered += text[at : one.start]
            spans.append((len(altered), len(altered) + len(one.text), one.kind))
            altered, at = altered + one.text, one.end
        accused = [one for one in verifier.verify(altered + text[at:]).verdicts if one.label is Label.CONTRADICTORY]
        for start, end, kind in spans:
            found = any(touches(one, start, end) for one in accused)
            counts += Counter({"replaced": 1, "found": found, f"{kind}s": 1, f"{kind}s found": found})
        wrong = [one for one in accused if not any(touches(one, start, end) for start, end, _ in spans)]
        counts["accused elsewhere"] += bool(wrong)
    for one in (*before, *wrong):
        print(f"{name}: {one.claim.text}\n    {one.method}: {one.reason}", flush=True)
    return counts


def _kind(tail: Mention) -> str:
    return "name" if tail.value is None else "date" if isinstance(tail.value, DateValue) else "amount"


if __name__ == "__main__":
    main()
