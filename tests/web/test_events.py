"""Events: many tables planned and opened at once by the organiser, and what everybody in the hall may see of them."""

import csv
import html
import io
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters.journal.sqlite import SqliteJournal
from companion.bootstrap.printing import print_event_codes
from companion.service.access.logins import Caller
from companion.service.ports import KeptClubEvent
from companion.service.printer import TableCodes
from companion.service.services import Services
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import ClubEvent, TableNow
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.pages import events
from tests.opened import house_deck, shuffled
from tests.service.house_tables import bot_command
from tests.waiting import PATIENCE_S

EVENT: dict[str, Any] = {
    "name": "Winter meeting",
    "when": "2026-11-28T19:30",
    "game": "master_builder",
    "catalog": "house",
    "rules": {},
    "variants": [],
    "tables": [
        {"name": "1", "players": ["=Ada+1", "Ben"]},
        {"name": "2", "players": ["@Cleo", "-Dan"]},
        {"name": "Blue room", "players": ["", ""]},
    ],
}
PEOPLE = {"game": "master_builder", "people": "Ada\nBen\nCleo", "order": "given"}


@pytest.fixture(autouse=True)
def without_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one request open or move all tables, however slow this machine is."""
    monkeypatch.setattr(ClubEvents.open_some, "__defaults__", (PATIENCE_S,))
    monkeypatch.setattr(ClubEvents.move_some, "__kwdefaults__", {"budget_s": PATIENCE_S})


@pytest.fixture
def event(banker: FlaskClient) -> str:
    """The id of an event whose tables are opened."""
    answer = banker.post("/api/v1/events", json=EVENT).json
    assert answer is not None
    while answer["opened"] < 3:  # each request opens what a second allows
        answer = banker.post(f"/api/v1/events/{answer['id']}/open", json={}).json
        assert answer is not None
    return str(answer["id"])


@pytest.fixture
def hall(tablet: FlaskClient, event: str) -> str:
    """The address of the hall display."""
    link = re.search(r'href="(/hall/[^"/]+)"', tablet.get(f"/events/{event}").text)
    assert link
    return link[1]


def play_to_the_end(tables: Tables, table_id: str) -> None:
    table, piles = tables.get(table_id), shuffled(house_deck(), 3)
    while (command := bot_command(table, piles)) is not None:
        table.submit(Request(command, "banker", "tap"))


def table_ids(banker: FlaskClient, event: str) -> list[str]:
    shown = banker.get(f"/api/v1/events/{event}").json
    assert shown is not None
    return [table["table"] for table in shown["tables"]]


def test_people_are_seated_before_anything_is_stored(banker: FlaskClient) -> None:
    answer = banker.post("/api/v1/events/seating", json=PEOPLE)
    assert answer.json == {"tables": [{"name": "1", "players": ["Ada", "Ben", "Cleo"]}]}
    assert banker.get("/api/v1/events").json == {"events": []}


@pytest.mark.parametrize(
    ("wish", "language", "said"),
    [
        ({"people": ""}, "en", "Paste a list of people, or say how many tables to open."),
        ({"tables": 2}, "en", "Too few people: 3. Tables: 2, with at least 2 at each."),
        (
            {"people": "A\nB\nC\nD\nE", "tables": 1},
            "en",
            "For 5 people open at least 2 tables: at most 4 sit at one.",
        ),
        ({"people": "2, Ada", "order": "listed"}, "de", "Tisch 2 hätte 1 Spieler; das Spiel ist für 2 bis 4."),
        ({"people": "Hof, Ada", "order": "listed"}, "de", "Hof hätte 1 Spieler; das Spiel ist für 2 bis 4."),
        ({"people": "2, Ada", "order": "listed"}, "en", "Table 2 would have 1 player; the game is for 2 to 4."),
        ({"people": "2, Ada", "order": "listed"}, "fr", "Table 2 aurait 1 joueur\u202f; "),
        ({"people": "Ada", "order": "listed"}, "fr", "La ligne 1 de la liste"),
        ({"people": "", "tables": 500}, "en", "An event has 1 to 400 tables."),
        ({"people": "", "tables": 2, "seats": 9_999}, "en", "Table 1 would have 9999 players"),
        (
            {"people": f"{'Long table ' * 3},Ada\n{'Long table ' * 3},Ben", "order": "listed"},
            "en",
            "The name of a table has at most 20 letters; shorten Long table Long tabl …",
        ),
    ],
)
def test_why_people_cannot_be_seated_is_said_in_words(
    banker: FlaskClient, wish: dict[str, Any], language: str, said: str
) -> None:
    answer = banker.post(f"/api/v1/events/seating?lang={language}", json={**PEOPLE, **wish})
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["detail"].startswith(said)


@pytest.mark.parametrize("member", ["tables", "seats"])
@pytest.mark.parametrize("number", [-1, 1_000_000_000])
def test_no_more_seats_are_made_than_anybody_asks_for(banker: FlaskClient, member: str, number: int) -> None:
    wish = {**PEOPLE, "people": "", "tables": 2, member: number}
    assert banker.post("/api/v1/events/seating", json=wish).status_code == 400


@pytest.mark.parametrize("when", ["0001-01-01T00:00", "9999-12-31T23:59", "2026-02-31T19:30"])
def test_a_day_that_no_event_can_have_is_refused_in_words(banker: FlaskClient, when: str) -> None:
    answer = banker.post("/api/v1/events", json={**EVENT, "when": when})
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["detail"] == "Give a day from 2000 to 2100, or leave it empty."
    assert banker.get("/api/v1/events").json == {"events": []}


def test_the_time_of_an_event_is_the_one_that_was_typed_wherever_it_is_read(tablet: FlaskClient, event: str) -> None:
    tablet.set_cookie("timezone", "Asia/Tokyo")
    assert "Saturday 28 November, 19:30" in tablet.get(f"/events/{event}").text


def test_the_form_offers_the_time_of_whoever_fills_it_in(tablet: FlaskClient) -> None:
    offered: list[datetime] = []
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # 25 hours apart
        tablet.set_cookie("timezone", zone)
        field = re.search(r'name="when"[^>]*value="([^"]+)"', tablet.get("/events").text)
        assert field
        offered.append(datetime.fromisoformat(field[1]))
    assert round((offered[0] - offered[1]).total_seconds() / 3600) == 25


def test_pages_show_an_event_that_was_stored_with_an_odd_day(tablet: FlaskClient, journal: SqliteJournal) -> None:
    for number, when in enumerate(("0001-01-01T00:00", "9999-12-31T23:59", "0001-01-01T00:00+14:00", "x")):
        journal.keep_club_event(KeptClubEvent(f"odd{number}", f"k{number}", "", {**EVENT, "when": when}))
        assert tablet.get(f"/events/odd{number}").status_code == 200
    assert tablet.get("/events").status_code == 200


def test_older_events_are_on_further_pages(tablet: FlaskClient, journal: SqliteJournal) -> None:
    for number in range(30):
        kept = KeptClubEvent(f"e{number}", f"k{number}", "", {**EVENT, "name": f"Evening {number}."})
        journal.keep_club_event(kept)
    latest = tablet.get("/events").text
    link = re.search(r'href="(/events\?[^"]*after=[^"]*)"', latest)
    assert link
    older = tablet.get(html.unescape(link[1])).text
    shown = [re.findall(r"Evening (\d+)\.", page) for page in (latest, older)]
    assert shown == [[f"{number}" for number in range(29, 5, -1)], [f"{number}" for number in range(5, -1, -1)]]
    assert "after=" not in older


@pytest.mark.parametrize("unseen", ["\u3164", " ", "Winter\u202emeeting"])
def test_an_event_without_a_visible_name_is_refused(banker: FlaskClient, unseen: str) -> None:
    table = {**EVENT["tables"][0], "name": unseen}
    for wrong in ({**EVENT, "name": unseen}, {**EVENT, "tables": [table]}):
        answer = banker.post("/api/v1/events?lang=de", json=wrong)
        assert (answer.status_code, answer.get_json()["why"]) == (422, "unseen_name")
        assert answer.get_json()["detail"].startswith("Die Namen einer Veranstaltung und ihrer Tische")
    assert banker.get("/api/v1/events").json == {"events": []}


def test_what_the_game_refuses_is_said_with_the_table(banker: FlaskClient) -> None:
    alike = [*EVENT["tables"][:1], {"name": "2", "players": ["Cleo", "Cleo"]}]
    answer = banker.post("/api/v1/events", json={**EVENT, "tables": alike})
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["detail"].startswith("Table 2: ")
    assert banker.get("/api/v1/tables").json == {"tables": [], "bin": []}


def test_an_event_is_opened_once_for_each_key(banker: FlaskClient) -> None:
    headers = {"Idempotency-Key": "k"}
    first = banker.post("/api/v1/events", json=EVENT, headers=headers).json
    assert banker.post("/api/v1/events", json=EVENT, headers=headers).json == first
    assert first is not None
    assert banker.post(f"/api/v1/events/{first['id']}/open").json == first
    listed = banker.get("/api/v1/tables").json
    assert listed is not None
    assert len(listed["tables"]) == 3
    other = banker.post("/api/v1/events", json={**EVENT, "name": "x"}, headers=headers)
    assert (other.status_code, other.json and other.json["title"]) == (422, "The same key with another body")


@pytest.mark.parametrize("path", ["", "/x", "/x/results"])
def test_only_the_organiser_sees_events(as_caller: Callable[[Caller], FlaskClient], path: str) -> None:
    guest = as_caller(Caller("spectator", None, "t1"))
    assert guest.get(f"/api/v1/events{path}").status_code == 403
    for address in ("/events", "/events/x", "/events/x/codes.pdf"):
        assert guest.get(address).status_code == 302
    assert guest.post("/api/v1/events", json=EVENT).status_code == 403


def test_an_unknown_event_is_not_found(banker: FlaskClient, tablet: FlaskClient) -> None:
    assert banker.get("/api/v1/events/x").status_code == 404
    assert tablet.get("/events/x").status_code == 404


def test_the_event_is_put_away_and_taken_out_again(banker: FlaskClient, event: str) -> None:
    assert banker.post(f"/api/v1/events/{event}/bin", json={"in": True}).json == {"left": 0}
    listed = banker.get("/api/v1/events").json
    assert listed is not None
    assert listed["events"][0]["in_bin"]
    assert banker.get("/api/v1/tables").json is not None
    assert banker.post(f"/api/v1/events/{event}/bin", json={"in": False}).json == {"left": 0}
    shown = banker.get(f"/api/v1/events/{event}").json
    assert shown is not None
    assert [table["finished"] for table in shown["tables"]] == [False, False, False]


# What everybody in the hall may see


def test_the_hall_display_needs_no_login_and_shows_who_plays_where(stranger: FlaskClient, hall: str) -> None:
    page = stranger.get(hall)
    assert page.status_code == 200
    assert "=Ada+1" in page.text
    assert "Blue room" in page.text
    assert "0 of 3 tables finished" in page.text


@pytest.mark.parametrize("path", ["", "/results", "/results.csv"])
def test_a_hall_of_another_evening_or_with_a_made_up_token_is_not_found(
    stranger: FlaskClient, services: Services, hall: str, path: str
) -> None:
    assert stranger.get(f"{hall}x{path}").status_code == 404
    services.guests.new_evening()
    ended = stranger.get(f"{hall}{path}?lang=de")
    assert ended.status_code == 404
    assert "Diese Adresse gilt nicht mehr" in ended.text


def test_many_tables_are_shown_page_by_page(banker: FlaskClient, tablet: FlaskClient, stranger: FlaskClient) -> None:
    # given 20 tables of short names, of which nine fit on a page
    tables = [{"name": f"{number}", "players": [f"A{number}", f"B{number}"]} for number in range(1, 21)]
    answer = banker.post("/api/v1/events", json={**EVENT, "tables": tables}).json
    assert answer is not None
    while answer["opened"] < 20:
        answer = banker.post(f"/api/v1/events/{answer['id']}/open").json
        assert answer is not None
    link = re.search(r'href="(/hall/[^"/]+)"', tablet.get(f"/events/{answer['id']}").text)
    assert link
    address = link[1]

    def shown(query: str) -> list[int]:
        page = stranger.get(f"{address}?part=tables{query}").text
        return [int(number) for number in re.findall(r'aria-hidden="true">(\d+)</b>', page)]

    # then the pages follow one another, without a page all are shown
    assert shown("&page=0") == list(range(1, 10))
    assert shown("&page=2") == [19, 20]
    assert shown("&page=3") == shown("&page=0")
    assert shown("") == list(range(1, 21))


def test_the_hall_is_drawn_once_for_all_who_ask_within_seconds(
    banker: FlaskClient, stranger: FlaskClient, event: str, hall: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a display that is kept, and an event that is put away
    monkeypatch.setattr(events, "HALL_S", 1e12)
    drawn = stranger.get(f"{hall}?part=tables").text
    assert banker.post(f"/api/v1/events/{event}/bin", json={"in": True}).json == {"left": 0}

    # then everybody is shown what was drawn, in each language, and after some time what there is
    assert stranger.get(f"{hall}?part=tables").text == drawn
    assert "0 von 3" in stranger.get(f"{hall}?part=tables&lang=de").text
    monkeypatch.setattr(events, "HALL_S", 1e-9)
    assert stranger.get(f"{hall}?part=tables&lang=en").text != drawn


def test_whatever_pages_of_the_hall_are_asked_for_tables_are_looked_up_once(
    stranger: FlaskClient, hall: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a display that is kept, and its tables as they are looked up
    monkeypatch.setattr(events, "HALL_S", 1e12)
    looked_up = list[str]()
    tables_of = ClubEvents.tables

    def looking(asked: ClubEvents, event: ClubEvent, *, binned: bool) -> list[TableNow]:
        looked_up.append(event.id)
        return tables_of(asked, event, binned=binned)

    monkeypatch.setattr(ClubEvents, "tables", looking)

    # when somebody asks for page after page, then they get the one there is
    drawn = {
        stranger.get(f"{hall}?part=tables&page={number}").text for number in (0, 1, 7, 10**14, 999_999_999_999_999)
    }
    assert len(drawn) == 1
    assert len(looked_up) == 1


def test_a_television_is_led_to_the_hall_by_its_letters(tablet: FlaskClient, stranger: FlaskClient, event: str) -> None:
    letters = re.search(r"[B-Z]{4}", re.sub(r"<[^>]*>", " ", stranger.get("/tv").text))
    assert letters
    assert "?wrong" in tablet.post(f"/events/{event}/screens", data={"letters": "QQQQ"}).headers["Location"]
    tablet.post(f"/events/{event}/screens", data={"letters": letters[0].lower()})
    answer = stranger.get("/tv")
    assert answer.headers["Location"].startswith("/hall/")
    assert stranger.get(answer.headers["Location"]).status_code == 200


def test_results_are_those_of_the_tables_that_are_finished(
    banker: FlaskClient, stranger: FlaskClient, tables: Tables, event: str, hall: str
) -> None:
    # given one finished table of three
    first, *_ = table_ids(banker, event)
    assert "No game is finished yet." in stranger.get(f"{hall}/results").text
    play_to_the_end(tables, first)
    overview = tables.get(first).overview
    assert overview is not None
    standings = {tables.get(first).names()[row.player]: row for row in overview.standings}

    # then page, file and interface say the same
    answer = banker.get(f"/api/v1/events/{event}/results").json
    assert answer is not None
    assert {result["player"]: result["place"] for result in answer["results"]} == {
        name: row.rank for name, row in standings.items()
    }
    assert answer["unfinished"] == ["2", "Blue room"]
    page = stranger.get(f"{hall}/results").text
    for row in standings.values():
        assert f"${row.figures[0][1]:,}" in page
    assert "1 of 3 tables finished" in page


def test_no_cell_of_the_file_is_a_formula(
    banker: FlaskClient, stranger: FlaskClient, tables: Tables, event: str, hall: str
) -> None:
    play_to_the_end(tables, table_ids(banker, event)[0])
    answer = stranger.get(f"{hall}/results.csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows[0] == ["Rank", "Table", "Place", "Name", "Money"]
    assert {row[3] for row in rows[1:]} == {"'=Ada+1", "Ben", "'@Cleo", "'-Dan", "Red", "Blue"}
    assert all(cell[:1] not in {"=", "+", "-", "@"} for row in rows for cell in row)
    assert [row[2] for row in rows[-4:]] == ["not finished"] * 4
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    ("language", "away", "torn"),
    [
        ("en", "in the bin", "cannot be read"),
        ("de", "im Papierkorb", "nicht lesbar"),
        ("fr", "à la corbeille", "illisible"),
    ],
)
def test_an_event_that_is_put_away_has_its_results_and_says_why_others_have_none(
    banker: FlaskClient,
    stranger: FlaskClient,
    tables: Tables,
    journal: SqliteJournal,
    event: str,
    hall: str,
    language: str,
    away: str,
    torn: str,
) -> None:
    # given an event that is put away, of which one table is finished and one cannot be read
    ids = table_ids(banker, event)
    play_to_the_end(tables, ids[0])
    assert banker.post(f"/api/v1/events/{event}/bin", json={"in": True}).json == {"left": 0}
    before = banker.get(f"/api/v1/events/{event}/results").json
    connection = journal._connection
    connection.execute("DROP TRIGGER entries_no_update")
    connection.execute("UPDATE entries SET source = 'x' WHERE table_id = ?", (ids[1],))
    connection.execute("DELETE FROM heads WHERE table_id = ?", (ids[1],))

    # then the finished one counts
    answer = banker.get(f"/api/v1/events/{event}/results").json
    assert answer == before
    assert answer is not None
    assert sorted(result["player"] for result in answer["results"]) == ["=Ada+1", "Ben"]
    assert answer["unfinished"] == ["2", "Blue room"]

    # and of the others the reason is said
    page = stranger.get(f"{hall}/results?lang={language}").text
    assert (page.count(away), page.count(torn)) == (1, 1)
    rows = stranger.get(f"{hall}/results.csv?lang={language}").text.splitlines()
    assert [row.count(torn) + 2 * row.count(away) for row in rows[-4:]] == [1, 1, 2, 2]


def test_the_file_is_divided_as_programs_of_the_language_expect_it(stranger: FlaskClient, hall: str) -> None:
    assert "Rang;Tisch;Platz;Name" in stranger.get(f"{hall}/results.csv?lang=de").text
    assert "Rang;Table;Place;Nom" in stranger.get(f"{hall}/results.csv?lang=fr").text
    assert "Rank,Table,Place,Name" in stranger.get(f"{hall}/results.csv?lang=en").text


@pytest.mark.parametrize("name", ["x;=1+1", "x,@A1", "x, -1", "x ;\t+1", "=x"])
def test_no_name_is_a_formula_for_a_program_that_divides_the_file_otherwise(
    banker: FlaskClient, tablet: FlaskClient, stranger: FlaskClient, name: str
) -> None:
    tables = [{"name": "1", "players": [name, "Ben-Bo; Jr."]}]
    answer = banker.post("/api/v1/events", json={**EVENT, "tables": tables}).json
    assert answer is not None
    link = re.search(r'href="(/hall/[^"/]+)"', tablet.get(f"/events/{answer['id']}").text)
    assert link
    rows = list(csv.reader(io.StringIO(stranger.get(f"{link[1]}/results.csv").text)))
    assert [row[3] for row in rows[1:]][1] == "Ben-Bo; Jr."
    assert rows[1][3].startswith("'")


@pytest.mark.parametrize("path", ["", "?part=tables", "/results", "/results.csv"])
def test_the_hall_shows_nothing_that_only_some_may_see(
    banker: FlaskClient, stranger: FlaskClient, event: str, hall: str, path: str
) -> None:
    """Before the end no figure of a player is shown, and never a link that leads a table."""
    text = stranger.get(f"{hall}{path}").text
    assert "$" not in text
    assert not any(f"/tables/{table}" in text for table in table_ids(banker, event))


def test_the_codes_lead_to_the_tables_as_players_and_as_hosts(
    app: Flask, tablet: FlaskClient, banker: FlaskClient, stranger: FlaskClient, services: Services, event: str
) -> None:
    # given a printer that keeps what it is to print
    printed: list[TableCodes] = []

    def keep(_: str, tables: Sequence[TableCodes], __: str) -> bytes:
        printed.extend(tables)
        return b"%PDF"

    object.__setattr__(services, "print_event_codes", keep)

    # when the codes are printed, which takes an event with tables
    assert tablet.get(f"/events/{event}/codes.pdf").mimetype == "application/pdf"

    # then each leads to its own table: by the address, by the letters that are typed, and as a host
    assert [(codes.title, codes.players) for codes in printed] == [
        ("Table 1", ("=Ada+1", "Ben")),
        ("Table 2", ("@Cleo", "-Dan")),
        ("Blue room", ()),
    ]
    for codes, table in zip(printed, table_ids(banker, event), strict=True):
        typed = codes.short_address.rpartition("/")[2]
        assert stranger.get(f"/{typed}").headers["Location"] == stranger.get(path_of(codes.address)).headers["Location"]
        shown = stranger.get(path_of(codes.address), follow_redirects=True).text
        assert all(player in shown for player in codes.players[1:] or ("Red", "Blue"))
        hosts = app.test_client()
        assert hosts.get(path_of(codes.host)).headers["Location"] == f"/tables/{table}"
        assert hosts.get(f"/tables/{table}").status_code == 200


def test_codes_of_an_event_without_open_tables_are_not_found(
    tablet: FlaskClient, services: Services, event: str, banker: FlaskClient
) -> None:
    object.__setattr__(services, "print_event_codes", print_event_codes)
    assert tablet.get(f"/events/{event}/codes.pdf").data.startswith(b"%PDF")
    banker.post(f"/api/v1/events/{event}/bin", json={"in": True})
    assert tablet.get(f"/events/{event}/codes.pdf").status_code == 404


def path_of(address: str) -> str:
    return urlsplit(address).path
