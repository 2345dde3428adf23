"""Components that are laid ready before the first card, by players, levels and variants."""

from typing import Any

import pytest

from companion.game_api.capabilities import PreparationStep
from companion.game_api.ui import TextContext
from companion.games.men_at_work import GAME
from companion.games.men_at_work.ui.texts import MenAtWorkPositionTexts
from companion.words import LANGUAGES, Words
from tests.games.men_at_work.building_site import Site


def steps(site: Site, *seen: str) -> list[PreparationStep]:
    preparation = site.table.game.can.preparation
    assert preparation is not None
    assert site.table.position is not None
    return list(preparation.steps(site.table.position, frozenset(seen)))


def is_due(site: Site) -> bool:
    preparation = site.table.game.can.preparation
    return preparation is not None and site.table.position is not None and preparation.is_due(site.table.position)


def figures(site: Site) -> dict[str, int]:
    return {step.name: step.count for step in steps(site)}


def test_the_base_game_says_site_boss_certificates_and_awards() -> None:
    assert figures(Site("blue", "grey")) == {
        "site": 3,
        "reserve": 0,
        "instructions": 0,
        "boss_card": 9,
        "certificates": 3,
        "awards": 5,
        "hook": 0,
    }


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        ({"variants": ["foreman"]}, {"hands": 2, "boss_card": 8}),
        ({"variants": ["skyscraper"]}, {"box": 0}),
        ({"variants": ["crane"]}, {"crane": 0}),
        ({"rules": {"boss_at": "half"}}, {"boss_card": 18}),
        ({"experts": ["grey"]}, {"certificates": 3, "expert_certificates": 2}),
        ({"experts": ["blue", "grey"]}, {"expert_certificates": 2}),
    ],
)
def test_variants_levels_and_house_rules_change_it(begun: dict[str, Any], said: dict[str, int]) -> None:
    assert said.items() <= figures(Site("blue", "grey", **begun)).items()


def test_it_is_due_until_the_first_card_is_turned() -> None:
    site = Site("blue", "grey")
    assert is_due(site)

    site.turn("balance", "GOP")

    assert not is_due(site)


def test_it_is_due_still_once_the_hook_was_given_to_another() -> None:
    # given a game that somebody else begins than was entered
    site = Site("blue", "grey")

    site.do("correct_turn", player="grey", reason="grey was drawn")

    # then everything is yet to be laid ready, until a card is turned
    assert site.position["turn"] == 2
    assert is_due(site)
    site.turn("balance", "GOP")
    assert not is_due(site)


def test_a_back_in_view_shows_that_the_pile_lies_there() -> None:
    site = Site("blue", "grey")

    assert [(step.shown, step.of) for step in steps(site) if step.of] == [(0, 1)]
    assert [(step.shown, step.of) for step in steps(site, "GOW") if step.of] == [(1, 1)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_said_in_every_language(language: str) -> None:
    words = Words(language, GAME)
    sites = (
        Site("blue", "grey", variants=["foreman", "crane"], experts=["grey"]),
        Site("blue", "grey", variants=["skyscraper"]),
    )
    names = {step.name for site in sites for step in steps(site)}

    unsaid = [
        (context, name) for context in ("step", "prepare") for name in names if words.template(name, context) == name
    ]
    assert unsaid == []


def test_whoever_sets_the_table_hears_where_the_boss_goes_and_what_everybody_takes() -> None:
    site = Site("blue", "grey", variants=["foreman"], experts=["grey"])
    words = Words("en", GAME)
    telling = TextContext(words, card=str, person=str, catalog=site.table.catalog_json())

    said = MenAtWorkPositionTexts().moment(site.position, telling)

    assert said == (
        "Lay out the site and the reserve; put the boss after about 8 cards. "
        "Beginners take 3 certificates, experts 2. Cards in hand: 2 each. Turn up a card."
    )


@pytest.mark.parametrize(
    "taken",
    [
        {"turn": 5},
        {"clean": True},
        {"site": {"orange": 3, "workers": 4}},
        {"players": {"blue": {"certificates": 1}, "grey": {}}},
    ],
)
def test_at_a_game_that_is_taken_over_nothing_is_laid_ready_nor_said(taken: dict[str, Any]) -> None:
    site = Site("blue", "grey", taken=taken)
    telling = TextContext(Words("en", GAME), card=str, person=str, catalog=site.table.catalog_json())

    assert not is_due(site)
    assert "Lay out" not in MenAtWorkPositionTexts().moment(site.position, telling)
