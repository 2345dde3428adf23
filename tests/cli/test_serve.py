"""``companion serve`` as a real process."""

import json
import os
import re
import socket
import ssl
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.stores import load_settings
from companion.cli.serving import Console
from companion.cli.workers import Hall, PublicAddress
from companion.config import DataFolder
from companion.web.server.connection_limits import bind_socket
from tests.cli.conftest import Run
from tests.cli.running import START, only_line, serving
from tests.waiting import PATIENCE_S

HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}


def test_a_table_goes_on_where_it_was_after_a_pulled_plug(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as first:
        first.log_in()
        table = f"/api/v1/tables/{first.ask('/api/v1/tables', START)['id']}"
        first.ask(f"{table}/commands", HIRE, If_Match="1")
        before, pin, token = first.ask(table), first.pin, first.token
        first.kill()

    with serving(tmp_path / "data") as second:
        assert second.pin == pin
        second.token = token
        after: Any = second.ask(table)
        assert after["position"]["players"]["blue"]["workers"] == ["W07"]
        assert after == before, "position, version and offers"
        assert second.ask(f"{table}/commands", {"do": "undo"}, If_Match="2")["seq"] == 3


def test_it_says_where_it_is_on_stderr_and_ends_at_once_with_nothing_on_stdout(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--camera", "sim:5", "--pin", "471100") as running:
        assert running.pin == "471100"
        assert "Camera sim:5" in running.printed
        assert running.ask("/healthz") == {"status": "ok"}
        running.log_in()
        assert running.ask("/api/v1/tables") == {"tables": [], "bin": []}

        assert running.stop() == (0, "")
    assert not [line for line in running.printed if "Traceback" in line or "ERROR" in line]


@pytest.mark.nightly
def test_while_it_serves_others_are_kept_off_and_a_backup_can_be_made(tmp_path: Path, run: Run) -> None:
    data, kept = tmp_path / "data", tmp_path / "evening.zip"
    with serving(data) as running:
        running.log_in()
        table = running.ask("/api/v1/tables", START)["id"]

        again = only_line(run("serve", "--data", data, "--camera", "none", "--port", "0"))
        assert "in use by another companion" in again

        taken = run("serve", "--data", tmp_path / "other", "--camera", "none", "--port", str(running.port))
        assert f"port {running.port} cannot be used" in only_line(taken)

        assert run("backup", kept, "--data", data).err == [f"1 table in {kept}"]
        assert "in use by another companion" in only_line(run("restore", kept, "--data", data))
        assert running.ask(f"/api/v1/tables/{table}")["version"] == 1
    assert run("restore", kept, "--data", tmp_path / "new").code == 0
    assert load_settings(tmp_path / "new" / "settings.toml").pin == running.pin
    assert SqliteJournal(tmp_path / "new" / "journal.sqlite").tables() == [(table, "master_builder")]


def test_a_camera_may_be_named_where_other_accounts_do_not_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", "sim:7")
    with serving(tmp_path / "data", "--lang", "en") as running:
        assert "Camera sim:7" in running.printed


def test_a_folder_that_was_open_to_others_is_closed_from_the_first_start_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "catalogs").mkdir(parents=True)
    data.chmod(0o755)

    with serving(data) as running:
        assert running.port
        assert data.stat().st_mode & 0o777 == 0o700


def test_a_torn_journal_is_told_in_one_line_with_the_mend(tmp_path: Path, run: Run) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"SQLite format 3\0" + b"torn" * 2000)

    line = only_line(run("serve", "--data", tmp_path, "--camera", "none", "--port", "0"))

    assert "journal.sqlite" in line
    assert "companion restore FILE" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--pin", "abc"), "the PIN must be 4 to 12 digits"),
        (("--camera", "nonsense"), "say sim[:SEED[:MAT]], usb[:INDEX]"),
    ],
)
def test_what_cannot_be_served_with_is_told_in_one_line(
    tmp_path: Path, run: Run, arguments: tuple[str, str], message: str
) -> None:
    given = {"--camera": "none", arguments[0]: arguments[1]}

    ended = run("serve", "--data", tmp_path, "--port", "0", *(word for pair in given.items() for word in pair))

    assert message in only_line(ended)
    assert not (tmp_path / "settings.toml").exists()


