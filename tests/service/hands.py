"""A table, and what is held before the cameras of devices at it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from companion.adapters.label_readers import read_frame
from companion.adapters.pictures import decode_posted_picture, encode_jpeg
from companion.service.camera.devices import Devices, PictureTools
from companion.service.camera.proposal_service import ProposalService
from companion.vision.label.label import draw_label
from tests.fakes import FakeClock
from tests.service.house_tables import bot_command, give, house_table

HIRE_W07 = {"do": "hire_worker", "player": "blue", "worker": "W07"}


class Hands:
    """A table of three whose turn is blue's, what is asked there, and a clock that goes on as told."""

    def __init__(self) -> None:
        self.table, self.piles = house_table(3)
        self.proposals = ProposalService(FakeClock())
        self.at_ms = 0
        self.devices = Devices(
            self.proposals, PictureTools(decode_posted_picture, read_frame, encode_jpeg), lambda: self.at_ms
        )

    def show(self, *texts: str, viewer: str = "banker", device: str = "tablet", frames: int = 3) -> dict[str, Any]:
        """Hold labels before a device's camera for some frames, 300 ms apart."""
        reading: dict[str, Any] = {}
        for _ in range(frames):
            reading = self.devices.process_picture(self.table, viewer, device, picture_of(*texts))
            self.at_ms += 300
        return reading

    def asked(self, viewer: str = "banker") -> list[dict[str, Any]]:
        return self.proposals.pending(self.table.id, viewer)

    def scan(self, text: str, viewer: str = "banker") -> dict[str, Any]:
        return self.devices.scan(self.table, viewer, text)

    @property
    def shown(self) -> dict[str, Any]:
        shown = self.table.position_json("banker")
        assert shown is not None
        return shown


def picture_of(*texts: str) -> bytes:
    """A JPEG of labels side by side on a grey table."""
    canvas = np.full((240, 60 + 200 * max(len(texts), 1), 3), 120, np.uint8)
    for number, text in enumerate(texts):
        label = draw_label(text, text[3:], 6.0)
        left = 30 + 200 * number
        canvas[40 : 40 + label.shape[0], left : left + label.shape[1]] = label[..., None]
    return encode_jpeg(canvas)


def played_until(hands: Hands, done: Callable[[], bool]) -> None:
    """Let the bots play on."""
    while not done():
        command = bot_command(hands.table, hands.piles)
        assert command is not None
        give(hands.table, command)
