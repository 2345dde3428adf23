"""Folders for unfinished files: removed when they are done with, and by the next one where somebody was killed."""

import errno
import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.adapters.system import LEFT_S, remove_left_folders, scratch_folder
from companion.cli.output import SCRATCH_PREFIX, output_file
from tests.waiting import PATIENCE_S

PREFIX = ".writing-"
KILLED = """
import os, sys
from pathlib import Path
from companion.adapters.system import scratch_folder
with scratch_folder(Path(sys.argv[1]), sys.argv[2]) as scratch:
    (scratch / "half").write_text("half")
    os._exit(9)
"""


def kill_one_that_writes(place: Path, prefix: str) -> None:
    """Let a process begin a folder and end without removing it."""
    command = [sys.executable, "-c", KILLED, str(place), prefix]
    assert subprocess.run(command, check=False, timeout=PATIENCE_S).returncode == 9


def test_two_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    with scratch_folder(tmp_path, PREFIX) as first:
        (first / "a").write_text("a")
        with scratch_folder(tmp_path, PREFIX) as second:
            assert (first / "a").read_text() == "a"
            assert first != second
        remove_left_folders(tmp_path, PREFIX)
        assert [path.name for path in tmp_path.iterdir()] == [first.name]
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_has_left_goes_with_the_next_write(tmp_path: Path) -> None:
    # given what a killed command has left beside its file, and folders that are called alike
    kill_one_that_writes(tmp_path, SCRATCH_PREFIX)
    for mine in (".companion-projects", f"{SCRATCH_PREFIX}about-us", ".companion-writing"):
        (tmp_path / mine).mkdir()
    assert len(list(tmp_path.iterdir())) == 4

    # when another one writes there
    with output_file(tmp_path / "labels.pdf", force=False) as path:
        path.write_text("labels")

    # then only that is gone
    assert {path.name for path in tmp_path.iterdir()} == {
        "labels.pdf",
        ".companion-projects",
        f"{SCRATCH_PREFIX}about-us",
        ".companion-writing",
    }


def test_where_there_are_no_locks_age_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a file system without locks, with an old folder that was left and one that may be in use
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    kill_one_that_writes(tmp_path, PREFIX)
    (left,) = tmp_path.iterdir()
    monkeypatch.setattr(fcntl, "flock", refuse)

    # then the old one alone is removed
    with scratch_folder(tmp_path, PREFIX) as scratch:
        assert left.exists()
        long_ago = time.time() - LEFT_S - 60
        os.utime(left, (long_ago, long_ago))
        remove_left_folders(tmp_path, PREFIX)
        assert list(tmp_path.iterdir()) == [scratch]


def test_a_folder_that_goes_at_the_moment_at_which_it_is_begun_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given another process that removes the first folder before it is locked
    lock, removed = fcntl.flock, list[Path]()

    def late(descriptor: int, how: int) -> None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].rmdir()
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)

    # then there is one all the same
    with scratch_folder(tmp_path, PREFIX) as scratch:
        assert scratch.is_dir()
        assert scratch != removed[0]
    assert not list(tmp_path.iterdir())
