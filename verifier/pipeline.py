"""From a text to a report: extract, decide, explain, correct, score."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from time import perf_counter

from kgstore.verifier.claims import Claim, Correction, Label, Mention, Passage, Verdict
from kgstore.verifier.decide.claim import decide
from kgstore.verifier.decide.combine import Combination, combination_of
from kgstore.verifier.decide.nli import METHOD, questions, second_opinions
from kgstore.verifier.decide.outcome import Tiers
from kgstore.verifier.decide.titles import spare_titles
from kgstore.verifier.judges.opening import DEFAULT, NONE, open_judge
from kgstore.verifier.kg.align import Aligner
from kgstore.verifier.kg.knowledge import Knowledge
from kgstore.verifier.kg.protocol import KnowledgeGraph
from kgstore.verifier.kg.retrieve import with_context
from kgstore.verifier.link.beings import Beings
from kgstore.verifier.link.said import with_said
from kgstore.verifier.link.whereabouts import located_places
from kgstore.verifier.methods.matching import matched, text_kas
from kgstore.verifier.methods.registry import AUTO, REGISTRY, MethodResult, open_method
from kgstore.verifier.protocols import ChatModel, Extractor, Judge
from kgstore.verifier.read.coverage import coverage
from kgstore.verifier.read.reading import Reading
from kgstore.verifier.read.steps import steps
from kgstore.verifier.reader import assertions as reading_of
from kgstore.verifier.reader import joining, walks
from kgstore.verifier.reader.asides import without_asides
from kgstore.verifier.reader.guide import Guide, placed
from kgstore.verifier.reader.meant import Meant
from kgstore.verifier.reader.opening import open_reader
from kgstore.verifier.reader.spared import spare_pronouns
from kgstore.verifier.report.correct import correction
from kgstore.verifier.report.report import Report
from kgstore.verifier.report.told import Telling, Told, apart, sentences
from kgstore.verifier.stages import RulesExtractor


class Verifier:
    """Checks texts against one store. Build one and keep it: the first text pays for loading, the others do not.

    :param reading: what finds the claims; the rules unless given
    :param judge: who is asked about claims that the rules leave open, see `kgstore.verifier.judges.opening`
    :param combination: weights for the probabilities, in place of the KG's own or the shipped ones
    :param method: how claims are decided, one of `kgstore.verifier.methods.registry.METHODS`
    :param matching: give each claim its TMS, too, and the KAS from these; takes two embedded sentences a claim
    :param complete: properties whose lists lack nothing, besides those of the KG's profile
    :param reader: what tells which relations a sentence asserts, see `kgstore.verifier.reader.opening`
    :param without: tiers that are switched off, see `kgstore.verifier.decide.outcome.tier`
    :raises ModelMissing: if a model that was asked for is not there
    :raises InputError: if ``complete``, or the profile, names a property that the KG does not have
    """

    def __init__(
        self,
        store: KnowledgeGraph,
        reading: Reading | None = None,
        judge: str | Path | None = None,
        combination: Combination | None = None,
        method: str = AUTO,
        matching: bool = False,
        complete: Iterable[str] = (),
        reader: str | Path | None = None,
        without: Iterable[str] = (),
    ) -> None:
        self.store = store
        self.without: Tiers = frozenset(without)
        self.named_reader = reader
        self.method = method
        self.matching = matching or REGISTRY[method].scored
        self.named_judge = judge
        if judge not in (None, DEFAULT):
            self.second  # noqa: B018  what is named must be there
        self.reading = reading or Reading()
        self.aligner = Aligner(store)
        self.knowledge = Knowledge(store, complete)
        self.combination = combination or combination_of(store.path)
        self.alone = Lock()  # one text at a time: taken by who calls from several threads

    @cached_property
    def rules(self) -> RulesExtractor:
        return RulesExtractor(self.store, self.aligner.is_noun, self.aligner.is_value, know=self.knowledge)

    @cached_property
    def extractor(self) -> Extractor:
        return self.reading.open(self.rules, self.language_model if self.reading.asks else None)

    @cached_property
    def language_model(self) -> ChatModel | None:
        """The language model that was named, None where none was; not loaded before it is asked."""
        return self.reading.model()

    @cached_property
    def second(self) -> Judge | None:
        """The judge, None where there is none."""
        return open_judge(self.named_judge)

    @cached_property
    def reader(self) -> Judge | None:
        """The relation reader, None where there is none."""
        return open_reader(self.named_reader)

    @cached_property
    def beings(self) -> Beings:
        return self.guide.beings

    @cached_property
    def guide(self) -> Guide:
        return Guide(self.knowledge, self.aligner)

    @cached_property
    def walks(self) -> walks.Walks:
        return walks.Walks(self.guide)

    def but(self, *, without: Iterable[str] | None = None, judge: Judge | None = None) -> Verifier:
        """One like this that shares all that was loaded and read, with other tiers off or another judge."""
        other = copy(self)
        if without is not None:
            other.without = frozenset(without)
        if judge is not None:
            other.second = judge
        return other

    def verify(self, text: str, id: str | None = None) -> Report:
        """A report on every claim of the text, in reading order."""
        start = perf_counter()
        claims, passages = self.read(text)
        notices = tuple(self.extractor.notices)
        if self.named_judge == DEFAULT and self.second is None:
            notices += ("no judge came with this installation: the rules alone decide",)
        extracted = perf_counter()
        judged = self._judged(text, claims, passages)
        decided = perf_counter()
        verdicts = self._explained(text, judged.verdicts)
        done = perf_counter()
        return Report(
            text,
            verdicts,
            entities(verdicts),
            self.store.identity,
            {"kas": text_kas(verdicts), **judged.scores},
            {
                "extract": round(1000 * (extracted - start), 2),
                "decide": round(1000 * (decided - extracted), 2),
                "context": round(1000 * (done - decided), 2),
                "total": round(1000 * (done - start), 2),
            },
            id,
            (*notices, *judged.notices),
            coverage(self.rules.outline(text), [verdict.claim for verdict in verdicts]),
        )

    async def averify(self, text: str, id: str | None = None) -> Report:
        """`verify` in a thread of its own, for programs that wait for other things meanwhile.

        Any number may be awaited at the same time; the texts are worked on one after the other. Do not call `verify` in
        another thread while one is awaited.
        """

        def alone() -> Report:
            with self.alone:
                return self.verify(text, id)

        return await asyncio.to_thread(alone)

    def stream(self, text: str, id: str | None = None) -> Iterator[Told | Report]:
        """For somebody who waits: the verdicts on one sentence after the other, by what stands in its paragraph, and at
        last the report of `verify`, which holds. Who "she" is may stand elsewhere: a sentence of which the rest of the
        text changes what was told is told again before that.
        """
        telling = Telling()
        for start, end in steps(text):
            for one in self._sentences(text[start:end]):
                yield from telling.news(one.moved(start))
        report = self.verify(text, id)
        starts = sentences(self.rules.outline(text))
        ends = [*starts[1:], len(text)]
        if telling.end:
            for start, end, verdicts in zip(starts, ends, apart(starts, report.verdicts), strict=True):
                yield from telling.news(Told(start, end, tuple(verdicts)))
        yield report

    def _sentences(self, text: str) -> Iterator[Told]:
        """The verdicts on each sentence of a paragraph, decided when they are asked for."""
        claims, passages = self.read(text)
        starts = sentences(self.rules.outline(text))
        ends = [*starts[1:], len(text)]
        for start, end, said, places in zip(starts, ends, apart(starts, claims), apart(starts, passages), strict=True):
            judged = self._judged(text, said, places)
            yield Told(start, end, tuple(self._explained(text, judged.verdicts)))

    def claims(self, text: str) -> list[Claim]:
        """What the grammar or a language model finds the text to claim, with the entities that its names may mean."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[list[Claim], list[Passage]]:
        """The claims of a text in reading order, and its sentences with what they speak of."""
        claims, passages = self.rules.read(text)
        if self.extractor is not self.rules:
            claims = self.extractor.extract(text)
        return claims, [placed(one, claims) for one in located_places(text, passages, self.knowledge)]

    def _judged(self, text: str, claims: Sequence[Claim], passages: Sequence[Passage]) -> MethodResult:
        if self.method == AUTO:
            return MethodResult(tuple(self.verdicts(text, claims, passages)))
        return open_method(self.method)(text, claims, self)

    def verdicts(self, text: str, claims: Sequence[Claim], passages: Sequence[Passage] = ()) -> list[Verdict]:
        """What all tiers together make of the claims of a text, without corrections and paths.

        :param passages: sentences that the relation reader shall read, too
        """
        self.guide.expect(passages)
        ruled = [self._decided(claim) for claim in claims]
        asserted, heard = self._asserted(text, ruled, passages)
        judged = self._heard(text, spare_titles(asserted, self.knowledge, ruled), heard)
        meant = spare_pronouns(
            text, judged, passages, self._decided, self.beings, lambda: self.rules.outline(text).mentions or ()
        )
        meant = Meant(self.knowledge, self.beings, self.rules.demonyms).spare(text, meant, passages)
        return without_asides([self.combination.weigh(one) for one in meant], passages, self.aligner)

    def _asserted(
        self, text: str, verdicts: list[Verdict], passages: Sequence[Passage]
    ) -> tuple[list[Verdict], reading_of.Heard]:
        """The verdicts after the relation reader was heard, and all that it was asked."""
        if reading_of.METHOD in self.without or not passages or self.reader is None:
            return verdicts, {}
        made, heard = reading_of.assertions(text, passages, self.guide, self.reader, verdicts)
        heeded = [reading_of.withheld(one, heard, self.aligner, made) for one in verdicts]
        joined = joining.joined(heeded, made, self._decided, self.knowledge)
        if not walks.learnt(self.reader):
            return joined, heard
        steps = walks.walked(text, passages, self.walks, self.reader, self._decided, joined, heard)
        return walks.joined(joined, steps, self._decided), heard

    def judge(self, claim: Claim) -> Verdict:
        """The verdict of the rules on one claim, with its probabilities."""
        return self.combination.weigh(self._decided(claim))

    def _decided(self, claim: Claim) -> Verdict:
        return decide(claim, self.knowledge, self.aligner, self.without)

    def _heard(self, text: str, verdicts: list[Verdict], heard: reading_of.Heard) -> list[Verdict]:
        """The verdicts after the judge has been asked, if there is a judge and anything that it could decide.

        :param heard: what the reader denies the judge does not support
        """
        if METHOD in self.without or self.named_judge == NONE:
            return verdicts
        asked = questions(text, verdicts, self.knowledge, self.aligner)
        if not asked or self.second is None:
            return verdicts
        judged = second_opinions(verdicts, asked, self.second)
        if self.reader is None or reading_of.METHOD in self.without:
            return judged
        pairs = zip(verdicts, judged, strict=True)
        denied = partial(reading_of.is_denied, heard=heard, text=text, store=self.store)
        return [before if denied(after) else after for before, after in pairs]

    def _explained(self, text: str, verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
        """The verdicts with corrections, with paths, and with scores where these are wanted."""
        found = tuple(with_context(self._corrected(text, verdict), self.store) for verdict in verdicts)
        exact = REGISTRY[self.method].scored  # others have the score beside theirs
        return matched(text, found, self.store, exact) if self.matching else found

    def _corrected(self, text: str, verdict: Verdict) -> Verdict:
        """The verdict with the smallest edit that makes the claim true, if the edited claim is verified again."""
        if verdict.label is not Label.CONTRADICTORY:
            return verdict
        edit = correction(text, verdict, self.store)
        if edit is None:
            return verdict
        mended = with_said(text, self._mended(verdict.claim, edit))
        return replace(verdict, correction=edit) if self.judge(mended).label is Label.ATTRIBUTABLE else verdict

    def _mended(self, claim: Claim, edit: Correction) -> Claim:
        """The claim as the edit makes it; the rest of the text, which may be long, is not read again."""
        named = [one for one in self.rules.mentions(edit.text) if one.candidates or one.value is not None]
        for end in ("tail", "head"):
            mention: Mention = getattr(claim, end)
            if edit.start < mention.end and mention.start < edit.end:
                new = named[0] if named else Mention(0, len(edit.text), edit.text)
                new = replace(mention, text=new.text, candidates=new.candidates, value=new.value)
                return replace(claim, tail=new) if end == "tail" else replace(claim, head=new)
        return replace(claim, negated=False)


def entities(verdicts: Iterable[Verdict]) -> tuple[Mention, ...]:
    """Every linked mention once, in reading order; the candidate that its first verdict took it for comes first."""
    found: dict[tuple[int, int], Mention] = {}
    for verdict in verdicts:
        for mention, meant in ((verdict.claim.head, verdict.head), (verdict.claim.tail, verdict.tail)):
            if mention.candidates and not mention.is_implied:
                others = (one for one in mention.candidates if one != meant)
                chosen = mention if meant is None else replace(mention, candidates=(meant, *others))
                found.setdefault((mention.start, mention.end), chosen)
    return tuple(found[span] for span in sorted(found))
