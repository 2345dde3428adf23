"""Long words of pages may be broken where they are shown, and nowhere else."""

import pytest
from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.http.responses import SOFT_HYPHEN, soften

WORD = "Donaudampfschifffahrtsgesellschafts"


def test_long_words_of_texts_get_soft_hyphens_and_short_ones_none() -> None:
    softened = soften(f"<p>{WORD} Schlussabrechnung</p>")

    assert softened.replace(SOFT_HYPHEN, "") == f'<p><span class="long-word">{WORD}</span> Schlussabrechnung</p>'
    assert softened.count(SOFT_HYPHEN) == 3


@pytest.mark.parametrize(
    "word",
    ["محمدرضاعلی‌اکبرحسین‌زادهٔاصفهانی", "ശ്രീലക്ഷ്മീനാരായണൻകുട്ടിപ്പിള്ള", "👩‍👩‍👧‍👦" * 5, "x1" * 17],
    ids=["Persian", "Malayalam", "emoji", "digits"],
)
def test_words_without_hyphens_may_be_broken_anywhere_and_no_character_comes_between(word: str) -> None:
    assert soften(f"<p>{word}, so</p>") == f'<p><span class="long-word anywhere">{word},</span> so</p>'


def test_signs_beside_a_long_word_are_no_reason_to_leave_it_whole() -> None:
    softened = soften(f"<p>(“{WORD}”)</p>")

    assert softened.replace(SOFT_HYPHEN, "") == f'<p><span class="long-word">(“{WORD}”)</span></p>'
    assert softened.count(SOFT_HYPHEN) == 3


@pytest.mark.parametrize(
    ("escaped", "softened"),
    [
        ("D&#39;Artagnansoucouyant", "D&#39;Artagnans-oucouyant"),
        ("&#34;Donaudampfschifffahrt&#34;", "&#34;Donauda-mpfschi-fffahrt&#34;"),
        ("Max&amp;Maximilianadonaudampf", "Max&amp;Maximil-ianadon-audampf"),
        ("&lt;Donaudampfschifffahrt", "&lt;Donauda-mpfschi-fffahrt"),
    ],
)
def test_signs_that_html_escapes_are_letters_of_a_long_word(escaped: str, softened: str) -> None:
    word = softened.replace("-", SOFT_HYPHEN)

    assert soften(f"<p>{escaped}</p>") == f'<p><span class="long-word">{word}</span></p>'


def test_a_word_of_digits_and_escaped_signs_is_measured_by_its_signs_and_stays_whole_within_them() -> None:
    short, long = "7&#39;" * 8, "7&#39;" * 9

    assert soften(f"<p>{short}</p>") == f"<p>{short}</p>"
    assert soften(f"<p>{long}</p>") == f'<p><span class="long-word anywhere">{long}</span></p>'


def test_blanks_written_as_entities_stay_between_words() -> None:
    page = "<p>Baumeister&nbsp;Schlussrechnung&shy;Baumeister&#8239;Tagebuch</p>"

    assert soften(page) == page


def test_an_address_has_no_hyphens_that_somebody_would_type() -> None:
    page = f"<p>http://192.168.1.20:8000/join/{WORD}?a=b&amp;c</p>"

    assert soften(page) == page


def test_attributes_fields_code_and_scripts_stay_as_they_are() -> None:
    page = (
        f'<title>{WORD}</title><input value="{WORD}"><a href="/{WORD}">x</a><textarea>{WORD}</textarea>'
        f"<select><option>{WORD}</option></select><script>let {WORD};</script><code>{WORD}</code>"
        f"<svg><text>{WORD}</text></svg>"
    )

    assert soften(page) == page


def test_a_name_has_its_breaks_on_the_page_and_none_in_the_api(banker: FlaskClient, tables: Tables) -> None:
    players = [{"id": "blue", "name": WORD}, {"id": "yellow", "name": "Ben"}]
    start = {"do": "start_game", "game": "master_builder", "catalog": "house", "first": "blue", "players": players}
    table = tables.start(Request(start, "banker", "test"))

    page = banker.get(f"/tables/{table.id}").text
    position = banker.get(f"/api/v1/tables/{table.id}").text

    assert SOFT_HYPHEN in page
    assert WORD in page.replace(SOFT_HYPHEN, "")
    assert SOFT_HYPHEN not in position
    assert WORD in position
