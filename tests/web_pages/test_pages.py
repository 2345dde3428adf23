"""The pages as a browser gets them."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.pages.sheets import SHEETS
from companion.words import LANGUAGES
from tests.web_pages.conftest import At
from tests.web_pages.whole_games import SHEET_OF, house_moments, moments

NAMES = [moment.name for moment in (*moments(), *house_moments())]
SECRETS = ("data-command", "data-sheet", "<button", "<form")


def page(client: FlaskClient, path: str, **query: str) -> str:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200, answer.status
    return answer.get_data(as_text=True)


def test_the_lobby_offers_a_new_game_and_the_games_that_were_interrupted(banker: FlaskClient, seen: At) -> None:
    seen("first_hire")

    html = page(banker, "/")

    assert "Start the game" in html
    assert "Continue this game" in html
    assert "Ada" in html


def test_a_faulty_deck_is_told_with_its_fault_and_cannot_be_chosen(banker: FlaskClient) -> None:
    html = page(banker, "/")

    assert "“torn” cannot be played." in html
    assert "contracts.csv, line 3: no price" in html
    assert 'value="torn"' not in html


def test_a_stranger_is_asked_for_the_pin_in_his_language(stranger: FlaskClient) -> None:
    answer = stranger.get("/", headers={"Accept-Language": "de-AT,de;q=0.9"}, follow_redirects=True)

    html = answer.get_data(as_text=True)

    assert 'lang="de"' in html
    assert 'name="pin"' in html


def test_a_wrong_pin_is_said_and_nothing_is_echoed(stranger: FlaskClient) -> None:
    html = page(stranger, "/login", error="pin", next="//evil.example/<script>")

    assert "That is not the PIN" in html
    assert "evil" not in html


def test_a_language_once_chosen_stays(banker: FlaskClient) -> None:
    page(banker, "/", lang="fr")

    assert "Une nouvelle partie" in page(banker, "/")


def test_an_unknown_table_leads_back_to_the_lobby(banker: FlaskClient) -> None:
    assert banker.get("/tables/nowhere").headers["Location"] == "/"
    assert banker.get("/tables/nowhere/live?part=tablet").status_code == 404


def test_a_spectator_sees_the_display_and_no_more(as_caller: Callable[[Caller], FlaskClient], seen: At) -> None:
    table, _ = seen("first_hire")
    guest = as_caller(Caller("spectator", table=table))

    assert guest.get(f"/tables/{table}").headers["Location"].endswith(f"/tables/{table}/display")
    assert guest.get(f"/tables/{table}/live?part=tablet").status_code == 403
    assert guest.get(f"/tables/{table}/live?part=camera").status_code == 403
    assert "Ada" in page(guest, f"/tables/{table}/display")


def test_names_cannot_smuggle_markup_in(banker: FlaskClient) -> None:
    start = {
        "do": "start_game",
        "game": "master_builder",
        "first": "blue",
        "players": [{"id": "blue", "name": "<b>x</b>"}, {"id": "red", "name": "{0.y}'\""}],
    }
    table = banker.post("/api/v1/tables", json=start).get_json()["id"]

    html = page(banker, f"/tables/{table}")

    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x" in html
    assert "{0.y}" in html


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_is_shown_with_its_acts(banker: FlaskClient, seen: At, name: str) -> None:
    table, shown = seen(name)

    for language in LANGUAGES:
        html = page(banker, f"/tables/{table}", lang=language)

        assert f'data-version="{shown["version"]}"' in html
        assert " style=" not in html
        assert len(html) < 100_000
        for do in sorted({offer["do"] for offer in shown["offers"]}):
            assert is_tappable(html, do), do


@pytest.mark.parametrize("name", NAMES)
def test_the_display_shows_every_moment_with_nothing_to_touch(banker: FlaskClient, seen: At, name: str) -> None:
    table, _ = seen(name)

    html = page(banker, f"/tables/{table}/display")

    html = re.sub(r'<div class="ears">.*?</div>', "", html, flags=re.DOTALL)  # what it sounds is its own choice
    assert not [secret for secret in SECRETS if secret in html]


@pytest.mark.parametrize("name", NAMES)
def test_sheets_hold_whole_commands(banker: FlaskClient, seen: At, name: str) -> None:
    table, _ = seen(name)
    html = page(banker, f"/tables/{table}")

    for sheet in {*re.findall(r'data-sheet="(\w+)"', html), "money", "card", "rename", "journal", "borrow", "camera"}:
        lot = re.search(r'data-contract="(\w+)"', html)
        sheet_html = page(banker, f"/tables/{table}/live", part=sheet, contract=lot[1] if lot else "")
        assert 'id="sheet-title"' in sheet_html


def is_tappable(html: str, do: str) -> bool:
    direct = f"&#34;do&#34;:&#34;{do}&#34;" in html or f'"do":"{do}"' in html
    return direct or f'data-sheet="{SHEET_OF.get(do)}"' in html


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_that_a_page_or_sheet_uses_is_there(banker: FlaskClient, seen: At, name: str) -> None:
    table, _ = seen(name)
    tablet = page(banker, f"/tables/{table}")
    drawn = set(re.findall(r'id="([^"]+)"', tablet))

    for html in (tablet, *(page(banker, f"/tables/{table}/live", part=part) for part in sorted(SHEETS))):
        assert {used for used in re.findall(r'href="#([^"]+)"', html) if used not in drawn} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_tabs_of_tables_screens_and_the_login_are_told_apart(
    banker: FlaskClient, stranger: FlaskClient, as_caller: Callable[[Caller], FlaskClient], seen: At, language: str
) -> None:
    # given two tables of one game, their big screens, a seat, the login, and a screen that waits
    first, shown = seen("later_hire")
    other, _ = seen("end")
    player, name = next((key, about["name"]) for key, about in shown["position"]["players"].items())
    asked = [(banker, f"/tables/{table}{part}") for table in (first, other) for part in ("", "/display")]
    phone = as_caller(Caller("player", player, first))
    asked += [(phone, f"/tables/{first}/seats/{player}"), (stranger, "/login"), (stranger, "/tv")]

    # when all are open, then no two titles are the same, and those of a table say the game and who plays
    titles = []
    for client, address in asked:
        (title,) = re.findall("<title>([^<]*)</title>", unescape(client.get(f"{address}?lang={language}").text))
        titles.append(title)
        assert title == title.strip()
        assert (address.startswith(f"/tables/{first}")) <= ("Master Builder" in title and name in title)
    assert len(set(titles)) == len(titles)
