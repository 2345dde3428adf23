"""Deeds and Chance cards in the zones of the game's own mats, seen by the simulated camera."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from calibration.mat import MatTracker
from companion import bootstrap
from companion.bootstrap import cameras
from companion.bootstrap.cameras import load_mats
from companion.games.monopoly_builder import GAME
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.games.monopoly_builder.town import BARGAIN, CHANCE, JAIL, PARDON, O, P, Town, house_board

MATS = load_mats()
TEXTS = bootstrap.label_texts(GAME, house_board())


@cache
def camera_over(mat: str) -> tuple[SimulatedTable, SimulatedCamera]:
    """Return a table with a mat, and its camera; what they draw is the same for all tests."""
    simulated_table = SimulatedTable(3, TEXTS, mats=MATS)
    simulated_table.lay_mat(mat)
    return simulated_table, SimulatedCamera(simulated_table, frame_ms=250)


class OnMat:
    """A town, and the camera over one of the game's mats; it only suggests."""

    def __init__(self, mat: str) -> None:
        self.simulated_table, camera = camera_over(mat)
        self.simulated_table.clear()
        self.scanner = cameras.create_scanner(camera, MatTracker([MATS[mat]]))

    def attach(self, town: Town) -> Town:
        """Let the camera look at a town."""
        self.town = town
        self.scanner.attach(town.table)
        return town

    def lay(self, card: str, zone: str) -> dict[str, Any]:
        """Lay a card in a zone, and give what the camera asks."""
        self.simulated_table.lay_in(card, zone)
        for _ in range(10):
            assert self.scanner.process_next_frame()
            if self.scanner.proposals.pending(self.town.table.id):
                break
        [asked] = self.scanner.proposals.pending(self.town.table.id)
        return asked


@pytest.fixture(params=["town", "deeds"])
def mat(request: pytest.FixtureRequest) -> OnMat:
    return OnMat(request.param)


def test_the_deed_on_offer_laid_before_the_buyer_is_bought(mat: OnMat) -> None:
    mat.attach(Town(red={"space": 1})).roll("red", 1, 2)

    assert mat.lay(O, "red")["command"] == {"do": "buy", "player": "red"}


def test_a_chance_card_is_drawn_wherever_it_lies(mat: OnMat) -> None:
    mat.attach(Town(red={"space": CHANCE - 3})).roll("red", 1, 2)

    assert mat.lay("C05", "yellow")["command"] == {"do": "draw_chance", "player": "red", "card": "C05"}


def test_an_own_card_out_of_jail_is_played_from_the_tray(mat: OnMat) -> None:
    mat.attach(Town(red={"space": JAIL, "in_jail": True, "cards": [PARDON]}))

    assert mat.lay(PARDON, "tray")["command"] == {"do": "play_chance", "player": "red", "card": PARDON}


@pytest.mark.parametrize(
    ("begun", "card", "zone", "asked", "yes"),
    [
        (lambda: Town(red={"deeds": [O]}), O, "tray", "mortgage_it", "mortgage"),
        (lambda: Town(red={"deeds": [O], "mortgaged": [O]}), O, "tray", "lift_the_mortgage", "unmortgage"),
        (lambda: Town(red={"deeds": [O]}), O, "green", "trade_it", None),
        (lambda: Town(red={"cards": [BARGAIN]}), BARGAIN, "green", "trade_it", None),
        (Town, P, "purple", "card_means_nothing", None),
    ],
)
def test_any_other_place_is_a_question(
    mat: OnMat, begun: Callable[[], Town], card: str, zone: str, asked: str, yes: str | None
) -> None:
    mat.attach(begun())

    proposal = mat.lay(card, zone)

    answered = {"do": yes, "player": "red", "deed": card} if yes else None
    assert (proposal["command"], proposal["question"]["rule"]) == (answered, asked)


@pytest.mark.parametrize(
    ("begun", "refused"),
    [
        (lambda: Town(rules={"mortgage": "in_debt"}, red={"deeds": [O]}), "owes_nothing"),
        (lambda: Town(red={"deeds": [O], "mortgaged": [O], "cash": 20}), "cannot_pay"),
    ],
)
def test_a_deed_on_the_tray_that_nothing_can_be_done_with_says_why(
    mat: OnMat, begun: Callable[[], Town], refused: str
) -> None:
    mat.attach(begun())

    proposal = mat.lay(O, "tray")

    assert (proposal["command"], proposal["question"]["rule"]) == (None, refused)


def test_a_deed_on_the_tray_tells_nothing_of_hidden_money(mat: OnMat) -> None:
    mat.attach(Town(rules={"money": "hidden"}, red={"deeds": [O], "mortgaged": [O], "cash": 20}))

    assert mat.lay(O, "tray")["question"]["rule"] == "lift_the_mortgage"


def test_the_deed_under_the_hammer_before_its_leader_asks_for_the_hammer(mat: OnMat) -> None:
    town = mat.attach(Town(red={"space": 1}))
    town.roll("red", 1, 2)
    town.do("decline", "red")
    town.do("bid", "green", amount=10)

    proposal = mat.lay(O, "green")
    assert (proposal["command"], proposal["question"]["rule"]) == ({"do": "hammer"}, "hammer_now")
    assert proposal["question"]["details"]["amount"] == 10
