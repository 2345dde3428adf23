"""Entries of earlier versions, read as this one would have written them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine.journal import Entry
from companion.engine.json_values import Json
from companion.gamekit.messages import Codec
from companion.service.journal.history import AMENDED


def as_of_today(codec: Codec, entry: Entry) -> Entry:
    """Bring every event of an entry, also those that an amend let stand, to the form of today."""
    return replace(entry, events=tuple(_event(codec, event) for event in entry.events))


def _event(codec: Codec, event: Json) -> Json:
    if event.get("event") == AMENDED and isinstance(event.get("decided"), list):
        return {**event, "decided": [_decided(codec, one) for one in event["decided"]]}
    return codec.upcast(event)


def _decided(codec: Codec, one: Any) -> Any:
    """Bring the events of one outcome to today's form; what is torn stays so, and is told when it is folded."""
    if not isinstance(one, Mapping) or not isinstance(one.get("events"), list):
        return one
    return {**one, "events": [codec.upcast(event) for event in one["events"]]}
