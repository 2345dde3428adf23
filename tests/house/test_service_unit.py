"""The service for a Pi starts a command that exists, and may write only where its tables live."""

import configparser
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def service() -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    unit.read(ROOT / "deploy" / "companion.service", encoding="utf-8")
    return unit["Service"]


def test_the_service_starts_a_command_with_options_that_exist() -> None:
    from companion.cli import group

    words = service()["ExecStart"].split()
    name, options = words[4], [word for word in words if word.startswith("--")]
    known = {option for parameter in group.commands[name].params for option in parameter.opts}
    assert words[:4] == ["/opt/companion/.venv/bin/python", "-P", "-m", "companion"]
    assert set(options) <= known


def test_the_service_writes_only_its_state() -> None:
    told = service()
    assert told["StateDirectory"] == "companion"
    assert told["ProtectSystem"] == "strict"
    assert told["ExecStart"].count("/var/lib/companion") == 1


def test_the_page_for_the_pi_says_that_nobody_has_tried_it() -> None:
    page = (ROOT / "docs" / "pi.md").read_text(encoding="utf-8")
    assert re.search(r"untested on hardware", page, re.IGNORECASE)
    assert "deploy/companion.service" in page
