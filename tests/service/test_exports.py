import json
from collections import defaultdict

from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Table
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import (
    OPEN,
    PASS,
    REDO,
    UNDO,
    give,
    house_game,
    house_table,
    nut_table,
    play_until,
    position,
)


def test_a_play_file_played_again_comes_to_the_same_position() -> None:
    table, piles = house_table(3, seed=2)
    play_until(table, piles, "events", round_=2)
    give(table, UNDO, UNDO, REDO)
    again = Table("t", house_game(), FakeJournal(), FakeClock())
    for line in play_file(table):
        give(again, json.loads(line))
    assert (again.position, again.version) == (table.position, table.version)


def test_names_stay_readable_in_a_play_file() -> None:
    table, _ = house_table()
    give(table, {"do": "rename_player", "player": "blue", "name": "Zoë"})
    assert "Zoë" in list(play_file(table))[-1]


def test_the_ledger_tells_each_posting_with_the_balance_after_it() -> None:
    rows = list(ledger_rows(nut_table(None, OPEN, PASS)))
    assert rows[-2:] == [
        {
            "seq": 3,
            "at": "2026-01-01T00:00:02+00:00",
            "event": "NutSold",
            "account": "player:ada",
            "amount": -3,
            "balance": 7,
        },
        {
            "seq": 3,
            "at": "2026-01-01T00:00:02+00:00",
            "event": "NutSold",
            "account": "bank",
            "amount": 3,
            "balance": 83,
        },
    ]


def test_an_undo_takes_postings_back_and_a_redo_makes_them_again() -> None:
    rows = list(ledger_rows(nut_table(None, OPEN, PASS, UNDO, REDO)))
    assert [(row["event"], row["account"], row["amount"], row["balance"]) for row in rows[-4:]] == [
        ("EntryUndone NutSold", "bank", -3, 80),
        ("EntryUndone NutSold", "player:ada", 3, 10),
        ("EntryRedone NutSold", "player:ada", -3, 7),
        ("EntryRedone NutSold", "bank", 3, 83),
    ]


def test_the_rows_of_each_entry_sum_to_nothing_and_their_last_balances_are_the_position() -> None:
    table, piles = house_table(3, seed=4)
    play_until(table, piles, "hire", round_=3)
    give(table, *[UNDO] * 30, *[REDO] * 20)
    sums: dict[int, int] = defaultdict(int)
    last: dict[str, int] = {}
    for row in ledger_rows(table):
        sums[row["seq"]] += row["amount"]
        last[row["account"]] = row["balance"]
    assert set(sums.values()) == {0}
    assert {player: last[f"player:{player}"] for player in position(table)["players"]} == {
        player: shown["cash"] for player, shown in position(table)["players"].items()
    }
    assert last["bank"] == position(table)["bank"]
