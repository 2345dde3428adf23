"""Cameras that send pictures by themselves: real servers and programs on this machine, and all that goes wrong."""

import http.server
import threading
import time
from collections.abc import Callable
from typing import NoReturn

import pytest

from companion.adapters.cameras.specs import open_camera
from companion.adapters.cameras.stream import StreamCamera, open_http_camera
from companion.service.camera.camera import Camera, CameraError
from companion.simulator.table import SimulatedTable
from tests.adapters.cameras.ip_camera import Street, plain, stream_of
from tests.adapters.cameras.waiting import next_frame, next_problem, picture, waited
from tests.waiting import until


def test_the_newest_picture_of_a_stream_comes_and_no_picture_twice(street: Street, opened: list[Camera]) -> None:
    street.answers["/live"] = stream_of(40, 80, 200, then="stuck")
    opened.append(camera := open_http_camera(f"{street.address}/live"))

    first = next_frame(camera)
    waited(lambda: True if camera.grab() is None else None)

    assert first.image.shape == (48, 64, 3)
    assert camera.grab() is None
    assert camera.name == f"{street.address}/live"


def test_a_camera_that_vanishes_is_told_and_comes_back_by_itself(street: Street, opened: list[Camera]) -> None:
    street.answers["/live"] = stream_of(40)
    opened.append(camera := open_http_camera(f"{street.address}/live", min_retry_s=0.02))
    before = next_frame(camera)

    street.answers["/live"] = plain("text/plain", b"starting", 503)
    assert "answers 503" in next_problem(camera)
    street.answers["/live"] = stream_of(90, then="stuck")
    after = next_frame(camera)

    assert after.number > before.number
    assert after.at_ms > before.at_ms


def test_a_camera_that_is_not_there_is_told_and_tried_less_and_less_often(street: Street, opened: list[Camera]) -> None:
    street.answers["/live"] = plain("text/plain", b"", 500)
    begun = time.monotonic()
    opened.append(camera := open_http_camera(f"{street.address}/live", min_retry_s=0.1))
    next_problem(camera)
    until(lambda: len(street.asked) >= 4)

    assert time.monotonic() - begun > 1.2, "it waits for 0.2, 0.4 and 0.8 seconds"


def test_a_stream_that_is_stuck_is_told_and_opened_again(street: Street, opened: list[Camera]) -> None:
    street.answers["/live"] = stream_of(40, then="stuck")
    opened.append(camera := open_http_camera(f"{street.address}/live", stall_timeout_s=0.2, min_retry_s=0.02))
    first = next_frame(camera)

    assert "no picture for 0.2 s" in next_problem(camera)
    assert next_frame(camera).number > first.number


def test_a_camera_that_answers_with_one_picture_is_asked_again_and_again(street: Street, opened: list[Camera]) -> None:
    street.answers["/snapshot.jpg"] = plain("image/jpeg", picture(70))
    opened.append(camera := open_http_camera(f"{street.address}/snapshot.jpg"))

    assert [next_frame(camera).number for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("kind", ["image/jpg", "image/pjpeg", "image/JPEG; charset=x", "text/plain", None])
def test_a_jpeg_is_recognised_whatever_the_camera_calls_it(
    street: Street, opened: list[Camera], kind: str | None
) -> None:
    street.answers["/shot"] = plain(kind, picture(70))
    opened.append(camera := open_http_camera(f"{street.address}/shot"))

    assert [next_frame(camera).number for _ in range(2)] == [0, 1]


def test_name_and_password_in_the_address_are_used_and_told_to_nobody(street: Street, opened: list[Camera]) -> None:
    def guarded(to: http.server.BaseHTTPRequestHandler) -> None:
        if to.headers.get("Authorization"):
            stream_of(50, then="stuck")(to)
            return
        to.send_response(401)
        to.send_header("WWW-Authenticate", 'Basic realm="eye"')
        to.end_headers()

    street.answers["/live"] = guarded
    opened.append(camera := open_http_camera(street.address.replace("//", "//ann:secret@") + "/live"))
    assert next_frame(camera).number == 0
    assert "secret" not in camera.name

    opened.append(stranger := open_http_camera(f"{street.address}/live"))
    assert "put name and password into the address" in next_problem(stranger)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (plain("text/html", b"<html>log in</html>"), "sends text/html, no JPEG pictures"),
        (plain("multipart/x-mixed-replace", b"no picture at all"), "has stopped sending pictures"),
        (plain("image/jpeg", b"\xff\xd8\xff\xdb\0\4\0\0\xff\xd9"), "cannot be read"),
        (plain("text/plain", b"", 404), "answers 404"),
        (plain("image/png", b"\x89PNG\r\n\x1a\n" + bytes(9000)), "sends image/png, no JPEG pictures"),
        (plain(None, b"log in"), "sends something else, no JPEG pictures"),
        (plain(None, b""), "sends nothing, no JPEG pictures"),
    ],
)
def test_what_sends_no_pictures_says_why(
    street: Street, opened: list[Camera], answer: Callable[[http.server.BaseHTTPRequestHandler], None], problem: str
) -> None:
    street.answers["/live"] = answer
    opened.append(camera := open_http_camera(f"{street.address}/live"))

    assert problem in next_problem(camera)


def test_nobody_there_is_told(opened: list[Camera]) -> None:
    opened.append(camera := open_http_camera("http://127.0.0.1:9/live"))

    assert "cannot be reached (Connection refused)" in next_problem(camera)


@pytest.mark.parametrize("address", ["http://", "http:///live", "http://host:99999/", "rtsp://", "rtsp:///live"])
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    with pytest.raises(CameraError, match="this is no address"):
        open_camera(address, lambda seed: SimulatedTable(seed, {}))


def test_a_closed_camera_leaves_no_thread_and_may_be_closed_twice(street: Street) -> None:
    street.answers["/live"] = stream_of(*range(10, 60), then="end")
    camera = open_http_camera(f"{street.address}/live")
    next_frame(camera)

    camera.close()
    camera.close()

    assert not [thread for thread in threading.enumerate() if thread.name == f"camera {camera.name}"]


def test_whatever_a_driver_throws_is_told_and_the_thread_lives_on(opened: list[Camera]) -> None:
    tries: list[int] = []

    def broken() -> NoReturn:
        tries.append(1)
        raise RuntimeError("a driver's own words")

    opened.append(camera := StreamCamera("strange", broken, min_retry_s=0.01))

    assert next_problem(camera) == "camera strange: RuntimeError: a driver's own words"
    waited(lambda: True if len(tries) > 1 else None)


def test_a_source_that_sends_something_but_never_a_picture_counts_as_stuck(
    street: Street, opened: list[Camera], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.cameras.stream.STALL_TIMEOUT_S", 0.05)

    def chatter(to: http.server.BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "multipart/x-mixed-replace")
        to.end_headers()
        while not street.going.wait(0.02):
            to.wfile.write(b"--frame\r\n")

    street.answers["/live"] = chatter
    opened.append(camera := open_http_camera(f"{street.address}/live", stall_timeout_s=5))

    assert "no picture for" in next_problem(camera)
