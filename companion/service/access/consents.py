"""What needs somebody else's yes: what the rules say concerns him, and taking back what he did.

A question stays as long as nothing else happens at the table.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import BANKER
from companion.engine.timeline import decide_and_settle
from companion.service.ports import Forbidden, Stale, UnknownProposal
from companion.service.table.request import Request
from companion.service.table.table import Table

UNDO = "undo"
SOURCE = "agreement"


@dataclass(frozen=True, slots=True)
class Agreement:
    """``asker`` asks ``asked`` (player ids, or ``banker``) whether a command shall be carried out.

    ``refused``: the answer was no, and its asker has not put it away yet.
    """

    number: int
    version: int
    asker: str
    asked: str
    command: Mapping[str, Any]
    refused: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the question as interfaces show it."""
        told = {"id": self.number, "asker": self.asker, "asked": self.asked, "command": dict(self.command)}
        return {**told, "refused": self.refused}

    def concerns(self, viewer: str) -> bool:
        """Return whether a viewer may know of it; that it was refused is news for its asker alone."""
        if self.refused:
            return viewer == self.asker
        return viewer in (self.asker, self.asked, BANKER)


class Agreements:
    """The open questions of all tables.

    They are kept only as long as the program runs: for a question between two people a restart is an answer too.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._open: dict[str, tuple[Agreement, ...]] = {}

    def ask(self, table: Table, request: Request) -> Agreement | None:
        """Ask whom a request concerns; ``None``: it is the asker's own act, and needs nobody's yes.

        Raises ``Stale``, ``Refused`` by the rules, ``Forbidden`` for what is not to be asked.
        """
        version, asker = table.version, request.actor
        if request.seen_version != version:
            raise Stale(version)
        asked = _whom(table, request.command, asker)
        if asked == asker:
            return None
        with self._lock:
            made = Agreement(next(self._numbers), version, asker, asked, dict(request.command))
            others = (one for one in self._at(table) if one.asker != asker)
            self._open[table.id] = (*others, made)
        table.signal.bump()
        return made

    def waiting(self, table: Table, viewer: str) -> tuple[Agreement, ...]:
        """Return the questions that a viewer may know of, oldest first."""
        with self._lock:
            return tuple(one for one in self._at(table) if one.concerns(viewer))

    def answer(
        self, table: Table, number: int, *, actor: str, yes: bool, key: str | None = None
    ) -> dict[str, Any] | None:
        """Carry out what was agreed upon and give its entry, or forget it; ``UnknownProposal``, ``Forbidden``.

        The asked one and the banker may say both; the asker may only take his question back.  A no stays for its asker
        until he puts it away, or something else happens.
        """
        with self._lock:
            waiting = self._at(table)
            found = next((one for one in waiting if one.number == number), None)
            if found is None or not found.concerns(actor):
                raise UnknownProposal(str(number))
            if yes and (actor == found.asker != BANKER or found.refused):
                raise Forbidden
            others = tuple(one for one in waiting if one is not found)
            told = () if yes or actor == found.asker else (replace(found, refused=True),)
            self._open[table.id] = (*others, *told)
        table.signal.bump()
        if not yes:
            return None
        by = actor if found.command["do"] == UNDO else found.asker
        return table.submit(Request(found.command, by, SOURCE, found.version, key))

    def _at(self, table: Table) -> tuple[Agreement, ...]:
        """Return a table's questions; those that were asked of an earlier version are over."""
        return tuple(one for one in self._open.get(table.id, ()) if one.version == table.version)


def consent_of(table: Table, command: Mapping[str, Any]) -> str | None:
    """Return the player whose consent a command needs by the rules; ``None`` if it needs none or is no command."""
    consent = table.edition.can.consent
    if consent is None or not isinstance(command.get("do"), str) or command["do"] in ("undo", "redo", "amend"):
        return None
    try:
        return consent(table.edition.codec.command(command))
    except Refused:
        return None  # whoever carries it out is told what is wrong with it


def _whom(table: Table, command: Mapping[str, Any], asker: str) -> str:
    """Return whose yes a command needs: by the rules, or that of whoever did what shall be taken back."""
    if table.position is None:
        raise Refused("not_started")
    if command == {"do": UNDO}:
        if table.undoes is None:
            raise Refused("nothing_to_undo")
        return table.undoes.actor
    parsed = table.edition.codec.command(command)
    consent = table.edition.can.consent
    asked = None if consent is None else consent(parsed)
    if asked is None or table.edition.game.author(table.position, parsed) != asker:
        raise Forbidden
    decide_and_settle(table.edition.game, table.position, parsed)
    return asked
