"""Finds the id of every refusal and question that the rules and the service may answer with."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from companion.games.master_builder.rules import building

ROOT = Path(__file__).resolve().parents[2] / "companion"
GAMES = ROOT / "games"
SAYING_NO = frozenset({"Refused", "Question"})
REGULATING = (building,)
"""Modules whose functions give the id of what stands against a plan, or nothing."""


STEPS = tuple(ROOT / "game_api" / f"{name}.py" for name in ("steps", "auctions", "choices", "step_game"))
"""Modules whose refusals only games meet that are made of their steps."""


@cache
def rules_of_steps() -> frozenset[str]:
    """Return every id that the steps of the plug-in API may refuse by."""
    return frozenset().union(*map(_of_file, STEPS))


@cache
def rules(game: str = "master_builder") -> frozenset[str]:
    """Return every id that tables of a game may meet: those written where the house or the game makes a refusal.

    Master Builder has those of its building regulations besides.
    """
    others = [folder for folder in GAMES.iterdir() if folder.name != game]
    paths = [
        path
        for path in ROOT.rglob("*.py")
        if path not in STEPS and not any(folder in path.parents for folder in others)
    ]
    regulating = REGULATING if game == "master_builder" else ()
    return frozenset().union(*map(_of_file, paths), *(_returned(Path(str(of.__file__))) for of in regulating))


@cache
def _of_file(path: Path) -> frozenset[str]:
    text = path.read_text()
    return frozenset(_in(ast.parse(text))) if any(name in text for name in SAYING_NO) else frozenset()


def _in(tree: ast.AST) -> Iterator[str]:
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and _name(call.func) in SAYING_NO and call.args:
                said = call.args[1] if _name(call.func) == "Question" else call.args[0]
                yield from _constants(said)
                if isinstance(said, ast.Name):
                    yield from _assigned(function, said.id)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _assigned(function: ast.AST, name: str) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            yield from _constants(node.value)


def _returned(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _constants(node.value)


def _constants(tree: ast.AST) -> Iterator[str]:
    if isinstance(tree, ast.IfExp):
        yield from _constants(tree.body)
        yield from _constants(tree.orelse)
    elif isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
