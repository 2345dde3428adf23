"""Strict JSON for frozen dataclasses: no ``5`` for ``"5"``, no unknown keys, no missing ones.

The tag of a command is its class name in snake_case under ``do``, that of an event its class name under
``event``.  A field whose name would be a Python keyword has an underscore behind it there, not here.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from inspect import getdoc
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from companion.engine.game import Refused
from companion.game_api.messages import Upcast, added_fields, field_types, spelled, verb_of

STRICT = ConfigDict(extra="forbid", strict=True)

LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON holds exactly."""
UNION_BRANCHES = {("str",), ("bool",)}
"""What pydantic adds to the place of a fault for each type that a field might have had."""
DEEPEST = 50
"""Brackets within brackets, far more than any command has."""
LONGEST_TEXT = 300
"""Characters of somebody's own words in a command: a line, not a letter."""
FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and what turns the direction of all that follows on a page."""
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""Ends of lines in Unicode that JSON allows within a text: many readers of JSON Lines would cut the line there."""


def is_utf16(data: bytes) -> bool:
    """Return whether a file's bytes, or a part of them, are UTF-16: its mark, or a zero in most pairs of bytes.

    Pictures and archives hold zeros too, but few.
    """
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data.count(0) * 4 > len(data)


def json_line(value: Any, *, compact: bool = False, default: Callable[[Any], Any] | None = None) -> str:
    """Return a value as one line of JSON Lines, whatever ends of lines its texts contain.

    Args:
        value: what ``json.dumps`` takes.
        compact: without blanks after commas and colons.
        default: converts values that JSON does not have.

    """
    separators = (",", ":") if compact else None
    return json.dumps(value, ensure_ascii=False, default=default, separators=separators).translate(_LINE_ENDS)


class _Kind:
    """How one command or event class is read and written."""

    def __init__(self, kind: type) -> None:
        """Store the class; a tuple around it lets the strictness apply to it."""
        adapter: TypeAdapter[Any] = TypeAdapter(tuple[kind], config=STRICT)  # type: ignore[valid-type]
        self.name = kind.__name__
        self.verb = verb_of(kind)
        self._validate = adapter.validator.validate_json
        self._dump = adapter.serializer.to_python
        self._added = added_fields(kind)
        names = ((spelled(field.name), field.name) for field in fields(kind))
        self._keywords = {json_name: name for json_name, name in names if json_name != name}

    def read(self, tag: str, json: Mapping[str, Any]) -> Any:
        """Read an object from its fields, ``tag`` being none of them; ``ValidationError``, or ``Refused``."""
        fields = dict(json)
        del fields[tag]
        for json_name, field in self._keywords.items():
            if field in fields:
                raise Refused("unknown_field", field=field)
            if json_name in fields:
                fields[field] = fields.pop(json_name)
        return self._validate(to_json([fields]))[0]

    def written(self, value: Any, *, exclude_defaults: bool = False) -> dict[str, Any]:
        """Write the fields of an object."""
        fields: dict[str, Any] = self._dump((value,), mode="json", exclude_defaults=exclude_defaults)[0]
        for field, default in self._added.items():
            if field in fields and fields[field] == default:
                del fields[field]
        for json_name, field in self._keywords.items():
            if field in fields:
                fields[json_name] = fields.pop(field)
        return fields


_kinds: dict[type, _Kind] = {}


def _kind_of(kind: type) -> _Kind:
    """Prepare a class when it is first met, and once: building a validator takes longer than a whole command."""
    if kind not in _kinds:
        _kinds[kind] = _Kind(kind)
    return _kinds[kind]


