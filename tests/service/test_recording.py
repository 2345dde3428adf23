"""Two runs of the same frames, compared."""

from typing import Literal

from companion.engine.game import Placement
from companion.service.camera.recording import Departure, Placed, first_departure

Event = Literal["place", "move", "remove"]


def placed(at_ms: int, card: str = "W07", event: Event = "place", zone: str = "tray", sure: float = 1.0) -> Placed:
    return Placed(at_ms // 100, at_ms, Placement(event, f"MB1{card}", card, zone, sure))


def test_the_same_placements_a_little_later_are_the_same() -> None:
    before = [placed(600), placed(700, "C03"), placed(5000, event="remove")]
    after = [placed(800, "C03", sure=0.98), placed(900), placed(5500, event="remove")]

    assert first_departure(before, after, 500) is None
    departure = first_departure(before, after, 299)
    assert departure == Departure(before[0], after[1])
    assert departure.at_ms == 600


def test_what_is_missing_what_is_new_and_what_is_elsewhere_part_them() -> None:
    before = [placed(600), placed(2000, event="remove")]

    assert first_departure(before, before[:1], 500) == Departure(before[1], None)
    assert first_departure(before[:1], before, 500) == Departure(None, before[1])
    moved = placed(600, zone="blue")
    assert first_departure(before, [moved, before[1]], 500) == Departure(before[0], moved)
    assert first_departure(before, [*before, placed(100, "E05")], 500) == Departure(None, placed(100, "E05"))


def test_a_placement_is_printed_with_its_frame() -> None:
    assert placed(600, sure=0.98765).as_json() == {
        "frame": 6,
        "at_ms": 600,
        "event": "place",
        "tag": "MB1W07",
        "card": "W07",
        "zone": "tray",
        "confidence": 0.9877,
    }
