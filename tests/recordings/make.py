"""Films the recordings that are kept here: ``python -m tests.recordings.make``.

Each is an evening of some seconds: a real scanner looks at a real table of the game, and records; then it is condensed
as ``companion replay --keep`` does it.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from calibration.mat import Mat, MatTracker, parse_mat
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.recordings.recording import Recording, RecordingCamera
from companion.bootstrap import cameras
from companion.bootstrap.cameras import begin_recording, condense_recording
from companion.config import DataFolder
from companion.service.camera.scanner import Scanner
from companion.service.table.table import Request, Table
from companion.simulator.art import PlacedMat
from tests.opened import house_games
from tests.recordings.film import Film

FOLDER = Path(__file__).parent
MAT = """
name = "small"
title = "Two seats, for a small picture"
width_mm = 330
height_mm = 184

[markers]
side_mm = 26
margin_mm = 4
numbers = [80, 81, 82, 83]

[[zone]]
name = "blue"
corners_mm = [[34, 4], [160, 4], [160, 180], [34, 180]]

[[zone]]
name = "yellow"
corners_mm = [[168, 4], [296, 4], [296, 180], [168, 180]]
"""


class FilmedSession:
    """A film, the scanner that looks at it, and what people tap."""

    def __init__(self, folder: Path, film: Film, mat: Mat | None = None) -> None:
        mats = folder / "mats"
        if mat is not None:
            mats.mkdir()
            (mats / "small.toml").write_text(MAT, encoding="utf-8")
        data = DataFolder(folder)
        self.film = film
        self.recorder = begin_recording(folder / "recordings", data, film.name)
        self.camera = RecordingCamera(film, self.recorder)
        tracker = MatTracker([] if mat is None else [mat])
        self.scanner: Scanner = cameras.create_scanner(self.camera, tracker, recorder=self.recorder)
        players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}]
        start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
        tables = bootstrap.open_tables(house_games(), InMemoryJournal())
        self.table: Table = tables.start(Request(start, "banker", "tap"))
        self.scanner.attach(self.table)

    def process_frames(self, frames: int = 6) -> None:
        for _ in range(frames):
            self.scanner.process_next_frame()

    def yes(self) -> None:
        (asked,) = self.scanner.proposals.pending(self.table.id)
        self.scanner.proposals.answer(self.table.id, asked["id"], "yes", actor="banker")

    def again(self) -> None:
        (asked,) = self.scanner.proposals.pending(self.table.id)
        self.scanner.proposals.answer(self.table.id, asked["id"], "again", actor="banker")

    def tap(self, do: str) -> None:
        self.table.submit(Request({"do": do}, "banker", "tap"))

    def end(self) -> Recording:
        self.camera.close()
        return Recording(self.recorder.folder)


def on_the_tray(folder: Path) -> Recording:
    """A hand passes over, glare wanders, a card is turned over, covered, half off the picture, hired and undone."""
    session = FilmedSession(folder, Film(3))
    film = session.film
    film.lay("W07", 90, 95, 10)
    film.lay("W21", 210, 60, -20)
    session.process_frames()
    for tip in (40, 130, 220, 220, 120, 30):
        film.hand_mm = tip
        session.process_frames(1)
    film.hand_mm = None
    session.process_frames(4)
    for x in (60, 90, 120, 180, 220, 260):
        film.glare_mm = (x, 70)
        session.process_frames(1)
    film.glare_mm = None
    session.process_frames(3)
    film.turned_over.add("W21")
    session.process_frames(7)
    film.turned_over.clear()
    session.process_frames(5)
    film.lay("C03", 100, 100, 4)
    session.process_frames(8)
    film.take_away("C03")
    session.process_frames(5)
    film.lay("E05", 336, 120, 0)
    session.process_frames(4)
    film.lay("E05", 322, 120, 0)
    session.process_frames(5)
    return session.end()


def on_the_mat(folder: Path) -> Recording:
    """A card is asked anew, hired, undone, lies on unread, is pushed to another seat; the camera is bumped."""
    mat = parse_mat(MAT)
    session = FilmedSession(folder, Film(5, mat=PlacedMat(mat, 8.0, 5.0)), mat)
    film = session.film
    session.process_frames(3)
    film.lay("W07", 100, 100, 6)
    session.process_frames()
    session.again()
    session.process_frames(5)
    session.yes()
    session.process_frames(3)
    session.tap("undo")
    session.process_frames(6)
    for x in (130, 165, 200, 226):
        film.lay("W07", x, 100, 6)
        session.process_frames(1)
    session.process_frames(6)
    film.bump(0.05, 1.0)
    session.process_frames(8)
    film.lay("W09", 110, 70, -8)
    session.process_frames(6)
    film.take_away("W07")
    session.process_frames(8)
    return session.end()


FILMED: dict[str, Callable[[Path], Recording]] = {"on-the-tray": on_the_tray, "on-the-mat": on_the_mat}


def main() -> None:
    """Film them all anew."""
    for name, filmed in FILMED.items():
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            condense_recording(filmed(Path(folder)), FOLDER / name)


if __name__ == "__main__":
    main()
