"""MO-88: what a box of Monopoly Builder must be, every fault with its place."""

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.catalogs import load_catalog
from companion.game_api.catalog_parsing import CatalogError
from tests.games.kept_faults import fault_lines, kept, name_of, named
from tests.games.monopoly_builder.town import CARDS, house_board

Data = dict[str, Any]
Change = Callable[[Data], None]


def data() -> Data:
    return copy.deepcopy(tomllib.loads(CARDS.bundled["house"].read_text(encoding="utf-8")))


def places(change: Change) -> list[str]:
    """The places of all faults of the bundled box after a change."""
    changed = data()
    change(changed)
    _, all_faults = CARDS.parse(changed)
    return [CARDS.spoken(fault.place, changed) for fault in all_faults]


def put(*keys: Any, to: Any) -> Change:
    """Put a value somewhere."""

    def change(data: Data) -> None:
        inner: Any = data
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = to

    return change


def taken(*keys: Any) -> Change:
    """Return a change that removes a value."""

    def change(data: Data) -> None:
        inner: Any = data
        for key in keys[:-1]:
            inner = inner[key]
        del inner[keys[-1]]

    return change


def effect(**fields: Any) -> Change:
    """Let C04 do this."""
    return put("chance", 3, "effects", to=[fields])


def effects(*listed: Data) -> Change:
    return put("chance", 3, "effects", to=list(listed))


def test_the_bundled_box_is_sound_and_invented() -> None:
    assert house_board().invented
    assert CARDS.parse(data())[1] == ()


def test_every_card_says_in_three_languages_what_it_is() -> None:
    for chance in house_board().chances:
        assert set(dict(chance.names)) == set(dict(chance.texts)) == {"fr", "de"}, chance.id
    for deed in house_board().deeds:
        assert set(dict(deed.names)) == {"fr", "de"}, deed.id


