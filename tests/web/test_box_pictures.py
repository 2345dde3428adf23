"""Pictures of a taught box's cards over the HTTP interface: taken, sent, turned, shown, and for the banker alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.adapters.pictures import decode_picture, encode_jpeg
from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import RunningInstallation, open_installation
from companion.config import DataFolder
from companion.service.access.logins import Caller
from companion.simulator.table import SimulatedTable
from companion.vision.card_art.outline import CardPicture, TaughtCard, resize_card
from companion.web import create_app
from tests.card_faces import card_faces, on_a_cloth
from tests.service.taught import printed

API = "/api/v1"
BOX = f"{API}/boxes/our-box"
LIKE = 0.8
"""What a face that stands on its head, or another card, does not reach."""


class Installed:
    """An installation with a simulated camera over an empty place, and its banker."""

    def __init__(self, opened: RunningInstallation, simulated_table: SimulatedTable) -> None:
        self.opened, self.simulated_table = opened, simulated_table
        self.app = create_app(opened.services)
        self.banker = self.client(Caller("banker"))
        self.banker.post(f"{API}/boxes", json={"game": "master_builder", "name": "Our box"})

    def client(self, caller: Caller) -> FlaskClient:
        made = self.app.test_client()
        made.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {self.opened.services.logins.token(caller)}"
        return made

    def process_frames(self, frames: int = 4) -> None:
        for _ in range(frames):
            self.opened.services.scanner.process_next_frame()

    def lay(self, card: str) -> None:
        self.simulated_table.clear()
        self.simulated_table.lay_unlabelled(card, card_faces("master_builder")[card])
        self.process_frames()

    def send(self, card: str, data: bytes) -> Any:
        return self.banker.put(f"{BOX}/cards/{card}/picture", data=data, content_type="image/jpeg")

    def finished(self) -> Any:
        answer: Any = self.banker.post(f"{BOX}/catalog", json={})
        return answer.json["catalog"]

    def do(self, what: str, card: str = "W01") -> Any:
        return self.banker.post(f"{BOX}/cards/{card}/picture", json={"do": what})


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installed]:
    source, simulated_table = connect_camera("sim:3")
    opened = open_installation(DataFolder(tmp_path / "data"), source, simulated_table)
    assert isinstance(simulated_table, SimulatedTable)
    yield Installed(opened, simulated_table)
    opened.close()


def likeness(jpeg: bytes, card: str) -> float:
    """How well a picture correlates with a card's print."""
    shown, printed_face = resize_card(decode_picture(jpeg)), resize_card(card_faces("master_builder")[card])
    return float(np.corrcoef(shown.ravel().astype(float), printed_face.ravel().astype(float))[0, 1])


@pytest.mark.nightly
def test_the_card_under_the_camera_is_taken_once_the_empty_place_is_known(installed: Installed) -> None:
    # given a camera that does not know yet how the place looks without a card
    installed.process_frames()
    refused = installed.do("take")
    assert (refused.status_code, refused.json["why"]) == (422, "place_unknown")

    # when it is told, and a card is laid there
    assert installed.banker.post(f"{API}/camera/place", json={}).json == {"known": True}
    assert installed.do("take").json["why"] == "nothing_there"
    installed.lay("W01")
    taken = installed.do("take")

    # then its picture is kept, straight and upright
    assert taken.json == {"card": "W01", "taken": True, "alike": []}
    shown = installed.banker.get(f"{BOX}/cards/W01/picture")
    assert shown.mimetype == "image/jpeg"
    assert likeness(shown.data, "W01") > LIKE


@pytest.mark.nightly
def test_a_new_card_is_taken_by_itself_and_the_same_one_is_not(installed: Installed) -> None:
    installed.process_frames()
    installed.banker.post(f"{API}/camera/place", json={})
    assert installed.do("take_new").json["taken"] is False
    installed.lay("W01")
    assert installed.do("take_new").json["taken"] is True
    assert installed.do("take_new", "W02").json["taken"] is False

    installed.lay("W02")

    assert installed.do("take_new", "W02").json["taken"] is True
    assert likeness(installed.banker.get(f"{BOX}/cards/W02/picture").data, "W02") > LIKE


def test_a_phone_sends_a_picture_which_is_turned_and_removed(installed: Installed) -> None:
    sent = installed.send("C03", on_a_cloth("C03"))
    assert sent.json == {"card": "C03", "taken": True, "alike": []}
    upright = installed.banker.get(f"{BOX}/cards/C03/picture").data
    assert likeness(upright, "C03") > LIKE

    installed.do("turn", "C03")

    turned = installed.banker.get(f"{BOX}/cards/C03/picture").data
    assert likeness(encode_jpeg(np.ascontiguousarray(decode_picture(turned)[::-1, ::-1])), "C03") > LIKE
    assert installed.banker.delete(f"{BOX}/cards/C03/picture").status_code == 204
    assert installed.banker.get(f"{BOX}/cards/C03/picture").status_code == 404
    assert installed.do("turn", "C03").status_code == 404


@pytest.mark.nightly
def test_two_cards_of_one_print_are_told_when_the_second_is_taken(installed: Installed) -> None:
    installed.send("W04", on_a_cloth("W04"))

    answer = installed.send("W06", on_a_cloth("W06"))

    assert answer.json["alike"] == ["W04"]
    page = installed.banker.get("/boxes/our-box?card=W06").get_data(as_text=True)
    assert "Looks like W04" in page


