"""Files that were being written when the disk was full or the process was killed: none stays beside the real ones."""

import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.adapters.backup.folder import BackupFolder
from companion.adapters.stores import remove_unfinished, write_atomically
from companion.config import DataFolder
from tests.waiting import PATIENCE_S

KILLED_WHILE_WRITING = """
import os, pathlib, signal, sys
from companion.adapters.stores import write_atomically
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_atomically(pathlib.Path(sys.argv[1]), b"new")
"""


@contextmanager
def disk_that_takes(most: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_takes_no_more_leaves_the_earlier_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "guests.json"
    write_atomically(path, b"earlier")

    with disk_that_takes(1_000), pytest.raises(OSError, match="large"):
        write_atomically(path, b"x" * 5_000)

    assert [file.name for file in tmp_path.iterdir()] == ["guests.json"]
    assert path.read_bytes() == b"earlier"


def test_what_a_kill_leaves_is_gone_after_the_next_start(tmp_path: Path) -> None:
    # given files of every kind that were being written when the process was killed
    folder = DataFolder(tmp_path)
    for path in (folder.guests, folder.catalogs / "mine.toml", folder.boxes / "b.json", folder.pictures / "b.c.jpg"):
        ended = subprocess.run((sys.executable, "-c", KILLED_WHILE_WRITING, str(path)), check=False)
        assert ended.returncode == -9
        assert len(list(path.parent.glob("*.part"))) == 1
    (tmp_path / "backups").mkdir()
    others = (
        "latest.new",
        "summaries.new",
        "summaries.jsonl",
        ".writable",
        "backups/companion-20260101T000000Z.backup.new",
    )
    for name in others:
        (tmp_path / name).write_bytes(b"half")
    writing = tmp_path / "backups" / ".backing-up-a1b2_c3d"
    writing.mkdir()
    (writing / "backup").write_bytes(b"half")
    stays = (folder.latest, folder.catalogs / "other.toml", tmp_path / "backups" / "companion-1.backup")
    for path in stays:
        path.write_bytes(b"whole")

    # when the program starts, which calls these
    removed = remove_unfinished(folder)
    BackupFolder(folder).remove_unfinished()

    # then nothing is left of them, and the others are as they were
    assert len(removed) == 8
    assert not writing.exists()
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(stays)
    assert {path.read_bytes() for path in stays} == {b"whole"}


@pytest.mark.parametrize("links", [True, False])
def test_of_two_new_files_with_one_name_at_one_moment_one_is_written(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a file system, with or without links, and two that have something to write
    path, start = tmp_path / "mine.toml", threading.Barrier(2)
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", _no_links)
    outcomes: dict[bytes, bool] = {}

    def write(data: bytes) -> None:
        start.wait(PATIENCE_S)
        try:
            write_atomically(path, data, new_only=True)
            outcomes[data] = True
        except FileExistsError:
            outcomes[data] = False

    # when they write at one moment
    threads = [threading.Thread(target=write, args=(data,)) for data in (b"first", b"second")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    # then the file is what was written by the one that was told so
    assert sorted(outcomes.values()) == [False, True]
    assert outcomes[path.read_bytes()]
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def _no_links(path: Path, target: Path) -> None:
    raise PermissionError(f"{path}, {target}: this file system has no links")
