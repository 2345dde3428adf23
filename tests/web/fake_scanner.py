"""A scanner whose camera says what a test wants."""

from typing import Any

from companion.service.errors import UnknownProposal
from companion.service.tables import Tables

PICTURE = b"\xff\xd8\xff picture"


class FakeScanner:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.attached_to: str | None = None
        self.waiting: dict[int, dict[str, Any]] = {}
        self.latest: bytes | None = None
        self.answers: list[tuple[int, str, str]] = []

    def propose(self, table_id: str, command: dict[str, Any]) -> None:
        number = len(self.waiting) + 1
        self.waiting[number] = {
            "id": number,
            "at": "2026-01-01T10:00:00+00:00",
            "card": command["worker"],
            "tag": f"MB1{command['worker']}",
            "zone": "supply",
            "command": command,
            "question": None,
        }
        self.attached_to = table_id
        self.tables.get(table_id).signal.bump()

    def proposals(self, table_id: str) -> list[dict[str, Any]]:
        return list(self.waiting.values()) if table_id == self.attached_to else []

    def answer(self, table_id: str, number: int, answer: str, *, actor: str) -> dict[str, Any] | None:
        asked = self._asked(table_id, number)
        self.answers.append((number, answer, actor))
        if answer != "yes":
            del self.waiting[number]
            return None
        table = self.tables.get(table_id)
        entry = table.submit(asked["command"], actor=actor, source="camera", seen=None)
        del self.waiting[number]
        return entry

    def picture(self, table_id: str, number: int) -> bytes:
        self._asked(table_id, number)
        return PICTURE

    def sight(self, table_id: str) -> dict[str, Any]:
        here = table_id == self.attached_to
        cards = [{"card": "W07", "zone": "supply", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}] if here else []
        return {"camera": "sim", "state": "seeing" if here else "none", "problem": None, "cards": cards}

    def live_picture(self) -> bytes | None:
        return self.latest

    def _asked(self, table_id: str, number: int) -> dict[str, Any]:
        if table_id != self.attached_to or number not in self.waiting:
            raise UnknownProposal
        return self.waiting[number]
