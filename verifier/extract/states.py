"""What a state has, by its adjective: "the German capital" is the capital of Germany."""

from __future__ import annotations

from verifier.extract.syntax import Word

_HAS = frozenset(
    "anthem capital chancellor currency emperor empress flag government king monarch parliament population premier "
    "president queen".split()
)
"""Not whoever somebody of that nationality may be, as "the German writer" is."""


def of_a_state(noun: Word) -> bool:
    """Does the noun name what a state has, and nobody's trade?"""
    prime = noun.lower == "minister" and any(word.lower == "prime" for word in noun.children)
    return noun.tag == "NN" and (prime or noun.lower in _HAS)
