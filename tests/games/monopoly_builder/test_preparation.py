"""Components that are laid ready before the first throw."""

import pytest

from companion.game_api.capabilities import PreparationStep
from companion.games.monopoly_builder import GAME
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.town import O, Town


def steps(town: Town) -> list[PreparationStep]:
    preparation = town.table.game.can.preparation
    assert preparation is not None
    assert town.table.position is not None
    return list(preparation.steps(town.table.position, frozenset()))


def is_due(town: Town) -> bool:
    preparation = town.table.game.can.preparation
    return preparation is not None and town.table.position is not None and preparation.is_due(town.table.position)


def test_money_chips_and_blocks_are_said_with_their_figures() -> None:
    said = {step.name: step.count for step in steps(Town("red", "green"))}

    assert (said["money"], said["chips"], said["blocks"]) == (900, 4, 12)
    assert "deeds_beside" in said


def test_a_table_that_shuffles_its_deeds_is_told_so() -> None:
    names = {step.name for step in steps(Town("red", "green", rules={"deeds": "shuffled"}))}

    assert "deeds_shuffled" in names
    assert "deeds_beside" not in names


def test_it_is_due_until_somebody_has_thrown_or_holds_something() -> None:
    town = Town("red", "green")
    assert is_due(town)
    assert not is_due(Town("red", "green", red={"deeds": [O]}))

    town.do("roll", player="red", dice=[1, 2])

    assert not is_due(town)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_said_in_every_language(language: str) -> None:
    words = Words(language, GAME)
    towns = (Town("red", "green"), Town("red", "green", rules={"deeds": "shuffled"}))
    names = {step.name for town in towns for step in steps(town)}

    unsaid = [
        (context, name) for context in ("step", "prepare") for name in names if words.template(name, context) == name
    ]
    assert unsaid == []
