"""Promises of style sheets for every seat that a game may have, and for words that are told in paler ink."""

import re
from pathlib import Path

import pytest

from companion.game_api.manifest import COLOURS

TABLE = Path(__file__).resolve().parents[2] / "companion/web/static/table"
SEATS = range(1, len(COLOURS) + 1)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def rules_of(sheet: str) -> list[tuple[str, str]]:
    """Return selectors and declarations of a style sheet of the table."""
    return [(selector.strip(), does) for selector, does in RULE.findall((TABLE / sheet).read_text("utf-8"))]


@pytest.mark.parametrize("seat", SEATS)
def test_what_goes_between_players_has_a_column_for_every_seat(seat: int) -> None:
    # given the straps from seat to seat, of as many players as a game may have
    rules = dict(rules_of("plain_transfers.css"))

    # then each seat may be where one begins, ends, and how wide it is
    assert f"grid-column-start: {seat};" in rules[f".from-{seat}"]
    assert seat == 1 or f"grid-column-end: {seat + 1};" in rules[f".to-{seat}"]
    assert seat <= 2 or "--half" in rules[f".over-{seat}"]


def test_the_winner_of_six_rises_last() -> None:
    # given six players of six ranks
    rules = dict(rules_of("ended.css"))

    # when their columns rise from the last place on
    waits = [
        float(re.findall(r"delay: ([\d.]+)s", rules[f".seat-columns .after-{seat} .drawn"])[0]) for seat in SEATS[:-1]
    ]

    # then each rises after the one before
    assert waits == sorted(set(waits))


@pytest.mark.parametrize("sheet", ["staged.css", "explain.css"])
def test_a_zero_is_not_paler_than_paler_ink(sheet: str) -> None:
    # given rows and cells that hold nothing, whose 0 is read all the same
    faded = [selector for selector, does in rules_of(sheet) if "opacity: 0." in does]

    # then at most the drawing beside it is pale
    assert [
        selector for selector in faded if ".none" in selector and not selector.endswith((".tokens", ".drawn"))
    ] == []
