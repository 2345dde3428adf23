from pathlib import Path
from typing import Any

import pytest

from companion.adapters.catalogs import CatalogFolder, SingleCatalog
from companion.engine.game import Refused
from tests.opened import CARDS, house_deck

HOUSE = CARDS.bundled["house"].read_text(encoding="utf-8")


def shelf_of(folder: Path | None) -> CatalogFolder:
    return CatalogFolder(CARDS, "master_builder", folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "attic.toml").write_text(HOUSE.replace('"House deck"', '"Attic deck"'), encoding="utf-8")
    (tmp_path / "torn.toml").write_text(HOUSE.replace("[[worker]]", "[[worker", 1), encoding="utf-8")
    return tmp_path


def test_the_shelf_names_the_bundled_deck_first_and_then_those_of_the_folder(folder: Path) -> None:
    catalogs = shelf_of(folder)
    assert (list(catalogs), len(catalogs)) == (["house", "attic", "torn"], 3)
    assert list(shelf_of(None)) == ["house"]
    assert (catalogs["house"], catalogs["attic"].name) == (house_deck(), "Attic deck")


def test_a_deck_that_is_put_there_later_is_found(folder: Path) -> None:
    catalogs = shelf_of(folder)
    assert "cellar" not in catalogs
    (folder / "cellar.toml").write_text(HOUSE, encoding="utf-8")
    assert "cellar" in catalogs
    assert len(catalogs["cellar"].workers) == 40


def test_a_folder_that_is_not_there_yet_is_an_empty_one(tmp_path: Path) -> None:
    assert list(shelf_of(tmp_path / "none")) == ["house"]


def test_a_faulty_deck_is_known_but_refused_with_its_first_fault(folder: Path) -> None:
    catalogs = shelf_of(folder)
    assert "torn" in catalogs
    with pytest.raises(Refused) as refused:
        catalogs["torn"]
    assert (refused.value.rule, refused.value.details["name"]) == ("catalog_faulty", "torn")
    assert "torn.toml:" in str(refused.value.details["fault"])


@pytest.mark.parametrize("name", ["nowhere", "", "../attic", "attic.toml", "/etc/passwd", "House", 5, None])
def test_an_unknown_name_is_on_no_shelf(folder: Path, name: str) -> None:
    catalogs = shelf_of(folder)
    assert name not in catalogs
    with pytest.raises(KeyError):
        catalogs[name]


def test_one_catalog_stands_in_for_whatever_is_named() -> None:
    deck = house_deck()
    catalogs = SingleCatalog(deck, "House deck")
    assert catalogs["anything"] is deck
    assert "anything" in catalogs
    no_name: Any = 5
    assert no_name not in catalogs
    assert (list(catalogs), len(catalogs)) == (["House deck"], 1)


def test_a_file_of_another_game_is_not_on_the_shelf(folder: Path) -> None:
    (folder / "nuts.toml").write_text('name = "Nuts"\ngame = "nuts"\n', encoding="utf-8")
    assert "nuts" not in shelf_of(folder)
    assert "nuts" in CatalogFolder(CARDS, "nuts", folder)


def test_a_file_that_does_not_say_whose_it_is_lies_where_its_fault_is_told(folder: Path) -> None:
    (folder / "whose.toml").write_text('name = "Nobody"\n', encoding="utf-8")
    with pytest.raises(Refused, match="catalog_faulty"):
        shelf_of(folder)["whose"]
