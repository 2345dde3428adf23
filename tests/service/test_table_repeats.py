import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal import memory as memory_journal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import Refused
from companion.service.ports import KeptRefusal, KeyReused, Stale
from companion.service.table.table import Request, Table, identity
from tests.adapters.kept import outside
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock, readable_tables
from tests.service.house_tables import NUTS, OPEN, PASS, UNDO, all_tables, give, nut_table

TOO_MUCH = {**OPEN, "bid": 11}


def send(table: Table, command: dict[str, Any], key: str = "k", actor: str = "banker", seen: int = 1) -> dict[str, Any]:
    return table.submit(Request(command, actor, "tap", seen, key))


def test_the_same_request_again_gives_the_same_entry_though_much_has_happened() -> None:
    table = nut_table()
    first = send(table, OPEN)
    give(table, PASS, UNDO, UNDO)
    assert send(table, OPEN) == first
    assert table.version == 5


@pytest.mark.parametrize("other", [{**OPEN, "bid": 4}, {**OPEN, "bid": 3.0}, {**OPEN, "bid": True}, {}, UNDO])
def test_the_same_key_with_another_body_is_no_repetition(other: dict[str, Any]) -> None:
    table = nut_table()
    send(table, OPEN)
    with pytest.raises(KeyReused):
        send(table, other)
    assert table.version == 2


def test_one_is_not_one_point_nought_nor_true() -> None:
    table = nut_table()
    send(table, {**OPEN, "bid": 1})
    for other in (1.0, True):
        with pytest.raises(KeyReused):
            send(table, {**OPEN, "bid": other})


def test_a_key_belongs_to_the_one_who_used_it_first() -> None:
    table = nut_table()
    send(table, OPEN)
    with pytest.raises(KeyReused):
        send(table, OPEN, actor="ada")
    with pytest.raises(Refused):
        send(table, TOO_MUCH, key="r", seen=2)
    with pytest.raises(KeyReused):
        send(table, TOO_MUCH, key="r", actor="ada", seen=2)


def test_a_refusal_is_repeated_though_it_would_be_possible_now() -> None:
    table = nut_table()
    refusals = []
    for _ in range(3):
        with pytest.raises(Refused) as refused:
            send(table, TOO_MUCH)
        refusals.append((refused.value.rule, dict(refused.value.details)))
        if len(refusals) == 1:
            give(table, {"do": "give", "from": "bank", "to": "ada", "amount": 50})
    assert refusals == [("bad_bid", {"amount": 11, "least": 0, "most": 10})] * 3
    with pytest.raises(KeyReused):
        send(table, OPEN)
    assert table.version == 2


def test_who_was_behind_may_ask_again_with_the_same_key() -> None:
    table = nut_table(None, OPEN)
    with pytest.raises(Stale):
        send(table, PASS, seen=1)
    assert send(table, PASS, seen=2)["seq"] == 3


def test_without_a_key_everything_counts() -> None:
    table = nut_table(None, OPEN, UNDO)
    give(table, OPEN)
    assert table.version == 4


def test_old_refusals_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_journal, "MAX_REFUSALS", 2)
    table = nut_table()
    for key in ("first", "second", "third"):
        with pytest.raises(Refused):
            send(table, TOO_MUCH, key)
    assert send(table, OPEN, "first")["seq"] == 2


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[SqliteJournal]:
    with closing(SqliteJournal(tmp_path / "journal.sqlite")) as journal:
        yield journal


def test_of_a_long_request_that_is_refused_little_is_kept(stored: SqliteJournal) -> None:
    # given a command of a megabyte, and one whose refusal names as much
    table = nut_table(stored)
    for key, command in (("long", {**OPEN, "nut": "x" * 900_000}), ("named", {**OPEN, "x" * 900_000: 1})):
        with pytest.raises(Refused) as first:
            send(table, command, key)
        with pytest.raises(Refused, match=first.value.rule):
            send(table, command, key)

    # then the journal has not grown by them
    with closing(sqlite3.connect(stored.path)) as connection:
        (size,) = connection.execute("SELECT TOTAL(length(request) + length(details)) FROM refusals").fetchone()
    assert size < 100_000


def test_the_key_of_a_long_request_that_was_refused_is_used(stored: SqliteJournal) -> None:
    table, long = nut_table(stored), {**TOO_MUCH, "nut": "x" * 10_000}
    with pytest.raises(Refused):
        send(table, long)
    with pytest.raises(KeyReused):
        send(table, {**long, "nut": "y" * 10_000})


def test_a_long_refusal_of_an_earlier_version_is_that_of_its_request(stored: SqliteJournal) -> None:
    # given a refusal that was stored whole
    table, long = nut_table(stored), {**TOO_MUCH, "nut": "x" * 10_000}
    stored.keep_refusal("t", "k", KeptRefusal(identity("banker", long), Refused("too_late")), "")

    # then it is given again
    with pytest.raises(Refused, match="too_late"):
        send(table, long)


def test_what_is_refused_before_a_table_begins_is_kept_nowhere(stored: SqliteJournal) -> None:
    table = Table("t", nut_game(), stored, FakeClock())
    with pytest.raises(Refused, match="not_started"):
        send(table, OPEN, seen=0)
    assert stored.refusal("t", "k") is None


def test_the_key_of_a_refusal_that_is_torn_counts_as_used(stored: SqliteJournal) -> None:
    # given a refusal whose details cannot be read any more
    table = nut_table(stored)
    with pytest.raises(Refused):
        send(table, TOO_MUCH)
    outside(stored.path, "UPDATE refusals SET details = 'torn'")

    # then what is refused is refused anew, and nothing else is carried out under its key
    with pytest.raises(Refused, match="bad_bid"):
        send(table, TOO_MUCH)
    with pytest.raises(KeyReused):
        send(table, OPEN)
    assert table.version == 1
    assert send(table, OPEN, "another")["seq"] == 2


def test_endless_brackets_under_a_key_are_refused_each_time() -> None:
    endless: list[Any] = []
    for _ in range(2_000):
        endless = [endless]
    table = nut_table()
    for _ in range(2):
        with pytest.raises(Refused, match="not_json"):
            send(table, {**OPEN, "nut": endless})


def test_keys_survive_a_restart(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    tables = all_tables(journal)
    table = tables.start(Request(NUTS, "banker", "tap", key="start"))
    assert tables.start(Request(NUTS, "banker", "tap", key="start")) is table
    first = send(table, OPEN)
    journal.close()
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    tables = all_tables(journal, "u")
    again = tables.start(Request(NUTS, "banker", "tap", key="start"))
    assert (again.id, len(readable_tables(tables))) == (table.id, 1)
    assert send(again, OPEN) == first
    with pytest.raises(KeyReused):
        send(again, {**OPEN, "bid": 4})
    assert again.version == 2
    journal.close()
