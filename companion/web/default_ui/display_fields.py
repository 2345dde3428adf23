"""Fields of a position as lines of a page: names for ids, lists in words, one level of nesting."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
