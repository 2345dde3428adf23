"""The layers, seen from the code itself: what the import contracts forbid by name is here allowed by name."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = [path.parent for path in sorted((ROOT / "companion/games").glob("*/__init__.py"))]
PURE = {
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
    "typing_extensions",  # typing of later Pythons: the TypedDict that pydantic describes before 3.12
    "unicodedata",
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def modules(*packages: str) -> list[Path]:
    files = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    return sorted([*files, *(path for package in packages if (path := ROOT / f"{package}.py").is_file())])


PURE_ROOMS = ("rules", "forecast", "advice", "bots")
"""Rooms of a game that ask nothing of the world."""

RULES_MAY_USE = tuple(
    f"companion.game_api.{name}"
    for name in (
        "corrections",
        "event_recorder",
        "handbook",
        "house_rules",
        "messages",
        "notes",
        "seating",
        "steps",
    )
)
"""Modules of the plug-in API that are pure."""


def pure_modules() -> list[Path]:
    rooms = [f"companion/games/{game.name}/{room}" for game in GAMES for room in PURE_ROOMS]
    return modules("companion/engine", *rooms)


def test_rules_import_only_what_is_pure() -> None:
    # given every module of the engine and of the games' rules
    checked = pure_modules()
    assert {path.relative_to(ROOT).parts[1] for path in checked} == {"engine", "games"}

    # then none imports anything beside the allowed modules
    foreign = {
        (str(path.relative_to(ROOT)), name)
        for path in checked
        for name in imports(path)
        if name.partition(".")[0] not in PURE
        and not name.startswith(("companion.engine", "companion.games", *RULES_MAY_USE))
    }
    assert not foreign


def test_nothing_imports_relatively() -> None:
    relative = [
        path
        for path in modules("companion", "calibration")
        if re.search(r"^\s*from\s+\.", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert not relative


def test_every_package_has_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    layers = " ".join(contracts["layers"]["layers"])
    packages = [path.parent.name for path in ROOT.glob("companion/*/__init__.py")]
    assert contracts["layers"]["exhaustive"]
    assert not [name for name in packages if name not in layers.split()]


def test_only_the_program_itself_prints() -> None:
    printing = [
        path
        for path in modules("companion", "calibration")
        if "companion/cli/" not in path.as_posix()
        and "print(" in (code := path.read_text(encoding="utf-8"))
        and any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            for node in ast.walk(ast.parse(code))
        )
    ]
    assert not printing
