"""Boards, tracks and rows of cards on pages: each cell has its text, and a tap gives what is offered, and only that."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.engine.game import Overview, Seat
from companion.game_api.boards import Cell, Chip, GameBoard
from companion.game_api.manifest import Manifest
from companion.game_api.ui import OfferWording, TableView
from companion.service.access.logins import Caller
from companion.web import create_app
from companion.web.default_ui.drawing_view import SurfaceDrawing
from companion.web.default_ui.forms import Choice, Form, OpenField, kept_private
from companion.words import Words
from tests.games.acorns import acorns
from tests.sample_boards import SIZE, seat_four
from tests.web.shared_app import client_of

__all__ = ["acorns"]  # fixture

Pages = Callable[..., str]


@pytest.fixture(scope="module")
def pages(acorns: Manifest) -> Pages:
    """Return the text of a page of the sample game: of its table, a seat or the big screen."""
    services, table = seat_four(acorns)
    app = create_app(services)

    def page(role: Any, player: str | None = None, path: str = "", language: str = "en") -> str:
        client = client_of(app, services, Caller(role, player, None if role == "banker" else table.id))
        answer = client.get(f"/tables/{table.id}{path}", headers={"Accept-Language": language})
        assert answer.status_code == 200
        return answer.text

    return page


def taps(page: str) -> list[Any]:
    """Return the commands of all cells that can be tapped."""
    cells = re.findall(r'<button[^>]*class="cell[^>]*>', page)
    return [json.loads(unescape(re.search(r"data-command='([^']*)'", cell)[1])) for cell in cells]  # type: ignore[index]


def test_a_cell_gives_the_command_that_is_offered_to_whoever_may_give_it(pages: Pages) -> None:
    wanted = [{"do": "take", "player": "red", "card": f"A0{number}"} for number in (1, 2, 3, 4, 5, 6)]

    def ordered(page: str) -> list[Any]:
        return sorted(taps(page), key=lambda command: str(command["card"]))

    assert ordered(pages("banker")) == wanted
    assert ordered(pages("player", "red", "/seats/red")) == wanted
    assert taps(pages("player", "blue", "/seats/blue")) == []
    assert taps(pages("spectator", None, "/display")) == []


def test_every_cell_has_a_text_for_those_who_hear_it(pages: Pages) -> None:
    page = pages("spectator", None, "/display")
    texts = [unescape(text) for text in re.findall(r'class="cell[^"]*"\s+role="img"\s+aria-label="([^"]*)"', page)]

    assert len(texts) == SIZE * SIZE + 40
    assert "" not in texts
    assert "C3, Ada, Ben, Cleo, Dan, Ada, Ben, Cleo, Dan" in texts
    assert "B5, height 2, Grain" in texts
    assert "Anchor" in texts


@pytest.mark.parametrize(("language", "height"), [("de", "Höhe 2"), ("fr", "hauteur 2")])
def test_a_cell_is_described_in_the_reader_s_language(pages: Pages, language: str, height: str) -> None:
    assert f"B5, {height}, Grain" in pages("spectator", None, "/display", language)


def test_a_form_is_left_out_where_the_board_gives_each_of_its_values(pages: Pages) -> None:
    assert 'name="card"' not in pages("banker")
    assert 'data-like="{&#34;do&#34;:&#34;take' not in pages("banker")


def test_cells_of_one_size_share_a_row_class_and_style_sheets_come_only_with_a_board(pages: Pages) -> None:
    page = pages("banker")

    assert "cols-12 rows-12" in page
    assert "table/boards.css" in page


def test_no_other_style_sheet_dresses_the_name_of_a_card(pages: Pages) -> None:
    names = {name for names in re.findall(r'class="(card-name [^"]*)"', pages("banker")) for name in names.split()}
    sheets = [path for path in Path(companion.__file__).parent.rglob("*.css") if path.stem != "boards"]

    assert names
    dressed = re.compile(rf"^\.(?:{'|'.join(names)})\b", re.MULTILINE)
    assert [path.name for path in sheets if dressed.search(path.read_text())] == []


def test_a_tap_on_a_cell_opens_the_form_where_the_rest_is_chosen() -> None:
    # given an offer that leaves a cell and a payment open
    offer = {
        "do": "place",
        "player": "red",
        "urgency": "due",
        "fields": {
            "cell": {"kind": "one_of", "values": ["A1", "B1"]},
            "pay": {"kind": "amount", "least": 0, "most": 9, "step": 1},
        },
    }
    overview = Overview("placing", (Seat("red", "Ada"),), ("red",), ("red",))
    scene = TableView("t", 1, {}, overview, (offer,), {}, Words("en"))
    cell = OpenField("cell", "Cell", "one_of", (Choice("A1", "A1"), Choice("B1", "B1")))
    form = Form("Place", {"do": "place", "player": "red"}, "red", "due", (cell, OpenField("pay", "Pay", "amount")), "")

    # when both cells are on the board
    both = GameBoard(
        "Field", 2, 1, tuple(Cell(n, command={"do": "place", "cell": f"{name}1"}) for n, name in ((1, "A"), (2, "B")))
    )
    drawn = SurfaceDrawing((both,), scene, [form])
    cells = drawn.values()[0]["cells"]

    # then a tap opens the form with its cell, and on the page the form is a button
    assert [cell["tap"]["chosen"] for cell in cells] == [{"cell": "A1"}, {"cell": "B1"}]
    assert {cell["tap"]["like"] for cell in cells} == {form.like}
    (left,) = drawn.without_tapped([form])
    assert left.tapped == "cell"
    assert left.on_sheet
    assert left.asks_more


def test_a_tap_opens_the_form_in_which_offers_of_a_kind_are_joined() -> None:
    # given a form for two levels, and the offer of the second
    fields = {"cell": {"kind": "one_of", "values": ["A1"]}, "pay": {"kind": "amount", "least": 0, "most": 9, "step": 1}}
    offer = {"do": "place", "player": "red", "level": 2, "urgency": "due", "fields": fields}
    overview = Overview("placing", (Seat("red", "Ada"),), ("red",), ("red",))
    scene = TableView("t", 1, {}, overview, (offer,), {}, Words("en"))
    first = {"do": "place", "player": "red", "level": 1}
    form = Form("Place", first, "red", "due", (), "", OfferWording(is_joined=True))

    board = GameBoard("Field", 1, 1, (Cell(1, command={"do": "place", "cell": "A1"}),))

    assert SurfaceDrawing((board,), scene, [form]).values()[0]["cells"][0]["tap"]["like"] == form.like


def test_a_cell_is_not_tapped_while_it_is_not_clear_who_taps_it() -> None:
    offers = tuple(
        {"do": "place", "player": player, "urgency": "due", "fields": {"cell": {"kind": "one_of", "values": ["A1"]}}}
        for player in ("red", "blue")
    )
    overview = Overview("placing", (Seat("red", "Ada"), Seat("blue", "Ben")), ("red", "blue"), ("red", "blue"))
    scene = TableView("t", 1, {}, overview, offers, {}, Words("en"))

    board = GameBoard("Field", 1, 1, (Cell(1, pieces=(Chip("Stone"),), command={"do": "place", "cell": "A1"}),))

    assert SurfaceDrawing((board,), scene, []).values()[0]["cells"][0]["tap"] is None


@pytest.mark.parametrize(
    ("tapped", "chosen"),
    [({"card": "A03"}, ["A03"]), ({"other": "A03"}, []), ("A03", []), ([], [])],
    ids=["its field", "another field", "no field", "nothing"],
)
def test_the_form_that_a_tap_opens_has_the_tapped_value_chosen_in_its_field_alone(
    pages: Pages, tapped: object, chosen: list[str]
) -> None:
    like = json.dumps({"do": "take", "player": "red", "~": {"card": 0}}, separators=(",", ":"))
    sheet = pages("banker", None, f"/live?part=offer&like={like}&chosen={json.dumps(tapped)}")

    inputs = re.findall(r'<input type="radio"[^>]*>', sheet)
    assert [re.search(r'value="(\w+)"', text)[1] for text in inputs if " checked" in text] == chosen  # type: ignore[index]


@pytest.mark.parametrize(("language", "sentence"), [("en", "Waiting for"), ("de", "Am Zug:"), ("fr", "On attend")])
def test_a_stage_that_says_nothing_of_what_is_expected_says_for_whom_the_table_waits(
    pages: Pages, language: str, sentence: str
) -> None:
    for page in (pages("banker", language=language), pages("spectator", None, "/display", language)):
        text = " ".join(re.sub("<[^>]*>", " ", page).split())
        assert sentence in text


@pytest.mark.parametrize(
    ("chosen", "private"), [({}, [False, False, False]), ({"own_choice": {}}, [True, True, False])]
)
def test_on_a_tablet_in_the_middle_a_secret_choice_is_made_on_a_sheet(
    chosen: dict[str, Any], private: list[bool]
) -> None:
    # given a choice among cards that all see, an amount, and a button, where something is chosen in secret or not
    card = OpenField("nut", "Nut", "choice", (Choice("N01", "Walnut", is_card=True),))
    forms = [
        Form("Sell", {"do": "sell", "player": "red"}, "red", "due", fields, "")
        for fields in ((card,), (OpenField("amount", "Amount", "amount"),), ())
    ]

    # then what is chosen in secret is nothing for all eyes, and what says nothing stays a button
    laid = kept_private(forms, {"stall": ["N01"], **chosen})
    assert [form.is_private for form in laid] == private


@pytest.mark.parametrize(("language", "points"), [("en", "Points 0"), ("de", "Punkte 0"), ("fr", "Points 0")])
def test_the_points_of_a_new_game_stand_in_each_seat_and_are_no_money(
    acorns: Manifest, language: str, points: str
) -> None:
    # given a table at the game that `companion game new` writes, on its own stage
    assert acorns.stage is not None
    stage: Any = acorns.stage
    services, table = seat_four(acorns, stage=stage)
    client = client_of(create_app(services), services, Caller("spectator", None, table.id))

    # when the big screen shows it
    page = client.get(f"/tables/{table.id}/display", headers={"Accept-Language": language}).text

    # then everybody's points are seen, also of whoever's turn it is, and no amount
    assert page.count(f'<p class="seat-status">{points}</p>') == 4
    assert {text.strip() for text in re.findall(r'<p class="cash">(.*?)</p>', page, re.DOTALL)} == {""}
