"""The report about one text, and its JSON form (``kgstore.report/1``, described in ``report.schema.json``).

Every statement that a report names is looked up in the KG as the report is written. One that is not there would be
invented evidence, the one thing a verifier must never give, so it ends the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from kgstore.model import BlankNode, Literal, NamedNode, Snak, Statement, Time, Value
from kgstore.prefixes import compact
from kgstore.verbalise import value_text
from kgstore.verifier.claims import WORST_FIRST, Claim, Label, Mention, Verdict
from kgstore.verifier.read.coverage import Coverage
from kgstore.verifier.report.explain import explain
from kgstore.verifier.report.frames import as_html, columns

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table

    from kgstore.verifier.kg.protocol import Facts

SCHEMA = "kgstore.report/1"
SCHEMA_FILE = Path(__file__).parents[1] / "report.schema.json"
NO_CLAIMS = "no_claims"

Json = dict[str, Any]


class EvidenceNotInKg(AssertionError):
    """A verdict rests on a statement that the KG does not hold: a bug of ours, never of the user."""

    def __init__(self, statement: Statement) -> None:
        super().__init__(statement)
        self.statement = statement

    def __str__(self) -> str:
        return f"not in the KG: {self.statement}; please report this as a bug"


@dataclass(frozen=True, slots=True)
class Report:
    """What the KG says about one text.

    :param entities: the mentions that were linked, best candidate first in each
    :param kg: ``name``, ``generation`` and ``fingerprint`` of the KG
    :param scores: ``kas``, ``fd``, ``kernel`` of the whole text, as far as they were computed: ClaimVer's KAS
        (`kgstore.verifier.methods.matching.text_kas`), Factum's factuality degree, KEA's similarity
    :param notices: what was done otherwise than asked, or left out
    :param coverage: which sentences no claim was read from, and why
    """

    text: str
    verdicts: tuple[Verdict, ...] = ()
    entities: tuple[Mention, ...] = ()
    kg: dict[str, str] = field(default_factory=dict)
    scores: dict[str, float | None] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    id: str | None = None
    notices: tuple[str, ...] = ()
    coverage: Coverage = Coverage()

    @property
    def label(self) -> str:
        """The worst label of the claims, or ``no_claims``."""
        labels = {verdict.label for verdict in self.verdicts}
        return next((label.value for label in WORST_FIRST if label in labels), NO_CLAIMS)

    def to_pandas(self) -> DataFrame:
        """One row a verdict, with the columns of `verifier.report.frames.COLUMNS`; needs the extra ``frames``."""
        import pandas

        return pandas.DataFrame(columns(self.verdicts))

    def to_arrow(self) -> Table:
        """The same as an Arrow table; needs the extra ``frames``."""
        import pyarrow

        return pyarrow.table(columns(self.verdicts))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return as_html(self.text, self.verdicts)


def report_json(report: Report, store: Facts, *, indent: bool = False) -> bytes:
    """The report as UTF-8 JSON, on one line unless indented.

    :raises EvidenceNotInKg: if a verdict names a statement that the KG does not hold
    """
    return orjson.dumps(report_dict(report, store), option=orjson.OPT_INDENT_2 if indent else None)


def report_dict(report: Report, store: Facts) -> Json:
    """The report as plain values, see ``report.schema.json``. ``notices`` is there only if there are any.

    :raises EvidenceNotInKg: if a verdict names a statement that the KG does not hold
    """
    writer = _Writer(store)
    return {
        "schema": SCHEMA,
        "id": report.id,
        "text": report.text,
        "label": report.label,
        "kg": {key: report.kg.get(key) for key in ("name", "generation", "fingerprint")},
        "scores": {key: report.scores.get(key) for key in ("kas", "fd", "kernel")},
        "claims": [writer.claim(verdict, report.text) for verdict in report.verdicts],
        "coverage": _coverage(report.coverage),
        "entities": [_entity(mention) for mention in report.entities if mention.candidates],
        "timings_ms": dict(report.timings_ms),
        **({"notices": list(report.notices)} if report.notices else {}),
    }


def claim_dicts(verdicts: Iterable[Verdict], text: str, store: Facts) -> list[Json]:
    """The ``claims`` of a report alone, for verdicts that come before the report does.

    :raises EvidenceNotInKg: if a verdict names a statement that the KG does not hold
    """
    writer = _Writer(store)
    return [writer.claim(verdict, text) for verdict in verdicts]


class _Writer:
    """Writes statements, each after finding it in the KG; looks a subject's property up once for a whole report."""

    def __init__(self, store: Facts) -> None:
        self.store = store
        self.known: dict[tuple[str, str], list[Statement]] = {}

    def claim(self, verdict: Verdict, text: str) -> Json:
        claim, correction = verdict.claim, verdict.correction
        total = sum(verdict.probabilities)  # 1 but for rounding
        probabilities = {label.value: p / total for label, p in zip(Label, verdict.probabilities, strict=True)}
        return {
            "start": claim.start,
            "end": claim.end,
            "text": claim.text,
            "triple": triple(claim, text),
            "label": verdict.label.value,
            "confidence": probabilities[verdict.label.value],
            "method": verdict.method,
            "probabilities": probabilities,
            "evidence": [{**self.statement(item.statement), "role": item.role.value} for item in verdict.evidence],
            "paths": [[self.statement(step) for step in path] for path in verdict.paths],
            "scores": _scores(verdict.scores),
            "features": {
                name: {"value": value, "weights": list(weights)} for name, (value, weights) in verdict.features.items()
            },
            "explanation": explain(verdict, self.store),
            "correction": correction and {"start": correction.start, "end": correction.end, "text": correction.text},
            "why_not": verdict.why_not,
        }

    def statement(self, statement: Statement) -> Json:
        return statement_dict(self.stored(statement), self.store)

    def stored(self, statement: Statement) -> Statement:
        """The statement as the KG has it, with its references.

        :raises EvidenceNotInKg: if it has not
        """
        key = statement.subject.value, statement.predicate.value
        if key not in self.known:
            self.known[key] = self.store.statements(*key, references=True)
        for stored in self.known[key]:
            if (stored.id, stored.value, stored.rank) == (statement.id, statement.value, statement.rank):
                return stored
        raise EvidenceNotInKg(statement)


