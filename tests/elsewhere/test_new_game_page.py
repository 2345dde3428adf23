"""``docs/new-game.md``: its blocks run, and what it says that one sees is what one sees."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.adapters.catalogs import load_catalog
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.bot_games.games import play_game
from companion.bot_games.trial import check_game
from companion.bot_games.trial_report import ENOUGH_GAMES, TrialReport, remarks
from companion.engine.game import Refused
from companion.game_api.capabilities import Capabilities, Choices
from companion.game_api.house_rules import values_by_key
from companion.game_api.manifest import Manifest
from companion.game_api.step_game import hidden_purses
from companion.service.access.logins import Caller
from companion.service.ports import Forbidden
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.words import Words
from tests.elsewhere.new_game import blocks, files, imported
from tests.every_game import services_over
from tests.extent import by_night
from tests.scenario import StoppedClock
from tests.web.shared_app import client_of

MOST_LINES = 300
AT_THE_AUCTION, AT_THE_SALE = 4, 15
"""So many commands of the page's game lead there."""


def catalog(manifest: Manifest) -> Any:
    """Return the bundled cards."""
    cards = manifest.cards()
    return load_catalog(cards.bundled["house"], cards)


def commands() -> list[dict[str, Any]]:
    """Return the game that the page plays move by move."""
    (play,) = blocks("json")
    return [json.loads(line) for line in play.splitlines()]


def opened_tables(manifest: Manifest) -> Tables:
    """Return tables for the game, kept nowhere."""
    games = {manifest.name: load_game(manifest, {"house": catalog(manifest)})}
    return Tables(games, InMemoryJournal(), StoppedClock(), lambda: "t", list)


def played(manifest: Manifest, most: int = 100, beginning: Mapping[str, Any] = {}) -> tuple[Services, Table]:
    """Return a table at which the first commands of the page's game were given; ``beginning``: more of the first."""
    tables = opened_tables(manifest)
    first, *rest = commands()[:most]
    table = tables.start(Request({**first, **beginning}, "banker", "test"))
    for command in rest:
        table.submit(Request(command, "banker", "test", table.version))
    return services_over(tables), table


def executed() -> dict[str, Any]:
    """Return all names of the page's blocks that belong to no file, after running them beside the game."""
    imported()
    names: dict[str, Any] = {}
    for block in blocks("python"):
        of_block: dict[str, Any] = {}
        exec(block, of_block)  # noqa: S102 - the project's own page; a block imports what it needs
        names.update(of_block)
    return names


def test_it_brings_a_game_with_an_auction_hidden_money_and_a_secret_choice_in_few_lines() -> None:
    lines = [line for name, text in files().items() if name.endswith(".py") for line in text.splitlines()]

    assert len(files()) == 7
    assert 150 < len(lines) <= MOST_LINES


def test_every_block_of_python_runs() -> None:
    assert executed().keys() > {
        "NutMarketStage",
        "NutMarketTable",
        "NutMarketStory",
        "NutMarketCorrections",
        "HouseNutMarket",
        "CAPABILITIES",
    }


def test_the_page_of_a_game_under_way_asks_for_every_nut() -> None:
    manifest = imported()
    as_json = manifest.cards().as_json(catalog(manifest))

    form = executed()["NutMarketTakeOver"]().form(Words("en", manifest), as_json, ("red", "blue"))

    assert [field.title for field in form.groups[0].fields] == ["Hazelnut", "Walnut", "Chestnut", "Brazil nut"]


def shown_to_the_banker(table: Table) -> Any:
    """Return the position of a table as the banker sees it."""
    return table.position_json("banker")


def with_house_rules() -> Manifest:
    """Return the page's game with house rules, a correction of money and a take-over."""
    names = executed()
    choices = Choices(values_by_key(names["HouseRules"]))
    return replace(
        imported(),
        rules=names["HouseNutMarket"],
        messages=lambda: names["OWN_MESSAGES"],
        beginnings=("start_game", "take_over"),
        capabilities=lambda: Capabilities(hidden_money=hidden_purses, choices=choices),
        take_over=names["NutMarketTakeOver"],
    )


