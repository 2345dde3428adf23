"""The choices of an installation on disk."""

from pathlib import Path

import pytest

from companion.adapters.stores import SettingsError, preferences_store
from companion.service.access.preferences import PreferenceValues


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "preferences.toml"


def test_without_a_file_nobody_was_welcomed(path: Path) -> None:
    assert preferences_store(path).read() == PreferenceValues()


def test_what_was_written_is_read_again(path: Path) -> None:
    chosen = PreferenceValues(welcomed=True, deck="Omas Schrank", layout="mat", notes=frozenset({"t2", "t1"}))
    preferences_store(path).write(PreferenceValues())
    preferences_store(path).write(chosen)
    assert preferences_store(path).read() == chosen
    assert [file.name for file in path.parent.iterdir()] == ["preferences.toml"]


def test_what_could_not_be_read_again_is_not_written(path: Path) -> None:
    preferences_store(path).write(PreferenceValues(welcomed=True))
    for torn in (PreferenceValues(notes=frozenset({'a"b'})), PreferenceValues(deck="a\nb")):
        with pytest.raises(ValueError, match="is no name"):
            preferences_store(path).write(torn)
    assert preferences_store(path).read() == PreferenceValues(welcomed=True)


def test_what_a_newer_companion_wrote_is_passed_over_and_what_an_older_one_did_not_is_the_default(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('welcomed = true\nhat = "tall"\n')
    assert preferences_store(path).read() == PreferenceValues(welcomed=True)


@pytest.mark.parametrize(
    "text",
    ["welcomed =", "welcomed = 1", "deck = 3", 'laying = "thrown"', 'notes = "t1"', "notes = [1]", "laying = []"],
)
def test_a_file_that_cannot_be_used_is_named_with_what_to_do(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"preferences.toml: .*; delete it to be asked again"):
        preferences_store(path).read()


def test_a_name_that_would_break_the_file_is_not_written(path: Path) -> None:
    with pytest.raises(ValueError, match="no name of a deck"):
        preferences_store(path).write(PreferenceValues(deck='"\n'))
    assert not path.exists()
