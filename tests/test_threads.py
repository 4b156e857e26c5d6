"""Work for each processor."""

from __future__ import annotations

import pytest
import torch

from kgstore.verifier.grounding.threads import apart


def test_results_come_in_order_and_each_item_has_one_thread():
    before = torch.get_num_threads()
    found = list(apart(lambda item: (item, torch.get_num_threads()), range(5), 3))
    assert found == [(item, 1) for item in range(5)]
    assert torch.get_num_threads() == 3
    torch.set_num_threads(before)


def test_an_item_alone_has_them_all():
    assert list(apart(lambda _: torch.get_num_threads(), [0], 3)) == [torch.get_num_threads()]


def test_nothing_to_do():
    assert not list(apart(abs, [], 2))


def test_an_error_leaves_the_threads_as_they_were():
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError):
        list(apart(lambda item: 1 / item, [1, 0], before))
    assert torch.get_num_threads() == before
