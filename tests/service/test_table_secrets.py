import json
from typing import Any, get_args

import pytest

from companion.game_api.messages import Messages
from companion.games.master_builder.bots.dealer import Piles
from companion.service.ports import Forbidden, Stale
from companion.service.table.play_files import play_file
from companion.service.table.table import Request, Table
from tests.engine import tiny_game as nuts
from tests.engine import tiny_messages as say
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import (
    NUTS,
    OPEN,
    PASS,
    UNDO,
    bot_command,
    give,
    house_table,
    play_until,
    position,
    words_of,
)

OTHERS = ("yellow", "red", "spectator", "banker")


@pytest.fixture
def planning() -> tuple[Table, Piles, dict[str, Any]]:
    """Three players have yet to plan; and what blue, who is first, will build."""
    table, piles = house_table(3, seed=1)
    play_until(table, piles, "build")
    plan = bot_command(table, piles)
    assert plan is not None
    assert plan["player"] == "blue"
    assert plan["work"]
    return table, piles, plan


def after(table: Table, version: int, viewer: str) -> str:
    """All that a viewer is told about what happened since."""
    return json.dumps([table.journal(viewer)[version:], table.show(viewer)["position"].get("plan")])


def test_a_plan_is_shown_to_nobody_else_until_all_have_planned(planning: tuple[Table, Piles, Any]) -> None:
    table, piles, plan = planning
    version = table.version
    give(table, plan)
    for viewer in OTHERS:
        assert not any(secret in after(table, version, viewer) for secret in words_of(plan))
        assert position(table, viewer)["planned"] == ["blue"]
        hidden = table.journal(viewer)[-1]
        assert hidden["command"] == {"do": "plan", "player": "blue"}
        assert hidden["events"] == [{"event": "PlanLocked", "player": "blue"}]
    assert all(secret in after(table, version, "blue") for secret in words_of(plan))
    assert position(table, "blue")["plan"] == plan["work"]

    while position(table)["phase"] == "build":
        command = bot_command(table, piles)
        assert command is not None
        give(table, command)
    for viewer in (*OTHERS, "blue"):
        assert table.journal(viewer)[version]["command"] == plan
        assert all(secret in after(table, version, viewer) for secret in words_of(plan))


def test_a_plan_that_was_replaced_or_taken_back_stays_secret(planning: tuple[Table, Piles, Any]) -> None:
    table, _, plan = planning
    version = table.version
    give(table, plan, {**plan, "work": {}})
    assert not any(secret in after(table, version, viewer) for viewer in OTHERS for secret in words_of(plan))
    give(table, UNDO, UNDO)
    assert not any(secret in after(table, version, viewer) for viewer in OTHERS for secret in words_of(plan))
    give(table, UNDO)
    assert not any(secret in after(table, version, viewer) for viewer in OTHERS for secret in words_of(plan))


def test_what_was_revealed_once_is_no_secret_after_an_undo(planning: tuple[Table, Piles, Any]) -> None:
    table, piles, plan = planning
    version = table.version
    play_until(table, piles, "hire", round_=2)
    while position(table)["phase"] != "build":
        give(table, UNDO)
    assert table.journal("yellow")[version]["command"] == plan


def test_an_offer_of_planning_names_only_the_planners_own_workers(planning: tuple[Table, Piles, Any]) -> None:
    table, _, plan = planning
    give(table, plan)
    assert [offer["player"] for offer in table.show("yellow")["offers"] if offer["do"] == "plan"] == ["yellow"]


def test_a_plan_made_meanwhile_by_somebody_else_does_not_make_a_plan_stale(
    planning: tuple[Table, Piles, Any],
) -> None:
    table, piles, plan = planning
    seen = table.version
    table.submit(Request(plan, "blue", "phone", seen))
    theirs = bot_command(table, piles)
    assert theirs is not None
    assert theirs["player"] == "yellow"
    table.submit(Request(theirs, "yellow", "phone", seen))
    with pytest.raises(Stale):
        table.submit(Request(plan, "blue", "phone", seen))
    with pytest.raises(Stale):
        table.submit(Request({"do": "count_cash", "player": "red", "amount": 0}, "banker", "tap", seen))


def test_a_plan_that_missed_an_undo_is_stale(planning: tuple[Table, Piles, Any]) -> None:
    table, _, plan = planning
    give(table, plan)
    seen = table.version
    give(table, UNDO)
    with pytest.raises(Stale):
        table.submit(Request({**plan, "player": "yellow", "work": {}}, "yellow", "phone", seen))


def test_nobody_plans_for_somebody_else(planning: tuple[Table, Piles, Any]) -> None:
    table, _, plan = planning
    with pytest.raises(Forbidden):
        table.submit(Request(plan, "yellow", "phone", table.version))


class SealedBids(nuts.NutGame):
    """Nuts with bids that are held back until the nut is sold; who opened is open to all."""

    def secret_of(self, event: say.Event) -> str | None:
        return event.player if isinstance(event, say.BidRaised) else None


SEALED = Messages(
    get_args(say.Command),
    get_args(say.Event),
    secret=frozenset({"AuctionOpened", "BidRaised"}),
    revealing=frozenset({"NutSold"}),
)


def test_what_is_secret_and_until_when_is_for_each_game_to_say() -> None:
    table = Table("t", nuts.nut_game(SealedBids(), SEALED), FakeJournal(), FakeClock())
    bid = {"do": "bid", "player": "ben", "amount": 7}
    give(table, NUTS, OPEN, bid)
    assert table.journal("ada")[1]["command"] == OPEN
    assert table.journal("ada")[2]["command"] == {"do": "bid", "player": "ben"}
    assert table.journal("ada")[2]["events"] == [{"event": "BidRaised", "player": "ben"}]
    assert table.journal("ben")[2]["command"] == bid
    give(table, {**PASS, "player": "ada"})
    assert table.journal("ada")[2]["command"] == bid


def test_a_file_of_the_game_leaves_out_what_is_still_secret(planning: tuple[Table, Piles, Any]) -> None:
    # given a plan that is made, taken back and made again, unseen
    table, _, plan = planning
    give(table, plan, UNDO, plan)

    # when the game is saved, then the plan is not in the file, and the file plays to where plans are asked for
    lines = [json.loads(line) for line in play_file(table)]
    assert plan not in lines
    again = Table("again", table.game, FakeJournal(), FakeClock())
    give(again, *lines)
    assert position(again)["waiting_for"] == ["blue", *position(table)["waiting_for"]]

    # when all have planned, then it is
    while position(table)["phase"] == "build":
        planner = position(table)["waiting_for"][0]
        give(table, {"do": "plan", "player": planner, "work": {}})
    assert plan in [json.loads(line) for line in play_file(table)]
