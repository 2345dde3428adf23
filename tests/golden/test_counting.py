"""Nothing that a game can come to is without a golden game."""

import pytest

from companion.game_api.house_rules import values_by_key
from companion.games.master_builder.rules.house_rules import Rules
from tests.golden.counting import ELSEWHERE, features_of, wanted
from tests.golden.deciding import marks
from tests.golden.stored import GoldenGame, golden_games
from tests.words.refusals_in_source import rules

NO_MARK = {("first_player", "chosen"): "says only how the first player was found"}


def _playing(key: str, value: object) -> list[GoldenGame]:
    return [game for game in golden_games() if f"rule: {key} = {value}" in features_of(game)]


def test_everything_has_a_golden_game() -> None:
    features = set[str]().union(*(features_of(game) for game in golden_games()))

    missing = sorted(wanted() - features)

    assert not missing, f"no golden game holds {', '.join(missing)}: CONTRIBUTING.md says how to add one"
    assert features <= wanted(), "held, but not counted"


def test_what_is_excused_still_exists() -> None:
    assert set(ELSEWHERE) <= rules()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (key, value)
        for key, values in values_by_key(Rules).items()
        for value in values[1:]
        if (key, value) not in NO_MARK
    ],
)
def test_every_house_rule_leaves_its_mark_on_a_golden_game(key: str, value: str | bool) -> None:
    assert any(marks(game, key, getattr(Rules(), key)) for game in _playing(key, value))
