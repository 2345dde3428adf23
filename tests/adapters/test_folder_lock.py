"""One process works on a data folder."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.adapters.backup.archive import FolderInUse, lock_folder


def test_a_second_one_is_told_and_a_later_one_let_in(tmp_path: Path) -> None:
    lock = tmp_path / "new" / "in-use.lock"

    with (
        lock_folder(lock),
        pytest.raises(FolderInUse, match="in use by another companion; stop that one"),
        lock_folder(lock),
    ):
        pass

    with lock_folder(lock):
        assert lock.exists()


def test_the_lock_ends_with_its_process_however_that_ends(tmp_path: Path) -> None:
    lock = tmp_path / "in-use.lock"
    take = "f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True)"
    holding = f"import fcntl, sys, time; {take}; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-S", "-c", holding, str(lock)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(FolderInUse), lock_folder(lock):
            pass
        other.kill()
        other.wait(10)

    with lock_folder(lock):
        pass


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def test_a_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "new" / "in-use.lock"):
        assert mode(tmp_path / "new") == 0o700


def test_a_data_folder_of_before_is_closed_and_a_folder_of_somebody_elses_things_is_not(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir(mode=0o755)
    (ours / "settings.toml").touch()
    for folder in (ours, theirs):
        with lock_folder(folder / "in-use.lock"):
            pass

    assert (mode(ours), mode(theirs)) == (0o700, 0o755)
