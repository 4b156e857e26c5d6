"""Folders for a prose scorer from texts with their facts, such as those of `data/prose_crowd`: short crowd-like texts
with DBpedia-like properties.

Run:    python -m tests.bench.prose_crowd OUT [--texts FOLDER]
Writes: OUT/first, OUT/second, OUT/first-bare and OUT/second-bare, each with claims.jsonl, kg.nt.gz, kg_altered.nt.gz
        and kg_crossed.nt.gz. In a bare one predicates have no labels, nothing has a type, and literals are strings.

The graph holds the triples of both halves and the background facts. In `kg_altered` every third text has a triple with
another value, and every third one lacks a triple; in `kg_crossed` the two ends of some are joined by another property
of the same domain and range. Nothing is random.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from kgstore.verbalise import readable

DATA = Path(__file__).parents[2] / "data" / "prose_crowd"
HOME = "http://example.org/crowd/"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ALIKE = (("occupation", "profession"), ("club", "currentclub", "formerTeam", "debutTeam"), ("tenant", "currentTenants"))
"""Properties that say the same, or as good as."""
XSD = "http://www.w3.org/2001/XMLSchema#"


class Fact(NamedTuple):
    head: str
    property: str
    tail: str  # in quotation marks if a literal

    @property
    def value(self) -> str | None:
        """The literal's text, or None if the tail is a thing."""
        return self.tail[1:-1] if self.tail.startswith('"') else None


class Entry(NamedTuple):
    """A text with its facts; which of them the altered and the crossed graph change, and into what."""

    name: str
    text: str
    facts: list[Fact]
    changed: Fact | None
    into: Fact | None  # None: gone
    crossed: Fact | None
    across: str  # the other property; "" if none


def kinds(texts: Path) -> dict[str, tuple[str, str]]:
    lines = (texts / "properties.tsv").read_text(encoding="utf-8").splitlines()
    return {name: (domain, values) for name, domain, values in (line.split("\t") for line in lines)}


def background(texts: Path) -> list[Fact]:
    found = []
    for line in (texts / "background.tsv").read_text(encoding="utf-8").splitlines():
        name, pairs = line.split("\t")
        found += [Fact(head, name, tail) for head, tail in (pair.split(" > ") for pair in pairs.split("; "))]
    return found


