"""The text on a label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.label.match import build_grids
from companion.vision.label.tag import LONGEST_TEXT, Deck, Tag, build_deck, format_tag, parse_tag

CODES = st.from_regex(r"[A-Z]{2}", fullmatch=True)
CARDS = st.from_regex(r"[A-Z0-9]{1,7}", fullmatch=True)


def test_a_label_says_game_print_run_and_card() -> None:
    assert format_tag("MB", 1, "W07") == "MB1W07"
    assert parse_tag("MB1W07") == Tag("MB", 1, "W07")


@given(code=CODES, print_run=st.integers(0, 9), card=CARDS)
def test_what_is_written_is_understood(code: str, print_run: int, card: str) -> None:
    text = format_tag(code, print_run, card)

    assert len(text) <= LONGEST_TEXT
    tag = parse_tag(text)
    assert tag == Tag(code, print_run, card)
    assert tag.text == text


@pytest.mark.parametrize(
    "text", ["", "MB", "MB1", "mb1W07", "MBXW07", "MB1W-7", "MB1W07 ", "MB1W07\n", "MB1ABCDEFGH", "MB٣W07"]
)
def test_other_texts_are_no_labels(text: str) -> None:
    assert parse_tag(text) is None


@pytest.mark.parametrize(
    ("code", "print_run", "card"), [("M", 1, "W07"), ("MB", 10, "W07"), ("MB", 1, ""), ("MB", 1, "ABCDEFGH")]
)
def test_a_text_that_would_not_be_understood_is_not_written(code: str, print_run: int, card: str) -> None:
    with pytest.raises(ValueError, match="no label can say"):
        format_tag(code, print_run, card)


def test_another_print_run_belongs_to_the_deck_and_other_games_do_not() -> None:
    deck = Deck("MB", frozenset({"W07"}))

    assert deck.card_of("MB1W07") == "W07"
    assert deck.card_of("MB4W07") == "W07"
    assert deck.card_of("MB1W08") is None
    assert deck.card_of("XY1W07") is None
    assert deck.card_of("https://example.org") is None


def test_a_card_that_no_label_can_say_is_in_no_deck_and_the_others_are_read() -> None:
    deck = build_deck("NM", ["N01", "hazelnut", "WAL-NUT"])

    assert {"N01", "hazelnut", "WAL-NUT"} & deck.cards == {"N01"}
    assert len(build_grids(deck, frozenset({1})).texts) > 1
