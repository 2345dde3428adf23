"""The machine's own screen looks on without anybody who logs in; nobody else does by that way."""

import pytest
from flask.testing import FlaskClient

from companion.web.http.auth import LOCAL_ADDRESS
from tests.web.conftest import START

HERE = {LOCAL_ADDRESS: "127.0.0.1", "REMOTE_ADDR": "127.0.0.1"}


def test_before_the_first_game_it_shows_the_code_and_then_the_display(
    stranger: FlaskClient, banker: FlaskClient
) -> None:
    # given a browser on this very machine, and no game
    waiting = stranger.get("/screen", environ_overrides=HERE)
    assert "Soon a game begins here" in waiting.text
    assert "<svg" in waiting.text
    assert waiting.headers["Refresh"] == "3"

    # when one begins
    made = banker.post("/api/v1/tables", json=START)
    table = made.headers["Location"].rsplit("/", 1)[-1]

    # then it looks on there, and may do nothing
    led = stranger.get("/screen", environ_overrides=HERE)
    assert led.headers["Location"] == f"/tables/{table}/display"
    assert stranger.get(f"/tables/{table}/display").status_code == 200
    assert stranger.post(f"/api/v1/tables/{table}/commands", json={"do": "undo"}).status_code == 403
    assert stranger.get("/").status_code in {302, 303}


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        ({LOCAL_ADDRESS: "192.168.1.23", "REMOTE_ADDR": "192.168.1.40"}, {"Host": "192.168.1.23"}),
        ({LOCAL_ADDRESS: "127.0.0.1", "REMOTE_ADDR": "127.0.0.1"}, {"X-Forwarded-For": "192.168.1.40"}),
        ({LOCAL_ADDRESS: "127.0.0.1", "REMOTE_ADDR": "127.0.0.1"}, {"Host": "companion.local"}),
        ({LOCAL_ADDRESS: "", "REMOTE_ADDR": "nonsense"}, {}),
    ],
)
def test_whoever_is_elsewhere_is_led_to_the_door(
    stranger: FlaskClient, table: str, environ: dict[str, str], headers: dict[str, str]
) -> None:
    assert table
    led = stranger.get("/screen", environ_overrides=environ, headers=headers)

    assert led.status_code in {303, 421}
    assert "Set-Cookie" not in led.headers
    assert led.headers.get("Location", "/login") == "/login"
