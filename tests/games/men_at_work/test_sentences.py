"""Men at Work in words: ordinals, who is out, and colours that agree with their piece."""

import pytest

from companion.game_api.ui import TextContext
from companion.games.men_at_work import GAME
from companion.games.men_at_work.ui.texts import MenAtWorkPositionTexts
from companion.words import Words
from tests.games.men_at_work.building_site import Site


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


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Corrected: Blue, certificates 0, awards 1, cards in hand 0; out of the game (miscounted)"),
        ("de", "Korrigiert: Blue, Zertifikate 0, Auszeichnungen 1, Handkarten 0; ausgeschieden (miscounted)"),
        ("fr", "0, prix 1, cartes en main 0\u202f; hors jeu (miscounted)"),
    ],
)
def test_the_awards_of_whoever_is_out_are_told_when_they_are_put_right(language: str, said: str) -> None:
    # given a player who is out with two awards
    out = {"blue": {"certificates": 0, "awards": 2}}
    site = Site("grey", "red", "blue", taken={"boss": {"on_duty": True}, "players": out})

    # when the awards prove to have been miscounted
    (event,) = site.do("correct_player", player="blue", awards=1, reason="miscounted")

    # then the sentence says how many there are
    assert Words(language, GAME).event(event, site.table.names()).endswith(said)


@pytest.mark.parametrize(
    ("language", "under", "back"),
    [
        ("en", "goes under the discard (nobody saw it)", "goes back into the pile (it was another)"),
        ("de", "kommt unter die Ablage (nobody saw it)", "kommt zurück in den Stapel (it was another)"),
        ("fr", "va sous la défausse (nobody saw it)", "retourne dans la pioche (it was another)"),
    ],
)
def test_a_card_that_is_put_right_goes_somewhere_in_a_whole_sentence(language: str, under: str, back: str) -> None:
    site = Site(taken={"discard": ["I03"]})
    words = Words(language, GAME)

    (to_discard,) = site.do("correct_card", card="I09", to="discard", reason="nobody saw it")
    (to_pile,) = site.do("correct_card", card="I09", to="deck", reason="it was another")

    assert words.event(to_discard, site.table.names()).endswith(f"I09 {under}")
    assert words.event(to_pile, site.table.names()).endswith(f"I09 {back}")


@pytest.mark.parametrize(
    ("language", "cleans"),
    [("en", "and cleans up first"), ("de", "und räumt zuerst auf"), ("fr", "et nettoie d\u2019abord")],
)
def test_whoever_gets_the_hook_by_a_correction_is_told_to_clean_up_if_so(language: str, cleans: str) -> None:
    site = Site()
    words = Words(language, GAME)

    said = {}
    for clean in (True, False):
        (event,) = site.do("correct_turn", player="grey", clean=clean, reason="look")
        said[clean] = words.event(event, site.table.names())

    assert said[True] == said[False].replace(" (look)", f" {cleans} (look)")
