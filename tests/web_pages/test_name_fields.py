"""Fields take every name that the rules allow."""

import re

import pytest
from flask.testing import FlaskClient

from companion.game_api.seating import LONGEST_NAME
from companion.service.table.registry import Tables
from tests.opened import installed_games
from tests.web_pages.bot_tables import GAMES, tables_of

UNITS = len((LONGEST_NAME * "\U0001f9d1").encode("utf-16-le")) // 2
"""Of the longest name: a browser counts UTF-16 units, of which a picture has two."""
PLAYERS = ({"id": "red", "name": "Ada"}, {"id": "blue", "name": "Ben"})


def limits(page: str) -> list[int]:
    """Return the limits of the fields for names of players; fails where there is no such field."""
    fields = re.findall(r"<input[^>]*>", page)
    longest = [int(re.findall(r'maxlength="(\d+)"', field)[0]) for field in fields if re.search(NAME_FIELD, field)]
    assert longest
    return longest


NAME_FIELD = r'data-name|name="name"|class="seat-name"'


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of all games."""
    return tables_of({name: installed_games().manifest(name) for name in ("master_builder", *GAMES)})


@pytest.mark.parametrize(
    "address",
    ["/?game=men_at_work", "/take-over?game=master_builder", "/take-over?game=monopoly_builder"],
    ids=["lobby", "Master Builder taken over", "another game taken over"],
)
def test_a_field_of_a_form_has_room_for_the_longest_name(banker: FlaskClient, address: str) -> None:
    assert set(limits(banker.get(address).text)) == {UNITS}


@pytest.mark.parametrize("part", ["rename", "correct&figure=name:red"])
def test_a_sheet_that_changes_a_name_has_room_for_the_longest_one(banker: FlaskClient, part: str) -> None:
    # given a table of two
    start = {"do": "start_game", "game": "master_builder", "catalog": "house", "first": "red", "players": PLAYERS}
    table = banker.post("/api/v1/tables", json=start).headers["Location"].rsplit("/", 1)[1]

    # then every name fits the sheet's field, and one that is longer is refused with the limit
    assert set(limits(banker.get(f"/tables/{table}/live?part={part}").text)) == {UNITS}
    longer = {"do": "rename_player", "player": "red", "name": "x" * (LONGEST_NAME + 1)}
    refused = banker.post(f"/api/v1/tables/{table}/commands", json=longer, headers={"If-Match": '"1"'})
    assert str(LONGEST_NAME) in refused.get_json()["detail"]
