"""Changed copies of frozen data classes, in half the time of ``dataclasses.replace``: a replay makes thousands."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

DataclassT = TypeVar("DataclassT")


def copy_with(original: DataclassT, **changes: Any) -> DataclassT:
    """Return a copy of a data class with some fields changed.  All its fields must be positional.

    Raises:
        KeyError: if there is no such field.

    """
    kind: Any = type(original)
    values_of, places = _layout(kind)
    values = list(values_of(original))
    for name, value in changes.items():
        values[places[name]] = value
    return cast("DataclassT", kind(*values))


@cache
def _layout(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    names = [field.name for field in fields(kind)]
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),), {names[0]: 0}
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
