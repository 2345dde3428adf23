"""Every one of the numbered acceptance examples of Master Builder has a test."""

import ast
import re
from pathlib import Path

EXAMPLES = set(range(1, 78))
NUMBER = re.compile(r"mb[-_](\d\d)", re.IGNORECASE)


def numbers_named() -> set[int]:
    """Read the names of tests and the ids of their cases in this folder."""
    numbers: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers |= {int(number) for number in NUMBER.findall(node.name)}
            elif isinstance(node, ast.keyword) and node.arg == "id" and isinstance(node.value, ast.Constant):
                numbers |= {int(number) for number in NUMBER.findall(str(node.value.value))}
    return numbers


def test_every_example_of_the_game_has_a_test() -> None:
    assert numbers_named() >= EXAMPLES
