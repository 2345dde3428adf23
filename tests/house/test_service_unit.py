"""The service for a Pi starts a command that exists, and may write only where its tables live."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_EXPOSED = 2.0


def service() -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    unit.read(ROOT / "deploy" / "companion.service", encoding="utf-8")
    return unit["Service"]


def test_the_service_starts_a_command_with_options_that_exist() -> None:
    from tests.cli.running import load_commands

    words = service()["ExecStart"].split()
    name, options = words[4], [word for word in words if word.startswith("--")]
    supported = {option for parameter in load_commands()[name].params for option in parameter.opts}
    assert words[:4] == ["/opt/companion/current/.venv/bin/python", "-P", "-m", "companion"]
    assert set(options) <= supported


def test_the_service_writes_only_its_state() -> None:
    section = service()
    assert section["StateDirectory"] == "companion"
    assert section["ProtectSystem"] == "strict"
    assert section["ExecStart"].count("/var/lib/companion") == 1


def test_the_page_for_the_pi_says_that_nobody_has_tried_it() -> None:
    page = (ROOT / "docs" / "pi.md").read_text(encoding="utf-8")
    assert re.search(r"untested on hardware", page, re.IGNORECASE)
    assert "deploy/companion.service" in page


def test_the_service_is_as_closed_as_systemd_can_make_it() -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("needs systemd-analyze")
    unit = ROOT / "deploy" / "companion.service"
    judged = subprocess.run([analyze, "security", "--offline=true", unit], capture_output=True, text=True, check=True)
    exposure = re.search(r"exposure level for companion.service: ([0-9.]+)", judged.stdout)
    assert exposure is not None
    assert float(exposure[1]) <= MOST_EXPOSED


def test_the_service_may_take_no_more_than_an_evening_needs_and_sees_cameras_only() -> None:
    section = service()
    assert {"MemoryMax", "TasksMax", "LimitNOFILE", "ProtectProc"} <= set(section)
    unit = (ROOT / "deploy" / "companion.service").read_text(encoding="utf-8")
    assert re.findall(r"^DeviceAllow=(\S+)", unit, re.MULTILINE) == ["char-video4linux", "char-media", "char-dma_heap"]
