from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgstore.errors import InputError
from kgstore.prefixes import WELL_KNOWN, compact, expand


@pytest.mark.parametrize(
    ("iri", "short"),
    [
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("http://www.wikidata.org/entity/P19", "P19"),
        ("http://www.wikidata.org/prop/direct/P19", "wdt:P19"),
        ("http://www.wikidata.org/prop/P19", "p:P19"),
        ("http://www.wikidata.org/entity/statement/Q42-ab", "wds:Q42-ab"),
        ("http://schema.org/name", "schema:name"),
        ("http://www.wikidata.org/entity/", "http://www.wikidata.org/entity/"),
        ("http://example.org/a/b", "http://example.org/a/b"),
    ],
)
def test_a_short_name_expands_to_the_iri_it_came_from(iri, short):
    assert compact(iri) == short
    assert expand(short) == iri


@pytest.mark.parametrize("text", ["", "Ada Lovelace", "nope:thing", "<not an iri>", "Q", "http://a b"])
def test_what_names_nothing_is_refused_with_the_text_in_the_message(text):
    with pytest.raises(InputError):
        expand(text)


def test_ids_may_be_written_small_and_with_spaces_around():
    assert expand(" q42 ") == WELL_KNOWN["wd"] + "Q42"


@given(st.sampled_from(sorted(WELL_KNOWN.values())), st.text(max_size=20))
def test_compact_never_makes_a_name_that_means_something_else(namespace, local):
    short = compact(namespace + local)
    assert short == namespace + local or expand(short) == namespace + local
