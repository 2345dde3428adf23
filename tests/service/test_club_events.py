"""Many tables opened at once: people are groups, no table is opened twice, and results come from the journal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.ports import HeadQuery, Journal, KeyReused, TableHead
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import (
    RENAME,
    ClubEvent,
    EventPlan,
    EventTable,
    TableRefused,
    UnknownEvent,
    Unseatable,
    plan_tables,
    results_of,
    seats_of,
)
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.fakes import FakeClock
from tests.opened import house_deck, shuffled
from tests.service.house_tables import bot_command, house_game
from tests.waiting import PATIENCE_S

LIMITS = (2, 4)


def seat(people: str, order: Any = "given", **wish: Any) -> list[tuple[str, ...]]:
    wishes: dict[str, Any] = {"tables": None, "seats_each": None, "chance": Random(3), **wish}
    return [table.players for table in plan_tables(people, order, LIMITS, **wishes)]


def names(number: int) -> str:
    return "\n".join(f"P{each}" for each in range(number))


@pytest.mark.parametrize("people", range(2, 60))
@pytest.mark.parametrize("order", ["given", "random"])
def test_people_are_seated_as_evenly_as_possible_at_as_few_tables_as_seat_all(people: int, order: str) -> None:
    groups = seat(names(people), order)
    sizes = list(map(len, groups))
    assert len(groups) == -(-people // 4)
    assert max(sizes) - min(sizes) <= 1
    assert sorted(name for table in groups for name in table) == sorted(names(people).split())


def test_people_sit_in_the_order_of_the_list() -> None:
    assert seat(" Ada \n\nBen\r\n Cleo  B. \nDan\nEve\n") == [("Ada", "Ben", "Cleo B."), ("Dan", "Eve")]
    assert seat("\ufeffAda\nBen\n") == [("Ada", "Ben")]  # as a file begins that a spreadsheet program wrote


def test_people_are_dealt_otherwise_each_time() -> None:
    chance = Random(1)
    assert seat(names(12), "random", chance=chance) != seat(names(12), "random", chance=chance)


@pytest.mark.parametrize("seed", range(20))
def test_people_of_one_name_sit_apart_where_they_are_dealt(seed: int) -> None:
    people = "Anna\nBen\nanna\nCleo\nBen\nDan\nAnna\nEve\nFritz"
    for table in seat(people, "random", chance=Random(seed)):
        assert max(Counter(name.casefold() for name in table).values()) == 1


def test_a_list_says_at_which_table_each_sits() -> None:
    listed = 'Table;Name\n3;Ada\nBlue room;Ben\n3;"Cleo; B."\nblue room;Dan\n'
    planned = plan_tables(listed, "listed", LIMITS, tables=None, seats_each=None, chance=Random())
    assert planned == (EventTable("3", ("Ada", "Cleo; B.")), EventTable("Blue room", ("Ben", "Dan")))
    assert seat("\ufeff1,Ada\n1,Ben\n", "listed") == [("Ada", "Ben")]
    assert seat("1\tAda\n1\tBen\n", "listed") == [("Ada", "Ben")]


def test_tables_may_be_opened_without_names() -> None:
    assert seat("", tables=2) == [("",) * 4] * 2
    assert seat(" \n", "random", tables=1, seats_each=3) == [("",) * 3]


@pytest.mark.parametrize(
    ("people", "wish", "why", "figures"),
    [
        ("", {}, "nobody", {}),
        ("", {"order": "listed"}, "nobody", {}),
        ("Ada", {}, "too_few", {"count": 1, "tables": 1, "least": 2}),
        (names(9), {"tables": 5}, "too_few", {"count": 9, "tables": 5, "least": 2}),
        (names(9), {"tables": 2}, "too_many", {"count": 9, "tables": 2, "most": 4, "needed": 3}),
        (names(3), {"tables": 0}, "tables", {"most": 400}),
        ("", {"tables": 401}, "tables", {"most": 400}),
        ("", {"tables": 1, "seats_each": 5}, "size", {"table": "1", "count": 5, "least": 2, "most": 4}),
        ("7,Ada", {"order": "listed"}, "size", {"table": "7", "count": 1, "least": 2, "most": 4}),
        ("7,Ada\n\nBen", {"order": "listed"}, "line", {"number": 3}),
        (",Ada", {"order": "listed"}, "line", {"number": 1}),
        ("7,Ada,x", {"order": "listed"}, "line", {"number": 1}),
    ],
)
def test_people_who_cannot_be_seated_are_refused_with_the_figures(
    people: str, wish: dict[str, Any], why: str, figures: dict[str, Any]
) -> None:
    with pytest.raises(Unseatable) as fault:
        seat(people, **wish)
    assert (fault.value.why, fault.value.figures) == (why, figures)


# Events


def plan(*tables: tuple[str, ...], **changed: Any) -> EventPlan:
    groups = tuple(EventTable(str(number), players) for number, players in enumerate(tables, start=1))
    usual: dict[str, Any] = {
        "name": "Winter meeting",
        "when": "2026-11-28T19:30",
        "game": "master_builder",
        "catalog": "house",
        "rules": {"event_debt": "loan"},
        "variants": ("selective_events",),
        "tables": groups,
    }
    return EventPlan(**{**usual, **changed})


FOUR = plan(("Ada", "Ben"), ("Cleo", "Dan", "Eve"), ("", ""), ("Fritz", "Gina"))


class Hall:
    """Events and tables over a journal, as after a start of the program."""

    def __init__(self, journal: Journal, names: str = "t") -> None:
        numbers = count(1)
        self.journal = journal
        games = {"master_builder": house_game()}
        self.tables = Tables(games, journal, FakeClock(), lambda: f"{names}{next(numbers)}", list)
        self.left: list[tuple[str, set[str]]] = []
        self.events = ClubEvents(
            self.tables, journal, unseat=lambda table, seats: self.left.append((table, set(seats)))
        )


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables be opened in one step, however busy the machine is."""
    monkeypatch.setattr(ClubEvents.open_some, "__defaults__", (PATIENCE_S,))


