"""A scanner whose camera says what a test wants."""

from typing import Any

from companion.adapters.cameras.files import monotonic_ms
from companion.adapters.label_readers import read_frame
from companion.adapters.pictures import decode_posted_picture, encode_jpeg
from companion.engine.game import Placement
from companion.service.camera.devices import Devices, PictureTools
from companion.service.camera.proposal_service import ProposalAnswer, ProposalService
from companion.service.camera.proposals import CardSource, Proposal
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables

PICTURE = b"\xff\xd8\xff picture"


class RecordedProposals(ProposalService):
    """Remembers how it was answered."""

    def __init__(self) -> None:
        super().__init__(SystemClock())
        self.answers: list[tuple[int, str, str]] = []

    def answer(
        self, table_id: str, number: int, answer: ProposalAnswer, *, actor: str, key: str | None = None
    ) -> dict[str, Any] | None:
        self._visible_proposal(table_id, number, actor)
        self.answers.append((number, answer, actor))
        return super().answer(table_id, number, answer, actor=actor, key=key)


class FakeScanner:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.proposals = RecordedProposals()
        self.attached_to: str | None = None
        self.latest: bytes | None = None
        self.differences: list[dict[str, Any]] = []
        self.resumed = False
        self.twins: list[dict[str, Any]] = []

    @property
    def answers(self) -> list[tuple[int, str, str]]:
        return self.proposals.answers

    def propose(self, table_id: str, command: dict[str, Any]) -> None:
        """Let the camera ask for a command about a worker, whether they could be read so or not."""
        table, worker = self.tables.get(table_id), command["worker"]
        number = next(self.proposals._numbers)
        placement = Placement("place", f"MB1{worker}", worker, "supply", 1.0)
        asked = Proposal(number, "2026-01-01T10:00:00+00:00", placement, PICTURE, command, None, CardSource("camera"))
        state = self.proposals._state_of(table)
        state.proposals._replace(asked)
        state.read_cards["banker"] += 1
        self.attached_to = table_id
        table.signal.bump()

    def state_json(self, table_id: str) -> dict[str, Any]:
        attached = table_id == self.attached_to
        cards = [{"card": "W07", "zone": "supply", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}] if attached else []
        state = "seeing" if attached else "none"
        view: dict[str, Any] = {"mat": "a2" if self.differences else None, "resumed": attached and self.resumed}
        view["differences"] = self.differences if attached else []
        view["strangers"], view["faces"], view["twins"] = [], [], self.twins if attached else []
        return {"camera": "sim", "state": state, "problem": None, "cards": cards, **view}

    def live_picture(self) -> bytes | None:
        return self.latest


def devices(scanner: FakeScanner) -> Devices:
    """Return the cameras of phones: the real reader, with the proposals of the fake scanner."""
    return Devices(scanner.proposals, PictureTools(decode_posted_picture, read_frame, encode_jpeg), monotonic_ms)
