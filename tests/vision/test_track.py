"""From sightings to placements."""

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Placement
from companion.qr.sighting import Sighting
from companion.vision.tracking.tracker import Tracker


def at(x: float, y: float = 100.0, text: str = "MB1W07", confidence: float = 1.0) -> Sighting:
    """A symbol of 30 pixels with its middle there."""
    a, b = 15.0, 15.0
    return Sighting(text, ((x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)), confidence=confidence)


def halves(x: float, _y: float) -> str | None:
    """Two zones side by side, and nothing beyond."""
    return "left" if x < 500 else "right" if x < 1000 else None


PLACED = Placement("place", "MB1W07", "W07", "tray", 1.0)
REMOVED = Placement("remove", "MB1W07", "W07", "tray", 1.0)
WORD, WORDS = "MB1X01", frozenset({"X01"})
SAID = Placement("place", WORD, "X01", "tray", 1.0)


def test_a_card_that_rests_for_the_inertia_time_is_placed_once() -> None:
    tracker = Tracker(inertia_ms=500)

    events = [tracker.observe(ms, [at(100)]) for ms in range(0, 2000, 100)]

    assert events[5] == (PLACED,)
    assert sum(map(len, events)) == 1
    assert tracker.placed_tags() == {"MB1W07": "tray"}


def test_inertia_is_a_time_whatever_the_frame_rate() -> None:
    for step in (33, 200):
        tracker = Tracker(inertia_ms=500)
        first = next(ms for ms in range(0, 2000, step) if tracker.observe(ms, [at(100)]))
        assert 500 <= first < 500 + step


def test_it_says_when_the_next_card_will_have_rested() -> None:
    tracker = Tracker(inertia_ms=500)
    assert tracker.next_due_ms() is None

    tracker.observe(0, [at(100)])
    assert tracker.next_due_ms() == 500
    tracker.observe(380, [at(100)])
    assert tracker.next_due_ms() == 120
    tracker.observe(420, [])
    assert tracker.next_due_ms() is None, "it is out of sight"
    tracker.observe(500, [at(100)])
    assert tracker.next_due_ms() is None, "it lies there"


def test_cards_at_rest_lie_in_other_zones_once_those_are_known_better() -> None:
    # given two cards at rest, one in a zone and one in none
    edge = 450.0
    tracker = Tracker(inertia_ms=500, locate=lambda x, _y: "left" if x < edge else None)
    sightings = [at(400), at(550, text="MB1W08")]
    for ms in range(0, 1000, 100):
        tracker.observe(ms, sightings)
    assert tracker.placed_tags() == {"MB1W07": "left"}

    # when it turns out that the zone reaches further
    edge = 600.0
    assert tracker.observe(1000, sightings) == ()
    tracker.relocate()

    # then the other one lies there, too, and the first is not told again
    assert tracker.observe(1100, sightings) == (Placement("place", "MB1W08", "W08", "left", 1.0),)
    assert tracker.observe(1200, sightings) == ()


def test_without_inertia_the_first_sight_counts() -> None:
    assert Tracker(inertia_ms=0).observe(0, [at(100)]) == (PLACED,)


def test_a_card_carried_across_is_not_placed() -> None:
    tracker = Tracker(inertia_ms=300)

    assert all(tracker.observe(ms, [at(ms)]) == () for ms in range(0, 900, 50))


def test_one_lost_frame_neither_delays_nor_removes() -> None:
    tracker = Tracker(inertia_ms=500, gone_ms=1000)

    events = [tracker.observe(ms, [] if ms % 300 == 200 else [at(100)]) for ms in range(0, 3000, 100)]

    assert events[5:7] == [(), (PLACED,)] or events[5] == (PLACED,)
    assert sum(map(len, events)) == 1


