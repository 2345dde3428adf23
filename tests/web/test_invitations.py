"""Invitations: a phone takes a seat, or looks on."""

import re
from collections.abc import Callable

import cv2
import numpy as np
import pytest
import zxingcpp
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.http.auth import LOCAL_ADDRESS


def test_an_invited_phone_is_a_player_at_this_table_alone(app: Flask, banker: FlaskClient, table: str) -> None:
    # given an invitation for one of the players
    made = banker.post(f"{table}/invitations", json={"player": "yellow"})
    assert made.status_code == 201

    # when a phone brings the token
    phone = app.test_client()
    answer = phone.post("/api/v1/logins", json={"join": made.get_json()["token"]})

    # then it is that player's, at that table
    assert answer.status_code == 201
    login = answer.get_json()
    assert (login["role"], login["player"], login["table"]) == ("player", "yellow", table.rsplit("/", 1)[-1])
    assert phone.get(table).status_code == 200


def test_the_address_of_an_invitation_leads_to_the_seat(app: Flask, banker: FlaskClient, table: str) -> None:
    address = banker.post(f"{table}/invitations", json={"player": "blue"}).get_json()["address"]

    seat = app.test_client().get(address[address.index("/join/") :])

    assert seat.status_code == 303
    assert seat.headers["Location"].endswith("/seats/blue")


def test_an_onlooker_sees_the_display_and_may_not_act(app: Flask, banker: FlaskClient, table: str) -> None:
    made = banker.post(f"{table}/invitations", json={"spectator": True}).get_json()
    phone = app.test_client()

    login = phone.post("/api/v1/logins", json={"join": made["token"]}).get_json()

    assert (login["role"], login["player"]) == ("spectator", None)
    given = phone.post(f"{table}/commands", json={"do": "undo"}, headers={"If-Match": "1"})
    assert given.status_code == 403


def test_the_code_of_an_invitation_is_read_back_as_its_address(banker: FlaskClient, table: str) -> None:
    made = banker.post(f"{table}/invitations", json={"player": "blue"}).get_json()

    (read,) = zxingcpp.read_barcodes(rasterised(made["qr"]))

    assert read.text == made["address"]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"player": "red"}, 422),
        ({"player": 3}, 400),
        ({"player": "blue", "spectator": True}, 400),
        ({"spectator": False}, 400),
        ({"spectator": 1}, 400),
        ({}, 400),
    ],
)
def test_who_cannot_be_invited_is_refused(
    banker: FlaskClient, table: str, given: dict[str, object], status: int
) -> None:
    assert banker.post(f"{table}/invitations", json=given).status_code == status


def test_only_the_banker_invites(as_caller: Callable[[Caller], FlaskClient], table: str) -> None:
    phone = as_caller(Caller("player", "blue", table.rsplit("/", 1)[-1]))

    assert phone.post(f"{table}/invitations", json={"player": "yellow"}).status_code == 403


def rasterised(svg: str) -> np.ndarray:
    """Draw the modules of a QR code's SVG path: one pixel each, then eight."""
    side = int(svg.split('viewBox="0 0 ')[1].split(" ", maxsplit=1)[0])
    modules = np.full((side, side), 255, np.uint8)
    path = svg.rsplit(' d="', 1)[1].split('"', maxsplit=1)[0]
    x = y = 0.0
    for step, across, down in re.findall(r"([Mmh])\s*(-?[\d.]+)(?:[ ,](-?[\d.]+))?", path):
        match step:
            case "M":
                x, y = float(across), float(down)
            case "m":
                x, y = x + float(across), y + float(down)
            case _:
                modules[int(y), int(x) : int(x + float(across))] = 0
                x += float(across)
    return cv2.resize(modules, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)


@pytest.mark.parametrize(
    ("asked", "came_in_at", "address"),
    [
        ("companion.local:8000", "192.168.1.23", "http://192.168.1.23:8000/join/"),
        ("companion.local", "10.42.0.1", "http://10.42.0.1:80/join/"),
        ("companion.local:8000", "fd00::7", "http://[fd00::7]:8000/join/"),
        ("localhost:8000", "127.0.0.1", "http://localhost:8000/join/"),
        ("192.168.1.23:8000", "192.168.1.23", "http://192.168.1.23:8000/join/"),
    ],
)
def test_a_phone_is_led_to_the_number_on_the_network_on_which_the_banker_asked(
    banker: FlaskClient, table: str, asked: str, came_in_at: str, address: str
) -> None:
    # names under .local are not known to every phone, and other networks' numbers lead nowhere
    invited = banker.post(
        f"{table}/invitations",
        json={"player": "blue"},
        headers={"Host": asked},
        environ_overrides={LOCAL_ADDRESS: came_in_at},
    ).json
    assert invited is not None
    assert invited["address"].startswith(address)
