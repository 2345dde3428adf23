"""Dials and crops on the disk: found again, bounded, and never in the way of a game."""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.adapters.keepsakes import SqliteKeepsakes
from companion.service.camera.proposals import AutomationSettings, Crop
from tests.adapters.kept import outside


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keepsakes.sqlite"


@contextmanager
def opened(path: Path, most_bytes: int = 1_000) -> Iterator[SqliteKeepsakes]:
    keepsakes = SqliteKeepsakes(path, most_bytes)
    try:
        yield keepsakes
    finally:
        keepsakes.close()


def test_dials_and_pictures_are_found_again(path: Path) -> None:
    setting = AutomationSettings("automatic").with_level("ledger", "event").with_level("automatic", "command")
    with opened(path) as before:
        assert before.settings("t") == AutomationSettings()
        before.keep_settings("t", AutomationSettings("ledger"))
        before.keep_settings("t", setting)
        before.keep_crop("t", 7, Crop(b"jpeg", "blue"))

    with opened(path) as after:
        assert after.settings("t") == setting
        assert after.settings("other") == AutomationSettings()
        assert after.crop("t", 7) == Crop(b"jpeg", "blue")
        assert (after.crop("t", 8), after.crop("other", 7)) == (None, None)
        assert dict(after.crops("t")) == {7: "blue"}


def test_the_oldest_pictures_of_all_tables_make_room(path: Path) -> None:
    with opened(path) as before:
        for entry in range(1, 9):
            before.keep_crop("ab"[entry % 2], entry, Crop(b"x" * 100, "banker"))
    with opened(path, most_bytes=300) as after:
        after.keep_crop("a", 6, Crop(b"y" * 100, "banker"))
        assert dict(after.crops("a")) == {8: "banker", 6: "banker"}
        assert dict(after.crops("b")) == {7: "banker"}


@pytest.mark.parametrize("spoilt", [b"no database at all, " * 99, b"\0" * 8192])
def test_a_torn_file_is_put_aside_and_begun_anew(path: Path, spoilt: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(spoilt)
    with opened(path) as keepsakes:
        keepsakes.keep_settings("t", AutomationSettings("ledger"))
        assert keepsakes.settings("t") == AutomationSettings("ledger")
    assert path.with_name("keepsakes.sqlite.torn").read_bytes() == spoilt
    assert "begin anew" in caplog.text


def test_a_torn_page_is_noticed(path: Path) -> None:
    with opened(path, most_bytes=10**6) as before:
        for entry in range(40):
            before.keep_crop("t", entry, Crop(bytes(5_000), "banker"))
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * 40_000 + whole[48_192:])
    with opened(path) as after:
        assert dict(after.crops("t")) == {}


@pytest.mark.parametrize(
    ("dial", "apart", "means"),
    [
        ("loud", "{}", AutomationSettings()),
        ("ledger", "{", AutomationSettings()),
        ("ledger", "[]", AutomationSettings("ledger")),
        (
            "ledger",
            '{"joker": "suggest", "event": "loud", "worker": "suggest"}',
            AutomationSettings("ledger", {"joker": "suggest", "worker": "suggest"}),  # a kind of no game means nothing
        ),
    ],
)
def test_a_dial_that_cannot_be_understood_is_no_wilder_than_asking(
    path: Path, dial: str, apart: str, means: AutomationSettings
) -> None:
    with opened(path):
        outside(path, ("INSERT INTO dials VALUES ('t', ?, ?)", (dial, apart)))
    with opened(path) as after:
        assert after.settings("t") == means


def test_where_the_disk_takes_no_more_the_entry_stands_without_its_picture(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(path) as keepsakes:
        keepsakes.keep_crop("t", 1, Crop(b"1", "banker"))
        outside(path, "ALTER TABLE crops RENAME TO gone")
        with caplog.at_level(logging.WARNING):
            keepsakes.keep_crop("t", 2, Crop(b"2", "banker"))
        assert "entry 2: its picture could not be kept" in caplog.text
        outside(path, "ALTER TABLE gone RENAME TO crops")
        assert dict(keepsakes.crops("t")) == {1: "banker"}


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        SqliteKeepsakes(tmp_path / "no folder" / "keepsakes.sqlite")


def test_many_threads_keep_at_once(path: Path) -> None:
    with opened(path, most_bytes=10_000) as keepsakes:

        def keep(first: int) -> None:
            for entry in range(first, first + 20):
                keepsakes.keep_crop("t", entry, Crop(b"x" * 10, "banker"))

        threads = [threading.Thread(target=keep, args=(first,)) for first in (0, 100, 200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(keepsakes.crops("t")) == 60


@pytest.mark.parametrize("spoilt", ["CAST(x'7bff7d' AS TEXT)", f"'{'[' * 100_000}'", "x'7b7d'"])
@pytest.mark.parametrize("column", ["dial", "apart"])
def test_a_torn_dial_stands_as_at_first_until_it_is_set_anew(
    path: Path, column: str, spoilt: str, caplog: pytest.LogCaptureFixture
) -> None:
    # given a sound file in which a single value is torn
    with opened(path) as before:
        before.keep_settings("t", AutomationSettings("ledger"))
        before.keep_settings("other", AutomationSettings("ledger"))
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE dials SET {column} = {spoilt} WHERE table_id = 't'")  # noqa: S608 - written above

    # then it can be opened, and others count
    with opened(path) as after:
        assert after.settings("t") == AutomationSettings()
        assert after.settings("other") == AutomationSettings("ledger")
        after.keep_settings("t", AutomationSettings("automatic"))
        assert after.settings("t") == AutomationSettings("automatic")
    is_told = "dial of table 't' cannot be read" in caplog.text
    assert is_told == (column == "apart" or not spoilt.startswith("'["))  # a word of another version is no damage


def test_a_picture_of_a_torn_row_is_no_picture(path: Path) -> None:
    with opened(path) as before:
        before.keep_crop("t", 1, Crop(b"jpeg", "blue"))
        before.keep_crop("t", 2, Crop(b"jpeg", "blue"))
        before.keep_crop("t", 3, Crop(b"jpeg", "blue"))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE crops SET viewer = CAST(x'ff' AS TEXT) WHERE entry = 1")
        connection.execute("UPDATE crops SET picture = 'no picture' WHERE entry = 2")
    with opened(path) as after:
        assert dict(after.crops("t")) == {2: "blue", 3: "blue"}
        assert [after.crop("t", entry) for entry in (1, 2, 3)] == [None, None, Crop(b"jpeg", "blue")]
