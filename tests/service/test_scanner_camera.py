"""The scanner with a camera that is lost, comes back, or gives what cannot be read."""

import logging
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from companion.adapters.pictures import encode_jpeg
from companion.engine.game import Refused
from companion.qr.sighting import Sighting
from companion.service.camera.camera import CameraError, Frame
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import CameraLoop, Scanner, pause_after
from companion.service.ports import UnknownProposal
from companion.vision.label.tag import Deck
from tests.fakes import FakeCamera, FakeClock
from tests.service.house_tables import give, house_table
from tests.waiting import PATIENCE_S, until

BLACK = np.zeros((60, 80, 3), np.uint8)
W07 = Sighting("MB1W07", ((10, 10), (30, 10), (30, 30), (10, 30)))
HIRE = {"do": "hire_worker", "player": "yellow", "worker": "W07"}


def frames(*at_ms: int) -> list[Frame | Exception | None]:
    return [Frame(BLACK, at, number) for number, at in enumerate(at_ms)]


def w07_lies_there(_frame: Frame, _deck: Deck) -> list[Sighting]:
    return [W07]


def scanner_over(
    camera: FakeCamera, read: Callable[[Frame, Deck], list[Sighting]] = w07_lies_there
) -> tuple[Scanner, str]:
    table, _ = house_table(3)
    scanner = Scanner(camera, read, encode_jpeg, ProposalService(FakeClock()))
    scanner.attach(table)
    return scanner, table.id


def test_a_lost_camera_is_told_and_its_return_too() -> None:
    camera = FakeCamera([*frames(0), CameraError("fake has gone: is it still plugged in?"), *frames(3000)])
    scanner, table_id = scanner_over(camera)
    table = scanner._table
    assert table is not None

    assert scanner.process_next_frame()
    assert [card["card"] for card in scanner.state_json(table_id)["cards"]] == ["W07"]
    before = table.signal.count

    assert not scanner.process_next_frame()
    lost = scanner.state_json(table_id)
    assert (lost["state"], lost["problem"]) == ("lost", "fake has gone: is it still plugged in?")
    assert lost["cards"] == [], "what it saw before is no sight of now"
    assert table.signal.count > before

    before = table.signal.count
    assert scanner.process_next_frame()
    assert (scanner.state_json(table_id)["state"], scanner.state_json(table_id)["problem"]) == ("seeing", None)
    assert table.signal.count > before


def test_between_two_frames_nothing_is_lost() -> None:
    camera = FakeCamera([*frames(0), None, CameraError("gone"), None])
    scanner, table_id = scanner_over(camera)

    assert [scanner.process_next_frame() for _ in range(4)] == [True, True, False, True]
    assert scanner.state_json(table_id)["state"] == "lost", "no frame came since"


def test_a_camera_lost_twice_over_bumps_the_screens_once() -> None:
    camera = FakeCamera([CameraError("gone"), CameraError("gone")])
    scanner, _ = scanner_over(camera)
    table = scanner._table
    assert table is not None
    scanner.process_next_frame()
    before = table.signal.count

    scanner.process_next_frame()

    assert table.signal.count == before


def test_a_card_that_lay_there_while_the_camera_was_away_is_not_asked_again() -> None:
    camera = FakeCamera([*frames(0, 600), CameraError("gone"), *frames(60_000, 61_000)])
    scanner, table_id = scanner_over(camera)
    for _ in range(2):
        scanner.process_next_frame()
    scanner.proposals.answer(table_id, 1, "no", actor="banker")

    for _ in range(3):
        scanner.process_next_frame()

    assert scanner.proposals.pending(table_id) == []


def test_frames_that_cannot_be_read_are_raised_and_told() -> None:
    def broken(_frame: Frame, _deck: Deck) -> list[Sighting]:
        raise ValueError("no picture")

    scanner, table_id = scanner_over(FakeCamera(frames(0)), broken)

    with pytest.raises(ValueError, match="no picture"):
        scanner.process_next_frame()
    assert scanner.state_json(table_id)["state"] == "lost"


def test_without_a_camera_the_sight_says_so() -> None:
    camera = FakeCamera()
    camera.name = "none"
    scanner, table_id = scanner_over(camera)

    assert scanner.process_next_frame()
    assert scanner.state_json(table_id) == {
        "camera": "none",
        "state": "none",
        "problem": None,
        "cards": [],
        "twins": [],
        "strangers": [],
        "faces": [],
        "mat": None,
        "differences": [],
        "resumed": False,
    }
    assert scanner.live_picture() is None


def test_without_a_table_nothing_is_asked() -> None:
    def unwanted(_frame: Frame, _deck: Deck) -> list[Sighting]:
        raise AssertionError("there is no deck whose labels could be read")

    scanner = Scanner(
        FakeCamera([*frames(0, 600), CameraError("gone")]), unwanted, encode_jpeg, ProposalService(FakeClock())
    )

    assert [scanner.process_next_frame() for _ in range(3)] == [True, True, False]
    assert scanner.live_picture()
    assert scanner.attached_to is None
    assert scanner.proposals.pending("t") == []
    with pytest.raises(UnknownProposal):
        scanner.proposals.answer("t", 1, "yes", actor="banker")


def test_a_frame_read_for_the_table_before_is_not_taken_in() -> None:
    other, _ = house_table(2)

    def turn_away(_frame: Frame, _deck: Deck) -> list[Sighting]:
        scanner.attach(other)
        return [W07]

    scanner, _ = scanner_over(FakeCamera(frames(0)), turn_away)
    scanner.process_next_frame()

    assert not scanner.is_in_view("W07")


