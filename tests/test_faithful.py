"""Names and numbers that a model added, and those that it lost."""

from __future__ import annotations

import pytest

from kgstore.verifier.llm.faithful import lost, strange


@pytest.mark.parametrize(
    ("text", "sources", "found"),
    [
        ("However, Zoë's cat (Tom) slept.", ["Zoe slept"], ["Tom"]),
        ("Paris grew. It grew.", ["London grew."], ["Paris"]),
        ("He died on May 11, 2001, in the U.S.", ["11 May 2001, U.S."], []),
        ("Twenty-one men and 1,250 women came in 1990.", ["21 men, 1250 women"], ["1990"]),
        ("It takes three days.", ["It takes days."], ["three"]),
        ("It has 4.5 million people.", ["4.5 million"], []),
        ("It has 4.6 million people.", ["4.5 million"], ["4.6"]),
        ("The novel won the Booker Prize.", ["the novel"], ["Booker", "Prize"]),
        ("A triple: Ada-Marie saw NASA.", ["ada marie nasa"], []),
        ("", ["Ada"], []),
        ("Q4 2020 beat Q3.", ["The fourth quarter of 2020"], ["Q3"]),
        ("COVID-19, 5G and GPT-4 cost $5B.", ["Covid 19 met 4G and GPT 4 for 5 billion"], ["5G"]),
        ("It grew in 4 2020, 3 100.", ["4, 2020, 3,100"], []),
        ("Well, I agree. Similarly, countries that trade grow. Scientists agree.", [""], []),
        ("The US and the UN met NASA.", ["United States and United Nations"], ["NASA"]),
        ("The United Nations met.", ["The UN met."], []),
        ("1.2.3.4,5 ١٢", [""], ["1.2", "3.4", "5", "١٢"]),
    ],
)
def test_names_and_numbers_that_no_source_has_are_found(text, sources, found):
    assert strange(text, sources) == found


def test_what_a_rewritten_text_leaves_out_is_found():
    assert lost("Ada was born in 1815.", "Ada was born in Rome in 1815, on 10 May.") == ["Rome", "10", "May"]
