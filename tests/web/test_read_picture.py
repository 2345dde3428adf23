from collections.abc import Callable

from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.http.capacity import UploadLimiter

PNG = b"\x89PNG and so on"


def test_a_picture_is_read(as_caller: Callable[[Caller], FlaskClient]) -> None:
    for caller in (Caller("banker"), Caller("spectator", table="t1")):
        answer = as_caller(caller).post("/api/v1/read?name=table.png", data=PNG)
        assert answer.status_code == 200
        assert answer.json is not None
        assert (answer.json["image"], answer.json["tags"]) == ("table.png", [])


def test_a_picture_that_is_no_picture_is_told_so(banker: FlaskClient) -> None:
    answer = banker.post("/api/v1/read", data=b"no picture at all")
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert answer.json is not None
    assert (answer.json["image"], answer.json["error"]) == ("picture", "this is no picture")


def test_no_bytes_are_malformed(banker: FlaskClient) -> None:
    assert banker.post("/api/v1/read").status_code == 400


def test_pictures_may_have_twenty_megabytes_and_no_more(banker: FlaskClient) -> None:
    assert banker.post("/api/v1/read", data=PNG.ljust(20_000_000)).status_code == 200
    answer = banker.post("/api/v1/read", data=PNG.ljust(20_000_001))
    assert answer.status_code == 413
    assert answer.get_json()["detail"] == "This is too large: at most 20 MB are taken here."


def test_when_too_many_pictures_come_at_once_some_are_asked_to_wait(app: Flask, banker: FlaskClient) -> None:
    app.extensions["companion.upload_limiter"] = busy = UploadLimiter(places=1, queue=1, patience=0.01)
    with app.test_request_context(), busy.slot(1):
        answer = banker.post("/api/v1/read", data=PNG)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_behind_a_queue_pictures_are_refused_at_once(app: Flask, banker: FlaskClient) -> None:
    # given a gate at which nobody may wait
    app.extensions["companion.upload_limiter"] = full = UploadLimiter(places=1, queue=0, patience=3_600)

    # when a picture comes while another is read, then its thread is free and has not waited
    with app.test_request_context(), full.slot(1):
        assert banker.post("/api/v1/read", data=PNG).status_code == 503
    assert banker.post("/api/v1/read", data=PNG).status_code == 200
