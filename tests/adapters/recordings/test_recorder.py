"""Recording while the game goes on, and faults that end a recording but not the game."""

import errno
import io
import json
import logging
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.adapters.recordings.recording import (
    LINES,
    DeckStep,
    ForgetStep,
    FrameStep,
    Recording,
    RecordingCamera,
    RecordingLimits,
)
from companion.service.camera.camera import CameraError
from companion.service.camera.pipeline import ReadLabels
from companion.vision.label.tag import Deck
from tests.adapters.recordings.evenings import ABOUT, DECK, PLACED, W07, begun, frame, show
from tests.fakes import FakeCamera
from tests.own_log import own_lines
from tests.waiting import PATIENCE_S, until


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "0001" / LINES).read_text(encoding="utf-8").splitlines()]


def test_what_happened_is_read_back_in_its_order(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    recorder.attached(DECK)
    shown = [show(recorder, 0), show(recorder, 1, [W07]), show(recorder, 2, [W07], PLACED)]
    recorder.forgot("MB1W07")
    recorder.note_problem("camera fake has gone")
    recorder.note_problem(None)
    shown.append(show(recorder, 3, [W07]))
    recorder.close()

    recording = Recording(tmp_path / "0001")
    steps = list(recording.steps())

    assert recording.torn is None
    assert dict(recording.about) == {"companion_recording": 1, **ABOUT}
    assert [type(step) for step in steps] == [DeckStep, FrameStep, FrameStep, FrameStep, ForgetStep, FrameStep]
    assert steps[0] == DeckStep(DECK)
    frames = [step for step in steps if isinstance(step, FrameStep)]
    assert [step.placements for step in frames] == [(), (), (PLACED,), ()]
    assert [(step.frame.number, step.frame.at_ms) for step in frames] == [(0, 0), (1, 100), (2, 200), (3, 300)]
    for step, kept in zip(frames, shown, strict=True):
        assert np.array_equal(step.frame.image, kept.image), "what is replayed is what was read"
    assert list(recording.steps()) != [], "it can be walked through again"


def test_only_what_is_new_is_written_down(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    for number in range(40):
        show(recorder, number, [W07])
    recorder.close()

    lines = lines_of(tmp_path)

    assert "seen" in lines[1]
    assert lines[30] == {"frame": 29, "at_ms": 2900}
    assert lines[-1] == {"end": "stopped"}


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    begun(tmp_path).close()

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "0001", *(tmp_path / "0001").iterdir())]

    assert modes == [0o700, 0o600, 0o600]


def test_frames_that_led_to_nothing_say_why(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    kept = recorder.record_frame(frame(0))
    recorder.looked(ReadLabels(kept, Deck("MB", frozenset()), (W07,)), None, "a2")
    recorder.record_frame(frame(1))  # reading it fails
    show(recorder, 2)
    recorder.looked(ReadLabels(kept, DECK, ()), (), None)  # told twice: the second is of no frame
    recorder.close()

    shown = [step for step in Recording(tmp_path / "0001").steps() if isinstance(step, FrameStep)]

    assert [step.not_taken_in for step in shown] == ["deck_before", "failed", None]
    assert [line.get("mat", "") for line in lines_of(tmp_path)[1:4]] == ["a2", "", None]


def test_a_camera_that_is_recorded_is_the_same_camera(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    source = FakeCamera([frame(0), None, CameraError("gone")])
    camera = RecordingCamera(source, recorder)

    first = camera.grab()

    assert camera.name == "fake"
    assert first is not None
    assert (first.number, first.at_ms, first.image.shape) == (0, 0, (96, 128))
    assert camera.grab() is None
    with pytest.raises(CameraError):
        camera.grab()
    camera.close()
    camera.close()
    assert source.closed.is_set()
    assert lines_of(tmp_path)[-1] == {"end": "stopped"}


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    begun(tmp_path).close()

    with pytest.raises(FileExistsError):
        begun(tmp_path)


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        (RecordingLimits(most=9_000), "it has reached 9e-06 GB"),
        (RecordingLimits(least_free=2**62), "are free"),
        (RecordingLimits(most_waiting=10), "the disk cannot keep up"),
    ],
)
def test_at_its_bound_the_recording_ends_with_one_line_and_the_frames_go_on(
    tmp_path: Path, bounds: RecordingLimits, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = begun(tmp_path, bounds)
    with caplog.at_level(logging.WARNING):
        for number in range(100):
            show(recorder, number)
            until(lambda: recorder.ended is not None or not recorder._waiting)
        recorder._thread.join(PATIENCE_S)
        untouched = frame(100)
        assert recorder.record_frame(untouched) is untouched
        recorder.close()

    (line,) = own_lines(caplog)
    assert reason in line
    assert "the game goes on" in line
    assert recorder.ended is not None
    recording = Recording(tmp_path / "0001")
    assert len(list(recording.steps())) < 100
    assert recording.torn is None
    assert reason in lines_of(tmp_path)[-1]["end"]


class FullDisk(io.FileIO):
    """A file on a disk on which nothing has room any more."""

    def write(self, _data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_ends_the_recording_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.recordings.recording.open_private", lambda path: FullDisk(path, "w"))
    with caplog.at_level(logging.WARNING):
        recorder = begun(tmp_path)
        show(recorder, 0)
        recorder._thread.join(PATIENCE_S)
        show(recorder, 1)
        recorder.close()

    (line,) = own_lines(caplog)
    assert "the disk is full" in line
    assert "the game goes on" in line


def test_a_picture_of_an_unheard_of_kind_ends_the_recording_and_is_looked_at_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = begun(tmp_path)
    show(recorder, 0)
    strange = replace(frame(1), image=np.zeros((96, 128, 2), np.uint8))

    with caplog.at_level(logging.WARNING):
        assert recorder.record_frame(strange) is strange
        recorder.close()

    (line,) = own_lines(caplog)
    assert "a picture of (96, 128, 2) cannot be kept" in line
    assert len([step for step in Recording(tmp_path / "0001").steps() if isinstance(step, FrameStep)]) == 1


def test_the_latest_seconds_are_all_that_a_pulled_plug_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.adapters.recordings.recording.SYNC_EVERY_S", 0.0)
    recorder = begun(tmp_path)
    show(recorder, 0)
    until(lambda: (tmp_path / "0001" / LINES).read_bytes().count(b"\n") >= 2)

    assert len(list(Recording(tmp_path / "0001").steps())) == 1, "while it is not closed yet"
    recorder.close()
