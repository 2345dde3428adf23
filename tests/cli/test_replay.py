"""``companion serve --record`` and ``companion replay``: an evening kept, replayed, and made a test."""

import json
import shutil
from pathlib import Path

import pytest

from companion.adapters.recordings.recording import LINES, PICTURES
from tests.cli.conftest import Run
from tests.cli.running import START, Ended, only_line, serving
from tests.waiting import until

KEPT = Path(__file__).resolve().parents[1] / "recordings" / "on-the-mat"


@pytest.fixture
def recording_folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(KEPT, tmp_path / "evening"))


def cards(ended: Ended) -> list[tuple[str, str, str]]:
    return [(line["event"], line["card"], line["zone"]) for line in ended.json]


@pytest.mark.nightly
def test_what_was_served_is_replayed_to_the_same_placements(tmp_path: Path, run: Run) -> None:
    with serving(tmp_path / "data", "--camera", "sim", "--record", str(tmp_path / "evenings")) as running:
        running.log_in()
        table = f"/api/v1/tables/{running.ask('/api/v1/tables', START)['id']}"
        running.ask(f"{table}/simulated", {"lay": "W07"})
        until(lambda: running.ask(f"{table}/proposals")["proposals"])
        assert running.stop()[0] == 0
    assert any(line.startswith(f"What the camera sees is kept in {tmp_path / 'evenings'}") for line in running.printed)

    replayed = run("replay", tmp_path / "evenings")

    assert replayed.code == 0, replayed
    assert cards(replayed) == [("place", "W07", "tray")]
    assert replayed.json[0]["recording"] == "0001"
    assert replayed.err[-1].endswith("1 placements: as recorded")
    assert run("replay", tmp_path / "evenings" / "0001", "--within", "0").out == replayed.out


def test_other_placements_than_recorded_are_told_and_end_in_one(recording_folder: Path, run: Run) -> None:
    lines = (recording_folder / LINES).read_text(encoding="utf-8")
    (recording_folder / LINES).write_text(lines.replace('"zone":"yellow"', '"zone":"blue"', 1), encoding="utf-8")

    replayed = run("replay", recording_folder)

    assert replayed.code == 1
    assert "recorded was move W07 in blue" in replayed.err[-1]
    assert "now move W07 in yellow" in replayed.err[-1]


def test_a_torn_evening_is_replayed_up_to_the_tear_with_one_line(recording_folder: Path, run: Run) -> None:
    lines = (recording_folder / LINES).read_bytes()
    (recording_folder / LINES).write_bytes(lines[: len(lines) // 3])

    replayed = run("replay", recording_folder)

    assert replayed.code == 0
    assert cards(replayed)[0] == ("place", "W07", "blue")
    torn, ended = replayed.err
    assert "torn at line" in torn
    assert torn.endswith("replayed up to there")
    assert ended.endswith("as recorded")


@pytest.mark.nightly
def test_one_command_makes_a_test_of_a_part(recording_folder: Path, tmp_path: Path, run: Run) -> None:
    kept = run("replay", recording_folder, "--keep", tmp_path / "test", "--from", "6", "--to", "9")

    assert kept.code == 0, kept
    assert ("place", "W07", "yellow") in cards(kept)
    assert {path.name for path in (tmp_path / "test").iterdir()} == {LINES, PICTURES}
    again = run("replay", tmp_path / "test", "--within", "0")
    assert again.code == 0
    assert again.out == kept.out
    about = json.loads((tmp_path / "test" / LINES).read_text(encoding="utf-8").splitlines()[0])
    assert len(about["mats"]) == 1


def test_what_cannot_be_replayed_is_told_in_one_line(tmp_path: Path, recording_folder: Path, run: Run) -> None:
    assert "no recording; serve --record DIR makes one" in only_line(run("replay", "--data", tmp_path / "none"))
    shutil.copytree(recording_folder, tmp_path / "two" / "one")
    shutil.copytree(recording_folder, tmp_path / "two" / "other")
    assert "--keep takes one recording" in only_line(run("replay", tmp_path / "two", "--keep", tmp_path / "k"))
    assert "is there already" in only_line(run("replay", recording_folder, "--keep", recording_folder))
    (recording_folder / LINES).write_text('{"companion_recording":1,"mats":["x"],"profile":null}\n', encoding="utf-8")
    assert "its first line cannot be used" in only_line(run("replay", recording_folder))
