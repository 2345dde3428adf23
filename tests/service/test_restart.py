"""A restart in the middle of an evening: the dial and the pictures are as they were."""

from pathlib import Path

from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import RunningInstallation, open_installation
from companion.config import DataFolder
from companion.engine.game import Placement
from companion.service.camera.proposals import CardSource
from companion.service.table.table import Request

START = {
    "do": "start_game",
    "game": "master_builder",
    "first": "blue",
    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}],
}


def opened(folder: Path) -> RunningInstallation:
    source, simulated_table = connect_camera("none")
    return open_installation(DataFolder(folder), source, simulated_table, pin="1234")


def test_the_dial_and_what_the_camera_saw_outlast_the_program(tmp_path: Path) -> None:
    # given a table that hires by itself, and a worker who was laid down
    before = opened(tmp_path)
    table = before.services.tables.start(Request(START, "banker", "tap"))
    proposals = before.services.scanner.proposals
    proposals.set_level(table, "automatic", "worker")
    proposals.on_placement(table, Placement("place", "MB1W07", "W07", "tray", 1.0), b"picture", CardSource("camera"))
    assert table.version == 2
    before.close()

    # when the program is started again
    after = opened(tmp_path)

    # then both are there
    kept, again = after.services.scanner.proposals, after.services.tables.get(table.id)
    setting = kept.settings(again)
    assert (setting.level, dict(setting.level_by_kind)) == ("suggest", {"worker": "automatic"})
    crop = kept.keepsakes.crop(table.id, 2)
    assert crop is not None
    assert (crop.picture, crop.viewer) == (b"picture", "banker")
    after.close()