DAMAGES = [
    pytest.param(put("game", to="chess"), "game", id="MO-88 game"),
    pytest.param(put("wind", to=1), "game", id="unknown key"),
    pytest.param(put("foundation", "rows", to=["XX", "X"]), "foundation", id="MO-88 rows of different length"),
    pytest.param(put("foundation", "rows", to=["XX", "X."]), "foundation", id="three cells"),
    pytest.param(put("foundation", "rows", to=["XXXX", "XoXX"]), "foundation", id="other letters"),
    pytest.param(put("foundation", "rows", to=["X" * 21, "X" * 21]), "foundation", id="21 columns"),
    pytest.param(put("foundation", "apart", to=[["A1", "A4"]]), "foundation", id="no neighbours"),
    pytest.param(put("foundation", "joined", to=[["A1", "A2"]]), "foundation", id="neighbours already"),
    pytest.param(put("foundation", "joined", to=[["A1", "Z2"]]), "foundation", id="a cell that is none"),
    pytest.param(put("foundation", "joined", to="A1"), "foundation", id="no pairs"),
    pytest.param(put("foundation", "wind", to=1), "foundation", id="unknown key of it"),
    pytest.param(put("space", 3, "type", to="shop"), "space 3", id="MO-88 space type"),
    pytest.param(taken("space", 1, "deed"), "space 1", id="deed missing"),
    pytest.param(put("space", 1, "kind", to="red"), "space 1", id="kind out of place"),
    pytest.param(put("space", 0, "type", to="steal"), "space 0", id="the first is not go"),
    pytest.param(taken("space", 12, "table", "12"), "space 12", id="table without 12"),
    pytest.param(put("space", 12, "table", "7", to="blue"), "space 12", id="table with blue"),
    pytest.param(put("space", 12, "table", "13", to="red"), "space 12", id="table with 13"),
    pytest.param(lambda data: data["space"].__delitem__(slice(10, None)), "spaces", id="MO-88 ten spaces"),
    pytest.param(put("space", 14, "type", to="jail"), "spaces", id="two jails"),
    pytest.param(put("space", 2, "deed", to="D01"), "spaces", id="a deed beside two"),
    pytest.param(put("sets", "mauve", to=2), "sets", id="MO-88 colour of no deed"),
    pytest.param(put("sets", "brown", to=-1), "sets", id="points below 0"),
    pytest.param(put("sets", "brown", to="two"), "sets", id="points in words"),
    pytest.param(put("deed", 2, "id", to="D01"), "deeds", id="MO-88 D01 twice"),
    pytest.param(put("deed", 2, "id", to="D17"), "deeds", id="D17"),
    pytest.param(put("deed", 2, "colour", to="brown"), "deeds", id="three brown"),
    pytest.param(put("deed", 2, "price", to=0), "D03", id="MO-88 price 0"),
    pytest.param(put("deed", 2, "rent", to=7), "D03", id="rent 7"),
    pytest.param(put("deed", 2, "rent", to=True), "D03", id="true is no number"),
    pytest.param(put("deed", 2, "set_rent", to=5), "D03", id="set rent below the rent"),
    pytest.param(put("deed", 2, "unmortgage", to=5), "D03", id="unmortgage below the mortgage"),
    pytest.param(put("deed", 2, "numbers", to=[]), "D03", id="no numbers"),
    pytest.param(put("deed", 2, "numbers", to=[4, 4]), "D03", id="a number twice"),
    pytest.param(put("deed", 2, "numbers", to=[13]), "D03", id="13"),
    pytest.param(put("deed", 2, "kind", to="blue"), "D03", id="kind"),
    pytest.param(taken("deed", 2, "mortgage"), "D03", id="missing key"),
    pytest.param(put("deed", 2, "wind", to=1), "D03", id="unknown key of a deed"),
    pytest.param(put("chance", 3, "id", to="C21"), "chances", id="MO-88 C21"),
    pytest.param(put("chance", 3, "effects", to=[]), "C04", id="MO-88 no effect"),
    pytest.param(put("chance", 3, "keep", to=True), "C04", id="kept money"),
    pytest.param(taken("chance", 0, "keep"), "C01", id="jail card without keep"),
    pytest.param(effect(do="fly"), "C04 effect 1", id="MO-88 unknown effect"),
    pytest.param(effect(do="pay"), "C04 effect 1", id="amount missing"),
    pytest.param(effect(do="pay", amount=7), "C04 effect 1", id="amount 7"),
    pytest.param(effect(do="pay", amount=5, wind=1), "C04 effect 1", id="unknown field"),
    pytest.param(effect(do="pay", amount=5, to="players", per="chip"), "C04 effect 1", id="per beside players"),
    pytest.param(effect(do="receive", amount=5, who="all", **{"from": "players"}), "C04 effect 1", id="who beside"),
    pytest.param(effect(do="gain", kind="red", count=0), "C04 effect 1", id="count 0"),
    pytest.param(effect(do="lose", kind="own", count=1), "C04 effect 1", id="lose of the own kind"),
    pytest.param(effect(do="move", by=0), "C04 effect 1", id="by 0"),
    pytest.param(effect(do="move", by=28), "C04 effect 1", id="a full round"),
    pytest.param(effect(do="move_to", space=28), "C04 effect 1", id="no such space"),
    pytest.param(effect(do="move_to", space=5), "C04 effect 1", id="to another card"),
    pytest.param(effect(do="move_to", type="chance"), "C04 effect 1", id="to the next card"),
    pytest.param(effect(do="move_to"), "C04 effect 1", id="whereto"),
    pytest.param(effects({"do": "steal"}, {"do": "pay", "amount": 7}), "C04 effect 2", id="the second effect"),
    pytest.param(effects({"do": "move", "by": 1}, {"do": "steal"}), "C04 effect 1", id="a move that is not the last"),
    pytest.param(put("reference", 0, "kind", to="green"), "references", id="MO-88 a kind twice"),
    pytest.param(lambda data: data["reference"].pop(), "references", id="three reference cards"),
    pytest.param(lambda data: data["floors"].pop(), "floors", id="MO-88 four floors"),
    pytest.param(put("floors", 0, to={"any": 0}), "floors", id="a floor for nothing"),
    pytest.param(put("floors", 0, to={"any": 21}), "floors", id="21 of something"),
    pytest.param(put("floors", 0, to={"blue": 1}), "floors", id="blue chips"),
    pytest.param(put("name", to=""), "game", id="no name"),
    pytest.param(put("foundation", "rows", to="XX"), "foundation", id="rows in one text"),
    pytest.param(put("foundation", "apart", to=[["A1", "A1"]]), "foundation", id="a cell and itself"),
    pytest.param(put("deed", 2, "name", to="n" * 41), "D03", id="a long name"),
    pytest.param(put("deed", 2, "colour", to=" "), "D03", id="no colour"),
    pytest.param(put("deed", 2, "unmortgage", to="much"), "D03", id="unmortgage in words"),
    pytest.param(put("deed", 2, "numbers", to="4"), "D03", id="numbers in words"),
    pytest.param(lambda data: data["deed"].pop(), "deeds", id="fifteen deeds"),
    pytest.param(lambda data: data["chance"].pop(), "chances", id="nineteen cards"),
    pytest.param(put("chance", 3, "name", to=""), "C04", id="a card without a name"),
    pytest.param(put("chance", 3, "text", to=" "), "C04", id="a card without a text"),
    pytest.param(put("chance", 3, "text", to="t" * 401), "C04", id="a long text"),
    pytest.param(effects({"do": "steal"}, {"do": "out_of_jail"}), "C04", id="out of jail and something else"),
    pytest.param(put("reference", 1, "token", to=""), "references", id="no token"),
    pytest.param(put("reference", 1, "player", to="red"), "references", id="a player twice"),
    pytest.param(put("reference", 1, "kind", to="blue"), "references", id="a kind that is none"),
    pytest.param(put("space", 1, "deed", to="D99"), "space 1", id="no such deed"),
    pytest.param(put("space", 3, "kind", to="blue"), "space 3", id="chips that are none"),
    pytest.param(put("floors", 1, to={"red": -1, "any": 3}), "floors", id="less than none"),
]


@pytest.mark.parametrize(("change", "place"), DAMAGES)
def test_mo_88_a_fault_is_told_with_its_place(change: Change, place: str) -> None:
    assert place in places(change)


@pytest.mark.parametrize("name", [name_of(damage) for damage in DAMAGES])
def test_mo_88_every_fault_is_told_in_the_words_that_are_kept(name: str) -> None:
    assert fault_lines(CARDS, named(DAMAGES, name)) == kept("monopoly_builder")[name]


def test_mo_88_on_stderr_the_file_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    text = CARDS.bundled["house"].read_text(encoding="utf-8")
    file.write_text(text.replace("price = 100", "price = 101"), encoding="utf-8")
    with pytest.raises(CatalogError) as error:
        load_catalog(file, CARDS)
    assert [line.split(": ")[1] for line in error.value.faults] == ["D03"]
    assert error.value.faults[0].startswith(str(file))
