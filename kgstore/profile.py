"""Which predicates of a vocabulary mean label, alias, type, and so on.

Four profiles are built in (wikidata, rdfs, skos, schema). One of your own is a TOML file::

    name = "museum"
    base = "rdfs"                      # what is not named below comes from here; "rdfs" unless told
    statement_style = "plain"          # or "wikibase", for data in the Wikibase RDF mapping
    label = ["ex:title", "rdfs:label"] # best first; prefixed names or whole IRIs
    type = ["ex:kind"]
    located = ["ex:room"]
    complete = ["restored by"]         # by id or name: lists of which the graph lacks nothing; "all" for every one
    person = ["artist", "patron"]      # labels of the classes of people

    [prefixes]                         # besides the well-known ones
    ex = "http://example.org/museum#"

The keys are the fields of `Profile`. An unknown key is an error, so that a slip of the pen does not pass in silence.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgstore.errors import InputError
from kgstore.prefixes import WELL_KNOWN, expand

if TYPE_CHECKING:
    from pyoxigraph import Triple

WIKIBASE, PLAIN = "wikibase", "plain"
LABELLED = ("person", "country", "gender", "occupation", "demonym", "whereabouts")
"""Keys that hold labels."""
NAMED = ("complete", *LABELLED)
"""Keys that may hold labels."""
_WDT, _WD = WELL_KNOWN["wdt"], WELL_KNOWN["wd"]


@dataclass(frozen=True, slots=True)
class Profile:
    """A vocabulary's predicates by meaning, each a tuple of IRIs, best first.

    ``label`` to ``image`` hold predicates as they stand in simple triples (``wdt:P31``); ``start``, ``end`` and ``at``
    name the properties that date a statement as `Statement.qualifiers` names them (``wd:P580``).

    :param part_of: a step from the part to the whole, other than in space
    :param located: a step from a place to the bigger place that holds it
    :param complete: properties of which the owner of the graph says that it has all values, for each subject that has
        any: IRIs or, as only the data knows them, labels and aliases; ``all`` is every property
    :param meta: properties, named as ``start`` is, that are about the entry, its sources or Wikimedia's pages and not
        about the thing; no text is enriched with them
    :param person: how the graph labels the classes of people; ``country`` those of states. These and the next four are
        labels, by which unlike graphs agree where their IRIs do not
    :param gender: labels of the property that tells man and woman apart; ``occupation``, ``demonym`` likewise
    :param whereabouts: labels of the properties that say where something lies
    :param statement_style: ``wikibase`` (statement nodes with rank and qualifiers) or ``plain``
    """

    name: str
    label: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    subclass: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    located: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    subproperty: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    image: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    complete: tuple[str, ...] = ()
    meta: tuple[str, ...] = ()
    person: tuple[str, ...] = ("human", "person")
    country: tuple[str, ...] = ("country", "sovereign state")
    gender: tuple[str, ...] = ("sex or gender",)
    occupation: tuple[str, ...] = ("occupation",)
    demonym: tuple[str, ...] = ("demonym",)
    whereabouts: tuple[str, ...] = (
        "country", "continent", "located in the administrative territorial entity", "location",
    )
    statement_style: str = PLAIN

    @property
    def wikibase(self) -> bool:
        return self.statement_style == WIKIBASE

    def property_of(self, predicate: str) -> str:
        """The property's own IRI: ``wdt:P19`` -> ``wd:P19`` in Wikibase data, the predicate itself elsewhere."""
        if self.wikibase and predicate.startswith(_WDT):
            return _WD + predicate[len(_WDT):]
        return predicate

    def predicate_of(self, property_iri: str) -> str:
        """The predicate of simple triples: ``wd:P19`` -> ``wdt:P19`` in Wikibase data, the IRI itself elsewhere."""
        if self.wikibase and property_iri.startswith(_WD):
            return _WDT + property_iri[len(_WD):]
        return property_iri

    @property
    def hierarchy(self) -> tuple[str, ...]:
        """Predicates along which "is in" carries upwards: ``located`` and ``part_of``."""
        return self.located + self.part_of

    def stored(self) -> str | dict[str, Any]:
        """What the manifest keeps: a built-in profile's name, else the whole table."""
        if BUILT_IN.get(self.name) == self:
            return self.name
        table = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        usual = BUILT_IN["rdfs"]
        for key in ("complete", "meta", *LABELLED):
            if not table[key] or key in LABELLED and getattr(self, key) == getattr(usual, key):
                del table[key]  # a profile of before there was this key stays what it was
        return table


