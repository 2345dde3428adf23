"""Calibrating through the HTTP interface, under the simulated camera, as the page does it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.profile import Profile
from companion import bootstrap
from companion.adapters.calibration_stores import load_profile, save_profile
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras, installation
from companion.bootstrap.cameras import create_mat_tracker, load_mats
from companion.config import DataFolder
from companion.service.camera.camera import Camera, Frame
from companion.service.services import Services
from companion.simulator.camera import POSE_MS, POSES, SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.fakes import FakeCamera
from tests.opened import house_games, house_texts
from tests.web.test_camera_check import served

LENS, TABLE = "/api/v1/calibration/lens", "/api/v1/calibration/table"


@dataclass
class Bench:
    """A client, the services behind it, and the folder where profiles are kept."""

    client: FlaskClient
    services: Services
    folder: DataFolder

    def observe_next_frame(self, path: str) -> dict[str, Any]:
        """Process the next frame and return what it showed."""
        self.services.scanner.process_next_frame()
        answer = self.client.post(f"{path}/look", json={})
        assert answer.status_code == 200
        view = answer.get_json()
        assert isinstance(view, dict)
        return view


def bench(folder: Path, camera: Camera, simulated_table: SimulatedTable | None) -> Bench:
    data = DataFolder(folder)
    logins, pin = bootstrap.create_temporary_logins()
    tables = bootstrap.open_tables(house_games(), InMemoryJournal())
    scanner = cameras.create_scanner(camera, create_mat_tracker(data, camera.name))
    services = installation.create_services(tables, scanner, logins, simulated_table, data)
    return Bench(served(services, pin), services, data)


@pytest.fixture
def simulated(tmp_path: Path) -> Bench:
    """A simulated table whose board is held in another way in every frame."""
    table = SimulatedTable(4, house_texts(), mats=load_mats())
    return bench(tmp_path, SimulatedCamera(table, frame_ms=POSE_MS), table)


def test_the_lens_is_found_step_by_step_kept_and_used_at_once(simulated: Bench) -> None:
    # given a camera of which nothing is known
    client = simulated.client
    calibration = client.get("/api/v1/calibration").get_json()
    assert (calibration["camera"], calibration["lens"], calibration["mat"], calibration["fault"]) == (
        "sim:4",
        None,
        None,
        None,
    )
    assert client.post(f"{LENS}/look", json={}).get_json()["picture"] is None
    assert client.post(f"{LENS}/keep", json={}).status_code == 409
    bare = simulated.observe_next_frame(LENS)
    assert bare["words"]["seen"] == ["No board in view: hold all of it under the camera."]
    assert bare["words"]["missing"][-1] == "the board in every part of the picture"

    # when the board is moved about under it
    assert client.post("/api/v1/camera/simulated", json={"board": True}).status_code == 200
    first = simulated.observe_next_frame(LENS)
    assert first["taken"]
    assert len(first["corners"]) == 24
    assert first["missing"]["views"] == 9
    assert "9 more pictures" in first["words"]["missing"]
    again = client.post(f"{LENS}/look", json={}).get_json()
    assert again == first
    last = [simulated.observe_next_frame(LENS) for _ in POSES][-1]

    # then it is known, how far off it is can be read, and it is kept only when somebody says so
    assert last["missing"] == {"views": 0, "tilted": 0, "parts": []}
    assert last["fit"]["error_px"] < 0.3
    assert load_profile(simulated.folder.profiles, "sim:4") is None
    kept = client.post(f"{LENS}/keep?lang=de", json={}).get_json()
    assert "Pixel" in kept["words"]
    profile = load_profile(simulated.folder.profiles, "sim:4")
    assert profile is not None
    assert profile.lens is not None
    assert profile.lens.lens.focal_x == pytest.approx(1478, rel=0.01)

    # and the camera that runs uses it from the next frame on
    client.post("/api/v1/camera/simulated", json={"board": False})
    client.post("/api/v1/camera/simulated", json={"mat": "a2"})
    simulated.services.scanner.process_next_frame()
    tracker = simulated.services.scanner.mat
    assert tracker is not None
    assert tracker.latest is not None
    assert tracker.latest.lens == profile.lens.lens


def test_beginning_anew_forgets_the_pictures_and_takes_the_measured_square(simulated: Bench) -> None:
    client = simulated.client
    client.post("/api/v1/camera/simulated", json={"board": True})
    assert simulated.observe_next_frame(LENS)["views"] == 1

    assert client.post(LENS, json={"square_mm": 35.5}).status_code == 200
    assert simulated.observe_next_frame(LENS)["views"] == 1
    assert client.post(LENS, json={}).status_code == 200
    for wrong in ({"square_mm": 4}, {"square_mm": "36"}, {"square_mm": True}, {"square_mm": None}, {"side": 3}):
        assert client.post(LENS, json=wrong).status_code == 400


def test_the_mat_is_seen_with_its_zones_and_kept(simulated: Bench) -> None:
    # given a bare table
    client = simulated.client
    assert client.post(f"{TABLE}/look", json={}).get_json()["picture"] is None
    assert client.post(f"{TABLE}/keep", json={}).status_code == 409
    bare = simulated.observe_next_frame(TABLE)
    assert (bare["mat"], bare["good"]) == (None, False)

    # when a mat is laid, with a card in its tray
    client.post("/api/v1/camera/simulated", json={"mat": "table"})
    client.post("/api/v1/camera/simulated", json={"lay": "W07"})
    simulated.observe_next_frame(TABLE)
    view = [simulated.observe_next_frame(TABLE) for _ in range(3)][-1]

    # then it is told, and where its zones lie in the picture
    assert view["good"]
    assert view["labels"] == 1
    mat = view["mat"]
    assert isinstance(mat, dict)
    assert mat["name"] == "table"
    by_name = {zone["zone"]: zone for zone in mat["zones"]}
    assert by_name["tray"]["title"] == "Scan tray"
    corners = np.array(by_name["tray"]["corners"])
    assert ((corners > 0) & (corners < (1920, 1080))).all()
    assert "4 of 4 corner markers in view" in view["words"]["seen"]
    kept = client.post(f"{TABLE}/keep", json={}).get_json()
    assert (kept["name"], kept["words"]) == ("table", mat["words"])
    calibration = client.get("/api/v1/calibration").get_json()
    assert (calibration["mat"], calibration["simulated"]) == (kept, {"board": False, "mat": True})

    # and a mat that was taken away is told as gone
    client.post("/api/v1/camera/simulated", json={"mat": None})
    simulated.observe_next_frame(TABLE)
    assert simulated.observe_next_frame(TABLE)["mat"] is None
    assert client.post("/api/v1/camera/simulated", json={"mat": "a9"}).status_code == 400


def test_a_profile_that_cannot_be_read_is_told_and_replaced(simulated: Bench) -> None:
    path = save_profile(simulated.folder.profiles, Profile("sim:4"))
    path.write_text("camera = ")
    assert path.name in simulated.client.get("/api/v1/calibration").get_json()["fault"]

    simulated.client.post("/api/v1/camera/simulated", json={"mat": "a3"})
    simulated.observe_next_frame(TABLE)
    assert simulated.client.post(f"{TABLE}/keep", json={}).status_code == 200

    assert simulated.client.get("/api/v1/calibration").get_json()["fault"] is None


def test_a_camera_that_changes_the_size_of_its_pictures_begins_anew(tmp_path: Path) -> None:
    sizes = [(300, 400), (400, 300)]
    frames = [Frame(np.full(size, 128, np.uint8), number * 100, number) for number, size in enumerate(sizes)]
    other = bench(tmp_path, FakeCamera(frames), None)

    assert other.observe_next_frame(LENS)["picture"] == {"number": 0, "width": 400, "height": 300}
    assert other.observe_next_frame(LENS)["picture"] == {"number": 1, "width": 300, "height": 400}
    assert other.client.get("/api/v1/calibration").get_json()["simulated"] is None


def test_only_the_banker_calibrates_and_only_where_a_profile_is_kept(
    banker: FlaskClient, stranger: FlaskClient
) -> None:
    assert stranger.post(f"{LENS}/look", json={}).status_code == 401
    assert banker.get("/api/v1/calibration").status_code == 404
    assert banker.get("/calibrate/board.pdf").status_code == 404


def test_the_page_has_every_step_and_its_sheets_are_printed(simulated: Bench) -> None:
    client = simulated.client
    page = client.get("/calibrate?table=t1&lang=fr").text
    for part in ('id="check"', 'id="lens"', 'id="table"', 'href="/tables/t1"', "Toute la table, A2"):
        assert part in page
    assert 'href="/"' in client.get("/calibrate?table=../x").text
    for name in ("board", "a2", "a3", "table"):
        answer = client.get(f"/calibrate/{name}.pdf")
        assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
        assert answer.data.startswith(b"%PDF")
    assert client.get("/calibrate/nothing.pdf").status_code == 404
