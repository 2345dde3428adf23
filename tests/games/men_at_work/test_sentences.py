"""Men at Work in words: ordinals, who is out, and colours that agree with their piece."""

import pytest

from companion.game_api.ui import TextContext
from companion.games.men_at_work import GAME
from companion.games.men_at_work.ui.texts import MenAtWorkPositionTexts
from companion.words import Words


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ada wins a fourth award"),
        ("fr", "Ada gagne son quatrième prix"),
        ("de", "Ada gewinnt die vierte Auszeichnung"),
    ],
)
def test_an_award_is_counted_in_a_word(language: str, said: str) -> None:
    event = {"event": "AwardWon", "player": "blue", "awards": 4}

    assert Words(language, GAME).event(event, {"blue": "Ada"}, {}) == said


def test_whoever_is_out_is_out_of_the_game() -> None:
    words = Words("en", GAME)
    telling = TextContext(words, card=str, person=str, catalog={})

    assert MenAtWorkPositionTexts().figure("out", True, telling) == "of the game"
    assert MenAtWorkPositionTexts().figure("out", False, telling) == ""


def test_french_colours_agree_with_the_girder() -> None:
    words = Words("fr", GAME)

    assert words.listed((words.say_in("girder colour", colour) for colour in ("orange", "white")), how="or") == (
        "orange ou blanche"
    )
    assert words.say_in("back", "GOW") == "une poutre orange ou blanche"
