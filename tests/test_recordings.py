"""Recordings begun, replayed and cut: what else happens in an evening than frames."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.lens import Lens, LensFit
from calibration.profile import Profile
from companion.adapters.calibration_stores import save_profile
from companion.adapters.recordings.recording import (
    FrameStep,
    Recording,
    RecordingError,
    RecordingLimits,
    RecordingWriter,
)
from companion.adapters.recordings.tile_codec import TileEncoder, TileUpdate
from companion.bootstrap import cameras
from companion.bootstrap.cameras import begin_recording, condense_recording, load_mats, replay
from companion.config import DataFolder
from companion.qr.sighting import Picture
from companion.service.camera.pipeline import Pipeline
from companion.vision.label.tag import Deck
from tests.adapters.recordings.evenings import ABOUT
from tests.recordings.film import Film

DECK = Deck("MB", frozenset({"W07", "W21", "C03"}))
OTHER = Deck("MB", frozenset({"C03"}))


class FilmedSession:
    """A film that is looked at and recorded, as the scanner does it."""

    def __init__(self, recorder: RecordingWriter) -> None:
        from companion.adapters.label_readers import FrameReader

        self.recorder, self.film = recorder, Film(3)
        self.pipeline = Pipeline(FrameReader().read)

    def attach(self, deck: Deck) -> None:
        self.pipeline.attach(deck)
        self.recorder.attached(deck)

    def process_frames(self, frames: int = 1) -> None:
        for _ in range(frames):
            looked = self.pipeline.read(self.recorder.record_frame(self.film.grab()))
            self.recorder.looked(looked, self.pipeline.place(looked), None)

    def overtaken(self, deck: Deck) -> None:
        """Turn to another deck while a frame is read."""
        looked = self.pipeline.read(self.recorder.record_frame(self.film.grab()))
        self.attach(deck)
        self.recorder.looked(looked, None, None)

    def broken(self) -> None:
        """Fail to read a frame."""
        self.recorder.record_frame(self.film.grab())


@pytest.fixture(scope="module")
def recording_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """W07 lies there from the beginning; C03 comes after nine frames, when the camera turns to another deck."""
    folder = tmp_path_factory.mktemp("evening") / "0001"
    session = FilmedSession(RecordingWriter(folder, ABOUT))
    session.process_frames(2)
    session.attach(DECK)
    session.film.lay("W07", 90, 95, 10)
    session.process_frames(6)
    session.broken()
    session.film.lay("C03", 230, 95, 0)
    session.overtaken(OTHER)
    session.process_frames(6)
    session.recorder.close()
    return folder


def list_placements(played: cameras.Replay) -> list[tuple[str, str]]:
    return [(step.placement.event, step.placement.card) for step in played.now]


def test_frames_read_for_another_deck_or_not_at_all_change_nothing(recording_folder: Path) -> None:
    recording = Recording(recording_folder)

    played = replay(recording)

    assert played.recorded == played.now
    assert played.find_departure(0) is None
    assert list_placements(played) == [("place", "W07"), ("place", "C03")]
    assert played.frames == 16


def test_condensed_it_leads_to_the_same(recording_folder: Path, tmp_path: Path) -> None:
    kept = condense_recording(Recording(recording_folder), tmp_path / "kept")

    assert list_placements(kept) == [("place", "W07"), ("place", "C03")]
    steps = list(Recording(tmp_path / "kept").steps())
    assert [step.not_taken_in for step in steps if isinstance(step, FrameStep) and step.not_taken_in] == [
        "failed",
        "deck_before",
    ]


def test_a_part_begins_with_the_deck_of_its_time(recording_folder: Path, tmp_path: Path) -> None:
    recording = Recording(recording_folder)

    begun = condense_recording(recording, tmp_path / "begun", until_ms=1400)
    ended = condense_recording(recording, tmp_path / "ended", since_ms=1900)

    assert (begun.frames, list_placements(begun)) == (8, [("place", "W07")])
    assert (ended.frames, list_placements(ended)) == (6, [("place", "C03")])


@pytest.mark.nightly
def test_what_less_quality_would_change_is_kept_in_full(
    recording_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "THIN_QUALITY", 1)

    assert list_placements(condense_recording(Recording(recording_folder), tmp_path / "kept")) == [
        ("place", "W07"),
        ("place", "C03"),
    ]
    monkeypatch.setattr(cameras, "TileEncoder", lambda *_: Dark())
    with pytest.raises(RecordingError, match="copy the folder instead"):
        condense_recording(Recording(recording_folder), tmp_path / "none")
    assert not (tmp_path / "none").exists()


class Dark(TileEncoder):
    """Keeps so little of a picture that nothing can be read any more."""

    def __init__(self) -> None:
        super().__init__(1)

    def encode(self, picture: Picture, at_ms: int) -> TileUpdate | None:
        return super().encode(np.asarray(picture // 64, np.uint8), at_ms)


def test_a_copy_for_which_there_is_no_room_is_told(
    recording_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = RecordingWriter.__init__
    monkeypatch.setattr(
        RecordingWriter,
        "__init__",
        lambda self, folder, about, **how: recorder(
            self, folder, about, limits=RecordingLimits(least_free=2**62), **how
        ),
    )

    with pytest.raises(RecordingError, match="are free"):
        condense_recording(Recording(recording_folder), tmp_path / "kept")


def test_recordings_are_numbered_and_know_the_lens(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    lens = Lens(1920, 1080, 1480.0, 1480.0, 960.0, 540.0, (0.0, 0.0, 0.0, 0.0, 0.0))
    save_profile(data.profiles, Profile("film", LensFit(lens, 0.2, 0.1, 12)))
    (tmp_path / "evenings" / "0007").mkdir(parents=True)
    (tmp_path / "evenings" / "notes").mkdir()

    recorder = begin_recording(tmp_path / "evenings", data, "film")
    recorder.close()

    assert recorder.folder.name == "0008"
    recording = Recording(recorder.folder)
    assert "focal_x_px = 1480.0" in recording.about["profile"]
    assert len(recording.about["mats"]) == len(load_mats())
    assert replace(replay(recording), mats=frozenset()).frames == 0
