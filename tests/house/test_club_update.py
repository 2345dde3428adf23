"""A hall is changed over to another version while people play, with real processes on a root of the test's own."""

import configparser
import http.client
import json
import re
import shutil
import subprocess
import sys
import threading
import urllib.error
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.proxy import find_haproxy
from tests.cli.halls import GIFT
from tests.cli.running import START, load_commands
from tests.house.test_update import BROKEN, Machine, furnish, version
from tests.postgres import find_programs
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "deploy" / "club" / "companion-club.service"
MOST_EXPOSED = 2.2


@dataclass
class Writer:
    """Somebody who plays on at one table, and repeats what is not answered with its key."""

    machine: Machine
    token: str
    table: str
    acknowledged: dict[str, int] = field(default_factory=dict[str, int])
    refusals: list[str] = field(default_factory=list[str])
    over: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            key = f"{self.table}-{number}"
            while key not in self.acknowledged and not self.over.is_set():
                try:
                    path, seen = (
                        f"/api/v1/tables/{self.table}/commands",
                        {"Idempotency_Key": key, "If_Match": str(number)},
                    )
                    answer = self.machine.ask(path, {**GIFT, "reason": key}, self.token, **seen)
                except urllib.error.HTTPError as error:
                    self.refusals.append(f"{error.code} {error.read().decode()}")
                    self.over.wait(0.05)
                except (OSError, http.client.HTTPException, ValueError):
                    self.over.wait(0.05)
                else:
                    self.acknowledged[key] = answer["seq"]


@dataclass(frozen=True)
class ClubMachine(Machine):
    """A folder that stands for a whole machine, on which a hall runs."""

    patience_s: int = 200
    database: str = ""

    def update(self, version: Path, *more: str) -> tuple[int, str]:
        return self.run(ROOT / "deploy" / "club" / "update", version, *more)

    def served_version(self) -> str:
        return str(self.ask("/api/v1/openapi.json")["info"]["version"])

    @contextmanager
    def played_at(self, tables: int = 2) -> Generator[list[Writer], None, None]:
        """Play at new tables for the block; afterwards compare what was acknowledged with what is stored."""
        token = str(self.ask("/api/v1/logins", {"pin": "471100"})["token"])
        writers = [Writer(self, token, self.ask("/api/v1/tables", START, token)["id"]) for _ in range(tables)]
        threads = [threading.Thread(target=writer.play) for writer in writers]
        for thread in threads:
            thread.start()
        try:
            until(lambda: all(writer.acknowledged for writer in writers), lambda: writers[0].refusals[-1:])
            yield writers
            before = [len(writer.acknowledged) for writer in writers]
            until(lambda: all(len(w.acknowledged) > n for w, n in zip(writers, before, strict=True)))
        finally:
            for writer in writers:
                writer.over.set()
            for thread in threads:
                thread.join()
        journal = PostgresJournal(self.database, None)
        for writer in writers:
            stored = [str(entry.key).removeprefix("banker:") for entry in journal.entries(writer.table)][1:]
            assert stored == list(writer.acknowledged), "nothing is lost, nothing is there twice"
        journal.close()


@pytest.fixture
def machine(tmp_path: Path, database: str) -> Iterator[ClubMachine]:
    """A machine on which version 1 serves a hall."""
    if find_haproxy() is None:
        pytest.skip("no haproxy here: apt install haproxy")
    root = tmp_path / "machine"
    options = f'COMPANION_DATABASE="{database}"\nCOMPANION_ARGS="--host 127.0.0.1 --port {{port}} --workers 2"\n'
    port = furnish(root, "hall", "requirements-hall.lock", options)
    made = ClubMachine(root, port, database=database)
    service = f". {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; export_database; "
    made.run("bash", "-c", service + 'program_of 1-old pin 471100 --data "$data"; start_service')
    try:
        made.wait()
        yield made
    finally:
        made.run("bash", "-c", service + "stop_service")


