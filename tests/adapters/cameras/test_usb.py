"""USB cameras: which one is opened, how, and how it is found again.

There is no USB camera where the tests run: folders stand for what Linux tells of its devices, and a video for what a
device gives: the same OpenCV capture, read to its end.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from companion.adapters.cameras import usb
from companion.adapters.cameras.specs import open_camera
from companion.adapters.cameras.usb import UsbCamera, list_usb_devices
from companion.adapters.pictures import decode_picture
from companion.service.camera.camera import Camera, CameraAbsentError, CameraError
from companion.simulator.table import SimulatedTable
from tests.adapters.cameras.waiting import picture

LOGITECH, CHEAP = ("046d", "0825", "A1B2"), ("1bcf", "2701", "")


class Machine:
    """The folders in which Linux tells of its video devices, and a capture that notes how it was set up."""

    def __init__(self, root: Path, video: Path) -> None:
        self.root, self.video = root, video
        self.devices, self.system = root / "dev", root / "sys" / "class" / "video4linux"
        self.links = self.devices / "v4l" / "by-id"
        self.links.mkdir(parents=True)
        self.system.mkdir(parents=True)
        self.opened: list[int] = []
        self.settings: list[tuple[int, float]] = []

    def plug_in(self, number: int, port: str, model: tuple[str, str, str]) -> Path:
        """Plug a camera in, which has two devices like all of them, and return its link."""
        vendor, product, serial = model
        interface = self.root / "sys" / "devices" / "usb1" / port / f"{port}:1.0"
        for stream in (0, 1):
            entry = interface / "video4linux" / f"video{number + stream}"
            entry.mkdir(parents=True)
            (entry / "index").write_text(f"{stream}\n")
            (entry / "device").symlink_to(interface)
            (self.system / f"video{number + stream}").symlink_to(entry)
            (self.devices / f"video{number + stream}").touch()
        for name, text in (("idVendor", vendor), ("idProduct", product), ("serial", serial)):
            if text:
                (interface.parent / name).write_text(f"{text}\n")
        link = self.links / f"usb-{vendor}_{product}_{serial}-video-index0"
        link.unlink(missing_ok=True)
        link.symlink_to(self.devices / f"video{number}")
        return link

    def add_codec(self, number: int) -> None:
        """Add a video device that is no camera, as a Raspberry Pi has many."""
        (self.root / "sys" / "devices" / "codec" / "video4linux" / f"video{number}").mkdir(parents=True)
        entry = self.root / "sys" / "devices" / "codec" / "video4linux" / f"video{number}"
        (entry / "index").write_text("0\n")
        (entry / "device").symlink_to(self.root / "sys" / "devices" / "codec")
        (self.system / f"video{number}").symlink_to(entry)
        (self.devices / f"video{number}").touch()

    def pull_out(self, number: int, port: str) -> None:
        shutil.rmtree(self.root / "sys" / "devices" / "usb1" / port)
        for stream in (0, 1):
            (self.system / f"video{number + stream}").unlink()
            (self.devices / f"video{number + stream}").unlink()
        for link in self.links.iterdir():
            if not link.exists():
                link.unlink()

    def capture(self, number: int) -> "NotedCapture":
        self.opened.append(number)
        return NotedCapture(cv2.VideoCapture(str(self.video)), self.settings)


class NotedCapture:
    """A capture of a video that notes the settings which only a device takes."""

    def __init__(self, video: cv2.VideoCapture, settings: list[tuple[int, float]]) -> None:
        self.isOpened, self.read, self.release = video.isOpened, video.read, video.release
        self.settings = settings

    def set(self, setting: int, value: float) -> bool:
        self.settings.append((setting, value))
        return True


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    video = tmp_path / "seen.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for grey in (50, 60, 70):
        writer.write(decode_picture(picture(grey)))
    writer.release()
    machine = Machine(tmp_path, video)
    monkeypatch.setattr(usb, "_DEVICES", machine.devices)
    monkeypatch.setattr(usb, "_SYSTEM", machine.system)
    monkeypatch.setattr(usb, "_capture", machine.capture)
    return machine


def opened_as(spec: str) -> Camera:
    return open_camera(spec, lambda seed: SimulatedTable(seed, {}))


def watch_until_it_stops(camera: Camera) -> None:
    for _ in range(3):
        assert camera.grab() is not None
    with pytest.raises(CameraError, match="has stopped giving pictures"):
        camera.grab()


def test_a_usb_camera_is_asked_for_mjpg_at_the_size_that_is_wanted(machine: Machine) -> None:
    machine.plug_in(0, "1-1", LOGITECH)

    opened_as("usb:0").close()

    wanted = {int(key): value for key, value in machine.settings}
    assert wanted[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert (wanted[cv2.CAP_PROP_FRAME_WIDTH], wanted[cv2.CAP_PROP_FRAME_HEIGHT]) == (1920, 1080)
    assert machine.settings[0][0] == cv2.CAP_PROP_FOURCC, "the size is looked for among those of the format"


def test_a_usb_camera_that_comes_back_gives_frames_again(machine: Machine) -> None:
    machine.plug_in(0, "1-1", LOGITECH)
    camera = opened_as("usb:0")

    watch_until_it_stops(camera)
    frame = camera.grab()

    assert frame is not None
    assert frame.number == 3
    camera.close()
    camera.close()


@pytest.mark.parametrize("model", [LOGITECH, CHEAP])
@pytest.mark.parametrize("port", ["1-1", "1-4"])
def test_a_usb_camera_is_found_again_under_another_number(
    machine: Machine, model: tuple[str, str, str], port: str
) -> None:
    # given a camera that is pulled out while it is watched
    machine.plug_in(0, "1-1", model)
    camera = opened_as("usb:0")
    watch_until_it_stops(camera)
    machine.pull_out(0, "1-1")
    with pytest.raises(CameraAbsentError, match="no camera at usb:0"):
        camera.grab()

    # when it is plugged in again and has got another number
    machine.plug_in(4, port, model)

    # then it is opened under that, and keeps its name (profiles are kept by it)
    assert camera.grab() is not None
    assert machine.opened == [0, 4]
    assert camera.name == "usb:0"


def test_a_twin_is_not_taken_for_the_camera_that_was_pulled_out(machine: Machine) -> None:
    machine.plug_in(0, "1-1", CHEAP)
    machine.plug_in(2, "1-2", CHEAP)
    camera = opened_as("usb:2")
    watch_until_it_stops(camera)

    machine.pull_out(2, "1-2")
    with pytest.raises(CameraAbsentError, match="no camera at usb:2"):
        camera.grab()
    machine.plug_in(6, "1-3", CHEAP)

    assert camera.grab() is not None
    assert machine.opened == [2, 6]


def test_a_camera_put_in_the_place_of_another_is_opened(machine: Machine) -> None:
    machine.plug_in(0, "1-1", CHEAP)
    camera = opened_as("usb:0")
    watch_until_it_stops(camera)
    machine.pull_out(0, "1-1")

    machine.plug_in(0, "1-1", LOGITECH)

    assert camera.grab() is not None


def test_without_a_number_the_first_usb_camera_is_meant(machine: Machine) -> None:
    """On a Raspberry Pi the first numbers belong to its own chips."""
    machine.add_codec(0)
    machine.add_codec(10)
    machine.plug_in(11, "1-1", CHEAP)
    machine.plug_in(8, "1-2", LOGITECH)

    camera = opened_as("usb")

    assert machine.opened == [8]
    assert camera.name == "usb:0"
    assert [device.number for device in list_usb_devices()] == [8, 11]


@pytest.mark.parametrize("spelled", [str, lambda link: f"usb:{link}"], ids=["path", "usb:path"])
def test_a_link_of_dev_leads_to_its_camera_whatever_its_number(
    machine: Machine, spelled: Callable[[Path], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.cameras.specs._DEVICES", str(machine.devices))
    machine.plug_in(0, "1-1", CHEAP)
    link = machine.plug_in(2, "1-2", LOGITECH)
    camera = opened_as(spelled(link))
    assert (camera.name, machine.opened) == (str(link), [2])

    watch_until_it_stops(camera)
    machine.pull_out(2, "1-2")
    with pytest.raises(CameraAbsentError, match=f"no camera at {link}"):
        camera.grab()
    machine.plug_in(4, "1-3", LOGITECH)

    assert camera.grab() is not None
    assert machine.opened == [2, 4]


@pytest.mark.parametrize(
    ("spec", "fault"), [("/dev/null", "this is no camera"), ("/dev/v4l/by-id/gone", "no camera at")]
)
def test_a_path_in_dev_that_is_no_camera_is_refused_in_one_line(spec: str, fault: str) -> None:
    with pytest.raises(CameraError, match=fault):
        opened_as(spec)


def test_a_usb_device_that_does_not_open_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.adapters.cameras.usb.sys.platform", "elsewhere")

    with pytest.raises(CameraError, match="does not open"):
        UsbCamera(63)


def test_a_patient_camera_is_looked_for_whenever_it_is_asked(machine: Machine) -> None:
    # given a camera that is not plugged in
    camera = UsbCamera(2, lazy=True)
    for _ in range(2):
        with pytest.raises(CameraAbsentError, match="usb:2"):
            camera.grab()

    # when it is plugged in, then it gives pictures
    machine.plug_in(2, "1-1", LOGITECH)
    assert camera.grab() is not None
    camera.close()


@pytest.mark.parametrize("other", [CHEAP, LOGITECH])
def test_without_a_number_another_camera_is_not_taken_for_the_one_that_was_pulled_out(
    machine: Machine, other: tuple[str, str, str]
) -> None:
    # given the first of two cameras, which is pulled out
    machine.plug_in(0, "1-1", CHEAP)
    machine.plug_in(2, "1-2", other)
    camera = opened_as("usb")
    watch_until_it_stops(camera)
    machine.pull_out(0, "1-1")

    # then the other one is left alone
    with pytest.raises(CameraAbsentError, match="no camera at usb:0"):
        camera.grab()

    # when it is plugged in again, then it is found
    machine.plug_in(0, "1-1", CHEAP)
    assert camera.grab() is not None
    assert machine.opened == [0, 0]


def test_a_camera_that_freezes_is_waited_for_as_long_as_the_documentation_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # given OpenCV, which waits for ten seconds where nothing else is said
    monkeypatch.delenv("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", raising=False)

    # when a device is opened, of which there is none here
    usb._capture(99).release()

    # then it was told to wait for five
    assert os.environ.pop("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT") == str(usb.STALLED_S) == "5"
