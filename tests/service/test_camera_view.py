"""Labels that cannot be read: located where the table shows best, and reported once they were located twice."""

from collections.abc import Sequence

import numpy as np
import pytest

from companion.adapters.pictures import encode_jpeg
from companion.qr.sighting import Picture, Sighting
from companion.service.camera.camera import Frame
from companion.service.camera.preview import STRANGERS_EVERY_MS, CameraCheck, CameraView, SampleDeck
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import Scanner
from companion.vision.label.tag import Deck
from companion.vision.tracking.unread import UnreadLabel
from tests.fakes import FakeCamera, FakeClock
from tests.service.house_tables import house_table

NOISY = np.full((60, 80, 3), 90, np.uint8)
CALM = np.full((60, 80), 100, np.uint8)
DARK = UnreadLabel(((10, 10), (30, 10), (30, 30), (10, 30)), "dark")


def reads_nothing(_frame: Frame, _deck: Deck) -> list[Sighting]:
    return []


@pytest.mark.parametrize("calm", [CALM, None], ids=["at rest", "something moves"])
def test_unread_labels_are_looked_for_in_the_mean_of_frames_while_the_table_rests(calm: Picture | None) -> None:
    # given a camera whose frames are noisy, and the mean of some of them while the table rests
    every = [Frame(NOISY, number * STRANGERS_EVERY_MS, number) for number in range(2)]
    scanner = Scanner(
        FakeCamera([*every]), reads_nothing, encode_jpeg, ProposalService(FakeClock()), averaged_frame=lambda: calm
    )
    table, _ = house_table(3)
    scanner.attach(table)
    shown: list[Picture] = []

    def find(picture: Picture, _seen: Sequence[Sighting]) -> Sequence[UnreadLabel]:
        shown.append(picture)
        return (DARK,)

    check = CameraCheck(scanner, reads_nothing, encode_jpeg, [SampleDeck("", Deck("", frozenset()), dict)])
    view = CameraView(scanner, check, lambda _picture: (), find)

    # when somebody looks twice
    unread = []
    for _ in every:
        assert scanner.process_next_frame()
        viewed = view.view_latest(table.id)
        assert viewed is not None
        unread.append(viewed.unread)

    # then it is looked for there, else in the latest frame; and told once it was found again
    assert all(picture is (NOISY if calm is None else CALM) for picture in shown)
    assert unread == [(), (DARK,)]
