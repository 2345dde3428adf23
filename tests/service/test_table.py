from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.ports import Forbidden, Stale
from companion.service.table.table import Request, Table
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import NUTS, OPEN, PASS, REDO, UNDO, bot_command, give, nut_table, play_until, position
from tests.service.house_tables import house_table as begun_house

GIFT = {"do": "give", "from": "bank", "to": "ada", "amount": 5}


def test_nothing_is_there_before_the_start() -> None:
    table = Table("t", nut_game(), FakeJournal(), FakeClock())
    assert table.show("banker") == {"version": 0, "position": None, "offers": []}
    assert (table.journal("banker"), table.catalog_json(), table.cards()) == ([], {}, frozenset())
    for command in (OPEN, UNDO, REDO):
        with pytest.raises(Refused, match="not_started"):
            give(table, command)
    assert table.version == 0


def test_an_entry_says_who_asked_what_and_what_it_led_to() -> None:
    table = nut_table()
    entry = table.submit(Request(OPEN, "ada", "camera", 1))
    assert entry == {
        "seq": 2,
        "at": "2026-01-01T00:00:01+00:00",
        "actor": "ada",
        "source": "camera",
        "command": OPEN,
        "events": [{"event": "AuctionOpened", "player": "ada", "nut": "hazel", "bid": 3}],
    }
    assert table.journal("ben")[-1] == {**entry, "undone": False}


@pytest.mark.parametrize(
    "command",
    [
        NUTS,
        {**OPEN, "player": "ben"},
        {**OPEN, "nut": "peanut"},
        {**OPEN, "bid": 11},
        {**OPEN, "bid": "3"},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "undo", "seq": 1},
        {"do": "fly"},
        {},
    ],
)
def test_a_refusal_changes_nothing(command: dict[str, Any]) -> None:
    journal = FakeJournal()
    table = nut_table(journal)
    before = table.show("banker"), table.entries, table.signal.count
    with pytest.raises(Refused):
        give(table, command)
    assert (table.show("banker"), table.entries, table.signal.count) == before
    assert len(journal.entries("t")) == 1


def test_what_the_sender_does_to_his_command_afterwards_is_nothing_to_the_journal() -> None:
    command: dict[str, Any] = {"do": "start_game", "game": "nuts", "players": ["ada", "ben"]}
    table = Table("t", nut_game(), FakeJournal(), FakeClock())
    give(table, command)
    command["players"].clear()
    assert table.journal("banker")[0]["command"]["players"] == ["ada", "ben"]


# ---------------------------------------------------------------------------------------- undo, redo
def test_undo_and_redo_are_entries_and_undo_each_other() -> None:
    table = nut_table(None, OPEN)
    opened = table.position
    give(table, PASS)
    sold = table.position
    give(table, UNDO)
    assert (table.version, table.position) == (4, opened)
    assert table.entries[-1].events == ({"event": "EntryUndone", "entry": 3},)
    give(table, REDO)
    assert (table.version, table.position) == (5, sold)
    assert table.entries[-1].events == ({"event": "EntryRedone", "entry": 3},)


def test_one_undo_takes_back_everything_that_followed_from_a_command() -> None:
    table = nut_table(None, OPEN)
    before = position(table)
    give(table, PASS)
    assert len(table.entries[-1].events) == 3
    give(table, UNDO)
    assert position(table) == before


def test_what_is_undone_is_marked_in_the_journal_until_it_is_restored() -> None:
    table = nut_table(None, OPEN, PASS, UNDO, UNDO)
    assert [entry["undone"] for entry in table.journal("ben")] == [False, True, True, False, False]
    give(table, REDO)
    assert [entry["undone"] for entry in table.journal("ben")] == [False, False, True, False, False, False]


def test_everything_but_the_start_can_be_undone_corrections_too() -> None:
    table = nut_table(None, OPEN, GIFT, PASS)
    for left in (3, 2, 1):
        give(table, UNDO)
        assert sum(not entry["undone"] for entry in table.journal("banker") if entry["command"] != UNDO) == left
    with pytest.raises(Refused, match="nothing_to_undo"):
        give(table, UNDO)
    assert position(table)["players"]["ada"]["cash"] == 10


def test_a_new_entry_ends_what_could_be_redone() -> None:
    table = nut_table(None, OPEN, UNDO)
    assert "redo" in [offer["do"] for offer in table.show("banker")["offers"]]
    give(table, {**OPEN, "nut": "acorn"})
    assert "redo" not in [offer["do"] for offer in table.show("banker")["offers"]]
    with pytest.raises(Refused, match="nothing_to_redo"):
        give(table, REDO)


