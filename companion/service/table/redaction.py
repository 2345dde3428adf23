"""Redaction of journals: secrets of players are held back until something reveals them."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.game import BANKER
from companion.engine.journal import Json
from companion.engine.timeline import Step
from companion.game_api.manifest import LoadedGame
from companion.service.table.history import AMENDED, History, downwards


def secret_entries(edition: LoadedGame, history: History) -> Mapping[int, frozenset[str]]:
    """Return the entries that hold something that not everybody has seen yet, with the names of those events.

    A secret stays one, also when it was taken back or replaced, until something reveals it; what has once been revealed
    is no secret any more.
    """
    messages = edition.messages
    if not messages.secret:
        return {}
    secret: dict[int, frozenset[str]] = {}
    for entry, step in history.moments():
        happened = names_of(entry.events)
        if AMENDED in happened:
            names = _secrets_of_amend(edition, step, entry.seq)
        else:
            secret = {seq: messages.still_secret(names, happened) for seq, names in secret.items()}
            names = messages.secrets_among(happened)
        secret[entry.seq] = names
    return {seq: names for seq, names in secret.items() if names}


def _secrets_of_amend(edition: LoadedGame, step: Step[Any] | None, amend: int) -> frozenset[str]:
    """Return the names of the secret events that an amend has let stand and nothing above them reveals."""
    above: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    for stood in downwards(step):
        happened = frozenset(type(event).__name__ for event in stood.events)
        above |= happened
        if stood.amended == amend:
            secret |= edition.messages.still_secret(edition.messages.secret & happened, above)
    return secret


def names_of(events: Sequence[Json]) -> frozenset[str]:
    """Return the names of events."""
    return frozenset(event["event"] for event in events)


def shown_to(edition: LoadedGame, viewer: str, whole: dict[str, Any], secret: frozenset[str]) -> dict[str, Any]:
    """Show something with ``command`` and ``events``, of which those of the names ``secret`` are still held back."""
    command, events = whole["command"], []
    for event in whole["events"]:
        owner = _owner(edition, event, secret)
        if owner is None or _may_see(edition, viewer, owner, event):
            events.append(_amend_shown(edition, viewer, event, secret) if event["event"] == AMENDED else event)
        else:
            events.append({"event": event["event"], "player": owner})
            command = {"do": command["do"], "player": owner}
    if events and events[0]["event"] == AMENDED:
        command = _amending_shown(command, events[0])
    return {**whole, "command": command, "events": events}


def _owner(edition: LoadedGame, event: Json, secret: frozenset[str]) -> str | None:
    return edition.game.secret_of(edition.codec.event(event)) if event["event"] in secret else None


def _may_see(edition: LoadedGame, viewer: str, owner: str, event: Json) -> bool:
    return viewer == owner or (viewer == BANKER and event["event"] in edition.messages.banker_sees)


def _amend_shown(edition: LoadedGame, viewer: str, event: Json, secret: frozenset[str]) -> dict[str, Any]:
    return {**event, "decided": [shown_to(edition, viewer, decided, secret) for decided in event["decided"]]}


def _amending_shown(command: Json, shown: Json) -> dict[str, Any]:
    """Show the command of an amend with the replacement as its outcome is shown."""
    instead = {decided["entry"]: decided["command"] for decided in shown["decided"]}
    return {**command, "with": instead.get(command["seq"], command["with"])}
