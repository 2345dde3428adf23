"""What needs somebody else's yes: lending him a worker, taking back what he did.

A question stays as long as nothing else happens at the table; it is kept in memory alone, for a restart is an
answer too.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import BANKER
from companion.engine.timeline import answer
from companion.service.errors import Forbidden, Stale, UnknownProposal
from companion.service.table import Table

LEND, UNDO = "hire_out", "undo"
SOURCE = "agreement"


@dataclass(frozen=True, slots=True)
class Agreement:
    """``asker`` asks ``asked`` (player ids, or ``banker``) whether a command shall be carried out."""

    number: int
    version: int
    asker: str
    asked: str
    command: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Give the question as interfaces show it."""
        return {"id": self.number, "asker": self.asker, "asked": self.asked, "command": dict(self.command)}

    def concerns(self, viewer: str) -> bool:
        """Whether a viewer may know of it."""
        return viewer in (self.asker, self.asked, BANKER)


class Agreements:
    """The open questions of all tables."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = threading.Lock()
        self._open: dict[str, dict[int, Agreement]] = {}
        self._given = 0

    def ask(self, table: Table, command: Mapping[str, Any], *, asker: str, seen: int) -> Agreement | None:
        """Ask whom a command concerns; ``None``: it is the asker's own act, and needs nobody's yes.

        Raises ``Stale``, ``Refused`` by the rules, ``Forbidden`` for what is not to be asked.
        """
        if seen != table.version:
            raise Stale(table.version)
        asked = _whom(table, command, asker)
        if asked == asker:
            return None
        with self._lock:
            self._given += 1
            made = Agreement(self._given, seen, asker, asked, dict(command))
            others = [one for one in self._at(table).values() if one.asker != asker]
            self._open[table.id] = {one.number: one for one in (*others, made)}
        table.signal.bump()
        return made

    def waiting(self, table: Table, viewer: str) -> tuple[Agreement, ...]:
        """Give the questions that a viewer may know of, oldest first."""
        with self._lock:
            return tuple(one for one in self._at(table).values() if one.concerns(viewer))

    def answer(self, table: Table, number: int, *, actor: str, yes: bool) -> dict[str, Any] | None:
        """Carry out what was agreed upon and give its entry, or forget it; ``UnknownProposal``, ``Forbidden``.

        The asked one and the banker may say both; the asker may only take his question back.
        """
        with self._lock:
            found = self._at(table).get(number)
            if found is None or not found.concerns(actor):
                raise UnknownProposal(str(number))
            if yes and actor == found.asker != BANKER:
                raise Forbidden
            del self._open[table.id][number]
        table.signal.bump()
        if not yes:
            return None
        by = found.asker if found.command["do"] == LEND else actor
        return table.submit(found.command, actor=by, source=SOURCE, seen=found.version)

    def _at(self, table: Table) -> dict[int, Agreement]:
        """Give a table's questions; those that were asked of an earlier version are over."""
        still = {number: one for number, one in self._open.get(table.id, {}).items() if one.version == table.version}
        self._open[table.id] = still
        return still


def _whom(table: Table, command: Mapping[str, Any], asker: str) -> str:
    """Say whose yes a command needs: the borrower's, or that of whoever did what shall be taken back."""
    if table.position is None:
        raise Refused("not_started")
    if command == {"do": UNDO}:
        if table.undoes is None:
            raise Refused("nothing_to_undo")
        return table.undoes.actor
    parsed = table.edition.codec.command(command)
    if command["do"] != LEND or table.edition.game.author(table.position, parsed) != asker:
        raise Forbidden
    answer(table.edition.game, table.position, parsed)
    return str(command["borrower"])
