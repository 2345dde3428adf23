"""Phase 4: plans, teams and building regulations."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.games.master_builder.rules.building import allowed_states, team_fits, unsound
from companion.games.master_builder.rules.catalog import ContractKind, Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

APPRENTICES = workers_of("A")
ANYBODY = {"sections": {"*": ["A"]}, "cost": 2_000}
TYPES = ("A", "T", "F", "MC")


def ready(*mine: str, team: Sequence[str] = APPRENTICES[:6], **figures: Any) -> Scenario:
    """Blue is to plan for these contracts with this team (the first five hired); yellow waits too."""
    given = Scenario("blue", "yellow", catalog=deck(**{"contracts": {"*": ANYBODY}, "wages": {"*": 0}, **figures}))
    given.hire(blue=team[:5], yellow=workers_of("T")[:5])
    given.give_cards("blue", *team[5:])
    given.to("build")
    for contract in given.player("blue")["contracts"]:
        if contract not in mine:
            given.do("correct_card", card=contract, to="removed", reason="aside")
    given.give_cards("blue", *(card for card in mine if card not in given.player("blue")["contracts"]))
    return given


@pytest.mark.parametrize("rank", range(4))
def test_a_worker_does_what_asks_for_no_more_than_he_can_mb_44(rank: int) -> None:
    for asked, code in enumerate(TYPES):
        assert team_fits((code,), (TYPES[rank],)) == (rank >= asked)


@pytest.mark.parametrize(
    ("pair", "fits"),
    [
        (("F", "A"), True),
        (("F", "T"), True),
        (("F", "F"), True),
        (("MC", "A"), True),
        (("MC", "T"), True),
        (("MC", "F"), True),
        (("MC", "MC"), True),
        (("T", "T"), False),
        (("T", "A"), False),
        (("A", "A"), False),
        (("MC",), False),
        (("MC", "MC", "MC"), False),
        ((), False),
    ],
)
def test_a_foreman_and_an_apprentice_or_better_mb_45(pair: tuple[str, ...], fits: bool) -> None:
    assert team_fits(("F", "A"), pair) == fits
    assert team_fits(("A", "F"), pair[::-1]) == fits
    given = ready("C03", contracts={"C03": {"sections": {"*": ["F", "A"]}, "cost": 2_000}})
    team = [workers_of(kind)[6 + place if kind != "MC" else place] for place, kind in enumerate(pair)]
    given.give_cards("blue", *team, "W09", "W28")
    work = {"wall-1": team, "gable-1": ["W09", "W28"]}
    if fits:
        given.plan("blue", C03=work)
    else:
        assert given.refuses("plan", player="blue", work={"C03": work}) == "team_does_not_fit"


def test_the_printed_plan_for_contract_8_mb_43() -> None:
    sections = {"wall-1": ["F", "T"], "wall-2": ["F"], "gable-1": ["MC"], "gable-2": ["F", "A"], "*": ["A"]}
    team = (*workers_of("MC")[:1], *workers_of("F")[:2], *workers_of("T")[-1:], *APPRENTICES[:2])
    given = ready("C08", team=team, contracts={"C08": {"sections": sections}})
    master, foreman, other, tradesman, apprentice, idle = team
    work = {"wall-1": [foreman, tradesman], "gable-1": [master], "gable-2": [other, apprentice]}
    assert idle not in {worker for workers in work.values() for worker in workers}
    given.plan("blue", C08=work)
    given.to("events", 2)
    assert given.player("blue")["contracts"]["C08"] == ["gable-1", "gable-2", "wall-1"]
    given.to("build", 2)
    assert given.refuses("plan", player="blue", work={"C08": {"roof-1": [master]}}) == "roof_needs_four_walls"
    assert set(given.offers("blue")[0]["fields"]["work"]["sites"]["C08"]) == {"wall-2", "roof-1", "roof-2"}


def test_a_worker_serves_one_section_a_phase_mb_46() -> None:
    given = ready("C03")
    work = {"wall-1": ["W28"], "gable-1": ["W28"]}
    assert given.refuses("plan", player="blue", work={"C03": work}) == "worker_twice"
    given = ready("C03", contracts={"C03": {"sections": {"*": ["A", "A"]}}})
    assert given.refuses("plan", player="blue", work={"C03": {"wall-1": ["W28", "W28"]}}) == "worker_twice"


@pytest.mark.parametrize(
    ("sections", "rule"),
    [
        pytest.param("wall-1", "needs_wall_and_gable", id="MB-47 wall"),
        pytest.param("wall-1 wall-2", "needs_wall_and_gable", id="MB-47 two walls"),
        pytest.param("gable-1 gable-2", "needs_wall_and_gable", id="MB-47 two gables"),
        pytest.param("roof-1", "needs_wall_and_gable", id="roof alone"),
        pytest.param("wall-2 gable-1", None, id="MB-47 wall and gable"),
        pytest.param("wall-1 wall-2 gable-1 gable-2 roof-1 roof-2", None, id="MB-47 all six"),
        pytest.param("wall-1 wall-2 gable-1 roof-1", "roof_needs_four_walls", id="MB-48 roof on three"),
        pytest.param(
            "wall-1 wall-2 gable-1 gable-2 roof-2", None, id="MB-48 one half of the roof with the fourth wall"
        ),
    ],
)
def test_how_a_house_begins(sections: str, rule: str | None) -> None:
    begins("C03", sections, rule)


@pytest.mark.parametrize(
    ("sections", "rule"),
    [
        pytest.param("wall-1", "needs_wall_and_side", id="MB-49 wall"),
        pytest.param("side-1a", "needs_wall_and_side", id="MB-49 side"),
        pytest.param("side-1a side-1b", "needs_wall_and_side", id="MB-49 two sides"),
        pytest.param("wall-2 side-2a", "first_wall_first", id="MB-49 second first"),
        pytest.param("wall-1 side-1a wall-2 side-2a", "first_wall_first", id="MB-49 second before first is complete"),
        pytest.param("wall-1 side-1a side-1b wall-2", "needs_wall_and_side", id="MB-49 stopping at four"),
        pytest.param("wall-1 side-1b", None, id="MB-49 two"),
        pytest.param("wall-1 side-1a side-1b", None, id="MB-49 three"),
        pytest.param("wall-1 side-1a side-1b wall-2 side-2b", None, id="MB-49 five"),
        pytest.param("wall-1 side-1a side-1b wall-2 side-2a side-2b", None, id="MB-49 six"),
    ],
)
def test_how_a_city_wall_begins(sections: str, rule: str | None) -> None:
    begins("C02", sections, rule)


def begins(contract: str, sections: str, rule: str | None) -> None:
    given = ready(contract)
    names = sections.split()
    work = {contract: {name: [worker] for name, worker in zip(names, APPRENTICES, strict=False)}}
    if rule is not None:
        assert given.refuses("plan", player="blue", work=work) == rule
        return
    given.plan("blue", **work)
    given.to("hire", 2)
    blue = given.player("blue")
    assert blue["contracts"].get(contract, sorted(names)) == sorted(names)
    assert (contract in blue["completed"]) == (len(names) == 6)


@pytest.mark.parametrize(
    ("kind", "states", "sizes"),
    [
        pytest.param("house", 13, {0, 2, 3, 4, 5, 6}, id="MB-48 house"),
        pytest.param("city_wall", 7, {0, 2, 3, 5, 6}, id="MB-49 city wall"),
    ],
)
def test_the_states_in_which_a_building_stands(kind: ContractKind, states: int, sizes: set[int]) -> None:
    assert len(allowed_states(kind)) == states
    assert {len(state) for state in allowed_states(kind)} == sizes
    assert all(unsound(kind, state) is None for state in allowed_states(kind))


def test_a_wall_goes_from_two_to_five_in_one_phase_mb_49() -> None:
    given = ready("C02")
    given.raise_("blue", C02="wall-1 side-1a")
    given.to("build", 2)
    given.raise_("blue", C02="side-1b wall-2 side-2b")
    given.to("hire", 3)
    assert len(given.player("blue")["contracts"]["C02"]) == 5


def test_what_is_built_stays_and_the_workers_are_free_again_mb_50() -> None:
    given = ready("C03")
    given.raise_("blue", C03="wall-1 gable-1")
    given.to("build", 2)
    assert given.player("blue")["contracts"]["C03"] == ["gable-1", "wall-1"]
    assert len(given.offers("blue")[0]["fields"]["work"]["workers"]) == 6
    assert given.refuses("plan", player="blue", work={"C03": {"wall-1": ["W28"]}}) == "built_already"
    given.raise_("blue", C03="wall-2 gable-2 roof-1 roof-2")
    given.to("hire", 3)
    assert given.player("blue")["completed"] == ["C03"]


@pytest.mark.parametrize(
    ("work", "rule"),
    [
        ({"C05": {"wall-1": ["W28"]}}, "not_your_contract"),
        ({"C05": {}}, "not_your_contract"),
        ({"C13": {}}, "unknown_contract"),
        ({"W01": {"wall-1": ["W28"]}}, "unknown_contract"),
        ({"C03": {"side-1a": ["W28"]}}, "no_such_section"),
        ({"C03": {"tower": ["W28"]}}, "no_such_section"),
        ({"C03": {"wall-1": []}}, "team_does_not_fit"),
        ({"C03": {"wall-1": ["W28", "W29"]}}, "team_does_not_fit"),
        ({"C03": {"wall-1": ["W18"]}}, "not_your_worker"),
        ({"C03": {"wall-1": ["W01"]}}, "not_your_worker"),
        ({"C03": {"wall-1": ["W99"]}}, "unknown_worker"),
        ({"C03": {"wall-1": "W28"}}, "wrong_type"),
        ({"C03": {"wall-1": [28]}}, "wrong_type"),
        ({"C03": {"wall-1": {"W28": True}}}, "wrong_type"),
        ({"C03": {"wall-1": None}}, "wrong_type"),
        ({"C03": ["wall-1"]}, "wrong_type"),
        ({"C03": None}, "wrong_type"),
        ([], "wrong_type"),
        (None, "wrong_type"),
        ("", "wrong_type"),
        (5, "wrong_type"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(work: object, rule: str) -> None:
    assert ready("C03").refuses("plan", player="blue", work=work) == rule


def test_all_plan_at_once_in_any_order_and_in_secret() -> None:
    given = ready("C03")
    assert given.asks() == (["blue", "yellow"], ["plan"])
    given.do("plan", player="yellow", work={})
    assert given.asks() == (["blue"], ["plan"])
    assert given.position["planned"] == ["yellow"]
    assert given.offers("yellow") != []  # may be replaced until all have planned
    given.raise_("blue", C03="wall-1 gable-1")
    assert given.position["phase"] != "build"


def test_a_plan_can_be_replaced_and_only_its_player_sees_it() -> None:
    given = ready("C03")
    given.raise_("blue", C03="wall-1 gable-1")
    assert given.position["plan"] is None
    shown = given.table.position_json("blue")
    assert shown is not None
    assert set(shown["plan"]["C03"]) == {"gable-1", "wall-1"}
    given.raise_("blue", C03="wall-2 gable-2")
    given.do("plan", player="yellow", work={})
    given.to("hire", 2)
    assert given.player("blue")["contracts"]["C03"] == ["gable-2", "wall-2"]


def test_plans_are_shown_in_turn_order() -> None:
    given = ready("C03")
    mine = next(iter(given.player("yellow")["contracts"]))
    kind = given.table.catalog_json()["contracts"][mine]["kind"]
    given.raise_("yellow", **{mine: "wall-1 gable-1" if kind == "house" else "wall-1 side-1a"})
    events = given.raise_("blue", C03="wall-1 gable-1")
    assert [event["player"] for event in events if event["event"] == "SectionsBuilt"] == ["blue", "yellow"]


def test_who_has_no_contract_or_nobody_face_up_is_not_waited_for_but_may_plan() -> None:
    given = ready()
    assert given.player("blue")["contracts"] == {}
    assert given.asks() == (["yellow"], ["plan"])
    assert given.offers("blue") == []
    given.do("plan", player="blue", work={})
    assert given.position["planned"] == ["blue"]
    given.do("plan", player="yellow", work={})
    assert given.position["phase"] != "build"


def test_who_has_all_workers_face_down_is_not_waited_for() -> None:
    given = ready("C03", events={"E16": [Effect("unavailable", type=("A",))]})
    assert given.player("blue")["unavailable"] == sorted(APPRENTICES[:6])
    assert given.asks()[0] == ["yellow"]
    assert given.refuses("plan", player="blue", work={"C03": {"wall-1": ["W28"]}}) == "worker_face_down"