def test_a_card_out_of_sight_long_enough_is_removed_and_may_come_again() -> None:
    tracker = Tracker(inertia_ms=100, gone_ms=400)
    tracker.observe(0, [at(100)])
    assert tracker.observe(100, [at(100)]) == (PLACED,)

    assert [tracker.observe(ms, []) for ms in (200, 300, 400, 500, 600)] == [(), (), (), (), (REMOVED,)]
    assert tracker.placed_tags() == {}
    assert tracker.observe(700, [at(100)]) == ()
    assert tracker.observe(800, [at(100)]) == (PLACED,)


def test_a_camera_that_stood_still_has_not_seen_the_card_leave() -> None:
    tracker = Tracker(inertia_ms=0, gone_ms=400)
    tracker.observe(0, [at(100)])

    assert tracker.observe(9000, []) == ()
    assert tracker.observe(9400, []) == (REMOVED,)


def test_a_card_seen_only_in_passing_leaves_no_trace() -> None:
    tracker = Tracker(inertia_ms=500, gone_ms=200)
    tracker.observe(0, [at(100)])

    assert [tracker.observe(ms, []) for ms in (100, 300, 500)] == [(), (), ()]


def test_a_card_that_says_a_word_counts_beside_the_zones_too() -> None:
    tracker = Tracker(inertia_ms=100, locate=halves, commands=WORDS)
    tracker.observe(0, [at(1500), at(1600, text=WORD)])

    assert tracker.observe(100, [at(1500), at(1600, text=WORD)]) == (SAID,)


def test_a_word_that_a_hand_has_covered_is_not_said_again() -> None:
    # given a card that says a word
    tracker = Tracker(inertia_ms=100, gone_ms=400, commands=WORDS)
    tracker.observe(0, [at(100, text=WORD)])
    assert tracker.observe(100, [at(100, text=WORD)]) == (SAID,)

    # when something moves over it for longer than a card takes to be gone, then it has stayed where it was
    assert all(tracker.observe(ms, [], lambda _: False) == () for ms in range(200, 3000, 100))
    assert all(tracker.observe(ms, [at(100, text=WORD)]) == () for ms in range(3000, 4000, 100))


def test_a_word_that_is_laid_again_is_said_again() -> None:
    # given a card that says a word
    tracker = Tracker(inertia_ms=100, gone_ms=400, commands=WORDS)
    tracker.observe(0, [at(100, text=WORD)])
    assert tracker.observe(100, [at(100, text=WORD)]) == (SAID,)
    gone = Placement("remove", WORD, "X01", "tray", 1.0)

    # when it lies elsewhere after a while, though a hand has moved where it lay
    assert all(tracker.observe(ms, [], lambda _: False) == () for ms in range(200, 700, 100))

    # then it is said again
    assert tracker.observe(700, [at(300, text=WORD)]) == (gone,)
    assert tracker.observe(800, [at(300, text=WORD)]) == (SAID,)

    # and so it is where it lay, once nothing has moved there
    assert [tracker.observe(ms, []) for ms in (900, 1100, 1300)] == [(), (), (gone,)]
    assert tracker.observe(1400, [at(300, text=WORD)]) == ()
    assert tracker.observe(1500, [at(300, text=WORD)]) == (SAID,)


def test_a_card_whose_place_a_hand_moves_over_has_not_left() -> None:
    # given a card at rest
    tracker = Tracker(inertia_ms=100, gone_ms=400)
    tracker.observe(0, [at(100)])
    assert tracker.observe(100, [at(100)]) == (PLACED,)

    # when something moves over it for longer than a card takes to be gone, then it lies there all the time
    assert all(tracker.observe(ms, [], lambda _: False) == () for ms in range(200, 3000, 100))
    assert all(tracker.observe(ms, [at(103)]) == () for ms in range(3000, 4000, 100))
    assert tracker.placed_tags() == {"MB1W07": "tray"}


