"""The options file of the service is read by the scripts as systemd and the program read it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NMCLI = '#!/bin/sh\necho "$@" >>"$COMPANION_ROOT/received"\n'


def shell(root: Path, *words: str | Path) -> str:
    """Run a command of deploy/ on a folder that stands for a machine, and return what it prints."""
    environment = {**os.environ, "COMPANION_ROOT": str(root), "PATH": f"{root}:{os.environ['PATH']}"}
    done = subprocess.run(
        list(map(str, words)), env=environment, capture_output=True, text=True, check=False, cwd=ROOT / "deploy"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ("", "127.0.0.1:8000"),
        ("# COMPANION_ARGS='--port 1'", "127.0.0.1:8000"),
        ('COMPANION_ARGS="--camera pi --port 80"', "127.0.0.1:80"),
        ('COMPANION_ARGS="--port=80 --camera pi"', "127.0.0.1:80"),
        ('  COMPANION_ARGS="  --port   80   "  ', "127.0.0.1:80"),
        ('COMPANION_ARGS="--port\t80"', "127.0.0.1:80"),
        ("COMPANION_ARGS='--port 80'", "127.0.0.1:80"),
        ("COMPANION_ARGS=--port=80", "127.0.0.1:80"),
        ('COMPANION_ARGS="--port 80 --port 81"', "127.0.0.1:81"),
        ('COMPANION_ARGS="--port 80"\nCOMPANION_ARGS="--port 82"', "127.0.0.1:82"),
        ('COMPANION_ARGS="--https-port 8443 --secure-port=1 --camera none"', "127.0.0.1:8000"),
        ('COMPANION_ARGS="--host 192.168.1.7 --port 80"', "192.168.1.7:80"),
        ('COMPANION_ARGS="--host=0.0.0.0"', "127.0.0.1:8000"),
        ('COMPANION_ARGS="--host=::"', "[::1]:8000"),
        ('COMPANION_ARGS="--host fd00::7"', "[fd00::7]:8000"),
    ],
)
def test_port_and_host_are_those_that_the_service_has(tmp_path: Path, options: str, place: str) -> None:
    (tmp_path / "etc" / "default").mkdir(parents=True)
    (tmp_path / "etc" / "default" / "companion").write_text(f"{options}\n", encoding="utf-8")

    assert shell(tmp_path, "bash", "-c", '. ./versions.sh; echo "$(address):$(port)"') == place


@pytest.mark.parametrize(
    ("before", "camera", "port", "after"),
    [
        (None, "", "", '--port 8000"'),
        (None, "pi", "81", '--camera pi --port 81"'),
        ("--port 80 --host 10.0.0.7 --captive", "pi", "", '--port 80 --host 10.0.0.7 --captive --camera pi"'),
        ("--camera usb --port=80 --lang de", "pi", "", '--port=80 --lang de --camera pi"'),
        ("--camera=usb --port 80 --captive", "", "8000", '--camera=usb --captive --port 8000"'),
        ("--https-port 8443 --camera usb", "none", "", '--https-port 8443 --camera none"'),
        ("--camera usb", "", "", '--camera usb"'),
    ],
)
def test_installing_again_keeps_all_that_is_not_named_anew(
    tmp_path: Path, before: str | None, camera: str, port: str, after: str
) -> None:
    # given the options of an installation, or none
    file = tmp_path / "etc" / "default" / "companion"
    if before is not None:
        file.parent.mkdir(parents=True)
        file.write_text(f'# mine\nLANG=C.UTF-8\nCOMPANION_ARGS="{before}"\n', encoding="utf-8")

    shell(tmp_path, "bash", "-euc", f'. ./versions.sh; keep_options "{camera}" "{port}"')

    *others, arguments = file.read_text(encoding="utf-8").splitlines()
    assert arguments == f'COMPANION_ARGS="{after}'
    if before is not None:
        assert others == ["# mine", "LANG=C.UTF-8"]


@pytest.mark.parametrize(
    "options",
    [
        "COMPANION_ARGS='--backups \"/media/my stick\"'\n",
        "COMPANION_ARGS=\"--backups '/media/my stick' --port 80\"\n",
        "COMPANION_ARGS=--port 8000 \\\n--camera pi\n",
    ],
)
@pytest.mark.parametrize("change", ["./hotspot on", "./hotspot off", ". ./versions.sh; keep_options pi 81"])
def test_options_that_a_script_cannot_write_stay_as_somebody_wrote_them(
    tmp_path: Path, options: str, change: str
) -> None:
    file = tmp_path / "etc" / "default" / "companion"
    file.parent.mkdir(parents=True)
    file.write_text(options, encoding="utf-8")
    (tmp_path / "nmcli").write_text(NMCLI, encoding="utf-8")
    (tmp_path / "nmcli").chmod(0o755)

    environment = {**os.environ, "COMPANION_ROOT": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = ["bash", "-c", change]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, cwd=ROOT / "deploy")

    assert (done.returncode, "change it by hand" in done.stderr) == (1, True), done.stderr
    assert file.read_text(encoding="utf-8") == options
    assert not (tmp_path / "received").exists()


def test_a_camera_with_a_password_is_kept_for_root_alone_and_off_the_command_line(tmp_path: Path) -> None:
    # given an installation whose camera has no password
    file = tmp_path / "etc" / "default" / "companion"
    file.parent.mkdir(parents=True)
    file.write_text('# mine\nCOMPANION_ARGS="--camera usb --port 80"\n', encoding="utf-8")
    choose = '. ./versions.sh; keep_options "{}" ""'

    # when it gets one with a password, and then another
    for address in ("http://ada:secret@10.0.0.9/", "http://ada:other@10.0.0.9/"):
        shell(tmp_path, "bash", "-euc", choose.format(address))

    # then the password is no word of the command, and nobody else reads the file
    kept = f'# mine\nCOMPANION_CAMERA="{address}"\nCOMPANION_ARGS="--port 80"\n'
    assert file.read_text(encoding="utf-8") == kept
    assert file.stat().st_mode & 0o777 == 0o600

    # and it goes with its camera
    shell(tmp_path, "bash", "-euc", choose.format("pi"))
    assert file.read_text(encoding="utf-8") == '# mine\nCOMPANION_ARGS="--port 80 --camera pi"\n'


@pytest.mark.parametrize("words", [(), ("--with-data",)], ids=["games stay", "with data"])
@pytest.mark.parametrize(("was_on", "code"), [(True, 10), (True, 8), (False, 8)])
def test_uninstalling_switches_its_wifi_off_and_says_where_networkmanager_did_not(
    tmp_path: Path, words: tuple[str, ...], was_on: bool, code: int
) -> None:
    # given a program whose Wi-Fi was on or not, and a NetworkManager that finds none (10) or does not run (8)
    program = tmp_path / "nmcli"
    program.write_text(f"{NMCLI}exit {code}\n", encoding="utf-8")
    program.chmod(0o755)
    names = tmp_path / "etc" / "NetworkManager" / "dnsmasq-shared.d" / "companion.conf"
    (tmp_path / "opt" / "companion").mkdir(parents=True)
    if was_on:
        names.parent.mkdir(parents=True)
        names.touch()
    environment = {**os.environ, "COMPANION_ROOT": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    # when it is uninstalled
    command = ["./uninstall", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT / "deploy")

    # then its Wi-Fi is gone, or that it is left is said
    is_left = was_on and code == 8
    assert (done.returncode, "only its Wi-Fi is left" in done.stderr) == (int(is_left), is_left), done.stderr
    assert (tmp_path / "received").exists() == was_on
    assert "there was nothing" not in done.stdout
    assert not names.exists() or is_left


def test_a_user_whose_session_ends_later_is_removed_all_the_same(tmp_path: Path) -> None:
    machine = """
        id() { [ ! -e gone ]; }; loginctl() { return 1; }; sleep() { :; }
        userdel() { echo "$1" >>tried; [ "$(wc -l <tried)" -lt 3 ] || touch gone; [ -e gone ]; }
    """
    command = ["bash", "-euc", f". {ROOT}/deploy/versions.sh; {machine} remove_user companion-screen"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "tried").read_text(encoding="utf-8") == "companion-screen\n" * 3


def test_uninstalling_with_data_leaves_nothing_of_hotspot_and_kiosk(tmp_path: Path) -> None:
    # given a machine on which everything was switched on, and a file of somebody else beside each of ours
    program = tmp_path / "nmcli"
    program.write_text(NMCLI, encoding="utf-8")
    program.chmod(0o755)
    ours = [
        "opt/companion/current/run",
        "var/lib/companion/journal.sqlite",
        "var/lib/companion-screen/.config/chromium/state",
        "etc/default/companion",
        "etc/NetworkManager/dnsmasq-shared.d/companion.conf",
        "usr/local/bin/companion",
        *(f"etc/systemd/system/companion{name}.service" for name in ("", "-return", "-kiosk")),
    ]
    for name in ours:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("ours", encoding="utf-8")
        (tmp_path / Path(name).parent.parent / "other").write_text("not ours", encoding="utf-8")

    # when it is uninstalled with its data
    assert shell(tmp_path, "./uninstall", "--with-data") == "uninstall: gone, with every game"

    # then nothing of it is left, and the Wi-Fi is forgotten
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in left if "companion" in name and not name.endswith("other")} == set()
    assert "connection delete companion-hotspot" in (tmp_path / "received").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["companion-kiosk", "companion-return"])
def test_the_other_units_are_closed_like_the_main_one(name: str) -> None:
    main, other = (
        set((ROOT / "deploy" / f"{unit}.service").read_text(encoding="utf-8").splitlines())
        for unit in ("companion", name)
    )
    closed = {line for line in main if line.startswith(("Protect", "NoNew", "PrivateTmp", "Lock", "Restrict"))}
    needed = {"ProtectProc=invisible", "ProcSubset=pid", "RestrictNamespaces=yes"}
    assert {line for line in closed if not line.startswith("ProcSubset")} - needed <= other
    assert any(line.startswith("CapabilityBoundingSet=") for line in other)
    assert any(line.startswith("SystemCallFilter=") for line in other)
