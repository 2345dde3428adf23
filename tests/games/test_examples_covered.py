"""Every one of the numbered acceptance examples of a game has a test."""

import ast
import re
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("game", "letters", "last"),
    [("master_builder", "mb", 77), ("men_at_work", "mw", 56), ("monopoly_builder", "mo", 102)],
)
def test_every_example_of_a_game_has_a_test(game: str, letters: str, last: int) -> None:
    assert set(range(1, last + 1)) - numbers_named(Path(__file__).parent / game, letters) == set()


def numbers_named(folder: Path, letters: str) -> set[int]:
    """Return the numbers in names of tests and ids of their cases: ``test_mo_23_77_...``, ``MO-90 rule``."""
    several = re.compile(rf"{letters}((?:[-_]\d{{2,3}}(?!\d))+)", re.IGNORECASE)
    names: list[str] = []
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.append(node.name)
            elif isinstance(node, ast.keyword) and node.arg == "id" and isinstance(node.value, ast.Constant):
                names.append(str(node.value.value))
    return {int(number) for name in names for run in several.findall(name) for number in re.findall(r"\d+", run)}
