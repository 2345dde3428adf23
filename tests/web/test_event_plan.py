"""The plan of an event is changed after its tables were opened; events are listed in pages."""

import json
import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.access.guests import Guest
from companion.service.ports import KeptClubEvent
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.opened import house_deck, shuffled
from tests.service.house_tables import bot_command
from tests.web.test_events import EVENT, event, table_ids

__all__ = ["event"]


def plan_of(banker: FlaskClient, event: str) -> dict[str, Any]:
    """Return the plan of an event as it is now, to be changed and sent."""
    shown = banker.get(f"/api/v1/events/{event}").json
    assert shown is not None
    tables = [{name: table[name] for name in ("place", "name", "players")} for table in shown["tables"]]
    return {"version": shown["version"], "name": shown["name"], "when": shown["when"], "tables": tables}


def test_an_event_is_changed_and_its_tables_follow(banker: FlaskClient, tablet: FlaskClient, event: str) -> None:
    # given opened tables
    ids = table_ids(banker, event)
    plan = plan_of(banker, event)
    first, second, third = plan["tables"]

    # when Ben changes tables, and one is added
    first["players"].remove("Ben")
    first["players"].append("Zoe")
    second["players"].append("Ben")
    second["name"] = "12"
    plan["tables"] = [second, first, third, {"name": "New", "players": ["Ida", "Jan"]}]
    answer = banker.post(f"/api/v1/events/{event}/plan", json={**plan, "name": "Spring meeting", "when": ""})
    assert answer.status_code == 200
    while answer.json != {"id": event, "opened": 4, "tables": 4}:
        answer = banker.post(f"/api/v1/events/{event}/open", json={})
        assert answer.status_code == 200

    # then page, list and display show it, at the tables that were there
    shown = banker.get(f"/api/v1/events/{event}").json
    assert shown is not None
    assert (shown["name"], shown["when"], shown["version"]) == ("Spring meeting", "", 2)
    assert [(table["name"], table["players"]) for table in shown["tables"]] == [
        ("12", ["@Cleo", "-Dan", "Ben"]),
        ("1", ["=Ada+1", "Zoe"]),
        ("Blue room", ["Red", "Blue"]),
        ("New", ["Ida", "Jan"]),
    ]
    assert [table["table"] for table in shown["tables"][:3]] == [ids[1], ids[0], ids[2]]
    assert "Spring meeting" in tablet.get("/events").text
    assert "Table 12" in tablet.get(f"/events/{event}").text
    assert tablet.get(f"/events/{event}/plan").text.count('class="planned-table"') == 5  # and one to be added


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Table 1 has begun: who sits there stays, and names are corrected at the table."),
        ("de", "Tisch 1 hat begonnen: Wer dort sitzt, bleibt, und Namen werden am Tisch berichtigt."),
        ("fr", "Table 1 a commencé\u202f: ses joueurs y restent, et les noms se corrigent à la table."),
    ],
)
def test_whoever_sits_at_a_table_that_has_begun_stays(
    banker: FlaskClient, tables: Tables, event: str, language: str, sentence: str
) -> None:
    table = tables.get(table_ids(banker, event)[0])
    command = bot_command(table, shuffled(house_deck(), 3))
    assert command is not None
    table.submit(Request(command, "banker", "tap"))
    plan = plan_of(banker, event)
    plan["tables"][0]["players"] = ["Zoe", "Ben"]
    refused = banker.post(f"/api/v1/events/{event}/plan?lang={language}", json=plan)
    assert refused.status_code == 422
    assert refused.json is not None
    assert (refused.json["why"], refused.json["detail"]) == ("begun", sentence)
    assert plan_of(banker, event)["version"] == 1


def test_what_cannot_be_changed_is_said_in_words(banker: FlaskClient, event: str) -> None:
    plan = plan_of(banker, event)
    _, second, third = plan["tables"]
    for change, sentence in (
        ({"tables": [second, third]}, "=Ada+1 still sits at Table 1. Give everybody there another seat first."),
        ({"version": 9}, "This event was changed somewhere else meanwhile. Load it again, and change that."),
        ({"tables": []}, "An event has 1 to 400 tables."),
        ({"when": "1999-01-01T10:00"}, "Give a day from 2000 to 2100, or leave it empty."),
    ):
        refused = banker.post(f"/api/v1/events/{event}/plan", json={**plan, **change})
        assert refused.json is not None
        assert (refused.status_code, refused.json["detail"]) == (422, sentence)
    assert banker.post(f"/api/v1/events/{event}/plan", json={**plan, "name": ""}).status_code == 400
    assert banker.post("/api/v1/events/none/plan", json=plan).status_code == 404


