"""Claims found by a language model: one question for one text, or, with care, several.

Fast: the model lists the facts of the text. Careful: it also reads every sentence again for what was missed, and then
says of every fact whether the text asserts it; what it denies is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from kgstore.verifier.claims import Claim
from kgstore.verifier.llm.prompts import CHECK, FACTS, MISSED, Triple, about_facts, about_sentence
from kgstore.verifier.llm.reply import Found, ends, parse_answers, parse_reply, same_ends, to_propositions
from kgstore.verifier.llm.windows import Span, sentences, windows
from kgstore.verifier.protocols import ChatModel, LinkingExtractor
from kgstore.verifier.read.proposition import Proposition

MOST_WINDOWS = 32
"""Beyond so many windows in one text (about 20,000 words) the rules take over: a CPU would work for hours."""

DENIED = "denied by the model when asked again"

Said = TypeVar("Said", Claim, Proposition)

BEFORE = 300
"""Characters before a sentence that are shown with it, so that pronouns find their names."""


def opened(rules: LinkingExtractor, model: ChatModel | None, careful: bool) -> LlmExtractor:
    """See `kgstore.verifier.read.reading.EXTRACTORS`."""
    return LlmExtractor(model, rules, careful=careful)


class LlmExtractor:
    """An `Extractor` over any language model.

    ``notices`` tells what the last call left out or did otherwise than asked; empty when all went well.

    :param model: None sends every text to ``fallback``
    :param fallback: links what the model says, and reads the texts for which it gives nothing usable
    :param careful: read every sentence again, and check every fact; takes two to three times as long
    """

    def __init__(self, model: ChatModel | None, fallback: LinkingExtractor, *, careful: bool = False) -> None:
        self.model, self.fallback, self.careful = model, fallback, careful
        self.notices: list[str] = []

    def extract(self, text: str) -> list[Claim]:
        """Claims in reading order, each with its character span; ``[]`` when nothing is claimed."""
        said, why = self.read(text)
        if said is not None:
            return self.fallback.linked(text, said)
        self.notices.append(f"llama: {why}; the rules extractor read the text instead")
        return self.fallback.extract(text)

    def read(self, text: str) -> tuple[list[Proposition] | None, str]:
        """What the model says, or None and the reason why the model gave nothing usable."""
        self.notices = []
        if not text.strip():
            return [], ""
        if self.model is None:
            return None, "no GGUF model is given (--gguf or KGSTORE_GGUF)"
        spans = sentences(text)
        parts = list(windows(text, spans, [self.model.size(text[a:b]) for a, b in spans], self.model.room))
        if len(parts) > MOST_WINDOWS:
            return None, f"the text needs {len(parts)} calls of the model, more than {MOST_WINDOWS}"
        said, left_out = list[Proposition](), Counter[str]()
        for part in parts:
            found, out, why = self._facts(self.model, text, part)
            if why:
                return None, why
            left_out += out
            if self.careful:
                found += self._missed(self.model, text, part, found)
                kept = self.asserted(text, part, found)
                left_out[DENIED] += len(found) - len(kept)
                found = sorted(kept, key=lambda one: (one.start, ends(one)[1].start))
            said += found
        if left_out.total():
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()) if count)
            self.notices.append(f"llama: {left_out.total()} facts of the model left out ({reasons})")
        return said, ""

    def _facts(self, model: ChatModel, text: str, part: Span) -> tuple[list[Proposition], Counter[str], str]:
        """The facts of one window, what was left out, and why the reply is useless, or ""."""
        shown = text[slice(*part)]
        found, finished = parse_reply(model.ask(FACTS, shown, most_facts(len(sentences(shown)))))
        if not finished and not found:
            return [], Counter(), "the model's reply is not a list of facts"
        said, out = to_propositions(text, found, part)
        if found and not said:
            return [], out, f"none of the model's {len(found)} facts stands in the text"
        if not finished:
            self.notices.append("llama: the reply was cut off at its limit; facts after that are missing")
        return said, out, ""

    def _missed(
        self, model: ChatModel, text: str, part: Span, known: Sequence[Proposition]
    ) -> list[Proposition]:
        """What the model finds in each sentence when it sees what was found there. What cannot be placed is no loss."""
        more: list[Proposition] = []
        for a, b in sentences(text[slice(*part)]):
            start, end = part[0] + a, part[0] + b
            here = [one for one in known if start <= one.start < end]
            before = text[with_context(text, part[0], start) : start].strip()
            question = about_sentence(before, text[start:end], [told(text, one) for one in here])
            found, _ = parse_reply(model.ask(MISSED, question, most_facts(1)))
            said, _ = to_propositions(text, [one for one in found if _new(one, text, here)], (part[0], end))
            for one in said:
                if start <= one.start and not any(same_ends(one, other) for other in (*here, *more)):
                    more.append(one)
        return more

    def asserted(self, text: str, part: Span, claims: Sequence[Said]) -> list[Said]:
        """Those of the claims or propositions of which the model does not say that the text does not assert them."""
        if not claims or self.model is None:
            return list(claims)
        question = about_facts(text[slice(*part)], [told(text, claim) for claim in claims])
        answers = parse_answers(self.model.ask(CHECK, question, len(claims)))
        if len(answers) != len(claims):
            self.notices.append("llama: the model did not judge its facts; none was dropped")
            return list(claims)
        return [claim for claim, good in zip(claims, answers, strict=True) if good]

    def close(self) -> None:
        """Free what the model holds."""
        if self.model is not None:
            self.model.close()


def told(text: str, claim: Claim | Proposition) -> Triple:
    """What was said in words, with the name in place of a pronoun."""
    head, tail = (text[slice(*(end.refers_to or (end.start, end.end)))] for end in ends(claim))
    for hop in claim.bridge:
        head = f"the {hop.relation} of {head}"
    return head, claim.relation, tail


def with_context(text: str, first: int, start: int) -> int:
    """Where to begin showing a sentence that starts at ``start``: whole words before it, none before ``first``."""
    return first if start - first <= BEFORE else text.find(" ", start - BEFORE - 1, start) + 1 or start


def most_facts(sentences: int) -> int:
    """How many facts a text of so many sentences may give; a grammar alone would let a model repeat itself for ever."""
    return min(64, 4 + 4 * sentences)


def _new(found: Found, text: str, known: Sequence[Proposition]) -> bool:
    return (found.head, found.relation, found.tail) not in {told(text, claim) for claim in known}
