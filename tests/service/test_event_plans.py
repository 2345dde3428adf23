"""Opened tables follow a changed plan whatever was said there, wherever a program died, and whoever asks again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unicodedata import normalize

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import Describe, NotStored
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import (
    RENAME,
    ClubEvent,
    EventTable,
    TableRefused,
    Unseatable,
    read_plan,
    read_table,
    seats_of,
)
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.fakes import FakeClock
from tests.opened import master_builder
from tests.service.test_club_events import Hall, begin, change, hall, now, opened, patience, plan

__all__ = ["hall", "patience"]


class Killed(BaseException):
    """The program ends here."""


class DeadlyJournal(InMemoryJournal):
    """A journal in which a program is killed once ``left`` further entries of opened tables are stored."""

    left = 1_000

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        super().append(table_id, entry, describe)
        self.left -= 1
        if self.left == 0:
            raise Killed


def said(hall: Hall, event: ClubEvent, number: int, seat: str, *names: str) -> None:
    """Let somebody say their name at a seat, one after the other."""
    table = hall.tables.get(hall.events.tables(event)[number].id or "")
    for name in names:
        table.submit(Request({"do": RENAME, "player": seat, "name": name}, "banker", "tap"))


@pytest.mark.parametrize("names", [("Zoe",), ("Adele", "Zoe"), ("ada",)])
def test_the_name_of_the_plan_counts_where_another_one_was_said_at_the_table(hall: Hall, names: Sequence[str]) -> None:
    # given a player whom the table called otherwise than the plan
    event = opened(hall)
    said(hall, event, 0, "red", *names)
    first, *others = now(hall, event)
    assert first.players == (names[-1], "Ben")

    # when the plan is stored once more with the name of before, then that stands there
    changed = change(hall, event, [replace(first, players=("Ada", "Ben")), *others])
    assert now(hall, changed)[0].players == ("Ada", "Ben")
    assert not hall.events.has_begun(hall.events.tables(changed)[0])

    # and nothing is written where nothing differs
    version = hall.tables.get("t1").version
    hall.events.open_some(changed, "tap")
    assert hall.tables.get("t1").version == version


def test_a_name_that_was_said_while_the_plan_was_open_stays_at_a_table_that_was_not_changed(hall: Hall) -> None:
    # given a plan that somebody looks at, and a player who takes a free seat meanwhile
    event = opened(hall)
    tables = now(hall, event)
    shown = {table.place: table.players for table in tables}
    said(hall, event, 2, "blue", "Zoe")

    # when the plan changes another table alone
    tables[0] = replace(tables[0], players=("Ada", "Max"))
    changed = hall.events.change(event, "Evening", "", tables, shown)
    hall.events.open_some(changed, "tap")

    # then that one follows, and nobody else loses a name or a phone
    assert [table.players for table in now(hall, changed)][::2] == [("Ada", "Max"), ("", "Zoe")]
    assert hall.left == [("t1", {"blue"})]


def test_a_name_that_is_said_after_a_table_followed_the_plan_stays_however_often_the_plan_is_sent(hall: Hall) -> None:
    # given a table that has followed a plan, and two who said other names since
    event = opened(hall)
    said(hall, event, 0, "red", "Adele")
    first, *others = now(hall, event)
    tables = [replace(first, players=("Ada", "Mia")), *others]
    changed = change(hall, event, tables)
    said(hall, event, 0, "red", "Adele")
    said(hall, event, 0, "blue", "Maria")
    hall.left.clear()

    # when the plan is opened once more, and sent again, by this program and another one
    for again in (hall, Hall(hall.journal, "u")):
        again.events.open_some(again.events.get(event.id), "tap")
        again.events.open_some(again.events.change(event, "Evening", "", tables), "tap")

        # then they are called so, and their phones stay
        assert now(again, changed)[0].players == ("Adele", "Maria")
        assert again.left == []


def test_a_form_with_names_from_before_a_game_began_is_not_refused_for_a_table_that_it_does_not_change(
    hall: Hall,
) -> None:
    event = opened(hall)
    tables = now(hall, event)
    shown = {table.place: table.players for table in tables}
    said(hall, event, 0, "red", "Adele")
    begin(hall, event, 0)
    changed = hall.events.change(event, "Later", "", tables, shown)
    assert hall.events.open_some(changed, "tap") == 4
    assert now(hall, changed)[0].players == ("Adele", "Ben")


def test_a_table_whose_game_refuses_to_follow_logs_nobody_out(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a plan of which a table's game wants to know nothing any more
    event = opened(hall)
    first, *others = now(hall, event)
    changed = hall.events.change(event, "Evening", "", [replace(first, players=("Ada", "Max")), *others])

    def refuse(*_: Any) -> None:
        raise Refused("no")

    monkeypatch.setattr(hall.tables.get("t1"), "_events", refuse)

    # when its table is to follow, then whoever sits there stays
    hall.events.open_some(changed, "tap")
    assert now(hall, changed)[0].players == ("Ada", "Ben")
    assert hall.left == []


def test_a_table_that_another_process_opened_by_the_plan_before_follows_the_later_one(hall: Hall) -> None:
    # given a plan that was changed while nothing was opened yet, and a process that opens by the one before
    event = hall.events.keep(plan(("Ada", "Ben"), ("Cleo", "Dan")), "k")
    first, second = now(hall, event)
    changed = hall.events.change(event, "Evening", "", [replace(first, players=("Ada", "Max")), second])
    hall.events.open_some(event, "tap")

    # then its tables follow
    assert hall.events.open_some(changed, "tap") == 2
    assert [table.players for table in now(hall, changed)] == [("Ada", "Max"), ("Cleo", "Dan")]


def test_a_seat_is_free_again_after_whoever_said_a_name_there_went_to_another_table(hall: Hall) -> None:
    # given Dora, who said her name at a free seat, the second time as she wanted it
    event = opened(hall)
    said(hall, event, 2, "blue", "Dorothea", "Dora")
    first, second, third, fourth = now(hall, event)
    assert third.players == ("", "Dora")

    # when she goes to the first table
    tables = [replace(first, players=(*first.players, "Dora")), second, replace(third, players=("", "")), fourth]
    changed = change(hall, event, tables)

    # then she sits there alone, and her phone has left the seat of before
    assert [table.players for table in now(hall, changed)] == [table.players for table in tables]
    assert ("t3", {"blue"}) in hall.left
    assert not hall.events.has_begun(hall.events.tables(changed)[2])


def test_house_rules_that_a_table_put_right_before_its_game_stay_when_the_plan_changes(hall: Hall) -> None:
    # given a table whose host has corrected the rules of the start
    event = opened(hall)
    table = hall.tables.get(hall.events.tables(event)[0].id or "")
    start = {**table.entries[0].command, "rules": {"money": "hidden"}}
    table.submit(Request({"do": "amend", "seq": 1, "with": start, "confirm": True}, "banker", "tap"))

    # when the plan says another name
    first, *others = now(hall, event)
    changed = change(hall, event, [replace(first, players=("Ada", "Bert")), *others])

    # then both stand
    assert now(hall, changed)[0].players == ("Ada", "Bert")
    assert table.history.effective_entries()[0].command["rules"] == {"money": "hidden"}


@pytest.mark.parametrize("entries", [1, 2, 3])
def test_a_program_that_is_killed_anywhere_leaves_tables_that_follow_later_and_no_phone_at_a_seat_of_others(
    entries: int,
) -> None:
    # given a table at which two said their names, and a program that is killed after some entries
    journal = DeadlyJournal()
    hall = Hall(journal)
    event = opened(hall)
    said(hall, event, 0, "red", "Adele")
    said(hall, event, 0, "blue", "Bernd")
    first, *others = now(hall, event)
    changed = hall.events.change(event, "Evening", "", [replace(first, players=("Max", "Mia")), *others])
    journal.left = entries
    with pytest.raises(Killed):
        hall.events.open_some(changed, "tap")
    assert hall.left == [("t1", {"red", "blue"})]

    # when another one goes on, then people sit as planned
    journal.left = 1_000
    again = Hall(journal, "u")
    assert again.events.open_some(again.events.get(event.id), "tap") == 4
    assert now(again, changed)[0].players == ("Max", "Mia")


def test_a_table_at_which_something_happens_at_this_moment_is_followed_the_next_time(hall: Hall) -> None:
    # given somebody who says a name while people are seated anew
    event = opened(hall)
    first, *others = now(hall, event)
    changed = hall.events.change(event, "Evening", "", [replace(first, players=("Max", "Ben")), *others])
    disturbed = ClubEvents(
        hall.tables, hall.journal, unseat=lambda _table, _seats: said(hall, event, 0, "blue", "Bernd")
    )

    # then that table is not counted as one that is done, until whoever opens them asks again
    assert disturbed.open_some(changed, "tap") == 3
    assert hall.events.open_some(changed, "tap") == 4
    assert now(hall, changed)[0].players == ("Max", "Ben")


def test_a_change_that_is_sent_again_after_its_answer_was_lost_goes_on(hall: Hall) -> None:
    # given a change that was stored, and nothing more
    event = opened(hall)
    first, second, *_ = now(hall, event)
    tables = [replace(first, players=("Ada", "Zoe")), second, EventTable("New", ("Ida", "Jan"))]
    with pytest.raises(Unseatable, match="still_seated"):
        hall.events.change(event, "Evening", "", tables)
    tables.append(EventTable("Last", ("Fritz", "Gina")))
    changed = hall.events.change(event, "Evening", "", tables)

    # when it is sent again, then it is the one that was stored
    assert hall.events.change(event, "Evening", "", tables) == changed
    assert hall.events.open_some(changed, "tap") == 4
    assert hall.events.change(event, "Evening", "", tables) == changed == hall.events.get(event.id)

    # and another one is refused, and so is it itself after a later one
    with pytest.raises(Unseatable, match="outdated"):
        hall.events.change(event, "Other evening", "", tables)
    change(hall, changed, now(hall, changed), "Later")
    with pytest.raises(Unseatable, match="outdated"):
        hall.events.change(event, "Evening", "", tables)


def test_a_change_is_followed_when_it_is_sent_again_after_the_journal_was_away(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = opened(hall)
    first, *others = now(hall, event)
    tables = [replace(first, players=("Ada", "Zoe")), *others]

    def away(*_: Any) -> None:
        raise NotStored("away")

    with monkeypatch.context() as while_away:
        while_away.setattr(hall.journal, "append", away)
        with pytest.raises(NotStored):
            change(hall, event, tables)
    assert now(hall, change(hall, event, tables))[0].players == ("Ada", "Zoe")


def test_of_one_table_there_is_one_in_a_plan(hall: Hall) -> None:
    event = opened(hall)
    first, second, third, fourth = now(hall, event)
    with pytest.raises(Unseatable) as refused:
        hall.events.change(event, "Evening", "", [first, second, third, replace(fourth, name="9", place=first.place)])
    assert (refused.value.why, refused.value.figures) == ("place_twice", {"table": "1", "other": "9"})
    assert hall.events.get(event.id) == event


@pytest.mark.parametrize("written", [" Zoë ", "ZOË", normalize("NFD", "Zoë"), "Zo\u00adë"])
def test_whoever_stays_keeps_the_seat_however_their_name_is_written(hall: Hall, written: str) -> None:
    before = [("red", "Ada"), ("blue", "Zoë")]
    assert seats_of([written, "Max"], before, ("red", "blue")) == [("blue", written), ("red", "Max")]

    # and is not logged out, nor taken for somebody who has no seat any more
    event = opened(hall)
    first, second, *others = now(hall, event)
    event = change(hall, event, [replace(first, players=("Ada", "Zoë")), second, *others])
    hall.left.clear()
    there = read_table("1", [written, "Max"], first.place)
    changed = change(hall, event, [there, second, *others])
    assert hall.left == [("t1", {"red"})]
    change(hall, changed, [second, *others, read_table("New", [written, "Max"])])


def test_plans_have_names_as_games_store_them() -> None:
    written = [" Zoe ", "Jean  Luc", normalize("NFD", "Zoë"), "", " "]
    assert read_table("1", written).players == ("Zoe", "Jean Luc", "Zoë", "", " ")
    kept = plan(("Ada", "Ben")).as_json()
    kept["tables"][0]["players"] = written
    assert read_plan(kept).tables == (read_table("1", written),)


def test_a_name_of_blanks_is_refused_as_at_every_table(hall: Hall) -> None:
    event = opened(hall)
    first, *others = now(hall, event)
    with pytest.raises(TableRefused, match="name_length"):
        hall.events.change(event, "Evening", "", [replace(first, players=("Ada", " ")), *others])


def test_to_know_which_tables_have_begun_none_is_folded_that_was_played_at_without_corrections(hall: Hall) -> None:
    # given tables at which people play, said a name, follow a later plan, and did nothing
    event = opened(hall)
    begin(hall, event, 0)
    said(hall, event, 1, "red", "Cleopatra")
    first, second, third, fourth = now(hall, event)
    changed = change(hall, event, [first, second, replace(third, players=("Ida", "")), fourth])
    said(hall, changed, 2, "blue", "Jan")

    # when a program that was just started is asked
    again = Hall(hall.journal, "u")
    begun = [again.events.has_begun(table) for table in again.events.tables(changed)]

    # then it says so from what was asked for alone
    assert begun == [True, False, False, False]
    assert list(again.tables.held_tables()) == []

    # and an act that was taken back is none
    hall.tables.get("t1").submit(Request({"do": "undo"}, "banker", "tap"))
    for each in (again, Hall(hall.journal, "v")):
        assert not each.events.has_begun(each.events.tables(changed)[0])


def six(hall: Hall) -> tuple[ClubEvent, list[EventTable]]:
    """Return an event whose six tables are open, and a plan by which others sit at each."""
    event = hall.events.keep(plan(*((f"P{number}", f"Q{number}") for number in range(6))), "k")
    assert hall.events.open_some(event, "tap") == 6
    return event, [replace(table, players=(f"N{table.name}", table.players[1])) for table in now(hall, event)]


def left(hall: Hall, event: ClubEvent) -> int:
    return hall.events.count_left(event, hall.events.tables(event))


def test_a_change_that_was_interrupted_is_counted_until_it_is_followed(hall: Hall) -> None:
    # given a plan that seats others at six tables, of which there was time for one
    event, tables = six(hall)
    assert left(hall, event) == 0
    changed = hall.events.change(event, "Evening", "", tables)
    assert hall.events.open_some(changed, "tap", budget_s=0) == 1

    # then five are left, also for another program; none once they are followed, nor after a name was said there
    again = Hall(hall.journal, "u")
    assert (left(hall, changed), left(again, changed)) == (5, 5)
    assert list(again.events.waiting(changed, again.events.tables(changed))) == [table.place for table in tables[1:]]
    hall.events.open_some(changed, "tap")
    said(hall, changed, 0, "red", "Zoe")
    assert left(hall, changed) == 0

    # and a table that is to be put away is one
    fewer = hall.events.change(changed, "Evening", "", [*now(hall, changed)[:5], EventTable("", (), tables[5].place)])
    assert left(hall, fewer) == 1
    hall.events.open_some(fewer, "tap")
    assert left(hall, fewer) == 0


def test_a_later_change_of_anything_else_keeps_what_an_interrupted_one_wants(hall: Hall) -> None:
    # given a change that was stored, and no table that follows it
    event, tables = six(hall)
    changed = hall.events.change(event, "Evening", "", tables)

    # when a program that saw the names of before changes the name of the event, and one table
    shown = {table.place: table.players for table in now(hall, changed)}
    seen = now(hall, changed)
    seen[5] = replace(seen[5], players=("Zoe", "Max"))
    later = hall.events.change(changed, "Later", "", seen, shown)
    assert hall.events.change(changed, "Later", "", seen, shown) == later

    # then the tables follow both
    assert left(hall, later) == 6
    assert hall.events.open_some(later, "tap") == 6
    assert [table.players for table in now(hall, later)] == [
        *(table.players for table in tables[:5]),
        ("Zoe", "Max"),
    ]
    assert left(hall, later) == 0


def test_a_form_that_showed_what_an_interrupted_change_wants_keeps_that(hall: Hall) -> None:
    event, tables = six(hall)
    changed = hall.events.change(event, "Evening", "", tables)
    later = hall.events.change(changed, "Later", "", tables, {table.place: table.players for table in tables})
    assert hall.events.open_some(later, "tap") == 6
    assert [table.players for table in now(hall, later)] == [table.players for table in tables]


@pytest.mark.parametrize("budget_s", [0, 1_000.0])
def test_a_plan_can_be_taken_back_before_and_after_its_tables_follow_it(hall: Hall, budget_s: float) -> None:
    event, tables = six(hall)
    before = now(hall, event)
    changed = hall.events.change(event, "Evening", "", tables)
    hall.events.open_some(changed, "tap", budget_s=budget_s)
    back = hall.events.change(changed, "Evening", "", before, {table.place: table.players for table in tables})
    assert hall.events.open_some(back, "tap") == 6
    assert now(hall, back) == before
    assert left(hall, back) == 0


def test_a_table_at_which_nobody_comes_is_taken_away_by_emptying_it(hall: Hall) -> None:
    # given an event with a namesake at two tables
    event = hall.events.keep(plan(("Ada", "Ben"), ("Cleo", "Dan"), ("Ada", "Eve")), "k")
    hall.events.open_some(event, "tap")
    first, second, third = now(hall, event)

    # when the last table is not named, then whoever sits there is asked for, also where another one has their name
    with pytest.raises(Unseatable) as refused:
        hall.events.change(event, "Evening", "", [first, second])
    assert (refused.value.why, refused.value.figures) == ("still_seated", {"table": "3", "player": "Ada"})

    # and when it is emptied, it is taken away, once
    tables = [first, second, replace(third, players=())]
    changed = hall.events.change(event, "Evening", "", tables)
    assert hall.events.change(event, "Evening", "", tables) == changed
    assert hall.events.open_some(changed, "tap") == 2
    assert hall.tables.lies_in_bin("t3")
    assert [table.name for table in hall.events.tables(changed)] == ["1", "2"]

    # as it stays, however often it is emptied, while not all can be
    later = hall.events.change(changed, "Later", "", tables)
    assert [table.name for table in hall.events.tables(later)] == ["1", "2"]
    with pytest.raises(Unseatable, match="tables"):
        hall.events.change(later, "Later", "", [replace(table, players=()) for table in tables])


def test_an_event_whose_deck_was_removed_is_changed_as_far_as_no_table_needs_it(hall: Hall) -> None:
    # given open tables, and cards that are not here any more
    event = opened(hall)
    first, *others = now(hall, event)
    without = Tables({"master_builder": master_builder({})}, hall.journal, FakeClock(), lambda: "u", list)
    events = ClubEvents(without, hall.journal)

    # then name, time and names of tables can be changed
    renamed = events.change(event, "Later", "2026-11-29T19:30", [replace(first, name="Window"), *others])
    assert events.get(event.id) == renamed

    # and whoever is seated anew, or comes, is refused by the name of the table
    for tables, named in (
        ([replace(first, players=("Ada", "Max")), *others], "1"),
        ([first, *others, EventTable("New", ("Ida", "Jan"))], "New"),
    ):
        with pytest.raises(TableRefused, match="unknown_catalog") as refused:
            events.change(renamed, "Later", "", tables)
        assert refused.value.table == named
