"""Games in words: every refusal, event, command and moment in three languages."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args

import pytest

from companion.game_api.messages import verb_of
from companion.games.men_at_work.rules.phases import ActionPhase
from companion.games.monopoly_builder.rules.phases import TurnPhase
from companion.words import LANGUAGES, Words
from tests.opened import installed_games
from tests.words.refusals_in_source import rules


@dataclass(frozen=True)
class Worded:
    """A game with its moments, and events that are always told by one of several sentences."""

    name: str
    moments: Any
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def words_in(self) -> list[Words]:
        return [Words(language, installed_games().manifest(self.name)) for language in LANGUAGES]

    @property
    def messages(self) -> Any:
        return installed_games().manifest(self.name).messages()


GAMES = [
    pytest.param(game, id=game.name)
    for game in (
        Worded("men_at_work", ActionPhase, {"GameEnded": (".awards", ".last_standing", ".exhausted")}),
        Worded(
            "monopoly_builder",
            TurnPhase,
            {"GameEnded": (".penthouse", ".last_solvent", ".called_off"), "Freed": (".fee", ".card", ".double")},
        ),
    )
]


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_event_command_and_moment_has_its_words(game: Worded) -> None:
    wanted = [("refused", rule) for rule in rules(game.name)]
    wanted += [
        ("event", kind.__name__ + variant)
        for kind in game.messages.events
        for variant in game.variants.get(kind.__name__, ("",))
    ]
    wanted += [("command", verb_of(kind)) for kind in game.messages.commands]
    wanted += [("phase", phase) for phase in get_args(game.moments)]
    for words in game.words_in:
        assert [(context, text) for context, text in wanted if words.template(text, context) == text] == []


@pytest.mark.parametrize("game", GAMES)
def test_sentences_name_only_what_an_event_holds(game: Worded) -> None:
    for words in game.words_in:
        for kind in game.messages.events:
            field_names = {field.name.rstrip("_") for field in fields(kind)}
            for variant in game.variants.get(kind.__name__, ("",)):
                named = set(re.findall(r"\{(\w+)\}", words.template(kind.__name__ + variant, "event")))
                assert named <= field_names, kind.__name__


@pytest.mark.parametrize("game", GAMES)
def test_words_are_the_same_ids_in_every_language(game: Worded) -> None:
    folder = installed_games().manifest(game.name).words
    assert folder is not None
    files = sorted(folder.glob("*.po"))
    ids = {path.stem: re.findall(r'msgctxt "(.*)"\nmsgid "(.+)"', path.read_text("utf-8")) for path in files}
    assert ids["en"] == ids["fr"] == ids["de"]