def statement_dict(statement: Statement, store: Facts) -> Json:
    """Ids and labels of all parts; ``qualifiers`` and each of the ``references`` are lists of property and value."""
    subject, predicate = statement.subject.value, statement.predicate.value
    return {
        "subject": compact(subject),
        "predicate": compact(predicate),
        "object": value_id(statement.value, store),
        "labels": [store.label(subject), store.label(predicate), value_text(statement.value, store.label)],
        "statement": compact(statement.id) if statement.id else None,
        "rank": statement.rank.value,
        "qualifiers": _snaks(statement.qualifiers, store),
        "references": [_snaks(reference, store) for reference in statement.references],
    }


def value_id(value: Value, store: Facts) -> str:
    """A value in the least ambiguous words: an id, a literal's own text, else as it reads."""
    match value:
        case NamedNode():
            return compact(value.value)
        case Literal():
            return value.value
        case BlankNode():
            return str(value)
        case Time():
            return _iso(value) or value_text(value, store.label)
    return value_text(value, store.label)


def _iso(time: Time) -> str:
    """A date as ISO 8601 has it, as far as it is known; nothing where it is no year, month or day of four digits.

    >>> [_iso(Time("+1931-05-05T00:00:00Z", precision)) for precision in (11, 10, 9, 8)]
    ['1931-05-05', '1931-05', '1931', '']
    """
    digits = {9: 4, 10: 7, 11: 10}.get(time.precision, 0)
    found = re.match(r"\+?(\d{4}-\d\d-\d\d)(?!\d)", time.iso)
    return found[1][:digits] if found else ""


def _snaks(snaks: Iterable[Snak], store: Facts) -> list[Json]:
    return [
        {
            "property": compact(prop.value),
            "label": store.label(prop.value),
            "object": value_id(value, store),
            "value": value_text(value, store.label),
        }
        for prop, value in snaks
    ]


def triple(claim: Claim, text: str) -> list[str]:
    """Head, relation and tail; a pronoun is given as what it stands for, a chain as ``spouse > was born in``."""
    ends = [text[slice(*end.refers_to)] if end.refers_to else end.text for end in (claim.head, claim.tail)]
    return [ends[0], " > ".join((*(hop.relation for hop in claim.bridge), claim.relation)), ends[1]]


def _scores(scores: Mapping[str, float]) -> Json:
    nli = [scores.get(f"nli_{name}") for name in ("entails", "neutral", "contradicts")]
    return {
        "tms": scores.get("tms"),
        "kernel": scores.get("kernel"),
        "nli": None if None in nli else nli,
        "similarity": scores.get("similarity"),
        **{name: scores[name] for name in ("kas", "reader") if name in scores},
    }


def _coverage(coverage: Coverage) -> Json:
    return {
        "language": coverage.language,
        "sentences": coverage.sentences,
        "read": coverage.read,
        "unread": [{"start": one.start, "end": one.end, "why": one.why} for one in coverage.unread],
    }


def _entity(mention: Mention) -> Json:
    best = mention.candidates[0]
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "id": compact(best.iri),
        "label": best.label,
        "description": best.description,
        "score": best.score,
    }
