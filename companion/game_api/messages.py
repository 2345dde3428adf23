"""Messages in a game's journal: its commands, its events, and how older events are read."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import partial
from types import ModuleType
from typing import Any, Protocol, TypeAlias, dataclass_transform

from companion.engine.journal import Json
from companion.game_api.fields import Actor, Person, Secret, field_types

Upcast: TypeAlias = Callable[[Json], Json]
"""Gives an event of an older form in the next one, and any other event as it is."""
Cover: TypeAlias = Callable[[Json, Json, str], tuple[Json, Json]]
"""Returns a command and one of its events without the figures that a viewer may not see."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class MessageType(type):
    """Makes each class below ``Command`` and ``Event`` a frozen dataclass with slots, without a decorator."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Return the dataclass; what has slots already is one, or a base of all."""
        kind = super().__new__(cls, name, bases, namespace)
        return kind if "__slots__" in namespace else dataclass(frozen=True, slots=True)(kind)


class Command(metaclass=MessageType):
    """Base of a game's commands: dataclasses, named in the imperative (``collect_messages``)."""

    __slots__ = ()


class Event(metaclass=MessageType):
    """Base of a game's events: dataclasses, named in the past tense (``collect_messages``)."""

    __slots__ = ()


class PlayerCommand(Command):
    """A command that only its player may give."""

    player: Actor


class PlayerEvent(Event):
    """Something that happened to a player, or that they did."""

    player: Person


def collect_messages(base: type, module: ModuleType) -> tuple[type, ...]:
    """Return the dataclasses below a base that a module defines, in their order: for ``Messages``."""
    return tuple(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == module.__name__
    )


@dataclass(frozen=True, slots=True)
class Messages:
    """The frozen dataclasses of a game's commands and events.

    Attributes:
        commands: The classes of commands.
        events: The classes of events.
        upcasts: What has become of older events, oldest first.
        secret: Names of the events that are held back from all but one player (``Game.secret_of``); those with a field
            marked ``Secret`` are among them by themselves.
        revealing: Names of the events that reveal every secret event before them.
        revealed_by: For secret events that other events reveal than ``revealing``: the names of those.
        banker_sees: Names of the secret events that the banker may see.
        covered: For secret events of which only some figures are held back, by name: ``(command, event, viewer)``
            returns both as JSON without them.
        quiet: Names of the events that are no news of their own on default pages.
        details: Dataclasses whose field types say what the details of refusals hold, by the refusal's id, ``""`` for
            any; what they leave out is as in commands and events.
    """

    commands: tuple[type, ...]
    events: tuple[type, ...]
    upcasts: tuple[Upcast, ...] = ()
    secret: frozenset[str] = frozenset()
    revealing: frozenset[str] = frozenset()
    revealed_by: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    banker_sees: frozenset[str] = frozenset()
    covered: Mapping[str, Cover] = field(default_factory=dict[str, "Cover"])
    quiet: frozenset[str] = frozenset()
    details: Mapping[str, type] = field(default_factory=dict[str, type])

    def __post_init__(self) -> None:
        """Add what fields that are marked ``Secret`` declare."""
        marks = {kind.__name__: secret_fields(kind) for kind in self.events if is_dataclass(kind)}
        marks = {name: secrets for name, secrets in marks.items() if secrets}
        if not marks:
            return
        until = {
            name: frozenset(end for mark in secrets.values() for end in mark.until) for name, secrets in marks.items()
        }
        shown = frozenset(name for name, secrets in marks.items() if all(mark.banker_sees for mark in secrets.values()))
        covers = {name: partial(cover_secret_fields, frozenset(secrets)) for name, secrets in marks.items()}
        declared: dict[str, Any] = {
            "secret": self.secret | marks.keys(),
            "revealed_by": {**{name: ends for name, ends in until.items() if ends}, **self.revealed_by},
            "banker_sees": self.banker_sees | shown,
            "covered": {**covers, **self.covered},
        }
        for name, value in declared.items():
            object.__setattr__(self, name, value)

    def command(self, do: str) -> type | None:
        """Return the class of a command by its verb; ``None`` for what is none of this game."""
        return next((kind for kind in self.commands if verb_of(kind) == do), None)

    def is_held_back(self, event: Json) -> bool:
        """Return whether an event as JSON lacks figures that its viewer may not see."""
        name = event.get("event")
        if name not in self.secret:
            return False
        kind = next(kind for kind in self.events if kind.__name__ == name)
        return any(field.needed and field.name not in event for field in field_types(kind).values())

    def secrets_among(self, happened: Collection[str]) -> frozenset[str]:
        """Return the names of the secret events among those of one entry that nothing in it reveals."""
        return self.still_secret(self.secret.intersection(happened), happened)

    def still_secret(self, secret: Collection[str], happened: Collection[str]) -> frozenset[str]:
        """Return which of these secret events stay secret once events of these names have happened."""
        return frozenset(name for name in secret if self.revealed_by.get(name, self.revealing).isdisjoint(happened))


def secret_fields(kind: type) -> Mapping[str, Secret]:
    """Return the marks of an event's secret fields, by the names that they have in JSON."""
    return {field.name: field.secret for field in field_types(kind).values() if field.secret is not None}


def cover_secret_fields(secret: Collection[str], command: Json, event: Json, viewer: str) -> tuple[Json, Json]:
    """Return a command and its event without the event's secret fields, unless they are the viewer's own.

    Of the command only what the event still shows is left, so that no other name of a secret tells it.
    """
    if viewer == event["player"]:
        return command, event
    covered = {name: value for name, value in event.items() if name not in secret}
    shared = {name: value for name, value in command.items() if name in covered and covered[name] == value}
    return {"do": command["do"], **shared}, covered


def verb_of(kind: type) -> str:
    """Return the ``do`` of a command class: ``StartGame`` is ``start_game``."""
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


def covered_position(command: Json, viewer: str) -> Json:
    """Return a ``take_over`` command without the money that is hidden from a viewer."""
    position = command["position"]
    players = {
        player: given if player == viewer else {**given, "cash": None} for player, given in position["players"].items()
    }
    figures = {name: None for name in ("bank", "standings") if position.get(name) is not None}
    return {**command, "position": {**position, "players": players, **figures}}


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
        return {new if key == old else key: value for key, value in event.items()}

    return upcast
