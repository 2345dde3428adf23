"""The JSON schemas of commands, for the description of the interface: read off the dataclasses, as strict JSON is."""

from collections.abc import Iterable, Mapping
from inspect import getdoc
from typing import Any

from pydantic import TypeAdapter

from companion.adapters.codec import STRICT
from companion.gamekit.field_types import spelled
from companion.gamekit.messages import verb_of

Schema = dict[str, Any]


def command_schemas(owner: str, commands: Iterable[type]) -> dict[str, Schema]:
    """Give the schemas of commands and of what they are made of, by names that begin with the owner's.

    Those of commands have their verb under ``do``, and pointers lead to ``#/components/schemas``.
    """
    found: dict[str, Schema] = {}
    for kind in commands:
        adapter: TypeAdapter[Any] = TypeAdapter(tuple[kind], config=STRICT)  # type: ignore[valid-type]
        made = adapter.json_schema(ref_template=f"#/components/schemas/{owner}.{{model}}")
        parts = {name: _described(part) for name, part in made["$defs"].items()}
        parts[kind.__name__] = _with_verb(kind, parts[kind.__name__])
        found |= {f"{owner}.{name}": part for name, part in parts.items()}
    return found


def names_of_commands(owner: str, commands: Iterable[type]) -> list[str]:
    """Give the names under which the schemas of commands themselves stand."""
    return [f"{owner}.{kind.__name__}" for kind in commands]


def _with_verb(kind: type, part: Schema) -> Schema:
    properties = {"do": {"const": verb_of(kind)}, **part.get("properties", {})}
    described = {"description": getdoc(kind), "type": "object", "required": ["do", *part.get("required", ())]}
    return {**part, **described, "properties": properties, "additionalProperties": False}


def _described(part: Schema) -> Schema:
    """Spell fields as JSON does; a default that stands for *left out* and pydantic's titles say nothing."""
    return {
        **{key: held for key, held in part.items() if key != "title"},
        "properties": {spelled(name): _plain(held) for name, held in part.get("properties", {}).items()},
        **({"required": [spelled(name) for name in part["required"]]} if "required" in part else {}),
    }


def _plain(held: Mapping[str, Any]) -> Schema:
    return {key: one for key, one in held.items() if key != "title" and one != "\0"}
