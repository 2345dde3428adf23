"""Files that an editor on Windows has saved as UTF-16 are told as such; the mark before UTF-8 is passed over."""

from pathlib import Path

import pytest

from calibration.bounded_toml import MatError, decode_text, is_utf16
from calibration.mat import read_mats
from companion.adapters.game_packages import PackageError, unpack_package
from companion.adapters.stores import SettingsError, load_settings, preferences_store
from companion.adapters.unusable_files import find_unusable
from companion.config import DataFolder

SETTINGS = f'pin = "1234"\nsecret = "{"ab" * 32}"\n'
PREFERENCES = 'welcomed = true\nlaying = "rows"\n'
each_kind = pytest.mark.parametrize("kind", ["utf-16", "utf-16-le", "utf-16-be"])


@each_kind
def test_a_file_in_utf_16_is_told_as_such(tmp_path: Path, kind: str) -> None:
    # given settings, choices, a mat and a box in UTF-16
    folder = DataFolder(tmp_path)
    (tmp_path / "mats").mkdir()
    (tmp_path / "boxes").mkdir()
    folder.settings.write_bytes(SETTINGS.encode(kind))
    folder.preferences.write_bytes(PREFERENCES.encode(kind))
    (folder.mats / "mine.toml").write_bytes('name = "mine"'.encode(kind))
    (folder.boxes / "mine.json").write_bytes('{"game": "master_builder"}'.encode(kind))

    # then each says so
    with pytest.raises(SettingsError, match="UTF-16"):
        load_settings(folder.settings)
    with pytest.raises(SettingsError, match="UTF-16"):
        preferences_store(folder.preferences).read()
    with pytest.raises(MatError, match="UTF-16"):
        read_mats(folder.mats)
    assert [("UTF-16" in reason, path.name) for path, reason in find_unusable(folder)] == [
        (True, "mine.json"),
        (True, "mine.toml"),
    ]


@each_kind
def test_a_project_of_a_game_in_utf_16_is_told_as_such(tmp_path: Path, kind: str) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "pyproject.toml").write_bytes('[project]\nname = "x"\nversion = "1"\n'.encode(kind))
    with pytest.raises(PackageError, match="UTF-16"):
        unpack_package(tmp_path / "game", (), tmp_path / "games")


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 100_000, "a" + ".a" * 100_000 + " = 1", "project = [1]", "project = 1"]
)
def test_a_project_without_bounds_is_refused_in_a_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "pyproject.toml").write_text(text)
    with pytest.raises(PackageError, match="does not say name and version"):
        unpack_package(tmp_path / "game", (), tmp_path / "games")


def test_a_mark_is_passed_over_and_zeros_of_a_pulled_plug_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xef\xbb\xbf" + SETTINGS.encode())
    assert load_settings(tmp_path / "settings.toml").pin == "1234"
    assert decode_text("\ufeffZoë".encode()) == "Zoë"
    assert not is_utf16(b"")
    assert not is_utf16(bytes(300))
    assert not is_utf16("Zoë".encode())
