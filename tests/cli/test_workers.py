"""Several processes, a gateway and a proxy: a page by one is woken by a command through another, whoever dies."""

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from companion.adapters.journal.postgres import PostgresJournal
from companion.bootstrap import load_games, open_tables
from companion.bootstrap.games import find_games
from companion.service.table.table import Request
from tests.cli.conftest import Run
from tests.cli.halls import GIFT, Hall, following, running_hall
from tests.cli.running import companion, only_line
from tests.cli.test_supervisor import is_running
from tests.postgres import running_cluster
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def database_of_hall() -> Iterator[str]:
    with running_cluster() as cluster:
        yield cluster.address("postgres", "admin")


@pytest.fixture(scope="module")
def folder_of_hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hall")


@pytest.fixture(scope="module")
def hall(database_of_hall: str, folder_of_hall: Path) -> Iterator[Hall]:
    with running_hall(folder_of_hall, database_of_hall) as running:
        yield running


@dataclass(frozen=True)
class Restarted:
    """A hall that was started again after its supervisor was killed, and what had been acknowledged before."""

    hall: Hall
    table: str
    number: int
    left: list[int]


@pytest.fixture(scope="module")
def restarted(hall: Hall, folder_of_hall: Path, database_of_hall: str) -> Iterator[Restarted]:
    until(lambda: len(hall.processes) == 4)  # some were killed before
    table = hall.begin_table()
    number = hall.give(table, 1, "acknowledged")
    pids = [process.pid for process in hall.processes.values()]
    hall.serving.kill()
    with suppress(AssertionError):
        until(lambda: not any(map(is_running, pids)))
    left = [pid for pid in pids if is_running(pid)]
    with running_hall(folder_of_hall, database_of_hall) as again:
        yield Restarted(again, table, number, left)


def test_a_page_is_woken_by_a_command_through_any_process_and_none_answers_from_before_it(hall: Hall) -> None:
    # given pages at tables that are held by both workers
    tables = [hall.begin_table() for _ in range(4)]
    with following(hall.serving, *tables) as pages:
        # when commands are given at all of them
        numbers = [hall.give(table, 1, f"first-{table}") for table in tables]

        # then each page is told, and either worker shows what it was told of
        assert numbers == [2] * 4
        until(lambda: all(page.version == 2 for page in pages))
        for worker in ("worker-1", "worker-2"):
            shown = [hall.ask_worker(worker, f"/api/v1/tables/{table}?at=2")["version"] for table in tables]
            assert shown == [2] * 4
        assert [page.streams for page in pages] == [1] * 4
    assert hall.measure("gateway", "events_sent_total") >= 4
    assert sum(hall.measure(worker, "tables_held") for worker in ("worker-1", "worker-2")) >= 8


def test_a_worker_that_is_killed_costs_no_command_and_no_page_its_stream(hall: Hall) -> None:
    # given pages at tables of both workers
    tables = [hall.begin_table() for _ in range(4)]
    with following(hall.serving, *tables) as pages:
        # when one is killed, then the next commands go to the other at once, and the pages are told
        killed, stirred = hall.processes["worker-1"], [page.stirred for page in pages]
        killed.signal(signal.SIGKILL)
        assert [hall.give(table, 1, f"killed-{table}") for table in tables] == [2] * 4
        until(lambda: all(page.version == 2 for page in pages))
        assert [page.streams for page in pages] == [1] * 4

        # and it is started again, and pages ask for what ended with it: questions, proposals, ticks
        until(lambda: hall.processes.get("worker-1", killed) != killed)
        until(lambda: all(page.stirred > before for page, before in zip(pages, stirred, strict=True)))


@pytest.mark.parametrize("name", ["gateway", "haproxy"])
def test_pages_come_back_by_themselves_when_what_carries_their_streams_is_killed(hall: Hall, name: str) -> None:
    table = hall.begin_table()
    with following(hall.serving, table) as (page,):
        hall.processes[name].signal(signal.SIGKILL)
        until(lambda: page.streams == 2)
        hall.give(table, 1, f"after-{name}-{table}")
        until(lambda: page.version == 2)
        assert page.refusals == []


def test_what_a_process_did_not_live_to_tell_is_told_within_seconds(hall: Hall, database_of_hall: str) -> None:
    # given a process that dies between its commit and its bell
    table = hall.begin_table()
    late = hall.measure("gateway", "bell_late_total")
    journal = PostgresJournal(database_of_hall, None)
    try:
        with following(hall.serving, table) as (page,):
            tables = open_tables(load_games(find_games(), None), journal)
            tables.get(table).submit(Request({**GIFT, "reason": "untold"}, "banker", "tap"))

            # then the page is told all the same, and it is counted
            until(lambda: page.version == 2)
            until(lambda: hall.measure("gateway", "bell_late_total") > late)
            assert page.streams == 1
    finally:
        journal.close()


def test_a_login_that_has_ended_follows_no_table_any_more(hall: Hall) -> None:
    # given a guest who follows a table
    table = hall.begin_table()
    invitation = hall.serving.ask(f"/api/v1/tables/{table}/invitations", {"player": "blue"})["token"]
    phone = replace(hall.serving, token=hall.serving.ask("/api/v1/logins", {"join": invitation})["token"])
    with following(phone, table) as (page,):
        guests = partial(hall.serving.ask, f"/api/v1/tables/{table}/guests")
        until(lambda: guests()["guests"])
        (guest,) = guests()["guests"]

        # when the banker logs them out, then their stream ends, and is not given again
        hall.serving.delete(f"/api/v1/tables/{table}/guests/{guest['device']}")
        until(lambda: 401 in page.refusals)
        assert page.streams == 1


