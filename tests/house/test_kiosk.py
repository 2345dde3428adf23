"""The script for the machine's own screen."""

import configparser
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def kiosk(root: Path, wish: str) -> tuple[int, str]:
    for program in ("cage", "chromium"):
        (root / program).write_text("#!/bin/sh\n", encoding="utf-8")
        (root / program).chmod(0o755)
    environment = {**os.environ, "COMPANION_ROOT": str(root), "PATH": f"{root}:{os.environ['PATH']}"}
    done = subprocess.run(
        [ROOT / "deploy" / "kiosk", wish], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_it_shows_this_machines_display_at_the_port_that_was_chosen(tmp_path: Path) -> None:
    (tmp_path / "etc" / "default").mkdir(parents=True)
    (tmp_path / "etc" / "default" / "companion").write_text('COMPANION_ARGS="--camera pi --port 80 --captive"\n')

    code, said = kiosk(tmp_path, "on")

    assert (code, said) == (0, "kiosk: on, with the display of http://127.0.0.1:80/screen\n")
    unit = configparser.RawConfigParser(strict=False)
    unit.read(tmp_path / "etc" / "systemd" / "system" / "companion-kiosk.service", encoding="utf-8")
    assert unit["Service"]["ExecStart"].endswith("--app=http://127.0.0.1:80/screen")
    assert unit["Service"]["User"] == "companion-screen"
    assert unit["Service"]["Restart"] == "always"

    assert kiosk(tmp_path, "off") == (0, "kiosk: off\n")
    assert not list((tmp_path / "etc" / "systemd" / "system").iterdir())


@pytest.mark.parametrize(
    ("host", "place"), [("192.168.1.7", "127.0.0.1:80"), ("fd00::7", "127.0.0.1:80"), ("::", "[::1]:80")]
)
def test_whatever_address_is_served_it_asks_by_the_loopback_one(tmp_path: Path, host: str, place: str) -> None:
    (tmp_path / "etc" / "default").mkdir(parents=True)
    (tmp_path / "etc" / "default" / "companion").write_text(f'COMPANION_ARGS="--host {host} --port 80"\n')

    assert kiosk(tmp_path, "on") == (0, f"kiosk: on, with the display of http://{place}/screen\n")


def test_anything_else_is_one_line(tmp_path: Path) -> None:
    assert kiosk(tmp_path, "please") == (1, "kiosk: say on or off\n")
