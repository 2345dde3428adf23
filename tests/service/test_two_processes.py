"""Two programs over one journal: the seams hold what one process takes for granted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import Refused
from companion.service.ports import KeyReused, Stale
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Tables, Tables]]:
    journals = [SqliteJournal(tmp_path / "journal.sqlite") for _ in range(2)]
    yield all_tables(journals[0], "a"), all_tables(journals[1], "b")
    for journal in journals:
        journal.close()


def test_a_table_that_another_process_has_begun_is_found(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    assert there.get(table.id).position == table.position


def test_who_has_not_seen_what_happened_elsewhere_is_told_so_and_nothing_is_lost(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    give(table, OPEN)
    with pytest.raises(Stale) as stale:
        other.submit(Request(OPEN, "banker", "tap", 1))
    assert stale.value.version == 2
    assert other.entries == table.entries


def test_a_command_that_does_not_mind_is_decided_anew_behind_what_happened_elsewhere(
    both: tuple[Tables, Tables],
) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    give(table, OPEN)
    assert other.submit(Request(PASS, "banker", "tap"))["seq"] == 3
    with pytest.raises(Refused, match="nothing_to_redo"):
        give(table, {"do": "redo"})
    gift = {"do": "give", "from": "bank", "to": "ada", "amount": 1}
    give(table, gift)
    assert [entry.command for entry in table.entries] == [NUTS, OPEN, PASS, gift]


def test_a_request_that_went_to_both_counts_once(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    first = table.submit(Request(OPEN, "banker", "tap", 1, "k"))
    assert other.submit(Request(OPEN, "banker", "tap", 1, "k")) == first
    with pytest.raises(KeyReused):
        other.submit(Request(PASS, "banker", "tap", 2, "k"))
    assert (table.version, other.version) == (2, 2)


def test_a_refusal_is_the_same_in_both(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    refusals = []
    for target in (table, other):
        with pytest.raises(Refused) as refused:
            target.submit(Request({**OPEN, "bid": 11}, "banker", "tap", 1, "r"))
        refusals.append((refused.value.rule, dict(refused.value.details)))
        if target is table:
            give(table, {"do": "give", "from": "bank", "to": "ada", "amount": 50})
    assert refusals[0] == refusals[1]


def test_a_start_that_went_to_both_begins_one_table(both: tuple[Tables, Tables]) -> None:
    position, there = both
    first = position.start(Request(NUTS, "banker", "tap", key="s"))
    assert there.start(Request(NUTS, "banker", "tap", key="s")).id == first.id
