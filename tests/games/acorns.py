"""The game that `companion game new acorns` writes, and others that differ from it in a few functions."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from companion.cli.game import sample_files
from companion.engine.game import Refused
from companion.game_api.manifest import Manifest


def write_sample(folder: Path, name: str = "acorns") -> None:
    """Write the files of the game that `companion game new` begins."""
    for file, text in sample_files(name, "AC").items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def acorns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manifest]:
    """The game that `companion game new acorns` writes."""
    folder = tmp_path_factory.mktemp("acorns")
    write_sample(folder)
    sys.path.insert(0, str(folder))
    yield import_module("acorns").GAME
    sys.path.remove(str(folder))
    for module in [module for module in sys.modules if module.partition(".")[0] == "acorns"]:
        del sys.modules[module]


def with_rules(manifest: Manifest, **functions: Callable[..., Any]) -> Manifest:
    """Return a game some of whose functions are others; each is given the rules themselves first."""
    rules: Any = manifest.rules
    return replace(manifest, rules=type("Wrong", (rules,), functions))


def with_messages(manifest: Manifest, **names: Any) -> Manifest:
    messages = replace(manifest.messages(), **names)
    return replace(manifest, messages=lambda: messages)


def original(rules: Any, name: str) -> Callable[..., Any]:
    """Return a function as it was before a test replaced it."""
    function: Callable[..., Any] = getattr(super(type(rules), rules), name)
    return function


def refuses_a_card(rules: Any, position: Any, command: Any) -> Sequence[Any]:
    if getattr(command, "card", "") == "A01":
        raise Refused("card_not_offered", card="A01")
    events: Sequence[Any] = original(rules, "decide")(position, command)
    return events


def never_ends(rules: Any, state: Any, event: Any) -> Any:
    after = original(rules, "evolve")(state, event)
    return replace(after, hands=type(after.hands)()) if len(after.table()) == 1 else after
