"""The badge of a player shows the first letter of the name as people see it."""

import pytest

from companion.game_api.ui import initials


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("\U0001f1eb\U0001f1f7 Ada", "\U0001f1eb\U0001f1f7"),  # flag of France
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 Ada", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),  # family
        ("\U0001f44b\U0001f3fd Ada", "\U0001f44b\U0001f3fd"),  # hand with a skin tone
        ("\u2764\ufe0f Ada", "\u2764\ufe0f"),  # red heart
        ("e\u0301lise", "E\u0301"),  # accent as a character of its own
        ("\u0d15\u0d3f\u0d30\u0d23", "\u0d15\u0d3f"),  # Malayalam: a vowel sign
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645"),  # Persian
        (" ada", "A"),
        ("", "?"),
    ],
)
def test_the_first_letter_is_whole(name: str, letter: str) -> None:
    assert initials({"A": name}) == {"A": letter}


def test_two_flags_side_by_side_are_two_letters() -> None:
    # given two names that begin with one flag
    flag, other, third = "\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea", "\U0001f1ee\U0001f1f9"

    # then each shows its second letter too, and no half of it
    assert initials({"A": flag + other, "B": flag + third}) == {"A": flag + other, "B": flag + third}
    assert initials({"A": "Ada", "B": "abe"}) == {"A": "Ad", "B": "Ab"}
    assert initials({"A": "A", "B": "Abe"}) == {"A": "A", "B": "Ab"}
