"""Names in Hebrew and Arabic leave the order of the figures beside them."""

import pytest
from markupsafe import Markup

from companion.web.pages.language import fill_markup
from companion.words import Words
from tests.opened import installed_games

ARABIC, HEBREW = "\u0639\u0644\u064a", "\u05d3\u05e0\u05d9"


@pytest.mark.parametrize("name", [ARABIC, HEBREW, f"{HEBREW} 2"])
def test_a_right_to_left_name_is_isolated_within_a_sentence(name: str) -> None:
    # given Monopoly Builder, and somebody whose name is written from right to left
    words = Words("en", installed_games().manifest("monopoly_builder"))

    # when a sentence says how much they are paid
    said = words.event(
        {"event": "DebtPaid", "debtor": "red", "creditor": "blue", "amount": 50}, {"red": "Ada", "blue": name}
    )

    # then their name keeps to itself
    assert f"\u2068{name}\u2069" in said
    assert "Ada" in said
    assert "\u2068Ada" not in said


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_names_are_isolated_once_in_lists_and_in_sentences_of_pages(language: str) -> None:
    words = Words(language)
    isolated = f"\u2068{ARABIC}\u2069"

    assert isolated in words.listed([ARABIC, "Ben"])
    assert words.say("{player}: {amount}", player=isolated, amount="50 M").count("\u2068") == 1
    assert fill_markup("{player}: {amount}", {"player": ARABIC, "amount": "50 M"}) == f"{isolated}: 50 M"
    assert fill_markup("{player}!", {"player": Markup("<b>{}</b>").format(ARABIC)}) == f"<b>{ARABIC}</b>!"


def test_other_names_stay_as_they_are() -> None:
    words = Words("en")

    assert words.say("{player} pays", player="Zoë") == "Zoë pays"
    assert words.listed(["Zoë", "天地"]) == "Zoë and 天地"