def _iris(names: str) -> tuple[str, ...]:
    return tuple(expand(name) for name in names.split())


_META = """
    P1343 P972 P528 P6379 P485 P1922 P1810 P1932
    P373 P935 P1472 P1612 P1482 P424 P1282 P2572
    P5008 P6104 P910 P1424 P1423 P1151 P1204 P301 P2354 P360 P1455 P1753 P1754 P971 P4224 P805 P5125
    P1464 P1465 P1791 P1792 P1740 P2517 P3709 P3734 P3876 P4195 P6112 P6365 P7084 P7561 P7782 P7867 P8464 P8989
    P1269 P2184 P2633 P8744 P9241 P8402
    P1855 P1963 P5869 P2429 P2559 P2916 P3921 P4179 P2875
    P1889 P460 P2959 P1628 P1629 P1647 P1696 P1709 P2888
    P6216 P7763 P6275
    P2521 P3321 P1814 P898 P487
"""
"""Properties of Wikidata, a line for each kind: sources and catalogues; names on Commons and the like; pages and lists
of Wikimedia; categories; articles on an aspect; Wikidata's own upkeep; other items; rights in the works; forms of the
label."""
WIKIDATA = Profile(
    "wikidata",
    label=_iris("rdfs:label"),
    alias=_iris("skos:altLabel"),
    description=_iris("schema:description"),
    type=_iris("wdt:P31"),
    subclass=_iris("wdt:P279"),
    part_of=_iris("wdt:P361"),
    located=_iris("wdt:P131 wdt:P276 wdt:P706 wdt:P17 wdt:P30"),
    inverse=_iris("wdt:P1696"),
    subproperty=_iris("wdt:P1647"),
    same_as=_iris("owl:sameAs wdt:P2888"),
    image=_iris("wdt:P18"),
    start=_iris("wd:P580"),
    end=_iris("wd:P582"),
    at=_iris("wd:P585"),
    meta=_iris(" ".join(f"wd:{name}" for name in _META.split())),
    statement_style=WIKIBASE,
)
def _schema_org(*names: str) -> tuple[str, ...]:
    return tuple(scheme + name for name in names for scheme in ("http://schema.org/", "https://schema.org/"))


RDFS = Profile(
    "rdfs",
    label=_iris("rdfs:label skos:prefLabel schema:name foaf:name dct:title dc:title"),
    alias=_iris("skos:altLabel schema:alternateName foaf:nick"),
    description=_iris("rdfs:comment dct:description dc:description schema:description skos:definition"),
    type=_iris("rdf:type"),
    subclass=_iris("rdfs:subClassOf"),
    part_of=_iris("dct:isPartOf"),
    inverse=_iris("owl:inverseOf"),
    subproperty=_iris("rdfs:subPropertyOf"),
    same_as=_iris("owl:sameAs"),
    image=_iris("foaf:depiction"),
    start=_schema_org("startDate"),
    end=_schema_org("endDate"),
    at=_iris("dct:date dc:date"),
)
SKOS = Profile(
    "skos",
    label=_iris("skos:prefLabel rdfs:label"),
    alias=_iris("skos:altLabel skos:hiddenLabel"),
    description=_iris("skos:definition skos:scopeNote rdfs:comment dct:description"),
    type=_iris("rdf:type"),
    subclass=_iris("skos:broader skos:broaderTransitive rdfs:subClassOf"),
    inverse=_iris("owl:inverseOf"),
    subproperty=_iris("rdfs:subPropertyOf"),
    same_as=_iris("skos:exactMatch owl:sameAs"),
    image=_iris("foaf:depiction"),
)


SCHEMA = Profile(
    "schema",
    label=_schema_org("name") + _iris("rdfs:label"),
    alias=_schema_org("alternateName"),
    description=_schema_org("description", "disambiguatingDescription") + _iris("rdfs:comment"),
    type=_iris("rdf:type"),
    subclass=_iris("rdfs:subClassOf"),
    part_of=_schema_org("isPartOf"),
    located=_schema_org("containedInPlace"),
    inverse=_schema_org("inverseOf") + _iris("owl:inverseOf"),
    subproperty=_iris("rdfs:subPropertyOf"),
    same_as=_schema_org("sameAs") + _iris("owl:sameAs"),
    image=_schema_org("image"),
    start=_schema_org("startDate"),
    end=_schema_org("endDate"),
    at=_iris("dct:date dc:date"),
)
BUILT_IN: dict[str, Profile] = {profile.name: profile for profile in (WIKIDATA, RDFS, SKOS, SCHEMA)}


