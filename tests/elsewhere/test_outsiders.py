"""Three games written from the documents alone: the house plays, shows, checks and installs them by itself.

``flea_market`` has hidden hands that are filled again, and auctions whose seller is paid; ``night_harbour`` has a
secret choice of a ship, a crew and an amount, and two kinds of cards; ``tea_house`` has cards drawn one by one,
auctions in which all bid once or in secret, and trades.  All have hidden money.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.adapters.catalogs import load_catalog
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.bot_games.games import RandomBots, play_game
from companion.bot_games.trial import check_game
from companion.engine.game import SPECTATOR, Bag, Offer
from companion.game_api.manifest import Manifest
from companion.game_api.ui import TableView
from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.web.default_ui.ui import DefaultUI
from companion.words import Words
from tests.cli.running import companion
from tests.elsewhere.outsiders import flea_market, night_harbour, tea_house
from tests.every_game import services_over
from tests.extent import by_night, in_check
from tests.games.acorns import original, with_rules
from tests.scenario import StoppedClock
from tests.web.shared_app import client_of

GAMES = {module.GAME.name: module.GAME for module in (flea_market, night_harbour, tea_house)}
FOLDER = Path(flea_market.__file__).parents[1]
MOST_LINES = 300
SEATS = ("red", "blue", "yellow")
PYPROJECT = """
[project]
name = "{name}"
version = "1.0"
dependencies = ["companion-table"]

