"""Verdicts for programs that wait for other things meanwhile."""

from __future__ import annotations

import asyncio

from kgstore.store import Store
from kgstore.verifier.pipeline import Verifier


def test_texts_at_the_same_time_get_their_own_reports_and_others_are_not_kept_waiting(small_kg):
    places = ["Cambridge", "London", "Paris"] * 4
    texts = [f"Douglas Adams was born in {place}." for place in places]
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async def all_of_them(verifier: Verifier):
        ticking = asyncio.ensure_future(tick())
        found = await asyncio.gather(*(verifier.averify(text, str(i)) for i, text in enumerate(texts)))
        ticking.cancel()
        return found

    with Store(small_kg) as store:
        verifier = Verifier(store, judge="none", reader="none")
        reports = asyncio.run(all_of_them(verifier))
        assert [(one.id, one.text) for one in reports] == [(str(i), text) for i, text in enumerate(texts)]
        assert [one.verdicts for one in reports] == [verifier.verify(text).verdicts for text in texts]
    assert {one.label for one in reports if "Cambridge" in one.text} == {"attributable"}
    assert ticks > len(texts)  # the loop went on turning


def test_an_error_reaches_who_awaits_and_the_next_text_is_verified(small_kg):
    with Store(small_kg) as store:
        verifier = Verifier(store, judge="none", reader="none")

        async def both():
            whole = await asyncio.gather(
                verifier.averify(None), verifier.averify("Douglas Adams was born in Paris."), return_exceptions=True
            )
            return whole

        wrong, report = asyncio.run(both())
    assert isinstance(wrong, Exception) and report.label == "contradictory"
