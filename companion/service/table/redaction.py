"""What a journal holds back: secrets of players, until something reveals them all."""

from collections.abc import Sequence
from typing import Any

from companion.engine.journal import Json
from companion.engine.timeline import Step
from companion.game_api.manifest import LoadedGame
from companion.service.table.history import AMENDED, History, downwards


def secret_entries(edition: LoadedGame, history: History) -> frozenset[int]:
    """Return which entries hold something that not everybody has seen yet.

    A secret stays one, also when it was taken back or replaced, until something reveals all of them; what
    has once been revealed is no secret any more.
    """
    messages = edition.messages
    if not messages.secret:
        return frozenset()
    secret: set[int] = set()
    for entry, step in history.moments():
        kinds = names_of(entry.events)
        if AMENDED in kinds:
            if _still_secret(edition, step, entry.seq):
                secret.add(entry.seq)
        elif kinds & messages.revealing:
            secret.clear()
        elif kinds & messages.secret:
            secret.add(entry.seq)
    return frozenset(secret)


def _still_secret(edition: LoadedGame, step: Step[Any] | None, amend: int) -> bool:
    """Return whether an amend has let a secret stand that nothing above it reveals."""
    for stood in downwards(step):
        kinds = frozenset(type(event).__name__ for event in stood.events)
        if kinds & edition.messages.revealing:
            return False
        if stood.amended == amend and kinds & edition.messages.secret:
            return True
    return False


def names_of(events: Sequence[Json]) -> frozenset[str]:
    """Return the names of events."""
    return frozenset(event["event"] for event in events)


def shown_to(edition: LoadedGame, viewer: str, whole: dict[str, Any]) -> dict[str, Any]:
    """Show something with ``command`` and ``events`` in which there is a secret; its owner sees it whole."""
    command, events = whole["command"], []
    for event in whole["events"]:
        owner = _owner(edition, event)
        if owner in (None, viewer):
            events.append(_amend_shown(edition, viewer, event) if event["event"] == AMENDED else event)
        else:
            events.append({"event": event["event"], "player": owner})
            command = {"do": command["do"], "player": owner}
    if events and events[0]["event"] == AMENDED:
        command = _amending_shown(command, events[0])
    return {**whole, "command": command, "events": events}


def _owner(edition: LoadedGame, event: Json) -> str | None:
    if event["event"] not in edition.messages.secret:
        return None
    return edition.game.secret_of(edition.codec.event(event))


def _amend_shown(edition: LoadedGame, viewer: str, event: Json) -> dict[str, Any]:
    return {**event, "decided": [shown_to(edition, viewer, one) for one in event["decided"]]}


def _amending_shown(command: Json, shown: Json) -> dict[str, Any]:
    """Show the command of an amend with the replacement as its outcome is shown."""
    instead = {one["entry"]: one["command"] for one in shown["decided"]}
    return {**command, "with": instead.get(command["seq"], command["with"])}
