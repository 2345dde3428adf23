"""House rules of phase 4: open plans, and what may stand when."""

from typing import Any

import pytest

from companion.games.master_builder.advice import best_plan
from companion.games.master_builder.rules.building import allowed_states, regulations
from companion.games.master_builder.rules.catalog import Effect
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import GamePosition
from companion.service.ports import Forbidden, Stale
from companion.service.table.table import Request
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

EASY = {"sections": {"*": ["A"]}, "cost": 2_000, "price": 50_000}
WALLS = "wall-1 wall-2 gable-1 gable-2"
ROOFS = "roof-1 roof-2"


def building(*seats: str, events: Any = None, **rules: Any) -> Scenario:
    """Phase 4 of round 1: blue has six workers, the city wall C01 and the house C03."""
    catalog = deck(contracts={"*": EASY}, wages={"*": 0}, events=events)
    given = Scenario(*(seats or ("blue", "yellow")), catalog=catalog, rules=rules)
    given.hire(blue=workers_of("A")[:5])
    given.to("events")
    given.give_cards("blue", "C01", "C03", workers_of("A")[12])
    given.to("build")
    return given


def work(given: Scenario, card: str, sections: str) -> Any:
    crew = given.player("blue")["workers"]
    return {card: {section: [worker] for section, worker in zip(sections.split(), crew, strict=False)}}


def build(given: Scenario, card: str, sections: str) -> None:
    """Let blue build, and go on to phase 4 of the next round."""
    given.do("plan", player="blue", work=work(given, card, sections))
    given.to("build", given.position["round"] + 1)
    assert set(sections.split()) <= set(given.player("blue")["contracts"][card])


def position_of(given: Scenario) -> GamePosition:
    position = given.table.position
    assert position is not None
    return position


def refusal(given: Scenario, card: str, sections: str) -> str:
    return given.refuses("plan", player="blue", work=work(given, card, sections))


def test_the_roof_may_follow_the_walls_at_once() -> None:
    given = building()
    given.do("plan", player="blue", work=work(given, "C03", f"{WALLS} {ROOFS}"))
    given.to("hire", 2)
    assert given.player("blue")["completed"] == ["C03"]


def test_the_roof_may_have_to_wait_for_the_next_phase() -> None:
    given = building(roof_timing="next_phase")
    assert refusal(given, "C03", f"{WALLS} {ROOFS}") == "roof_waits_a_phase"
    assert [job.section for job in best_plan(position_of(given), "blue") if job.contract == "C03"] == []
    build(given, "C03", "wall-1 gable-1 gable-2")
    assert refusal(given, "C03", "wall-2 roof-1") == "roof_waits_a_phase"
    build(given, "C03", "wall-2")
    build(given, "C03", "roof-1")  # one of the two halves, as printed


def test_the_best_plan_knows_that_the_roof_waits() -> None:
    given = building(roof_timing="next_phase")
    given.do("correct_card", card="C01", to="deck", reason="one site is enough")
    jobs = [job.section for job in best_plan(position_of(given), "blue") if job.contract == "C03"]
    assert jobs == sorted(WALLS.split())


def test_the_roofs_may_have_to_come_together() -> None:
    given = building(roof_pair="together")
    assert refusal(given, "C03", f"{WALLS} roof-1") == "roofs_together"
    build(given, "C03", WALLS)
    assert refusal(given, "C03", "roof-2") == "roofs_together"
    given.do("plan", player="blue", work=work(given, "C03", ROOFS))
    given.to("hire", given.position["round"] + 1)
    assert "C03" in given.player("blue")["completed"]


def test_a_single_half_of_the_roof_may_stand_as_printed() -> None:
    build(building(), "C03", f"{WALLS} roof-2")


def test_roofs_that_belong_together_come_down_together() -> None:
    raze = [Effect("raze", count=1)]
    given = building(events={"E05": raze}, roof_pair="together")
    build(given, "C03", WALLS)
    given.do("correct_card", card="C01", to="deck", reason="one site is enough")
    given.to("events", given.position["round"] + 1)
    given.do("turn_event", card="E05")
    ways = given.offer("choose_sections")["fields"]["sections"]["values"]
    assert all(section in WALLS for way in ways for section in way.get("C03", []))