def test_a_phone_whose_player_leaves_the_table_is_logged_out_and_others_stay(
    banker: FlaskClient, services: Services, event: str
) -> None:
    # given two phones at a table
    table_id = table_ids(banker, event)[0]
    for device, player in (("phone-1", "red"), ("phone-2", "blue")):
        services.guests.came(Guest(device, table_id, player, "Phone"))

    # when one of the players changes tables
    plan = plan_of(banker, event)
    plan["tables"][0]["players"].remove("Ben")
    plan["tables"][0]["players"].append("Zoe")
    plan["tables"][1]["players"].append("Ben")
    assert banker.post(f"/api/v1/events/{event}/plan", json=plan).status_code == 200
    assert [guest.device for guest in services.guests.at(table_id)] == ["phone-1"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Table 1 and Blue room are one table in this plan."),
        ("de", "Tisch 1 und Blue room sind in diesem Plan ein Tisch."),
        ("fr", "Table 1 et Blue room sont une seule table dans ce plan."),
    ],
)
def test_one_table_that_is_there_twice_is_refused(
    banker: FlaskClient, event: str, language: str, sentence: str
) -> None:
    plan = plan_of(banker, event)
    plan["tables"][2]["place"] = plan["tables"][0]["place"]
    refused = banker.post(f"/api/v1/events/{event}/plan?lang={language}", json=plan)
    assert refused.json is not None
    assert (refused.status_code, refused.json["why"], refused.json["detail"]) == (422, "place_twice", sentence)
    assert plan_of(banker, event)["version"] == 1


def test_a_change_that_is_sent_again_by_a_page_that_got_no_answer_is_no_other_one(
    banker: FlaskClient, event: str
) -> None:
    plan = plan_of(banker, event)
    plan["tables"][0]["players"] = ["=Ada+1", "Zoe"]
    for _ in range(2):  # without a key, as where none was kept with its answer
        answer = banker.post(f"/api/v1/events/{event}/plan", json=plan)
        assert (answer.status_code, answer.json) == (200, {"id": event, "opened": 3, "tables": 3})
    assert plan_of(banker, event)["version"] == 2


def test_a_phone_stays_at_its_seat_however_the_plan_writes_the_name(
    banker: FlaskClient, services: Services, event: str
) -> None:
    # given a phone whose player has a name with an accent
    plan = plan_of(banker, event)
    plan["tables"][0]["players"] = ["Jean Luc", "Zo\u00eb"]
    assert banker.post(f"/api/v1/events/{event}/plan", json=plan).status_code == 200
    table_id = table_ids(banker, event)[0]
    for device, player in (("phone-1", "red"), ("phone-2", "blue")):
        services.guests.came(Guest(device, table_id, player, "Phone"))

    # when another program writes blanks and accents otherwise, and they change seats
    plan = plan_of(banker, event)
    plan["tables"][0]["players"] = [" Zoe\u0308 ", "Jean  Luc"]
    assert banker.post(f"/api/v1/events/{event}/plan", json=plan).status_code == 200

    # then both are there, called as before
    assert plan_of(banker, event)["tables"][0]["players"] == ["Zo\u00eb", "Jean Luc"]
    assert sorted(guest.device for guest in services.guests.at(table_id)) == ["phone-1", "phone-2"]


def test_events_are_paged_as_tables_are(banker: FlaskClient, journal: SqliteJournal) -> None:
    # given many events, one of which has a later plan
    for number in range(7):
        journal.keep_club_event(KeptClubEvent(f"e{number}", f"k{number}", "", {**EVENT, "name": f"Evening {number}"}))
    journal.keep_club_event(KeptClubEvent("e3.2", "plan", "", {**EVENT, "name": "Evening three"}))

    # then whoever asks for all gets all, and whoever asks for pages each once
    everything = banker.get("/api/v1/events").json
    assert everything is not None
    names = [event["name"] for event in everything["events"]]
    assert names == [*(f"Evening {n}" for n in (6, 5, 4)), "Evening three", *(f"Evening {n}" for n in (2, 1, 0))]
    assert "next" not in everything
    paged, query = list[str](), "limit=3"
    while query:
        page = banker.get(f"/api/v1/events?{query}").json
        assert page is not None
        assert len(page["events"]) <= 3
        paged += [event["name"] for event in page["events"]]
        query = f"limit=3&after={page['next']}" if "next" in page else ""
    assert paged == names
    for wrong in ("limit=0", "limit=201", "limit=x", "after=x", "after=-1", "after=" + "9" * 40):
        refused = banker.get(f"/api/v1/events?{wrong}")
        assert refused.status_code == 400, wrong


def test_the_form_says_which_names_it_showed_and_tables_that_it_did_not_change_keep_newer_ones(
    banker: FlaskClient, tables: Tables, event: str
) -> None:
    # given a form, and a player who takes a free seat afterwards
    page = banker.get(f"/events/{event}/plan").text
    shown = [json.loads(unescape(names)) for names in re.findall(r'data-shown="([^"]*)"', page)]
    assert shown[:3] == [["=Ada+1", "Ben"], ["@Cleo", "-Dan"], ["", ""]]
    plan = plan_of(banker, event)
    rename = {"do": "rename_player", "player": "blue", "name": "Zoe"}
    tables.get(table_ids(banker, event)[2]).submit(Request(rename, "banker", "tap"))

    # when the form is sent with another name at the first table
    for table, names in zip(plan["tables"], shown, strict=False):
        table |= {"players": names, "shown": names}
    plan["tables"][0]["players"] = ["=Ada+1", "Max"]
    assert banker.post(f"/api/v1/events/{event}/plan", json=plan).status_code == 200

    # then the player of the third one is still called so
    assert [table["players"] for table in plan_of(banker, event)["tables"]][::2] == [["=Ada+1", "Max"], ["Red", "Zoe"]]
