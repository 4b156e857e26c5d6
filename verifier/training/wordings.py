"""Wordings for the relations of a graph, by a local language model: sentences with slots, as in ``data/sayings.jsonl``.

    python -m kgstore.verifier.training.wordings --kg medium.kg --gguf model.gguf -o data/wordings.jsonl

The model puts a statement of each of the most frequent properties into several sentences. One is kept if both ends
stand in it once and as they are, if it brings no other name or number, and if the reader or the judge takes it to say
so. Properties that are there already are left out, so that a run that was stopped goes on, and so are those that have
sayings written by hand (``--known``).
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from kgstore.catalog import Property
from kgstore.store import Store
from kgstore.verbalise import value_text
from kgstore.verifier.judges.labels import ENTAILS
from kgstore.verifier.judges.opening import open_judge
from kgstore.verifier.llm.llama import LlamaModel
from kgstore.verifier.llm.prompts import Task
from kgstore.verifier.protocols import ChatModel, Judge
from kgstore.verifier.reader.asking import Question, hypothesis
from kgstore.verifier.reader.opening import open_reader
from kgstore.verifier.training.reader_rows import read, some

SEED = 13
MOST = 800
"""Properties, the most frequent ones."""
_EACH = 1
"""Statements of a property that are put into words."""
_TOKENS = 200
_WORDS = 32
_BELIEVED = 0.3
"""P(asserted) by the reader, or P(entails) by the judge, from which a wording is kept."""
_TURNED = 0.1
"""So much less likely the statement the other way round must be, of the one that believes it."""
_LINE = re.compile(r"^\s*\d+[.)]\s*(.+?)\s*$", re.MULTILINE)
_OTHER = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+|\d")
"""Names and numbers that a model adds of its own."""
_INSTRUCTION = """\
Write five English sentences, numbered, each of which says the fact that is given and nothing else. Copy both ends
letter by letter, each once. Add no other names, dates or numbers. Make the five as different as you can: a plain one,
one that begins with the second end, one in chatty speech, one in unusual words, one with a subordinate clause."""
_EXAMPLES = (
    ("Glass Harbour | director (person who made the film) | Tom Reyes",
     "1. Glass Harbour was directed by Tom Reyes.\n"
     "2. Tom Reyes sat in the director's chair for Glass Harbour.\n"
     "3. You know Glass Harbour? That one is by Tom Reyes, of course.\n"
     "4. What we see in Glass Harbour took shape under the eye of Tom Reyes.\n"
     "5. When people praise Glass Harbour, they praise the work of Tom Reyes, who made it."),
    ("Lake Orta | elevation above sea level (height of the place) | 290 metres",
     "1. Lake Orta lies 290 metres above sea level.\n"
     "2. 290 metres is the height at which Lake Orta is found.\n"
     "3. To get to Lake Orta you only have to climb to 290 metres, believe it or not.\n"
     "4. The waters of Lake Orta rest at an altitude of 290 metres.\n"
     "5. Lake Orta, whose surface is 290 metres above the sea, is easy to reach."),
)  # fmt: skip
TASK = Task("wordings", _INSTRUCTION, _EXAMPLES)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement in words, of a property that has a description."""

    head: str
    tail: str


def facts(store: Store, item: Property, number: int, chance: random.Random) -> list[Fact]:
    """Statements whose ends have names that a sentence can hold, of different subjects."""
    found: dict[str, Fact] = {}
    for triple in some(store, item.iri, 200):
        entity = store.catalog.entity(triple.subject.value)
        values = [one for one in store.statements(triple.subject.value) if one.predicate.value == item.iri]
        tail = value_text(values[0].value, store.label) if values else ""
        if entity is not None and _short(entity.label) and _short(tail) and not _alike(entity.label, tail):
            found[entity.label] = Fact(entity.label, tail)
    return chance.sample(list(found.values()), min(number, len(found)))


def _short(name: str) -> bool:
    return 1 < len(name) < 36 and "," not in name and "://" not in name


