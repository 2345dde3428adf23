"""Needs of a player: the types that their contracts still ask for, and the gain of one more worker."""

from collections import Counter

import pytest
from hypothesis import given, settings

from companion.engine.game import Refused
from companion.games.master_builder.advice import needs, needs_view
from companion.games.master_builder.rules.building import section_names, team_of
from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.rules.state import BuildingSite, Employed, GamePosition, contract_card, worker_card
from tests.games.master_builder.test_planning import CONTRACTS, WORKERS, begun, blue_with, small_positions


def employed(*types: str) -> list[Employed]:
    """Workers of these types."""
    free = {kind: [worker for worker in WORKERS if worker_card(begun().state, worker).type == kind] for kind in RANK}
    return [Employed(free[kind].pop(0), 1_000) for kind in types]


def house() -> str:
    return next(card for card in CONTRACTS if contract_card(begun().state, card).kind == "house")


def test_a_contract_asks_for_those_of_its_open_sections() -> None:
    # given a house of which one wall stands
    card = contract_card(begun().state, house())
    position = blue_with([], [BuildingSite(card.id, ("wall-1",))])

    # then the types of all other sections are wanted, the highest first
    wanted = Counter(code for section in section_names(card.kind)[0:] for code in team_of(card, section))
    wanted -= Counter(team_of(card, "wall-1"))
    contracts = needs_view(position, "blue", None)["contracts"]
    assert contracts == [
        {"contract": card.id, "wants": {kind: wanted[kind] for kind in ("MC", "F", "T", "A") if wanted[kind]}}
    ]


def test_one_master_more_builds_what_nobody_else_could() -> None:
    # given a wall that no worker at hand can raise
    position = blue_with([], [BuildingSite(house())])
    assert needs(position, "blue").now.sections == 0

    # then one more of the highest type can do the most of all types
    then = needs(position, "blue").then
    assert then["MC"].sections >= max(done.sections for done in then.values())


def test_a_contract_that_one_could_get_counts_as_ones_own() -> None:
    position = blue_with(employed("MC", "MC", "F", "F", "T", "T"), [])
    assert needs(position, "blue").wants == {}
    assert set(needs(position, "blue", house()).wants) == {house()}
    assert needs(position, "blue", house()).now.sections > 0


@given(small_positions())
@settings(max_examples=60)
def test_one_worker_more_is_never_a_loss(position: GamePosition) -> None:
    demand = needs(position, "blue")
    if position.state.round < position.state.last_round:
        assert all(len(done.finished) >= len(demand.now.finished) or done.sections for done in demand.then.values())
    assert list(demand.then) == ["MC", "F", "T", "A"]


@pytest.mark.parametrize(
    ("player", "contract", "rule"), [("red", None, "unknown_player"), ("blue", "C99", "unknown_card")]
)
def test_what_there_is_not_is_refused(player: str, contract: str | None, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        needs(begun(), player, contract)
    assert refused.value.rule == rule
