"""What people said of verdicts: a file of labelled claims beside the KG, to which lines are only ever added.

A line is one review, and serves three readers: `kgstore evaluate` and `calibrate` take its ``text`` and ``claims``,
`train-judge` its ``premise``, ``hypothesis`` and ``label``, `train-reader` its ``head``, ``tail`` and ``relations``.
Who changes their mind adds a line: of several about the same claim the last one counts.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from kgstore.errors import InputError
from kgstore.locks import locked
from kgstore.verifier.claims import Label
from kgstore.verifier.measure.exact import highest
from kgstore.verifier.read.paragraphs import paragraphs

Json = dict[str, Any]
REVIEWED = "reviewed"
"""The member that tells a review from other labelled rows: when it was made."""
SURE = 0.95
LONGEST = 2_000
"""Characters of a text that is kept whole; of a longer one the claim's paragraph is."""
_NLI = {Label.ATTRIBUTABLE: "entailment", Label.EXTRAPOLATORY: "neutral", Label.CONTRADICTORY: "contradiction"}


def holds(path: Path) -> bool:
    """Does a file, by its name, hold reviews?"""
    return path.name.endswith(".reviews.jsonl")


def beside(kg: Path) -> Path:
    """The file of a KG's reviews.

    >>> beside(Path("work/company.kg")).as_posix()
    'work/company.reviews.jsonl'
    """
    return kg.with_name(f"{kg.absolute().stem}.reviews.jsonl")


def review(report: Mapping[str, Any], claim: Mapping[str, Any], label: Label, by: str) -> Json:
    """The line about one claim of a report.

    :param label: the right one, whatever the verdict was
    :param by: who says so
    """
    start, end, text = _passage(report["text"], claim["start"], claim["end"])
    mine = {"start": claim["start"] - start, "end": claim["end"] - start, "label": label.value}
    facts = [" ".join(one["labels"]) + "." for one in claim["evidence"]]
    return {
        "id": secrets.token_hex(8),
        REVIEWED: datetime.now(UTC).isoformat(timespec="seconds"),
        "by": by,
        "kg": dict(report["kg"]),
        "text": text,
        "claims": [mine],
        "triple": list(claim["triple"]),
        "verdict": {key: claim[key] for key in ("label", "confidence", "method")},
        "premise": " ".join(facts),
        "hypothesis": claim["text"],
        "label": _NLI[label],
        **_relation(text, mine, claim),
    }


def _passage(text: str, start: int, end: int) -> tuple[int, int, str]:
    if len(text) <= LONGEST:
        return 0, len(text), text
    inside = [one for one in paragraphs(text) if one[0] < end and start < one[1]]
    first, last = (inside[0][0], inside[-1][1]) if inside else (start, end)
    return first, last, text[first:last]


def _relation(text: str, mine: Json, claim: Mapping[str, Any]) -> Json:
    """Where head and tail stand and what is said of them, if both do and a statement names the relation."""
    spans = []
    for part in (claim["triple"][0], claim["triple"][2]):
        at = text.find(part, mine["start"], mine["end"]) if part else -1
        spans.append([at, at + len(part)])
    known = [one["labels"][1] for one in claim["evidence"] if one.get("role") in ("supports", "contradicts")]
    if not known or any(start < 0 for start, _ in spans) or mine["label"] == Label.EXTRAPOLATORY:
        return {}
    if mine["label"] != claim["label"]:
        return {}  # the words may have been read as another relation than they name
    return {"head": spans[0], "tail": spans[1], "relations": known[:1]}


def append(path: Path, row: Json) -> None:
    """Add a line; a reader never sees half of one, whoever else adds.

    :raises InputError: if the file cannot be written
    """
    try:
        with path.open("ab") as file:
            locked(file.fileno(), wait=True)
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = f"cannot write {path}: {(error.strerror or str(error)).lower()}"
        raise InputError(why, "give the server a folder where it may write") from None


def read(path: Path) -> list[Json]:
    """All reviews of a file, the oldest first; none where there is no file.

    :raises InputError: if a line is no review
    """
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = orjson.loads(line)
            if not (row[REVIEWED] and row["claims"][0]["label"] in set(Label) and row["verdict"]["label"]):
                raise KeyError(REVIEWED)
        except (ValueError, KeyError, TypeError, IndexError):
            raise InputError(f"{path}, line {number} is no review", "correct or remove that line") from None
        found.append(row)
    return found


def latest(rows: Iterable[Json]) -> list[Json]:
    """Of several reviews of a claim the last one."""
    return list({_key(row["text"], row["claims"][0], row["triple"]): row for row in rows}.values())


def of(report: Mapping[str, Any], rows: Iterable[Json]) -> dict[int, Json]:
    """The last review of each claim of a report, by its number; claims without one are left out."""
    known = {_key(row["text"], row["claims"][0], row["triple"]): row for row in rows}
    found = {}
    for number, claim in enumerate(report["claims"], 1):
        start, _, text = _passage(report["text"], claim["start"], claim["end"])
        mine = {"start": claim["start"] - start, "end": claim["end"] - start}
        if row := known.get(_key(text, mine, claim["triple"])):
            found[number] = row
    return found


def _key(text: str, span: Mapping[str, Any], triple: Iterable[str]) -> tuple[Any, ...]:
    return text, span["start"], span["end"], *triple


def as_gold(rows: Sequence[Json]) -> list[Json]:
    """Reviews as labelled passages, the claims of one text together; rows that are no reviews as they are."""
    reviews = latest(row for row in rows if REVIEWED in row)
    texts: dict[str, Json] = {}
    for row in reviews:
        whole = texts.setdefault(row["text"], {**row, "claims": []})
        whole["claims"] = sorted([*whole["claims"], *row["claims"]], key=lambda one: one["start"])
    return [*(row for row in rows if REVIEWED not in row), *texts.values()]


def accusations(rows: Iterable[Json]) -> tuple[int, int]:
    """How many verdicts of contradiction were reviewed, and how many of them were wrong."""
    accused = [row for row in latest(rows) if row["verdict"]["label"] == Label.CONTRADICTORY]
    return len(accused), sum(row["claims"][0]["label"] != Label.CONTRADICTORY for row in accused)


def at_most(wrong: int, of: int) -> float:
    """The share that the true one does not exceed, with 95 % certainty (Clopper and Pearson, one-sided).

    >>> round(at_most(2, 100), 3), round(at_most(0, 100), 3)
    (0.062, 0.03)
    """
    return highest(wrong, of, 1 - SURE)