def test_pages_know_who_asks_them_and_nobody_else_can_say_so(hall: Hall) -> None:
    # given somebody who says to be somebody else, and to have come by HTTPS
    request = urllib.request.Request(f"http://127.0.0.1:{hall.serving.port}/api/v1/logins", data=b'{"pin": "00000000"}')
    request.add_header("Content-Type", "application/json")
    for name, value in {"For": "10.9.9.9", "Proto": "https"}.items():
        request.add_header(f"X-Forwarded-{name}", value)
    request.add_header("X-Companion-At", "10.9.9.9:1")
    request.add_header("Host", "10.9.9.9:1")

    # then the app is not called so
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as answer:
        assert answer.code == 421
        assert f":{hall.serving.port}/ instead" in answer.read().decode()


@pytest.mark.nightly
def test_all_processes_are_replaced_without_a_refusal_and_without_a_page_behind(hall: Hall) -> None:
    # given pages and a table that is played on
    tables = [hall.begin_table() for _ in range(4)]
    before = {name: process.pid for name, process in hall.processes.items()}
    with following(hall.serving, *tables) as pages:
        hall.serving.process.send_signal(signal.SIGHUP)
        given = 1
        while not any("all processes are replaced" in line for line in hall.serving.printed):
            for table in tables:
                assert hall.give(table, given, f"{given}-{table}") == given + 1
            given += 1

        # then every command was taken, no page is behind, and all but the proxy are other processes
        until(lambda: all(page.version == given for page in pages), lambda: str([page.version for page in pages]))
        assert [page.refusals for page in pages] == [[]] * 4
        after = {name: process.pid for name, process in hall.processes.items()}
        assert {name for name in before if after[name] == before[name]} == {"haproxy"}


@pytest.mark.nightly
@pytest.mark.parametrize("is_rolled", [False, True], ids=["while serving", "while all are replaced"])
def test_a_worker_that_answers_nothing_is_replaced_and_no_command_is_lost(*, is_rolled: bool, hall: Hall) -> None:
    # given pages at tables of both workers, and a worker that is stopped
    tables = [hall.begin_table() for _ in range(4)]
    stopped = hall.processes["worker-1"]
    with following(hall.serving, *tables) as pages, ThreadPoolExecutor(4) as pool:
        stopped.signal(signal.SIGSTOP)
        if is_rolled:
            hall.serving.process.send_signal(signal.SIGHUP)

        # when commands are sent to all tables, then each is taken, once, and the next one too
        first = list(pool.map(lambda table: hall.give(table, 1, f"first-{table}"), tables))
        again = list(pool.map(lambda table: hall.give(table, 1, f"first-{table}"), tables))
        second = list(pool.map(lambda table: hall.give(table, 2, f"second-{table}"), tables))
        assert (first, again, second) == ([2] * 4, [2] * 4, [3] * 4)

        # and every page is told, on the stream that it had, or came back to when the gateway was replaced
        until(lambda: all(page.version == 3 for page in pages))

    # and another process is there in place of the one that was stopped
    until(lambda: hall.processes.get("worker-1", stopped) != stopped)
    assert not Path(f"/proc/{stopped.pid}").exists()

    def answers() -> bool:
        try:
            return bool(hall.ask_worker("worker-1", f"/api/v1/tables/{tables[0]}?at=3")["version"] == 3)
        except OSError:  # it does not listen yet
            return False

    until(answers)
    assert is_rolled or any("worker-1 answers nothing; it is killed" in line for line in hall.serving.printed)


@pytest.mark.parametrize(
    ("options", "why"),
    [((), "needs --database"), (("--camera", "sim"), "without a camera"), (("--https",), "certificate of your own")],
)
def test_what_a_hall_has_not_is_told_in_one_line(options: tuple[str, ...], why: str, run: Run, tmp_path: Path) -> None:
    database = () if not options else ("--database", "postgresql://nowhere.invalid/none")
    assert why in only_line(run("serve", "--data", tmp_path, "--workers", "2", *database, *options))


def test_a_database_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    ended = companion(
        *("serve", "--data", tmp_path, "--port", "0", "--workers", "1"),
        *("--database", "postgresql://nobody@127.0.0.1:9/none"),
    )
    assert ended.code == 2
    assert any("the database cannot be used" in line for line in ended.err)
    assert not any("Traceback" in line for line in ended.err)


def test_a_machine_without_a_proxy_is_told_what_to_install(tmp_path: Path) -> None:
    program = (
        "import companion.cli.workers as workers, companion.cli as cli, sys;"
        "workers.find_haproxy = lambda: None;"
        "sys.argv[1:] = ['serve', '--data', sys.argv[1], '--database', 'postgresql:///none', '--workers', '2'];"
        "cli.main()"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "apt install haproxy" in ended.stderr


def test_a_hall_whose_supervisor_was_killed_starts_again_with_what_was_acknowledged(restarted: Restarted) -> None:
    # given a hall that was killed: all its processes have ended with it
    assert restarted.left == []

    # when it is started again, then what was acknowledged is there, and counts once
    hall, table = restarted.hall, restarted.table
    assert hall.give(table, 1, "acknowledged") == restarted.number
    entries = hall.serving.ask(f"/api/v1/tables/{table}/journal")["entries"]
    assert [entry["seq"] for entry in entries] == [1, restarted.number]
    assert hall.give(table, restarted.number, "next") == restarted.number + 1


def test_all_processes_end_together(hall: Hall, restarted: Restarted) -> None:
    until(lambda: len(restarted.hall.processes) == 4)
    pids = [process.pid for process in restarted.hall.processes.values()]
    code, _ = restarted.hall.serving.stop()
    assert code == 0
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    printed = [*hall.serving.printed, *restarted.hall.serving.printed]
    assert not [line for line in printed if "Traceback" in line]
