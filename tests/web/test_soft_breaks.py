"""Long words of pages may be broken where they are shown, and nowhere else."""

from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.http.responses import SOFT_HYPHEN, soften

WORD = "Donaudampfschifffahrtsgesellschafts"


def test_long_words_of_texts_get_soft_hyphens_and_short_ones_none() -> None:
    softened = soften(f"<p>{WORD} Schlussabrechnung</p>")

    assert softened.replace(SOFT_HYPHEN, "") == f'<p><span class="long-word">{WORD}</span> Schlussabrechnung</p>'
    assert softened.count(SOFT_HYPHEN) == 3


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
