"""The code for everybody, printed."""

from collections.abc import Callable

from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services


def test_the_code_for_everybody_is_printed_as_cards_for_the_banker_alone(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], services: Services
) -> None:
    object.__setattr__(services, "print_join_cards", lambda address, language: f"%PDF {language} {address}".encode())

    printed = banker.get("/join-cards.pdf?lang=de")

    assert printed.mimetype == "application/pdf"
    assert printed.text.startswith("%PDF de http://localhost/join/")
    assert 'href="/join-cards.pdf"' in banker.get("/").text
    assert as_caller(Caller("spectator", None, "t1")).get("/join-cards.pdf").status_code == 403
