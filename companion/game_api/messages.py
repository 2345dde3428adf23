"""Messages in a game's journal: commands, events, how older events are read, and what each of their fields holds.

Field types are said once where a field is declared: they mark the fields of frozen dataclasses, as in
``house: Annotated[str, Holds("card", "houses")]``.  Strict JSON, the forms that put an entry right, the telling of
events and the schemas of the interface all read them.
"""

import keyword
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache, partial
from types import MappingProxyType, ModuleType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    TypeAlias,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from companion.engine.journal import Json

# What fields hold

Kind: TypeAlias = Literal["money", "thousands", "person", "place", "card", "seat", "choice", "count", "text", "record"]
"""The kinds of values that a field may hold.

``money`` whole dollars, ``thousands`` dollars told in thousands, ``count`` a number of anything; ``person`` the id of a
player, ``place`` of a player or a place; ``card`` the id of a card; ``seat`` an object with ``id`` and ``name``;
``choice`` one of the ids of its ``Literal``; ``text`` somebody's own words; ``record`` an object of the game's own.
"""

MEANINGS: dict[str, str] = {
    "money": "Whole dollars.",
    "thousands": "Whole dollars, told in thousands.",
    "person": "The id of a player.",
    "place": "The id of a player or of a place.",
    "card": "The id of a card.",
    "count": "A number.",
    "text": "Somebody's own words.",
}
"""The description of a field in the OpenAPI document, by kind."""


@dataclass(frozen=True, slots=True)
class Holds:
    """Kind of a field's value, ``of`` which things, and whether it ``stays`` when an entry is corrected.

    ``of``: for a card the table of the catalog that it stands in (two, separated by a space), for a place the ids
    of those that are no player, for a choice the context of its words, for a record the name of its telling.
    """

    kind: Kind
    of: str = ""
    stays: bool = False

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> Any:
        """Return in the schema of the interface what the field holds."""
        described = handler(core)
        return {**described, "description": MEANINGS[self.kind]} if self.kind in MEANINGS else described


@dataclass(frozen=True, slots=True)
class Secret:
    """Mark of an event's field that only the event's ``player`` may see, as in ``Annotated[Dollars, Secret()]``.

    ``until``: the names of the events that reveal it; empty: those under ``Messages.revealing``.  ``banker_sees``: the
    banker may see it, too.  The event's sentence for others is ``NAME.covered`` (context ``event``).

    Also the mark of a command's field whose values are for its player's eyes, such as the cards of a hidden hand: on a
    tablet in the middle they stand on a sheet of their own.
    """

    until: tuple[str, ...] = ()
    banker_sees: bool = False


Dollars: TypeAlias = Annotated[int, Holds("money")]
Thousands: TypeAlias = Annotated[int, Holds("thousands")]
Count: TypeAlias = Annotated[int, Holds("count")]
Person: TypeAlias = Annotated[str, Holds("person")]
Actor: TypeAlias = Annotated[str, Holds("person", stays=True)]
"""The player whose act it is, where nobody else could have done it."""
Card: TypeAlias = Annotated[str, Holds("card")]
Text: TypeAlias = Annotated[str, Holds("text")]


def added(default: Any) -> Any:
    """Declare a field that an event did not have in its first version.

    JSON leaves it out at its default, so that events are written as they were before it existed.
    """
    return field(default=default, metadata={"added": True})


def added_fields(kind: type) -> Mapping[str, Any]:
    """Return the default of each ``added`` field of a dataclass, by name."""
    return {declared.name: declared.default for declared in fields(kind) if declared.metadata.get("added")}


# Reads the field types of dataclasses.


@dataclass(frozen=True, slots=True)
class FieldType:
    """A field as JSON spells it.

    ``holds`` is ``None`` for what no form and no sentence knows; ``many``: it may be a list; ``needed``: it has no
    default; ``values``: the ids that a choice is made from; ``secret``: how it is marked to be held back from others.
    """

    name: str
    holds: Holds | None
    many: bool = False
    needed: bool = True
    values: tuple[str, ...] = ()
    secret: Secret | None = None


