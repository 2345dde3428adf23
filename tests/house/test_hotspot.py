"""The script for a Wi-Fi hotspot, run with a fake NetworkManager that records its arguments."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NMCLI = """#!/bin/sh
echo "$@" >>"$COMPANION_ROOT/received"
[ "$2" != delete ] || exit "$(cat "$COMPANION_ROOT/delete" 2>/dev/null || echo 10)"
[ "$2" != up ] || exit "$(cat "$COMPANION_ROOT/up" 2>/dev/null || echo 0)"
[ "$*" != "-t -f DEVICE,TYPE device" ] || printf 'eth0:ethernet\\nwlan0:wifi\\nlo:loopback\\n'
"""


@dataclass(frozen=True)
class Machine:
    root: Path

    def hotspot(self, *words: str, **variables: str) -> tuple[int, str]:
        path = f"{self.root}:{os.environ['PATH']}"
        environment = {**os.environ, "COMPANION_ROOT": str(self.root), "PATH": path, **variables}
        done = subprocess.run(
            [ROOT / "deploy" / "hotspot", *words], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    @property
    def received(self) -> str:
        return (self.root / "received").read_text(encoding="utf-8")

    @property
    def arguments(self) -> str:
        return (self.root / "etc" / "default" / "companion").read_text(encoding="utf-8")

    @property
    def names(self) -> Path:
        return self.root / "etc" / "NetworkManager" / "dnsmasq-shared.d" / "companion.conf"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "nmcli").write_text(NMCLI, encoding="utf-8")
    (tmp_path / "nmcli").chmod(0o755)
    choices = tmp_path / "etc" / "default" / "companion"
    choices.parent.mkdir(parents=True)
    choices.write_text('COMPANION_ARGS="--camera pi --port 8000"\n', encoding="utf-8")
    return Machine(tmp_path)


def test_on_makes_a_network_on_which_every_name_and_dhcp_lead_to_the_companion(machine: Machine) -> None:
    code, said = machine.hotspot("on", "--name", "Our table")

    assert code == 0, said
    assert "ssid Our table" in machine.received
    assert "ifname wlan0" in machine.received
    assert "ipv4.method shared ipv4.addresses 10.42.0.1/24" in machine.received
    names = machine.names.read_text(encoding="utf-8")
    assert "address=/#/10.42.0.1" in names
    assert 'dhcp-option=114,"http://10.42.0.1/captive/api"' in names
    assert machine.arguments == 'COMPANION_ARGS="--camera pi --port 80 --captive"\n'
    password = said.partition("password is ")[2].split()[0]
    assert len(password) == 10
    assert f"wifi-sec.psk {password}" in machine.received


def test_twice_on_and_then_off_leaves_what_was_chosen_before(machine: Machine) -> None:
    for _ in range(2):
        assert machine.hotspot("on", "--password", "rafters and beams")[0] == 0
    assert machine.arguments.count("--captive") == 1

    assert machine.hotspot("off")[0] == 0

    assert machine.arguments == 'COMPANION_ARGS="--camera pi --port 80"\n'
    assert not machine.names.exists()
    assert machine.received.splitlines()[-1] == "connection delete companion-hotspot"


def test_where_nothing_was_chosen_yet_it_is_on_all_the_same(machine: Machine) -> None:
    # given a checkout from which nothing was installed
    (machine.root / "etc" / "default" / "companion").unlink()

    # when
    code, said = machine.hotspot("on", "--password", "rafters and beams")

    # then the network is up, and its password is told
    assert (code, "its password is rafters and beams" in said) == (0, True), said
    assert machine.received.splitlines()[-1] == "connection up companion-hotspot"
    assert machine.arguments == 'COMPANION_ARGS="--port 80 --captive"\n'


def test_a_network_that_does_not_start_now_and_may_later_has_a_password_that_was_told(machine: Machine) -> None:
    (machine.root / "up").write_text("4", encoding="utf-8")

    code, said = machine.hotspot("on", "--password", "rafters and beams")

    assert (code, "its password is rafters and beams" in said, "does not start" in said) == (1, True, True)


def test_off_changes_nothing_while_the_network_cannot_be_deleted(machine: Machine) -> None:
    assert machine.hotspot("on")[0] == 0
    before = machine.arguments
    (machine.root / "delete").write_text("4", encoding="utf-8")

    code, said = machine.hotspot("off")

    assert (code, len(said.splitlines())) == (1, 1)
    assert "NetworkManager keeps the network" in said
    assert machine.arguments == before
    assert machine.names.exists()


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ((), "say on or off"),
        (("on", "--password", "short"), "8 to 63 letters"),
        (("on", "--name", "x" * 33), "32 letters at most"),
        (("on", "--name", "\N{LATIN SMALL LETTER A WITH DIAERESIS}" * 17), "32 letters at most"),
        (("on", "--password", "Sp\N{LATIN SMALL LETTER A WITH DIAERESIS}ter am Abend"), "no letters with accents"),
        (("on", "--colour", "blue"), "unknown argument --colour"),
    ],
)
def test_what_it_cannot_do_is_one_line_and_nothing_is_changed(
    machine: Machine, words: tuple[str, ...], output: str
) -> None:
    before = machine.arguments

    code, said = machine.hotspot(*words)

    assert (code, len(said.splitlines())) == (1, 1)
    assert output in said
    assert machine.arguments == before
    assert not machine.names.exists()


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("password", ["p\u00e4ssw\u00f6rter", "\u00e4\u00f6\u00fc\u00e4"])
def test_letters_with_accents_are_refused_in_every_locale(machine: Machine, locale: str, password: str) -> None:
    code, said = machine.hotspot("on", "--password", password, LC_ALL=locale)
    assert (code, "no letters with accents" in said) == (1, True), said
