"""Plans stay with their player until all are shown; nobody else's plan makes one stale."""

import pytest

from companion.service.ports import Forbidden, Stale
from companion.service.table.table import Request
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of


def planning(*seats: str) -> Scenario:
    given = Scenario(*seats, catalog=deck(contracts={"*": {"sections": {"*": ["A"]}}}, wages={"*": 0}))
    given.hire(blue=workers_of("A")[:5], yellow=workers_of("A")[5:10])
    given.to("contracts")
    given.reveal_some(len(seats) + 1)
    given.to("build")
    return given


def first_sections(given: Scenario, player: str) -> dict[str, str]:
    contract = next(iter(given.player(player)["contracts"]))
    house = given.table.catalog_json()["contracts"][contract]["kind"] == "house"
    return {contract: "wall-1 gable-1" if house else "wall-1 side-1a"}


def test_a_locked_plan_is_held_back_from_all_but_its_player() -> None:
    given = planning("blue", "yellow")
    given.raise_("blue", **first_sections(given, "blue"))
    worker = given.table.entries[-1].events[0]["work"][0]["workers"][0]
    mine, theirs = (given.table.journal(viewer)[-1] for viewer in ("blue", "yellow"))
    assert worker in str(mine)
    for viewer in ("yellow", "banker", "spectator"):
        hidden = given.table.journal(viewer)[-1]
        assert worker not in str(hidden)
        assert hidden["events"] == [{"event": "PlanLocked", "player": "blue"}]
    assert theirs["command"] == {"do": "plan", "player": "blue"}
    given.do("plan", player="yellow", work={})
    assert worker in str(given.table.journal("yellow")[-2])  # all have planned: it is on the table


def test_somebody_elses_plan_does_not_make_a_plan_stale() -> None:
    given = planning("blue", "yellow", "green")
    seen = given.table.version
    given.raise_("blue", **first_sections(given, "blue"))
    plan = {"do": "plan", "player": "yellow", "work": {}}
    given.table.submit(Request(plan, "yellow", "tap", seen))
    with pytest.raises(Stale):
        given.table.submit(Request({"do": "count_cash", "player": "blue", "amount": 0}, "banker", "tap", seen))
    with pytest.raises(Stale):
        given.table.submit(Request(plan, "yellow", "tap", seen))  # their own plan has changed meanwhile


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("hire_worker", {"player": "blue", "worker": "W01"}),
        ("repay", {"player": "blue", "loan": "small"}),
        ("reveal_contracts", {"contracts": ["C01"]}),
        ("turn_event", {"card": "E01"}),
        ("correct_money", {"from": "bank", "to": "yellow", "amount": 1_000, "reason": "why"}),
        ("count_cash", {"player": "blue", "amount": 1_000}),
        ("rename_player", {"player": "blue", "name": "Eve"}),
        ("undo", {}),
    ],
)
def test_a_player_gives_only_his_own_commands(verb: str, fields: dict[str, object]) -> None:
    given = Scenario("blue", "yellow")
    before = given.position
    with pytest.raises(Forbidden):
        given.table.submit(Request({"do": verb, **fields}, "yellow", "tap"))
    assert given.position == before


def test_the_start_player_turns_cards_from_his_own_device() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    command = {"do": "reveal_contracts", "contracts": ["C01", "C02", "C03"]}
    given.table.submit(Request(command, "blue", "tap"))
    assert given.asks()[0] == ["blue"]
    given.table.submit(Request({"do": "pass", "player": "blue"}, "blue", "tap"))
    assert given.asks()[0] == ["yellow"]