def spelled(name: str) -> str:
    """Return the name that a field has in JSON: one that would be a Python keyword has an underscore behind it here."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def show_fields(value: Any, *names: str) -> dict[str, Any]:
    """Return fields of a dataclass, all or those named, as members of a position: tuples are lists there."""
    shown = names or [declared.name for declared in fields(value)]
    return {name: list(part) if isinstance(part := getattr(value, name), tuple) else part for name in shown}


def common_fields(source: Any, kind: type) -> dict[str, Any]:
    """Return the values of the fields that another dataclass has, too: for the state that an event begins."""
    names = {declared.name for declared in fields(kind)}
    return {declared.name: getattr(source, declared.name) for declared in fields(source) if declared.name in names}


@cache
def field_types(kind: type) -> Mapping[str, FieldType]:
    """Return the fields of a dataclass by name, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    types = (_field(field, hints[field.name]) for field in fields(kind))
    return MappingProxyType({field_type.name: field_type for field_type in types})


def by_name(kinds: Iterable[type]) -> Mapping[str, FieldType]:
    """Return what fields of a name hold in the first of several dataclasses that says so."""
    types: dict[str, FieldType] = {}
    for kind in kinds:
        for name, field_type in field_types(kind).items():
            if field_type.holds is not None:
                types.setdefault(name, field_type)
    return types


def _field(field: "Field[Any]", hint: Any) -> FieldType:
    needed = field.default is MISSING and field.default_factory is MISSING
    return FieldType(spelled(field.name), _holds(hint), _many(hint), needed, _values(hint), _secret(hint))


def _secret(hint: Any) -> Secret | None:
    """Return the mark of a secret field."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Secret)), None)


def _holds(hint: Any) -> Holds | None:
    if get_origin(hint) is Annotated:
        for mark in get_args(hint)[1:]:
            if isinstance(mark, Holds):
                return mark
    marks = (_holds(part) for part in _parts(hint))
    return next((mark for mark in marks if mark is not None), None)


def _many(hint: Any) -> bool:
    return get_origin(hint) is tuple or any(_many(part) for part in _parts(hint))


def _values(hint: Any) -> tuple[str, ...]:
    if get_origin(hint) is Literal:
        return tuple(str(arg) for arg in get_args(hint))
    return tuple(value for part in _parts(hint) for value in _values(part))


def _parts(hint: Any) -> tuple[Any, ...]:
    """Return the types that a type is made of, as far as JSON writes them in one place."""
    origin = get_origin(hint)
    if origin is Annotated:
        return get_args(hint)[:1]
    return get_args(hint) if origin in (Union, UnionType, tuple) else ()


# Messages

Upcast: TypeAlias = Callable[[Json], Json]
"""Returns an event of an older form in the next one, and any other event unchanged."""
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
        covers = {
            name: partial(cover_secret_fields, frozenset(secrets), verbs=self._verbs_with(secrets))
            for name, secrets in marks.items()
        }
        declared: dict[str, Any] = {
            "secret": self.secret | marks.keys(),
            "revealed_by": {**{name: ends for name, ends in until.items() if ends}, **self.revealed_by},
            "banker_sees": self.banker_sees | shown,
            "covered": {**covers, **self.covered},
        }
        for name, value in declared.items():
            object.__setattr__(self, name, value)

    def _verbs_with(self, names: Collection[str]) -> tuple[str, ...]:
        """Return the verbs of the commands that have fields of these names."""
        kinds = (kind for kind in self.commands if is_dataclass(kind))
        asked = ((kind, {field.name for field in field_types(kind).values()}) for kind in kinds)
        return tuple(verb_of(kind) for kind, fields in asked if fields.issuperset(names))

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


def cover_secret_fields(
    secret: Collection[str], command: Json, event: Json, viewer: str, *, verbs: Sequence[str] = ()
) -> tuple[Json, Json]:
    """Return a command and its event without the event's secret fields, unless they are the viewer's own.

    Of the command only what the event still shows is left, so that no other name of a secret tells it.  ``verbs``: of
    the commands that ask for the secret; one that does without, such as a pass, is shown as the first of them.
    """
    if viewer == event["player"]:
        return command, event
    covered = {name: value for name, value in event.items() if name not in secret}
    shared = {name: value for name, value in command.items() if name in covered and covered[name] == value}
    do = command["do"] if command["do"] in verbs else next(iter(verbs), command["do"])
    return {"do": do, **shared}, covered


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
