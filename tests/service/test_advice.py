"""Advice at a table: kept until the position changes, and for nobody else's eyes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.game import Refused
from companion.service.ports import Forbidden
from companion.service.table.advice import Advice
from companion.service.table.table import Request, Table
from tests.games.master_builder.decks import deck
from tests.opened import master_builder
from tests.scenario import Scenario, StoppedClock, empty_table


class Counting:
    """A forecast that counts how often it is asked."""

    def __init__(self, forecast: Callable[..., Mapping[str, Any] | None]) -> None:
        self.asked = 0
        self._forecast = forecast

    def __call__(self, *question: Any) -> Mapping[str, Any] | None:
        self.asked += 1
        return self._forecast(*question)


@pytest.fixture
def counted() -> tuple[Table, Counting]:
    game = master_builder({"house": deck()})
    assert game.can.forecast is not None
    counting = Counting(game.can.forecast)
    table = Table("t", replace(game, can=replace(game.can, forecast=counting)), InMemoryJournal(), StoppedClock())
    table.submit(
        Request(
            {
                "do": "start_game",
                "game": "master_builder",
                "first": "blue",
                "players": [{"id": "blue"}, {"id": "yellow"}],
            },
            "banker",
            "test",
        )
    )
    return table, counting


def test_the_same_question_is_answered_once_a_position(counted: tuple[Table, Counting]) -> None:
    table, counting = counted
    give: Callable[..., Any] = table.submit

    first = table.advice.forecast("banker", "blue")
    again = table.advice.forecast("banker", "blue")
    give(Request({"do": "hire_worker", "player": "blue", "worker": "W20"}, "banker", "test"))
    then = table.advice.forecast("banker", "blue")
    give(Request({"do": "undo"}, "banker", "test"))
    back = table.advice.forecast("banker", "blue")

    assert counting.asked == 3
    assert first == again
    assert then["movements"][0]["amount"] < 0 == first["movements"][0]["amount"]
    assert back == {**first, "version": 3}


def test_whoever_may_not_see_the_money_is_shown_no_forecast() -> None:
    given = Scenario("blue", "yellow", rules={"money": "hidden"})

    with pytest.raises(Forbidden):
        given.table.advice.forecast("yellow", "blue")
    with pytest.raises(Forbidden):
        given.table.advice.suggestion("yellow", "blue")


def test_before_the_start_there_is_no_advice() -> None:
    with pytest.raises(Refused, match="not_started"):
        empty_table().advice.forecast("banker", "blue")


def test_a_game_is_not_asked_ahead_about_money_that_is_hidden(counted: tuple[Table, Counting]) -> None:
    # given a game that says whose money is hidden, and whose forecast does not look at who asks
    table, counting = counted
    can = replace(table.game.can, forecast=counting, hidden_money=table.game.rules.players)
    hiding = Advice(replace(table.game, can=can), lambda: table.history.timeline)

    # when somebody else asks, then the game is not asked
    for viewer in ("yellow", "spectator"):
        with pytest.raises(Forbidden):
            hiding.forecast(viewer, "blue", "C01", 5_000)
    assert counting.asked == 0

    # and their own player and the banker are answered
    assert hiding.forecast("blue", "blue")["cash"] == hiding.forecast("banker", "blue")["cash"]
