"""The parts for LangChain, against the real package."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("langchain_core")
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate

from kgstore.store import Store
from kgstore.verifier.langchain import FactsRetriever, verify_tool, verifying
from kgstore.verifier.pipeline import Verifier

TEXT = "Douglas Adams was born in London. Douglas Adams died in 2001."


@pytest.fixture(scope="module")
def verifier(small_kg):
    with Store(small_kg) as store:
        yield Verifier(store, judge="none", reader="none")


def test_a_chain_ends_in_a_report_on_what_the_model_said(verifier):
    prompt = ChatPromptTemplate.from_messages([("human", "Where was {who} born?")])
    chain = prompt | FakeListChatModel(responses=[TEXT]) | verifying(verifier)
    report = chain.invoke({"who": "Douglas Adams"})
    assert report.text == TEXT and report.label == "contradictory"
    assert [one.label.value for one in report.verdicts] == ["contradictory", "attributable"]
    assert verifying(verifier).invoke(AIMessage([{"type": "text", "text": TEXT}])).text == TEXT


def test_batches_of_threads_and_tasks_give_what_one_after_the_other_gives(verifier):
    texts = [TEXT, "The capital of Belgium is Brussels.", "Walt Disney died in Paris."] * 2
    step = verifying(verifier)
    expected = [verifier.verify(text).label for text in texts]
    assert [one.label for one in step.batch(texts)] == expected

    async def together():
        return await step.abatch(texts)

    assert [one.label for one in asyncio.run(together())] == expected


def test_an_agents_tool_returns_verdicts_with_corrections(verifier):
    tool = verify_tool(verifier)
    assert tool.name == "verify_claims" and set(tool.args) == {"text"}
    found = tool.invoke({"text": TEXT})
    assert found["label"] == "contradictory"
    wrong, right = found["claims"]
    assert wrong["correction"] == "Cambridge" and "Cambridge" in wrong["why"] and "correction" not in right
    assert asyncio.run(tool.ainvoke({"text": TEXT})) == found


def test_the_retriever_finds_facts_about_what_is_named(verifier):
    found = FactsRetriever(verifier=verifier, k=3).invoke("Where was Douglas Adams born?")
    assert len(found) == 3 and any("Cambridge" in one.page_content for one in found)
    first = found[0].metadata
    assert first["id"] == "Q42" and first["kg"] == "wikidata-small" and 0 < first["similarity"] <= 1
    assert [one.metadata["similarity"] for one in found] == sorted(one.metadata["similarity"] for one in found)[::-1]
    assert FactsRetriever(verifier=verifier).invoke("Why?") == []


def test_the_retriever_may_be_asked_from_many_threads(verifier):
    retriever = FactsRetriever(verifier=verifier)
    questions = ["Where was Douglas Adams born?", "What is the capital of Belgium?"] * 4
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(retriever.invoke, questions))
    assert answers[::2] == [answers[0]] * 4 and answers[1::2] == [answers[1]] * 4 and answers[1]


def test_the_adapter_is_short():
    from kgstore.verifier import langchain

    assert len(Path(langchain.__file__).read_text(encoding="utf-8").splitlines()) < 100
