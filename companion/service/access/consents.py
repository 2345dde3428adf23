"""Consents: commands that the rules say concern another player, and taking back that player's act.

A question stays as long as nothing else happens at the table.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from companion.engine.game import BANKER, Refused
from companion.service.ports import Forbidden, Stale, UnknownProposal
from companion.service.table.table import Request, Table

UNDO = "undo"
OF_EVERY_GAME = (UNDO, "redo", "amend")
"""Commands that no game knows itself; only the first is ever asked of somebody."""
SOURCE = "agreement"


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """``asker`` asks ``asked`` (player ids, or ``banker``) whether a command shall be carried out.

    ``refused``: the answer was no, and its asker has not put it away yet.  ``key``: that of the request that asked.
    """

    number: int
    version: int
    asker: str
    asked: str
    command: Mapping[str, Any]
    refused: bool = False
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the question as interfaces show it."""
        written = {"id": self.number, "asker": self.asker, "asked": self.asked, "command": dict(self.command)}
        return {**written, "refused": self.refused}

    def answers(self, earlier: "ConsentRequest") -> bool:
        """Return whether it is asked back instead of a yes or no: the other one's question, changed."""
        is_back = (earlier.asker, earlier.asked) == (self.asked, self.asker)
        return is_back and earlier.command["do"] == self.command["do"]

    def concerns(self, viewer: str) -> bool:
        """Return whether a viewer may know of it; that it was refused is news for its asker alone."""
        if self.refused:
            return viewer == self.asker
        return viewer in (self.asker, self.asked, BANKER)


class ConsentRequests:
    """The open requests for consent of all tables.

    They are kept only as long as the program runs: for a question between two people a restart is an answer too.
    """

    def __init__(self, first: int = 1) -> None:
        """Begin with none; ``first``: the number of the first, another one at each start of the program.

        Whoever answers what they saw before a restart would else answer the question that has its number now.
        """
        self._lock = threading.Lock()
        self._numbers = count(first)
        self._open: dict[str, tuple[ConsentRequest, ...]] = {}

    def ask(self, table: Table, request: Request) -> ConsentRequest | None:
        """Ask whom a request concerns; ``None``: it is the asker's own act, and needs nobody's yes.

        A question takes the place of the asker's earlier one, and of one that it answers: what the other one asked of
        the asker by the same command.
        Raises ``Stale``, ``Refused`` by the rules, ``Forbidden`` for what is not to be asked.
        """
        version, asker = table.version, request.actor
        if request.seen_version != version:
            raise Stale(version)
        asked = _asked_player(table, request.command, asker)
        if asked == asker:
            return None
        with self._lock:
            for earlier in self._at(table):
                if request.key is not None and (earlier.asker, earlier.key) == (asker, request.key):
                    return earlier  # the same request again, also where the answer was no
            made = ConsentRequest(next(self._numbers), version, asker, asked, dict(request.command), key=request.key)
            others = (
                question for question in self._at(table) if question.asker != asker and not made.answers(question)
            )
            self._open[table.id] = (*others, made)
        table.signal.bump()
        return made

    def open_for(self, table: Table, viewer: str) -> tuple[ConsentRequest, ...]:
        """Return the questions that a viewer may know of, oldest first."""
        with self._lock:
            return tuple(open_question for open_question in self._at(table) if open_question.concerns(viewer))

    def answer(
        self, table: Table, number: int, *, actor: str, yes: bool, key: str | None = None
    ) -> dict[str, Any] | None:
        """Carry out an agreed command and return its entry, or drop the question; ``UnknownProposal``, ``Forbidden``.

        The asked player and the banker may say yes or no; the asker may only withdraw.  A no stays visible to its asker
        until they close it, or something else happens.  A yes that the rules refuse leaves the question as it is: the
        asker does not learn by it what the other one lacks.
        """
        with self._lock:
            waiting = self._at(table)
            question = next((open_question for open_question in waiting if open_question.number == number), None)
            if question is None or not question.concerns(actor):
                raise UnknownProposal(str(number))
            if yes and (actor == question.asker != BANKER or question.refused):
                raise Forbidden
            if not yes:
                others = tuple(open_question for open_question in waiting if open_question is not question)
                declined = () if actor == question.asker else (replace(question, refused=True),)
                self._open[table.id] = (*others, *declined)
        if yes:
            by = actor if question.command["do"] == UNDO else question.asker
            return table.submit(Request(question.command, by, SOURCE, question.version, key))
        table.signal.bump()
        return None

    def _at(self, table: Table) -> tuple[ConsentRequest, ...]:
        """Return a table's questions; those that were asked of an earlier version are over."""
        return tuple(
            open_question for open_question in self._open.get(table.id, ()) if open_question.version == table.version
        )


def consent_of(table: Table, command: Mapping[str, Any]) -> str | None:
    """Return the player whose consent a command needs by the rules; ``None`` if it needs none or is no command."""
    consent = table.game.can.consent
    if consent is None or not isinstance(command.get("do"), str) or command["do"] in OF_EVERY_GAME:
        return None
    try:
        return consent(table.game.codec.command(command))
    except Refused:
        return None  # whoever carries it out is told what is wrong with it


def _asked_player(table: Table, command: Mapping[str, Any], asker: str) -> str:
    """Return whose yes a command needs: by the rules, or that of whoever did what shall be taken back."""
    if table.position is None:
        raise Refused("not_started")
    if command.get("do") == UNDO:
        if len(command) > 1:
            raise Refused("unknown_field", field=min(set(command) - {"do"}))
        if table.undoes is None:
            raise Refused("nothing_to_undo")
        return table.undoes.actor
    if command.get("do") in OF_EVERY_GAME:
        raise Forbidden
    parsed = table.game.codec.command(command)
    consent = table.game.can.consent
    asked = None if consent is None else consent(parsed)
    if asked is None or table.game.rules.author(table.position, parsed) != asker:
        raise Forbidden
    _check_as_known(table, parsed, asker)
    return asked


def _check_as_known(table: Table, parsed: Any, asker: str) -> None:
    """Raise ``Refused`` for what cannot be agreed on, as far as the asker may know.

    What is hidden from them is not consulted before the other one agrees: its refusals would tell how much it is.
    """
    position = table.position
    if position is not None:
        position = table.game.as_known(position, asker)
    table.game.rules.decide(position, parsed)