[project.entry-points."companion.games"]
{name} = "{name}:GAME"
"""

PHASES = {
    "flea_market": {"draw", "play", "auction"},
    "night_harbour": {"row", "night"},
    "tea_house": {"draw", "counter", "auction"},
}
every_game = pytest.mark.parametrize("name", GAMES)


def catalog(manifest: Manifest) -> Any:
    """Return the bundled cards."""
    cards = manifest.cards()
    return load_catalog(cards.bundled["house"], cards)


def opened(manifest: Manifest, journal: InMemoryJournal) -> Tables:
    """Return the tables of a journal, as after a start of the program."""
    games = {manifest.name: load_game(manifest, {"house": catalog(manifest)})}
    return Tables(games, journal, StoppedClock(), lambda: "t", list)


def begun(manifest: Manifest) -> tuple[Tables, Table, InMemoryJournal]:
    """Return a table at which three have sat down."""
    journal = InMemoryJournal()
    tables = opened(manifest, journal)
    players = [{"id": seat, "name": seat.title()} for seat in SEATS]
    command = {"do": "start_game", "game": manifest.name, "first": "red", "players": players}
    return tables, tables.start(Request(command, "banker", "test")), journal


def played(
    manifest: Manifest, table: Table, seed: int, give: Callable[[dict[str, Any]], object] | None = None
) -> Iterator[int]:
    """Play random commands to the end of a game; yield how many there were.  ``give``: not by the table itself."""
    bots, lots = RandomBots(manifest), Random(seed)
    piles = bots.shuffled(catalog(manifest), seed)
    for number in range(1000):
        assert table.position is not None
        act = bots.next_act(table.position, piles, {}, lots.randrange)
        if act is None:
            return
        command = table.game.codec.command_json(act.command)
        if give is None:
            table.submit(Request(command, "banker", "test", table.version))
        else:
            give(command)
        yield number
    raise AssertionError(table.version)


def shown(table: Table) -> Mapping[str, Any]:
    """Return what a position shows to everybody, as JSON."""
    return {viewer: json.loads(json.dumps(table.position_json(viewer))) for viewer in (*SEATS, "banker", SPECTATOR)}


@every_game
def test_it_is_small(name: str) -> None:
    lines = [line for file in (FOLDER / name).glob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]

    assert 100 < len(lines) <= MOST_LINES


@every_game
def test_check_finds_nothing(name: str) -> None:
    assert list(check_game(GAMES[name], 3, seed=1)) == []


def test_nobody_pays_more_than_they_have_for_a_trade_that_asks_for_hidden_money() -> None:
    # given a game in which random players ask each other for more than the other has, and the other agrees
    assert list(check_game(GAMES["tea_house"], 1, seed=32)) == []


@pytest.mark.nightly
@every_game
def test_check_finds_nothing_in_a_thousand_games(name: str) -> None:
    assert list(check_game(GAMES[name], 1000, seed=1)) == []


@pytest.mark.parametrize("players", [2, *by_night(3, 4)])
@every_game
def test_bots_play_it_by_its_offers(name: str, players: int) -> None:
    result = play_game(GAMES[name], catalog(GAMES[name]), 1, ["random"] * players)

    assert (result.refusals, len(result.seats)) == (0, players)
    assert max(next(iter(seat.figures.values())) for seat in result.seats) > 0


@every_game
def test_undo_redo_and_a_restart_are_exact(name: str) -> None:
    # given a game that was played to its end
    _, table, journal = begun(GAMES[name])
    before = shown(table)
    for _ in played(GAMES[name], table, seed=5):
        # when the last entry is taken back, then all is as it was before it, and after it once it is done again
        after = shown(table)
        table.submit(Request({"do": "undo"}, "banker", "test", table.version))
        assert shown(table) == before
        table.submit(Request({"do": "redo"}, "banker", "test", table.version))
        assert shown(table) == after
        before = after

    # when the program is started again, then the game stands where it stood
    assert table.overview is not None
    assert table.overview.finished
    assert shown(opened(GAMES[name], journal).get("t")) == before


@pytest.mark.parametrize("language", ["de", *by_night("en", "fr")])
@every_game
def test_its_pages_are_drawn_and_show_nobody_what_others_hide(name: str, language: str) -> None:
    # given pages of a whole game: the tablet, a phone, the big screen
    tables, table, _ = begun(GAMES[name])
    services = services_over(tables)
    app = create_app(services)
    opener = {
        "tablet": (client_of(app, services, Caller("banker")), ""),
        "phone": (client_of(app, services, Caller("player", "red", "t")), "/seats/red"),
        "screen": (client_of(app, services, Caller("spectator", table="t")), "/display"),
    }
    phases: list[str] = []
    own: set[str] = set()
    for _ in played(GAMES[name], table, seed=2):
        overview, position = table.overview, table.position
        assert overview is not None
        assert position is not None
        if phases.count(overview.phase) >= 2:
            continue
        phases.append(overview.phase)
        pages = {}
        for page, (client, path) in opener.items():
            answer = client.get(f"/tables/t{path}", headers={"Accept-Language": language})
            assert answer.status_code == 200, page
            pages[page] = answer.text

        # then nobody reads there what blue has: their money, and their hand while one's own is not drawn
        if not overview.finished:
            assert "blue-cash" not in "".join(pages.values())
        if overview.phase in ("play", "auction", "counter"):
            names = {
                seat: {position.state.catalog.card(card).name for card in position.state.hands.of(seat)}
                for seat in ("red", "blue")
            }
            assert {card for card in names["blue"] if card in pages["phone"] or card in pages["screen"]} == set()
            own |= {card for card in names["red"] if card in pages["phone"]}
    assert bool(own) == (name != "night_harbour"), "one's own hand is on one's phone"
    assert {*phases} == PHASES[name] | {"finished"}


def test_a_hidden_card_that_is_shown_to_ones_own_phone_is_asked_there_alone() -> None:
    # given a tea house with a tablet in the middle, and red who draws
    tables, table, _ = begun(GAMES["tea_house"])
    services = services_over(tables)
    app = create_app(services)
    banker, red = client_of(app, services, Caller("banker")), client_of(app, services, Caller("player", "red", "t"))

    # when the card is shown to red's phone
    asked = red.post("/api/v1/tables/t/scans", json={"text": "T05"})
    assert asked.status_code == 200, asked.text

    # then the phone asks, and neither the tablet nor the banker's device
    assert table.position is not None
    name = table.position.state.catalog.card("T05").name
    assert "data-proposal" in red.get("/tables/t/seats/red").text
    tablet = banker.get("/tables/t").text
    assert "data-proposal" not in tablet
    assert name not in tablet
    assert banker.get("/api/v1/tables/t/proposals").get_json()["proposals"] == []
    number = asked.get_json()["proposal"]["id"]
    assert banker.post(f"/api/v1/tables/t/proposals/{number}", json={"answer": "yes"}).status_code == 404
    assert red.post(f"/api/v1/tables/t/proposals/{number}", json={"answer": "yes"}).status_code == 200


@pytest.mark.parametrize(("language", "says"), [("en", "Choose 3"), ("de", "3 wählen"), ("fr", "Choisis-en 3")])
def test_a_form_says_how_many_are_to_be_chosen(language: str, says: str) -> None:
    # given a hand of three that is to be drawn, and a bag of which two are taken
    def free_offers(*of: Any) -> Any:
        return (Offer("bid", of[-1], fields=(("amount", Bag((("peat", 3), ("bog", 2)), 0, 2)),)),)

    tables, _, _ = begun(with_rules(GAMES["flea_market"], free_offers=free_offers))
    services = services_over(tables)
    red = client_of(create_app(services), services, Caller("player", "red", "t"))

    # then both forms say it
    page = red.get("/tables/t/seats/red", headers={"Accept-Language": language}).text
    assert f"<small>{says}</small></legend>" in page
    (bag,) = re.findall(r"data-bag[^>]*>\s*(.*)", page)
    assert re.match(r"<p class=.second.><small>[^<]*2[^<]*</small></p>", bag)


def test_a_hand_stays_on_a_sheet_though_the_table_lists_every_card() -> None:
    # given a flea market that shows which cards there are, and a tablet in the middle
    def figures(rules: Any, position: Any, viewer: str) -> Mapping[str, Any]:
        return {**original(rules, "table")(position, viewer), "prices": dict.fromkeys(position.state.catalog.ids, 3)}

    game = with_rules(GAMES["flea_market"], table=figures)
    _, table, _ = begun(game)
    ui = DefaultUI(game)
    hands = {"draw_hand": 0, "play_card": 0}
    for _ in played(game, table, seed=2):
        for form in ui.values(table_view(table, game), None)["forms"]:
            if form.command["do"] in hands:
                hands[form.command["do"]] += 1
                # when what a hand may do is laid out there, then its cards are not
                assert form.is_private
                assert form.picks == form.buttons == ()
    assert min(hands.values()) > 0


def table_view(table: Table, game: Manifest) -> TableView:
    """Return a table as the banker's tablet sees it."""
    shown, overview = table.show("banker"), table.overview
    assert overview is not None
    return TableView(
        "t",
        shown["version"],
        shown["position"],
        overview,
        tuple(shown["offers"]),
        table.catalog_json(),
        Words("en", game),
        tuple(table.journal("banker")),
    )


