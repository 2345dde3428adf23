"""Notes that are handed over at a table, entry by entry."""

from companion.service.table.notes import NoteBooks
from companion.service.table.table import Request
from tests.opened import installed_games
from tests.scenario import Scenario
from tests.web_pages.bot_tables import tables_of

NAME = "monopoly_builder"

DEALT = {"takes": {"10000": 4}}


def corrected(given: Scenario) -> None:
    given.do("correct_money", from_="bank", to="blue", amount=6_000, reason="paid twice")


def test_everybody_is_dealt_notes() -> None:
    notes = NoteBooks().as_json(Scenario("blue", "yellow").table, "banker")
    assert notes["hands"]["player:blue"] == notes["hands"]["player:yellow"] == DEALT
    assert notes["holders"]["player:blue"] == {"notes": {"50000": 0, "10000": 4, "5000": 0, "1000": 0}, "worth": 40_000}
    assert [(payment["from"], payment["to"], payment["amount"]) for payment in notes["payments"]] == [
        ("bank", "player:blue", 40_000),
        ("bank", "player:yellow", 40_000),
    ]


def test_an_undo_is_handed_back_and_a_redo_handed_over_again() -> None:
    given, books = Scenario("blue", "yellow"), NoteBooks()
    corrected(given)
    assert books.as_json(given.table, "banker")["hands"]["player:blue"] == {"takes": {"5000": 1, "1000": 1}}

    given.do("undo")
    notes = books.as_json(given.table, "banker")
    assert notes["hands"]["player:blue"] == {"gives": {"5000": 1, "1000": 1}}
    assert notes["payments"] == []

    given.do("redo")
    assert books.as_json(given.table, "banker")["hands"]["player:blue"] == {"takes": {"5000": 1, "1000": 1}}


def test_an_entry_without_money_moves_no_notes() -> None:
    given, books = Scenario("blue", "yellow"), NoteBooks()
    given.idle()
    notes = books.as_json(given.table, "banker")
    assert (notes["hands"], notes["payments"]) == ({}, [])


def test_it_is_the_same_whether_it_was_followed_or_folded_anew() -> None:
    given, books = Scenario("blue", "yellow"), NoteBooks()
    while given.position["round"] < 2:
        given.idle()
        books.as_json(given.table, "banker")
    given.do("undo")
    given.do("undo")
    given.do("count_cash", player="blue", amount=0)
    assert books.as_json(given.table, "banker") == NoteBooks().as_json(given.table, "banker")


def test_hidden_money_hides_its_notes() -> None:
    given = Scenario("blue", "yellow", rules={"money": "hidden"})
    notes = NoteBooks().as_json(given.table, "blue")
    assert set(notes["holders"]) == set(notes["hands"]) == {"player:blue"}
    assert all(set(payment["hands"]) <= {"player:blue"} for payment in notes["payments"])


def test_hidden_money_hides_the_notes_of_any_game() -> None:
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": NAME, "catalog": "house", "first": "red", "players": players}
    tables = tables_of({NAME: installed_games().manifest(NAME)})
    table = tables.start(Request({**start, "rules": {"money": "hidden"}}, "banker", "tap"))

    assert set(NoteBooks().as_json(table, "red")["holders"]) == {"player:red"}
    assert set(NoteBooks().as_json(table, "banker")["holders"]) == {"bank", "player:red", "player:green"}
