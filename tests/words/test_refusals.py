"""The rules' "no", said to people."""

import pytest

from companion.games.master_builder import GAME
from companion.words import LANGUAGES, Words
from tests.words.refusals_in_source import rules, rules_of_steps

NAMES = {"blue": "Ada", "yellow": "Ben"}
NBSP, NARROW = "\u00a0", "\u202f"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_sentence(language: str) -> None:
    words = Words(language, GAME)

    missing = sorted(rule for rule in rules() if words.template(rule, "refused") == rule)

    assert len(rules()) > 50
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_of_a_step_has_its_sentence(language: str) -> None:
    words = Words(language)

    assert len(rules_of_steps()) > 10
    assert sorted(rule for rule in rules_of_steps() if words.template(rule, "refused") == rule) == []


def test_amounts_that_a_step_refuses_are_money() -> None:
    assert Words("en").refusal("too_much", {"refused_amount": 7_000}, NAMES) == "$7,000 is too much."


def test_a_refusal_names_people_and_money() -> None:
    said = Words("en", GAME).refusal("cannot_pay", {"player": "blue", "amount": 9_000, "cash": 4_000}, NAMES)

    assert said == "Ada cannot pay $9,000."


def test_wages_are_told_as_places_on_the_track() -> None:
    said = Words("en", GAME).refusal("wage_limit", {"player": "blue", "wages": 31_000, "limit": 30_000}, NAMES)

    assert said == "Wages would be 31; the limit is 30."


def test_money_is_written_as_each_language_does() -> None:
    assert Words("en", GAME).money(-21_000) == "\u2212\u2060$21,000"
    assert Words("fr", GAME).money(21_000) == f"21{NARROW}000{NBSP}$"
    assert Words("de", GAME).money(-5_000) == f"\u22125.000{NBSP}$"
    assert Words("de", GAME).money(5_000, plus=True) == f"+5.000{NBSP}$"


def test_numbers_of_people_are_not_taken_for_money() -> None:
    assert Words("en", GAME).refusal("number_of_players", {"least": 2, "most": 4}, {}) == "This game is for 2 to 4."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "That is not possible now; the phase is Hire & fire."),
        ("fr", f"Ce n\u2019est pas possible maintenant{NARROW}; c\u2019est la phase Embauche."),
        ("de", "Das geht jetzt nicht; es ist die Phase Anwerben."),
    ],
)
def test_what_belongs_to_another_phase_is_answered_with_the_phase_that_is_on(language: str, said: str) -> None:
    """The rules tell the phase they are in: nobody knows which one the sender thought of."""
    assert Words(language, GAME).refusal("not_in_this_phase", {"phase": "hire"}, NAMES) == said


def test_a_refusal_that_nobody_knows_is_still_readable() -> None:
    assert Words("fr", GAME).refusal("quite_new_rule", {"player": "blue"}, NAMES) == "quite new rule"


def test_a_figure_that_is_missing_leaves_a_dash() -> None:
    assert Words("en", GAME).refusal("cannot_pay", {"player": "blue"}, NAMES) == "Ada cannot pay \u2013."