def add_to_schema(program: Path, kind: str, change: str) -> None:
    """Add a migration to the schema that a version of the program brings."""
    schema = program / "companion" / "adapters" / "journal" / "postgres.sql"
    with schema.open("a", encoding="utf-8") as file:
        file.write(f"\n--- 999 {kind}: another shape\n\n{change};\n")


@pytest.mark.nightly
def test_a_hall_changes_over_while_people_play_and_nothing_is_lost_or_doubled(
    machine: ClubMachine, tmp_path: Path
) -> None:
    # given a version that adds to the schema, so that the old one serves over that for a while
    assert machine.served_version() == "1"
    new = version(tmp_path / "new", "2")
    add_to_schema(new, "additive", "ALTER TABLE heads ADD COLUMN of_tomorrow TEXT")
    with machine.played_at() as writers:
        code, said = machine.update(new)
        assert code == 0, said
        assert machine.running.startswith("2-")
        assert machine.served_version() == "2"
    assert "999: another shape" in said
    with psycopg.connect(machine.database) as connection:
        assert connection.execute("SELECT of_tomorrow FROM heads").fetchall()
    assert sum(len(writer.acknowledged) for writer in writers) > 10
    assert (machine.root / "var" / "lib" / "companion" / "before-update.dump").exists()
    assert "is the version that runs" in machine.update(tmp_path / "new")[1]


@pytest.mark.nightly
def test_a_version_that_does_not_come_up_is_returned_from_while_the_others_serve(
    machine: ClubMachine, tmp_path: Path
) -> None:
    bad = version(tmp_path / "bad", "3", companion__bootstrap__installation=BROKEN)
    with machine.played_at():
        code, said = machine.update(bad, "--no-backup")
        assert code == 1, said
        assert "1-old runs again" in said, said
    assert (machine.running, machine.served_version()) == ("1-old", "1")


@pytest.mark.nightly
def test_a_version_with_which_the_old_one_could_not_go_on_is_not_tried(machine: ClubMachine, tmp_path: Path) -> None:
    new = version(tmp_path / "new", "4")
    add_to_schema(new, "breaking", "ALTER TABLE heads RENAME COLUMN at TO moment")
    code, said = machine.update(new, "--no-backup")
    assert code == 1
    assert "an older version cannot go on with: another shape; nothing was changed" in said
    assert (machine.running, machine.served_version()) == ("1-old", "1")


@pytest.mark.nightly
def test_a_version_that_cannot_read_a_table_is_not_tried(machine: ClubMachine, tmp_path: Path) -> None:
    with machine.played_at(1):
        pass
    blind = "\n\ndef upcast_entry(codec: Codec, entry: Entry) -> Entry:\n    raise TornJournal(entry.seq)\n"
    new = version(tmp_path / "new", "5", companion__service__table__history=blind)
    code, said = machine.update(new, "--no-backup")
    assert code == 1
    assert re.search(r"5-\S+ cannot read 1 of the tables; 1-old goes on", said), said
    assert (machine.running, machine.served_version()) == ("1-old", "1")


@pytest.mark.nightly
def test_an_install_of_such_a_version_ends_the_old_one_and_dumps_the_database_first(
    machine: ClubMachine, tmp_path: Path
) -> None:
    # given tables of version 1, and a version with whose schema it cannot go on
    with machine.played_at(1) as writers:
        table = writers[0].table
    new = version(tmp_path / "new", "4")
    add_to_schema(new, "breaking", "ALTER TABLE heads ADD COLUMN moment TEXT")

    # when the schema is changed as by an install
    script = f". {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; export_database; make_version {new} 4-new; "
    code, said = machine.run("bash", "-euo", "pipefail", "-c", script + "change_schema 4-new 1-old")

    # then nobody serves meanwhile, and all tables are in a dump from before it
    assert code == 0, said
    assert "1-old ends for this update; the database is dumped" in said
    assert not (machine.home / ".pid").exists()
    dump = machine.root / "var" / "lib" / "companion" / "before-update.dump"
    programs = find_programs()
    assert programs is not None
    rows = subprocess.run([programs / "pg_restore", "-f", "-", dump], capture_output=True, text=True, check=True).stdout
    assert table in rows
    assert "moment" not in rows
    with psycopg.connect(machine.database) as connection:
        assert connection.execute("SELECT moment FROM heads").fetchall()


