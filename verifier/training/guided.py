"""What a graph of the world would accuse true sentences of: another value of a property than the graph's own.

Of two names of a Wikipedia sentence that the graph does not link, the guide asks for the properties whose one value is
another ("The continent of Denmark is Norway"). What the sentence is known to say apart, it says none of them; these are
the questions on which a false accusation would hang.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.reader.doubts import doubtful
from kgstore.verifier.reader.guide import named_in
from kgstore.verifier.training.pairs import Pair

SOURCE = "guided"
TRUE = Path("altered_texts", "chosen_on.jsonl")
"""In the project's own data: short texts in which everything is true."""
_UNASSERTED = (1, 2)


def guided(store: Store, sentences: Iterable[Mapping]) -> Iterator[Pair]:
    """Pairs of sentences (``text`` and, as those of TekGen, ``triples``) with what the KG would hold against them."""
    verifier = Verifier(store, judge="none", reader="none")
    guide = verifier.guide
    for sentence in sentences:
        text = sentence["text"]
        known = {one["property_label"].strip() for one in sentence.get("triples", ())}
        _, passages = verifier.read(text)
        guide.expect(passages)
        named = named_in(passages)
        for passage in passages:
            for one in guide.questions(text, passage, named):
                if one.against and not doubtful(text, one.head, one.tail, one.against):
                    for iri in one.properties:
                        if guide.aligner.properties[iri].label not in known:
                            yield Pair(*guide.said(one, iri), _UNASSERTED, SOURCE)
