"""One process works on a data folder."""

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.adapters.backup.archive import FolderInUse, lock_folder
from companion.adapters.boxes import BoxFolder
from companion.adapters.game_packages import PackageError, unpack_package
from companion.adapters.stores import write_small_text
from companion.config import DataFolder


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


def store_printer(folder: DataFolder) -> None:
    write_small_text(folder.printer, "")


def store_catalog(folder: DataFolder) -> None:
    write_small_text(folder.catalogs / "mine.toml", "")


def change_a_box(folder: DataFolder) -> None:
    with BoxFolder(folder.boxes, folder.catalogs).change():
        pass


def unpack_a_game(folder: DataFolder) -> None:
    with pytest.raises(PackageError):
        unpack_package(folder.path.parent / "none.whl", (), folder.games)


@pytest.mark.parametrize("store", [store_printer, store_catalog, change_a_box, unpack_a_game])
def test_so_is_one_that_is_made_to_store_something_before_the_first_start(
    tmp_path: Path, store: Callable[[DataFolder], None]
) -> None:
    store(DataFolder(tmp_path / "home" / "companion"))

    made = [path for path in (tmp_path / "home").rglob("*") if path.is_dir()]
    assert made
    assert {mode(path) for path in made} == {0o700}


def test_a_data_folder_of_before_is_closed_and_a_folder_of_somebody_elses_things_is_not(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir(mode=0o755)
    (ours / "settings.toml").touch()
    for folder in (ours, theirs):
        with lock_folder(folder / "in-use.lock"):
            pass

    assert (mode(ours), mode(theirs)) == (0o700, 0o755)
