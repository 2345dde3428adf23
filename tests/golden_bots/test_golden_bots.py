"""Kept games of Men at Work and Monopoly Builder lead to the same events, refusals and positions as they did.

Where a change is wanted: ``python -m tests.golden_bots.make --play``, and look at what differs.
"""

from collections.abc import Iterator

import pytest

from companion.adapters.catalogs import load_catalog
from companion.game_api.handbook import HOUSE_RULES
from companion.game_api.messages import verb_of
from companion.games import men_at_work
from tests.extent import in_check
from tests.golden_bots.answers import answer
from tests.golden_bots.make import GOLDEN, differences, kept
from tests.golden_bots.playing import new_table
from tests.golden_bots.recipes import GAMES, Recipe
from tests.golden_bots.scripts import Script
from tests.golden_bots.wrong import Json
from tests.words.refusals_in_source import rules

DAILY = [recipe for recipe in GOLDEN if recipe.name in {"as_printed", "two_players", "taken_over"}]
"""The kept games that are played each time; the others by ``./check --all``."""
NO_COMMANDS_REFUSAL = {
    "men_at_work": {"wrong_way_up", "unlike_back", "foreman_card", "foreman_card_where", "fell_to_the_floor"}
    | {"card_means_nothing"},
    "monopoly_builder": {
        "card_means_nothing",
        "hammer_now",
        "lift_the_mortgage",
        "mortgage_it",
        "trade_it",
        "unknown_card",
    },
}
"""Questions that cards lead to: no command is refused by them."""
CANNOT_BE = {"men_at_work": {"no_award_left"}, "monopoly_builder": set[str]()}
"""A box that loads has an award more than can be given before the end; an example with another box meets it."""
OF_NAMES = {"name_unseen", "names_alike"}
"""Refused in every game alike: ``tests/games/test_names_at_the_table.py`` meets them."""
OF_THE_HOUSE = {refusal for rule in HOUSE_RULES for refusal in rule.refusals} | OF_NAMES


@pytest.mark.parametrize("recipe", in_check(GOLDEN, *DAILY), ids=lambda recipe: f"{recipe.game}-{recipe.name}")
def test_every_answer_is_as_it_was_kept(recipe: Recipe | Script) -> None:
    assert differences(recipe) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_kept_games_meet_every_event(game: str) -> None:
    met = {event["event"] for line in lines(game) for event in line.get("events", ())}

    assert {kind.__name__ for kind in GAMES[game].messages().events} - met == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_kept_games_meet_every_refusal_of_a_command(game: str) -> None:
    met = {line["refused"] for line in lines(game) if "refused" in line}
    met |= {fault["rule"] for line in lines(game) for fault in line.get("details", {}).get("faults", ())}

    assert rules(game) - OF_THE_HOUSE - met == NO_COMMANDS_REFUSAL[game] | CANNOT_BE[game]


@pytest.mark.parametrize("game", GAMES)
def test_the_kept_games_are_played_with_every_value_of_every_house_rule(game: str) -> None:
    played = [started(line["command"]) for line in lines(game) if "GameStarted" in kinds(line)]
    choices = GAMES[game].capabilities().choices
    assert choices is not None

    for key, values in choices.switches.items():
        assert {start.get("rules", {}).get(key, values[0]) for start in played} == set(values), key


def test_men_at_work_is_kept_to_every_end_and_in_every_variant() -> None:
    ended = {line["position"]["ended_by"] for line in lines("men_at_work") if "position" in line}
    variants = {variant for line in lines("men_at_work") for variant in line.get("position", {}).get("variants", ())}

    assert ended - {None} == {"awards", "last_standing", "exhausted"}
    assert variants == {"foreman", "crane", "skyscraper"}


@pytest.mark.nightly
def test_every_instruction_of_men_at_work_is_carried_out_in_a_kept_game() -> None:
    cards = men_at_work.GAME.cards()
    catalog = cards.as_json(load_catalog(cards.bundled["house"], cards))

    assert {how for recipe in GOLDEN if recipe.game == "men_at_work" for how in carried_out(recipe)} == {
        *catalog["instructions"]
    }


@pytest.mark.parametrize("game", GAMES)
def test_refusals_are_kept_too(game: str) -> None:
    refused = {line["refused"] for line in lines(game) if "refused" in line}
    done = {line["command"]["do"] for line in lines(game) if "events" in line}

    assert len(refused) >= 15
    assert {"undo", "redo"} <= done
    assert verb_of(GAMES[game].messages().commands[0]) in done


def carried_out(recipe: Recipe | Script) -> Iterator[str]:
    table = new_table(GAMES[recipe.game])
    for line in kept(recipe):
        if "command" in line:
            position = table.position_json("banker")
            if "PiecesPlaced" in kinds(line) and position and position["action"]:
                yield position["action"]["how"]
            answer(table, line["command"])


def started(command: Json) -> Json:
    position: Json = command.get("position", command)
    return position


def kinds(line: Json) -> set[str]:
    return {event["event"] for event in line.get("events", ())}


def lines(game: str) -> Iterator[Json]:
    for recipe in GOLDEN:
        if recipe.game == game:
            yield from kept(recipe)
