"""Statements of a KG put into words by a local language model: rows for the relation reader.

    python -m kgstore.verifier.training.wordings --kg medium.kg --gguf MODEL.gguf --properties 800 -o wordings.jsonl

For each of the most frequent properties two statements are worded several times each. A sentence stays if it holds both
names once, and is no copy of another one. What is there already is not made again, so that one can stop at any time.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from kgstore.catalog import Property
from kgstore.model import NamedNode, Statement
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import Task

_SEED = 13
_KINDS = frozenset(("entity", "time", "quantity"))
_CODES = re.compile(r"\b(?:id|code|identifier|number of|category|template|topic's main|described by)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*")
_TASK = Task(
    "wordings",
    "You put statements of a knowledge graph into words. For each statement write different sentences as they could "
    "stand in an encyclopedia, each saying the fact in other words, with other verbs and another order. "
    "Write both names exactly as given. One sentence a line, nothing else.",
    (),
)
_ASKED = "Subject: {head}{about}\nRelation: {label}{meaning}\nValue: {tail}\nWrite {number} sentences."
_log = logging.getLogger(__name__)


def facts(store: Store, item: Property, number: int, chance: random.Random) -> list[tuple[str, str, str, str]]:
    """Statements of a property between named things: subject's IRI and name, its description, the value's words."""
    found = []
    for triple in store.match(None, store.profile.predicate_of(item.iri)):
        found.append(triple)
        if len(found) >= 400:
            break
    chance.shuffle(found)
    made: list[tuple[str, str, str, str]] = []
    for triple in found:
        subject = store.catalog.entity(triple.subject.value)
        if subject is None or not subject.label or len(subject.label) > 60:
            continue
        statement = next((one for one in store.statements(subject.iri) if _says(one, item, triple.object)), None)
        if statement is None:
            continue
        value = value_text(statement.value, store.label)
        if value and len(value) < 60 and value.lower() != subject.label.lower():
            made.append((subject.iri, subject.label, subject.description, value))
        if len(made) == number:
            break
    return made


def _says(statement: Statement, item: Property, value: Any) -> bool:
    if statement.predicate.value != item.iri:
        return False
    return not isinstance(value, NamedNode) or getattr(statement.value, "value", None) == value.value


def worded(reply: str, head: str, tail: str) -> Iterator[str]:
    """The sentences of a reply that hold both names once.

    >>> list(worded("1. Ann Smith was born in Graz.\\n2. She hails from Graz.", "Ann Smith", "Graz"))
    ['Ann Smith was born in Graz.']
    """
    for line in dict.fromkeys(_NUMBERED.sub("", line).strip().strip('"') for line in reply.splitlines()):
        if 20 < len(line) < 300 and line.endswith(".") and line.count(head) == 1 and line.count(tail) == 1:
            yield line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--properties", type=int, default=800)
    parser.add_argument("--facts", type=int, default=2, help="statements a property")
    parser.add_argument("--each", type=int, default=4, help="sentences a statement")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    done = {orjson.loads(line)["property"] for line in given.output.open("rb")} if given.output.exists() else set()
    model = LlamaModel(given.gguf)
    with Store(given.kg) as store, given.output.open("ab") as out:
        items = [one for one in store.catalog.properties().values() if one.datatype in _KINDS and one.label]
        items = sorted((one for one in items if not _CODES.search(one.label)), key=lambda one: -one.statements)
        for number, item in enumerate(items[: given.properties]):
            if item.iri in done:
                continue
            entity = store.catalog.entity(item.iri)
            meaning = f" ({entity.description})" if entity and entity.description else ""
            kept = 0
            for iri, head, about, tail in facts(store, item, given.facts, random.Random(f"{_SEED}{item.iri}")):
                asked = _ASKED.format(
                    head=head, about=f" ({about})" if about else "", label=item.label, meaning=meaning, tail=tail,
                    number=given.each,
                )  # fmt: skip
                for text in worded(model.write(_TASK, asked, 60 * given.each), head, tail):
                    row = {"property": item.iri, "label": item.label, "head_iri": iri, "head": head, "tail": tail}
                    out.write(orjson.dumps(row | {"text": text}) + b"\n")
                    kept += 1
            out.flush()
            if number % 10 == 0:
                _log.info("%d of %d properties: %s, %d sentences", number, given.properties, item.label, kept)


if __name__ == "__main__":
    main()