def test_corrections_of_master_builder_are_undone_like_anything_else() -> None:
    table, piles = begun_house()
    play_until(table, piles, "build")
    before = position(table)
    corrections = (
        {"do": "correct_money", "from": "bank", "to": "blue", "amount": 5_000, "reason": "paid twice"},
        {"do": "count_cash", "player": "blue", "amount": 1_000},
        {"do": "rename_player", "player": "blue", "name": "Eve"},
    )
    give(table, *corrections)
    assert position(table) != before
    give(table, UNDO, UNDO, UNDO)
    assert position(table) == before
    give(table, REDO, REDO, REDO)
    assert position(table)["players"]["blue"]["name"] == "Eve"


# ---------------------------------------------------------------------------------------- whose it is
@pytest.mark.parametrize("command", [OPEN, GIFT, UNDO, REDO, {"do": "spin"}])
def test_others_are_forbidden_what_is_not_theirs(command: dict[str, Any]) -> None:
    table = nut_table()
    with pytest.raises(Forbidden):
        table.submit(Request(command, "ben", "tap", 1))
    assert table.version == 1


def test_the_banker_may_give_every_players_command() -> None:
    table = nut_table(None, OPEN)
    assert table.submit(Request(PASS, "banker", "tap", 2))["seq"] == 3


def test_who_does_not_sit_at_the_table_looks_on_and_may_do_nothing() -> None:
    table, piles = begun_house(2)
    looked_at: set[str] = set()
    while (command := bot_command(table, piles)) is not None:
        phase = position(table)["phase"]
        if phase not in looked_at:
            looked_at.add(phase)
            assert table.show("green") == {**table.show("spectator"), "offers": []}
            assert table.journal("green") == table.journal("spectator")
        give(table, command)
    assert looked_at >= {"hire", "contracts", "events", "build"}


def test_players_see_the_table_with_their_own_eyes() -> None:
    assert [position(nut_table(), viewer)["viewer"] for viewer in ("ada", "spectator")] == ["ada", "spectator"]


# ---------------------------------------------------------------------------------------- who is behind
@pytest.mark.parametrize("seen", [0, 1, 3, -1, 99])
def test_who_has_not_seen_the_current_version_is_told_it(seen: int) -> None:
    table = nut_table(None, OPEN)
    with pytest.raises(Stale) as stale:
        table.submit(Request(PASS, "ben", "tap", seen))
    assert (stale.value.version, table.version) == (2, 2)


@pytest.mark.parametrize("verb", ["undo", "redo"])
def test_undo_needs_the_current_version_as_well(verb: str) -> None:
    table = nut_table(None, OPEN, UNDO)
    with pytest.raises(Stale):
        table.submit(Request({"do": verb}, "banker", "tap", 2))


@pytest.mark.parametrize("command", [UNDO, PASS])
def test_a_tap_that_was_overtaken_is_told_so_and_not_that_it_is_forbidden(command: dict[str, Any]) -> None:
    # given something that Ada saw as hers to do, until Ben acted
    table = nut_table(None, OPEN, PASS)

    # then she is asked to look again, as whoever only looks on is not
    with pytest.raises(Stale):
        table.submit(Request(command, "ada", "tap", 2))
    with pytest.raises(Forbidden):
        table.submit(Request(command, "spectator", "tap", 2))


def test_what_the_game_lets_pass_is_not_stale() -> None:
    table = nut_table(None, OPEN)
    assert table.submit(Request(GIFT, "banker", "tap", 1))["seq"] == 3


@pytest.mark.parametrize("missed", [[UNDO], [UNDO, REDO], [PASS]])
def test_whatever_else_happened_meanwhile_makes_it_stale(missed: list[dict[str, Any]]) -> None:
    table = nut_table(None, OPEN, *missed)
    with pytest.raises(Stale):
        table.submit(Request(GIFT, "banker", "tap", 2))


# ---------------------------------------------------------------------------------------- accidents
def test_what_cannot_be_stored_has_not_happened() -> None:
    journal = FakeJournal()
    table = nut_table(journal)
    before = table.show("banker"), table.entries, table.signal.count
    journal.full = True
    with pytest.raises(OSError, match="no space left"):
        give(table, OPEN)
    assert (table.show("banker"), table.entries, table.signal.count) == before
    journal.full = False
    give(table, OPEN)
    assert table.version == 2


@pytest.mark.game_mistakes
def test_rules_that_never_settle_leave_the_table_as_it_was() -> None:
    table = nut_table()
    before = table.show("banker")
    with pytest.raises(Refused, match="game_mistake"):
        give(table, {"do": "spin"})
    assert table.show("banker") == before
    give(table, OPEN)


def test_those_who_wait_are_woken_by_an_entry() -> None:
    table = nut_table()
    count = table.signal.count
    assert table.signal.wait_beyond(count, 0) == count
    give(table, OPEN)
    assert table.signal.wait_beyond(count, 0) == count + 1