def section_of_unit(name: str) -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    unit.read(UNIT, encoding="utf-8")
    return unit[name]


def keep_choices(root: Path, port: str, workers: str) -> str:
    """Choose port and processes of a hall as the installer does, and return its options file."""
    script = f". {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; keep_choices '{port}' '{workers}'"
    assert ClubMachine(root, 0).run("bash", "-euo", "pipefail", "-c", script) == (0, "")
    return (root / "etc" / "default" / "companion").read_text()


def test_the_unit_of_a_hall_starts_a_command_that_exists_and_writes_only_its_state(tmp_path: Path) -> None:
    section = section_of_unit("Service")
    words = section["ExecStart"].split()
    options = {option for parameter in load_commands()[words[4]].params for option in parameter.opts}
    given = set(re.findall(r"--\w+", keep_choices(tmp_path, "", "")))
    assert given == {"--port", "--workers"}
    assert {word for word in words if word.startswith("--")} | given <= options
    assert (section["StateDirectory"], section["ProtectSystem"]) == ("companion", "strict")
    assert section["ExecReload"] == "/bin/kill -HUP $MAINPID"


def test_a_hall_is_tried_for_as_long_as_its_database_is_away_at_the_start() -> None:
    assert section_of_unit("Unit")["StartLimitIntervalSec"] == "0"
    assert section_of_unit("Service")["Restart"] == "on-failure"


def test_the_unit_of_a_hall_is_as_closed_as_its_proxy_lets_it() -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("needs systemd-analyze")
    judged = subprocess.run([analyze, "security", "--offline=true", UNIT], capture_output=True, text=True, check=True)
    exposure = re.search(r"exposure level for companion-club.service: ([0-9.]+)", judged.stdout)
    assert exposure is not None
    assert float(exposure[1]) <= MOST_EXPOSED


OF_A_TABLE = 'COMPANION_ARGS="--camera usb --port 8000"\n'
OF_A_HALL = 'COMPANION_DATABASE=postgresql://db.example/hall\nCOMPANION_ARGS="--port 8080 --workers 3"\n'
CHOICES = {
    "nothing was installed before": ("", "", "", ("postgresql:///companion", "80", "")),
    "a companion for one table was": (OF_A_TABLE, "", "", ("postgresql:///companion", "80", "")),
    "a hall was": (OF_A_HALL, "", "", ("postgresql://db.example/hall", "8080", "3")),
    "a hall was, and a port is named": (OF_A_HALL, "443", "", ("postgresql://db.example/hall", "443", "3")),
    "a hall was, and processes are named": (OF_A_HALL, "", "2", ("postgresql://db.example/hall", "8080", "2")),
}


@pytest.mark.parametrize("case", CHOICES)
def test_a_hall_is_started_as_one_whatever_was_installed_before(tmp_path: Path, case: str) -> None:
    # given the options of what was installed before
    before, port, workers, (address, used_port, used_workers) = CHOICES[case]
    choices = tmp_path / "etc" / "default" / "companion"
    if before:
        choices.parent.mkdir(parents=True)
        choices.write_text(before)

    # when a hall is installed
    kept = keep_choices(tmp_path, port, workers)

    # then its options name a database and several processes
    assert f"COMPANION_DATABASE={address}\n" in kept
    assert f'COMPANION_ARGS="--port {used_port} --workers {used_workers}' in kept
    assert re.search(r"--workers [1-8]\"$", kept, re.MULTILINE)


