"""Which relations a row of training asks about, and by which of their names."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

import numpy as np

from kgstore.embedding import load_embedder
from kgstore.model import NamedNode
from kgstore.store import Store
from kgstore.verifier.training.reader_rows import Row, is_held_out, some

ASKED, ASKED_OF_NONE = 3, 1
"""Relations that are asked of a row which asserts one, and of one which asserts none."""
_SAME = 0.78
"""Labels that are as close in meaning as this are two names of one relation, more or less."""
_TOGETHER = 0.3
"""Where one relation holds between two things, another one that holds in so large a share of the cases is open."""
_NEAR = 12
RENAMED = 0.12
"""Share of the relations that are asked about by another name."""
_DROPPED = 0.05
"""Share of rows that are not asked about what they assert, so that the best of what is asked is not always right."""


class Names:
    """The relations of all rows, what is near to each, and what other names they have.

    :param store: a KG whose properties give aliases, and tell which relations hold together
    :param all_labels: keep no relation aside
    :param named: other names of relations, as owners of graphs give them, beside those of the store
    """

    def __init__(
        self,
        rows: Iterable[Row],
        store: Store,
        all_labels: bool = False,
        named: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        counted = Counter(label for row in rows for label in (*row.said, *row.rivals))
        self._barred = (lambda _: False) if all_labels else is_held_out
        self.labels = [one for one in counted if not self._barred(one)]
        self._number = {label: number for number, label in enumerate(self.labels)}
        items = store.catalog.properties().values()
        named = named or {}
        aliases: dict[str, Sequence[str]] = {item.label.lower(): item.aliases for item in items}
        self._aliases = aliases | {label.lower(): others for label, others in named.items()}
        vectors = load_embedder().embed(self.labels)
        like = vectors @ vectors.T
        self._same = {(int(a), int(b)) for a, b in np.argwhere(like >= _SAME)}
        self._of_one_name = _of_one_name(named)
        alike = ((self._number.get(a), self._number.get(b)) for a, b in self._of_one_name)
        self._same |= {(a, b) for a, b in alike if a is not None and b is not None}
        self._near = np.argsort(-like, axis=1)[:, 1 : _NEAR + 1]
        self._together = together(store)

    def asked(self, row: Row, chance: random.Random) -> list[tuple[str, bool]]:
        """Labels to ask about, and whether the row asserts them, in random order."""
        said = [one for one in row.said if not self._barred(one)]
        if said and chance.random() < _DROPPED:
            said, dropped = [], said
        else:
            dropped = []
        barred, most = {*row.said, *row.open, *dropped}, ASKED if row.said else ASKED_OF_NONE
        asked = dict.fromkeys(chance.sample(said, min(2, len(said))), True)
        rivals = [one for one in row.rivals if one in self._number and not (one in barred or self._near_to(one, row))]
        chance.shuffle(rivals)
        for one in rivals[:1]:
            asked.setdefault(one, False)
        seeds = [self._number[one] for one in (*row.said, *row.rivals[:1]) if one in self._number]
        near = [int(one) for seed in seeds for one in self._near[seed]]
        chance.shuffle(near)
        spare = [*near[:2], *(chance.randrange(len(self.labels)) for _ in range(ASKED))]
        for number in spare:
            label = self.labels[number]
            if len(asked) < most and label not in barred and not self._doubtful(number, row):
                asked.setdefault(label, False)
        shuffled = list(asked.items())
        chance.shuffle(shuffled)
        return shuffled

    def _near_to(self, label: str, row: Row) -> bool:
        """Is it another name for what the sentence may assert, or has it one in common with what it does?"""
        if any((one, label) in self._of_one_name for one in row.said):
            return True
        known = [self._number[one] for one in row.open if one in self._number]
        return any((one, self._number[label]) in self._same for one in known)

    def _doubtful(self, one: int, row: Row) -> bool:
        """May the sentence assert it, too?"""
        if row.source == "docred":
            return False
        label = self.labels[one].lower()
        said = [name for name in row.said if name in self._number]
        return any((self._number[name], one) in self._same for name in said) or any(
            self._together.get((name.lower(), label), 0) >= _TOGETHER for name in said
        )

    def shown(self, label: str, chance: random.Random, renamed: float = RENAMED) -> str:
        """The label, or another name in its place."""
        aliases, kind = list(self._aliases.get(label.strip().lower(), ())), chance.random()
        chance.shuffle(aliases)
        return aliases[0] if aliases and kind < renamed else label.strip()


def _of_one_name(named: Mapping[str, Sequence[str]]) -> set[tuple[str, str]]:
    """Labels that have a name in common, or one of which is a name of the other, either way round."""
    owners: dict[str, set[str]] = defaultdict(set)
    for label, others in named.items():
        for one in (label, *others):
            owners[one].add(label)
    return {pair for some in owners.values() for pair in permutations(some, 2)}


def together(store: Store) -> dict[tuple[str, str], float]:
    """P(another relation | a relation) between the same two things, by labels."""
    between: dict[tuple[str, str], set[str]] = defaultdict(set)
    items = store.catalog.properties()
    for item in items.values():
        if item.datatype == "entity":
            for triple in some(store, item.iri, 20_001):
                if isinstance(triple.object, NamedNode):
                    between[triple.subject.value, triple.object.value].add(item.label.lower())
    single: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for labels in between.values():
        single.update(labels)
        both.update((a, b) for a in labels for b in labels if a != b)
    return {pair: count / single[pair[0]] for pair, count in both.items() if count >= 5}
