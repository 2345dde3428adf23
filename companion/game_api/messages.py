"""What a game's journal is made of: its commands, its events, and how older events are read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from companion.engine.journal import Json

Upcast: TypeAlias = Callable[[Json], Json]
"""Gives an event of an older form in the next one, and any other event as it is."""


@dataclass(frozen=True, slots=True)
class Messages:
    """The frozen dataclasses of a game's commands and events.

    ``upcasts``: what has become of older events, oldest first.  ``secret`` names the events that are held back from
    all but one player until one of ``revealing`` happens.  ``quiet`` events are no
    news of their own in a journal that a plain face shows.  ``details``: dataclasses whose field types say what the
    details of refusals hold, by the refusal's id, ``""`` for any; what they leave out is as in commands and events.
    """

    commands: tuple[type, ...]
    events: tuple[type, ...]
    upcasts: tuple[Upcast, ...] = ()
    secret: frozenset[str] = frozenset()
    revealing: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    details: Mapping[str, type] = field(default_factory=dict[str, type])

    def command(self, do: str) -> type | None:
        """Return the class of a command by its verb; ``None`` for what is none of this game."""
        return next((kind for kind in self.commands if verb_of(kind) == do), None)


def verb_of(kind: type) -> str:
    """Return the ``do`` of a command class: ``HireWorker`` is ``hire_worker``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


class Codec(Protocol):
    """Strict JSON for one game's commands and events."""

    def command(self, json: Json) -> Any:
        """Read a command; ``Refused`` for what is none."""
        ...

    def read(self, kind: type, json: Json) -> Any:
        """Read a command of a given class; ``Refused`` for what is none of it."""
        ...

    def command_json(self, command: Any) -> dict[str, Any]:
        """Write a command."""
        ...

    def upcast(self, json: Json) -> Json:
        """Return a stored event of any earlier version in the form of today."""
        ...

    def event(self, json: Json) -> Any:
        """Read a stored event; ``ValueError`` for what is none."""
        ...

    def event_json(self, event: Any) -> dict[str, Any]:
        """Write an event."""
        ...


def renamed_event(old: str, new: str) -> Upcast:
    """Read what was stored as ``old`` as ``new``."""

    def upcast(event: Json) -> Json:
        return {**event, "event": new} if event.get("event") == old else event

    return upcast


def renamed_field(kind: str, old: str, new: str) -> Upcast:
    """Read the field that events of a kind stored as ``old`` as ``new``."""

    def upcast(event: Json) -> Json:
        if event.get("event") != kind or old not in event:
            return event
        return {new if key == old else key: held for key, held in event.items()}

    return upcast
