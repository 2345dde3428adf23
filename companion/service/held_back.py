"""What a journal holds back: secrets of players, until something reveals them all."""

from collections.abc import Sequence
from typing import Any

from companion.engine.journal import Entry, Json
from companion.service.ports import Edition
from companion.service.standing import AMENDED, Line, moments


def secret_entries(edition: Edition, entries: Sequence[Entry]) -> frozenset[int]:
    """Say which entries hold something that not everybody has seen yet.

    A secret stays one, also when it was taken back or replaced, until something reveals all of them; what
    has once been revealed is no secret any more.
    """
    secret: set[int] = set()
    for entry, moment in moments(entries):
        kinds = names_of(entry.events)
        if AMENDED in kinds:
            if _still_secret(edition, moment.line, entry.seq):
                secret.add(entry.seq)
        elif kinds & edition.revealing_events:
            secret.clear()
        elif kinds & edition.secret_events:
            secret.add(entry.seq)
    return frozenset(secret)


def _still_secret(edition: Edition, line: Line | None, amend: int) -> bool:
    """Whether an amend has let a secret stand that nothing above it reveals."""
    while line is not None:
        kinds = names_of(line.top.events)
        if kinds & edition.revealing_events:
            return False
        if line.top.amended == amend and kinds & edition.secret_events:
            return True
        line = line.below
    return False


def names_of(events: Sequence[Json]) -> frozenset[str]:
    """Give the names of events."""
    return frozenset(event["event"] for event in events)


def shown_to(edition: Edition, viewer: str, told: dict[str, Any]) -> dict[str, Any]:
    """Show something with ``command`` and ``events`` in which there is a secret; its owner sees it whole."""
    command, events = told["command"], []
    for event in told["events"]:
        owner = _owner(edition, event)
        if owner in (None, viewer):
            events.append(_amend_shown(edition, viewer, event) if event["event"] == AMENDED else event)
        else:
            events.append({"event": event["event"], "player": owner})
            command = {"do": command["do"], "player": owner}
    if events and events[0]["event"] == AMENDED:
        command = _amending_shown(command, events[0])
    return {**told, "command": command, "events": events}


def _owner(edition: Edition, event: Json) -> str | None:
    if event["event"] not in edition.secret_events:
        return None
    return edition.game.secret_of(edition.codec.event(event))


def _amend_shown(edition: Edition, viewer: str, event: Json) -> dict[str, Any]:
    return {**event, "decided": [shown_to(edition, viewer, one) for one in event["decided"]]}


def _amending_shown(command: Json, shown: Json) -> dict[str, Any]:
    """Show the command of an amend with the replacement as its outcome is shown."""
    instead = {one["entry"]: one["command"] for one in shown["decided"]}
    return {**command, "with": instead.get(command["seq"], command["with"])}
