"""Changes of a sentence's tree; the offsets of its words stay."""

from __future__ import annotations

from kgstore.verifier.read.parse import Word


def loosen(word: Word) -> None:
    """Take a word, with all that depends on it, out of the tree."""
    if word.head is not None:
        word.head.children.remove(word)
        word.head = None


def attach(word: Word, head: Word, dep: str) -> None:
    """Hang a word, with all that depends on it, below another one."""
    loosen(word)
    word.head, word.dep = head, dep
    head.children.append(word)
    head.children.sort(key=lambda child: child.start)
