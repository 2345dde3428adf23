"""How an installation is put together."""

import io
import json
import logging
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from calibration.mat import format_mat
from companion import bootstrap
from companion.bootstrap import cameras, installation
from companion.bootstrap.installation import RunningInstallation
from companion.config import DataFolder, resolve_data_folder
from companion.game_api.catalog_parsing import CatalogError
from companion.games.master_builder import GAME
from companion.service.access.logins import WrongPin
from companion.service.backups import BackupFault
from companion.service.camera.camera import CameraError
from companion.service.table.play_files import take_in
from companion.service.table.table import Request
from tests.fakes import FakeCamera, readable_tables

START: dict[str, Any] = {
    "do": "start_game",
    "game": "master_builder",
    "first": "blue",
    "players": [{"id": "blue"}, {"id": "yellow"}],
}


@contextmanager
def opened(path: Path, catalog: str | None = None, *, new_journal: bool = False) -> Iterator[RunningInstallation]:
    source, simulated_table = cameras.connect_camera("none")
    running = installation.open_installation(
        DataFolder(path), source, simulated_table, catalog=catalog, new_journal=new_journal
    )
    try:
        yield running
    finally:
        running.close()


def test_a_game_that_is_taken_in_turns_no_camera_away_from_a_game_that_is_played(tmp_path: Path) -> None:
    # given two saved games of one line
    saved = json.dumps(START).encode()
    begun = json.dumps({**START, "players": [{"id": "blue"}, {"id": "red"}]}).encode()
    with opened(tmp_path) as running:
        tables = running.services.tables

        # when a game is taken in while no other one is played, then the camera looks there
        first = take_in(tables, saved, actor="banker")
        assert looked_at(running) == first.id

        # when another one is taken in, then it stays where it is
        take_in(tables, begun, actor="banker")
        assert looked_at(running) == first.id

        # but it turns to a game that begins
        new = tables.start(Request(START, "banker", "tap"))
        assert looked_at(running) == new.id


@pytest.mark.parametrize("lost", [False, True])
def test_a_report_says_no_password_that_the_address_of_a_camera_holds(tmp_path: Path, lost: bool) -> None:
    # given an IP camera with its password behind a question mark, also one that cannot be reached
    camera = FakeCamera([CameraError("camera http://10.0.0.5/snap.cgi?usr=admin&pwd=hushed: the connection broke")])
    camera.name = "http://10.0.0.5/snap.cgi?usr=admin&pwd=hushed"
    running = installation.open_installation(DataFolder(tmp_path), camera, None, record=tmp_path / "evenings")
    if lost:
        assert not running.services.scanner.process_next_frame()
    logging.getLogger("companion").warning("camera %s is slow", camera.name)

    # when somebody sends a report, or a recording
    assert running.services.diagnostics is not None
    with ZipFile(io.BytesIO(running.services.diagnostics.report())) as report:
        report_text = "".join(report.read(name).decode() for name in report.namelist())
    running.close()
    (recording,) = (tmp_path / "evenings").rglob("*.jsonl")

    # then it names the camera, and no password
    for text in (report_text, recording.read_text(encoding="utf-8")):
        assert "http://10.0.0.5/snap.cgi" in text
        assert "hushed" not in text


def looked_at(running: RunningInstallation) -> str | None:
    return running.services.scanner.attached_to


def resumed(running: RunningInstallation) -> bool:
    return running.services.scanner._differences.resumed


def test_the_camera_looks_at_a_new_table_and_after_a_restart_at_the_one_played_last(tmp_path: Path) -> None:
    with opened(tmp_path) as running:
        assert looked_at(running) is None
        older, newer = (running.services.tables.start(Request(START, "banker", "tap")) for _ in range(2))
        assert looked_at(running) == newer.id

    with opened(tmp_path) as again:
        assert {table.id for table in readable_tables(again.services.tables)} == {older.id, newer.id}
        assert looked_at(again) == newer.id
        assert resumed(again), "cards may have moved meanwhile"
        again.services.scanner.attach(older)
        assert not resumed(again)
        assert again.pin == running.pin


@pytest.mark.parametrize(("lacks", "fault"), [(True, "no catalog is called 'mine'"), (False, "mine.toml")])
@pytest.mark.parametrize("is_named_by_path", [False, True])
def test_a_backup_without_the_catalog_that_is_served_is_refused(
    tmp_path: Path, lacks: bool, fault: str, is_named_by_path: bool
) -> None:
    # given a backup in which a catalog of one's own is not there, or spoilt, and an installation that serves with it
    mine = tmp_path / "catalogs" / "mine.toml"
    mine.parent.mkdir()
    if not lacks:
        mine.write_text('game = "master_builder"\ntitle = 5\n', encoding="utf-8")
    with opened(tmp_path) as running:
        without = running.backups.make(datetime(2026, 11, 23, tzinfo=UTC))
    mine.write_bytes(GAME.cards().bundled["house"].read_bytes())
    with opened(tmp_path, str(mine) if is_named_by_path else "mine") as running:
        backups = running.services.backups
        assert backups is not None
        backups.on_restore_request(lambda: None)
        whole = running.backups.make(datetime(2026, 11, 24, tzinfo=UTC))

        # when the banker goes back to it, then it is refused in a line, and nobody is sent away
        with pytest.raises(BackupFault, match="lacks the catalog with which this companion serves") as refused:
            backups.request_restore(without.name)
        assert is_named_by_path or fault in str(refused.value)
        assert "\n" not in str(refused.value)
        assert running.requested_backup is None

        # and one that has it is accepted
        backups.request_restore(whole.name)
        assert running.requested_backup is not None


