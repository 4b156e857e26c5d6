"""How often is a true text accused by a graph that lacks what it says?

Run:    python -m tests.bench.bench_hidden --kg KG [FILE...]
Prints: each accusation with its sentence and what was hidden, then a JSON line: texts, statements hidden, accusations.

No graph has everything, and where the statement that a sentence makes is missing, another one must not be held against
it ("lifted off on 9 May" against the day on which a probe was lost). So all that a KG supports in texts in which
everything is true is hidden from the verifier, one property of one subject at a time, and the text is read again: what
is accused then, and was not before, is accused falsely. Without files the texts of `data/true_texts` are read against
the graph of `kgstore demo`; labelled claims may be given, too, of which those count that are attributable.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from kgstore.store import Store
from kgstore.verifier.claims import Label, Role, Verdict
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.pipeline import Verifier
from tests.bench.true_texts import arguments, rows

Fact = tuple[str, str]
"""Subject and property, as IRIs."""


def main() -> None:
    given = arguments(__doc__)
    counts: Counter[str] = Counter()
    with Store(given.kg, read_only=True) as store:
        verifier = Verifier(store)
        hidden = hide(verifier.knowledge)
        for row in rows(given.files):
            if row.get("label", Label.ATTRIBUTABLE.value) == Label.ATTRIBUTABLE.value:
                counts += of_text(row, verifier, hidden)
    print(json.dumps(counts))


def hide(know: Knowledge) -> set[Fact]:
    """What is put into the set that is returned the verifier does not find any more."""
    hidden: set[Fact] = set()
    about = know.about
    know.about = lambda iri: {one: told for one, told in about(iri).items() if (iri, one) not in hidden}  # type: ignore
    return hidden


def of_text(row: dict[str, str], verifier: Verifier, hidden: set[Fact]) -> Counter[str]:
    """What one text adds to the counts; accusations are printed."""
    text = row["text"]
    hidden.clear()
    before = _read(verifier, text)
    known = {_said(one) for one in before if one.label is Label.CONTRADICTORY}
    counts = Counter(texts=1)
    for fact in dict.fromkeys(fact for one in before for fact in _facts(one)):
        hidden.clear()
        hidden.add(fact)
        wrong = [one for one in _read(verifier, text) if one.label is Label.CONTRADICTORY and _said(one) not in known]
        counts += Counter(hidden=1, accused=bool(wrong))
        for one in wrong:
            named = " ".join(map(verifier.store.label, fact))
            print(f"{row['id']}: {one.claim.text}\n    without {named}: {one.method}: {one.reason}", flush=True)
    hidden.clear()
    return counts


def _read(verifier: Verifier, text: str) -> list[Verdict]:
    return verifier.verdicts(text, *verifier.read(text))


def _facts(verdict: Verdict) -> Iterator[Fact]:
    if verdict.label is Label.ATTRIBUTABLE:
        for one in verdict.evidence:
            if one.role is Role.SUPPORTS:
                yield one.statement.subject.value, one.statement.predicate.value


def _said(verdict: Verdict) -> tuple[int, int, str | None]:
    return verdict.claim.start, verdict.claim.end, verdict.relation


if __name__ == "__main__":
    main()