@pytest.mark.nightly
def test_a_camera_that_is_not_there_yet_keeps_nobody_from_playing(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--camera", "usb:63") as running:
        running.log_in()
        table = running.ask("/api/v1/tables", START)["id"]

        assert any("no camera at usb:63" in line and "trying on" in line for line in running.printed)
        assert "Camera usb:63" in running.printed, "it is looked for under its name"
        assert running.ask(f"/api/v1/tables/{table}")["version"] == 1


@pytest.mark.nightly
def test_it_ends_without_a_word_also_while_it_is_still_getting_ready(tmp_path: Path) -> None:
    for wait in (0.0, 3.0):  # templates are compiled beside the first requests
        with serving(tmp_path / "data") as running:
            time.sleep(wait)
            said = len(running.printed)
            assert running.stop() == (0, "")
        assert running.printed[said:] == []


@pytest.mark.nightly
def test_a_terminal_without_blocks_is_given_the_address_without_the_drawn_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    with serving(tmp_path / "data") as running:
        assert all(line.isascii() and "\\u" not in line for line in running.printed), running.printed
        assert any(line.startswith("Open ") for line in running.printed)


def test_for_programs_each_line_is_json_and_none_lets_anybody_in(tmp_path: Path) -> None:
    # given a server that logs for programs
    with serving(tmp_path / "data", "--camera", "none", "--log", "json", "--pin", "471100") as running:
        assert running.stop() == (0, "")

    # then every line is an object with the same fields, in UTC, and where to look is among them
    lines: list[Any] = [json.loads(line) for line in running.printed]
    assert {tuple(line) for line in lines} == {("time", "level", "logger", "message")}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in lines)
    result = [line["message"] for line in lines]
    assert any(re.match(r"Open http://127\.0\.0\.1:\d+/$", message) for message in result)
    assert "471100" not in " ".join(result)
    assert "join/" not in " ".join(result)


@pytest.mark.nightly
def test_https_is_served_by_choice_with_an_authority_that_devices_can_trust(tmp_path: Path, run: Run) -> None:
    # given a server with secure pages
    data = tmp_path / "data"
    with serving(data, "--camera", "none", "--https", "--https-port", "0") as running:
        result = "\n".join(running.printed)
        secure = re.search(r"HTTPS +(https://127\.0\.0\.1:\d+)/", result)
        assert secure, result
        assert f"http://127.0.0.1:{running.port}/trust" in result

        # when a device saves and trusts what the page offers
        with urllib.request.urlopen(
            f"http://127.0.0.1:{running.port}/trust/companion.crt", timeout=PATIENCE_S
        ) as answer:
            context = ssl.create_default_context(cadata=answer.read())

        # then it is served there
        with urllib.request.urlopen(f"{secure[1]}/healthz", timeout=PATIENCE_S, context=context) as answer:
            assert json.load(answer) == {"status": "ok"}
        assert running.stop() == (0, "")

    # and doctor says until when, and what the device shows
    looked = "\n".join(run("doctor", "--data", data).out)
    assert re.search(r"ok +certificate: good until \d{4}-\d\d-\d\d for .*companion-2\.local", looked)
    assert re.search(r"devices trust SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}", looked)


@pytest.mark.nightly
def test_a_certificate_of_ones_own_needs_its_key_and_has_to_be_one(tmp_path: Path, run: Run) -> None:
    start = ("serve", "--data", tmp_path / "data", "--camera", "none", "--port", "0")
    assert "go together" in only_line(run(*start, "--certificate", tmp_path / "cert.pem"))

    (tmp_path / "cert.pem").write_text("nonsense")
    line = only_line(run(*start, "--certificate", tmp_path / "cert.pem", "--key", tmp_path / "cert.pem"))
    assert "cert.pem are no certificate with its key" in line


@pytest.mark.parametrize("is_journal", [False, True])
def test_the_systems_journal_is_told_where_the_pin_is_and_not_the_pin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *, is_journal: bool
) -> None:
    # given a unit whose words the system keeps, or a terminal within it
    connected = os.fstat(2)
    monkeypatch.setenv("JOURNAL_STREAM", f"{connected.st_dev}:{connected.st_ino if is_journal else 0}")

    # when a home and a hall say where they are
    Console().print_access(["http://127.0.0.1:8000/"], "471100", "http://127.0.0.1:8000/join/letmein")
    hall = Hall(DataFolder(tmp_path), None, PublicAddress("127.0.0.1", 0, None, 0), None, (), as_json=False)
    with hall.place.listen(0) as plain:
        hall._tell(plain, None, "471100")

    # then the PIN, and the code that does without it, are for whoever sits before them alone
    said = capfd.readouterr().err
    assert said.count("Open ") == 2
    assert said.count("471100") == said.count("PIN    ") == (0 if is_journal else 2)
    assert said.count("to see the PIN: companion pin") == (2 if is_journal else 0)
    assert ("█" in said) == (not is_journal)


@pytest.mark.parametrize(
    ("host", "reached_at"),
    [("::", ("127.0.0.1", "::1")), ("::1", ("::1",)), ("127.0.0.1", ("127.0.0.1",)), ("localhost", ("localhost",))],
)
def test_a_hall_listens_where_a_home_does(host: str, reached_at: tuple[str, ...]) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    with PublicAddress(host, 0, None, 0).listen(0) as hall, bind_socket(host, 0) as home:
        home.listen()
        for listening in (hall, home):
            for address in reached_at:
                socket.create_connection((address, listening.getsockname()[1]), timeout=PATIENCE_S).close()
