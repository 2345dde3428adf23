"""A catalog is read once, and anew when its file has changed."""

import os
from pathlib import Path

import pytest

from companion.adapters import catalogs
from companion.adapters.catalogs import CatalogFolder, load_catalog, read_declared_game
from companion.games.master_builder import GAME

HOUSE = GAME.cards().bundled["house"].read_text("utf-8")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Which files are read, in a file system whose clock has no grain."""
    files: list[Path] = []
    text = catalogs.read_catalog_text

    def noted(path: Path) -> str:
        files.append(path)
        return text(path)

    monkeypatch.setattr(catalogs, "read_catalog_text", noted)
    monkeypatch.setattr(catalogs, "CLOCK_GRAIN_NS", 0)
    return files


def test_a_catalog_is_read_once_and_anew_when_its_file_has_changed(tmp_path: Path, read: list[Path]) -> None:
    # given a catalog that was read
    path, cards = tmp_path / "mine.toml", GAME.cards()
    path.write_text(HOUSE, "utf-8")
    first = load_catalog(path, cards)
    assert load_catalog(path, GAME.cards()) is first
    assert read == [path]

    # when its file is written anew, with as many bytes and the time it had
    about = path.stat()
    path.write_text(HOUSE.replace("invented = true", "invented = TRUE").replace("TRUE", "true"), "utf-8")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))

    # then it is read again
    assert load_catalog(path, cards) == first
    assert read == [path, path]


def test_a_file_changed_just_now_is_not_remembered(
    tmp_path: Path, read: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogs, "CLOCK_GRAIN_NS", 10**15)
    path = tmp_path / "mine.toml"
    path.write_text(HOUSE, "utf-8")
    for _ in range(2):
        load_catalog(path, GAME.cards())
    assert read == [path, path]


def test_a_shelf_reads_each_catalog_once_and_sees_new_ones(tmp_path: Path, read: list[Path]) -> None:
    folder = CatalogFolder(GAME.cards(), GAME.name, tmp_path)
    path = tmp_path / "mine.toml"
    path.write_text(HOUSE, "utf-8")
    assert folder["mine"] is folder["mine"]
    assert read == [path]
    path.unlink()
    assert "mine" not in folder


@pytest.mark.parametrize("line", ['"game" = "men_at_work"', "'game' = 'men_at_work'", 'game = """men_at_work"""'])
def test_whose_cards_a_file_holds_is_read_however_toml_may_write_it(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"{line}\n", "utf-8")

    assert read_declared_game(path) == "men_at_work"
    assert "mine" not in CatalogFolder(GAME.cards(), GAME.name, tmp_path)


def test_whose_cards_a_file_holds_is_asked_anew_when_it_has_changed(tmp_path: Path, read: list[Path]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('game = "men_at_work"\n', "utf-8")
    assert [read_declared_game(path) for _ in range(2)] == ["men_at_work"] * 2
    path.write_text('game = "master_builder"\n', "utf-8")
    assert read_declared_game(path) == "master_builder"
    path.unlink()
    assert read_declared_game(path) is None
    assert read == []


def test_a_mark_before_the_first_line_hides_no_game(tmp_path: Path) -> None:
    # given a file as editors on Windows write it, with a mark directly before its game
    path = tmp_path / "mine.toml"
    path.write_text('game = "men_at_work"\n', "utf-8-sig")
    # when it is asked whose cards it holds, then the mark is passed over
    assert read_declared_game(path) == "men_at_work"
