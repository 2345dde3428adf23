"""Results of a game's functions are examined: one of another type is told in one line."""

from typing import Any

import pytest

from companion.engine.game import RESULTS, Offer, WrongResult


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
