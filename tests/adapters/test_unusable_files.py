"""Boxes, mats and profiles that cannot be used are set aside with a line, and everything else runs."""

import os
from pathlib import Path

import pytest

from companion.adapters.boxes import BoxFolder
from companion.adapters.calibration_stores import load_profile
from companion.adapters.unusable_files import find_unusable, set_aside_unusable
from companion.config import DataFolder
from tests.own_log import own_lines

BOX = '{"game": "master_builder", "name": "Mine", "catalog": null, "cards": {}}'
BOXES = {
    "deep": '{"cards":' + "[" * 100_000,
    "torn": BOX[:40],
    "half_character": BOX.replace("Mine", "\\ud800"),
    "half_key": BOX.replace('"cards": {}', '"cards": {"W01": {"\\udfff": 1}}'),
    "no_number": BOX.replace('"cards": {}', '"cards": {"W01": {"wage": NaN}}'),
    "no_table": "[]",
    "no_cards": BOX.replace('"cards": {}', '"cards": [1]'),
    "no_name": BOX.replace("Mine", " "),
    "long_name": BOX.replace("Mine", "x" * 41),
    "control_character": BOX.replace("Mine", "a\\u0007b"),
    "strange_catalog": BOX.replace("null", '"../x"'),
    "large": BOX + " " * 1_000_000,
    "no_text": "\udcff",
}
TABLES = {
    "deep": "x = " + "[" * 100_000,
    "torn": 'name = "a',
    "dots": "a" + ".a" * 100_000 + " = 1",
    "figures": f"width_mm = {'9' * 240}",
    "empty": "",
    "no_text": "\udcff",
}
PLANES = {
    "no_plane": [0.0] * 9,
    "one_line": [1.0, 0, 0, 1, 0, 0, 0, 0, 1],
}


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A data folder with one usable box beside many unusable files."""
    folder = DataFolder(tmp_path)
    files = {folder.boxes / f"{name}.json": text for name, text in {"mine": BOX, **BOXES}.items()}
    for place in (folder.mats, folder.profiles):
        files |= {place / f"{name}.toml": text for name, text in TABLES.items()}
    for name, rows in PLANES.items():
        files[folder.profiles / f"{name}.toml"] = (
            f'camera = "usb"\n[mat]\nname = "tray"\nmillimetres_to_pixels = {rows}\nerror_px = 1\nerror_mm = 1\n'
        )
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    (folder.mats / "folder.toml").mkdir()
    os.mkfifo(folder.mats / "pipe.toml")
    return folder


def test_what_cannot_be_used_is_found_and_what_can_be_is_not(folder: DataFolder) -> None:
    names = {(path.parent.name, path.stem) for path, _ in find_unusable(folder)}

    assert names == (
        {("boxes", name) for name in BOXES}
        | {("mats", name) for name in (*TABLES, "folder", "pipe")}
        | {("profiles", name) for name in (*TABLES, *PLANES)}
    )


def test_what_cannot_be_used_is_renamed_with_a_line_each(folder: DataFolder, caplog: pytest.LogCaptureFixture) -> None:
    unusable = [path for path, _ in find_unusable(folder)]

    set_aside_unusable(folder)

    assert list(find_unusable(folder)) == []
    assert all(path.with_name(f"{path.name}.torn").exists() for path in unusable)
    assert len(own_lines(caplog)) == len(unusable)
    assert all(len(line) < 600 and "\n" not in line for line in own_lines(caplog))
    assert list(BoxFolder(folder.boxes, folder.catalogs).read()) == ["mine"]
    assert load_profile(folder.profiles, "usb") is None


@pytest.mark.parametrize("letter", ["a", "\u00fc"])
def test_what_cannot_be_used_is_set_aside_though_its_name_has_no_room_for_more(tmp_path: Path, letter: str) -> None:
    # given a box of nonsense whose name is as long as names may be
    folder = DataFolder(tmp_path)
    folder.boxes.mkdir()
    name = letter * (250 // len(letter.encode()))
    (folder.boxes / f"{name}.json").write_text("nonsense")

    # when it is set aside, then under as much of its name as there is room for
    set_aside_unusable(folder)
    assert [path.name for path in folder.boxes.iterdir()] == [f"{name}.torn"]


def test_a_box_that_is_spoilt_while_the_program_runs_is_passed_over(folder: DataFolder) -> None:
    assert list(BoxFolder(folder.boxes, folder.catalogs).read()) == ["mine"]


def test_a_parser_that_makes_a_mistake_keeps_no_start_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # given a box over which its parser stumbles
    def stumble(*_: str) -> None:
        raise LookupError("what nobody thought of")

    monkeypatch.setattr("companion.adapters.unusable_files.parse_box", stumble)
    folder = DataFolder(tmp_path)
    folder.boxes.mkdir()
    box = folder.boxes / "mine.json"
    box.write_text(BOX, encoding="utf-8")

    # when the program starts, then the box is set aside, and the log has the mistake
    set_aside_unusable(folder)
    assert box.with_name("mine.json.torn").exists()
    assert "what nobody thought of" in caplog.text
