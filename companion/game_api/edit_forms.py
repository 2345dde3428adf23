"""The form by which an entry is replaced by one like it: drawn from the field types of its command."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.game_api.messages import FieldType, Holds, Messages, field_types
from companion.game_api.ui import TableView

Options: TypeAlias = "tuple[tuple[str, str], ...]"
Control: TypeAlias = Literal["people", "one", "number", "several", "amount", "text"]

CONTROLS: Mapping[str, Control] = {
    "money": "amount",
    "thousands": "amount",
    "count": "number",
    "text": "text",
    "person": "people",
    "place": "people",
    "card": "one",
    "choice": "one",
}
"""How a field is drawn by what it holds; what is not named here is left out and given again."""
STEPS = 1000
"""How many steps an amount may be put up to, where the game does not say how much there is."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a command that a form may change: what it holds (``value``), ids with their words for a choice.

    ``least``, ``most`` and ``step`` are those of an amount.
    """

    name: str
    label: str
    control: Control
    value: Any
    options: Options = ()
    least: int = 0
    most: int = 0
    step: int = 1


def changeable(messages: Messages, scene: TableView, command: Mapping[str, Any]) -> list[FormField]:
    """Return the fields of a command that a form may change; none where what it needs is held back.

    A field that the command may leave out is there where it says it.  Somebody's own words come last.
    """
    kind = messages.command(command["do"])
    if kind is None:
        return []
    types = [
        field_type
        for field_type in field_types(kind).values()
        if field_type.holds is not None and not field_type.holds.stays
    ]
    if any(field_type.needed and field_type.name not in command for field_type in types):
        return []
    said = [field_type for field_type in types if command.get(field_type.name) is not None]
    form_fields = [
        _field(scene, field_type, field_type.holds, command[field_type.name])
        for field_type in said
        if field_type.holds and _drawn(field_type.holds)
    ]
    return sorted(form_fields, key=lambda field: field.control == "text")


def other_members(command: Mapping[str, Any], changed: list[FormField]) -> dict[str, Any]:
    """Return the rest of the command, which stays as it is."""
    names = {field.name for field in changed}
    return {key: value for key, value in command.items() if key not in names}


def _drawn(holds: Holds) -> bool:
    return holds.kind in CONTROLS


def _field(scene: TableView, field: FieldType, holds: Holds, value: Any) -> FormField:
    label, control = scene.words.named("field", field.name), CONTROLS[holds.kind]
    if field.many and not isinstance(value, str):
        control = "several"
    if control == "amount":
        step = int(holds.of or 1)
        return FormField(field.name, label, control, value, most=max(value, STEPS * step), step=step)
    return FormField(field.name, label, control, value, _options(scene, field, holds))


def _options(scene: TableView, field: FieldType, holds: Holds) -> Options:
    words = scene.words
    match holds.kind:
        case "person":
            return tuple(scene.names.items())
        case "place":
            return tuple(scene.names.items()) + tuple(
                (place, words.say_in("place", place)) for place in holds.of.split()
            )
        case "card":
            tables = holds.of.split() or [name for name, _ in scene.decks]
            return tuple(option for table in tables for option in cards(scene, scene.catalog.get(table, ())))
        case "choice":
            return tuple((value, words.say_in(holds.of, value)) for value in field.values)
        case _:
            return ()


def cards(scene: TableView, ids: Any) -> Options:
    """Return cards by id and title, one that has its id in its name by that alone."""
    named = ((card, scene.words.card(card, scene.catalog)) for card in sorted(ids))
    return tuple((card, name if card in name else f"{card} {name}") for card, name in named)
