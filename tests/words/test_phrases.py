"""Figures and days as each language writes them."""

from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from companion.games.master_builder import GAME
from companion.words import LANGUAGES, Words

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


HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


def worded(context: str, **texts: str) -> str:
    return "".join(f'msgctxt "{context}"\nmsgid "{msgid}"\nmsgstr "{text}"\n\n' for msgid, text in texts.items())


def test_what_a_game_lacks_of_a_language_is_said_in_english(tmp_path: Path) -> None:
    # given a game with two English words, of which one is in German too and none in French
    (tmp_path / "en.po").write_text(HEAD + worded("phase", picking="Picking nuts", cracking="Cracking nuts"))
    (tmp_path / "de.po").write_text(HEAD + worded("phase", picking="Nüsse pflücken"), encoding="utf-8")
    german, french = (Words(language, replace(GAME, words=tmp_path)) for language in ("de", "fr"))

    # then each language says what it has, and the rest in English; the program's own words are in that language
    assert [german.named("phase", msgid) for msgid in ("picking", "cracking")] == ["Nüsse pflücken", "Cracking nuts"]
    assert [french.named("phase", msgid) for msgid in ("picking", "cracking")] == ["Picking nuts", "Cracking nuts"]
    assert (german.say("nothing"), french.say("nothing")) == ("nichts", "rien")


@pytest.mark.parametrize(("language", "said"), [("en", "Ada takes nothing"), ("de", "Ada nimmt nichts")])
def test_a_list_without_anything_in_it_is_nothing(tmp_path: Path, language: str, said: str) -> None:
    takes = {"en": "{player} takes {cards}", "de": "{player} nimmt {cards}"}[language]
    (tmp_path / f"{language}.po").write_text(HEAD + worded("event", NutsTaken=takes))
    words = Words(language, replace(GAME, words=tmp_path))

    assert words.event({"event": "NutsTaken", "player": "Ada", "cards": []}, {}) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_places_of_a_mat_share_a_name(language: str) -> None:
    # given all places that a mat may have
    words = Words(language, GAME)
    places = ("pile", "discard", "market", "contracts", "economy", "event", "tray")

    # then each is called by a name of its own
    assert len({words.named("zone", place) for place in places}) == len(places)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["{x}", "{", "}", "{0}", "{x.y}"])
def test_braces_in_what_somebody_sent_are_plain_text(language: str, text: str) -> None:
    words = Words(language, GAME)
    assert words.say(text) == words.say_in("place", text) == text
    assert text in words.refusal("unknown_player", {"player": text}, {})