def test_stretches_of_a_city_wall_come_one_after_the_other() -> None:
    given = building()
    assert refusal(given, "C01", "wall-2 side-2a") == "first_wall_first"
    build(given, "C01", "wall-1 side-1a")
    assert refusal(given, "C01", "wall-2 side-2a") == "first_wall_first"


def test_stretches_of_a_city_wall_may_come_in_any_order() -> None:
    given = building(city_wall_order="free")
    assert refusal(given, "C01", "wall-2") == "needs_wall_and_side"
    assert refusal(given, "C01", "side-2a side-2b") == "needs_wall_and_side"
    build(given, "C01", "wall-2 side-2b")
    assert refusal(given, "C01", "side-1a") == "needs_wall_and_side"
    build(given, "C01", "wall-1 side-1a")
    build(given, "C01", "side-1b")


@pytest.mark.parametrize(
    ("rules", "houses", "walls"),
    [
        (Rules(), 13, 7),
        (Rules(roof_pair="together"), 11, 7),
        (Rules(city_wall_order="free"), 13, 16),
        (Rules(roof_timing="next_phase"), 13, 7),
    ],
)
def test_how_many_ways_there_are_for_a_building_to_stand(rules: Rules, houses: int, walls: int) -> None:
    by = regulations(rules)
    assert (len(allowed_states("house", by)), len(allowed_states("city_wall", by))) == (houses, walls)


def test_secret_plans_are_made_at_once_and_may_be_replaced() -> None:
    given = building(plans="secret")
    assert given.asks() == (["blue", "yellow"], ["plan"])
    given.do("plan", player="yellow", work={})
    given.do("plan", player="yellow", work={})
    assert given.asks() == (["blue"], ["plan"])
    assert "plans" not in given.position
    assert given.table.journal("blue")[-1]["events"] == [{"event": "PlanLocked", "player": "yellow"}]


def test_open_plans_are_made_in_turn_and_stand() -> None:
    given = building(plans="open")
    assert given.asks() == (["blue"], ["plan"])
    assert given.refuses("plan", player="yellow", work={}) == "not_your_turn"
    assert [offer["do"] for offer in given.offers("yellow")] == []
    given.do("plan", player="blue", work=work(given, "C03", "wall-1 gable-1"))
    assert given.asks() == (["yellow"], ["plan"])
    assert given.refuses("plan", player="blue", work={}) == "not_your_turn"
    [locked] = given.table.journal("yellow")[-1]["events"]
    assert [job["section"] for job in locked["work"]] == ["gable-1", "wall-1"]
    assert locked["secret"] is False
    assert given.table.journal("yellow")[-1]["command"]["work"]["C03"]["wall-1"]
    seen = given.table.position_json("spectator")
    assert seen is not None
    assert list(seen["plans"]["blue"]["C03"]) == ["gable-1", "wall-1"]
    given.do("plan", player="yellow", work={})
    assert given.position["phase"] != "build"


def test_open_plans_pass_over_who_has_nothing_to_build() -> None:
    given = building("blue", "yellow", "green", plans="open")
    given.give_cards("green", "C05")
    for card in given.player("yellow")["contracts"]:
        given.do("correct_card", card=card, to="deck", reason="bought by mistake")
    given.do("plan", player="blue", work={})
    assert given.asks() == (["green"], ["plan"])
    assert given.refuses("plan", player="yellow", work={}) == "not_your_turn"


def test_an_open_plan_that_a_correction_breaks_is_made_again() -> None:
    given = building(plans="open")
    given.do("plan", player="blue", work=work(given, "C03", "wall-1 gable-1"))
    given.do("correct_card", card="C03", to="deck", reason="bought by mistake")
    assert given.asks() == (["blue"], ["plan"])


def test_an_open_plan_is_to_be_seen_before_the_next_is_made() -> None:
    given = building(plans="open")
    seen = given.table.version
    given.do("plan", player="blue", work={})
    with pytest.raises(Stale):
        given.table.submit(Request({"do": "plan", "player": "yellow", "work": {}}, "yellow", "tap", seen))


def test_an_open_plan_is_still_its_players_own() -> None:
    given = building(plans="open")
    with pytest.raises(Forbidden):
        given.table.submit(Request({"do": "plan", "player": "blue", "work": {}}, "yellow", "tap"))
