"""A figure that is wrong is tapped and put right: its values, what follows, the entry in the journal."""

import json
import re
from collections.abc import Callable
from html import unescape
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.engine.game import Refused
from companion.game_api.stage import CorrectableFigure
from companion.game_api.ui import TableView
from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.words import Words
from tests.opened import installed_games
from tests.web_pages.bot_tables import GAMES, BotsAtTable, begin, tables_of

CORRECTED = (*GAMES, "master_builder")
REASON = "counted again"
EVERY = 20
"""So many commands lie between two positions that are looked at."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of the three games."""
    return tables_of({name: installed_games().manifest(name) for name in CORRECTED})


def figures(table: Table, language: str = "en") -> dict[str, CorrectableFigure]:
    """Return the figures of a table as its banker may put them right, by their keys."""
    corrections, overview = table.game.manifest.corrections, table.overview
    assert corrections is not None
    assert overview is not None
    shown, words = table.show("banker"), Words(language, table.game.manifest)
    catalog, entries = table.catalog_json(), tuple(table.journal("banker"))
    view = TableView("t", shown["version"], shown["position"], overview, (), catalog, words, entries)
    listed = corrections().figures(view)
    assert len({figure.key for figure in listed}) == len(listed)
    return {figure.key: figure for figure in listed}


def give(table: Table, command: dict[str, Any]) -> None:
    table.submit(Request(command, "banker", "tap"))


def sheet(banker: FlaskClient, table: Table, **asked: str) -> str:
    answer = banker.get(f"/tables/{table.id}/live", query_string={"part": "correct", **asked})
    assert answer.status_code == 200
    page = unescape(answer.text).replace("\N{SOFT HYPHEN}", "")
    return re.sub(r'<span class="long-word">(.*?)</span>', r"\1", page)


def commands_of(figure: CorrectableFigure) -> list[dict[str, Any]]:
    """Return a command for each other value of a figure, with a reason where one is needed."""
    commands = [dict(choice.command) for choice in figure.choices if choice.command is not None]
    if figure.amount is not None:
        limits, now = {figure.amount.least, figure.amount.most}, figure.amount.value
        more, less = figure.amount.more, figure.amount.less
        for amount in limits if more is None or less is None else limits - {now}:
            moving = (more if amount > now else less) if more and less else None
            missing = amount if moving is None else abs(amount - now)
            commands.append({**(moving or figure.command), figure.amount.field: missing})
    return [{**command, "reason": REASON} if command["do"] != "rename_player" else command for command in commands]


@pytest.mark.parametrize("name", CORRECTED)
def test_every_value_that_is_offered_is_one_that_the_rules_accept(tables: Tables, name: str) -> None:
    # given positions of a whole game
    bots, refused, tried = begin(tables, name), set[str](), 0
    for number in count():
        if number % EVERY == 0:
            # when every other value of every figure is tried
            for key, figure in figures(bots.table).items():
                for command in commands_of(figure):
                    tried += 1
                    try:
                        bots.table.foresee(Request(command, "banker", "tap"))
                    except Refused as fault:
                        refused.add(f"{key} {json.dumps(command)} {fault.rule}")
        if not bots.play_on():
            break

    # then none is refused
    assert tried > 100
    assert sorted(refused) == []


