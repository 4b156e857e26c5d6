"""A place, said by the country or the continent that it lies in: "the town where she was born is in Libya"."""

from __future__ import annotations

from dataclasses import replace

from kgstore.catalog import Property
from kgstore.verifier.claims import Candidate
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.reader.asking import Question, hypothesis

_ITSELF = 0.5
"""Share of a property's values of the kind from which a country is what it asks for, and not where that lies."""


def around(know: Knowledge, aligner: Aligner, item: Property, tail: Candidate | None) -> str:
    """The label of the property that says in what a value of ``item`` lies, where the tail is such a country or
    continent; "" where the tail would be the value itself, or is none.
    """
    level = know.level(tail.iri) if tail is not None and item.datatype == "entity" and know.lets_lie(item) else ""
    if not level or level == item.iri or tail is None:
        return ""
    kinds = aligner.types(tail.iri)
    itself = any(kind in kinds and share >= _ITSELF for kind, share in item.object_types)
    return "" if itself else know.store.label(level)


def said_around(question: Question, label: str, level: str) -> tuple[str, str]:
    """The sentence, and that the value of a relation lies there, for a judge.

    >>> said_around(Question("Ann was born in an Asian town.", (0, 3), (19, 24)), "place of birth", "continent")[1]
    'The continent of the place of birth of Ann is Asian.'
    """
    return question.text, hypothesis(replace(question, through=label), level)
