"""Scripts of timed moves on a simulated table.

JSON Lines; times count from the first frame, blank lines and lines that start with ``#`` are skipped::

    {"at_ms": 500, "do": "lay", "card": "W07", "x_mm": 300, "y_mm": 200, "angle": 15}
    {"at_ms": 2000, "do": "lay_on_tray", "card": "E05"}
    {"at_ms": 4000, "do": "take_away", "card": "W07"}
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from companion.simulator.table import SimulatedTable

_FIELDS: dict[str, frozenset[str]] = {
    "lay": frozenset({"at_ms", "do", "card", "x_mm", "y_mm", "angle"}),
    "lay_on_tray": frozenset({"at_ms", "do", "card"}),
    "take_away": frozenset({"at_ms", "do", "card"}),
}


class ScriptError(ValueError):
    """Raised for a line that is no move; the message names it."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of the script."""

    at_ms: int
    do: Literal["lay", "lay_on_tray", "take_away"]
    card: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    angle: float = 0.0

    def carry_out(self, table: SimulatedTable) -> None:
        """Carry out the move.

        Raises:
            ValueError: if the table's box has no such card.

        """
        match self.do:
            case "lay":
                table.lay(self.card, self.x_mm, self.y_mm, self.angle)
            case "lay_on_tray":
                table.lay_on_tray(self.card)
            case "take_away":
                table.take_away(self.card)
            case _:
                assert_never(self.do)


def parse_script(text: str) -> tuple[Move, ...]:
    """Return the moves of a script in the order of its lines.

    Raises:
        ScriptError: for the first line that is no move.

    """
    lines = enumerate(text.splitlines(), start=1)
    return tuple(_move(number, line) for number, line in lines if line.strip() and not line.startswith("#"))


def _move(number: int, line: str) -> Move:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as fault:
        reason = f"line {number}: not JSON: {fault}"
        raise ScriptError(reason) from fault
    if not isinstance(fields, Mapping):
        reason = f"line {number}: a move is an object"
        raise ScriptError(reason)
    do = fields.get("do")
    if do not in ("lay", "lay_on_tray", "take_away"):
        reason = f"line {number}: do is one of {', '.join(_FIELDS)}"
        raise ScriptError(reason)
    missing, strange = _FIELDS[do] - {"angle"} - fields.keys(), fields.keys() - _FIELDS[do]
    if missing or strange:
        reason = f"line {number}: {do} has the fields {', '.join(sorted(_FIELDS[do]))}"
        raise ScriptError(reason)
    at_ms, card = fields["at_ms"], fields["card"]
    if not isinstance(at_ms, int) or isinstance(at_ms, bool) or at_ms < 0 or not isinstance(card, str):
        reason = f"line {number}: at_ms is a whole number from 0, card an id"
        raise ScriptError(reason)
    measures = [_measure(number, key, fields.get(key, 0)) for key in ("x_mm", "y_mm", "angle")]
    return Move(at_ms, do, card, *measures)


def _measure(number: int, key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        reason = f"line {number}: {key} is a number"
        raise ScriptError(reason)
    return float(value)
