"""Labels that several cards bear: each followed by its place, and of a pile what lies on top."""

import pytest

from companion.engine.game import Placement
from companion.qr.sighting import Sighting
from companion.vision.tracking.tracker import Tracker
from tests.vision.test_track import at

FRONT, BACK, OTHER = "MW1I07", "MW1GOW", "MW1GPB"


def zones(x: float, _y: float) -> str | None:
    return "pile" if x < 500 else "discard" if x < 1000 else None


@pytest.fixture
def tracker() -> Tracker:
    return Tracker(locate=zones, shared=frozenset({"GOW", "GPB"}), piles=frozenset({"pile"}))


def show(tracker: Tracker, *seen: Sighting, since: int, until: int) -> list[Placement]:
    return [event for ms in range(since, until, 100) for event in tracker.observe(ms, seen)]


def test_each_of_several_equal_labels_is_placed_where_it_lies(tracker: Tracker) -> None:
    events = show(tracker, at(100, 100, BACK), at(100, 300, BACK), at(800, 100, BACK), since=0, until=800)

    assert [(event.card, event.zone) for event in events] == [("GOW", "pile"), ("GOW", "pile"), ("GOW", "discard")]
    assert tracker.placed_tags() == {}


def test_one_of_several_equal_labels_that_is_slid_on_stays_the_same(tracker: Tracker) -> None:
    show(tracker, at(100, 100, BACK), at(400, 300, BACK), since=0, until=800)

    assert show(tracker, at(130, 100, BACK), at(400, 300, BACK), since=800, until=1600) == []


def test_a_front_brings_along_what_lies_on_the_pile_though_the_new_top_looks_like_the_old_one(tracker: Tracker) -> None:
    show(tracker, at(100, 100, BACK), since=0, until=1000)

    events = show(tracker, at(100, 100, BACK), at(800, 100, FRONT), since=1000, until=2000)

    assert [(event.card, event.zone, event.top("pile")) for event in events] == [("I07", "discard", "GOW")]


def test_a_front_waits_until_the_hand_has_left_the_pile(tracker: Tracker) -> None:
    show(tracker, at(100, 100, BACK), since=0, until=1000)

    under_the_hand = show(tracker, at(800, 100, FRONT), since=1000, until=2000)
    events = show(tracker, at(800, 100, FRONT), at(105, 95, OTHER), since=2000, until=3500)

    assert [event for event in under_the_hand if event.event != "remove"] == []
    assert [(event.card, event.top("pile")) for event in events if event.zone == "discard"] == [("I07", "GPB")]


def test_a_pile_that_shows_nothing_keeps_no_front_waiting_for_ever(tracker: Tracker) -> None:
    events = show(tracker, at(800, 100, FRONT), since=0, until=4000)

    assert [(event.card, event.tops) for event in events] == [("I07", ())]


def test_the_back_that_comes_later_is_told_though_the_same_was_told_before(tracker: Tracker) -> None:
    # given a back that lay there, and wandered all the time that the front was at rest
    show(tracker, at(100, 100, BACK), since=0, until=1000)
    for number in range(22):
        tracker.observe(1000 + 100 * number, [at(800, 100, FRONT), at(100 + 40 * (number % 2), 100, BACK)])

    # when it comes to rest, then it is told anew
    events = show(tracker, at(800, 100, FRONT), at(100, 100, BACK), since=3200, until=4200)
    assert [(event.card, event.zone) for event in events] == [("GOW", "pile")]


def test_two_different_backs_in_a_pile_are_no_top(tracker: Tracker) -> None:
    show(tracker, at(100, 100, BACK), at(300, 100, OTHER), since=0, until=1000)

    events = show(tracker, at(100, 100, BACK), at(300, 100, OTHER), at(800, 100, FRONT), since=1000, until=3500)

    assert next(event for event in events if event.card == "I07").top("pile") is None


def test_without_piles_a_front_is_told_at_once() -> None:
    tracker = Tracker(locate=zones, shared=frozenset({"GOW"}))

    events = show(tracker, at(800, 100, FRONT), since=0, until=600)

    assert [(event.card, event.tops) for event in events] == [("I07", ())]
