"""The notes on the table in words: what to hand over now, and who should hold which.

Whether notes are told at a table is chosen in the lobby; a device may choose otherwise, in a cookie for each table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import request

from companion.game_api.notes import Notes
from companion.game_api.ui import Language, TableView
from companion.service.table.table import Table
from companion.web.http.auth import services
from companion.web.http.caches import note_books

THOUSAND = 1_000


def are_notes_wanted(table_id: str) -> bool:
    """Return whether this device tells of notes at this table: its own choice, else what the lobby chose."""
    own = request.cookies.get(f"notes-{table_id}")
    return own == "1" if own is not None else table_id in services().preferences.chosen.notes


@dataclass(frozen=True, slots=True)
class NoteLine:
    """Notes that one holder gives and takes now; ``player`` is ``None`` for bank and cards.

    ``short``: in thousands, where every note is of thousands.
    """

    player: str | None
    name: str
    says: str
    short: str


@dataclass(frozen=True, slots=True)
class NoteHolder:
    """The notes that one holder should hold: their number for each denomination, and what they are worth together."""

    player: str | None
    name: str
    counts: list[int]
    worth: int


@dataclass(frozen=True, slots=True)
class OpenSlip:
    """A debt that notes could not settle, with the names of both sides."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes for a viewer: ``lines`` to hand over now, denominations, who holds what, and open slips."""

    lines: list[NoteLine]
    notes: tuple[int, ...]
    rows: list[NoteHolder]
    slips: list[OpenSlip]


def describe_notes(table: Table, scene: TableView, viewer: str) -> NotesView:
    """Return the notes for a viewer."""
    handed = note_books().as_json(table, viewer)
    notes = table.game.can.notes
    return NotesView(
        lines=_lines(scene, handed["hands"], viewer, _unit(notes)),
        notes=tuple(reversed(notes.denominations)) if notes is not None else (),
        rows=[
            NoteHolder(*_holder(scene, holder), list(holder_notes["notes"].values()), holder_notes["worth"])
            for holder, holder_notes in handed["holders"].items()
            if holder_notes["worth"] or not _is_card(holder)
        ],
        slips=[
            OpenSlip(_holder(scene, slip["from"])[1], _holder(scene, slip["to"])[1], slip["amount"])
            for slip in handed["slips"]
        ],
    )


def _unit(notes: Notes | None) -> int:
    """Return in which unit notes are written in short."""
    return THOUSAND if notes is not None and not any(note % THOUSAND for note in notes.denominations) else 1


def _lines(scene: TableView, hands: Mapping[str, Any], viewer: str, unit: int) -> list[NoteLine]:
    """Return who gives and takes which notes; the bank's part follows from the others'.

    A player's own device shows that player's line only.
    """
    return [
        NoteLine(*_holder(scene, holder), _says(scene.words, change), _says(scene.words, change, unit))
        for holder, change in hands.items()
        if holder != "bank" and (viewer not in scene.players or holder == f"player:{viewer}")
    ]


def _is_card(holder: str) -> bool:
    """Return whether an account is that of a card: neither a player's nor one of the house."""
    return ":" in holder and not holder.startswith("player:")


def _holder(scene: TableView, holder: str) -> tuple[str | None, str]:
    """Return the player, if the account is a player's, and the name of its holder."""
    kind, _, name = holder.partition(":")
    if kind == "player":
        return name, scene.names[name]
    named = scene.words.card(name, scene.catalog) if _is_card(holder) else scene.words.say_in("place", "bank")
    return None, named[:1].upper() + named[1:]


def _says(words: Language, change: Mapping[str, Mapping[str, int]], unit: int | None = None) -> str:
    given, taken = (_notes(words, change.get(side, {}), unit) for side in ("gives", "takes"))
    if given and taken:
        return words.say("give {given}, take {taken}", given=given, taken=taken)
    return words.say("give {given}", given=given) if given else words.say("take {taken}", taken=taken)


def _notes(words: Language, notes: Mapping[str, int], unit: int | None) -> str:
    """List notes as money, or in short by a unit."""
    written = {note: words.money(int(note)) if unit is None else str(int(note) // unit) for note in notes}
    return " + ".join(f"{count}\u00a0\u00d7\u00a0{written[note]}" for note, count in notes.items())
