"""Every refusal of every game leads to a rule, and every rule is told in every language."""

import re
from pathlib import Path

import pytest

from companion.game_api.handbook import Handbook
from companion.game_api.manifest import Manifest
from companion.games import master_builder, men_at_work, monopoly_builder
from companion.games.master_builder import handbook as of_master_builder
from companion.games.men_at_work import handbook as of_men_at_work
from companion.games.monopoly_builder import handbook as of_monopoly_builder
from companion.web.game_ui import ui_for
from companion.words import LANGUAGES, Words
from companion.words.words import MISSING
from tests.words.refusals_in_source import rules

BOOKS = {
    master_builder.GAME: of_master_builder.HANDBOOK,
    men_at_work.GAME: of_men_at_work.HANDBOOK,
    monopoly_builder.GAME: of_monopoly_builder.HANDBOOK,
}
RULINGS = {"master_builder": 48, "men_at_work": 28, "monopoly_builder": 49}
each_game = pytest.mark.parametrize(("game", "book"), BOOKS.items(), ids=lambda item: getattr(item, "name", ""))
each_language = pytest.mark.parametrize("language", LANGUAGES)


def refusals(book: Handbook) -> list[str]:
    return [refusal for rule in book.rules for refusal in rule.refusals]


@each_game
def test_every_refusal_has_its_place_in_the_handbook(game: Manifest, book: Handbook) -> None:
    assert sorted(rules(game.name) - set(refusals(book))) == [], "put it to the rule that it speaks for"


@each_game
def test_the_handbook_knows_no_refusal_that_nobody_says(game: Manifest, book: Handbook) -> None:
    words = Words("en", game)
    assert [refusal for refusal in refusals(book) if words.template(refusal, "refused") == refusal] == []


@each_game
def test_no_id_means_two_things(game: Manifest, book: Handbook) -> None:
    named = [*refusals(book), *(rule.id for rule in book.rules)]
    assert len(named) == len(set(named)), game.name


@each_game
def test_rules_stand_in_chapters_and_no_ruling_is_without_one(game: Manifest, book: Handbook) -> None:
    assert {rule.chapter for rule in book.rules} == set(book.chapters)
    rulings = {ruling for rule in book.rules for ruling in rule.source.rulings if ruling.startswith("D")}
    assert rulings == {f"D{number:02}" for number in range(1, RULINGS[game.name] + 1)}
    assert all(re.fullmatch(r"00\d:\d+(-\d+)?", text) for rule in book.rules for text in rule.source.texts)


@each_game
@each_language
def test_every_rule_has_its_words(game: Manifest, book: Handbook, language: str) -> None:
    words = Words(language, game)
    for rule in book.rules:
        assert words.template(rule.id, "rulebook") != rule.id
        assert words.template(rule.id, "rulebook says") != rule.id
    assert words.template("legend", "rulebook says") != "legend"


@each_game
def test_no_rule_is_worded_that_the_handbook_does_not_have(game: Manifest, book: Handbook) -> None:
    assert game.words is not None
    english = Path(game.words / "en.po").read_text(encoding="utf-8")
    worded = set(re.findall(r'msgctxt "rulebook(?: says)?"\nmsgid "(\w+)"', english))
    assert worded - {"legend"} <= {rule.id for rule in book.rules}


@each_game
@each_language
def test_refusals_are_shown_as_players_meet_them(game: Manifest, book: Handbook, language: str) -> None:
    result = ui_for(game).chapters(Words(language, game))
    assert [chapter["id"] for chapter in result] == list(book.chapters)
    assert not [chapter["title"] for chapter in result if chapter["title"] == chapter["id"]]
    shown = {
        refusal["id"]: refusal["says"]
        for chapter in result
        for rule in chapter["rules"]
        for refusal in rule["refusals"]
    }
    assert set(shown) == set(refusals(book))
    assert not [said for said in shown.values() if "{" in said or MISSING in said]
    assert "Ada" in shown["not_your_turn"]


@each_game
def test_a_rule_is_found_by_its_own_id_and_by_that_of_a_refusal(game: Manifest, book: Handbook) -> None:
    assert book.about("undoing") is book.about("nothing_to_undo")
    face, words = ui_for(game), Words("en", game)
    result = face.rule(words, "nothing_to_undo")
    assert result is not None
    assert result["id"] == "undoing"
    assert face.rule(words, "nonsense") is None


def test_in_german_the_first_bid_is_no_price() -> None:
    # given German, in which a price is what a finished building brings
    says = Words("de", master_builder.GAME).say_in("rulebook says", "bidding")

    # then the first bid is at least what the card calls the lowest one
    assert "mindestens das Mindestgebot" in says
    assert "Preis" not in says


@pytest.mark.parametrize(("language", "own"), [("en", "their own"), ("de", "eigene"), ("fr", "son propre")])
def test_hidden_money_is_said_to_be_seen_by_its_owner(language: str, own: str) -> None:
    # given a house rule under which the tablet in the middle covers money, and phones show their player's own
    sentence = Words(language, master_builder.GAME).say_in("rule value", "money.hidden")

    # then it is not said to be the banker's to know
    assert own in sentence
    assert not re.search("bank|Bank|banquier", sentence)
