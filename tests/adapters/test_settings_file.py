"""Settings: made up once, kept, and never overwritten by what cannot be used."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.adapters.stores import Settings, SettingsError, load_settings
from companion.service.access.logins import Logins

GOOD = f'pin = "1234"\nsecret = "{"ab" * 32}"\n'


def test_a_pin_and_a_key_are_made_up_once(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "settings.toml"

    first = load_settings(path)

    assert len(first.pin) == 6
    assert load_settings(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert isinstance(Logins(first.pin, first.secret, lambda: 0.0), Logins)
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]


def test_a_pin_that_is_given_stays_and_the_key_too(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    before = load_settings(path)

    assert load_settings(path, "471100").pin == "471100"
    assert load_settings(path).pin == "471100"
    assert load_settings(path).secret == before.secret


def test_processes_that_start_at_one_moment_make_up_one_pin_and_one_key(tmp_path: Path) -> None:
    path, begin = tmp_path / "settings.toml", threading.Barrier(8)

    def load(_: int) -> Settings:
        begin.wait()
        return load_settings(path)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(load, range(8))) == {load_settings(path)}


@pytest.mark.parametrize("pin", ["abc", "", "123", "1234567890123", "12 34", "١٢٣٤", '1234"', "1234\n"])
def test_a_pin_that_is_none_is_refused_and_not_kept(tmp_path: Path, pin: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(GOOD)

    with pytest.raises(SettingsError, match="4 to 12 digits"):
        load_settings(path, pin)

    assert path.read_text() == GOOD


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"pin = ",
        b'pin = "1234"',
        b'pin = 1234\nsecret = "' + b"ab" * 32 + b'"',
        b'pin = "abc"\nsecret = "' + b"ab" * 32 + b'"',
        b'pin = "1234"\nsecret = "short"',
        b'pin = "1234"\nsecret = 3',
    ],
    ids=range(8),
)
def test_a_file_that_cannot_be_used_is_told_with_the_mend_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)

    for pin in (None, "5678"):
        with pytest.raises(SettingsError, match=r"settings\.toml: .*delete") as raised:
            load_settings(path, pin)
        assert "\n" not in str(raised.value)
    assert path.read_bytes() == content
