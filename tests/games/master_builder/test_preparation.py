"""Components that are laid ready, and how cards show them."""

import pytest

from companion.game_api.capabilities import PreparationStep
from companion.games.master_builder.capabilities import piles_shown, steps
from tests.scenario import Scenario

TYPES = {"W01": "MC", "W02": "MC", "W10": "F", "W20": "T", "W30": "A"}

SEATS = ("blue", "yellow", "red", "green")


def laid_ready(players: int, variants: tuple[str, ...] = (), seen: tuple[str, ...] = ()) -> list[PreparationStep]:
    position = Scenario(*SEATS[:players], variants=list(variants)).table.position
    assert position is not None
    return steps(position, frozenset(seen))


@pytest.mark.parametrize(("players", "boxed"), [(2, 4), (3, 0), (4, 0)])
def test_with_two_players_four_contracts_stay_in_the_box(players: int, boxed: int) -> None:
    laid = {step.name: step.count for step in laid_ready(players)}
    assert laid == {
        "sections": 0,
        "workers": 0,
        "contracts": boxed,
        "events": 0,
        "economy": 5,
        "money": 40_000,
        "ious": 0,
        "markers": players,
        "mallet": 0,
    }


def test_selective_events_are_dealt_two_each() -> None:
    assert PreparationStep("events", 2, 0, 1) in laid_ready(3, ("selective_events",))


@pytest.mark.parametrize(
    ("step", "cards", "seen"),
    [
        ("workers", (), (0, 4)),
        ("workers", ("W01", "W02", "C01"), (1, 4)),
        ("workers", ("W01", "W10", "W20", "W30", "W99"), (4, 4)),
        ("contracts", ("W01",), (0, 1)),
        ("contracts", ("C01", "C02"), (1, 1)),
        ("economy", ("Y11",), (1, 1)),
        ("mallet", ("W01",), (0, 0)),
    ],
)
def test_a_pile_is_shown_by_its_cards(step: str, cards: tuple[str, ...], seen: tuple[int, int]) -> None:
    assert piles_shown(step, cards, TYPES) == seen
