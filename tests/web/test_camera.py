"""Cards laid on the simulated table from a page, and the camera turned to another table."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras, installation
from companion.bootstrap.cameras import create_mat_tracker, load_mats
from companion.bot_games.games import bots_of
from companion.config import DataFolder
from companion.service.camera.camera import Frame
from companion.service.services import Services
from companion.simulator.art import name_die
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from companion.vision.read import to_grey
from companion.web import create_app
from tests.opened import house_texts, installed_games
from tests.vision.spoilt import spoilt
from tests.web.conftest import START
from tests.web.test_camera_check import served


@pytest.fixture
def simulated() -> Iterator[tuple[Services, FlaskClient, str]]:
    """A real scanner behind the simulated camera, a table at it, and a banker who is logged in."""
    source, simulated_table = cameras.connect_camera("sim:4")
    logins, pin = bootstrap.create_temporary_logins()
    tables = bootstrap.open_tables(bootstrap.load_games(installed_games(), None), InMemoryJournal())
    services = installation.create_services(
        tables, cameras.create_scanner(source, MatTracker(list(load_mats().values()))), logins, simulated_table
    )
    client = create_app(services).test_client()
    token = client.post("/api/v1/logins", json={"pin": pin}).get_json()["token"]
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    table = client.post("/api/v1/tables", json=START).get_json()["id"]
    yield services, client, table
    source.close()


def begun(simulated: tuple[Services, FlaskClient, str], game: str) -> str:
    """Begin a game under the simulated camera, and return its table."""
    services, client, _ = simulated
    start = {**bots_of(services.tables.games[game].manifest).beginning(2), "catalog": "house"}
    table = str(client.post("/api/v1/tables", json=start).get_json()["id"])
    services.scanner.attach(services.tables.get(table))
    return table


@pytest.mark.parametrize(
    ("game", "card", "text"),
    [
        ("master_builder", "C01", "MB1C01"),
        ("monopoly_builder", "C01", "MO1C01"),
        ("men_at_work", "GOP", "MW1GOP"),
        ("men_at_work", "X06", "MW1X06"),
        ("men_at_work", "X01", "MW1X01"),
    ],
)
def test_what_is_laid_is_a_card_of_the_tables_own_game(
    simulated: tuple[Services, FlaskClient, str], game: str, card: str, text: str
) -> None:
    services, client, _ = simulated
    lies = services.simulated_table
    assert isinstance(lies, SimulatedTable)
    address = f"/api/v1/tables/{begun(simulated, game)}/simulated"

    assert client.post(address, json={"lay": card}).get_json() == {"lay": card}
    assert [lies.texts[placed.card] for placed in lies.cards] == [text]

    assert client.post(address, json={"take_away": card}).status_code == 200
    assert not lies.cards


def test_backs_and_command_cards_are_laid_from_the_sheet(simulated: tuple[Services, FlaskClient, str]) -> None:
    _, client, _ = simulated
    table = begun(simulated, "men_at_work")

    def offered(deck: str) -> dict[str, str]:
        page = client.get(f"/tables/{table}/live?part=camera&deck={deck}&lang=en").get_data(as_text=True)
        assert f'data-deck="{deck}"' in page
        return dict(re.findall(r'data-lay="(\w+)"[^>]*><b>\w+</b><span>([^<]*)</span>', page))

    assert {"GOP", "HBW"} < offered("of-backs").keys()
    assert (offered("of-commands")["X06"], offered("of-commands")["X01"]) == ("DONE", "YES")


def test_a_card_laid_from_the_page_is_proposed_when_the_camera_has_seen_it_lie(
    simulated: tuple[Services, FlaskClient, str],
) -> None:
    services, client, table = simulated
    given = client.post(f"/api/v1/tables/{table}/simulated", json={"lay": "W07"})
    assert given.get_json() == {"lay": "W07"}
    asked: list[dict[str, Any]] = []
    while not asked and services.scanner.process_next_frame():
        asked = client.get(f"/api/v1/tables/{table}/proposals").get_json()["proposals"]
    assert asked[0]["command"] == {"do": "hire_worker", "player": "blue", "worker": "W07"}
    assert client.get(asked[0]["picture"]).data.startswith(b"\xff\xd8")
    client.post(f"/api/v1/tables/{table}/simulated", json={"take_away": "W07"})
    entry = client.post(f"/api/v1/tables/{table}/proposals/{asked[0]['id']}", json={"answer": "yes"}).get_json()
    assert entry["entry"]["source"] == "camera"


NO_THROWS: list[dict[str, object]] = [{"throw": []}, {"throw": [0, 7]}, {"throw": [1] * 5}, {"throw": "34"}]


def test_dice_are_thrown_on_the_simulated_table(simulated: tuple[Services, FlaskClient, str]) -> None:
    services, client, table = simulated
    assert client.post(f"/api/v1/tables/{table}/simulated", json={"throw": [3, 4]}).get_json() == {"throw": [3, 4]}
    assert isinstance(services.simulated_table, SimulatedTable)
    assert {placed.card for placed in services.simulated_table.cards} == {name_die(0, 3), name_die(1, 4)}


def test_what_no_hand_can_do_is_a_problem(simulated: tuple[Services, FlaskClient, str]) -> None:
    _, client, table = simulated
    for body in ({}, {"lay": 7}, {"drop": "W07"}, {"lay": "W07", "take_away": "W08"}, *NO_THROWS):
        assert client.post(f"/api/v1/tables/{table}/simulated", json=body).status_code == 400, body


def test_a_card_that_is_not_in_the_box_cannot_be_laid(simulated: tuple[Services, FlaskClient, str]) -> None:
    _, client, table = simulated
    assert client.post(f"/api/v1/tables/{table}/simulated", json={"lay": "W99"}).status_code == 400


def test_the_camera_turns_to_the_table_that_asks_for_it(simulated: tuple[Services, FlaskClient, str]) -> None:
    services, client, first = simulated
    second = client.post("/api/v1/tables", json=START).get_json()["id"]
    assert services.scanner.attached_to == second
    client.post(f"/api/v1/tables/{first}/camera", json={})
    assert services.scanner.attached_to == first


def test_under_a_real_camera_no_card_can_be_laid_from_a_page(banker: FlaskClient) -> None:
    table = banker.post("/api/v1/tables", json=START).get_json()["id"]
    assert banker.post(f"/api/v1/tables/{table}/simulated", json={"lay": "W07"}).status_code == 404


def test_on_a_simulated_mat_the_zone_says_whose_card_it_is_also_after_a_knock(
    simulated: tuple[Services, FlaskClient, str],
) -> None:
    services, client, table = simulated
    assert services.simulated_table is not None
    services.simulated_table.lay_mat("table")
    asked: list[dict[str, Any]] = []
    assert client.post(f"/api/v1/tables/{table}/simulated", json={"bump": True}).get_json() == {"bump": True}
    given = client.post(f"/api/v1/tables/{table}/simulated", json={"lay": "W07", "zone": "yellow"})
    assert given.get_json() == {"lay": "W07", "zone": "yellow"}
    while not asked and services.scanner.process_next_frame():
        asked = client.get(f"/api/v1/tables/{table}/proposals").get_json()["proposals"]
    assert (asked[0]["zone"], asked[0]["question"]["rule"]) == ("yellow", "not_your_turn")
    # what cannot be booked asks nothing: it is told
    page = client.get(f"/tables/{table}").text
    assert "The camera saw a card" in page
    assert "The camera asks" not in page
    assert re.findall(r'data-answer="(\w+)"', page) == ["no", "again"]
    assert "Got it" in page
    response = client.post(f"/api/v1/tables/{table}/simulated", json={"lay": "W08", "zone": "garden"})
    assert response.status_code == 400
    sheet = " ".join(client.get(f"/tables/{table}/live?part=camera&zone=blue").text.split())
    assert 'data-zone="blue" aria-pressed="true"' in sheet
    assert 'data-zone="tray" aria-pressed="false"' in sheet


def test_what_is_seen_is_told_with_its_places_cards_strangers_and_zones(tmp_path: Path) -> None:
    # given a table on a mat, with a card of the game and a code of something else
    texts = {**house_texts(), "stranger": "HELLO"}
    simulated_table = SimulatedTable(4, texts, mats=load_mats())
    source = SimulatedCamera(simulated_table, frame_ms=200)
    logins, pin = bootstrap.create_temporary_logins()
    tables = bootstrap.open_tables(bootstrap.load_games(installed_games(), None), InMemoryJournal())
    scanner = cameras.create_scanner(source, create_mat_tracker(DataFolder(tmp_path), source.name))
    services = installation.create_services(tables, scanner, logins, simulated_table)
    client = served(services, pin)
    first, second = (client.post("/api/v1/tables", json=START).get_json()["id"] for _ in range(2))
    nothing = client.get(f"/api/v1/tables/{second}/camera").get_json()
    simulated_table.lay_mat("table")
    simulated_table.lay_on_tray("W07")
    simulated_table.lay("stranger", 800, 200)

    # when it has been looked at
    for _ in range(4):
        services.scanner.process_next_frame()
    view = client.get(f"/api/v1/tables/{second}/camera?lang=de").get_json()

    # then each is told apart, and another table is told nothing
    assert nothing == {"picture": None, "cards": [], "strangers": [], "unread": [], "zones": []}
    assert [(card["card"], card["zone"], card["place"]) for card in view["cards"]] == [("W07", "tray", "Leseplatz")]
    assert "W07" in view["cards"][0]["title"]
    assert [code["text"] for code in view["strangers"]] == ["HELLO"]
    assert len(view["zones"]) == 9
    assert client.get(f"/api/v1/camera/live.jpg?number={view['picture']['number']}").data.startswith(b"\xff\xd8")
    assert client.get(f"/api/v1/tables/{first}/camera").get_json() == nothing
    assert scanner.state_json(second)["mat"] == "table"


@pytest.mark.nightly
def test_a_card_that_lies_unread_says_why_and_where(
    simulated: tuple[Services, FlaskClient, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a place where a card was read
    services, client, table = simulated
    simulated_table = services.simulated_table
    assert isinstance(simulated_table, SimulatedTable)
    simulated_table.lay("W07", 600, 380)
    process_frames(services)
    (read,) = client.get(f"/api/v1/tables/{table}/camera").get_json()["cards"]
    quad = np.array(read["corners"])
    simulated_table.take_away("W07")
    process_frames(services)

    # when a lamp is mirrored there, and it is laid down once more
    grab = services.scanner.camera.grab

    def under_a_lamp() -> Frame | None:
        frame = grab()
        if frame is None:
            return None
        lit, _ = spoilt(to_grey(frame.image), quad, "glare", np.random.default_rng(4))
        return replace(frame, image=np.ascontiguousarray(np.repeat(lit[:, :, None], 3, axis=2)))

    monkeypatch.setattr(services.scanner.camera, "grab", under_a_lamp)
    simulated_table.lay("W07", 600, 380)
    unread: list[Any] = []
    for _ in range(50):
        process_frames(services)
        seen = client.get(f"/api/v1/tables/{table}/camera").get_json()
        assert seen["cards"] == []
        if unread := seen["unread"]:
            break

    # then it is told in words, with its place
    (label,) = unread
    assert (label["why"], label["title"]) == ("glare", "a lamp shines on it")
    assert "turn or move the card" in label["advice"]
    assert np.hypot(*(np.mean(label["corners"], axis=0) - quad.mean(axis=0))) < 20
    (label,) = client.get(f"/api/v1/tables/{table}/camera?lang=de").get_json()["unread"]
    assert label["title"] == "Lampe spiegelt"


def process_frames(services: Services, frames: int = 4) -> None:
    for _ in range(frames):
        services.scanner.process_next_frame()
