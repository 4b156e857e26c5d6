"""Verdicts and facts as parts of LangChain: a step behind a model, a tool of an agent, a retriever (extra langchain).

A verifier works on one text at a time: LangChain may call these from many threads, they wait for each other.
"""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool

from kgstore.prefixes import compact
from kgstore.verifier.methods.enrich import current, named_in, select, tellable
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import Report


def verifying(verifier: Verifier) -> Runnable[Any, Report]:
    """The report on what comes: a text, or a model's message. ``prompt | model | verifying(verifier)``."""
    return RunnableLambda(lambda said: _verified(verifier, said), lambda said: verifier.averify(_text(said)), "verify")


def verify_tool(verifier: Verifier) -> BaseTool:
    """A tool that an agent checks its answers with before it gives them; what it returns is JSON."""

    def checked(text: str) -> dict[str, Any]:
        return _brief(_verified(verifier, text))

    async def awaited(text: str) -> dict[str, Any]:
        return _brief(await verifier.averify(text))

    about = (
        "Checks each claim of an English text against a knowledge graph. label: attributable (the graph supports it), "
        "contradictory (the graph excludes it, correction says what would be right) or extrapolatory (it does not say)."
    )
    return StructuredTool.from_function(checked, awaited, name="verify_claims", description=about)


class FactsRetriever(BaseRetriever):
    """Facts about the entities that a question names, closest to it first, each a sentence with its statement.

    >>> FactsRetriever.model_fields["k"].default
    5

    :param verifier: whose graph is asked
    :param k: so many documents at most
    """

    verifier: Any
    k: int = 5

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        verifier = self.verifier
        store = verifier.store
        with verifier.alone:
            named = named_in(verifier.rules.mentions(query))
            known = [one for iri in named for one in current(iri, verifier.knowledge) if tellable(one, store)]
            facts = select(query, known, named, store, self.k, self.k)
        return [
            Document(
                fact.sentence,
                metadata={
                    "subject": fact.statement.subject.value,
                    "property": fact.statement.predicate.value,
                    "id": compact(fact.statement.subject.value),
                    "similarity": round(fact.similarity, 4),
                    "kg": store.identity["name"],
                },
            )
            for fact in facts
        ]


def _text(said: Any) -> str:
    return str(said.text) if isinstance(said, BaseMessage) else str(said)


def _verified(verifier: Verifier, said: Any) -> Report:
    with verifier.alone:
        return verifier.verify(_text(said))


def _brief(report: Report) -> dict[str, Any]:
    claims = [
        {"claim": one.claim.text, "label": one.label.value, "confidence": round(one.confidence, 3), "why": one.reason}
        | ({"correction": one.correction.text} if one.correction else {})
        for one in report.verdicts
    ]
    return {"label": report.label, "claims": claims}