def test_a_big_screen_without_scenes_shows_what_is_known() -> None:
    # given a game that brings no scenes, in the middle of an auction
    tables, table, _ = begun(GAMES["tea_house"])
    services = services_over(tables)
    screen = client_of(create_app(services), services, Caller("spectator", table="t"))
    for command in ({"do": "draw_card", "card": "T03"}, {"do": "draw_card", "card": "T09"}):
        table.submit(Request({**command, "player": "red"}, "banker", "test"))
    table.submit(Request({"do": "auction", "player": "red", "tea": "T03"}, "banker", "test"))

    # when the big screen is drawn, then phase, news, short figures and all open cards stand there, and no hidden one
    page = screen.get("/tables/t/display?lang=en").text
    assert re.search(r'<h2 class="headline[^>]*>Auction</h2>', page)
    assert "Red puts Night Train up" in page
    assert re.findall(r'<b class="card-name[^>]*>([^<]+)</b>', page) == ["Night Train", "Iron Toad", "Blue Crane"]
    assert "Sold by" in page
    assert "First Snow" not in page

    # and the tablet shows the same cards in rows
    tablet = client_of(create_app(services), services, Caller("banker")).get("/tables/t?lang=en").text
    assert re.findall(r'<b class="card-name[^>]*>([^<]+)</b>', tablet) == ["Night Train", "Iron Toad", "Blue Crane"]


