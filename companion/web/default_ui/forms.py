"""Figures of a position as lines of a page, and offers as forms, field by field."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from companion.engine.game import BANKER
from companion.engine.journal import Json
from companion.game_api.fields import FieldType, field_types
from companion.game_api.messages import Messages
from companion.game_api.ui import TableView

HIDDEN = frozenset({"name"})
DEEPEST = 2


@dataclass(frozen=True, slots=True)
class DisplayLine:
    """A figure of a position: its ``label`` and what it says."""

    key: str
    label: str
    says: str


def shown(scene: TableView, part: Any) -> list[DisplayLine]:
    """Return the figures of a part of a position, those that say something."""
    if not isinstance(part, Mapping):
        return []
    lines = (
        DisplayLine(str(key), scene.words.named("field", str(key)), figure(scene, str(key), value))
        for key, value in part.items()
        if key not in HIDDEN
    )
    return [line for line in lines if line.says]


def figure(scene: TableView, key: str, value: Any) -> str:
    """Put a figure into words as the game does, or as any value."""
    own = scene.words.described_figure(key, value, scene.names, scene.catalog)
    return said(scene, value) if own is None else own


def _called(scene: TableView, value: str) -> str:
    """Name a card, or an id of the game's own as its words under ``value`` do."""
    card = str(scene.words.card(value, scene.catalog))
    return str(scene.words.say_in("value", value)) if card == value else card


def said(scene: TableView, value: Any, depth: int = 0) -> str:
    """Put a value into words: players by name, cards by title, lists with *and*."""
    match value:
        case None | "":
            return ""
        case bool():
            return str(scene.words.say("yes") if value else scene.words.say("no"))
        case str():
            return str(scene.names.get(value) or _called(scene, value))
        case Mapping() if depth < DEEPEST:
            parts = [f"{said(scene, str(key))}: {said(scene, part, depth + 1)}" for key, part in value.items()]
            return ", ".join(part for part in parts if not part.endswith(": "))
        case list() | tuple():
            return str(scene.words.listed(words for part in value if (words := said(scene, part, depth + 1))))
        case _:
            return str(value)


# Offers as forms.

FEW = 8
BUTTONS = 3
"""So many choices of one field are a button each."""
BRIEF = 4
"""So many letters, as in the name of a cell, need no line of their own."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a field may hold: as the form sends it, in words; ``also`` is merged into the command as JSON.

    ``most``: how many of it there may be, in a bag.  ``drawn``: how it looks, in games that draw it.
    """

    value: str
    says: str
    also: Json | None = None
    most: int = 0
    drawn: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """An open field: ``kind`` as in the offer, what may be chosen, between which amounts, or of which parts it is."""

    name: str
    label: str
    kind: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    step: int = 1
    parts: tuple["Open", ...] = ()

    @property
    def arrangement(self) -> str:
        """How its choices are laid: a few as they come, many one under the other, many short ones side by side."""
        if len(self.choices) <= FEW:
            return ""
        return "many brief" if all(len(choice.says) <= BRIEF for choice in self.choices) else "many"


@dataclass(frozen=True, slots=True)
class ActButton:
    """A button that gives a whole command: its title, and what sets it apart from others of that title."""

    title: str
    says: str
    command: Json
    drawn: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """An offer as it is drawn: ``command`` are its settled fields; without ``fields`` one button does it."""

    title: str
    command: Json
    player: str | None
    urgency: str
    fields: tuple[Open, ...]
    settled: str

    @property
    def like(self) -> str:
        """Its settled fields as one text, by which a page asks for its sheet."""
        return json.dumps(self.command, separators=(",", ":"), sort_keys=True)

    @property
    def begun(self) -> Json:
        """The command before anything is chosen: a mapping of parts is there even where there is nothing to choose."""
        return {**self.command, **{field.name: {} for field in self.fields if field.kind == "parts"}}

    @property
    def buttons(self) -> tuple[ActButton, ...]:
        """Return the buttons that do without a form: of an offer that leaves nothing open, or one choice of a few."""
        if not self.fields:
            return (ActButton(self.title, self.settled, self.command),)
        first = self.fields[0]
        if len(self.fields) > 1 or first.kind != "one_of" or not 1 <= len(first.choices) <= BUTTONS:
            return ()
        return tuple(
            ActButton(self.title, choice.says, {**self.command, first.name: choice.value}, choice.drawn)
            for choice in first.choices
        )

    @property
    def on_sheet(self) -> bool:
        """Return whether there is so much to choose that it opens on a sheet of its own."""
        return any(field.kind == "parts" for field in self.fields)


