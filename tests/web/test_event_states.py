"""Pages of an event where seats are free, a table is damaged, a game is gone, or a change was interrupted."""

import csv
import io
import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import ClubEvent, TableNow
from companion.service.table.registry import Tables
from tests.web.test_events import event, hall, path_of, play_to_the_end, table_ids, without_haste

__all__ = ["event", "hall", "without_haste"]


@pytest.mark.parametrize(
    ("language", "free", "other"), [("en", "Red Blue", "Rot"), ("de", "Rot Blau", "Red"), ("fr", "Rouge Bleu", "Red")]
)
def test_free_seats_have_the_names_of_their_places_wherever_people_read_them(
    banker: FlaskClient, tablet: FlaskClient, event: str, hall: str, language: str, free: str, other: str
) -> None:
    # given a table of free seats, before and after its game is over
    table_id = table_ids(banker, event)[2]
    link = banker.get(f"/api/v1/tables/{table_id}/guests").json
    assert link is not None

    def names(address: str) -> str:
        page = tablet.get(f"{address}{'&' if '?' in address else '?'}lang={language}", follow_redirects=True)
        assert page.status_code == 200
        return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())

    # then each page calls the seats as their places are called in its language
    for address in (hall, f"{hall}/results", f"/events/{event}", path_of(link["address"]), "/tables", "/"):
        for name in free.split():
            assert re.search(rf"\b{name}\b", names(address)), address
        assert not re.search(rf"\b{other}\b", names(address)), address
    rows = names(f"{hall}/results.csv")
    assert all(name in rows for name in free.split())


def test_results_name_free_seats_by_their_places_too(
    banker: FlaskClient, stranger: FlaskClient, tables: Tables, event: str, hall: str
) -> None:
    play_to_the_end(tables, table_ids(banker, event)[2])
    for address in (f"{hall}/results", f"{hall}/results.csv"):
        page = stranger.get(f"{address}?lang=de").text
        assert "Rot" in page
        assert "Blau" in page
        assert not re.search(r"\b(Red|Blue)\b(?! room)", page)


