"""Values of open fields, drawn at random."""

import random
from typing import Any

from tests.games.played_table import Json


def drawn(lots: random.Random, field: Json) -> Any:
    """Draw what a field may hold."""
    match field["kind"]:
        case "bag":
            chips = [kind for kind, count in field["kinds"].items() for _ in range(count)]
            chosen = lots.sample(chips, lots.randint(field["least"], min(field["most"], len(chips))))
            return {kind: chosen.count(kind) for kind in field["kinds"] if kind in chosen}
        case "parts":
            drawn_parts = {name: drawn(lots, part) for name, part in field["parts"].items()}
            return {name: value for name, value in drawn_parts.items() if value}
        case "some_of":
            return lots.sample(field["values"], lots.randint(field["least"], min(2, field["most"])))
        case "dice":
            return [lots.randint(1, field["faces"]) for _ in range(field["count"])]
        case "amount":
            steps = (min(field["most"], field["least"] + 50) - field["least"]) // field["step"]
            return field["least"] + field["step"] * lots.randint(0, steps)
        case _:
            return lots.choice(field["values"])
