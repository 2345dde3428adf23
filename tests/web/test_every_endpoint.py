"""Each endpoint is called at least once: ``tests.described_answers`` compares every answer with its description."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import open_installation
from companion.config import DataFolder
from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web import create_app
from tests import described_answers
from tests.web.conftest import PIN, START

NOT_A_PICTURE = b"\xff\xd8\xfftorn"
JPEG = {"data": NOT_A_PICTURE, "content_type": "image/jpeg"}


class Program:
    """A program that knows the interface by its description alone."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        described = client.get("/api/v1/openapi.json").json
        assert described is not None
        self.operations = {
            operation["operationId"]: (method.upper(), path)
            for path, operations in described["paths"].items()
            for method, operation in operations.items()
        }
        self.called = {"describe"}

    def call(self, operation: str, expected: int = 200, **sent: Any) -> TestResponse:
        """Call an operation; arguments that are places of its path are put there, all others go to the client."""
        method, path = self.operations[operation]
        places = {name: sent.pop(name) for name in re.findall(r"{(\w+)}", path)}
        answer = self.client.open(path.format(**places), method=method, **sent)
        assert answer.status_code == expected, (operation, answer.text)
        self.called.add(operation)
        return answer

    def get(self, operation: str, **sent: Any) -> Any:
        """Call an operation; return the JSON of the answer."""
        return self.call(operation, **sent).json

    def post(self, operation: str, body: Any, expected: int = 200, **sent: Any) -> Any:
        """Call an operation with JSON; return the JSON of the answer."""
        return self.call(operation, expected, json=body, **sent).json


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An installation with everything it may have, under the simulated camera."""
    source, simulated_table = connect_camera("sim:4")
    opened = open_installation(DataFolder(tmp_path / "data"), source, simulated_table, pin=PIN)
    yield create_app(opened.services)
    opened.close()


@pytest.fixture
def program(app: Flask) -> Program:
    """A program of the banker."""
    client = app.test_client()
    token = app.extensions["companion"].logins.token(Caller("banker"))
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return Program(client)


def test_every_endpoint_answers_as_it_is_described(app: Flask, program: Program) -> None:
    # when a program does everything that the description tells of
    table = _begins_and_plays(program)
    _asks_what_is_known(program, table)
    _uses_the_camera(program, table, app)
    _teaches_a_box(program)
    _opens_an_event(program)
    _invites_people(program, table, app)
    _keeps_the_installation_well(program)

    # then no endpoint is left out (each answer is compared with its description on the way)
    assert set(program.operations) - program.called == set()
    assert set(program.operations) - {"describe"} <= described_answers.exercised


def _begins_and_plays(program: Program) -> str:
    started = program.post("startTable", START, 201)
    at: dict[str, Any] = {"table_id": started["id"]}
    program.call("listTables")
    program.call("showTable", **at)
    program.call("showCatalog", **at)
    program.call("showPreparation", **at)
    step = program.get("showPreparation", **at)["steps"][0]["step"]
    program.post("tickPreparation", {"step": step, "done": True}, **at)
    hire = {"do": "hire_worker", "player": "blue", "worker": "W07"}
    entry = program.post("giveCommand", hire, headers={"If-Match": str(started["version"])}, **at)
    program.call("showTable", query_string={"at": entry["seq"]}, **at)
    program.post("putInBin", {"in": True}, **at)
    program.post("putInBin", {"in": False}, **at)
    program.post("playOn", {}, 404, table_id="none")
    program.call("showHammer", **at)
    program.post("setHammer", {"seconds": 15}, **at)
    stream = program.call("followTable", query_string={"data": "version"}, buffered=False, **at)
    stream.close()
    return str(started["id"])


def _asks_what_is_known(program: Program, table: str) -> None:
    at: dict[str, Any] = {"table_id": table}
    for kept in ("json", "jsonl", "csv"):
        program.call("readJournal", query_string={"format": kept}, **at)
    program.call("explainFigure", query_string={"account": "player:blue"}, **at)
    program.call("lookAhead", query_string={"player": "blue"}, **at)
    program.call("suggestPlan", 422, query_string={"player": "blue"}, **at)
    program.call("tellNeeds", query_string={"player": "blue"}, **at)
    program.call("worthOverRounds", **at)
    program.call("showNotes", **at)
    program.post("handNotes", {"told": True}, **at)


def _uses_the_camera(program: Program, table: str, app: Flask) -> None:
    at: dict[str, Any] = {"table_id": table}
    program.call("checkCamera")
    program.call("showCheckedCard", 404, card="W07")
    program.call("showCalibration")
    program.post("beginLens", {"square_mm": 36})
    program.post("lookForBoard", {})
    program.post("keepLens", {}, 409)
    program.post("lookAtTable", {})
    program.post("keepMat", {}, 409)
    program.post("clearCardPlace", {}, 422)
    program.post("lookHere", {}, **at)
    program.post("furnishSimulatedTable", {"bump": True})
    program.post("laySimulatedCard", {"lay": "W08"}, **at)
    services: Services = app.extensions["companion"]
    asked: list[Any] = []
    while not asked and services.scanner.process_next_frame():
        asked = program.get("listProposals", **at)["proposals"]
    number = asked[0]["id"]
    program.call("showCamera")
    program.call("showLivePicture", **at)
    program.call("viewCamera", **at)
    program.call("compareWithTable", **at)
    program.call("showProposalPicture", number=number, **at)
    program.post("answerProposal", {"answer": "no"}, number=number, **at)
    program.call("showEntryPicture", 404, seq=1, **at)
    program.call("showDial", **at)
    program.post("turnDial", {"dial": "suggest", "kind": "worker"}, **at)
    program.call("postFrame", 422, **JPEG, **at)
    program.post("postScan", {"text": "W09"}, **at)
    program.call("readPicture", 422, data=NOT_A_PICTURE, content_type="application/octet-stream")
    program.call("showPrinter")
    program.call("measurePrinter", 422, **JPEG)
    program.call("checkSheet", 422, query_string={"game": "master_builder"}, **JPEG)
    program.call("forgetPrinter", 204)


def _opens_an_event(program: Program) -> None:
    program.post("seatPeople", {"game": "master_builder", "people": "Ada", "order": "given"}, 422)
    plan = program.post("seatPeople", {"game": "master_builder", "people": "Ada\nBen", "order": "random"})
    rules: dict[str, Any] = {"rules": {}, "variants": []}
    event = {"name": "Fair", "when": "", "game": "master_builder", "catalog": "house", **rules, **plan}
    opened = program.post("openEvent", event, 201)
    at: dict[str, Any] = {"event_id": opened["id"]}
    program.call("goOnOpening", **at)
    program.call("listEvents")
    shown = program.call("showEvent", **at).json or {}
    tables = [{name: table[name] for name in ("place", "name", "players")} for table in shown["tables"]]
    change = {"version": shown["version"], "name": "Late fair", "when": "", "tables": tables}
    program.post("changeEvent", change, **at)

    program.call("showEventResults", **at)
    program.post("moveEvent", {"in": True}, **at)


def _teaches_a_box(program: Program) -> None:
    box = program.post("beginBox", {"game": "master_builder", "name": "Our box"}, 201)
    at: dict[str, Any] = {"box_id": box["id"]}
    program.call("renameBox", json={"name": "Our own box"}, **at)
    card: dict[str, Any] = {"card": box["next"], **at}
    program.call("listBoxes")
    program.call("showBox", **at)
    program.post("teachCard", {}, 422, **card)
    program.call("unteachCard", **card)
    program.post("finishBox", {}, 422, **at)
    program.call("showCardPicture", 404, **card)
    program.call("sendCardPicture", 422, **JPEG, **card)
    program.post("takeCardPicture", {"do": "take"}, 422, **card)
    program.call("forgetCardPicture", 204, **card)
    program.call("forgetBox", 204, **at)
    house: dict[str, Any] = {"game": "master_builder", "name": "house"}
    program.call("listCatalogs")
    file = program.call("saveCatalog", **house).data
    program.call("takeInCatalog", 201, name="theirs", data=file, content_type="application/toml")
    program.post("copyCatalog", {"name": "once-more"}, 201, **house)
    program.call("compareCatalogs", query_string={"from": "theirs"}, **house)


def _invites_people(program: Program, table: str, app: Flask) -> None:
    at: dict[str, Any] = {"table_id": table}
    invited = program.post("invite", {"player": "yellow"}, 201, **at)
    phone = Program(app.test_client())
    login = phone.post("logIn", {"join": invited["token"]}, 201)
    phone.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {login['token']}"
    version = phone.get("showTable", **at)["version"]
    asked = phone.post("askForAgreement", {"do": "undo"}, 202, headers={"If-Match": str(version)}, **at)
    program.call("listAgreements", **at)
    program.post("answerAgreement", {"answer": "no"}, number=asked["asked"]["id"], **at)
    guests = program.get("listGuests", **at)["guests"]
    program.call("logOutGuest", device=guests[0]["device"], **at)
    hosting = program.call("inviteToHost", 201, **at).get_json()["token"]
    Program(app.test_client()).post("logIn", {"join": hosting}, 201)
    (host,) = program.get("listHosts", **at)["hosts"]
    program.call("logOutHost", device=host["device"], **at)
    television = Program(app.test_client())
    program.call("showSeats", 204, json={"game": "master_builder", "players": [{"id": "red", "name": "Ada"}]})
    waiting = program.post("beginAsScreen", None, 201)
    program.post("letScreenInByLetters", {"letters": waiting["letters"]}, 201, **at)
    television.post("logIn", {"screen": waiting["token"]}, 201)
    program.call("logOutGuests")
    screen = Program(app.test_client())
    screen.post("logIn", {"pin": PIN}, 201)
    screen.call("logOut", 204)
    program.called |= phone.called | screen.called


def _keeps_the_installation_well(program: Program) -> None:
    program.call("lookAtEverything")
    program.call("report")
    made = program.post("makeBackup", {}, 201)
    program.call("listBackups")
    program.call("downloadBackup", name=made["name"]).close()
    program.post("restoreBackup", {}, 422, name=made["name"])
