"""Redaction of journals: secrets of players are held back until something reveals them."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.game import BANKER
from companion.engine.journal import Json
from companion.engine.timeline import Step
from companion.game_api.manifest import LoadedGame
from companion.service.table.history import AMENDED, History, newest_first


def secret_entries(game: LoadedGame, history: History) -> Mapping[int, frozenset[str]]:
    """Return the entries that hold something that not everybody has seen yet, with the names of those events.

    A secret stays one, also when it was taken back or replaced, until something reveals it; what has once been revealed
    is no secret any more.
    """
    messages = game.messages
    if not messages.secret:
        return {}
    secret: dict[int, frozenset[str]] = {}
    for entry, step in history.moments():
        happened = names_of(entry.events)
        if AMENDED in happened:
            names = _secrets_of_amend(game, step, entry.seq)
        else:
            redacted = ((seq, messages.still_secret(names, happened)) for seq, names in secret.items())
            secret = {seq: names for seq, names in redacted if names}
            names = messages.secrets_among(happened)
        if names:
            secret[entry.seq] = names
    return secret


def _secrets_of_amend(game: LoadedGame, step: Step[Any] | None, amend: int) -> frozenset[str]:
    """Return the names of the secret events that an amend has let stand and nothing above them reveals."""
    above: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    for stood in newest_first(step):
        happened = frozenset(type(event).__name__ for event in stood.events)
        above |= happened
        if stood.amended == amend:
            secret |= game.messages.still_secret(game.messages.secret & happened, above)
    return secret


def names_of(events: Sequence[Json]) -> frozenset[str]:
    """Return the names of events."""
    return frozenset(event["event"] for event in events)


def shown_to(game: LoadedGame, viewer: str, whole: dict[str, Any], secret: frozenset[str]) -> dict[str, Any]:
    """Show something with ``command`` and ``events``, of which those of the names ``secret`` are still held back."""
    command, events = whole["command"], []
    for stored in whole["events"]:
        command, event = _covered(game, viewer, command, stored) if stored["event"] in secret else (command, stored)
        owner = _owner(game, event, secret)
        if owner is None or _may_see(game, viewer, owner, event):
            events.append(_amend_shown(game, viewer, event, secret) if event["event"] == AMENDED else event)
        else:
            events.append({"event": event["event"], "player": owner})
            command = {"do": command["do"], "player": owner}
    if events and events[0]["event"] == AMENDED:
        command = _amending_shown(command, events[0])
    return {**whole, "command": command, "events": events}


def _covered(game: LoadedGame, viewer: str, command: Json, event: Json) -> tuple[Json, Json]:
    """Return a command and its event without the figures that are held back from a viewer."""
    cover = game.messages.covered.get(event["event"])
    if cover is None or (viewer == BANKER and event["event"] in game.messages.banker_sees):
        return command, event
    return cover(command, event, viewer)


def _owner(game: LoadedGame, event: Json, secret: frozenset[str]) -> str | None:
    if event["event"] not in secret or event["event"] in game.messages.covered:
        return None
    return game.rules.secret_of(game.codec.event(event))


def _may_see(game: LoadedGame, viewer: str, owner: str, event: Json) -> bool:
    return viewer == owner or (viewer == BANKER and event["event"] in game.messages.banker_sees)


def _amend_shown(game: LoadedGame, viewer: str, event: Json, secret: frozenset[str]) -> dict[str, Any]:
    return {**event, "decided": [shown_to(game, viewer, decided, secret) for decided in event["decided"]]}


def _amending_shown(command: Json, shown: Json) -> dict[str, Any]:
    """Show the command of an amend with the replacement as its outcome is shown."""
    instead = {decided["entry"]: decided["command"] for decided in shown["decided"]}
    return {**command, "with": instead.get(command["seq"], command["with"])}