@pytest.fixture
def hall() -> Hall:
    return Hall(InMemoryJournal())


def test_all_tables_are_opened_as_they_were_planned(hall: Hall) -> None:
    event = hall.events.keep(FOUR, "k")
    assert hall.events.count_opened(event) == 0
    assert hall.events.open_some(event, "tap") == 4
    tables = hall.events.tables(event)
    assert [(table.name, table.players) for table in tables] == [
        ("1", ("Ada", "Ben")),
        ("2", ("Cleo", "Dan", "Eve")),
        ("3", ("Red", "Blue")),
        ("4", ("Fritz", "Gina")),
    ]
    command = hall.tables.get(tables[1].id or "").entries[0].command
    assert (command["rules"], command["variants"]) == ({"event_debt": "loan"}, ["selective_events"])
    assert command["first"] == command["players"][0]["id"]
    assert hall.events.get(event.id) == event == hall.events.page(1)[0][0]


def test_opening_goes_on_where_it_was_interrupted_and_opens_no_table_twice(tmp_path: Path) -> None:
    # given an opening that stops after each table, and a program that starts anew each time, with other ids
    path = tmp_path / "journal.sqlite"
    opened: list[int] = []
    for start in range(6):
        journal = SqliteJournal(path)
        hall = Hall(journal, f"start{start}_")
        event = hall.events.keep(FOUR, "k")
        opened.append(hall.events.open_some(event, "tap", budget_s=0))
        journal.close()

    # then each start opened the next table, and further ones none
    assert opened == [1, 2, 3, 4, 4, 4]
    journal = SqliteJournal(path)
    assert [table_id for table_id, _ in journal.tables()] == ["start0_1", "start1_1", "start2_1", "start3_1"]
    assert len(Hall(journal).events.page(9)[0]) == 1
    journal.close()


def test_one_key_is_one_event_and_another_plan_under_it_is_noticed(hall: Hall) -> None:
    assert hall.events.keep(FOUR, "k") == hall.events.keep(FOUR, "k")
    with pytest.raises(KeyReused):
        hall.events.keep(plan(("Ada", "Ben")), "k")
    hall.events.keep(FOUR, None)
    assert len(hall.events.page(9)[0]) == 2
    with pytest.raises(UnknownEvent):
        hall.events.get("x")


