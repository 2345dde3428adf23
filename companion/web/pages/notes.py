"""The notes on the table in words: what to hand over now, and who should hold which.

Whether notes are told at a table is chosen in the lobby; a device may choose otherwise, in a cookie for each table.
"""

from collections.abc import Mapping
from typing import Any

from flask import request

from companion.game_api.ui import Language, TableView
from companion.service.table.table import Table
from companion.web.http.auth import services
from companion.web.http.caches import note_books


def are_notes_wanted(table_id: str) -> bool:
    """Return whether this device tells of notes at this table: its own choice, else what the lobby chose."""
    own = request.cookies.get(f"notes-{table_id}")
    return own == "1" if own is not None else table_id in services().preferences.chosen.notes


def describe_notes(table: Table, scene: TableView, viewer: str) -> dict[str, Any]:
    """Return the notes for a viewer: ``lines`` to hand over now, ``rows`` of holders, ``slips`` still open."""
    handed = note_books().as_json(table, viewer)
    notes = table.game.can.notes
    return {
        "lines": lines(scene, handed["hands"], viewer),
        "notes": tuple(reversed(notes.denominations)) if notes is not None else (),
        "rows": [
            {**_holder(scene, holder), "counts": list(holder_notes["notes"].values()), "worth": holder_notes["worth"]}
            for holder, holder_notes in handed["holders"].items()
            if holder_notes["worth"] or not _is_card(holder)
        ],
        "slips": [
            {"payer": _holder(scene, slip["from"])["name"], "payee": _holder(scene, slip["to"])["name"]}
            | {"amount": slip["amount"]}
            for slip in handed["slips"]
        ],
    }


def lines(scene: TableView, hands: Mapping[str, Any], viewer: str) -> list[dict[str, Any]]:
    """Return who gives and takes which notes; the bank's part follows from the others'.

    On a player's own device only his own line is told.
    """
    return [
        {**_holder(scene, holder), "says": _says(scene.words, change), "short": _says(scene.words, change, short=True)}
        for holder, change in hands.items()
        if holder != "bank" and (viewer not in scene.players or holder == f"player:{viewer}")
    ]


def _is_card(holder: str) -> bool:
    """Return whether an account is that of a card: neither a player's nor one of the house."""
    return ":" in holder and not holder.startswith("player:")


def _holder(scene: TableView, holder: str) -> dict[str, Any]:
    kind, _, name = holder.partition(":")
    if kind == "player":
        return {"player": name, "name": scene.names[name]}
    named = scene.words.card(name, scene.catalog) if _is_card(holder) else scene.words.say_in("place", "bank")
    return {"player": None, "name": named[:1].upper() + named[1:]}


def _says(words: Language, change: Mapping[str, Mapping[str, int]], *, short: bool = False) -> str:
    given, taken = (_notes(words, change.get(side, {}), short=short) for side in ("gives", "takes"))
    if given and taken:
        return words.say("give {given}, take {taken}", given=given, taken=taken)
    return words.say("give {given}", given=given) if given else words.say("take {taken}", taken=taken)


def _notes(words: Language, notes: Mapping[str, int], *, short: bool) -> str:
    """List notes; in short in thousands."""
    written = {note: str(int(note) // 1_000) if short else words.money(int(note)) for note in notes}
    return " + ".join(f"{count}\u00a0\u00d7\u00a0{written[note]}" for note, count in notes.items())