def test_results_of_a_game_without_figures_are_places_alone(
    banker: FlaskClient,
    stranger: FlaskClient,
    event: str,
    hall: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # given a finished table whose standings are ranks
    tables_of = ClubEvents.tables

    def finished(events: ClubEvents, event: ClubEvent, *, binned: bool = False) -> list[TableNow]:
        first, *others = tables_of(events, event, binned=binned)
        assert first.summary is not None
        standings = [{"player": seat["id"], "rank": rank} for rank, seat in enumerate(first.summary["players"], 1)]
        return [replace(first, summary={**first.summary, "finished": True, "standings": standings}), *others]

    monkeypatch.setattr(ClubEvents, "tables", finished)

    # then page and file show them, with no column for a figure
    page = stranger.get(f"{hall}/results")
    assert page.status_code == 200
    assert "=Ada+1" in page.text
    assert page.text.count('<th scope="col">') == 4
    rows = list(csv.reader(io.StringIO(stranger.get(f"{hall}/results.csv").data.decode("utf-8-sig"))))
    assert rows[:2] == [["Rank", "Table", "Place", "Name"], ["1", "1", "1", "'=Ada+1"]]
    assert banker.get(f"/api/v1/events/{event}/results").status_code == 200


def test_a_table_that_cannot_be_read_is_not_said_to_be_in_the_bin(
    banker: FlaskClient, tablet: FlaskClient, journal: SqliteJournal, event: str
) -> None:
    # given one table whose entries are damaged, and one in the bin
    ids = table_ids(banker, event)
    banker.post(f"/api/v1/tables/{ids[0]}/bin", json={"in": True})
    connection = journal._connection
    connection.execute("DROP TRIGGER entries_no_update")
    connection.execute("UPDATE entries SET source = 'x' WHERE table_id = ?", (ids[1],))
    connection.execute("DELETE FROM heads WHERE table_id = ?", (ids[1],))

    # then the page of the event says of each what it is, and leads on from there
    for query in ("", "?part=tables"):
        page = tablet.get(f"/events/{event}{query}").text
        assert page.count("in the bin") == 1
        assert '<a href="/#unplayable">cannot be read</a>' in page


def test_a_damaged_table_that_was_played_on_stands_in_its_place_with_its_result(
    banker: FlaskClient, tables: Tables, journal: SqliteJournal, event: str
) -> None:
    # given a table that was damaged at its second entry, and was played on from the first one to the end
    ids = table_ids(banker, event)
    play_to_the_end(tables, ids[0])
    tables._tables.clear()
    connection = journal._connection
    connection.execute("DROP TRIGGER entries_no_update")
    connection.execute("UPDATE entries SET source = 'x' WHERE table_id = ? AND seq = 2", (ids[0],))
    connection.execute("UPDATE heads SET described = NULL, program = NULL WHERE table_id = ?", (ids[0],))
    assert table_ids(banker, event) == ids
    sound = banker.post(f"/api/v1/tables/{ids[0]}/play-on", json={}).json
    assert sound is not None
    play_to_the_end(tables, sound["id"])

    # then that one is the event's, and goes into the bin with it
    assert table_ids(banker, event) == [sound["id"], *ids[1:]]
    answer = banker.get(f"/api/v1/events/{event}/results").json
    assert answer is not None
    assert sorted(result["player"] for result in answer["results"]) == ["=Ada+1", "Ben"]
    assert banker.post(f"/api/v1/events/{event}/bin", json={"in": True}).json == {"left": 0}
    assert tables.lies_in_bin(sound["id"])


def test_an_event_whose_game_was_removed_is_not_in_the_bin_and_says_what_is_missing(
    banker: FlaskClient, tablet: FlaskClient, stranger: FlaskClient, tables: Tables, event: str, hall: str
) -> None:
    # given an event of a game that is not installed any more
    tables.games = {"another": tables.games["master_builder"]}
    listed = banker.get("/api/v1/events").json
    assert listed is not None
    assert not listed["events"][0]["in_bin"]

    # then its pages name the game, and televisions take it for no end of the evening
    for client, address in (
        (tablet, f"/events/{event}"),
        (tablet, f"/events/{event}/plan"),
        (stranger, hall),
        (stranger, f"{hall}?part=tables"),
        (stranger, f"{hall}/results"),
    ):
        page = client.get(address)
        assert page.status_code == 410, address
        assert "This event was opened for master_builder. Its tables are kept as they are." in page.text
    assert "Dieses Spiel ist hier nicht installiert" in stranger.get(f"{hall}?lang=de").text


def test_a_change_that_was_interrupted_can_be_gone_on_with_on_the_page_of_the_event(
    banker: FlaskClient, tablet: FlaskClient, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a plan that moves people at two tables, and a browser that is closed after the first
    plan = {"version": 1, "name": "Winter meeting", "when": ""}
    shown = banker.get(f"/api/v1/events/{event}").json
    assert shown is not None
    tables = [{name: table[name] for name in ("place", "name", "players")} for table in shown["tables"]]
    tables[0]["players"][1], tables[1]["players"][1] = "-Dan", "Ben"
    with monkeypatch.context() as in_haste:
        in_haste.setattr(ClubEvents.open_some, "__defaults__", (0.0,))
        answer = banker.post(f"/api/v1/events/{event}/plan", json={**plan, "tables": tables})
    assert answer.json == {"id": event, "opened": 2, "tables": 3}

    # then the page offers to go on, and the form has the names that are wanted
    page = tablet.get(f"/events/{event}").text
    assert "2 of 3 tables are seated by the latest plan" in page
    assert re.search(r"data-opening>.*Go on</button>", page, re.DOTALL)
    form = tablet.get(f"/events/{event}/plan").text
    assert re.findall(r'data-shown="([^"]*)"', form)[1] == "[&#34;@Cleo&#34;, &#34;Ben&#34;]"

    # and once it has gone on there is nothing left
    assert banker.post(f"/api/v1/events/{event}/open", json={}).json == {"id": event, "opened": 3, "tables": 3}
    assert "data-opening hidden" in tablet.get(f"/events/{event}").text
