"""The table against the books, over HTTP and on the tablet."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from tests.web.fake_scanner import FakeScanner

DIFFERENCE: list[dict[str, Any]] = [
    {"difference": "elsewhere", "card": "W07", "zone": "yellow", "books": "blue"},
    {"difference": "elsewhere", "card": "C03", "zone": "contracts", "books": "deck"},
    {"difference": "fewer", "player": "blue", "type": "MC", "books": 3, "table": 2, "cards": ["W34"]},
]


@pytest.fixture
def differing(scanner: FakeScanner, table: str) -> str:
    scanner.attached_to = table.rsplit("/", 1)[-1]
    scanner.differences = DIFFERENCE
    return table


def test_differences_go_to_the_banker_alone(
    banker: FlaskClient, differing: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    assert banker.get(f"{differing}/differences").json == {
        "version": 1,
        "mat": "a2",
        "differences": DIFFERENCE,
        "resumed": False,
    }
    blue = as_caller(Caller("player", "blue", differing.rsplit("/", 1)[-1]))
    assert blue.get(f"{differing}/differences").status_code == 403
    asked = blue.get(f"{differing}/proposals").json
    assert asked is not None
    assert asked["sight"]["differences"] == []


@pytest.mark.parametrize(
    ("language", "line", "sentences"),
    [
        (
            "en",
            "The table differs from the books in 3 places",
            ["the books say 3, the table shows 2"],
        ),
        ("fr", "La table diffère des comptes sur 3 points", ["3 dans les comptes, 2 sur la table"]),
        ("de", "Der Tisch weicht in 3 Punkten von den Büchern ab", ["Die Bücher sagen 3, der Tisch zeigt 2"]),
    ],
)
def test_the_tablet_tells_them_quietly_in_every_language(
    banker: FlaskClient, differing: str, language: str, line: str, sentences: list[str]
) -> None:
    page = f"/tables/{differing.rsplit('/', 1)[-1]}"

    assert line in banker.get(f"{page}?lang={language}").text
    sheet = banker.get(f"{page}/live?part=differences&lang={language}").text
    for sentence in ["Ben", "W34", *sentences]:
        assert sentence in sheet


def test_without_differences_there_is_no_line(banker: FlaskClient, table: str) -> None:
    page = f"/tables/{table.rsplit('/', 1)[-1]}"

    assert "differences-line" not in banker.get(page).text
    assert "Table and books agree." in banker.get(f"{page}/live?part=differences").text


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Please check: these cards moved meanwhile: C03, W07, and W34"),
        ("fr", "Vérifie ces cartes, elles ont bougé entre-temps\u202f: C03, W07 et W34"),
        ("de", "Bitte prüf, was inzwischen bewegt wurde: C03, W07 und W34"),
    ],
)
def test_after_a_pulled_plug_the_tablet_names_the_cards_to_look_after(
    banker: FlaskClient, scanner: FakeScanner, differing: str, language: str, line: str
) -> None:
    scanner.resumed = True
    page = f"/tables/{differing.rsplit('/', 1)[-1]}"

    assert line in banker.get(f"{page}?lang={language}").text
    sheet = banker.get(f"{page}/live?part=differences&lang={language}").text
    assert "Companion" in sheet or "companion was off" in sheet


def test_many_cards_that_moved_are_counted(banker: FlaskClient, scanner: FakeScanner, differing: str) -> None:
    scanner.resumed = True
    scanner.differences = [{**DIFFERENCE[0], "card": f"W{number:02}"} for number in range(1, 8)]

    assert "Please check: 7 cards moved meanwhile" in banker.get(f"/tables/{differing.rsplit('/', 1)[-1]}?lang=en").text
