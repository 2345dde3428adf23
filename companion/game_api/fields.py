"""Field types: what a field of a command, an event or a refusal holds, said once where the field is declared.

They mark the fields of frozen dataclasses, as in ``house: Annotated[str, Holds("card", "houses")]``.  Strict JSON,
the forms that put an entry right, the telling of events and the schemas of the interface all read them.
"""

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

Kind: TypeAlias = Literal["money", "thousands", "person", "place", "card", "seat", "choice", "count", "text", "record"]
"""What a field may hold.

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
"""What the description of the interface says of a field."""


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
    parts = {name: getattr(value, name) for name in names or [declared.name for declared in fields(value)]}
    return {name: list(part) if isinstance(part, tuple) else part for name, part in parts.items()}


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
