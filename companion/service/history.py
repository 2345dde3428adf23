"""Entries folded into a timeline, undo, redo and amend among them."""

from collections.abc import Callable
from typing import Any

from companion.engine.amend import recorded
from companion.engine.errors import Refused
from companion.engine.journal import Entry, Json
from companion.engine.timeline import Timeline, fold
from companion.service.errors import TornJournal
from companion.service.ports import Edition
from companion.service.standing import AMENDED, REDONE, UNDONE

UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    Refused,
    StopIteration,
    TypeError,
    ValueError,
)
"""What folding events that do not belong together ends in; anything else is a mistake of the program."""


def undo(timeline: Timeline[Any]) -> dict[str, Any]:
    """Say which entry an undo takes back."""
    return {"event": UNDONE, "entry": timeline.undo().entry}


def redo(timeline: Timeline[Any]) -> dict[str, Any]:
    """Say which entry a redo restores."""
    return {"event": REDONE, "entry": timeline.redo().entry}


UNDO_REDO: dict[str, Callable[[Timeline[Any]], dict[str, Any]]] = {"undo": undo, "redo": redo}


def fold_entry(edition: Edition, timeline: Timeline[Any], entry: Entry) -> Timeline[Any]:
    """Fold one entry by its events alone; ``TornJournal`` where they do not fit."""
    if entry.seq != timeline.version + 1:
        message = f"entry {timeline.version + 1} is missing, entry {entry.seq} follows instead"
        raise TornJournal(message)
    try:
        return _folded(edition, timeline, entry)
    except UNREADABLE as error:
        message = f"entry {entry.seq} cannot be read: {' '.join(str(error).split())}"
        raise TornJournal(message) from error


def _folded(edition: Edition, timeline: Timeline[Any], entry: Entry) -> Timeline[Any]:
    kind = entry.events[0]["event"] if entry.events else None
    if kind in (UNDONE, REDONE):
        meant = timeline.undo().entry if kind == UNDONE else timeline.redo().entry
        if entry.events[0]["entry"] != meant:
            message = f"{kind} names entry {entry.events[0]['entry']!r}, but it is the turn of {meant}"
            raise ValueError(message)
        return timeline.after_undo() if kind == UNDONE else timeline.after_redo()
    if kind == AMENDED:
        return _amended(edition, timeline, entry.events[0])
    events = tuple(edition.codec.event(event) for event in entry.events)
    position = fold(edition.game, timeline.position, events)
    if position is None:
        message = "it leads to no position"
        raise ValueError(message)
    return timeline.after(position, events)


def _amended(edition: Edition, timeline: Timeline[Any], event: Json) -> Timeline[Any]:
    outcome: dict[int, tuple[Any, ...] | None] = dict.fromkeys(event["left_out"])
    for one in event["decided"]:
        outcome[one["entry"]] = tuple(edition.codec.event(told) for told in one["events"])
    return recorded(edition.game, timeline, event["entry"], outcome)
