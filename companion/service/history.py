"""Entries folded into a timeline, undo and redo among them."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.engine.timeline import Timeline, fold
from companion.service.errors import TornJournal
from companion.service.ports import Edition

UNDONE, REDONE = "EntryUndone", "EntryRedone"


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
        kind = entry.events[0]["event"] if entry.events else None
        if kind == UNDONE:
            return timeline.after_undo()
        if kind == REDONE:
            return timeline.after_redo()
        events = tuple(edition.codec.event(event) for event in entry.events)
        position = fold(edition.game, timeline.position, events)
    except (ValueError, KeyError, TypeError, Refused) as error:
        message = f"entry {entry.seq} cannot be read: {error}"
        raise TornJournal(message) from error
    if position is None:
        message = f"entry {entry.seq} leads to no position"
        raise TornJournal(message)
    return timeline.after(position)


def undone_entries(entries: Sequence[Entry]) -> frozenset[int]:
    """Say which entries do not stand now."""
    undone: set[int] = set()
    for entry in entries:
        for event in entry.events:
            if event["event"] == UNDONE:
                undone.add(event["entry"])
            elif event["event"] == REDONE:
                undone.discard(event["entry"])
    return frozenset(undone)
