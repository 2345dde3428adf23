"""Finds every sentence that templates and pages speak, by reading their source."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

ROOT = Path(__file__).resolve().parents[2]
HOUSE = (
    "companion/web/*.py",
    "companion/web/api/*.py",
    "companion/web/http/*.py",
    "companion/web/pages/*.py",
    "companion/web/default_ui/*.py",
    "companion/game_api/*.py",
    "companion/words/*.py",
    "companion/bootstrap/*.py",
    "companion/printing/*.py",
    "companion/cli/*.py",
)
GAME = ("companion/games/{game}/ui/*.py", "companion/games/{game}/drawings/*.py")
TEMPLATES = ROOT / "templates"
SPOKEN = frozenset({"say", "several"})
PRODUCERS = ("sentences.py", "sentence.py")
"""Modules that hand sentences on to be said elsewhere: theirs are known by the places that they hold open."""
TO_ONE = ("sentences.py", "sentence.py")
"""Modules whose sentences speak to one player: every text that begins like a sentence, docstrings apart."""


@cache
def of_house() -> frozenset[str]:
    """Return the id of every sentence that the house's own pages say."""
    return frozenset(_in_templates(_house_templates())) | set(_in_pages(HOUSE))


@cache
def of_game(game: str) -> frozenset[str]:
    """Return the id of every sentence that a game's pages and drawings say."""
    modules = (pattern.format(game=game) for pattern in GAME)
    return frozenset(_in_templates(_game_templates(game))) | set(_in_pages(modules))


@cache
def plurals(game: str) -> frozenset[str]:
    """Return the singular ids of the sentences that depend on a number."""
    return frozenset(_in_templates([*_house_templates(), *_game_templates(game)], frozenset({"several"}), 1))


def _house_templates() -> list[Path]:
    return [path for path in TEMPLATES.rglob("*.*") if not path.is_relative_to(TEMPLATES / "games")]


def _game_templates(game: str) -> list[Path]:
    return list((TEMPLATES / "games" / game).rglob("*.*"))


def _in_templates(paths: Iterable[Path], functions: frozenset[str] = SPOKEN, most: int = 2) -> Iterator[str]:
    environment = Environment(autoescape=True)
    for path in paths:
        for call in environment.parse(path.read_text()).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in functions:
                for given in call.args[: 1 if call.node.name == "say" else most]:
                    yield from (constant.value for constant in _constants(given))


def _constants(given: nodes.Node) -> Iterator[nodes.Const]:
    if isinstance(given, nodes.Const):
        yield given
    if isinstance(given, nodes.CondExpr):
        yield from given.find_all(nodes.Const)


def _in_pages(modules: Iterable[str]) -> Iterator[str]:
    for path in (path for pages in modules for path in ROOT.glob(pages)):
        module = ast.parse(path.read_text())
        for function in module.body:
            if isinstance(function, ast.FunctionDef) and function.name == "sentence" and path.name not in PRODUCERS:
                returned = (node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value)
                yield from (text for value in returned for text in _texts(value))
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SPOKEN:
                yield from _texts(node.args[0])
            if isinstance(node, ast.Constant) and path.name in PRODUCERS and "{player}" in str(node.value):
                yield str(node.value)
            if isinstance(node, ast.Constant) and path.name in TO_ONE and str(node.value)[:1].isupper():
                yield from () if str(node.value).endswith(".") else (str(node.value),)
            if isinstance(node, ast.IfExp):
                yield from (text for text in _texts(node) if "{act}" in text)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
