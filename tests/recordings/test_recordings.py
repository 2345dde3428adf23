"""Every recorded evening that is kept here leads to the placements that were recorded."""

from pathlib import Path

import pytest

from companion.adapters.recordings.recording import LINES, Recording
from companion.bootstrap.cameras import replay

FOLDER = Path(__file__).parent
KEPT = sorted(path.parent for path in FOLDER.glob(f"*/{LINES}"))

RIGHT = {
    "on-the-tray": [
        # A hand over both cards and glare that wanders across them lead to nothing.
        ("place", "W07", "tray"),
        ("place", "W21", "tray"),
        ("remove", "W21", "tray"),  # turned over
        ("place", "W21", "tray"),
        ("place", "C03", "tray"),
        ("remove", "W07", "tray"),  # C03 covers it
        ("place", "W07", "tray"),
        ("remove", "C03", "tray"),
        ("place", "E05", "tray"),  # half off the picture it is read once its label is in view
    ],
    "on-the-mat": [
        ("place", "W07", "blue"),
        ("place", "W07", "blue"),  # asked again
        ("move", "W07", "yellow"),  # hired and undone meanwhile, which reads nothing; then pushed
        ("place", "W09", "blue"),  # the camera was knocked against before: the zone is right all the same
        ("remove", "W07", "yellow"),
    ],
}


@pytest.mark.parametrize("folder", KEPT, ids=lambda path: path.name)
def test_a_kept_evening_leads_to_the_same_placements(folder: Path) -> None:
    recording = Recording(folder)

    played = replay(recording)

    assert recording.torn is None
    assert played.find_departure() is None, played.find_departure()
    if folder.name in RIGHT:
        placements = [(step.placement.event, step.placement.card, step.placement.zone) for step in played.now]
        assert sorted(placements[:2]) + placements[2:] == RIGHT[folder.name]


def test_the_evenings_that_are_told_of_here_are_kept() -> None:
    assert {path.name for path in KEPT} >= RIGHT.keys()
