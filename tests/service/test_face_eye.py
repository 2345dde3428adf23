"""Bare cards in the tray: asked about when they are known by their faces, told when they are not, never acted on."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.label_readers import FrameReader
from companion.adapters.pictures import encode_jpeg
from companion.bootstrap.cameras import load_mats
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import DetectorFactory, Scanner
from companion.service.runtime import SystemClock
from companion.service.table.table import Request
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from companion.vision.card_art.outline import TaughtCards, resize_card
from tests.card_faces import card_faces
from tests.extent import by_night
from tests.opened import house_games, house_texts

FRAME_MS = 250
LONG_ENOUGH = 10
"""Frames until whatever was laid down has been told."""
TAUGHT = ("W02", "W04", "W06", "W07", "W09", "W12", "W15", "W20", "W25", "C03", "C11", "E05", "Y02")
"""Two of one print among them; the whole deck is recognised in ``tests/vision/test_faces.py``."""


@cache
def taught() -> TaughtCards:
    faces = card_faces("master_builder")
    return TaughtCards({card: resize_card(faces[card]) for card in TAUGHT})


class Looking:
    """A game of Ada and Ben with a box whose faces were taught, under the simulated camera."""

    def __init__(self, mat: str | None = None) -> None:
        self.simulated_table = SimulatedTable(3, house_texts(), mats=load_mats())
        self.simulated_table.lay_mat(mat)
        tracker = None if mat is None else MatTracker(list(load_mats().values()))
        camera = SimulatedCamera(self.simulated_table, frame_ms=FRAME_MS)
        detector_factory = DetectorFactory(card_art=lambda _game, _catalog: taught)
        self.scanner = Scanner(
            camera,
            FrameReader().read,
            encode_jpeg,
            ProposalService(SystemClock()),
            mat=tracker,
            detector_factory=detector_factory,
        )
        self.table = bootstrap.open_tables(house_games(), InMemoryJournal()).start(
            Request(
                {
                    "do": "start_game",
                    "game": "master_builder",
                    "first": "blue",
                    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Bartholomew"}],
                },
                "banker",
                "tap",
            )
        )
        self.scanner.attach(self.table)
        self.process_frames()

    def process_frames(self, frames: int = LONG_ENOUGH) -> None:
        for _ in range(frames):
            assert self.scanner.process_next_frame()

    def lay(self, card: str) -> None:
        self.simulated_table.lay_unlabelled(card, card_faces("master_builder")[card])
        self.process_frames()

    def take_away(self, card: str) -> None:
        self.simulated_table.take_away(card)
        self.process_frames()

    def asked(self) -> list[tuple[str, str]]:
        return [
            (proposal["card"], proposal["command"]["do"]) for proposal in self.scanner.proposals.pending(self.table.id)
        ]

    def detections(self) -> list[dict[str, Any]]:
        faces: list[dict[str, Any]] = self.scanner.state_json(self.table.id)["faces"]
        return faces


@pytest.fixture
def looking() -> Looking:
    return Looking()


def test_a_card_that_was_taught_is_asked_about_and_stays_so_until_somebody_answers(looking: Looking) -> None:
    looking.lay("W07")

    assert looking.detections() == [{"card": "W07", "like": []}]
    assert looking.asked() == [("W07", "hire_worker")]
    (waiting,) = looking.scanner.proposals.pending(looking.table.id)
    assert looking.scanner.proposals.picture(looking.table.id, waiting["id"]).startswith(b"\xff\xd8")
    looking.scanner.proposals.answer(looking.table.id, waiting["id"], "yes", actor="banker")
    assert looking.table.version == 2


@pytest.mark.nightly
def test_a_face_is_never_acted_on_by_itself_whatever_the_dial_says(looking: Looking) -> None:
    looking.scanner.proposals.set_level(looking.table, "automatic")

    looking.lay("W12")

    assert looking.asked() == [("W12", "hire_worker")]
    assert looking.table.version == 1


@pytest.mark.nightly
def test_a_card_that_was_never_taught_is_told_as_unknown(looking: Looking) -> None:
    looking.lay("W30")

    assert [detection["card"] for detection in looking.detections()] == [None]
    assert looking.asked() == []


@pytest.mark.nightly
def test_two_cards_of_one_print_are_told_as_looking_alike(looking: Looking) -> None:
    looking.lay("W04")

    assert [(detection["card"], sorted(detection["like"])) for detection in looking.detections()] == [
        (None, ["W04", "W06"])
    ]
    assert looking.asked() == []


@pytest.mark.nightly
def test_what_is_taken_away_is_told_no_more_and_nothing_is_asked_of_the_empty_place(looking: Looking) -> None:
    looking.lay("W07")
    looking.lay("W30")

    looking.take_away("W30")
    looking.take_away("W07")

    assert looking.detections() == []
    assert looking.asked() == [("W07", "hire_worker")]


@pytest.mark.parametrize("change", ["lay", *by_night("take_away")])
def test_cards_with_labels_are_none_of_its_business(looking: Looking, change: str) -> None:
    # given a card with a label that was read
    looking.simulated_table.lay_on_tray("W20")
    looking.process_frames()
    if change == "take_away":
        looking.take_away("W20")

    # then nothing is told of it as of a bare card
    assert looking.detections() == []
    assert looking.asked() == [("W20", "hire_worker")]


@pytest.mark.nightly
def test_a_question_that_was_put_off_is_asked_anew(looking: Looking) -> None:
    looking.lay("W07")
    (waiting,) = looking.scanner.proposals.pending(looking.table.id)

    looking.scanner.proposals.answer(looking.table.id, waiting["id"], "again", actor="banker")
    assert looking.asked() == []
    looking.process_frames()

    assert looking.asked() == [("W07", "hire_worker")]


def test_on_a_mat_bare_cards_are_known_in_the_tray_alone() -> None:
    # given a mat that has a tray
    mat = next(
        name for name, candidate in load_mats().items() if any(zone.name == "tray" for zone in candidate.zones.zones)
    )
    looking = Looking(mat)

    # when a bare card is laid there, and another one outside the mat
    looking.lay("W07")
    looking.simulated_table.lay_unlabelled("W12", card_faces("master_builder")["W12"])
    looking.simulated_table.lay("bare W12", 60.0, 520.0)
    looking.process_frames()

    # then the one in the tray is asked about, and the other is nobody's business
    assert looking.asked() == [("W07", "hire_worker")]
    assert looking.detections() == [{"card": "W07", "like": []}]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "gain",
    [
        (0.8, 0.88, 0.95),
        *(pytest.param(gain, marks=pytest.mark.nightly) for gain in ((0.85, 0.85, 0.85), (1.15, 1.15, 1.15))),
    ],
)
def test_an_exposure_that_jumps_when_a_card_comes_in_hides_none(
    looking: Looking, monkeypatch: pytest.MonkeyPatch, gain: tuple[float, float, float]
) -> None:
    # given a camera that sets its exposure or its white balance anew as a light card is laid down
    grab: Callable[[], Any] = looking.scanner.camera.grab

    def set_anew() -> Any:
        frame = grab()
        image = np.clip(frame.image * np.array(gain, np.float32), 0, 255).astype(np.uint8)
        return type(frame)(image=image, at_ms=frame.at_ms, number=frame.number)

    monkeypatch.setattr(looking.scanner.camera, "grab", set_anew)

    looking.lay("W07")

    assert looking.asked() == [("W07", "hire_worker")]


@pytest.mark.nightly
def test_the_lamp_that_is_switched_off_is_no_card(looking: Looking, monkeypatch: pytest.MonkeyPatch) -> None:
    looking.lay("W07")
    grab: Callable[[], Any] = looking.scanner.camera.grab

    def darker() -> Any:
        frame = grab()
        return type(frame)(image=frame.image // 2, at_ms=frame.at_ms, number=frame.number)

    monkeypatch.setattr(looking.scanner.camera, "grab", darker)
    looking.process_frames()

    assert looking.detections() == []
