"""What the tests of the HTML page share: reports made by hand, and a page read as a browser reads it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

from kgstore.cli.html.page import page

Json = dict[str, Any]
VOID = re.compile(r"\s+")


def dom(html: str) -> Element:
    """The page's ``html`` element; markup that a browser would have to repair is an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)


def words(element: Element) -> str:
    """All text in it."""
    return "".join(element.itertext())


def said(element: Element) -> str:
    """All text in it, blanks folded."""
    return VOID.sub(" ", words(element)).strip()


def of_class(root: Element, name: str) -> list[Element]:
    return [one for one in root.iter() if name in (one.get("class") or "").split()]


def text_of(root: Element) -> str:
    """The annotated text without the numbers of its claims."""
    [text] = [one for one in root.iter("div") if one.get("class") == "text"][:1]
    parts = [text.text or ""]
    for child in text:
        parts += ["" if child.get("class") == "chips" else words(child), child.tail or ""]
    return "".join(parts)


def statement(subject: str, predicate: str, value: str, role: str | None = None, **more: Any) -> Json:
    """A statement of a report; its ids are made of its words."""
    ids = [part.upper() for part in (subject, predicate, value)]
    rest = {"statement": None, "rank": "normal", "qualifiers": [], "references": []}
    fact = dict(zip(("subject", "predicate", "object"), ids, strict=True)) | {"labels": [subject, predicate, value]}
    return fact | rest | ({"role": role} if role else {}) | more


def claim(start: int, end: int, label: str = "attributable", **more: Any) -> Json:
    shares = {name: 0.9 if name == label else 0.05 for name in ("attributable", "extrapolatory", "contradictory")}
    return {
        "start": start,
        "end": end,
        "text": "",
        "triple": ["a", "b", "c"],
        "label": label,
        "confidence": 0.9,
        "method": "rule:statement",
        "probabilities": shares,
        "evidence": [],
        "paths": [],
        "scores": {"tms": None, "kernel": None, "nli": None, "similarity": None},
        "features": {},
        "explanation": "",
        "correction": None,
        "why_not": None,
    } | more


def report(text: str, *claims: Json, **more: Any) -> Json:
    for one in claims:
        one["text"] = one["text"] or text[one["start"] : one["end"]]
    return {
        "schema": "kgstore.report/1",
        "id": None,
        "text": text,
        "label": "no_claims",
        "kg": {"name": "small", "generation": "000001", "fingerprint": "f00d"},
        "scores": {"kas": None, "fd": None, "kernel": None},
        "claims": list(claims),
        "entities": [],
        "timings_ms": {},
    } | more


def entity(text: str, name: str) -> Json:
    return {"start": 0, "end": len(text), "text": text, "id": name, "label": text, "description": "", "score": 0.93}


def shown(*reports: Json) -> Element:
    return dom(page(reports))