def test_an_answer_that_came_while_the_game_moved_on_is_refused_and_goes() -> None:
    """The banker's yes and a player's tap meet between the last look at the table and the entry."""
    scanner, table_id = scanner_over(FakeCamera(frames(0, 600)))
    for _ in range(2):
        scanner.process_next_frame()
    table = scanner._table
    assert table is not None
    (asked,) = scanner.proposals.pending(table_id)
    submit = table.submit

    def overtaken(*args: object, **how: object) -> object:
        give_first()
        return submit(*args, **how)  # type: ignore[arg-type]

    def give_first() -> None:
        table.submit = submit  # type: ignore[method-assign]
        give(table, asked["command"])

    table.submit = overtaken  # type: ignore[method-assign,assignment]
    with pytest.raises(Refused):
        scanner.proposals.answer(table_id, asked["id"], "yes", actor="banker")

    assert scanner.proposals.pending(table_id) == []
    assert table.version == 2


def test_an_answer_refused_after_the_camera_turned_away_is_not_put_to_the_other_table() -> None:
    scanner, table_id = scanner_over(FakeCamera(frames(0, 600)))
    for _ in range(2):
        scanner.process_next_frame()
    table = scanner._table
    assert table is not None
    other, _ = house_table(2, name="other")

    def turned_away(*_args: object, **_how: object) -> object:
        scanner.attach(other)
        raise Refused("not_your_turn")

    table.submit = turned_away  # type: ignore[method-assign,assignment]
    with pytest.raises(Refused):
        scanner.proposals.answer(table_id, 1, "yes", actor="banker")

    assert scanner.proposals.pending(other.id) == []


def test_a_card_that_asked_anew_meanwhile_asks_once() -> None:
    scanner, table_id = scanner_over(FakeCamera(frames(0, 600)))
    for _ in range(2):
        scanner.process_next_frame()
    table = scanner._table
    assert table is not None
    proposals = scanner.proposals._tables[table_id].proposals
    taken = proposals.take(1)
    scanner.proposals.on_placement(table, taken.placement, b"", taken.source)

    proposals.restore(taken)

    assert [asked["id"] for asked in scanner.proposals.pending(table_id)] == [2]


# ------------------------------------------------------------------------------------------- the watch
@pytest.fixture
def watching() -> Iterator[list[CameraLoop]]:
    started: list[CameraLoop] = []
    yield started
    for watch in started:
        watch.stop()


def test_the_watch_survives_whatever_goes_wrong(
    watching: list[CameraLoop], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.service.camera.scanner.RETRY_S", 0.01)
    bad = [RuntimeError("a broken cable"), MemoryError(), CameraError("gone"), ValueError("no picture")]
    scanner, table_id = scanner_over(FakeCamera([*bad, *frames(0, 600, 1200)]))
    watching.append(CameraLoop(scanner, pause_s=0.001))

    with caplog.at_level(logging.ERROR):
        watching[0].start()
        until(lambda: bool(scanner.proposals.pending(table_id)))

    assert scanner.state_json(table_id)["state"] == "seeing"
    records = [record for record in caplog.records if record.name == "companion.service.camera.scanner"]
    assert len(records) == 2, "trouble that goes on is told once; after a lost camera it is new trouble"


def test_the_watch_stops_promptly_even_while_the_camera_is_lost(watching: list[CameraLoop]) -> None:
    camera = FakeCamera([CameraError("gone")] * 1000)
    scanner, table_id = scanner_over(camera)
    watch = CameraLoop(scanner)
    watching.append(watch)
    watch.start()
    until(lambda: scanner.state_json(table_id)["state"] == "lost")

    watch.stop()

    assert camera.closed.is_set()
    assert not [thread for thread in threading.enumerate() if thread.name == "camera loop"]


def test_a_camera_whose_picture_is_waited_for_is_not_closed_under_the_thread_that_waits() -> None:
    # given a camera that freezes while it is asked for a picture
    asked, comes = threading.Event(), threading.Event()

    class Frozen(FakeCamera):
        def grab(self) -> Frame | None:
            asked.set()
            assert comes.wait(PATIENCE_S)
            return None

    camera = Frozen()
    watch = CameraLoop(scanner_over(camera)[0], stop_timeout_s=0.01)
    watch.start()
    assert asked.wait(PATIENCE_S)

    # when the program is ended meanwhile, then the camera is left alone
    watch.stop()
    assert not camera.closed.is_set()

    # and it can be closed once the picture has come
    comes.set()
    until(lambda: not watch._thread.is_alive())
    watch.stop()
    assert camera.closed.is_set()


@pytest.mark.parametrize(
    ("took", "due_ms", "pause"),
    [
        (0.06, None, 0.04),  # ten frames a second, the time that a look takes counted in
        (0.03, 60, 0.04),  # a card has nearly rested: it is looked at just then, but others get their turn
        (0.02, 75, 0.055),
        (0.02, 400, 0.08),  # not yet
        (0.2, None, 0.1),  # a slow machine: half as long again is for the pages
        (0.2, 30, 0.1),
    ],
)
def test_the_watch_looks_ten_times_a_second_and_just_when_a_card_has_rested(
    took: float, due_ms: int | None, pause: float
) -> None:
    assert pause_after(took, due_ms, 0.1) == pytest.approx(pause)


def test_a_watch_that_never_began_can_be_stopped() -> None:
    camera = FakeCamera()
    scanner, _ = scanner_over(camera)

    CameraLoop(scanner).stop()

    assert camera.closed.is_set()