def written(texts: Path, half: str) -> list[tuple[str, list[Fact]]]:
    """Text and facts of each block of a half's file."""
    blocks = (texts / f"{half}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    lines = [block.split("\n") for block in blocks]
    return [(text, [Fact(*line.split(" | ")) for line in own]) for text, *own in lines]


def another(fact: Fact, facts: list[Fact], kind: dict[str, tuple[str, str]]) -> Fact | None:
    """The fact with another value: one of the same property or range, or a shifted number or date."""
    own = {one.tail for one in facts if (one.head, one.property) == (fact.head, fact.property)}
    if fact.value is not None and kind[fact.property][1] != "string":
        first = re.search(r"\d+(?:\.\d+)?", fact.value)
        assert first, fact
        number = first.group()
        if kind[fact.property][1] == "date":
            year = re.search(r"\d{4}", fact.value)
            assert year, fact
            return fact._replace(tail=fact.tail.replace(year.group(), str(int(year.group()) + 7)))
        other = f"{float(number) * 1.3:.2f}" if "." in number else str(int(int(number) * 1.3) + 1)
        return fact._replace(tail=fact.tail.replace(number, other))
    same = [one.tail for one in facts if one.property == fact.property and one.tail not in own]
    like = [one.tail for one in facts if kind[one.property][1] == kind[fact.property][1] and one.tail not in own]
    like = [one for one in like if one.startswith('"') == (fact.value is not None) and one != fact.head]
    chosen = same or (like if fact.value is None else [])
    return fact._replace(tail=chosen[len(fact.head) % len(chosen)]) if chosen else None


def neighbour(fact: Fact, facts: set[Fact], kind: dict[str, tuple[str, str]]) -> str:
    """A property with the same domain and range that does not hold of the two; "" if there is none."""
    alike = next((one for one in ALIKE if fact.property in one), ())
    found = [
        one
        for one in kind
        if kind[one] == kind[fact.property] and one != fact.property and kind[one][0] != "*" and one not in alike
    ]
    found = [one for one in found if fact._replace(property=one) not in facts]
    return found[len(fact.head) % len(found)] if found and fact.value is None else ""


def entries(texts: Path, half: str, facts: list[Fact], kind: dict[str, tuple[str, str]]) -> list[Entry]:
    made = []
    for place, (text, own) in enumerate(written(texts, half)):
        order = own[place % len(own) :] + own[: place % len(own)]
        changed, into = (order[0], None) if place % 3 == 1 else (None, None)
        if place % 3 == 0:
            tried = [(one, another(one, facts, kind)) for one in order]
            changed, into = next(((one, new) for one, new in tried if new), (None, None))
        crossing = next(((one, new) for one in order if (new := neighbour(one, set(facts), kind))), (None, ""))
        made.append(Entry(f"{half}_{place}", text, own, changed, into, *crossing))
    return made


def iri(name: str, under: str = "") -> str:
    return HOME + under + quote(name.replace(" ", "_"), safe="(),.'&!:-")


def literal(fact: Fact, kind: dict[str, tuple[str, str]], bare: bool) -> str:
    value = fact.value or ""
    typed = json.dumps(value, ensure_ascii=False)
    for pattern, name in ((r"\d{4}-\d\d-\d\d", "date"), (r"\d+\.\d+", "double"), (r"\d+", "integer")):
        if not bare and kind[fact.property][1] != "string" and re.fullmatch(pattern, value):
            year = name == "integer" and kind[fact.property][1] == "date"
            return f"{typed}^^<{XSD}{'gYear' if year else name}>"
    return typed


def stated(facts: list[Fact], kind: dict[str, tuple[str, str]], bare: bool) -> set[str]:
    """N-Triples of the facts."""
    tails = [literal(fact, kind, bare) if fact.value is not None else f"<{iri(fact.tail)}>" for fact in facts]
    heads = [f"<{iri(fact.head)}> <{iri(fact.property, 'property/')}>" for fact in facts]
    return {f"{head} {tail} ." for head, tail in zip(heads, tails, strict=True)}


def named(facts: list[Fact], kind: dict[str, tuple[str, str]], bare: bool) -> set[str]:
    """N-Triples of the labels of the facts' things, and unless bare of their types and the labels of properties."""
    lines = set()
    for fact in facts:
        domain, values = kind[fact.property]
        things = [(fact.head, domain)] + ([(fact.tail, values)] if fact.value is None else [])
        for name, a_kind in things:
            lines.add(f"<{iri(name)}> {LABEL} {json.dumps(name, ensure_ascii=False)}@en .")
            if not bare and a_kind != "*":
                lines.add(f"<{iri(name)}> {TYPE} <{iri(a_kind, 'class/')}> .")
                lines.add(f"<{iri(a_kind, 'class/')}> {LABEL} {json.dumps(readable(a_kind))}@en .")
        if not bare:
            words = json.dumps(readable(fact.property), ensure_ascii=False)
            lines.add(f"<{iri(fact.property, 'property/')}> {LABEL} {words}@en .")
    return lines


def row_of(entry: Entry) -> dict:
    triples = []
    for fact in entry.facts:
        triple = {"head": iri(fact.head), "head_name": fact.head, "property": iri(fact.property, "property/")}
        triple["property_label"] = readable(fact.property)
        thing = fact.value is None
        triple |= {"tail": iri(fact.tail) if thing else None, "tail_name": fact.tail if thing else fact.value}
        if fact == entry.changed:
            triple["altered"] = "replaced" if entry.into else "removed"
            triple |= {"altered_to": entry.into.value or entry.into.tail} if entry.into else {}
        if fact == entry.crossed:
            triple["crossed_to"] = entry.across
        triples.append(triple)
    altered = "none" if entry.changed is None else "replaced" if entry.into else "removed"
    return {"id": entry.name, "text": entry.text, "altered": altered, "triples": triples}


def write(folder: Path, made: list[Entry], facts: list[Fact], kind: dict[str, tuple[str, str]], bare: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [json.dumps(row_of(one), ensure_ascii=False) + "\n" for one in made]
    (folder / "claims.jsonl").write_text("".join(rows), encoding="utf-8")
    altered = {one.changed: one.into for one in made if one.changed}
    crossed = {one.crossed: one.crossed._replace(property=one.across) for one in made if one.crossed}
    graphs = {"kg": facts, "kg_altered": [new for one in facts if (new := altered.get(one, one))]}
    graphs["kg_crossed"] = [crossed.get(one, one) for one in facts]
    for name, held in graphs.items():
        text = "\n".join(sorted(named(facts, kind, bare) | stated(held, kind, bare))) + "\n"
        (folder / f"{name}.nt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--texts", type=Path, default=DATA, help="folder of the texts, their properties and more facts")
    given = parser.parse_args()
    kind = kinds(given.texts)
    halves = ("first", "second")
    facts = [fact for half in halves for _, own in written(given.texts, half) for fact in own]
    facts += background(given.texts)
    facts = list(dict.fromkeys(facts))
    for half in halves:
        made = entries(given.texts, half, facts, kind)
        write(given.out / half, made, facts, kind, bare=False)
        write(given.out / f"{half}-bare", made, facts, kind, bare=True)


if __name__ == "__main__":
    main()
