"""Faults of catalogs as they are kept: every one that a damage leads to, with its place in the file and on the page.

python -m tests.games.kept_faults     # after a change that was wanted; the difference is for reading
"""

import copy
import json
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, cast

from _pytest.mark import ParameterSet

from companion.game_api.cards import Cards

GAMES = ("men_at_work", "monopoly_builder")
FOLDER = Path(__file__).parent

Change: TypeAlias = Callable[[dict[str, Any]], None]
Damage: TypeAlias = ParameterSet
"""What is changed in the bundled catalog, and where the fault is told; its id names it."""


def fault_lines(cards: Cards, damage: Damage) -> list[str]:
    """Damage the bundled catalog, and give what is told."""
    data = copy.deepcopy(tomllib.loads(cards.bundled["house"].read_text(encoding="utf-8")))
    cast("Change", damage.values[0])(data)
    _, faults = cards.parse(data)
    return [f"{'.'.join(map(str, fault.place))} ({cards.spoken(fault.place, data)}): {fault.words}" for fault in faults]


def name_of(damage: Damage) -> str:
    """Return the name of a damage."""
    return str(damage.id)


def named(damages: Sequence[Damage], name: str) -> Damage:
    """Return the damage of a name."""
    return next(damage for damage in damages if damage.id == name)


@cache
def kept(game: str) -> dict[str, list[str]]:
    """Return the faults of a game that are kept, by the name of the damage."""
    faults: dict[str, list[str]] = json.loads(_file(game).read_text("utf-8"))
    return faults


def _file(game: str) -> Path:
    return FOLDER / game / "golden" / "faults.json"


def main() -> None:
    """Keep what is told today."""
    for game in GAMES:
        tests = import_module(f"tests.games.{game}.test_catalog")
        faults = {name_of(damage): fault_lines(tests.CARDS, damage) for damage in tests.DAMAGES}
        _file(game).write_text(json.dumps(faults, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
