"""A port, and a hall that is there, are looked at before anything is changed."""

import os
import pty
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ["deploy/install", "deploy/club/install"]
NOTHING = "() { exit 70; }"
BE_ROOT = {"BASH_FUNC_id%%": "() { echo 0; }", "BASH_FUNC_apt-get%%": NOTHING, "BASH_FUNC_tar%%": NOTHING}
"""Functions for the script: it believes to be root, and ends before it would install anything."""


def install(script: str, root: Path, *words: str, typed: str = "") -> tuple[int, str]:
    """Run a script on a root of its own; return its exit code and what it said.  ``typed``: lines at its questions."""
    keyboard, terminal = pty.openpty()
    os.write(keyboard, typed.encode())
    environment = {**os.environ, **BE_ROOT, "COMPANION_ROOT": str(root)}
    stdin = terminal if typed else subprocess.DEVNULL
    done = subprocess.run(
        [ROOT / script, *words],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=environment,
    )
    os.close(keyboard)
    os.close(terminal)
    return done.returncode, done.stdout


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("port", ["eighty", "0", "65536", "8000000", "80 81"])
def test_a_port_that_is_none_is_refused(script: str, port: str, tmp_path: Path) -> None:
    code, said = install(script, tmp_path, "--unattended", "--port", port)
    assert (code, f"the port is a number from 1 to 65535, and not {port}" in said.replace('"', "")) == (1, True), said
    assert not (tmp_path / "opt/companion/current").exists()


@pytest.mark.parametrize(("script", "before"), [("deploy/install", "none\n"), ("deploy/club/install", "")])
def test_so_is_one_that_was_typed(script: str, before: str, tmp_path: Path) -> None:
    code, said = install(script, tmp_path, typed=f"{before}eighty\n")
    assert (code, 'the port is a number from 1 to 65535, and not "eighty"' in said) == (1, True), said


CAMERAS = [
    ("usb 1", "without spaces, quotes and backslashes, and not usb 1"),
    ("it's", "without spaces, quotes and backslashes"),
    ("http://ada:pa$s@10.0.0.9/", "a $ in a password is written %24 here"),
]


@pytest.mark.parametrize(("camera", "reason"), CAMERAS)
@pytest.mark.parametrize("is_typed", [True, False])
def test_a_camera_that_no_options_file_takes_is_refused_also_one_that_was_typed(
    camera: str, reason: str, is_typed: bool, tmp_path: Path
) -> None:
    words = [] if is_typed else ["--unattended", "--camera", camera]
    code, said = install("deploy/install", tmp_path, *words, typed=f"{camera}\n8000\n" if is_typed else "")
    assert (code, reason in said) == (1, True), said
    assert not (tmp_path / "etc").exists()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_port_at_which_another_program_answers_is_refused(script: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, said = install(script, tmp_path, "--unattended", "--port", str(port))
    assert (code, f"another program answers at port {port}" in said) == (1, True), said
    assert not (tmp_path / "etc").exists()


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("install", ["--unattended"], "deploy/club/install"),
        ("update", ["new.tar.gz"], "sudo deploy/club/update new.tar.gz"),
        ("uninstall", ["--with-data"], "sudo deploy/club/uninstall --with-data"),
        ("hotspot", ["on"], "a hall has no Wi-Fi of its own"),
    ],
)
def test_scripts_for_one_table_leave_a_hall_alone(script: str, words: list[str], said: str, tmp_path: Path) -> None:
    # given a machine with a hall
    files = [
        "etc/systemd/system/companion-club.service",
        "opt/companion/current/run",
        "var/lib/companion/settings.toml",
        "etc/default/companion",
    ]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("of the hall", encoding="utf-8")
    (tmp_path / "nmcli").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "nmcli").chmod(0o755)
    environment = {**os.environ, **BE_ROOT, "COMPANION_ROOT": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    # when a script for a companion for one table is run there
    command = [str(ROOT / "deploy" / script), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    # then it says what to do instead, and nothing has changed
    assert (done.returncode, len(done.stderr.splitlines()), said in done.stderr) == (1, 1, True), done.stderr
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {*files, "nmcli"}


@pytest.mark.parametrize("log", ["", '{"message": "Stop with Ctrl-C."}', "Open   http://127.0.0.1:8000/"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_service_that_answers_runs_whatever_form_its_log_has(script: str, log: str, tmp_path: Path) -> None:
    # given the end of the script, and a service that answers
    end = (ROOT / script).read_text(encoding="utf-8").partition('systemctl restart "$unit"\n')[2]
    machine = f"""
        healthy() {{ :; }}; companion() {{ echo 471100; }}; unit=companion.service
        journalctl() {{ echo '{log}'; }}
    """

    # when
    words = ["bash", "-euo", "pipefail", "-c", f". {ROOT}/deploy/versions.sh; {machine}\n{end}"]
    environment = {**os.environ, "COMPANION_ROOT": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)

    # then
    assert (done.returncode, "471100; it runs" in done.stdout) == (0, True), done.stderr


def test_a_service_that_does_not_answer_is_said_not_to_run_whatever_an_earlier_one_logged(tmp_path: Path) -> None:
    end = (ROOT / "deploy/install").read_text(encoding="utf-8").partition('systemctl restart "$unit"\n')[2]
    machine = "healthy() { return 1; }; journalctl() { echo 'Stop with Ctrl-C.'; }; companion() { echo 471100; }"
    words = ["bash", "-euo", "pipefail", "-c", f". {ROOT}/deploy/versions.sh; {machine}\n{end}"]
    environment = {**os.environ, "COMPANION_ROOT": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)

    assert (done.returncode, "does not run yet" in done.stderr) == (1, True), done.stdout
