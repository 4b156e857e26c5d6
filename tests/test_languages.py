"""Names in several languages: an English text that calls things by their German names is checked like any other."""

from __future__ import annotations

import gzip

import pytest

from kgstore.loaders.run import load
from kgstore.store import Store
from kgstore.verifier.claims import Label
from kgstore.verifier.pipeline import Verifier
from tests.conftest import SLICE

# Portugal, Lisbon, Copernicus, Toruń, Vesuvius, Italy; place of birth, capital, country, instance and subclass of
WANTED = [b'"id":"%s",' % one for one in b"Q45 Q597 Q619 Q47554 Q524 Q38 P19 P36 P17 P31 P279".split()]
YES, OPEN, NO = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("languages"), {}
    with gzip.open(SLICE) as file:
        lines = [line for line in file if any(one in line[:200] for one in WANTED)]
    assert len(lines) == len(WANTED)
    (folder / "few.json").write_bytes(b"".join(lines))
    for languages in (("en",), ("en", "de")):
        kg = folder / "-".join(languages)
        load([folder / "few.json"], kg, vectors=False, languages=languages, jobs=1)
        found[languages] = Verifier(Store(kg))
        found[languages].without = frozenset(("nli",))
    yield found
    for one in found.values():
        one.store.close()


@pytest.mark.parametrize(
    ("text", "with_german", "without"),
    [
        ("The capital of Portugal is Lissabon.", YES, OPEN),
        ("The capital of Portugal is Lisbon.", YES, YES),
        ("Nikolaus Kopernikus was born in Lissabon.", NO, OPEN),
        ("Nicolaus Copernicus was born in Lissabon.", NO, OPEN),
    ],
)
def test_a_name_in_another_language_links_and_is_checked(verifiers, text, with_german, without):
    for languages, label in ((("en", "de"), with_german), (("en",), without)):
        (verdict,) = verifiers[languages].verify(text).verdicts
        assert verdict.label is label, (languages, verdict.method, verdict.reason)


def test_a_name_is_shown_in_the_first_language_that_has_one(verifiers):
    store = verifiers["en", "de"].store
    entity = store.catalog.search("Vesuv")[0]
    assert (store.label(entity.iri), entity.lang) == ("Mount Vesuvius", "de")
