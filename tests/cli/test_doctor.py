"""``companion doctor`` on good and broken installations."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from companion import bootstrap
from companion.adapters import health
from companion.adapters.health import examine_installation
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.stores import load_settings
from companion.config import DataFolder, ExternalPaths
from companion.engine.journal import Entry
from companion.resources import MissingResourceError
from companion.service.camera.camera import CameraError
from companion.service.ports import Finding, NotStored
from tests.cli.conftest import Run
from tests.cli.running import companion
from tests.engine.tiny_game import nut_game
from tests.opened import installed_games
from tests.service.house_tables import nut_table
from tests.waiting import until

HOUSE = "catalog house of Master Builder"
CATALOGS = [HOUSE, "catalog house of Men at Work", "catalog house of Monopoly Builder"]
MACHINE = ["opencv", "clock", "network"]
SICK = Entry(1, "2026-01-01T00:00:00+00:00", "banker", "tap", {"do": "start_game"}, ({"event": "NoSuchThing"},))


def examine(folder: DataFolder, camera: str | None = None) -> Iterator[Finding]:
    games = installed_games()
    return examine_installation(folder, bootstrap.load_games(games, folder.catalogs), games.broken, camera)


def findings_by_name(data: Path) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(DataFolder(data))}


def test_a_new_installation_could_serve(tmp_path: Path) -> None:
    ended = companion("doctor", "--json", "--data", tmp_path / "data")

    assert (ended.code, ended.err) == (0, [])
    (looked_at,) = ended.json
    assert looked_at["could_serve"]
    names = [
        finding["name"]
        for finding in looked_at["findings"]
        if finding["name"].partition(" ")[0] not in ("power", "wear", "disk")
    ]
    assert names == ["python", "pages", "games", "data folder", *CATALOGS, "camera", "second reader", *MACHINE]
    assert all(set(finding) == {"name", "works", "needed", "told", "mend"} for finding in looked_at["findings"])


def test_people_read_a_line_for_each_thing(tmp_path: Path, run: Run) -> None:
    load_settings(tmp_path / "settings.toml")
    SqliteJournal(tmp_path / "journal.sqlite").close()

    ended = run("doctor", "--data", tmp_path)

    assert (ended.code, ended.err) == (0, [])
    assert any(line.startswith("ok  journal: 0 tables, SQLite") for line in ended.out)
    assert "ok  settings: PIN and key are there" in ended.out


def test_a_torn_journal_is_told_with_the_mend(tmp_path: Path, run: Run) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"SQLite format 3\0" + b"torn" * 2000)

    ended = run("doctor", "--data", tmp_path)

    assert (ended.code, ended.err) == (1, [])
    (line,) = [line for line in ended.out if line.startswith("NO")]
    assert line.startswith("NO  journal: ")
    assert "companion restore FILE" in line


def test_a_table_that_cannot_be_resumed_is_told_while_the_others_can_be_played(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.open_table("sick", "master_builder", SICK)
    journal.open_table("other", "chess", SICK)
    journal.close()

    looked_at = findings_by_name(tmp_path)

    assert looked_at["journal"].works
    assert not looked_at["table sick"].works
    assert not looked_at["table other"].works
    assert not looked_at["table sick"].needed, "the app serves the tables that can be played"
    assert looked_at["table sick"].mend


@pytest.mark.parametrize("asked", ["describe_server", "count_heads"])
def test_a_database_that_goes_away_while_it_is_examined_is_a_finding_and_keeps_no_connection(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    # given a database that does not answer one of the questions
    def fail(*_: object) -> None:
        raise NotStored("away")

    monkeypatch.setattr(PostgresJournal, asked, fail)

    # when it is examined, as a program that serves does again and again
    elsewhere = ExternalPaths(database=database)
    findings = examine_installation(DataFolder(tmp_path), {"nuts": nut_game()}, {}, elsewhere=elsewhere)
    by_name = {finding.name: finding for finding in findings}

    # then it is told, and no connection is left
    assert not by_name["database"].works
    with psycopg.connect(database, autocommit=True) as connection:
        ours = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        until(lambda: connection.execute(ours).fetchone() == (0,))


def test_while_people_play_only_the_latest_tables_are_folded(tmp_path: Path) -> None:
    # given three tables, the oldest of which is damaged
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    for number, name in enumerate(("sick", "early", "late")):
        first = SICK if name == "sick" else nut_table().entries[0]
        journal.open_table(name, "nuts", replace(first, at=f"2026-01-01T00:00:0{number}+00:00"))
    journal.close()

    def findings(most: int | None) -> dict[str, Finding]:
        results = examine_installation(DataFolder(tmp_path), {"nuts": nut_game()}, {}, most_tables=most)
        return {finding.name: finding for finding in results}

    # then it is said how many were read, and a whole check names the damaged one
    assert findings(2)["journal"].message.startswith("3 tables, the latest 2 read, SQLite")
    assert "table sick" not in findings(2)
    assert findings(3)["journal"].message.startswith("2 tables, SQLite")
    assert "table sick" in findings(None)


@pytest.mark.parametrize("content", ['pin = "abc"\nsecret = "x"\n', "nonsense"])
def test_settings_that_cannot_be_used_are_told(tmp_path: Path, run: Run, content: str) -> None:
    (tmp_path / "settings.toml").write_text(content)

    ended = run("doctor", "--json", "--data", tmp_path)

    assert ended.code == 1
    broken: list[Any] = [finding for finding in ended.json[0]["findings"] if not finding["works"] and finding["needed"]]
    assert [finding["name"] for finding in broken] == ["settings"]
    assert broken[0]["mend"] == "delete the file to get a new PIN"


def test_a_faulty_catalog_of_ones_own_is_told_and_the_app_could_serve(tmp_path: Path, run: Run) -> None:
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs" / "mine.toml").write_text('game = "master_builder"\nname = 3\n')

    ended = run("doctor", "--data", tmp_path)

    assert ended.code == 0
    (line,) = [line for line in ended.out if "catalog mine" in line]
    assert line.startswith("-   catalog mine: ")
    assert line.endswith("; mend the lines named, or take the file away")


def test_a_data_folder_that_is_none_is_told(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").write_text("")

    ended = run("doctor", "--data", tmp_path / "file")

    assert ended.code == 1
    assert any(line.startswith("NO  data folder: ") and "--data" in line for line in ended.out)


def test_little_room_missing_pages_and_a_missing_reader_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Path:
        raise MissingResourceError("not found: templates")

    def no_camera(*_: object) -> None:
        raise CameraError("there is none")

    monkeypatch.setattr(health, "MIN_FREE_BYTES", 10**18)
    monkeypatch.setattr(health, "templates_folder", missing)
    monkeypatch.setattr(health, "zbar_is_available", lambda: False)
    monkeypatch.setattr(health, "examine_machine", lambda *_: iter(()))
    monkeypatch.setattr(health, "open_camera", no_camera)
    monkeypatch.setattr(health, "find_rpicam", lambda: None)

    looked_at = findings_by_name(tmp_path)

    assert {name for name, check in looked_at.items() if not check.works} == {
        "pages",
        "data folder",
        "second reader",
        "camera",
    }
    assert looked_at["data folder"].mend == "make room on this disk"
    assert looked_at["pages"].needed
    assert looked_at["second reader"].mend == "apt-get install libzbar0"


def test_a_camera_that_opens_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Plugged:
        name = "usb:0"

        def close(self) -> None:
            """Release the camera."""

    monkeypatch.setattr(health, "open_camera", lambda _spec, _table: Plugged())

    assert findings_by_name(tmp_path)["camera"].message == "usb:0"


def test_a_camera_that_is_named_is_asked_for_a_picture(tmp_path: Path) -> None:
    (seen,) = [finding for finding in examine(DataFolder(tmp_path), "sim:2") if finding.name == "camera"]
    assert (seen.works, seen.message) == (True, "sim:2: 1920 x 1080")

    (refused,) = [
        finding for finding in examine(DataFolder(tmp_path), "http://127.0.0.1:9/") if finding.name == "camera"
    ]
    assert not refused.works
    assert not refused.needed
    assert "cannot be reached" in refused.message


def test_a_camera_that_sends_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FIRST_PICTURE_TIMEOUT_S", 0.1)
    (silent,) = [finding for finding in examine(DataFolder(tmp_path), "none") if finding.name == "camera"]
    assert (silent.works, silent.message) == (False, "camera none: no picture for 0.1 s")


def test_a_camera_that_is_misspelt_stops_the_start_as_the_doctor_says(tmp_path: Path) -> None:
    (camera,) = [finding for finding in examine(DataFolder(tmp_path), "webcam") if finding.name == "camera"]
    assert (camera.works, camera.needed, camera.mend) == (False, True, "serve refuses it")


def test_the_pis_own_camera_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_plugged_in(_spec: str, _table: object) -> None:
        raise CameraError("no camera at usb:0")

    monkeypatch.setattr(health, "open_camera", nothing_plugged_in)
    monkeypatch.setattr(health, "find_rpicam", lambda: "/usr/bin/rpicam-vid")
    (found_it,) = [finding for finding in examine(DataFolder(tmp_path)) if finding.name == "camera"]
    assert (found_it.works, found_it.message) == (True, "/usr/bin/rpicam-vid is here: serve --camera pi")
