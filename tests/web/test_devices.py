"""Frames and scans over HTTP: who may send them, what is answered, and what is no picture."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.http.capacity import UploadLimiter
from tests.service.hands import picture_of
from tests.web.conftest import HIRE

PLAYER = Caller("player", "blue", "t1")
OTHER = Caller("player", "yellow", "t1")


def test_a_frame_says_what_is_in_it_what_it_means_and_what_is_asked(banker: FlaskClient, table: str) -> None:
    answer = banker.post(f"{table}/frames", data=picture_of("MB1W07"), content_type="image/jpeg")
    assert answer.status_code == 200
    frame = answer.get_json()
    assert (frame["width"], frame["height"], frame["proposals"]) == (260, 240, [])
    (tag,) = frame["tags"]
    assert (tag["text"], tag["card"], tag["command"], tag["refusal"]) == ("MB1W07", "W07", HIRE, None)
    assert len(tag["corners"]) == 4


def test_a_frame_without_cards_is_a_frame(banker: FlaskClient, table: str) -> None:
    _, empty = cv2.imencode(".png", np.full((60, 80), 90, np.uint8))
    frame = banker.post(f"{table}/frames?device=phone", data=empty.tobytes()).get_json()
    assert (frame["image"], frame["tags"]) == ("phone", [])


def test_why_a_card_leads_to_nothing_is_said_in_the_callers_language(
    table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    frame = as_caller(OTHER).post(f"{table}/frames?lang=de", data=picture_of("MB1W07")).get_json()
    refusal = frame["tags"][0]["refusal"]
    assert refusal["rule"] == "not_your_turn"
    assert "Ada" in refusal["detail"]


def test_what_a_players_device_asks_is_answered_on_his_own_page(
    table: str, as_caller: Callable[[Caller], FlaskClient], banker: FlaskClient
) -> None:
    player, other = as_caller(PLAYER), as_caller(OTHER)
    scanned = player.post(f"{table}/scans", json={"text": "W07"}).get_json()
    assert (scanned["card"], scanned["did"], scanned["proposal"]["picture"]) == ("W07", None, None)
    number = scanned["proposal"]["id"]
    assert player.get(f"{table}/proposals").get_json()["proposals"] == [scanned["proposal"]]
    assert banker.get(f"{table}/proposals").get_json()["proposals"] == [scanned["proposal"]]
    assert other.get(f"{table}/proposals").get_json()["proposals"] == []
    assert other.post(f"{table}/proposals/{number}", json={"answer": "yes"}).status_code == 403
    assert player.get(f"{table}/proposals/{number}/picture").status_code == 404
    answer = player.post(f"{table}/proposals/{number}", json={"answer": "yes"})
    assert (answer.status_code, answer.get_json()["entry"]["actor"]) == (200, "blue")


def test_onlookers_show_nothing(table: str, as_caller: Callable[[Caller], FlaskClient]) -> None:
    onlooker = as_caller(Caller("spectator", table="t1"))
    assert onlooker.post(f"{table}/frames", data=picture_of()).status_code == 403
    assert onlooker.post(f"{table}/scans", json={"text": "W07"}).status_code == 403
    assert onlooker.post(f"{table}/proposals/1", json={"answer": "no"}).status_code == 403


@pytest.mark.parametrize(
    ("data", "mimetype", "status"),
    [
        (b"", "image/jpeg", 400),
        (b"GIF89a", "image/gif", 415),
        (b"GIF89a", "image/jpeg", 415),
        (b"<svg/>", "", 415),
        (b"{}", "application/json", 415),
        (b"\xff\xd8\xff torn", "image/jpeg", 422),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 20_000_000, "image/png", 413),
    ],
)
def test_what_is_no_frame_is_a_problem(
    banker: FlaskClient, table: str, data: bytes, mimetype: str, status: int
) -> None:
    answer = banker.post(f"{table}/frames", data=data, content_type=mimetype)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.get_json()["detail"]


def test_a_picture_that_would_unfold_into_gigabytes_is_not_unfolded(banker: FlaskClient, table: str) -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    answer = banker.post(f"{table}/frames", data=header, content_type="image/png")
    assert answer.status_code == 422
    assert "60000 x 60000" in answer.get_json()["error"]


def test_a_device_has_a_name_of_sane_length(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/frames?device={'x' * 41}", data=picture_of()).status_code == 400


def test_while_other_frames_are_read_the_next_waits(app: Flask, banker: FlaskClient, table: str) -> None:
    app.extensions["companion.upload_limiter"] = busy = UploadLimiter(places=1, queue=1, patience=0.01)
    with app.test_request_context(), busy.slot(1):
        answer = banker.post(f"{table}/frames", data=picture_of())
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")


def test_a_command_card_that_is_scanned_is_carried_out(banker: FlaskClient, table: str) -> None:
    banker.post(f"{table}/scans", json={"text": "MB1W07"})
    done = banker.post(f"{table}/scans", json={"text": "MB1X01"}).get_json()
    assert (done["did"], done["entry"]["source"], done["entry"]["command"]) == ("yes", "scanner", HIRE)


def test_a_scan_that_is_no_card_is_refused_in_words(banker: FlaskClient, table: str) -> None:
    answer = banker.post(f"{table}/scans?lang=fr", json={"text": "4006381333931"})
    assert (answer.status_code, answer.get_json()["rule"]) == (422, "unknown_card")
    assert answer.get_json()["detail"].endswith("pas de carte 4006381333931.")
    empty = banker.post(f"{table}/scans", json={"text": "X05"}).get_json()
    assert (empty["rule"], empty["detail"]) == ("card_means_nothing", "SUGGEST has no use right now.")


@pytest.mark.parametrize("body", [{}, {"text": 7}, {"text": ""}, {"text": "W" * 201}, {"text": "W07", "x": 1}])
def test_a_scan_that_is_none_is_malformed(banker: FlaskClient, table: str, body: dict[str, object]) -> None:
    assert banker.post(f"{table}/scans", json=body).status_code == 400