def values_of(figure: CorrectableFigure) -> list[tuple[dict[str, Any], str | int]]:
    """Return commands that put a figure right, each with the choice or the amount that it is to be then."""
    chosen = [(dict(choice.command), choice.says) for choice in figure.choices if choice.command is not None]
    every = max(1, len(chosen) // 3)
    if figure.amount is None:
        return [*chosen[::every]]
    one_less = figure.amount.value - figure.amount.step
    command = {**(figure.amount.less or figure.command), figure.amount.field: one_less}
    return [({**command, figure.amount.field: figure.amount.step} if figure.amount.less else command, one_less)]


def possible(figure: CorrectableFigure) -> list[str | int]:
    """Return what a figure may be: a card that goes back into its pile is no longer among it."""
    return [choice.says for choice in figure.choices] if figure.amount is None else [*range(figure.amount.most + 1)]


def present(figure: CorrectableFigure) -> str | int | None:
    """Return what a figure is now: its amount, or the choice that nothing leads to."""
    if figure.amount is not None:
        return figure.amount.value
    return next((choice.says for choice in figure.choices if choice.command is None), None)


@pytest.mark.parametrize("name", CORRECTED)
def test_a_figure_that_is_put_right_is_what_was_chosen(tables: Tables, name: str) -> None:
    # given a game that has been played for a while
    bots = begin(tables, name)
    for _ in range(40):
        bots.play_on()
    wrong: list[str] = []

    # when each figure is put right
    for key, figure in figures(bots.table).items():
        for command, value in values_of(figure):
            give(bots.table, {**command, "reason": REASON})
            then = figures(bots.table).get(key)  # none of a card that lies where it cannot be put right
            settles = command.get("phase") == "income"  # nobody decides there, and the next round begins
            if then is not None and value in possible(then) and present(then) not in (value, None) and not settles:
                wrong.append(f"{key} {command}: {value}, not {present(then)}")
            give(bots.table, {"do": "undo"})

    # then it is so
    assert wrong == []


@pytest.fixture(scope="module")
def site(tables: Tables) -> BotsAtTable:
    """Return a game of Men at Work that is looked at."""
    return begin(tables, "men_at_work")


@pytest.fixture(scope="module")
def town(tables: Tables) -> BotsAtTable:
    """Return a game of Monopoly Builder that is looked at, with something on the board."""
    bots = begin(tables, "monopoly_builder")
    for _ in range(40):
        bots.play_on()
    return bots


def test_the_banker_ends_an_evening_of_monopoly_builder_on_the_sheet_of_the_turn(
    banker: FlaskClient, tables: Tables
) -> None:
    # given a game under way
    bots = begin(tables, "monopoly_builder")
    bots.play_on()
    page = sheet(banker, bots.table, figure="turn")
    assert "The evening ends here: now it is counted" in page

    # when the last of its values is chosen
    (ends,) = [choice.command for choice in figures(bots.table)["turn"].choices if "ends" in choice.says]
    give(bots.table, {**(ends or {}), "reason": REASON})

    # then it is over and counted
    assert bots.table.overview is not None
    assert bots.table.overview.finished
    assert bots.table.overview.standings


def test_kept_cards_tries_in_jail_and_chips_on_spaces_of_monopoly_builder_are_put_right(tables: Tables) -> None:
    # given a table of which somebody sits in jail, with a card that leads out, and surplus chips lie there
    bots = begin(tables, "monopoly_builder")
    table, player = bots.table, next(iter(bots.table.names()))
    give(table, {"do": "correct_card", "card": "C01", "to": player, "reason": REASON})
    give(table, {"do": "correct_position", "player": player, "space": 7, "in_jail": True, "reason": REASON})
    give(table, {"do": "correct_chips", "kind": "red", "count": 2, "from": "bank", "to": 7, "reason": REASON})

    def choose(key: str, says: str) -> None:
        (command,) = [choice.command for choice in figures(table)[key].choices if choice.says == says]
        give(table, {**(command or {}), "reason": REASON})

    # when each is put right by its figure
    assert (figures(table)["card:C01"].player, figures(table)["chips:red:7"].now) == (player, "2")
    choose("card:C01", "the pile")
    choose(f"space:{player}", "7 Jail, 2 tries")
    choose("chips:red:7", "1")

    # then it is so
    now = table.position_json("banker") or {}
    assert (now["players"][player]["cards"], now["players"][player]["tries"]) == ([], 2)
    assert now["spaces"]["7"] == {"red": 1}


def test_a_tap_on_a_players_card_leads_to_what_is_theirs(banker: FlaskClient, site: BotsAtTable) -> None:
    page = banker.get(f"/tables/{site.table.id}").text
    for player, name in site.table.names().items():
        (opens,) = re.findall(rf'class="whole-card"\s+data-sheet="correct"\s+data-player="{player}"', page)
        assert opens
        listed = sheet(banker, site.table, player=player)
        assert name in listed
        assert re.findall(r'data-figure="([^"]+)"', listed) == [
            key for key, figure in figures(site.table).items() if figure.player == player
        ]


def test_phones_and_onlookers_have_no_such_sheet(as_caller: Callable[[Caller], FlaskClient], site: BotsAtTable) -> None:
    player = next(iter(site.table.names()))
    phone = as_caller(Caller("player", player, site.table.id))
    assert phone.get(f"/tables/{site.table.id}/live?part=correct").status_code == 404
    assert 'data-sheet="correct"' not in phone.get(f"/tables/{site.table.id}/seats/{player}").text


def test_the_values_of_a_figure_are_buttons_with_the_present_one_marked(banker: FlaskClient, site: BotsAtTable) -> None:
    page = sheet(banker, site.table, figure="certificates:blue")

    shown = re.findall(r'aria-pressed="(true|false)"\s*>(.*?)</button>', page, re.DOTALL)
    values = [(re.sub(r"<[^>]+>", "", says).strip(), pressed) for pressed, says in shown]
    assert values == [("0", "false"), ("1", "false"), ("2", "false"), ("3", "true")]


def test_what_follows_is_shown_before_anything_happens(banker: FlaskClient, site: BotsAtTable) -> None:
    # given a first player who has the hook and three certificates
    before = site.table.version
    none_left = {"do": "correct_player", "player": "blue", "certificates": 0}

    # when the sheet is asked what it would mean to have none
    page = sheet(banker, site.table, figure="certificates:blue", instead=json.dumps(none_left))

    # then it says that they are out and the turn passes on, asks why, and nothing has happened yet
    follows = page.split('class="follows"')[1].split("</ul>")[0]
    assert "Donaudampfschifffahrtsgesellschafts, certificates 0, awards 0, cards in hand 0; out of the game" in follows
    assert "Bartholomew von Hohenstein-Lichtenb" in follows
    assert 'name="reason"' in page
    assert site.table.version == before
    assert figures(site.table)["certificates:blue"].now == "3"


def test_no_other_command_is_tried_on_the_sheet(banker: FlaskClient, site: BotsAtTable) -> None:
    for instead in ({"do": "turn_card", "card": "I01"}, {"do": "correct_boss", "on_duty": True}, {"do": "nonsense"}):
        page = sheet(banker, site.table, figure="certificates:blue", instead=json.dumps(instead))
        assert 'class="figure-choices"' in page
        assert 'class="follows"' not in page


def test_a_refusal_is_said_and_the_values_stay(banker: FlaskClient, town: BotsAtTable) -> None:
    # given a name that somebody has
    first, second, *_ = town.table.names().values()
    player = next(iter(town.table.names()))

    # when the other one is to be called so
    instead = json.dumps({"do": "rename_player", "player": player, "name": second})
    page = sheet(banker, town.table, figure=f"name:{player}", instead=instead)

    # then the sheet says why it cannot be, and holds the form
    assert 'class="refusal"' in page
    assert f'value="{first}"' in page


def test_a_correction_stands_in_the_journal_with_its_reason_and_is_taken_back(
    banker: FlaskClient, tables: Tables
) -> None:
    # given a table at which the chips of a player were miscounted
    table = begin(tables, "monopoly_builder").table
    player = next(iter(table.names()))
    figure = figures(table)[f"chips:green:{player}"]
    choice = next(choice for choice in figure.choices if choice.says == str(int(figure.now) + 2))
    assert choice.command is not None

    # when it is put right as the sheet sends it
    give(table, {**choice.command, "reason": REASON})

    # then the figure is right, the journal says what was corrected and why, and one undo takes it back
    assert figures(table)[f"chips:green:{player}"].now == choice.says
    assert f"Corrected: chips (green): 2, from the bank to {table.names()[player]} ({REASON})" in unescape(
        banker.get(f"/tables/{table.id}/live?part=journal").text
    ).replace("\N{SOFT HYPHEN}", "")
    give(table, {"do": "undo"})
    assert figures(table)[f"chips:green:{player}"].now == figure.now


@pytest.mark.parametrize("name", ["master_builder", "monopoly_builder"])
def test_cash_is_put_right_from_its_account_by_what_is_missing(banker: FlaskClient, tables: Tables, name: str) -> None:
    # given the account that tells what made somebody's cash
    table = begin(tables, name).table
    player, names = next(iter(table.names())), table.names()
    account = {"part": "explain", "account": f"player:{player}", "player": player}
    page = banker.get(f"/tables/{table.id}/live", query_string=account).text
    assert re.search(rf'data-sheet="correct"\s+data-player="{player}"\s+data-figure="cash:{player}"', page)

    # when another amount is set there
    figure = figures(table)[f"cash:{player}"]
    assert figure.amount is not None
    missing = 3 * figure.amount.step
    less = {**figure.command, "amount": figure.amount.value - missing}
    shown = sheet(banker, table, figure=figure.key, instead=json.dumps(less), lang="en")

    # then the bank gets the rest, and nothing is booked yet
    (command,) = re.findall(r"<form id=\"apply-correction\"\s+data-send='([^']*)'", shown)
    moved = {"do": "correct_money", "from": player, "to": "bank", "amount": missing}
    assert json.loads(command) == moved
    assert f"{names[player]}" in shown
    assert figures(table)[f"cash:{player}"].now == figure.now

    # and it is once it is applied
    give(table, {**moved, "reason": REASON})
    assert figures(table)[f"cash:{player}"].amount.value == figure.amount.value - missing  # type: ignore[union-attr]


@pytest.mark.parametrize("name", CORRECTED)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_figures_are_named_in_every_language(tables: Tables, name: str, language: str) -> None:
    untold = re.compile(r"[{}_]|correct_|^site:|^chips:")
    table = begin(tables, name).table
    for figure in figures(table, language).values():
        for said in (figure.title, figure.now, *(choice.says for choice in figure.choices)):
            assert said
            assert not untold.search(said)
