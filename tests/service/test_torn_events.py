"""Plans of club events that cannot be read are left out, and all others are there."""

from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.service.ports import KeptClubEvent
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import UnknownEvent, read_plan
from companion.service.table.registry import Tables
from tests.fakes import FakeClock
from tests.service.house_tables import house_game
from tests.service.open_event import PLAN

SOUND = PLAN.as_json()


@pytest.mark.parametrize(
    "torn",
    [
        {},
        {"name": "Winter meeting"},
        {**SOUND, "name": 5},
        {**SOUND, "rules": 5},
        {**SOUND, "variants": None},
        {**SOUND, "tables": [5]},
        {**SOUND, "tables": [{"name": "1"}]},
        {**SOUND, "tables": [{"name": "1", "players": [["Ada"], "Ben"]}]},
        {**SOUND, "removed": 5},
    ],
)
def test_an_event_whose_plan_is_torn_is_left_out_with_one_line(torn: Any, caplog: pytest.LogCaptureFixture) -> None:
    # given three events, of which the plan of one cannot be read
    journal = InMemoryJournal()
    for name, plan in (("a", SOUND), ("b", torn), ("c", SOUND)):
        journal.keep_club_event(KeptClubEvent(name, f"key {name}", "", plan))
    games = {"master_builder": house_game()}
    events = ClubEvents(Tables(games, journal, FakeClock(), lambda: "t", list), journal)

    # then the two others are listed, page by page, and it is unknown
    first, before = events.page(2)
    assert ([event.id for event in first], [event.id for event in events.page(2, before)[0]]) == (["c"], ["a"])
    with pytest.raises(UnknownEvent):
        events.get("b")
    assert [line for line in caplog.text.splitlines() if "event b is left out" in line] == caplog.text.splitlines()[:1]
    assert len(caplog.records) == 1


def test_a_sound_plan_is_read_as_it_was_written() -> None:
    assert read_plan(SOUND).as_json() == SOUND
