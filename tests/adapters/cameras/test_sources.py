"""Cameras by their spec: files, folders, USB."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.cameras.files import FolderCamera, VideoFileCamera
from companion.adapters.cameras.rpicam import open_rpicam
from companion.adapters.cameras.specs import NullCamera, open_camera
from companion.service.camera.camera import Camera, CameraAbsentError, CameraError
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from companion.vision.label.label import draw_label
from companion.vision.read import read_codes, to_grey
from tests.adapters.cameras.waiting import next_problem


def table(seed: int) -> SimulatedTable:
    return SimulatedTable(seed, {"W07": "MB1W07"})


def labelled() -> np.ndarray:
    return np.asarray(cv2.cvtColor(draw_label("MB1W07", "W07", 10.0)[:240, :240], cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Ten frames, a tenth of a second each."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (240, 240))
    assert writer.isOpened()
    for _ in range(10):
        writer.write(labelled())
    writer.release()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "pictures"
    path.mkdir()
    cv2.imwrite(str(path / "2.png"), np.full((60, 60), 255, np.uint8))
    cv2.imwrite(str(path / "1.PNG"), labelled())
    (path / "notes.txt").write_text("not looked at")
    return path


def test_every_frame_of_a_video_comes_when_asked_for(video: Path) -> None:
    camera = VideoFileCamera(video, paced=False)

    frames = [frame for _ in range(12) if (frame := camera.grab()) is not None]

    assert [(frame.number, frame.at_ms) for frame in frames] == [(number, number * 100) for number in range(10)]
    assert [seen.text for seen in read_codes(to_grey(frames[0].image))] == ["MB1W07"]
    assert camera.ended
    assert camera.grab() is None


def test_a_paced_video_gives_frames_when_they_are_due_and_skips_what_nobody_fetched(video: Path) -> None:
    now = 5000
    camera = VideoFileCamera(video, clock=lambda: now)

    first = camera.grab()
    assert first is not None
    assert first.number == 0
    now = 5050
    assert camera.grab() is None
    now = 5460
    late = camera.grab()
    assert late is not None
    assert (late.number, late.at_ms) == (4, 400)
    now = 99_000
    assert camera.grab() is None
    assert camera.ended


def test_the_pictures_of_a_folder_come_in_the_order_of_their_names(folder: Path) -> None:
    camera = FolderCamera(folder, frame_ms=100)

    first, second = camera.grab(), camera.grab()

    assert first is not None
    assert second is not None
    assert [seen.text for seen in read_codes(to_grey(first.image))] == ["MB1W07"]
    assert (second.number, second.at_ms, second.image.shape) == (1, 100, (60, 60))
    assert camera.ended
    assert camera.grab() is None


def test_a_broken_picture_in_a_folder_is_told_and_passed_over(folder: Path) -> None:
    (folder / "0.png").write_bytes(b"oh")
    camera = FolderCamera(folder)

    with pytest.raises(CameraError, match=r"0\.png: not a picture"):
        camera.grab()
    assert camera.grab() is not None
    camera.close()
    assert camera.grab() is None


def test_each_spec_opens_its_camera(video: Path, folder: Path) -> None:
    cameras: list[Camera] = [open_camera(spec, table) for spec in ("sim", "sim:7", "none", str(video), str(folder))]

    assert [camera.name for camera in cameras] == ["sim:0", "sim:7", "none", str(video), str(folder)]
    assert isinstance(cameras[1], SimulatedCamera)
    assert cameras[1].table.seed == 7
    assert isinstance(cameras[2], NullCamera)
    assert cameras[2].grab() is None
    for camera in cameras:
        camera.close()
        camera.close()


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("sim:x", "whole number"),
        ("sim:-1", "whole number"),
        ("sim:", "whole number"),
        ("sim:" + "9" * 30, "whole number"),
        ("usb:64", "whole number"),
        ("usb:²", "whole number"),
        ("usb:63", "no camera at usb:63"),
        ("", "say sim"),
        ("nowhere.mp4", "say sim"),
        ("a\0b", "say sim|null"),
        ("x" * 5000, "too long"),
    ],
    ids=range(11),
)
def test_a_spec_that_means_no_camera_is_refused_in_one_line(
    spec: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(CameraError, match=fault) as refusal:
        open_camera(spec, table)
    assert "\n" not in str(refusal.value)


def test_files_that_are_no_video_and_folders_without_pictures_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(CameraError, match="not a video"):
        open_camera(str(tmp_path / "notes.txt"), table)
    with pytest.raises(CameraError, match="no pictures"):
        open_camera(str(tmp_path), table)
    with pytest.raises(CameraError, match="there is no such file"):
        FolderCamera(tmp_path / "gone")


def test_the_ribbon_camera_whose_program_is_missing_is_looked_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CameraAbsentError, match="rpicam-apps"):
        open_rpicam("pi")

    camera = open_rpicam("pi", lazy=True, min_retry_s=0.01)
    assert "rpicam-apps" in next_problem(camera)
    camera.close()
