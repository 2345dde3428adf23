"""A restore that is killed at any of its steps is finished or undone at the next start; no state is ever lost."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.adapters.backup.archive import finish_restore, restore_backup, write_backup
from companion.adapters.stores import SettingsError
from companion.config import DataFolder
from tests.adapters.test_data_archive import contents, filled, tables_of
from tests.extent import of_all

Rename = Callable[[Path, Path], Path]
KILLED = """
import os, sys, signal
from pathlib import Path
from companion.adapters.backup.archive import restore_backup
from companion.config import DataFolder

left = int(sys.argv[3])
note = Path(sys.argv[4]) if len(sys.argv) > 4 else None

def counted(kind, args):
    global left
    if kind in ("os.rename", "os.remove", "os.mkdir", "shutil.rmtree") or kind == "open" and "w" in str(args[1]):
        if note is not None and not note.exists():
            return
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(counted)
restore_backup(Path(sys.argv[1]), DataFolder(Path(sys.argv[2])))
print("whole")
"""


def killed_after(steps: int, backup: Path, folder: Path, note: Path | None = None) -> bool:
    """Restore in a process that is killed before its next change of the folder; say whether it came to its end.

    Where a note is named, steps count from when it is there.
    """
    command = [sys.executable, "-c", KILLED, str(backup), str(folder), str(steps)]
    if note is not None:
        command.append(str(note))
    return b"whole" in subprocess.run(command, capture_output=True, check=False).stdout


def test_killed_before_any_of_its_steps_it_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    # given a backup of one evening, and a folder with another
    write_backup(filled(tmp_path / "kept", "new"), tmp_path / "kept.zip")
    before = filled(tmp_path / "before", "old")
    came = set[str]()
    for steps in range(0, 200, of_all(4, 1)):
        folder = DataFolder(tmp_path / f"try-{steps}")
        shutil.copytree(before.path, folder.path)

        # when the restore is killed, and somebody starts again
        whole = killed_after(steps, tmp_path / "kept.zip", folder.path)
        finish_restore(folder.path)

        # then there is one of both, whole, and the old one in any case
        (result,) = tables_of(folder)
        aside = folder.path / "before-restore-1"
        assert (folder.catalogs / "mine.toml").read_text() == f'name = "{result}"\n'
        assert result == "old" or tables_of(DataFolder(aside)) == ["old"]
        assert not list(folder.path.glob("restoring*"))
        came.add(result)
        if whole:
            break
    else:
        pytest.fail("it never came to its end")
    assert came == {"old", "new"}
    assert steps > 10


def test_what_one_has_and_the_backup_has_not_goes_aside_too(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", filled(tmp_path / "full", "t2")
    empty.mkdir()
    write_backup(DataFolder(empty), tmp_path / "kept.zip")

    restore_backup(tmp_path / "kept.zip", full)

    assert tables_of(full) == []
    assert not full.catalogs.exists()
    assert tables_of(DataFolder(full.path / "before-restore-1")) == ["t2"]


def test_killed_while_it_is_finished_it_is_finished_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(filled(tmp_path / "kept", "new"), tmp_path / "kept.zip")
    folder = filled(tmp_path / "data", "old")
    note = folder.path / "restoring.json"
    assert not killed_after(0, tmp_path / "kept.zip", folder.path, note)
    assert note.exists()

    # when finishing breaks off after each single move
    for _ in range(20):
        moves = iter(range(2))
        rename = Path.rename

        def limited_rename(self: Path, target: Path, moves: Iterator[int] = moves, rename: Rename = rename) -> Path:
            if next(moves) > 0:
                raise KeyboardInterrupt
            return rename(self, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", limited_rename)
            try:
                assert finish_restore(folder.path)
            except KeyboardInterrupt:
                continue
        break

    assert tables_of(folder) == ["new"]


def test_a_note_that_cannot_be_read_or_leads_elsewhere_moves_nothing(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", "old")
    elsewhere = '{"unpacked": "../x", "aside": "a", "names": [], "new": []}'
    for note, result in (
        ("{", "note cannot be read"),
        ("[]", "note cannot be read"),
        (elsewhere, "not in this folder"),
    ):
        (folder.path / "restoring.json").write_text(note)
        before = contents(folder)
        with pytest.raises(SettingsError, match=result):
            finish_restore(folder.path)
        assert contents(folder) == before