@pytest.mark.parametrize(
    ("port", "workers", "chosen"),
    [
        ("", "6", "--port 443 --workers 6"),
        ("8080", "", "--port 8080 --workers 4"),
        ("80", "2", "--port 80 --workers 2"),
    ],
)
def test_a_hall_that_is_installed_again_keeps_all_that_is_not_named_anew(
    tmp_path: Path, port: str, workers: str, chosen: str
) -> None:
    # given the options of a hall with more than the installer asks for
    lines = ["# ours", "COMPANION_DATABASE=postgresql://db.example/hall", "COMPANION_SECRET_FILE=/etc/companion/secret"]
    certificate = "--certificate /etc/ssl/hall.pem --key /etc/ssl/hall.key --known-as hall.example"
    choices = tmp_path / "etc" / "default" / "companion"
    choices.parent.mkdir(parents=True)
    choices.write_text("\n".join([*lines, f'COMPANION_ARGS="--port=443 {certificate} --workers 4"', ""]))

    # when it is installed with another port, or other processes, then all else is as it was
    kept = keep_choices(tmp_path, port, workers)
    assert kept.splitlines() == [*lines, f'COMPANION_ARGS="{certificate} {chosen}"']


def test_a_hall_of_one_core_has_two_processes_so_that_one_serves_while_the_other_is_replaced(tmp_path: Path) -> None:
    script = f"nproc() {{ echo 1; }}; . {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; keep_choices '' ''"
    assert ClubMachine(tmp_path, 0).run("bash", "-euo", "pipefail", "-c", script) == (0, "")
    assert '--workers 2"' in (tmp_path / "etc" / "default" / "companion").read_text()