@pytest.mark.parametrize(
    ("wrong", "table", "rule"),
    [
        (plan(("Ada", "Ben"), ("Cleo", "Cleo")), "2", "names_alike"),
        (plan(("Ada", "Ben"), ("Cleo", "D" * 41)), "2", "name_length"),
        (plan(("Ada", "Ben"), catalog="none"), "1", "unknown_catalog"),
        (plan(("Ada", "Ben"), rules={"none": True}), "1", "unknown_rule"),
        (plan(("Ada", "Ben"), game="chess"), "", "unknown_game"),
    ],
)
def test_what_the_game_refuses_is_told_with_its_table_before_anything_is_stored(
    hall: Hall, wrong: EventPlan, table: str, rule: str
) -> None:
    with pytest.raises(TableRefused) as refused:
        hall.events.keep(wrong, "k")
    assert (refused.value.table, refused.value.refused.rule) == (table, rule)
    assert (list(hall.journal.tables()), hall.events.page(9)[0]) == ([], [])


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ((), "nobody"),
        ((EventTable("1", ("Ada",)),), "size"),
        ((EventTable("a", ("Ada", "Ben")), EventTable("A", ("Cleo", "Dan"))), "table_twice"),
        ((EventTable("Red", ("Ada", "Ben")), EventTable("Rеd", ("Cleo", "Dan"))), "table_twice"),  # noqa: RUF001
        ((EventTable("\u3164", ("Ada", "Ben")),), "unseen_name"),
        ((EventTable(" ", ("Ada", "Ben")),), "unseen_name"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(hall: Hall, tables: tuple[EventTable, ...], why: str) -> None:
    with pytest.raises(Unseatable, match=why):
        hall.events.keep(plan(tables=tables), "k")
    assert hall.events.page(9)[0] == []


def test_an_event_is_put_away_and_taken_out_again(hall: Hall) -> None:
    event = hall.events.keep(FOUR, "k")
    hall.events.open_some(event, "tap")
    left = [hall.events.move_some(event, binned=True, budget_s=0) for _ in range(5)]
    assert left == [3, 2, 1, 0, 0]
    assert hall.events.lies_in_bin(event)
    assert not any(table.summary for table in hall.events.tables(event))
    assert hall.events.move_some(event, binned=False) == 0
    assert not hall.events.lies_in_bin(event)
    assert all(table.summary for table in hall.events.tables(event))


def test_one_table_is_looked_at_to_know_whether_all_are_put_away() -> None:
    asked: list[HeadQuery] = []

    class Watched(InMemoryJournal):
        def heads(self, query: HeadQuery) -> Sequence[TableHead]:
            asked.append(query)
            return super().heads(query)

    hall = Hall(Watched())
    event = hall.events.keep(FOUR, "k")
    hall.events.open_some(event, "tap")
    asked.clear()
    assert not hall.events.lies_in_bin(event)
    assert [query.limit for query in asked] == [1]


def test_an_event_whose_game_was_removed_is_refused_and_opens_no_table(hall: Hall) -> None:
    event = hall.events.keep(FOUR, "k")
    without = ClubEvents(Tables({}, hall.journal, FakeClock(), lambda: "x", list), hall.journal)
    with pytest.raises(TableRefused, match="unknown_game"):
        without.open_some(event, "tap")
    assert without.count_opened(event) == 0


def test_results_come_from_the_journal(hall: Hall) -> None:
    # given two tables of three at which the game was played to its end
    event = hall.events.keep(plan(("Ada", "Ben"), ("Cleo", "Dan"), ("Eve", "Fritz"), rules={}, variants=()), "k")
    hall.events.open_some(event, "tap")
    for number in (0, 2):
        table = hall.tables.get(hall.events.tables(event)[number].id or "")
        piles = shuffled(house_deck(), number)
        while (command := bot_command(table, piles)) is not None:
            table.submit(Request(command, "banker", "tap"))

    # when nothing of them is in memory
    after = Hall(hall.journal)
    results = results_of(after.events.tables(after.events.get(event.id)))

    # then they are those of the tables' own standings
    assert sorted(result.name for result in results) == ["Ada", "Ben", "Eve", "Fritz"]
    assert [result.place for result in results] == sorted(result.place for result in results)
    for result in results:
        table = hall.tables.get(result.table_id)
        assert table.overview is not None
        rows = {table.names()[row.player]: (row.rank, row.figures) for row in table.overview.standings}
        assert (result.place, result.figures) == rows[result.name]
    assert [table.is_finished for table in after.events.tables(event)] == [True, False, True]


def opened(hall: Hall) -> ClubEvent:
    event = hall.events.keep(FOUR, "k")
    hall.events.open_some(event, "tap")
    return event


def now(hall: Hall, event: ClubEvent) -> list[EventTable]:
    """Return the tables of an event as they are now, as a change of it begins with."""
    events = hall.events
    return [EventTable(table.name, events.seats(table), table.place) for table in events.tables(event)]


def change(hall: Hall, event: ClubEvent, tables: Sequence[EventTable], name: str = "Evening") -> ClubEvent:
    changed = hall.events.change(event, name, "", tables)
    assert hall.events.open_some(changed, "tap") == len(tables)
    assert hall.events.get(event.id) == changed
    return changed


def begin(hall: Hall, event: ClubEvent, number: int) -> None:
    table = hall.tables.get(hall.events.tables(event)[number].id or "")
    command = bot_command(table, shuffled(house_deck(), 3))
    assert command is not None
    table.submit(Request(command, "banker", "tap"))


def test_whoever_stays_at_a_table_keeps_the_seat_and_others_get_one_that_is_free() -> None:
    before = [("red", "Ada"), ("blue", "Ben"), ("green", "")]
    colours = ("red", "blue", "green", "yellow")
    assert seats_of(["Ben", "Ada"], before, colours) == [("blue", "Ben"), ("red", "Ada")]
    assert seats_of(["Ada", "Zoe", ""], before, colours) == [("red", "Ada"), ("blue", "Zoe"), ("green", "")]
    assert seats_of(["Zoe", "Ben"], before, colours) == [("red", "Zoe"), ("blue", "Ben")]
    everybody = ["ben", "", "Cleo", "Dan"]
    assert [seat for seat, _ in seats_of(everybody, before, colours)] == ["blue", "green", "red", "yellow"]


def test_people_are_moved_and_replaced_before_their_table_begins_and_its_codes_stay(hall: Hall) -> None:
    # given opened tables
    event = opened(hall)
    first, second, third, fourth = now(hall, event)
    ids = [table.id for table in hall.events.tables(event)]

    # when Eve goes to the first table, Zoe comes for Dan, and tables get other names
    tables = [
        replace(fourth, name="Window"),
        replace(first, players=("Ada", "Ben", "Eve")),
        replace(second, players=("Cleo", "Zoe")),
        third,
    ]
    changed = change(hall, event, tables, "Other name")

    # then they sit there, at the tables that were opened, and whoever stays has the seat of before
    shown = hall.events.tables(changed)
    assert changed.plan.name == "Other name"
    assert [table.id for table in shown] == [ids[3], *ids[:3]]
    assert [(table.name, hall.events.seats(table)) for table in shown] == [
        ("Window", ("Fritz", "Gina")),
        ("1", ("Ada", "Ben", "Eve")),
        ("2", ("Cleo", "Zoe")),
        ("3", ("", "")),
    ]
    assert [seat["id"] for seat in (shown[2].summary or {})["players"]] == ["red", "blue"]
    assert hall.left == [(ids[0], set()), (ids[1], {"blue", "yellow"})]

    # and once more, as often as it is asked for; nothing is written where nothing differs
    versions = [hall.tables.get(table.id or "").version for table in shown]
    assert versions == [1, 2, 2, 1]
    hall.events.open_some(changed, "tap")
    assert [hall.tables.get(table.id or "").version for table in shown] == versions
    change(hall, changed, [replace(table, players=tuple(reversed(table.players))) for table in now(hall, changed)])


def test_people_are_moved_for_some_seconds_at_a_time_and_then_further_tables_are_opened(hall: Hall) -> None:
    # given opened tables at which others are to sit, and a further one
    event = opened(hall)
    tables = [replace(table, players=(f"{table.name} A", f"{table.name} B")) for table in now(hall, event)]
    changed = hall.events.change(event, "Evening", "", [*tables, EventTable("5", ("Tom", "Uli"))])

    # when there is time for one table each time, then that many sit as planned, until the new one is opened last
    counted = [hall.events.open_some(changed, "tap", budget_s=0) for _ in tables]
    assert counted == [1, 2, 3, 5]
    assert [table.players for table in now(hall, changed)] == [*(table.players for table in tables), ("Tom", "Uli")]


def test_names_that_were_said_at_the_table_are_the_ones_that_are_changed(hall: Hall) -> None:
    # given somebody who has said another name on a phone
    event = opened(hall)
    table_id = hall.events.tables(event)[0].id or ""
    hall.tables.get(table_id).submit(Request({"do": RENAME, "player": "red", "name": "Adele"}, "banker", "tap"))
    first, *others = now(hall, event)
    assert first.players == ("Adele", "Ben")

    # when others come for both, then they sit there
    changed = change(hall, event, [replace(first, players=("Max", "Mia")), *others])
    assert now(hall, changed)[0].players == ("Max", "Mia")


def test_tables_are_added_and_taken_away_and_no_table_is_opened_twice(hall: Hall) -> None:
    # given an event whose people of the first table move to a new one
    event = opened(hall)
    first, *others = now(hall, event)
    taken = hall.events.tables(event)[0].id or ""
    changed = change(hall, event, [*others, EventTable("New", first.players)])

    # then the first table lies in the bin, and another one is there
    assert hall.tables.lies_in_bin(taken)
    assert [table.name for table in hall.events.tables(changed)] == ["2", "3", "4", "New"]
    assert len(hall.journal.tables()) == 5

    # and one more that is added is a further one, in spite of the numbers that were used before
    again = change(hall, changed, [*now(hall, changed), EventTable("Last", ("Ida", "Jan"))])
    assert len({table.id for table in hall.events.tables(again)}) == 5
    assert len(hall.journal.tables()) == 6


def test_a_change_that_was_interrupted_is_followed_later_by_any_process(tmp_path: Path) -> None:
    # given a change that was stored, and a program that was killed before its tables followed
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    hall = Hall(journal)
    event = opened(hall)
    first, second, *others = now(hall, event)
    hall.events.change(event, "Evening", "", [replace(first, players=("Ada", "Eve")), second, *others])
    journal.close()

    # when another one goes on, then they do, once
    again = Hall(SqliteJournal(tmp_path / "journal.sqlite"), "u")
    for _ in range(2):
        assert again.events.open_some(again.events.get(event.id), "tap") == 4
        assert now(again, again.events.get(event.id))[0].players == ("Ada", "Eve")
    assert again.tables.get("t1").version == 2


def test_what_cannot_be_changed_is_refused_and_nothing_is_stored(hall: Hall) -> None:
    # given an event whose first table has begun
    event = opened(hall)
    begin(hall, event, 0)
    first, second, third, fourth = now(hall, event)
    assert [hall.events.has_begun(table) for table in hall.events.tables(event)] == [True, False, False, False]

    # then these are refused
    for why, tables in {
        "begun": [replace(first, players=("Ada", "Zoe")), second, third, fourth],
        "still_seated": [first, third, fourth],
        "table_twice": [first, second, third, replace(fourth, name="1")],
        "size": [first, replace(second, players=("Cleo",)), third, fourth],
        "long_name": [first, second, third, replace(fourth, name="x" * 21)],
        "outdated": [first, second, third, replace(fourth, place="9")],
        "tables": [],
    }.items():
        with pytest.raises(Unseatable) as refused:
            hall.events.change(event, "Evening", "", tables)
        assert refused.value.why == why
    with pytest.raises(TableRefused):
        hall.events.change(event, "Evening", "", [first, replace(second, players=("Cleo", "Cleo")), third, fourth])
    assert hall.events.get(event.id) == event

    # and a table that has begun may be called otherwise, and stay where others move
    changed = change(hall, event, [replace(first, name="Blue"), second, fourth])
    assert [table.name for table in hall.events.tables(changed)] == ["Blue", "2", "4"]


def test_of_two_who_change_an_event_at_once_the_second_is_refused(hall: Hall) -> None:
    event = opened(hall)
    tables = now(hall, event)
    change(hall, event, tables, "First")
    with pytest.raises(Unseatable) as refused:
        hall.events.change(event, "Second", "", tables)
    assert refused.value.why == "outdated"


def test_an_event_that_is_sent_again_after_a_change_is_the_changed_one(hall: Hall) -> None:
    event = opened(hall)
    changed = change(hall, event, now(hall, event)[:2] + now(hall, event)[3:])
    again = hall.events.keep(FOUR, "k")
    assert again == changed
    assert hall.events.open_some(again, "tap") == 3
