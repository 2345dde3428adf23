"""Menus and sheets of games without pages of their own have what those of Master Builder have."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.words import LANGUAGES
from tests.opened import installed_games
from tests.web_pages.bot_tables import begin, tables_of

ALL = ("master_builder", "men_at_work", "monopoly_builder")
ADDED = {
    "sheet money": "cash is corrected as any other figure",
    "sheet card": "cards are corrected as any other figure",
    "sheet turn": "the turn is corrected as any other figure",
    "sheet rename": "names are corrected as any other figure",
    "sheet compare": "no other game compares the mat with its books on a sheet",
}
"""Entries of Master Builder's menu alone, with reasons."""
WITHOUT_MONEY = {"sheet count", "sheet explain", "csv", "sheet notes", "act hammer"}


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of({name: installed_games().manifest(name) for name in ALL})


@pytest.fixture(scope="module")
def begun(tables: Tables) -> Callable[[str], Table]:
    by_name: dict[str, Table] = {}

    def table_of(name: str) -> Table:
        return by_name.setdefault(name, by_name.get(name) or begin(tables, name).table)

    return table_of


def entries(menu: str) -> set[str]:
    """Return what a menu leads to: sheets, files and pages, with what is the table's own left out."""
    led = {f"sheet {name}" for name in re.findall(r'data-sheet="(\w+)"', menu)}
    for address in re.findall(r'href="([^"]+)"', unescape(menu)):
        path, _, asked = address.partition("?")
        if "lang=" not in asked and not path.startswith("#"):
            led.add(asked.removeprefix("format=") if "format=" in asked else path.split("/")[-1] or "all games")
    led |= {f"act {path.rsplit('/', 1)[-1]}" for path in re.findall(r'action="([^"]+)"', menu)}
    return led | {"rules here" for _ in re.findall(r'id="rules-here"', menu)}


@pytest.mark.parametrize("name", ALL[1:])
def test_the_menu_has_what_that_of_master_builder_has(
    banker: FlaskClient, begun: Callable[[str], Table], name: str
) -> None:
    theirs, own = (entries(banker.get(f"/tables/{begun(game).id}/live?part=menu").text) for game in (ALL[0], name))

    lacks = WITHOUT_MONEY if name == "men_at_work" else set[str]()
    assert {"sheet prepare", "rules here", "csv", "sheet explain"} < theirs
    assert own == theirs - set(ADDED) - lacks


@pytest.mark.parametrize("name", ALL[1:])
def test_the_menu_of_a_phone_has_what_that_of_master_builder_has(
    as_caller: Callable[[Caller], FlaskClient], begun: Callable[[str], Table], name: str
) -> None:
    menus: list[set[str]] = []
    for game in (ALL[0], name):
        table = begun(game)
        phone = as_caller(Caller("player", next(iter(table.names())), table.id))
        menus.append(entries(phone.get(f"/tables/{table.id}/live?part=seat_menu").text))

    theirs, own = menus
    assert "display" in theirs
    assert own == (theirs - {"sheet notes"} if name == "men_at_work" else theirs)


@pytest.mark.parametrize("name", ["master_builder", "monopoly_builder"])
def test_a_correction_stays_with_its_player_when_the_turn_passes(
    banker: FlaskClient, tables: Tables, name: str
) -> None:
    # given the sheets that the menu opens, for the player who is up
    bots = begin(tables, name)
    while player_up(bots.table) is None:
        bots.play_on()
    address = f"/tables/{bots.table.id}/live"
    menu = banker.get(f"{address}?part=menu").text
    opened: list[tuple[str, str]] = re.findall(r'data-sheet="(money|card|count)"\s+data-player="(\w+)"', menu)
    up = player_up(bots.table)
    assert opened == [(sheet, up) for sheet in (("money", "card", "count") if name == ALL[0] else ("count",))]

    # when the next one is up
    while player_up(bots.table) in (up, None):
        bots.play_on()

    # then a sheet that is drawn anew still has the same player chosen
    for sheet, player in opened:
        drawn = banker.get(address, query_string={"part": sheet, "player": player}).text
        chosen = re.findall(r'value="(\w+)"\s+checked', drawn)
        assert [each for each in chosen if each in bots.table.names()] == [up]


def player_up(table: Table) -> str | None:
    waiting = table.show("banker")["position"]["waiting_for"]
    return waiting[0] if len(waiting) == 1 else None