MISSING = {
    "nothing is there": ((), "", ["postgresql", "postgresql-client", "haproxy"]),
    "the database's programs for clients are": (
        ("usr/lib/postgresql/15/bin/pg_dump",),
        "",
        ["postgresql", "haproxy"],
    ),
    "all is": (
        ("usr/lib/postgresql/15/bin/pg_dump", "usr/lib/postgresql/15/bin/postgres", "usr/sbin/haproxy"),
        "",
        [],
    ),
    "the database is another machine's": (
        ("usr/lib/postgresql/15/bin/pg_dump",),
        'COMPANION_DATABASE="postgresql://db.example/hall"\n',
        ["haproxy"],
    ),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_is_missing_is_installed(tmp_path: Path, case: str) -> None:
    there, options, missing = MISSING[case]
    for name in there:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch(mode=0o755)
    if options:
        (tmp_path / "etc" / "default").mkdir(parents=True)
        (tmp_path / "etc" / "default" / "companion").write_text(options)
    script = f". {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; list_missing"
    code, said = ClubMachine(tmp_path, 0).run("bash", "-euo", "pipefail", "-c", script)
    assert (code, said.split()) == (0, missing)


SCRIPT = f". {ROOT}/deploy/versions.sh; . {ROOT}/deploy/club/hall.sh; "


@pytest.mark.parametrize(("before", "after", "code"), [(0, 0, 0), (2, 2, 0), (3, 2, 0), (0, 2, 1), (1, 3, 1)])
def test_a_version_that_cannot_read_more_tables_than_the_old_one_is_refused(
    tmp_path: Path, before: int, after: int, code: int
) -> None:
    findings_of = {
        name: {"findings": [{"name": "database"}, *({"name": f"table {number}"} for number in range(torn))]}
        for name, torn in (("old", before), ("new", after))
    }
    for name, findings in findings_of.items():
        (tmp_path / name).write_text(json.dumps(findings), encoding="utf-8")
    doctor = f'hall_of() {{ cat "{tmp_path}/$1"; return 1; }}; me=club/update; '
    ended, said = ClubMachine(tmp_path, 0).run(
        "bash", "-euo", "pipefail", "-c", SCRIPT + doctor + "require_readable new old"
    )
    assert ended == code
    assert ("new cannot read 2 of the tables; old goes on" in said) == bool(code)


@pytest.mark.parametrize("has_said", [False, True])
def test_what_was_said_in_the_same_second_before_a_try_is_not_taken_for_its_result(
    tmp_path: Path, *, has_said: bool
) -> None:
    # given the journal of systemd, with the fault of the try before, or nothing yet
    journal = tmp_path / "journal"
    journal.write_text("worker-1 could not be started; the others stay as they are\n" if has_said else "")
    script = f"""
        has_systemd() {{ true; }}
        systemctl() {{ echo "all processes are replaced" >>"{journal}"; }}
        journalctl() {{
            case "$*" in
                *--show-cursor*) [ ! -s "{journal}" ] || echo "-- cursor: $(wc -l <"{journal}")" ;;
                *--after-cursor*) tail -n "+$((${{*: -1}} + 1))" "{journal}" ;;
                *--since*) cat "{journal}" ;;
            esac
        }}
    """

    # when the processes are replaced, then what counts is what is said from now on
    assert ClubMachine(tmp_path, 0).run("bash", "-euo", "pipefail", "-c", SCRIPT + script + "replace_processes 3") == (
        0,
        "",
    )


def lines_of_install(first: str, last: str) -> str:
    """Return the part of the installer between two of its lines, both included."""
    text = (ROOT / "deploy" / "club" / "install").read_text(encoding="utf-8")
    begin = text.index(first)
    return text[begin : text.index(last, begin) + len(last)]


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_the_installed_command_uses_the_database_of_the_options_however_it_is_written(
    tmp_path: Path, quote: str
) -> None:
    # given the command as it is installed, but that it only tells which database it would use
    options, wrapper = tmp_path / "options", tmp_path / "companion"
    options.write_text(f"COMPANION_DATABASE={quote}postgresql://db.example/hall{quote}\n")
    written = lines_of_install("cat >/usr/local/bin/companion.new", "\nWRAPPER\n")
    subprocess.run(["bash", "-c", written.replace("/usr/local/bin/companion.new", str(wrapper), 1)], check=True)
    read, _, _ = wrapper.read_text().replace("/etc/default/companion", str(options)).partition("exec setpriv")
    _, _, read = read.partition("here=")

    # when it is called
    script = f'here={read}\necho "$database"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)

    # then it is the one of the options
    assert done.stdout == "postgresql://db.example/hall\n"


def test_the_pin_is_told_also_where_the_log_has_no_address(tmp_path: Path) -> None:
    line = lines_of_install('journalctl -u "$unit" -o cat --since "-120s"', "\n")
    script = f"journalctl() {{ echo started; }}; unit=u; {line}\necho on"
    assert ClubMachine(tmp_path, 0).run("bash", "-euo", "pipefail", "-c", script) == (0, "on\n")


@pytest.mark.parametrize("script", ["install", "update", "uninstall"])
def test_a_script_refuses_a_word_that_it_does_not_know(script: str) -> None:
    done = subprocess.run(
        [ROOT / "deploy" / "club" / script, "--nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "unknown argument --nonsense" in done.stderr


def test_a_migration_is_told_of(database: str) -> None:
    command = [sys.executable, "-m", "companion", "migrate", "--database", database, "--rolling"]
    first, again = (subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT) for _ in range(2))
    assert first.stdout.startswith("1: tables, entries")
    assert again.stdout == ""


def test_uninstalling_with_data_says_where_the_games_of_another_database_still_are(tmp_path: Path) -> None:
    options = tmp_path / "etc" / "default" / "companion"
    options.parent.mkdir(parents=True)
    options.write_text("COMPANION_DATABASE=postgresql://db.example/hall\n", encoding="utf-8")
    code, said = ClubMachine(tmp_path, 0).run(ROOT / "deploy" / "club" / "uninstall", "--with-data")
    assert code == 0
    assert "the games are still in the database postgresql://db.example/hall" in said
    assert "with every game" not in said
    assert not options.exists()


def test_uninstalling_a_program_without_a_data_folder_says_where_the_games_are(tmp_path: Path) -> None:
    (tmp_path / "opt" / "companion").mkdir(parents=True)
    said = "club/uninstall: the program is gone; the games are in the database postgresql:///companion\n"
    assert ClubMachine(tmp_path, 0).run(ROOT / "deploy" / "club" / "uninstall") == (0, said)
