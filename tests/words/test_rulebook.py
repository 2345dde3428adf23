"""Every refusal leads to a rule, and every rule is told in every language."""

import pytest

from companion.games.master_builder import GAME
from companion.games.master_builder.face.rulebook_page import chapters
from companion.games.master_builder.rules.rulebook import BY_ID, CHAPTERS, OF_REFUSAL, RULES
from companion.games.master_builder.rules.rulebook_refusals import REFUSALS
from companion.words import LANGUAGES, Words
from tests.words.refusals_in_source import rules


def test_every_refusal_has_its_place_in_the_rulebook() -> None:
    missing = sorted(rules() - set(OF_REFUSAL))
    assert missing == [], "put them into companion/games/master_builder/rules/rulebook_refusals.py"


def test_the_rulebook_knows_no_refusal_that_nobody_says() -> None:
    words = Words("en", GAME)
    assert [refusal for refusal in OF_REFUSAL if words.template(refusal, "refused") == refusal] == []


def test_no_id_means_two_things() -> None:
    named = [refusal for refusals in REFUSALS.values() for refusal in refusals]
    assert len(named) == len(set(named))
    assert not set(named) & set(BY_ID)
    assert set(REFUSALS) <= set(BY_ID)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_words(language: str) -> None:
    words = Words(language, GAME)
    for rule in RULES:
        assert words.template(rule.id, "rulebook") != rule.id
        assert words.template(rule.id, "rulebook says") != rule.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_are_shown_as_players_meet_them(language: str) -> None:
    told = chapters(Words(language, GAME))
    assert [one["id"] for one in told] == list(CHAPTERS)
    shown = {refusal["id"]: refusal["says"] for one in told for rule in one["rules"] for refusal in rule["refusals"]}
    assert set(shown) == set(OF_REFUSAL)
    assert not [said for said in shown.values() if "{" in said]
    assert "Ada" in shown["cannot_pay"]
