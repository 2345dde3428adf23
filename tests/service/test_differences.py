"""The table against the books: what lasts is told, what a hand covers is not missing yet."""

from collections.abc import Mapping
from typing import Any

import pytest

from companion.qr.sighting import Box
from companion.service.table.differences import (
    ABSENT_MS,
    LASTING_MS,
    LONGEST_FRAME_MS,
    NEVER_SEEN_MS,
    Differences,
    FrameView,
)
from companion.service.table.table import Table
from tests.service.house_tables import give, house_table

PLACE: Box = (10, 10, 50, 50)
STEP_MS = 500
CREW = ("W30", "W31")


class Watched:
    """A table at which Blue employs W30 and W31, apprentices both, and what a camera would see of it."""

    def __init__(self, *, resumed: bool = False) -> None:
        self.table: Table = house_table(2)[0]
        others = iter(["W20", "W21"])
        while not set(CREW) <= set(self._crew()):
            player = self._shown()["waiting_for"][0]
            worker = next(card for card in CREW if card not in self._crew()) if player == "blue" else next(others)
            give(self.table, {"do": "hire_worker", "player": player, "worker": worker})
        self.differences = Differences(resumed=resumed)
        self.at_ms = 0
        self.moving = False

    def _shown(self) -> dict[str, Any]:
        return self.table.position_json("banker") or {}

    def _crew(self) -> list[str]:
        return list(self._shown()["players"]["blue"]["workers"])

    def observe(self, ms: int, lying: Mapping[str, str]) -> list[dict[str, Any]]:
        view = FrameView(dict.fromkeys(lying, PLACE), lambda _: not self.moving)
        for _ in range(0, ms, STEP_MS):
            self.at_ms += STEP_MS
            self.differences.observe(self.at_ms, self.table, lying, view)
        return self.differences.as_json


COMPLETE = dict.fromkeys(CREW, "blue")
ONLY_W30 = {"W30": "blue"}


def test_a_card_that_lay_there_is_missed_only_after_a_while() -> None:
    watched = Watched()
    watched.observe(STEP_MS, COMPLETE)

    assert watched.observe(ABSENT_MS - STEP_MS, ONLY_W30) == []
    (fewer,) = watched.observe(STEP_MS, ONLY_W30)
    assert (fewer["difference"], fewer["cards"]) == ("fewer", ("W31",))
    assert watched.observe(STEP_MS, COMPLETE) == [], "it shows again"


def test_while_something_moves_over_its_place_a_card_is_not_missing() -> None:
    watched = Watched()
    watched.observe(STEP_MS, COMPLETE)
    watched.moving = True

    assert watched.observe(10 * ABSENT_MS, ONLY_W30) == []
    watched.moving = False
    assert watched.observe(ABSENT_MS - STEP_MS, ONLY_W30) == []
    assert watched.observe(STEP_MS, ONLY_W30) != []


def test_a_card_that_was_never_seen_there_gets_longer() -> None:
    watched = Watched()

    assert watched.observe(NEVER_SEEN_MS, ONLY_W30) == []
    assert [difference["cards"] for difference in watched.observe(STEP_MS, ONLY_W30)] == [("W31",)]


def test_of_a_seat_in_which_nothing_lies_nothing_is_missing() -> None:
    watched = Watched()
    watched.observe(STEP_MS, COMPLETE)

    assert watched.observe(2 * NEVER_SEEN_MS, {}) == []


def test_a_card_in_a_wrong_zone_is_told_while_it_lies_there() -> None:
    watched = Watched()
    astray = {**ONLY_W30, "W31": "yellow"}

    assert watched.observe(LASTING_MS, astray) == []
    assert watched.observe(STEP_MS, astray) == [
        {"difference": "elsewhere", "card": "W31", "zone": "yellow", "books": "blue"}
    ]
    assert watched.observe(STEP_MS, COMPLETE) == []


def test_without_frames_nothing_is_missing() -> None:
    watched = Watched()
    watched.observe(STEP_MS, COMPLETE)
    watched.at_ms += 60 * LONGEST_FRAME_MS

    assert watched.observe(STEP_MS, ONLY_W30) == []


def test_a_table_that_goes_on_after_a_pulled_plug_says_so_until_somebody_plays_on() -> None:
    watched = Watched(resumed=True)

    assert watched.observe(ABSENT_MS + STEP_MS, ONLY_W30) != [], "sooner than at any other time"
    assert watched.differences.resumed
    give(watched.table, {"do": "undo"})
    watched.observe(STEP_MS, ONLY_W30)
    assert not watched.differences.resumed


def test_cards_that_were_put_back_need_no_second_look() -> None:
    watched = Watched(resumed=True)
    watched.observe(ABSENT_MS + STEP_MS, ONLY_W30)

    assert watched.observe(STEP_MS, COMPLETE) == []
    assert not watched.differences.resumed


@pytest.mark.parametrize("resumed", [False, True])
def test_a_table_that_agrees_with_the_books_tells_nothing(resumed: bool) -> None:
    watched = Watched(resumed=resumed)

    assert watched.observe(NEVER_SEEN_MS, COMPLETE) == []
    assert watched.differences.resumed == resumed
