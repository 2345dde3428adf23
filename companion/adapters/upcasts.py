"""Events as earlier versions stored them, brought to the form of today when a journal is read.

The journal keeps what was written.  Whoever renames an event class, or a field of one, adds an upcast here and
a journal of the version before to the tests.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Json: TypeAlias = "Mapping[str, Any]"
Upcast: TypeAlias = Callable[[Json], Json]
"""Gives an event of an older form in the next one, and any other event as it is."""


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


MASTER_BUILDER: tuple[Upcast, ...] = ()
"""What has been renamed in Master Builder since its first journals, oldest first."""