def _alike(one: str, other: str) -> bool:
    return one.lower() in other.lower() or other.lower() in one.lower()


def templates(reply: str, fact: Fact) -> Iterator[str]:
    """The sentences of a reply with slots in place of the two ends; only such as have both once, and no other name.

    >>> list(templates("1. Ann was born in Graz.\\n2. Ann saw Rome.", Fact("Ann", "Graz")))
    ['{head} was born in {tail}.']
    """
    for sentence in _LINE.findall(reply):
        found = sentence
        for name, slot in ((fact.head, "{head}"), (fact.tail, "{tail}")):
            if len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", found)) != 1:
                break
            found = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", slot, found)
        else:
            rest = re.sub(r"\{(?:head|tail)\}", "x", found)
            if not _OTHER.search(rest) and len(found.split()) <= _WORDS and found[-1] in ".!?":
                yield found


def believed(template: str, label: str, fact: Fact, judges: Sequence[Judge]) -> bool:
    """Does one of the judges take the sentence to say so, and not the other way round?"""
    text = template.replace("{head}", fact.head).replace("{tail}", fact.tail)
    head, tail = text.index(fact.head), text.index(fact.tail)
    ends = (head, head + len(fact.head)), (tail, tail + len(fact.tail))
    pairs = [(text, hypothesis(Question(text, *way), label)) for way in (ends, ends[::-1])]
    for judge in judges:
        says, turned = judge.judge(pairs)[:, ENTAILS]
        if says >= _BELIEVED and says >= turned + _TURNED:
            return True
    return False


def make(
    store: Store, model: ChatModel, judges: Sequence[Judge], output: Path, most: int, known: Path | None = None
) -> None:
    """Write a line for each property; go on where a run ended."""
    files = [one for one in (output, known) if one is not None and one.exists()]
    done = {line["label"].lower() for path in files for line in read(path)}
    items = [
        one for one in sorted(store.catalog.properties().values(), key=lambda one: -one.statements)
        if one.label and one.datatype in ("entity", "time", "quantity", "string", "text") and one.statements
    ][:most]  # fmt: skip
    items = [one for one in items if one.label.lower() not in done]
    started = time.monotonic()
    with output.open("ab") as lines:
        for number, item in enumerate(items, 1):
            chance = random.Random(f"{SEED} {item.iri}")
            says: dict[str, None] = {}
            for fact in facts(store, item, _EACH, chance):
                about = f" ({item.description})" if item.description else ""
                reply = model.write(TASK, f"{fact.head} | {item.label}{about} | {fact.tail}", _TOKENS)
                kept = [one for one in templates(reply, fact) if believed(one, item.label, fact, judges)]
                says |= dict.fromkeys(kept)
            tail = {"time": "date", "quantity": "amount"}.get(item.datatype) or _kind(store, item.object_types)
            line = {"label": item.label, "head": _kind(store, item.subject_types), "tail": tail, "says": list(says)}
            line["near"] = []
            lines.write(orjson.dumps(line) + b"\n")
            lines.flush()
            if number % 10 == 0:
                left = (len(items) - number) * (time.monotonic() - started) / number
                _log.info("%d of %d properties, %d minutes left", number, len(items), left / 60)


def _kind(store: Store, types: Sequence[tuple[str, float]]) -> str:
    """What the ends of a property usually are, in words."""
    return store.label(types[0][0]) if types else "thing"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--gguf", type=Path, required=True, help="an instruct model")
    parser.add_argument("--known", type=Path, help="sayings whose relations are left out")
    parser.add_argument("--most", type=int, default=MOST, help="properties")
    parser.add_argument("--threads", type=int)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    judges = [one for one in (open_reader(None), open_judge(None)) if one is not None]
    with Store(given.kg, read_only=True) as store:
        make(store, LlamaModel(given.gguf, threads=given.threads), judges, given.output, given.most, given.known)


if __name__ == "__main__":
    main()