def test_the_game_with_house_rules_corrections_and_a_take_over_has_no_fault() -> None:
    manifest, met = with_house_rules(), TrialReport()

    # when it is checked, then there is none; and what it cannot try is said
    assert list(check_game(manifest, games=ENOUGH_GAMES, seed=1, met=met)) == []
    assert [remark for remark in remarks(manifest, met) if "happens in no game" in remark] == [
        f"the event {event} happens in no game by what is offered: only set_cash, take_over may lead to it"
        for event in ("GameTakenOver", "CashSet")
    ]


def test_a_table_begins_by_house_rules_and_the_banker_alone_puts_money_right() -> None:
    # given a table at which the house rule is chosen
    rules = {"rules": {"rich": True}, "variants": []}
    _, table = played(with_house_rules(), AT_THE_AUCTION, rules)
    assert shown_to_the_banker(table)["players"]["red"]["cash"] == 24

    # when the banker says, while Ben is to bid, what Ada has, then the auction goes on
    table.submit(Request({"do": "set_cash", "player": "red", "amount": 9}, "banker", "test", table.version))
    shown = shown_to_the_banker(table)
    assert (shown["players"]["red"]["cash"], shown["phase"]) == (9, "auction")

    # and no player may, nor the banker set what cannot be
    for author, amount, refused in (("red", 20, Forbidden), ("banker", -1, Refused)):
        with pytest.raises(refused):
            table.submit(Request({"do": "set_cash", "player": "red", "amount": amount}, author, "test", table.version))


def test_a_game_under_way_is_gone_on_with_and_what_cannot_be_is_refused() -> None:
    manifest = with_house_rules()
    players = {"blue": {"name": "Ben", "cash": 7, "bag": ["N02"]}, "red": {"bag": ["N03", "N04"]}}
    position = {"game": manifest.name, "turn": "red", "players": players, "catalog": "house", "rules": {}}

    # when what lies there is entered
    tables = opened_tables(manifest)
    table = tables.start(Request({"do": "take_over", "position": position}, "banker", "test"))

    # then whoever is on turn puts up the nut that is left
    shown = shown_to_the_banker(table)
    assert {player: (own["name"], own["cash"], own["bag"]) for player, own in shown["players"].items()} == {
        "blue": ("Ben", 7, ["N02"]),
        "red": ("Red", 12, ["N03", "N04"]),
    }
    assert (shown["waiting_for"], shown["stall"]) == (["red"], ["N01"])
    table.submit(Request({"do": "put_up", "player": "red", "nut": "N01"}, "red", "test", table.version))

    # and a nut in two bags, a stranger's turn and a second beginning are refused
    with pytest.raises(Refused, match="started_already"):
        table.submit(Request({"do": "take_over", "position": position}, "banker", "test", table.version))
    for wrong, rule in (
        ({"players": {**players, "red": {"bag": ["N02"]}}}, "card_not_offered"),
        ({"turn": "green"}, "unknown_player"),
        ({"catalog": "nowhere"}, "unknown_catalog"),
    ):
        with pytest.raises(Refused, match=rule):
            tables.start(Request({"do": "take_over", "position": {**position, **wrong}}, "banker", "test"))


def test_what_is_seen_move_by_move_is_what_it_says() -> None:
    (text,) = blocks("text")
    manifest = imported()
    words = Words("en", manifest)

    said: list[str] = []
    for number in range(1, len(commands()) + 1):
        _, table = played(manifest, number)
        events = table.journal("spectator")[-1]["events"]
        sentences = [words.event(event, table.names(), table.catalog_json()) for event in events]
        said.append(f"{'. '.join(sentences)}.")

    assert said == text.splitlines()


@pytest.mark.parametrize("rule", ["number_of_players", "too_few"])
def test_numbers_are_no_money_although_a_bid_has_a_least_amount(rule: str) -> None:
    assert "$" not in Words("en", imported()).refusal(rule, {"least": 2, "most": 4}, {})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bots_play_it_by_its_offers(players: int) -> None:
    manifest = imported()
    for seed in range(5):
        result = play_game(manifest, catalog(manifest), seed, ["random"] * players)
        assert result.refusals == 0


