"""Figures and days as each language writes them."""

from zoneinfo import ZoneInfo

import pytest

from companion.games.master_builder import GAME
from companion.words import Words

NOON = "2026-11-21T12:00:00+00:00"


@pytest.mark.parametrize(
    ("language", "day"), [("en", "21 November 2026"), ("fr", "21 novembre 2026"), ("de", "21. November 2026")]
)
def test_a_day_is_written_as_the_language_writes_it(language: str, day: str) -> None:
    assert Words(language, GAME).moment(NOON, "day") == day


@pytest.mark.parametrize(
    ("language", "begins"),
    [("en", "Saturday 21 November, "), ("fr", "samedi 21 novembre, "), ("de", "Samstag, 21. November, ")],
)
def test_a_moment_of_the_week_names_its_day(language: str, begins: str) -> None:
    assert Words(language, GAME).moment(NOON, "day and time").startswith(begins)


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ("Europe/Berlin", "Saturday 21 November, 13:00"),
        ("America/New_York", "Saturday 21 November, 07:00"),
        ("Pacific/Auckland", "Sunday 22 November, 01:00"),
    ],
)
def test_a_moment_is_written_in_the_time_zone_of_who_reads_it(zone: str, written: str) -> None:
    assert Words("en", GAME, ZoneInfo(zone)).moment(NOON, "day and time") == written


@pytest.mark.parametrize("nothing", ["", "yesterday", "2026-13-40"])
def test_what_is_no_moment_is_written_as_nothing(nothing: str) -> None:
    assert Words("en", GAME).moment(nothing) == ""