def forms(scene: TableView, offers: Sequence[Json], messages: Messages) -> list[Form]:
    """Lay all offers out; the field types of their commands say what ids stand for."""
    return [_form(scene, offer, messages) for offer in offers]


def _form(scene: TableView, offer: Json, messages: Messages) -> Form:
    command, kind = scene.command(offer), messages.command(offer["do"])
    types = {field_type.name: field_type for field_type in field_types(kind).values()} if kind else {}
    usual = _usual(kind)
    settled = [
        _word(scene, value, types.get(key))
        for key, value in command.items()
        if key not in ("do", "player", "by") and usual.get(key, MISSING) != value
    ]
    return Form(
        title=scene.words.verb(offer["do"]),
        command=command,
        player=_whose(offer),
        urgency=offer["urgency"],
        fields=tuple(_open(scene, name, field, types.get(name)) for name, field in offer["fields"].items()),
        settled=", ".join(word for word in settled if word),
    )


def _whose(offer: Json) -> str | None:
    """Return the player who may give the command; ``None`` where only the banker may."""
    by = offer.get("player") or offer.get("by")
    return None if by in (None, BANKER) else str(by)


def _usual(kind: type[Any] | None) -> Json:
    """Return what a command holds where nothing else is said, which needs no words either."""
    return {dataclass_field.name: dataclass_field.default for dataclass_field in dataclass_fields(kind)} if kind else {}


def _open(scene: TableView, name: str, field: Json, holds: FieldType | None) -> Open:
    label, kind = scene.words.named("field", name), field["kind"]
    match kind:
        case "amount":
            return Open(name, label, kind, least=field["least"], most=field["most"], step=field["step"])
        case "some_of":
            choices = _each(scene, field["values"], holds)
            return Open(name, label, kind, choices, least=field["least"], most=field["most"])
        case "one_of":
            return Open(name, label, kind, _each(scene, field["values"], holds))
        case "dice":
            faces = tuple(Choice(str(face), str(face)) for face in range(1, field["faces"] + 1))
            return Open(name, scene.words.named("field", "die"), kind, faces, least=field["count"], most=field["count"])
        case "bag":
            meaning = holds.holds if holds is not None else None
            context = meaning.of if meaning is not None and meaning.kind == "choice" else "value"
            kinds = field["kinds"].items()
            choices = tuple(Choice(kind, scene.words.named(context, kind), most=most) for kind, most in kinds)
            return Open(name, label, kind, choices, least=field["least"], most=field["most"])
        case "parts":
            parts = tuple(_open(scene, part, part_field, None) for part, part_field in field["parts"].items())
            return Open(name, label, kind, parts=tuple(replace(part, name=f"{name}.{part.name}") for part in parts))
        case _:
            whole = enumerate(field.get("values", ()))
            choices = tuple(Choice(str(number), said(scene, value), {name: value}) for number, value in whole)
            return Open(name, label, "whole", choices or (Choice("", scene.words.say("nothing"), {name: {}}),))


def _each(scene: TableView, values: Sequence[str], holds: FieldType | None) -> tuple[Choice, ...]:
    return tuple(Choice(value, _word(scene, value, holds)) for value in values)


def _word(scene: TableView, value: object, field: FieldType | None) -> str:
    """Return a value by what its field holds; one of a choice by its own word."""
    if isinstance(value, str) and field is not None and field.holds is not None and field.holds.kind == "choice":
        return str(scene.words.named(field.holds.of, value))
    return said(scene, value)
