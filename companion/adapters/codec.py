"""Strict JSON for frozen dataclasses: no ``5`` for ``"5"``, no unknown keys, no missing ones.

The tag of a command is its class name in snake_case under ``do``, that of an event its class name under
``event``.  A field whose name would be a Python keyword has an underscore behind it there, not here.
"""

import json
import keyword
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from companion.engine.errors import Refused

STRICT = ConfigDict(extra="forbid", strict=True)

LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON holds exactly."""
UNION_BRANCHES = {("str",), ("bool",)}
"""What pydantic adds to the place of a fault for each type that a field might have had."""
DEEPEST = 50
"""Brackets within brackets, far more than any command has."""


def verb_of(kind: type) -> str:
    """Give the ``do`` of a command class: ``HireWorker`` is ``hire_worker``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


_adapters: dict[type, TypeAdapter[Any]] = {}


def _adapter(kind: type) -> TypeAdapter[Any]:
    """Build the validator of one class once; a tuple around it lets the strictness apply to it."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(tuple[kind], config=STRICT)  # type: ignore[valid-type]
    return _adapters[kind]


def _read(kind: type, fields: Mapping[str, Any]) -> Any:
    renamed = {f"{key}_" if keyword.iskeyword(key) else key: value for key, value in fields.items()}
    escaped = [key for key in fields if key.endswith("_")]
    if escaped:
        raise Refused("unknown_field", field=escaped[0])
    return _adapter(kind).validate_json(json.dumps([renamed]))[0]


def _written(value: Any) -> dict[str, Any]:
    fields: dict[str, Any] = _adapter(type(value)).dump_python((value,), mode="json")[0]
    return {key.removesuffix("_"): held for key, held in fields.items()}


class JsonCodec:
    """Commands and events of one game to and from JSON."""

    def __init__(self, commands: Iterable[type], events: Iterable[type]) -> None:
        """Take the game's command and event classes."""
        self._commands = {verb_of(kind): kind for kind in commands}
        self._events = {kind.__name__: kind for kind in events}

    def command(self, json: Mapping[str, Any]) -> Any:
        """Read a command; ``Refused`` names the first thing that is wrong with it."""
        verb = json.get("do")
        if not isinstance(verb, str):
            raise Refused("no_command")
        _sound(json)
        kind = self._commands.get(verb)
        if kind is None:
            raise Refused("unknown_command", do=verb[:40])
        try:
            return _read(kind, {key: value for key, value in json.items() if key != "do"})
        except ValidationError as error:
            raise _first_fault(error) from error

    def command_json(self, command: Any) -> dict[str, Any]:
        """Write a command, fields at their defaults left out."""
        fields: dict[str, Any] = _adapter(type(command)).dump_python((command,), mode="json", exclude_defaults=True)[0]
        return {"do": verb_of(type(command)), **{key.removesuffix("_"): held for key, held in fields.items()}}

    def event(self, json: Mapping[str, Any]) -> Any:
        """Read a stored event; ``ValueError`` for what is none of this game."""
        name = json.get("event")
        kind = self._events.get(name) if isinstance(name, str) else None
        if kind is None:
            message = f"no event is called {name!r}"
            raise ValueError(message)
        return _read(kind, {key: value for key, value in json.items() if key != "event"})

    def event_json(self, event: Any) -> dict[str, Any]:
        """Write an event with every field, also those at their defaults: replay must not need them."""
        return {"event": type(event).__name__, **_written(event)}


def _sound(command: Mapping[str, Any]) -> None:
    """Refuse what no reader of JSON can be asked to hold: half characters, no numbers, endless nesting or figures."""
    held: list[tuple[str, Any, int]] = [("?", command, 0)]
    while held:
        field, value, depth = held.pop()
        if depth > DEEPEST:
            raise Refused("not_json")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise Refused("wrong_type", field=field)
        if isinstance(value, Mapping):
            held.extend((str(key), one, depth + 1) for key, one in value.items())
        elif isinstance(value, list | tuple):
            held.extend((field, one, depth + 1) for one in value)
    try:
        json.dumps(command, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError) as error:
        raise Refused("not_json") from error


def _first_fault(error: ValidationError) -> Refused:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = fault["loc"][1:]
    if place[-1:] in UNION_BRANCHES:
        place = place[:-1]
    field = ".".join(str(part).removesuffix("_") for part in place) or "?"
    match fault["type"]:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return Refused("missing_field", field=field)
        case "unexpected_keyword_argument" | "extra_forbidden":
            return Refused("unknown_field", field=field)
        case _:
            return Refused("wrong_type", field=field)
