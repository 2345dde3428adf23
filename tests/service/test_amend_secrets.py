"""An amend while plans are secret: nobody learns by it what they may not know, the banker neither."""

import json
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.bots.dealer import Piles
from companion.service.table.play_files import play_file
from companion.service.table.table import Request, Table
from tests.service.house_tables import UNDO, bot_command, give, house_table, play_until, position, words_of

Json = dict[str, Any]
OTHERS = ("yellow", "red", "spectator", "banker")


@pytest.fixture
def planning() -> tuple[Table, Piles, Json]:
    """Blue, who is first of three, has planned; the others have not."""
    table, piles = house_table(3, seed=1)
    play_until(table, piles, "build")
    plan = bot_command(table, piles)
    assert plan is not None
    assert plan["player"] == "blue"
    give(table, plan)
    return table, piles, plan


def hired_by(table: Table, worker: str) -> int:
    return next(entry.seq for entry in table.entries if entry.command.get("worker") == worker)


def a_worker_of(plan: Json) -> str:
    return str(next(iter(next(iter(plan["work"].values())).values()))[0])


def amend(seq: int, instead: Json | None = None) -> Json:
    return {"do": "amend", "seq": seq, "with": instead}


def preview(table: Table, command: Json) -> Json:
    return table.preview(Request(command, "banker", "tap", table.version))


def carry_out(table: Table, command: Json) -> None:
    give(table, {**command, "confirm": True})


def test_a_secret_plan_that_becomes_impossible_is_named_without_its_words(
    planning: tuple[Table, Piles, Json],
) -> None:
    table, _, plan = planning
    hired = hired_by(table, a_worker_of(plan))
    shown = preview(table, amend(hired))
    planned = next(entry for entry in shown["refused"] if entry["seq"] == table.version)
    assert planned["command"] == {"do": "plan", "player": "blue"}
    assert planned["before"] == [{"event": "PlanLocked", "player": "blue"}]
    assert (planned["rule"], planned["details"]) == ("secret_refused", {"player": "blue"})
    assert not any(secret in json.dumps(shown) for secret in words_of(plan))
    assert a_worker_of(plan) not in json.dumps(planned)


def test_a_secret_plan_put_in_place_of_another_is_secret_too(planning: tuple[Table, Piles, Json]) -> None:
    table, piles, plan = planning
    (contract, work), *_ = plan["work"].items()
    other = {**plan, "work": {contract: {section: work[section] for section in ("wall-1", "gable-1")}}}
    command = amend(table.version, other)
    (change,) = preview(table, command)["changes"]
    assert change["command"] == change["becomes"] == {"do": "plan", "player": "blue"}
    assert change["after"] == [{"event": "PlanLocked", "player": "blue"}]
    carry_out(table, command)
    for viewer in OTHERS:
        entries = table.journal(viewer)
        assert not any(secret in json.dumps(entries[-2:]) for secret in words_of(plan))
        assert entries[-1]["command"]["with"] == {"do": "plan", "player": "blue"}
        assert entries[-2]["amended"]["command"] == {"do": "plan", "player": "blue"}
    assert table.journal("blue")[-1]["command"]["with"] == command["with"]
    assert table.journal("blue")[-2]["amended"]["command"] == command["with"]

    while position(table)["phase"] == "build":
        following = bot_command(table, piles)
        assert following is not None
        give(table, following)
    for viewer in OTHERS:
        amends = next(entry for entry in table.journal(viewer) if entry["command"]["do"] == "amend")
        assert amends["command"]["with"] == command["with"]


def test_an_amend_of_what_came_before_leaves_secret_plans_secret(planning: tuple[Table, Piles, Json]) -> None:
    table, _, plan = planning
    give(table, {"do": "count_cash", "player": "yellow", "amount": 0})
    carry_out(table, amend(table.version))
    for viewer in OTHERS:
        assert not any(secret in json.dumps(table.journal(viewer)[-3:]) for secret in words_of(plan))
    give(table, UNDO)
    assert position(table)["planned"] == ["blue"]


def test_a_play_file_leaves_out_the_secret_plan_only_and_not_what_was_amended_beside_it(
    planning: tuple[Table, Piles, Json],
) -> None:
    table, _, plan = planning
    give(table, {"do": "count_cash", "player": "yellow", "amount": 0}, plan)
    renamed = {"do": "rename_player", "player": "blue", "name": "Zoë"}
    carry_out(table, amend(table.version - 2, renamed))
    kept = [json.loads(line) for line in play_file(table)]
    assert kept[-2:] == [renamed, {"do": "count_cash", "player": "yellow", "amount": 0}]
    assert plan not in kept


def test_an_amend_may_not_open_what_is_secret(planning: tuple[Table, Piles, Json]) -> None:
    """Without their workers nobody else is waited for: blue's plan would be carried out at once."""
    table, _, _ = planning
    give(table, *[{"do": "count_cash", "player": player, "amount": 0} for player in ("yellow", "red")])
    count = table.version
    for player in ("yellow", "red"):
        workers = position(table)["players"][player]["workers"]
        give(
            table,
            *[{"do": "correct_card", "card": card, "to": "supply", "reason": "not hers"} for card in workers[:-1]],
        )
    if position(table)["phase"] != "build":
        pytest.fail("somebody still holds a worker")
    last = {player: position(table)["players"][player]["workers"][0] for player in ("yellow", "red")}
    give(table, {"do": "correct_card", "card": last["red"], "to": "supply", "reason": "not hers"})
    opening = {"do": "correct_card", "card": last["yellow"], "to": "supply", "reason": "not hers"}
    with pytest.raises(Refused, match="amend_reveals"):
        preview(table, amend(count, opening))
    with pytest.raises(Refused, match="amend_reveals"):
        carry_out(table, amend(count, opening))


def test_what_has_been_revealed_is_told_in_full(planning: tuple[Table, Piles, Json]) -> None:
    table, piles, plan = planning
    planned = table.version
    play_until(table, piles, "hire", round_=2)
    shown = preview(table, amend(planned, {**plan, "work": {}}))
    change = shown["changes"][0]
    assert change["command"] == plan
    assert change["becomes"] == {**plan, "work": {}}
    carry_out(table, amend(planned, {**plan, "work": {}}))
    assert table.journal("spectator")[-1]["command"]["with"] == {**plan, "work": {}}
    assert table.journal("spectator")[planned - 1]["amended"]["command"] == {**plan, "work": {}}