def test_a_card_that_shows_again_exactly_where_it_lay_was_never_moved() -> None:
    # given a card on which something has rested, so that it counts as removed
    tracker = Tracker(inertia_ms=100, gone_ms=400)
    for ms in (0, 100):
        tracker.observe(ms, [at(100)])
    assert REMOVED in [event for ms in range(200, 1000, 100) for event in tracker.observe(ms, [])]

    # when it shows again there, then it is placed, and known to have lain there
    tracker.observe(1000, [at(101)])
    assert tracker.observe(1100, [at(101)]) == (PLACED,)
    assert tracker.returned_tags == {"MB1W07"}

    # and when it shows again a little aside, then somebody has laid it
    for ms in range(1200, 2000, 100):
        tracker.observe(ms, [])
    tracker.observe(2000, [at(104)])
    assert tracker.observe(2100, [at(104)]) == (PLACED,)
    assert tracker.returned_tags == frozenset()


def test_a_card_whose_place_was_never_seen_bare_may_have_lain_there_before() -> None:
    tracker = Tracker(inertia_ms=100, gone_ms=400, locate=halves)
    tracker.observe(0, [at(100)], bare=lambda _: False)
    assert len(tracker.observe(100, [at(100)])) == 1
    assert tracker.initial_tags == {"MB1W07"}

    # when it is pushed to another zone, then somebody has laid it there
    tracker.observe(200, [at(700)], bare=lambda _: False)
    assert len(tracker.observe(300, [at(700)])) == 1
    assert tracker.initial_tags == frozenset()


def test_of_a_pile_that_lay_there_only_the_first_back_may_have_lain_there_before() -> None:
    # given a back on top of a pile, which was never seen bare
    tracker = Tracker(inertia_ms=100, gone_ms=400, shared=frozenset({"GOW"}))
    back = at(100, text="MW1GOW")
    tracker.observe(0, [back], bare=lambda _: False)
    tracker.observe(100, [back], bare=lambda _: False)
    assert tracker.initial_tags == {"MW1GOW"}

    # when the next card has the same back, then somebody has turned one
    for ms in range(200, 700, 100):
        tracker.observe(ms, [])
    tracker.observe(700, [back], bare=lambda _: False)
    assert len(tracker.observe(800, [back], bare=lambda _: False)) == 1
    assert tracker.initial_tags == frozenset()


def test_a_card_whose_zone_alone_has_changed_was_laid_by_nobody() -> None:
    tracker = Tracker(inertia_ms=100)
    for ms in (0, 100):
        tracker.observe(ms, [at(100)])
    tracker.locate = halves
    tracker.relocate()

    (moved,) = tracker.observe(200, [at(100)])

    assert (moved.event, moved.zone) == ("move", "left")
    assert tracker.initial_tags == {"MB1W07"}


def test_a_card_lies_where_it_is_without_a_word_once_a_mat_was_taken_away() -> None:
    tracker = Tracker(inertia_ms=100, locate=halves)
    for ms in (0, 100):
        tracker.observe(ms, [at(100)])
    tracker.locate = lambda _x, _y: "tray"
    tracker.relocate(silently=True)

    assert tracker.observe(200, [at(100)]) == ()
    assert tracker.placed_tags() == {"MB1W07": "tray"}


def test_time_without_frames_is_no_absence_of_a_card_that_was_covered_just_before() -> None:
    # given a card that a hand covers in the last frame before the camera is lost
    tracker = Tracker(inertia_ms=100)
    for ms in (0, 100):
        tracker.observe(ms, [at(100)])
    tracker.observe(200, [])

    # when the camera comes back after a minute, and does not see the card at once, then it has not left
    assert tracker.observe(60_000, []) == ()
    assert all(tracker.observe(ms, [at(100)]) == () for ms in range(60_100, 61_000, 100))