def test_a_big_screen_lists_figures_that_are_too_many_for_its_head() -> None:
    # given a game with more figures than the head of a screen has room for, and open cards
    class ManyFigures(tea_house.GAME.rules):  # type: ignore[name-defined, misc]
        def table(self, position: Any, viewer: str) -> Mapping[str, Any]:
            return {**super().table(position, viewer), **{f"figure_{number}": number for number in range(1, 6)}}

    manifest = replace(tea_house.GAME, rules=ManyFigures)
    tables, _, _ = begun(manifest)
    services = services_over(tables)
    page = client_of(create_app(services), services, Caller("spectator", table="t")).get("/tables/t/display?lang=en")

    # then nothing is left out
    assert all(said in page.text for said in ("Figure 1", "Figure 5", "Iron Toad and Blue Crane"))


@pytest.mark.slow
@pytest.mark.parametrize("name", in_check(GAMES, "flea_market"))
def test_it_is_installed_watched_and_removed(name: str, tmp_path: Path) -> None:
    # given a folder with the game, as its author gives it away
    shutil.copytree(FOLDER / name, tmp_path / "game" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "game" / "pyproject.toml").write_text(PYPROJECT.format(name=name), encoding="utf-8")
    data = ("--data", tmp_path / "data")
    assert companion("game", "install", tmp_path / "game", *data).err == [f"{name} 1.0: {name}"]

    # when bots play it in a demo, then it comes to its end
    demo = companion("demo", "--game", name, "--headless", "--players", "3", "--json", *data)
    assert demo.code == 0, demo.err
    assert '"finished": true' in " ".join(demo.out)

    # and it is taken away again
    assert companion("game", "remove", name, *data).code == 0
    assert companion("demo", "--game", name, "--headless", *data).code == 2


@pytest.mark.parametrize(
    ("language", "swap", "gift"),
    [
        ("en", "Ada gives Ben Jasmine and $5 and gets Oolong", "Ada gives Ben $5 and gets nothing"),
        ("de", "Ada gibt Ben Jasmine und 5\u00a0$ und bekommt Oolong", "Ada gibt Ben 5\u00a0$ und bekommt nichts"),
        (
            "fr",
            "Ada échange avec Ben\u00a0: Jasmine et 5\u00a0$ contre Oolong",
            "Ada échange avec Ben\u00a0: 5\u00a0$ contre rien",
        ),
    ],
)
def test_the_journal_says_what_was_traded(language: str, swap: str, gift: str) -> None:
    words, names = Words(language, GAMES["tea_house"]), {"red": "Ada", "blue": "Ben"}
    catalog = {"teas": {"T01": {"name": "Jasmine"}, "T02": {"name": "Oolong"}}}
    trade = {"event": "Traded", "player": "red", "with": "blue", "give": [], "get": [], "pay": 5, "ask": 0}

    assert words.event({**trade, "give": ["T01"], "get": ["T02"]}, names, catalog) == swap
    assert words.event(trade, names, catalog) == gift


@pytest.mark.parametrize(("language", "cards"), [("de", "Karten"), ("fr", "Cartes")])
def test_the_cards_of_a_hand_are_named_in_the_language_of_the_page(language: str, cards: str) -> None:
    tables, _, _ = begun(GAMES["flea_market"])
    services = services_over(tables)
    red = client_of(create_app(services), services, Caller("player", "red", "t"))

    page = red.get("/tables/t/seats/red", headers={"Accept-Language": language}).text
    assert f"<legend>{cards} " in page
