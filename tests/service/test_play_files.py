"""A play file becomes a table: the whole game or nothing."""

import json
from typing import Any

import pytest

from companion.service.ports import KeyReused
from companion.service.table.play_files import MAX_REDECIDED, LineRefused, play_file, take_in
from companion.service.table.table import Table
from tests.fakes import FakeJournal, readable_tables
from tests.service.house_tables import NUTS, OPEN, PASS, UNDO, all_tables, give, house_table, nut_table, play_until

LOOKED = {"do": "amend", "seq": 2, "with": None}


def written(*commands: Any) -> bytes:
    return "\n".join(json.dumps(command) for command in commands).encode()


def test_a_whole_game_is_taken_in_as_it_was_saved() -> None:
    # given a game in its second round, saved
    played, piles = house_table(3, seed=2)
    play_until(played, piles, "income", round_=2)
    saved = "".join(f"{line}\n" for line in play_file(played)).encode()

    # when another companion takes it in
    journal = FakeJournal()
    tables = all_tables(journal)
    opened: list[Table] = []
    tables.when_opened(opened.append)
    table = take_in(tables, saved, actor="banker")

    # then it stands there as it stood, durably, and goes on
    assert (table.id, table.position_json("banker")) == ("t1", played.position_json("banker"))
    assert (tables.get("t1"), opened) == (table, [table])
    assert len(journal.entries("t1")) == table.version == played.version
    assert {entry.source for entry in table.entries} == {"play"}


def test_comments_blank_lines_and_amends_that_were_only_looked_at_are_passed_over() -> None:
    saved = b"\xef\xbb\xbf# nuts\n\n" + written(LOOKED, NUTS, OPEN, LOOKED, PASS, UNDO) + b"\r\n"
    table = take_in(all_tables(FakeJournal()), saved, actor="banker")
    expected = nut_table(None, OPEN, PASS)
    give(expected, UNDO)
    assert table.position == expected.position
    assert table.version == 4


@pytest.mark.parametrize(
    ("saved", "line", "rule"),
    [
        (b"", 1, "not_started"),
        (b"# nothing\n", 1, "not_started"),
        (b"\x89PNG\r\n", 1, "not_json"),
        (b"\n[]", 2, "no_command"),
        (written(OPEN), 1, "not_started"),
        (written({"do": "begin"}), 1, "unknown_command"),
        (written(LOOKED), 1, "not_started"),
        (written(LOOKED, OPEN), 2, "not_started"),
        (written({**NUTS, "game": "chess"}), 1, "unknown_game"),
        (written({**OPEN, "game": "nuts"}), 1, "not_started"),
        (written(NUTS, OPEN, OPEN), 3, "not_your_turn"),
        (written(NUTS) + b"\nnuts", 2, "not_json"),
    ],
)
def test_a_file_with_a_wrong_line_is_refused_whole_and_the_line_is_named(saved: bytes, line: int, rule: str) -> None:
    journal = FakeJournal()
    tables = all_tables(journal)
    with pytest.raises(LineRefused) as wrong:
        take_in(tables, saved, actor="banker")
    assert (wrong.value.line, wrong.value.refused.rule) == (line, rule)
    assert (readable_tables(tables), journal.tables()) == ([], ())


def test_the_same_request_sent_twice_makes_one_table() -> None:
    tables = all_tables(FakeJournal())
    saved = written(NUTS, OPEN, PASS)
    first = take_in(tables, saved, actor="banker", key="k")
    give(first, UNDO)
    assert take_in(tables, saved, actor="banker", key="k") is first
    assert [table.id for table in readable_tables(tables)] == ["t1"]
    assert take_in(tables, saved, actor="banker").id == "t2"


def test_another_game_under_the_same_key_is_refused() -> None:
    tables = all_tables(FakeJournal())
    take_in(tables, written(NUTS, OPEN, PASS), actor="banker", key="k")
    for other in (written(NUTS, OPEN), written(NUTS, {**OPEN, "bid": 4}, PASS)):
        with pytest.raises(KeyReused):
            take_in(tables, other, actor="banker", key="k")
    assert len(readable_tables(tables)) == 1


@pytest.mark.nightly
@pytest.mark.slow
def test_a_file_of_a_thousand_amends_is_refused_before_they_take_minutes() -> None:
    # given a game of a thousand entries, of which the first is amended again and again
    there, back = ({"do": "give", "from": a, "to": b, "amount": 1} for a, b in (("bank", "ada"), ("ada", "bank")))
    amends = [{"do": "amend", "seq": 2, "with": {**there, "amount": 2 + at % 2}, "confirm": True} for at in range(1000)]
    saved = written(NUTS, *[there, back] * 500, *amends)
    journal = FakeJournal()

    # when it is to be taken in
    with pytest.raises(LineRefused) as refused:
        take_in(all_tables(journal), saved, actor="banker")

    # then it is refused after some dozens of them, which take seconds, and nothing is stored
    assert refused.value.refused.rule == "too_many_amends"
    assert refused.value.line - 1001 <= MAX_REDECIDED // 1001 + 1
    assert journal.tables() == ()


def test_amends_of_an_evening_are_taken_in() -> None:
    there, back = ({"do": "give", "from": a, "to": b, "amount": 1} for a, b in (("bank", "ada"), ("ada", "bank")))
    amends = [{"do": "amend", "seq": 2, "with": {**there, "amount": 2 + at % 2}, "confirm": True} for at in range(30)]

    table = take_in(all_tables(FakeJournal()), written(NUTS, *[there, back] * 50, *amends), actor="banker")

    assert table.version == 131
