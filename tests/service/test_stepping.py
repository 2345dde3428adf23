"""Stepping back: how a table stood after each entry, and what the camera saw."""

import pytest

from companion.service.ports import UnknownVersion
from companion.service.table.past import position_json_at
from tests.scenario import Scenario
from tests.service.house_tables import bot_command, give, house_table, play_until


def test_every_entry_is_shown_as_it_was_then() -> None:
    # given a game that remembers what it showed
    given = Scenario("blue", "yellow")
    shown = [given.table.show("banker")["position"]]
    for _ in range(12):
        given.idle()
        shown.append(given.table.show("banker")["position"])
    given.do("undo")
    shown.append(given.table.show("banker")["position"])

    # then stepping through it shows the same, the undone entry and the undo among them
    for number, position in enumerate(shown, 1):
        assert position_json_at(given.table, number, "banker") == {
            "version": number,
            "position": position,
            "offers": [],
        }


def test_what_was_secret_then_stays_so_after_all_was_revealed() -> None:
    # given a plan that was made in secret, and the round played to its end
    table, piles = house_table(3, seed=1)
    play_until(table, piles, "build")
    plan = bot_command(table, piles)
    assert plan is not None
    give(table, plan)
    planned = table.version
    play_until(table, piles, "hire")

    # then whoever steps back sees of that moment what they saw then
    own = position_json_at(table, planned, plan["player"])["position"]
    other = position_json_at(table, planned, "spectator")["position"]
    assert own["plan"] == plan["work"]
    assert other["plan"] is None
    assert other["planned"] == [plan["player"]]


def test_hidden_money_stays_hidden_in_what_was() -> None:
    table = Scenario("blue", "yellow", rules={"money": "hidden"}).table
    seen = position_json_at(table, 1, "yellow")["position"]["players"]
    assert (seen["blue"]["cash"], seen["yellow"]["cash"]) == (None, 40_000)


@pytest.mark.parametrize("version", [0, -1, 2])
def test_there_is_nothing_before_the_start_nor_after_now(version: int) -> None:
    with pytest.raises(UnknownVersion):
        position_json_at(Scenario("blue", "yellow").table, version, "banker")
