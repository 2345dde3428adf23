"""An install of a game that was killed at any moment leaves the earlier version, and nothing besides after a while."""

import os
from pathlib import Path

from companion.adapters.game_packages import LONGEST_INSTALL_S, use_packages


def test_what_killed_installs_have_left_is_put_back_or_deleted(tmp_path: Path) -> None:
    # given a package whose new version was about to take its place, and one whose new version has taken it
    for name in (".making-nuts.old", "stones", ".making-stones.old", ".making-x1", ".making-x2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    for name in (".making-stones.old", ".making-x1"):
        at = (tmp_path / name).stat().st_mtime - LONGEST_INSTALL_S - 60
        os.utime(tmp_path / name, (at, at))

    # when the program starts
    use_packages(tmp_path)

    # then the one is back, the other as it was, and what may still be under way is left alone
    assert sorted(path.name for path in tmp_path.iterdir()) == [".making-x2", "nuts", "stones"]
    assert (tmp_path / "nuts" / "file").read_text() == ".making-nuts.old"
    assert (tmp_path / "stones" / "file").read_text() == "stones"