def opened(services: Services, table: Table) -> Iterator[tuple[str, FlaskClient, str]]:
    """Yield each kind of page with a browser that may open it, and its address."""
    app = create_app(services)
    for name, caller, path in (
        ("tablet", Caller("banker"), ""),
        ("phone", Caller("player", "red", table.id), "/seats/red"),
        ("screen", Caller("spectator", table=table.id), "/display"),
    ):
        yield name, client_of(app, services, caller), f"/tables/{table.id}{path}"


def test_money_is_covered_on_the_tablet_and_the_screen_and_shown_on_ones_own_phone() -> None:
    services, table = played(imported(), AT_THE_AUCTION)

    shown = {name: client.get(address).text for name, client, address in opened(services, table)}

    assert 'data-figure="red-cash"' in shown["phone"]
    assert 'data-figure="blue-cash"' not in shown["phone"]
    assert "-cash" not in shown["tablet"]
    assert 'data-peek="red"' in shown["tablet"]
    assert "-cash" not in shown["screen"]


def test_a_badge_that_is_held_on_the_tablet_shows_ones_own_money() -> None:
    services, table = played(imported(), AT_THE_AUCTION)
    client = client_of(create_app(services), services, Caller("banker"))

    assert "$12" in client.get(f"/tables/{table.id}/peek/red").text


def test_a_covered_tablet_does_not_tell_by_a_form_how_much_a_bidder_has() -> None:
    services, table = played(imported(), AT_THE_AUCTION)
    pages = {name: client.get(address).text for name, client, address in opened(services, table)}

    assert 'data-most="12"' in pages["phone"]
    assert 'data-most="12"' not in pages["tablet"]


def test_once_it_is_over_all_money_is_shown() -> None:
    services, table = played(imported())

    for name, client, address in opened(services, table):
        page = client.get(address).text
        assert "data-peek" not in page
        assert "$54" in page or name == "screen", name


def test_a_choice_is_told_to_its_player_alone_until_all_have_chosen() -> None:
    services, table = played(imported(), AT_THE_SALE)

    pages = {name: client.get(address).text for name, client, address in opened(services, table)}

    assert table.journal("red")[-1]["events"][0]["nuts"] == ["N03"]
    assert "Ada has chosen" in pages["tablet"]
    assert all("Ada sells" not in pages[name] for name in ("tablet", "screen"))
    assert table.position_json("blue")["own_choice"] == {}  # type: ignore[index]


@pytest.mark.parametrize("stage", ["NutMarketStage", "NutMarketTable"])
@pytest.mark.parametrize("language", ["de", *by_night("en", "fr")])
@pytest.mark.parametrize("most", [1, AT_THE_AUCTION, AT_THE_SALE, 100])
def test_its_stage_and_its_story_are_drawn(language: str, most: int, stage: str) -> None:
    names = executed()
    manifest = replace(
        imported(),
        stage=names[stage],
        story=names["NutMarketStory"],
        corrections=names["NutMarketCorrections"],
    )
    services, table = played(manifest, most)

    for name, client, address in opened(services, table):
        answer = client.get(address, headers={"Accept-Language": language})
        assert answer.status_code == 200, name
        assert "staged" in answer.text, name


def test_nothing_is_wrong_with_what_lies_on_its_table() -> None:
    manifest = replace(imported(), stage=executed()["NutMarketTable"])

    assert list(check_game(manifest, games=5, seed=1)) == []


def test_a_nut_on_the_stall_is_tapped_by_whoever_puts_up_the_next() -> None:
    services, table = played(replace(imported(), stage=executed()["NutMarketTable"]), 1)

    pages = {name: client.get(address).text for name, client, address in opened(services, table)}

    assert 'class="table-card"' in pages["screen"]
    assert "<button" not in re.findall(r"<[a-z]+[^>]*class=.table-card", pages["screen"])[0]
    assert '{"do":"put_up","player":"red","nut":"N02"}' in pages["phone"].replace("&#34;", '"')


def test_on_a_phone_a_bid_stands_above_what_lies_on_the_table() -> None:
    services, table = played(replace(imported(), stage=executed()["NutMarketTable"]), AT_THE_AUCTION)

    page = {name: client.get(address).text for name, client, address in opened(services, table)}["phone"]

    assert page.index('class="sheet plain-form') < page.index('class="surface ')
