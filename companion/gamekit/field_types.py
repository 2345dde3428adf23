"""Reads the field types of dataclasses."""

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from companion.gamekit.fields import Holds


@dataclass(frozen=True, slots=True)
class FieldType:
    """A field as JSON spells it.

    ``holds`` is ``None`` for what no form and no sentence knows; ``many``: it may be a list; ``needed``: it has no
    default; ``values``: the ids that a choice is made from.
    """

    name: str
    holds: Holds | None
    many: bool = False
    needed: bool = True
    values: tuple[str, ...] = ()


def spelled(name: str) -> str:
    """Give the name that a field has in JSON: one that would be a Python keyword has an underscore behind it here."""
    return name[:-1] if keyword.iskeyword(name[:-1]) else name


@cache
def field_types(kind: type) -> Mapping[str, FieldType]:
    """Give the fields of a dataclass by name, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    found = (_field(one, hints[one.name]) for one in fields(kind))
    return MappingProxyType({one.name: one for one in found})


def by_name(kinds: Iterable[type]) -> Mapping[str, FieldType]:
    """Give what fields of a name hold in the first of several dataclasses that says so."""
    found: dict[str, FieldType] = {}
    for kind in kinds:
        for name, one in field_types(kind).items():
            if one.holds is not None:
                found.setdefault(name, one)
    return found


def _field(field: "Field[Any]", hint: Any) -> FieldType:
    needed = field.default is MISSING and field.default_factory is MISSING
    return FieldType(spelled(field.name), _holds(hint), _many(hint), needed, _values(hint))


def _holds(hint: Any) -> Holds | None:
    if get_origin(hint) is Annotated:
        for mark in get_args(hint)[1:]:
            if isinstance(mark, Holds):
                return mark
    found = (_holds(part) for part in _parts(hint))
    return next((one for one in found if one is not None), None)


def _many(hint: Any) -> bool:
    return get_origin(hint) is tuple or any(_many(part) for part in _parts(hint))


def _values(hint: Any) -> tuple[str, ...]:
    if get_origin(hint) is Literal:
        return tuple(str(one) for one in get_args(hint))
    return tuple(value for part in _parts(hint) for value in _values(part))


def _parts(hint: Any) -> tuple[Any, ...]:
    """Give the types that a type is made of, as far as JSON writes them in one place."""
    origin = get_origin(hint)
    if origin is Annotated:
        return get_args(hint)[:1]
    return get_args(hint) if origin in (Union, UnionType, tuple) else ()
