"""The commands that the house answers in every game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from companion.gamekit.fields import Count, Holds, Text


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the latest act back."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True)
class Amend:
    """Leave entry ``seq`` out, or put the command ``with_`` in its place; without ``confirm`` it is only previewed."""

    seq: Count
    with_: Annotated[Mapping[str, Any] | None, Holds("record", "command")]
    confirm: bool = False
    reason: Text = ""


HOUSE_COMMANDS = (Undo, Redo, Amend)
