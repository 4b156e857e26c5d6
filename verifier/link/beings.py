"""What the KG says a thing is that a text may mean: its classes by name, whether it is a person, of which gender."""

from __future__ import annotations

import re

from kgstore.catalog import fold
from kgstore.model import Time
from kgstore.verifier.claims import Mention
from kgstore.verifier.english.words import words
from kgstore.verifier.kg.protocol import KnowledgeGraph


class Beings:
    """Asked of one store; what was looked up once is kept."""

    def __init__(self, store: KnowledgeGraph) -> None:
        self.store = store
        # a table says "doctor" where Wikidata says "human", of whom that is an occupation
        nouns = frozenset() if store.profile.wikibase else words("beings.staff")
        self.persons = frozenset(store.profile.person) | nouns
        self._names: dict[str, frozenset[str]] = {}

    def is_person(self, mention: Mention) -> bool:
        """Does the KG know the likeliest entity of a mention as a person?"""
        return self.is_one(mention, self.persons)

    def is_one(self, mention: Mention, classes: frozenset[str]) -> bool:
        """Does the KG know the likeliest entity of a mention as one of these classes, named in lower case?"""
        return bool(self.kinds(mention) & classes)

    def kinds(self, mention: Mention) -> frozenset[str]:
        """Names of the types (and types above) and of the occupations of what is meant, folded."""
        if not mention.candidates:
            return frozenset()
        iri = mention.candidates[0].iri
        if iri not in self._names:
            store = self.store
            direct = store.instance_types(iri)
            types = set(direct).union(*(store.supertypes(one, 3) for one in direct))
            callings = store.profile.occupation
            types |= {
                statement.value.value
                for statement in store.statements(iri)
                if hasattr(statement.value, "value") and store.label(statement.predicate.value) in callings
            }
            self._names[iri] = frozenset(fold(store.label(one)) for one in types)
        return self._names[iri]

    def born(self, mention: Mention) -> int | None:
        """The year in which the KG has the likeliest entity of a mention born; None where it does not say."""
        births = words("beings.births")
        for statement in self.store.statements(mention.candidates[0].iri) if mention.candidates else ():
            if isinstance(statement.value, Time) and fold(self.store.label(statement.predicate.value)) in births:
                return int(re.match(r"[+-]?\d+", statement.value.iso)[0])  # type: ignore[index]
        return None

    def gender(self, mention: Mention) -> str:
        """``female``, ``male``, or "" where the KG does not say."""
        if not mention.candidates:
            return ""
        genders = self.store.profile.gender
        for statement in self.store.statements(mention.candidates[0].iri):
            if self.store.label(statement.predicate.value) in genders and hasattr(statement.value, "value"):
                label = self.store.label(statement.value.value)
                return "female" if "female" in label else "male" if "male" in label else ""
        return ""
