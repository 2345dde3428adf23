"""Events that take sections down: what stays must stand."""

from itertools import combinations, product

import pytest

from companion.games.master_builder.rules.building import allowed_states, section_names
from companion.games.master_builder.rules.catalog import ContractKind, Effect
from companion.games.master_builder.rules.effects import ways_to_raze
from companion.games.master_builder.rules.state import BuildingSite, Player
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

FREE = {"sections": {"*": ["A"]}, "cost": 2_000}
HOUSE, WALL = "C03", "C01"
NO_WAYS: list[dict[str, list[str]]] = [
    {},
    {"C03": []},
    {"C03": ["gable-1"]},
    {"C03": ["wall-1", "wall-2"]},
    {"C03": ["wall-1", "wall-1"]},
    {"C03": ["roof-1"]},
    {"C03": ["wall-1"], "C01": ["wall-1"]},
    {"C99": ["wall-1"]},
]
NOT_EVEN_SECTIONS: list[object] = [
    None,
    [],
    "C03",
    {"C03": "wall-1"},
    {"C03": {"wall-1": 1}},
    {"C03": [1]},
    {"C03": None},
]


def before_razing(count: int, **built: str) -> Scenario:
    """Blue has built these sections (six apprentices, every section one) and the event is about to be turned."""
    events = {"E05": [Effect("raze", count=count)]}
    given = Scenario("blue", "yellow", catalog=deck(events=events, contracts={"*": FREE}, wages={"*": 0}))
    given.hire(blue=workers_of("A")[:5], yellow=workers_of("T")[:5])
    given.give_cards("blue", *workers_of("A")[5:])
    given.reveal("C01", "C03", "C04")
    given.sell("C03", "blue")
    given.sell("C01", "blue")
    for contract in built:
        if contract not in given.player("blue")["contracts"]:
            given.give_cards("blue", contract)
    given.to("build")
    given.raise_("blue", **built)
    given.to("events", 2)
    return given


def test_the_owner_chooses_what_comes_down() -> None:
    given = before_razing(1, C03="wall-1 wall-2 gable-1")
    given.do("turn_event", card="E05")
    assert given.asks() == (["blue"], ["choose_sections"])
    assert given.offer("choose_sections")["fields"]["sections"] == {
        "kind": "any_of_these",
        "values": [{"C03": ["wall-1"]}, {"C03": ["wall-2"]}],
    }
    for sections in NO_WAYS:
        assert given.refuses("choose_sections", player="blue", sections=sections) == "sections_cannot_go"
    for wrong in NOT_EVEN_SECTIONS:
        assert given.refuses("choose_sections", player="blue", sections=wrong) == "wrong_type"
    assert given.refuses("choose_workers", player="blue", workers=["W28"]) == "no_workers_to_choose"
    given.do("choose_sections", player="blue", sections={"C03": ["wall-2"], "C01": []})
    assert given.player("blue")["contracts"] == {"C01": [], "C03": ["gable-1", "wall-1"]}


@pytest.mark.parametrize(
    ("count", "built", "left"),
    [
        pytest.param(1, "", "", id="nothing stands"),
        pytest.param(1, "wall-1 gable-1", "gable-1 wall-1", id="one of two cannot go"),
        pytest.param(2, "wall-1 gable-1", "", id="two of two"),
        pytest.param(9, "wall-1 gable-1 wall-2", "", id="as many as there are"),
        pytest.param(2, "wall-1 gable-1 wall-2", "gable-1 wall-1 wall-2", id="one may go, but which is to be chosen"),
    ],
)
def test_as_many_come_down_as_can_up_to_the_count(count: int, built: str, left: str) -> None:
    given = before_razing(count, C03=built)
    given.do("turn_event", card="E05")
    assert given.player("blue")["contracts"]["C03"] == left.split()
    assert (given.position["phase"] == "events") == (count == 2 and len(left.split()) == 3)


def test_sections_may_come_down_on_several_buildings_at_once() -> None:
    given = before_razing(2, C03="wall-1 gable-1 gable-2", C01="wall-1 side-1a side-1b")
    given.do("turn_event", card="E05")
    ways = given.offer("choose_sections")["fields"]["sections"]["values"]
    assert {"C01": ["side-1b"], "C03": ["gable-1"]} in ways
    assert all(sum(map(len, way.values())) == 2 for way in ways)
    given.do("choose_sections", player="blue", sections={"C03": ["gable-1"], "C01": ["side-1b"]})
    assert given.player("blue")["contracts"] == {"C01": ["side-1a", "wall-1"], "C03": ["gable-2", "wall-1"]}
    assert given.position["phase"] == "build"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 12])
def test_the_ways_are_those_that_trying_everything_finds(count: int) -> None:
    state = before_razing(1, C03="wall-1 gable-1").table.position
    assert state is not None
    for house in allowed_states("house"):
        for wall in allowed_states("city_wall")[::2]:
            sites = (BuildingSite(HOUSE, tuple(sorted(house))), BuildingSite(WALL, tuple(sorted(wall))))
            player = Player("blue", "Blue", sites=sites)
            if len(house) == 6 or len(wall) == 6:
                continue
            ways = {
                frozenset((razed.contract, section) for razed in way for section in razed.sections)
                for way in ways_to_raze(state.state, player, count)
            }
            assert ways == tried(house, wall, count)


def tried(house: frozenset[str], wall: frozenset[str], count: int) -> set[frozenset[tuple[str, str]]]:
    pairs = list(product(losses("house", house), losses("city_wall", wall)))
    most = max(len(house_loss) + len(other) for house_loss, other in pairs if len(house_loss) + len(other) <= count)
    return {
        frozenset({(HOUSE, section) for section in house_loss} | {(WALL, section) for section in other})
        for house_loss, other in pairs
        if len(house_loss) + len(other) == most
    }


def losses(kind: ContractKind, built: frozenset[str]) -> list[tuple[str, ...]]:
    sound = allowed_states(kind)
    return [
        some
        for size in range(len(section_names(kind)) + 1)
        for some in combinations(sorted(built), size)
        if built - set(some) in sound
    ]


def test_razing_all_of_eight_buildings_is_found_quickly() -> None:
    state = before_razing(1, C03="wall-1 gable-1").table.position
    assert state is not None
    whole = ("gable-1", "gable-2", "roof-1", "wall-1", "wall-2")
    houses = tuple(BuildingSite(card, whole) for card in ("C03", "C04", "C05", "C06", "C08", "C09", "C10", "C11"))
    assert len(ways_to_raze(state.state, Player("blue", "Blue", sites=houses), 72)) == 1
    assert len(ways_to_raze(state.state, Player("blue", "Blue", sites=houses), 1)) == 8
