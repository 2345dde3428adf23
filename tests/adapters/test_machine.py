"""Findings about a machine: power, clock, network, memory card, backups; what it does not report is left out."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.adapters import health as machine
from companion.adapters.backup.folder import BackupFolder
from companion.adapters.health import examine_machine
from companion.config import DataFolder, ExternalPaths
from companion.service.ports import Finding
from tests.adapters.kept import write

NOW = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)


def looked(
    root: Path,
    *,
    now: datetime = NOW,
    throttled: str | None = None,
    data: Path | None = None,
    stick: Path | None = None,
) -> dict[str, Finding]:
    elsewhere = ExternalPaths(backups=stick)
    result = examine_machine(
        DataFolder(data or root / "data"), elsewhere, root=root, now=lambda: now, throttled=lambda: throttled
    )
    return {finding.name: finding for finding in result}


def written(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_a_machine_that_says_little_is_well(tmp_path: Path) -> None:
    result = looked(tmp_path)

    assert list(result) == ["opencv", "clock", "network"]
    assert result["opencv"].works
    assert result["clock"].works


@pytest.mark.parametrize(
    ("said", "works", "message"),
    [
        ("throttled=0x0", True, "enough voltage since the start"),
        ("throttled=0x50005", False, "too little voltage now and since the start"),
        ("throttled=0x50000", False, "too little voltage since the start"),
    ],
)
def test_a_weak_power_supply_is_told(tmp_path: Path, said: str, works: bool, message: str) -> None:
    power = looked(tmp_path, throttled=said)["power"]

    assert (power.works, power.message) == (works, message)
    assert bool(power.mend) != works


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, "sys/block/mmcblk0/device/life_time", "unknown")
    written(tmp_path, "sys/fs/ext4/sda1/errors_count", "?")

    assert list(looked(tmp_path, throttled="error=1")) == ["opencv", "clock", "network"]


def test_a_clock_before_this_program_cannot_be_right(tmp_path: Path) -> None:
    clock = looked(tmp_path, now=datetime(1970, 1, 1, tzinfo=UTC))["clock"]

    assert not clock.works
    assert "date --set" in clock.mend


def test_a_clock_that_was_not_compared_says_so(tmp_path: Path) -> None:
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    assert "not compared" in looked(tmp_path)["clock"].message

    written(tmp_path, "run/systemd/timesync/synchronized")
    assert "not compared" not in looked(tmp_path)["clock"].message


def test_without_a_network_nobody_comes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "list_ip_addresses", list)
    assert not looked(tmp_path)["network"].works

    monkeypatch.setattr(machine, "list_ip_addresses", lambda: ["192.0.2.7"])
    assert looked(tmp_path)["network"].message == "phones find it at 192.0.2.7"


@pytest.mark.parametrize(("said", "works"), [("0x01 0x02", True), ("0x0a 0x03", False)])
def test_a_worn_card_is_told(tmp_path: Path, said: str, works: bool) -> None:
    written(tmp_path, "sys/block/mmcblk0/device/life_time", said)

    wear = looked(tmp_path)["wear of mmcblk0"]

    assert wear.works == works
    assert bool(wear.mend) != works


def test_errors_of_a_file_system_are_told(tmp_path: Path) -> None:
    written(tmp_path, "sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    written(tmp_path, "sys/fs/ext4/sda1/errors_count", "0\n")

    result = looked(tmp_path)

    assert result["disk mmcblk0p2"].message == "the file system has met 3 errors"
    assert "disk sda1" not in result


def test_the_newest_backup_has_an_age(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    data.path.mkdir()
    write(data.journal)
    data.settings.write_text("")
    assert "backups" not in looked(tmp_path)
    (data.path / "backups").mkdir()
    assert looked(tmp_path)["backups"].message == "there is none yet"

    BackupFolder(data).make(NOW - timedelta(days=30))
    os.utime(data.settings, (NOW.timestamp(),) * 2)
    stale = looked(tmp_path)["backups"]
    assert (stale.works, stale.message) == (False, "the newest is 30 days old")

    BackupFolder(data).make(NOW)
    assert looked(tmp_path)["backups"].message == "the newest is of today"


def test_a_backup_from_later_than_the_clock_shows_is_not_of_today(tmp_path: Path) -> None:
    # given a backup that was made before the clock was set back
    data = DataFolder(tmp_path / "data")
    data.path.mkdir()
    write(data.journal)
    BackupFolder(data).make(NOW + timedelta(days=60))
    assert looked(tmp_path)["backups"].message == "all are from later than the clock shows"

    # then one of before says how old it is
    BackupFolder(data).make(NOW - timedelta(days=3))
    assert looked(tmp_path)["backups"].message == "the newest is 3 days old"


def test_backups_are_looked_for_where_they_are_kept(tmp_path: Path) -> None:
    data, stick = DataFolder(tmp_path / "data"), tmp_path / "stick"
    data.path.mkdir()
    write(data.journal)
    gone = looked(tmp_path, stick=stick)["backups"]
    assert (gone.works, "is the stick plugged in" in gone.message) == (False, True)

    stick.mkdir()
    BackupFolder(data, stick).make(NOW)

    assert looked(tmp_path, stick=stick)["backups"].message == "the newest is of today"