@pytest.mark.parametrize("name", ALL)
def test_a_question_comes_to_a_place_that_screen_readers_listen_to(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], begun: Callable[[str], Table], name: str
) -> None:
    # what is inserted together with its announcement is read out by none of them
    table = begun(name)
    phone = as_caller(Caller("player", next(iter(table.names())), table.id))
    for client, device in ((banker, "tablet"), (phone, "seat")):
        page = client.get(f"/tables/{table.id}/live?part={device}").text
        assert re.findall(r'<div id="(\w+)" aria-live="polite">', page) == ["agreements", "proposal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_that_a_table_has_changed_stand_in_its_menu(banker: FlaskClient, tables: Tables, language: str) -> None:
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": "monopoly_builder", "catalog": "house", "first": "red", "players": players}
    table = tables.start(Request({**start, "rules": {"money": "hidden"}}, "banker", "tap"))

    menu = banker.get(f"/tables/{table.id}/live?part=menu&lang={language}").text

    rules = re.search(r'class="rules-here".*?</section>', menu, re.DOTALL)
    assert rules is not None
    assert rules[0].count("<dt>") == 1


@pytest.mark.parametrize("name", ALL[1:])
def test_an_earlier_moment_is_told_in_words_and_pictures(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], tables: Tables, name: str
) -> None:
    # given a game with some moves
    bots = begin(tables, name)
    for _ in range(25):
        bots.play_on()
    table, latest = bots.table, bots.table.version
    phone = as_caller(Caller("player", next(iter(table.names())), table.id))

    for client, language in [(banker, language) for language in LANGUAGES] + [(phone, "en")]:
        sheet = client.get(f"/tables/{table.id}/live?part=then&seq={latest - 3}&lang={language}").text
        said = unescape(re.sub(r"<[^>]+>", " ", sheet.replace("\N{SOFT HYPHEN}", "")))
        fields = {key for values in (table.position_json("banker") or {})["players"].values() for key in values}
        raw = {word for word in re.findall(r"[A-Za-z_]+", said) if word in ("True", "False", "None") or "_" in word}
        assert (raw, "{" in said) == (set(), False), language
        assert not {key for key in fields if "_" in key} & set(re.findall(r"\w+", said))
        assert "<figure" in sheet
        steps = [int(step) for step in re.findall(r'data-step-to="(\d+)"', sheet)]
        assert steps == [1, latest - 4, latest - 2, latest]


@pytest.mark.parametrize("page", ["words", "rules"])
@pytest.mark.parametrize("name", ALL)
def test_pages_beside_the_table_keep_the_game_in_every_language_and_have_a_dark_switch(
    banker: FlaskClient, begun: Callable[[str], Table], name: str, page: str
) -> None:
    title = installed_games().manifest(name).title
    for asked in (f"game={name}", f"table={begun(name).id}"):
        shown = banker.get(f"/{page}?{asked}").text
        assert "data-theme-toggle" in shown
        links = [unescape(link) for link in re.findall(r'href="(\?lang=[^"]+)"', shown)]
        assert len(links) == len(LANGUAGES)
        there = [re.search(r'class="second">\s*([^<]+)', banker.get(f"/{page}{link}").text) for link in links]
        assert all(title_found and (name == ALL[0] or title.split()[0] in title_found[1]) for title_found in there), (
            title
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_that_count_say_what_they_count(
    banker: FlaskClient, begun: Callable[[str], Table], language: str
) -> None:
    # given the sheet of a trade, with a stepper for each kind of chip
    table = begun("monopoly_builder").id
    page = banker.get(f"/tables/{table}?lang={language}").text
    sheets = [
        unescape(banker.get(f"/tables/{table}/live", query_string={"part": "offer", "like": unescape(like)}).text)
        for like in re.findall(r'data-like="([^"]*)"', page)
    ]
    counting = [side for sheet in sheets for side in sheet.split('class="offer-part') if "data-stepper" in side]
    assert counting

    for side in counting:
        # then the two buttons of each, and what it stands at, are told apart by what they count
        buttons = re.findall(r'data-add="-?\d+"\s+aria-label="([^"]*)"', side)
        outputs = re.findall(r'<output aria-live="polite" aria-label="([^"]*)"', side)
        groups = re.findall(r'class="stepper[^"]*"\s+role="group"\s+aria-label="([^"]*)"', side)
        assert len(outputs) == len(groups) == len(set(groups)) == side.count("data-stepper")
        assert all(any(button.endswith(group) for group in groups) for button in buttons)
        assert len(buttons) == len(set(buttons)) == 2 * len(groups)
