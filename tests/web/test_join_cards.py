"""The code for everybody, printed."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from tests.web.test_guests import begun


@pytest.fixture(autouse=True)
def cards_as_text(services: Services) -> None:
    """Cards that only list what is on them."""
    object.__setattr__(services, "print_join_cards", lambda *given: f"%PDF {' '.join(given)}".encode())


def test_the_code_for_everybody_is_printed_as_cards_for_the_banker_alone(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    printed = banker.get("/join-cards.pdf?lang=de")

    assert printed.mimetype == "application/pdf"
    assert printed.text.startswith("%PDF http://localhost/join/")
    assert printed.text.endswith(" de")
    assert 'href="/join-cards.pdf"' in banker.get("/").text
    assert as_caller(Caller("spectator", None, "t1")).get("/join-cards.pdf").location == "/"


def test_the_address_to_type_is_good_exactly_as_long_as_the_code_beside_it(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given cards that were printed before there was a table
    _, address, short_address, _ = banker.get("/join-cards.pdf").text.split()
    code, typed = "/" + address.split("/", 3)[3], "/" + short_address.rpartition("/")[2]
    begun(banker)
    phone = app.test_client()

    # when a phone follows either, then it is asked who it is; once all phones were logged out, neither leads anywhere
    assert [b'name="player"' in phone.get(path, follow_redirects=True).data for path in (code, typed)] == [True, True]
    services.guests.new_evening()
    assert [b'name="player"' in phone.get(path, follow_redirects=True).data for path in (code, typed)] == [False, False]