@pytest.mark.parametrize(
    ("data", "status", "kind"),
    [
        (b"<svg/>", 415, "foreign_format"),
        (b"\x89PNG\r\n\x1a\nbroken", 422, "unreadable"),
        (encode_jpeg(np.full((400, 300, 3), 90, np.uint8)), 422, "no_card"),
        (cv2.imencode(".png", np.zeros((4200, 4200), np.uint8))[1].tobytes(), 422, "unreadable"),
        (b"", 400, "malformed"),
    ],
)
def test_what_is_no_picture_of_a_card_is_refused_and_nothing_is_kept(
    installed: Installed, data: bytes, status: int, kind: str
) -> None:
    answer = installed.send("W01", data)

    assert (answer.status_code, answer.json["type"].rsplit("/", 1)[-1]) == (status, kind)
    assert installed.banker.get(f"{BOX}/cards/W01/picture").status_code == 404


@pytest.mark.parametrize("path", ["/boxes/our-box/cards/X99/picture", "/boxes/none/cards/W01/picture"])
def test_there_are_no_pictures_of_what_is_not_in_the_box(installed: Installed, path: str) -> None:
    assert installed.banker.get(API + path).status_code == 404
    assert installed.banker.put(API + path, data=on_a_cloth("W01"), content_type="image/jpeg").status_code == 404
    assert installed.banker.post(API + path, json={"do": "turn"}).status_code == 404
    assert installed.banker.delete(API + path).status_code == 404


@pytest.mark.parametrize("caller", [Caller("spectator", table="t1"), Caller("player", table="t1", player="blue")])
def test_nobody_but_the_banker_takes_or_sees_them(installed: Installed, caller: Caller) -> None:
    guest = installed.client(caller)

    assert guest.get(f"{BOX}/cards/W01/picture").status_code in {401, 403}
    assert guest.post(f"{API}/camera/place", json={}).status_code in {401, 403}
    assert guest.put(f"{BOX}/cards/W01/picture", data=on_a_cloth("W01")).status_code in {401, 403}


def test_bare_cards_of_the_finished_box_are_known_at_its_tables_also_after_a_restart(
    installed: Installed, tmp_path: Path
) -> None:
    # given a whole box that was taught, with the picture of a card, kept as a catalog, and kept anew once mended
    for card, values in printed("master_builder").items():
        installed.banker.put(f"{BOX}/cards/{card}", json=values)
    for card in ("W07", "W12"):
        installed.banker.put(f"{BOX}/cards/{card}/picture", data=on_a_cloth(card), content_type="image/jpeg")
    assert installed.finished() == "our-box"
    installed.banker.put(f"{BOX}/cards/C01", json={**printed("master_builder")["C01"], "name": "Other Lane Wall"})
    assert installed.finished() == "our-box-2"

    # when the program is begun anew
    installed.opened.close()
    source, simulated_table = connect_camera("sim:3")
    opened = open_installation(DataFolder(tmp_path / "data"), source, simulated_table)
    try:
        faces = opened.services.faces
        assert faces is not None

        # then both catalogs have their faces, and no other has
        for catalog in ("our-box", "our-box-2"):
            load = faces.loader_for("master_builder", catalog)
            assert load is not None
            assert [card.card for card in load().cards] == ["W07", "W12"]
        assert faces.loader_for("master_builder", "house") is None
        assert faces.loader_for("men_at_work", "our-box") is None
    finally:
        opened.close()


def test_a_box_that_is_forgotten_takes_its_pictures_along(installed: Installed, tmp_path: Path) -> None:
    installed.banker.put(f"{BOX}/cards/W01/picture", data=on_a_cloth("W01"), content_type="image/jpeg")
    assert [path.name for path in (tmp_path / "data" / "pictures").iterdir()] == ["our-box.W01.jpg"]

    installed.banker.delete(BOX)

    assert list((tmp_path / "data" / "pictures").iterdir()) == []


def test_a_bare_card_is_laid_under_the_simulated_camera_by_a_call(installed: Installed) -> None:
    lay: Callable[..., Any] = installed.banker.post

    assert lay(f"{API}/camera/simulated", json={"lay": "W07", "bare": True}).status_code == 200
    assert [card.card for card in installed.simulated_table.cards] == ["bare W07"]
    assert lay(f"{API}/camera/simulated", json={"take_away": "W07"}).status_code == 200
    assert installed.simulated_table.cards == ()
    assert lay(f"{API}/camera/simulated", json={"lay": "Z99", "bare": True}).status_code == 400


def test_a_new_picture_makes_only_its_own_face_ready(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    # given two cards whose pictures were looked at
    boxes, faces = installed.opened.services.boxes, installed.opened.services.faces
    assert boxes is not None
    assert faces is not None
    for card in ("W01", "W02"):
        faces.keep("our-box", card, card_faces("master_builder")[card])
    faces.alike(boxes.get("our-box"), "W01")

    # when a third is kept
    made: list[str] = []
    of = TaughtCard.of

    def counted(card: str, face: CardPicture) -> TaughtCard:
        made.append(card)
        return of(card, face)

    monkeypatch.setattr(TaughtCard, "of", counted)
    faces.keep("our-box", "W03", card_faces("master_builder")["W03"])
    faces.alike(boxes.get("our-box"), "W01")

    # then nothing is done again for the others
    assert made == ["W03"]
