"""The Pi's own camera through a stand-in for its program, and RTSP through OpenCV."""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.cameras import rpicam
from companion.adapters.cameras.rpicam import open_rpicam
from companion.adapters.cameras.specs import open_camera
from companion.adapters.cameras.stream import open_rtsp_camera
from companion.service.camera.camera import Camera, CameraError
from companion.simulator.table import SimulatedTable
from tests.adapters.cameras.waiting import next_frame, next_problem, picture

# -------------------------------------------------------------------------------------------- rpicam
PLAYER = """
import sys, time, pathlib
pictures = [pathlib.Path(name).read_bytes() for name in sys.argv[2:]]
for number in range(3):
    for one in pictures:
        sys.stdout.buffer.write(one)
        sys.stdout.buffer.flush()
        time.sleep(0.01)
print("a warning that nobody waits for", file=sys.stderr)
if sys.argv[1] == "stuck":
    time.sleep(3_600)
if sys.argv[1] == "broken":
    print("ERROR: the camera has been unplugged", file=sys.stderr)
    sys.exit(1)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """A stand-in for rpicam-vid that plays two pictures and then ends, breaks, or is stuck."""
    player = tmp_path / "player.py"
    player.write_text(PLAYER)
    names = []
    for grey in (30, 120):
        (tmp_path / f"{grey}.jpg").write_bytes(picture(grey))
        names.append(str(tmp_path / f"{grey}.jpg"))
    return lambda end: (sys.executable, str(player), end, *names)


def test_the_pis_camera_is_read_through_its_program(
    program: Callable[[str], tuple[str, ...]], opened: list[Camera]
) -> None:
    opened.append(camera := open_rpicam("rpicam", program("stuck")))

    assert next_frame(camera).image.shape == (48, 64, 3)
    camera.close()


def test_a_program_that_breaks_is_told_with_its_own_words_and_started_again(
    program: Callable[[str], tuple[str, ...]], opened: list[Camera]
) -> None:
    opened.append(camera := open_rpicam("pi", program("broken"), min_retry_s=0.02))
    next_frame(camera)

    assert next_problem(camera).endswith("has ended: ERROR: the camera has been unplugged")
    assert next_frame(camera).number > 0


def test_a_program_that_is_stuck_is_told_and_started_again(
    program: Callable[[str], tuple[str, ...]], opened: list[Camera]
) -> None:
    opened.append(camera := open_rpicam("pi", program("stuck"), stall_timeout_s=3, min_retry_s=0.02))
    next_frame(camera)  # a program takes a while to start on a busy machine

    assert next_problem(camera) == "camera pi: no picture for 3 s"


def test_a_program_that_cannot_be_run_is_told(opened: list[Camera], tmp_path: Path) -> None:
    opened.append(camera := open_rpicam("pi", (str(tmp_path / "nothing"),)))

    assert "cannot be run (there is no such file or folder)" in next_problem(camera)


@pytest.mark.parametrize("spec", ["pi", "rpicam"])
def test_without_the_program_the_spec_says_what_to_install(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CameraError, match="apt-get install rpicam-apps"):
        open_camera(spec, lambda seed: SimulatedTable(seed, {}))


def test_the_program_of_the_system_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / rpicam.PROGRAMS[1]
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert open_camera("rpicam", lambda seed: SimulatedTable(seed, {})).name == "rpicam"


# ---------------------------------------------------------------------------------------------- rtsp
def test_an_rtsp_camera_that_does_not_answer_is_told(opened: list[Camera]) -> None:
    opened.append(camera := open_rtsp_camera("rtsp://ann:secret@127.0.0.1:9/live", stall_timeout_s=1))

    assert next_problem(camera) == "camera rtsp://127.0.0.1:9/live: does not answer, or sends nothing that can be read"


def test_frames_come_from_opencvs_ffmpeg_until_it_ends(
    tmp_path: Path, opened: list[Camera], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands in for the camera: FFmpeg reads both."""
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(5):
        writer.write(np.full((48, 64, 3), 90, np.uint8))
    writer.release()
    real = cv2.VideoCapture
    monkeypatch.setattr(cv2, "VideoCapture", lambda _address, backend, asked: real(str(path), backend, asked))
    opened.append(camera := open_rtsp_camera("rtsp://127.0.0.1/live", min_retry_s=5))

    assert next_frame(camera).image.shape == (48, 64, 3)
    assert "has stopped sending pictures" in next_problem(camera)