def named(name_or_path: str | Path) -> Profile:
    """A built-in profile by its name, or one's own from a TOML file.

    :raises InputError: if it is neither
    """
    if isinstance(name_or_path, str) and name_or_path in BUILT_IN:
        return BUILT_IN[name_or_path]
    path = Path(name_or_path)
    if path.is_file():
        return load(path)
    raise InputError(f"no profile {str(name_or_path)!r}", f"choose one of {', '.join(BUILT_IN)}, or name a TOML file")


def load(path: Path) -> Profile:
    """A profile of one's own; the format is at the top of this file.

    :raises InputError: names the file and the key that is wrong
    """
    try:
        return from_table(tomllib.loads(path.read_text(encoding="utf-8")), default_name=path.stem)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"profile {path}: {error}", "correct the file") from None
    except InputError as error:
        raise InputError(f"profile {path}: {error.why}", error.instead) from None


def from_table(table: Mapping[str, Any], default_name: str = "own") -> Profile:
    """A profile from a parsed TOML file or from the manifest."""
    table = dict(table)
    own_prefixes = table.pop("prefixes", {})
    base_name = table.pop("base", "rdfs")
    if base_name not in BUILT_IN:
        raise InputError(f"no profile {base_name!r} to build on", f"choose one of {', '.join(BUILT_IN)}")
    base = BUILT_IN[base_name]
    name = table.pop("name", default_name)
    style = table.pop("statement_style", base.statement_style)
    if style not in (WIKIBASE, PLAIN):
        raise InputError(f"statement_style = {style!r}", f'choose "{WIKIBASE}" or "{PLAIN}"')
    if not isinstance(own_prefixes, dict) or not all(isinstance(iri, str) for iri in own_prefixes.values()):
        raise InputError("[prefixes] is not a table of strings", 'write lines like ex = "http://example.org/"')
    for prefix, iri in own_prefixes.items():
        try:
            expand(f"<{iri}x>", {})
        except InputError:
            raise InputError(f"the prefix {prefix} stands for {iri!r}, which is no IRI", "write a whole IRI") from None
    known = [field.name for field in fields(Profile) if field.name not in ("name", "statement_style")]
    prefixes, chosen = {**WELL_KNOWN, **own_prefixes}, {}
    for key, names in table.items():
        if key not in known:
            raise InputError(f"unknown key {key!r}", f"use {', '.join(known)}")
        names = [names] if isinstance(names, str) else names
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise InputError(f"{key} is not a list of names", f'write {key} = ["rdfs:label"]')
        chosen[key] = tuple(_named(one, prefixes) if key in NAMED else expand(one, prefixes) for one in names)
    return replace(base, name=str(name), statement_style=style, **chosen)


def _named(text: str, prefixes: Mapping[str, str]) -> str:
    """The IRI that a prefixed name or an IRI stands for; anything else is a name, which the data may know."""
    try:
        return expand(text, prefixes) if ":" in text else text.strip()
    except InputError:
        return text.strip()


def stored(value: str | Mapping[str, Any]) -> Profile:
    """The profile that a manifest keeps (`Profile.stored` the other way round)."""
    return named(value) if isinstance(value, str) else from_table(value)


def detect(triples: Iterable[Triple], sample: int = 5000) -> Profile:
    """The built-in profile that fits a graph, judged by its first triples (Oxigraph keeps them in random order).

    >>> detect([]).name
    'rdfs'
    """
    count: Counter[str] = Counter()
    for triple in islice(triples, sample):
        predicate, value = triple.predicate.value, getattr(triple.object, "value", "")
        if predicate.startswith((_WDT, WELL_KNOWN["p"], WELL_KNOWN["ps"])) or predicate == WIKIBASE_CLAIM:
            count["wikidata"] += 1
        elif predicate in (SKOS.label[0], SKOS.subclass[0]) or value == SKOS_CONCEPT:
            count["skos"] += 1
        elif predicate.startswith(("http://schema.org/", "https://schema.org/")):
            count["schema"] += 1
        elif predicate == RDFS.label[0]:
            count["rdfs"] += 1
    if count["wikidata"]:
        return WIKIDATA
    best = max(BUILT_IN, key=lambda name: count[name])
    return BUILT_IN[best] if count[best] else RDFS


WIKIBASE_CLAIM = WELL_KNOWN["wikibase"] + "directClaim"
SKOS_CONCEPT = WELL_KNOWN["skos"] + "Concept"
