"""Recordings that are torn, broken or none."""

from pathlib import Path

import pytest

from companion.adapters.recordings.recording import (
    LINES,
    PICTURES,
    FrameStep,
    Recording,
    RecordingError,
    list_recordings,
)
from tests.adapters.recordings.evenings import DECK, begun, show


@pytest.fixture
def recording_folder(tmp_path: Path) -> Path:
    recorder = begun(tmp_path)
    recorder.attached(DECK)
    for number in range(5):
        show(recorder, number)
    recorder.close()
    return tmp_path / "0001"


def frames_in(recording: Recording) -> int:
    return sum(isinstance(step, FrameStep) for step in recording.steps())


def test_a_line_that_is_cut_off_ends_it_there(recording_folder: Path) -> None:
    lines = (recording_folder / LINES).read_bytes().splitlines(keepends=True)
    (recording_folder / LINES).write_bytes(b"".join(lines[:5]) + lines[5][:-20])
    recording = Recording(recording_folder)

    assert frames_in(recording) == 3
    assert recording.torn is not None
    assert "torn at line 6 (the line is cut off)" in recording.torn


@pytest.mark.parametrize(
    "tail",
    [b"\0" * 300 + b"\n", b"{}]\n", b'{"frame": "x", "at_ms": 1}\n', b'{"deck": {}}\n', b"7\n", b"[" * 100_000 + b"\n"],
)
def test_what_a_pulled_plug_leaves_behind_ends_it_there(recording_folder: Path, tail: bytes) -> None:
    lines = (recording_folder / LINES).read_bytes().splitlines(keepends=True)
    (recording_folder / LINES).write_bytes(b"".join(lines[:5]) + tail + b"".join(lines[5:]))
    recording = Recording(recording_folder)

    assert frames_in(recording) == 3
    assert recording.torn is not None
    assert "torn at line 6" in recording.torn


@pytest.mark.parametrize("zeros", [False, True])
def test_a_picture_that_did_not_reach_the_disk_ends_it_there(recording_folder: Path, zeros: bool) -> None:
    whole = (recording_folder / PICTURES).read_bytes()
    (recording_folder / PICTURES).write_bytes(whole[:-100] + (b"\0" * 100 if zeros else b""))
    recording = Recording(recording_folder)

    assert frames_in(recording) == 4
    assert recording.torn is not None
    assert "its picture is missing" in recording.torn


def test_a_whole_one_is_walked_through_without_a_word(recording_folder: Path) -> None:
    recording = Recording(recording_folder)

    assert frames_in(recording) == 5
    assert recording.torn is None


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (b"", "cannot be read"),
        (b"\0\0\n", "cannot be read"),
        (b"[]\n", "no recording of form 1"),
        (b'{"companion_recording": 2}\n', "no recording of form 1"),
    ],
)
def test_what_is_no_recording_is_told_in_one_line(tmp_path: Path, first: bytes, why: str) -> None:
    (tmp_path / LINES).write_bytes(first)

    with pytest.raises(RecordingError, match=why):
        Recording(tmp_path)


def test_a_folder_without_one_is_told_too(tmp_path: Path, recording_folder: Path) -> None:
    with pytest.raises(RecordingError, match="there is no such file"):
        Recording(tmp_path / "nowhere")
    (recording_folder / PICTURES).unlink()
    with pytest.raises(RecordingError, match="there is no such file"):
        list(Recording(recording_folder).steps())


def test_a_folder_is_a_recording_or_holds_some(tmp_path: Path, recording_folder: Path) -> None:
    begun(tmp_path / "more").close()

    assert list_recordings(recording_folder) == [recording_folder]
    assert list_recordings(tmp_path) == [recording_folder]
    assert list_recordings(tmp_path / "nowhere") == []


@pytest.mark.parametrize("first", [b"[" * 100_000 + b"\n", b'{"a":' * 100_000 + b"\n"])
def test_a_first_line_without_end_is_no_recording(recording_folder: Path, first: bytes) -> None:
    (recording_folder / LINES).write_bytes(first)
    with pytest.raises(RecordingError, match="its first line cannot be read"):
        Recording(recording_folder)
