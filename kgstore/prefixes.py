"""Short names for IRIs: ``Q42``, ``wdt:P31``, ``schema:name``.

The table holds every prefix that the Wikidata Query Service predefines, so that its queries need no ``PREFIX`` line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kgstore.errors import InputError

_WIKIDATA = "http://www.wikidata.org/"

WELL_KNOWN: dict[str, str] = {
    "wd": f"{_WIKIDATA}entity/",
    "wds": f"{_WIKIDATA}entity/statement/",
    "wdt": f"{_WIKIDATA}prop/direct/",
    "wdtn": f"{_WIKIDATA}prop/direct-normalized/",
    "wdv": f"{_WIKIDATA}value/",
    "wdref": f"{_WIKIDATA}reference/",
    "wdno": f"{_WIKIDATA}prop/novalue/",
    "wdata": "https://www.wikidata.org/wiki/Special:EntityData/",
    "genid": f"{_WIKIDATA}.well-known/genid/",
    "p": f"{_WIKIDATA}prop/",
    "ps": f"{_WIKIDATA}prop/statement/",
    "psv": f"{_WIKIDATA}prop/statement/value/",
    "psn": f"{_WIKIDATA}prop/statement/value-normalized/",
    "pq": f"{_WIKIDATA}prop/qualifier/",
    "pqv": f"{_WIKIDATA}prop/qualifier/value/",
    "pqn": f"{_WIKIDATA}prop/qualifier/value-normalized/",
    "pr": f"{_WIKIDATA}prop/reference/",
    "prv": f"{_WIKIDATA}prop/reference/value/",
    "prn": f"{_WIKIDATA}prop/reference/value-normalized/",
    "wikibase": "http://wikiba.se/ontology#",
    "bd": "http://www.bigdata.com/rdf#",
    "hint": "http://www.bigdata.com/queryHints#",
    "gas": "http://www.bigdata.com/rdf/gas#",
    "mwapi": "https://www.mediawiki.org/ontology#API/",
    "mediawiki": "https://www.mediawiki.org/ontology#",
    "schema": "http://schema.org/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "prov": "http://www.w3.org/ns/prov#",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "geof": "http://www.opengis.net/def/function/geosparql/",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "dct": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "cc": "http://creativecommons.org/ns#",
    "fn": "http://www.w3.org/2005/xpath-functions#",
}
"""Prefix to namespace. ``genid`` (Wikibase's skolemised unknown values) is ours, all others are the query service's."""

_ENTITY = re.compile(r"[QPL][1-9][0-9]*(?:-[FS][1-9][0-9]*)?")
_LOCAL = re.compile(r"[^\s\x00-\x1f\x7f/#:<>\"{}|\\^`]+")
_PREFIXED = re.compile(r"([A-Za-z][\w.-]*)?:([^\s\x00-\x1f\x7f<>\"{}|\\^`]*)")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f<>\"{}|\\^`]+")
_BY_NAMESPACE = {namespace: prefix for prefix, namespace in WELL_KNOWN.items()}


def compact(iri: str) -> str:
    """The shortest name that `expand` understands.

    >>> compact("http://www.wikidata.org/entity/Q42"), compact("http://schema.org/name"), compact("http://ex/a/b")
    ('Q42', 'schema:name', 'http://ex/a/b')
    """
    cut = max(iri.rfind("/"), iri.rfind("#")) + 1
    namespace, local = iri[:cut], iri[cut:]
    prefix = _BY_NAMESPACE.get(namespace)
    if prefix is None or not _LOCAL.fullmatch(local):
        return iri
    return local if prefix == "wd" and _ENTITY.fullmatch(local) else f"{prefix}:{local}"


def expand(text: str, prefixes: Mapping[str, str] = WELL_KNOWN) -> str:
    """The IRI that a person meant.

    >>> expand("Q42") == expand("wd:Q42") == expand("<http://www.wikidata.org/entity/Q42>")
    True

    :param prefixes: used in place of the well-known ones
    :raises InputError: if the text is neither an id, a prefixed name nor an IRI
    """
    text = text.strip()
    if _ENTITY.fullmatch(text.upper()):
        return WELL_KNOWN["wd"] + text.upper()
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    elif (named := _PREFIXED.fullmatch(text)) and (named[1] or "") in prefixes:
        return prefixes[named[1] or ""] + named[2]
    if _IRI.fullmatch(text):
        prefix, _, rest = text.partition(":")
        if rest.startswith("//") or prefix.lower() in {"urn", "mailto", "tag", "doi", "data", "info", "tel"}:
            return text
        raise InputError(f"no prefix {prefix!r} is known", "write the whole IRI")
    raise InputError(f"{text!r} is neither an id (Q42), a prefixed name (wdt:P31) nor an IRI", "write one of these")
