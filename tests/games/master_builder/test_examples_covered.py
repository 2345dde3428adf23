"""Which of the numbered acceptance examples of Master Builder have a test, and which wait for later rules."""

import ast
import re
from pathlib import Path

EXAMPLES = {*range(1, 67), *range(67, 78)}
HOUSE_RULES = {22, 38}
VARIANTS = {67, 68, 69, 70}
NUMBER = re.compile(r"mb[-_](\d\d)", re.IGNORECASE)


def numbers_named() -> set[int]:
    """Read the names of tests and the ids of their cases in this folder."""
    found: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= {int(number) for number in NUMBER.findall(node.name)}
            elif isinstance(node, ast.keyword) and node.arg == "id" and isinstance(node.value, ast.Constant):
                found |= {int(number) for number in NUMBER.findall(str(node.value.value))}
    return found


def test_every_example_of_the_base_game_has_a_test() -> None:
    assert EXAMPLES - numbers_named() == HOUSE_RULES | VARIANTS
