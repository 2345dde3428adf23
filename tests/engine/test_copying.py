"""A copy with other fields is what ``dataclasses.replace`` makes."""

from dataclasses import replace

import pytest

from companion.engine.game import Auction, copy_with
from companion.engine.ledger import UnbalancedError, transfer

GIVEN = Auction("C03", 7_000, "blue", ("blue", "yellow"), "yellow")


def test_a_copy_differs_in_the_fields_that_were_named() -> None:
    changed = copy_with(GIVEN, bid=9_000, leader="yellow", to_bid=None)

    assert changed == replace(GIVEN, bid=9_000, leader="yellow", to_bid=None)
    assert copy_with(GIVEN) == GIVEN
    assert GIVEN.bid == 7_000


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError):
        copy_with(GIVEN, hammer=True)


def test_a_value_of_one_field_checks_itself_as_when_it_was_made() -> None:
    given = transfer("bank", "blue", 5_000)

    assert copy_with(given, postings=()).postings == ()
    with pytest.raises(UnbalancedError):
        copy_with(given, postings=given.postings[:1])