class JsonCodec:
    """Commands and events of one game to and from JSON."""

    def __init__(self, commands: Iterable[type], events: Iterable[type], upcasts: Sequence[Upcast] = ()) -> None:
        """Store the game's command and event classes, and what has become of older ones, oldest first."""
        self._upcasts = tuple(upcasts)
        self._commands = {verb_of(kind): kind for kind in commands}
        self._events = {kind.__name__: kind for kind in events}

    def command(self, json: Mapping[str, Any]) -> Any:
        """Read a command; ``Refused`` names the first thing that is wrong with it."""
        verb = json.get("do")
        if not isinstance(verb, str):
            raise Refused("no_command")
        kind = self._commands.get(verb)
        if kind is None:
            _require_storable(json)
            raise Refused("unknown_command", do=verb[:40])
        return self.read(kind, json)

    def read(self, kind: type, json: Mapping[str, Any]) -> Any:
        """Read a command of a given class; ``Refused`` names the first thing that is wrong with it."""
        _require_storable(json)
        try:
            command = _kind_of(kind).read("do", json)
        except ValidationError as error:
            raise _first_fault(error) from error
        _require_legible(command)
        return command

    def command_json(self, command: Any) -> dict[str, Any]:
        """Write a command, fields at their defaults left out."""
        kind = _kind_of(type(command))
        return {"do": kind.verb, **kind.written(command, exclude_defaults=True)}

    def upcast(self, json: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a stored event of any earlier version in the form of today."""
        for upcast in self._upcasts:
            json = upcast(json)
        return json

    def event(self, json: Mapping[str, Any]) -> Any:
        """Read a stored event; ``ValueError`` for what is none of this game."""
        name = json.get("event")
        kind = self._events.get(name) if isinstance(name, str) else None
        if kind is None:
            message = f"no event is called {name!r}"
            raise ValueError(message)
        return _kind_of(kind).read("event", json)

    def event_json(self, event: Any) -> dict[str, Any]:
        """Write an event with every field, also those at their defaults: replay must not need them.

        Fields ``added`` to an event later are written only where they are not at their defaults.
        """
        kind = _kind_of(type(event))
        return {"event": kind.name, **kind.written(event)}


def _require_storable(command: Mapping[str, Any]) -> None:
    """Refuse what no reader of JSON can be asked to hold: half characters, no numbers, endless nesting or figures."""
    unchecked: list[tuple[str, Any, int]] = [("?", command, 0)]
    while unchecked:
        field, value, depth = unchecked.pop()
        if depth > DEEPEST:
            raise Refused("not_json")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise Refused("wrong_type", field=field)
        if isinstance(value, Mapping):
            unchecked.extend((str(key), member, depth + 1) for key, member in value.items())
        elif isinstance(value, list | tuple):
            unchecked.extend((field, member, depth + 1) for member in value)
    try:
        _WRITER.encode(command).encode()
    except (ValueError, TypeError) as error:
        raise Refused("not_json") from error


def _require_legible(command: Any) -> None:
    """Refuse words without end or with hidden signs; whether there are any is for the game to say."""
    kind: type = type(command)
    for name, field in field_types(kind).items():
        if field.holds is None or field.holds.kind != "text":
            continue
        words = getattr(command, name)
        if not isinstance(words, str) or not words.strip():
            continue
        if len(words) > LONGEST_TEXT or FORBIDDEN.search(words):
            raise Refused("wrong_type", field=field.name)


def _first_fault(error: ValidationError) -> Refused:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = fault["loc"][1:]
    if place[-1:] in UNION_BRANCHES:
        place = place[:-1]
    named = ".".join(str(part) for part in place) or "?"
    spelled = ".".join(str(part).removesuffix("_") for part in place) or "?"
    match fault["type"]:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return Refused("missing_field", field=spelled)
        case "unexpected_keyword_argument" | "extra_forbidden":
            return Refused("unknown_field", field=named)
        case _:
            return Refused("wrong_type", field=spelled)


# The JSON schemas of commands, for the description of the interface: read off the dataclasses, as strict JSON
# is.

Schema = dict[str, Any]


def command_schemas(owner: str, commands: Iterable[type]) -> dict[str, Schema]:
    """Return the schemas of commands and of what they are made of, by names that begin with the owner's.

    Those of commands have their verb under ``do``, and pointers lead to ``#/components/schemas``.
    """
    schemas: dict[str, Schema] = {}
    for kind in commands:
        adapter: TypeAdapter[Any] = TypeAdapter(tuple[kind], config=STRICT)  # type: ignore[valid-type]
        made = adapter.json_schema(ref_template=f"#/components/schemas/{owner}.{{model}}")
        parts = {name: _described(part) for name, part in made["$defs"].items()}
        parts[kind.__name__] = _with_verb(kind, parts[kind.__name__])
        schemas |= {f"{owner}.{name}": part for name, part in parts.items()}
    return schemas


def names_of_commands(owner: str, commands: Iterable[type]) -> list[str]:
    """Return the names under which the schemas of commands themselves stand."""
    return [f"{owner}.{kind.__name__}" for kind in commands]


def _with_verb(kind: type, part: Schema) -> Schema:
    properties = {"do": {"const": verb_of(kind)}, **part.get("properties", {})}
    described = {"description": getdoc(kind), "type": "object", "required": ["do", *part.get("required", ())]}
    return {**part, **described, "properties": properties, "additionalProperties": False}


def _described(part: Schema) -> Schema:
    """Spell fields as JSON does; a default that stands for *left out* and pydantic's titles say nothing."""
    return {
        **{key: value for key, value in part.items() if key != "title"},
        "properties": {spelled(name): _plain(schema) for name, schema in part.get("properties", {}).items()},
        **({"required": [spelled(name) for name in part["required"]]} if "required" in part else {}),
    }


def _plain(schema: Mapping[str, Any]) -> Schema:
    return {key: value for key, value in schema.items() if key != "title" and value != "\0"}
