"""Values of a game: copies with other fields, refusals, and results, which are examined."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import RESULTS, Auction, Offer, Refused, WrongResult, copy_with
from companion.engine.ledger import UnbalancedError, transfer

GIVEN = Auction("C03", 7_000, "blue", ("blue", "yellow"), "yellow")


@pytest.mark.parametrize(
    ("function", "returned", "said"),
    [
        ("decide", None, "returns nothing, where a tuple of events is wanted"),
        ("follow_up", "TurnPassed", "returns a str, no tuple of events"),
        ("offers", None, "returns nothing, no tuple of offers"),
        ("offers", Offer("pass", "red"), "returns a Offer, no tuple of offers"),
        ("offers", (Offer("pass", "red"), "roll"), "returns a str among the offers"),
        ("view", None, "returns a NoneType, where a mapping is wanted"),
        ("view", {"players": {"red": 3}}, "returns players that are no figures by player"),
    ],
)
def test_a_result_of_another_type_is_told(function: str, returned: Any, said: str) -> None:
    with pytest.raises(WrongResult, match=said):
        RESULTS[function](returned)


@pytest.mark.parametrize(
    ("function", "returned"),
    [("decide", ()), ("offers", (Offer("pass", "red"),)), ("view", {"round": 1, "players": {"red": {"points": 3}}})],
)
def test_a_result_of_the_type_that_is_read_is_none_to_tell(function: str, returned: Any) -> None:
    RESULTS[function](returned)


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


def test_a_refusal_tells_its_rule_in_logs_and_where_it_is_shown_raw() -> None:
    refused = Refused("wage_limit", limit=30_000)

    assert repr(refused) == "Refused('wage_limit')"
    assert str(refused) == "wage_limit (limit=30000)"
