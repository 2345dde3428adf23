"""Old games load for ever: journals as earlier versions wrote them, and what was renamed since."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.journal import Entry
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import Messages, Upcast, renamed_event, renamed_field
from companion.service.ports import TornJournal
from companion.service.table.table import Table
from tests.engine import tiny_messages as say
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock, FakeJournal
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give, nut_table, position

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.jsonl"))


def stored(path: Path) -> list[Entry]:
    result = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Entry(**{**entry, "events": tuple(entry["events"])}) for entry in result]


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_of_an_earlier_version_comes_to_the_position_it_came_to_then(path: Path, tmp_path: Path) -> None:
    # given a file in which that version left its entries
    first, *others = stored(path)
    file = SqliteJournal(tmp_path / "journal.sqlite")
    file.open_table("t", "master_builder", first)
    for entry in others:
        file.append("t", entry)

    # when this version opens it
    tables = all_tables(file)

    # then everything is where it was
    assert tables.torn == {}
    table = tables.get("t")
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    shown = position(table)
    result = {key: shown[key] for key in ("round", "phase", "bank", "display")}
    players = {
        player: {field: seen[field] for field in expected["players"][player]}
        for player, seen in shown["players"].items()
    }
    effective = [entry.seq for entry in table.history.effective_entries()]
    assert {**result, "players": players, "standing": effective, "version": table.version} == expected
    assert len(table.journal("banker")) == table.version
    file.close()


def test_there_are_journals_with_every_way_to_put_things_right() -> None:
    assert len(JOURNALS) >= 2
    events = {event["event"] for path in JOURNALS for entry in stored(path) for event in entry.events}
    assert {"EntryUndone", "EntryRedone", "EntryAmended", "MoneyCorrected", "PlayerRenamed"} <= events
    assert len(events) >= 30


# ------------------------------------------------------------------------------------------------ an upcast shown
WON = renamed_event("NutWon", "NutSold")
PRICE = renamed_field("NutSold", "cost", "price")


def renamed(upcasts: Sequence[Upcast] = (WON, PRICE)) -> LoadedGame:
    """Nuts, whose sale was once called ``NutWon`` and had a ``cost``."""
    return nut_game(messages=Messages(get_args(say.Command), get_args(say.Event), tuple(upcasts)))


def as_it_was(document: Any) -> Any:
    """Return JSON as the version before the renaming would have written it."""
    text = json.dumps(document).replace('"NutSold"', '"NutWon"').replace('"price"', '"cost"')
    return json.loads(text)


def aged(table: Table) -> list[Entry]:
    return [
        Entry(entry.seq, entry.at, entry.actor, entry.source, entry.command, tuple(as_it_was(entry.events)))
        for entry in table.entries
    ]


def loaded(game: LoadedGame, entries: Sequence[Entry]) -> Table:
    table = Table("t", game, FakeJournal(), FakeClock())
    table.load(entries)
    return table


@pytest.fixture
def sold() -> Table:
    """A nut was sold; then the price was put right, so that the sale stands inside an amend too."""
    table = nut_table(None, OPEN, PASS)
    give(table, {"do": "amend", "seq": 2, "with": {**OPEN, "bid": 5}, "confirm": True})
    return table


def test_what_was_renamed_since_is_read_by_its_name_of_today(sold: Table) -> None:
    again = loaded(renamed(), aged(sold))
    assert again.position == sold.position
    assert again.journal("banker") == sold.journal("banker")
    assert position(again)["players"]["ada"]["cash"] == 5


def test_without_its_upcast_a_renamed_event_is_told_as_torn(sold: Table) -> None:
    for upcasts in ((), (WON,)):
        with pytest.raises(TornJournal, match="entry 3 cannot be read"):
            loaded(renamed(upcasts), aged(sold))


def test_what_is_written_today_passes_unchanged(sold: Table) -> None:
    assert loaded(renamed(), sold.entries).entries == sold.entries


def test_a_torn_amend_is_told_and_not_tripped_over(sold: Table) -> None:
    amend = sold.entries[-1]
    for decided in (None, 7, [7], [{"entry": 2}], [{"entry": 2, "events": 7}]):
        torn = Entry(4, "", "banker", "tap", amend.command, ({**amend.events[0], "decided": decided},))
        with pytest.raises(TornJournal, match="entry 4 cannot be read"):
            loaded(renamed(), [*sold.entries[:3], torn])


def test_the_start_of_a_game_has_no_past() -> None:
    assert loaded(renamed(), nut_table().entries).entries[0].command == NUTS