def test_a_first_start_that_was_cut_short_is_simply_made_again(tmp_path: Path) -> None:
    # given a first start that ends once it has made up a PIN and a key
    program = f"""
import os, sys
from pathlib import Path
from companion.adapters import stores
from companion.bootstrap import cameras, installation
from companion.config import DataFolder

def cut_short(event, arguments):
    if event == "os.link" and str(arguments[1]).endswith("settings.toml"):
        Path(arguments[1]).write_bytes(Path(arguments[0]).read_bytes())
        os._exit(9)

sys.addaudithook(cut_short)
source, simulated_table = cameras.connect_camera("none")
installation.open_installation(DataFolder(Path({str(tmp_path)!r})), source, simulated_table)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    assert (tmp_path / "settings.toml").exists()

    # when it is started again, then it serves
    with opened(tmp_path) as running:
        assert running.services.tables.start(Request(START, "banker", "tap")).version == 1


def test_a_journal_that_is_begun_anew_is_not_compared_with_the_one_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given a folder whose journal is gone
    with opened(tmp_path) as running:
        running.services.tables.start(Request(START, "banker", "tap"))
    for file in tmp_path.glob("journal.sqlite*"):
        file.unlink()

    # when a new one is begun, and the program is started again
    for new_journal in (True, False):
        with opened(tmp_path, new_journal=new_journal):
            pass

    # then nothing is said of entries that it never had
    assert "end of the journal is lost" not in caplog.text


def test_the_simulated_camera_comes_with_its_table() -> None:
    source, simulated_table = cameras.connect_camera("sim:4")

    assert source.name == "sim:4"
    assert simulated_table is not None
    simulated_table.lay_on_tray("W07")
    with pytest.raises(CameraError):
        cameras.connect_camera("nonsense")


def test_the_simulated_table_takes_a_mat_of_ones_own(tmp_path: Path) -> None:
    # given a mat of one's own
    table_mat = cameras.load_mats()["table"]
    (tmp_path / "mine.toml").write_text(format_mat(replace(table_mat, name="mine")), "utf-8")

    # when it is named with the camera, and laid later
    _, named = cameras.connect_camera("sim:4:mine", mats=tmp_path)
    _, later = cameras.connect_camera("sim:4", mats=tmp_path)

    # then it lies there; and one that cannot be used keeps no camera from being opened
    assert named is not None
    assert later is not None
    later.lay_mat("mine")
    assert named.zones == later.zones == tuple(zone.name for zone in table_mat.zones.zones)
    (tmp_path / "mine.toml").write_text("name = ", "utf-8")
    cameras.connect_camera("sim:4:table", mats=tmp_path)


def test_the_report_for_helpers_is_made_while_the_clock_shows_1970(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given an installation on a board whose clock nobody has set
    games = bootstrap.find_games()
    camera, simulated = cameras.connect_camera("none", games)
    opened = installation.open_installation(DataFolder(tmp_path / "data"), camera, simulated, games=games)
    diagnostics = opened.services.diagnostics
    assert diagnostics is not None
    monkeypatch.setattr(time, "time", lambda: 60.0)

    # when the report is made
    try:
        report = diagnostics.report()
    finally:
        opened.close()

    # then it can be opened
    with zipfile.ZipFile(io.BytesIO(report)) as archive:
        assert {"doctor.json", "log.txt"} <= set(archive.namelist())


def test_decks_are_described_and_a_faulty_one_too(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("nonsense")

    opened = bootstrap.load_games(bootstrap.find_games(), tmp_path)
    result = {catalog["name"]: catalog for catalog in bootstrap.describe_catalogs([opened["master_builder"]])}

    workers = result["house"].pop("cards")["workers"]
    assert (len(workers), workers["W07"]["type"]) == (40, "MC")
    assert result["house"] == {"game": "master_builder", "name": "house", "title": "House deck", "invented": True}
    assert result["mine"]["title"] is None
    assert result["mine"]["fault"]


def test_one_catalog_stands_in_for_all_that_are_named(tmp_path: Path) -> None:
    catalogs = bootstrap.open_catalogs(GAME, tmp_path, "house")

    assert catalogs["anything"] is catalogs["house"]
    with pytest.raises(CatalogError):
        bootstrap.open_catalogs(GAME, tmp_path, "nonsense")


def test_the_data_folder_is_the_one_named_or_the_usual_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert resolve_data_folder("mine").path == Path("mine")
    assert resolve_data_folder(None).path == tmp_path / "xdg" / "companion"

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve_data_folder("").path == tmp_path / ".local" / "share" / "companion"


def test_temporary_logins_take_their_own_pin_only() -> None:
    # given logins with a PIN of four digits that was made up
    logins, pin = bootstrap.create_temporary_logins()

    # when another PIN is tried, then it is refused
    with pytest.raises(WrongPin):
        logins.log_in("00000", "here")

    # and theirs lets in
    assert logins.log_in(pin, "here").role == "banker"
    assert len(pin) == 4
