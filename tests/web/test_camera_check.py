"""The camera checked in words, with a real scanner behind the simulated camera, before there is any table."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras, installation
from companion.config import DataFolder
from companion.service.access.logins import Caller
from companion.service.camera.camera import CameraError
from companion.service.services import Services
from companion.web import create_app
from tests.every_game import tables_of_every_game
from tests.fakes import FakeCamera
from tests.opened import house_games


def served(services: Services, pin: str) -> FlaskClient:
    client = create_app(services).test_client()
    token = client.post("/api/v1/logins", json={"pin": pin}).get_json()["token"]
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


@pytest.fixture
def simulated() -> Iterator[tuple[Services, FlaskClient]]:
    """No table yet; the banker is logged in."""
    source, simulated_table = cameras.connect_camera("sim:4")
    logins, pin = bootstrap.create_temporary_logins()
    tables = bootstrap.open_tables(house_games(), InMemoryJournal())
    services = installation.create_services(tables, cameras.create_scanner(source), logins, simulated_table)
    yield services, served(services, pin)
    source.close()


def test_a_card_that_is_shown_is_read_and_named(simulated: tuple[Services, FlaskClient]) -> None:
    # given a camera that has not taken a picture, then a bare table
    services, client = simulated
    assert client.get("/api/v1/camera/check").get_json()["state"] == "waiting"
    assert client.get("/api/v1/camera/live.jpg").status_code == 404
    services.scanner.process_next_frame()
    bare = client.get("/api/v1/camera/check").get_json()
    assert (bare["state"], bare["light"], bare["card"], bare["good"]) == ("seeing", "good", None, False)

    # when a card is laid
    assert client.post("/api/v1/camera/simulated", json={"lay": "W07"}).get_json() == {"lay": "W07"}
    services.scanner.process_next_frame()
    check = client.get("/api/v1/camera/check?lang=de").get_json()

    # then it is named, and all is well
    assert check["good"]
    assert (check["light"], check["glare"], check["focus"], check["distance"]) == ("good", [], "sharp", "good")
    assert check["pixels_a_mm"] == pytest.approx(1.85, rel=0.1)
    assert check["card"]["card"] == "W07"
    assert "W07" in check["words"]["card"]
    assert check["words"]["light"] == "Das Licht ist gut."
    assert check["simulated"]

    # and its picture and the judged frame can be had
    assert client.get(check["card"]["picture"]).data.startswith(b"\xff\xd8")
    number = check["picture"]["number"]
    assert client.get(f"/api/v1/camera/live.jpg?number={number}").data.startswith(b"\xff\xd8")
    assert client.get("/api/v1/camera/cards/W99.jpg").status_code == 404
    assert client.get("/api/v1/camera/check?lang=de").get_json() == check


@pytest.mark.parametrize("name", ["men_at_work", "monopoly_builder"])
@pytest.mark.parametrize("begun", [False, True], ids=["no table", "a table"])
def test_a_card_of_any_game_is_named(tmp_path: Path, name: str, *, begun: bool) -> None:
    # given the cards of another game than the usual one, with a table of it or before there is any
    source, simulated_table = cameras.connect_camera("sim:4")
    logins, pin = bootstrap.create_temporary_logins()
    tables = tables_of_every_game(tmp_path)
    scanner = cameras.create_scanner(source)
    services = installation.create_services(tables, scanner, logins, simulated_table, DataFolder(tmp_path))
    client = served(services, pin)
    manifest = tables.games[name].manifest
    if begun:
        seats = [{"id": colour} for colour in manifest.seats.colours[:2]]
        start = {"do": "start_game", "game": name, "first": seats[0]["id"], "players": seats}
        assert client.post("/api/v1/tables", json=start).status_code == 201
        assert scanner.deck is not None

    # when one is laid
    labels = bootstrap.label_texts(manifest, bootstrap.load_bundled_catalog(manifest))
    card, text = next(iter(labels.items()))
    assert client.post("/api/v1/camera/simulated", json={"lay": text}).status_code == 200
    scanner.process_next_frame()
    check = client.get("/api/v1/camera/check").get_json()
    looked = client.post("/api/v1/calibration/table/look", json={}).get_json()
    source.close()

    # then the check names it by its game, and the calibration reads it
    assert (check["card"] or {}).get("card") == card
    assert check["good"]
    assert check["card"]["title"] != card
    assert looked["labels"] == 1


def test_a_camera_that_has_gone_says_why() -> None:
    source = FakeCamera([CameraError("camera usb:0: it gives no pictures; is it plugged in?")])
    logins, pin = bootstrap.create_temporary_logins()
    tables = bootstrap.open_tables(house_games(), InMemoryJournal())
    services = installation.create_services(tables, cameras.create_scanner(source), logins, None)
    client = served(services, pin)

    services.scanner.process_next_frame()
    check = client.get("/api/v1/camera/check").get_json()

    assert (check["state"], check["picture"], check["good"], check["simulated"]) == ("lost", None, False, False)
    assert "plugged in" in check["problem"]
    assert check["words"] == {"state": "The camera is gone."}
    assert client.post("/api/v1/camera/simulated", json={"lay": "W07"}).status_code == 404


def test_where_no_camera_is_all_is_tapped_and_only_the_banker_is_told(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], table: str
) -> None:
    check = banker.get("/api/v1/camera/check").get_json()
    assert (check["state"], check["words"]["state"]) == ("none", "There is no camera: you tap every card.")
    assert banker.get("/api/v1/camera/live.jpg").status_code == 404
    assert banker.get("/api/v1/camera/cards/W07.jpg").status_code == 404

    guest = as_caller(Caller("spectator", table=table.rsplit("/", 1)[-1]))
    for path in ("check", "live.jpg", "cards/W07.jpg"):
        assert guest.get(f"/api/v1/camera/{path}").status_code == 403
    assert guest.get("/calibrate").location == "/"


def test_the_page_of_the_camera_has_the_check(banker: FlaskClient) -> None:
    page = banker.get("/calibrate").text
    assert "data-camera-check" in page
    assert "camera_check.js" in page
    assert "calibrate.js" not in page


@pytest.mark.nightly
def test_frames_are_remembered_for_a_while_under_their_numbers(simulated: tuple[Services, FlaskClient]) -> None:
    services, client = simulated
    pictures = []
    for _ in range(6):
        services.scanner.process_next_frame()
        number = client.get("/api/v1/camera/check").get_json()["picture"]["number"]
        pictures.append((number, client.get(f"/api/v1/camera/live.jpg?number={number}").data))

    latest = client.get("/api/v1/camera/live.jpg").data
    last, first = pictures[-1], pictures[0]
    assert client.get(f"/api/v1/camera/live.jpg?number={last[0]}").data == last[1]
    assert client.get(f"/api/v1/camera/live.jpg?number={first[0]}").data == latest