def test_jitter_is_rest() -> None:
    tracker = Tracker(inertia_ms=500)

    events = [tracker.observe(ms, [at(100 + (ms // 100) % 3 * 3)]) for ms in range(0, 2000, 100)]

    assert sum(map(len, events)) == 1


def test_jitter_on_the_border_of_two_zones_moves_nothing() -> None:
    tracker = Tracker(inertia_ms=200, locate=halves)

    events = [tracker.observe(ms, [at(499 + (ms // 50) % 2 * 3)]) for ms in range(0, 3000, 50)]

    assert [event.zone for batch in events for event in batch] == ["left"]


def test_a_card_pushed_into_another_zone_moves_there() -> None:
    tracker = Tracker(inertia_ms=200, locate=halves)
    tracker.observe(0, [at(100)])
    tracker.observe(200, [at(100)])
    tracker.observe(300, [at(700)])

    assert tracker.observe(400, [at(700)]) == ()
    assert tracker.observe(500, [at(700)]) == (Placement("move", "MB1W07", "W07", "right", 1.0),)
    assert tracker.observe(900, [at(700)]) == ()


def test_a_card_pushed_within_its_zone_says_nothing_more() -> None:
    tracker = Tracker(inertia_ms=200, locate=halves)
    tracker.observe(0, [at(100)])
    tracker.observe(200, [at(100)])

    assert all(tracker.observe(ms, [at(300)]) == () for ms in range(300, 2000, 100))


def test_a_card_pushed_out_of_all_zones_is_removed_from_where_it_lay() -> None:
    tracker = Tracker(inertia_ms=200, locate=halves)
    tracker.observe(0, [at(700)])
    tracker.observe(200, [at(700)])
    tracker.observe(300, [at(1400)])

    assert tracker.observe(500, [at(1400)]) == (Placement("remove", "MB1W07", "W07", "right", 1.0),)
    assert tracker.observe(2000, [at(1400)]) == ()


def test_what_is_followed_can_be_asked_and_forgotten() -> None:
    tracker = Tracker(inertia_ms=100)
    assert tracker.observe(0, [at(100)]) == ()
    assert tracker.tags_in_view() == {"MB1W07"}
    assert tracker.observe(100, [at(100)]) == (PLACED,)

    tracker.forget("MB1W07")
    tracker.forget("MB1W08")

    assert tracker.tags_in_view() == frozenset()
    assert tracker.placed_tags() == {}
    assert tracker.observe(200, [at(100)]) == ()
    assert tracker.observe(300, [at(100)]) == (PLACED,)


def test_texts_that_are_no_labels_are_never_placed() -> None:
    tracker = Tracker(inertia_ms=0)

    assert tracker.observe(0, [at(100, text="https://example.org")]) == ()
    assert tracker.placed_tags() == {}


def test_two_stickers_of_one_text_are_one_card() -> None:
    tracker = Tracker(inertia_ms=0)

    assert len(tracker.observe(0, [at(100), at(400)])) == 1


def test_a_clock_that_runs_backwards_stands_still() -> None:
    tracker = Tracker(inertia_ms=100)
    tracker.observe(1000, [at(100)])

    assert tracker.observe(0, [at(100)]) == ()
    assert tracker.observe(1100, [at(100)]) == (PLACED,)


@given(frames=st.lists(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 1200)), max_size=3), max_size=60))
def test_events_of_a_tag_alternate_whatever_is_seen(frames: list[list[tuple[str, int]]]) -> None:
    tracker = Tracker(inertia_ms=100, gone_ms=150, locate=halves)
    lying: dict[str, str] = {}
    for number, frame in enumerate(frames):
        for event in tracker.observe(number * 50, [at(x, text=f"MB1{card}") for card, x in frame]):
            match event.event:
                case "place":
                    assert event.tag not in lying
                    lying[event.tag] = event.zone
                case "move":
                    assert lying[event.tag] != event.zone
                    lying[event.tag] = event.zone
                case "remove":
                    assert lying.pop(event.tag) == event.zone
    assert lying == tracker.placed_tags()
