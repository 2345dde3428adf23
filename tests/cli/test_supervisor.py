"""The supervisor of a hall, with small programs in place of its processes."""

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.cli import supervisor
from companion.cli.supervisor import HealthCheck, Part, Supervisor
from tests.extent import by_night
from tests.waiting import until

SLEEP = "exec sleep 1000"
LISTENER = """
import os, socket, sys, time
path, started, deaf_after, _, ready = sys.argv[1:]
with open(started, "a") as file:
    file.write(f"{os.getpid()}\\n")
with open(started) as file:
    is_deaf = len(file.readlines()) == int(deaf_after)
if os.path.exists(path):
    os.unlink(path)
listening = socket.socket(socket.AF_UNIX)
listening.bind(path)
listening.listen()
os.write(int(ready), b"!")
while is_deaf:
    time.sleep(1)
while True:
    line, _ = listening.accept()
    line.recv(1000)
    with open(path + ".asked", "a") as file:
        file.write("?")
    folder, name = os.path.split(path)
    try:
        with open(os.path.join(folder, "serving")) as file:
            is_ready = name in file.read().split()
    except OSError:
        is_ready = False
    line.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n" if is_ready else b"HTTP/1.0 503 Service Unavailable\\r\\n\\r\\n")
    line.close()
"""
"""A program that answers on its socket: that it is ready where the file ``serving`` beside it has its name, else that
it is not; at its start of a given number it answers nothing."""


@pytest.fixture(autouse=True)
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the small programs count no lines: they have to be ready at once."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


def is_running(pid: int) -> bool:
    """Return whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("fault", ["exit 1", *by_night(SLEEP)], ids=["ends", "never becomes ready"])
def test_a_gateway_that_cannot_be_replaced_stays_and_is_watched(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a gateway whose second start fails
    monkeypatch.setattr(supervisor, "START_S", 3.0 if fault == SLEEP else supervisor.START_S)
    started = tmp_path / "started"
    program = f"echo $$ >> {started}; [ $(wc -l < {started}) = 2 ] && {{ {fault}; }}; echo > /proc/self/fd/$2; {SLEEP}"
    gateway = Part("gateway", ("sh", "-c", program, "gateway"))
    worker = Part("worker-1", ("sh", "-c", f"echo > /proc/self/fd/$2; {SLEEP}", "worker-1"))
    proxy = Part("haproxy", ("sleep", "1000"), tells_ready=False)

    def pids() -> list[int]:
        return [int(line) for line in started.read_text().split()]

    def replace_and_kill() -> None:
        try:
            # when all are replaced, then the gateway of before goes on, and the new one is gone
            first, process = pids()[0], gateway.process
            os.kill(os.getpid(), signal.SIGHUP)
            until(lambda: len(pids()) == 2 and not is_running(pids()[1]))
            until(lambda: gateway.process is process and gateway.is_ready)
            assert is_running(first)

            # and it is started again when it dies
            os.kill(first, signal.SIGKILL)
            until(lambda: len(pids()) == 3 and gateway.is_ready)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with ThreadPoolExecutor(1) as pool:
        done: list[Future[None]] = []
        Supervisor([worker], gateway, proxy, os.environ).run(lambda: done.append(pool.submit(replace_and_kill)))
        done[0].result()

    # and none is left in the end
    assert not [pid for pid in pids() if is_running(pid)]


def listening_part(name: str, folder: Path, deaf_after: int = 0) -> Part:
    path = folder / name
    words = (str(path), str(folder / f"{name}.started"), str(deaf_after))
    return Part(name, (sys.executable, "-c", LISTENER, *words), health=HealthCheck(path))


def pids_of(name: str, folder: Path) -> list[int]:
    try:
        return [int(line) for line in (folder / f"{name}.started").read_text().split()]
    except OSError:
        return []


def supervise(folder: Path, parts: list[Part], act: Callable[[], None], proxy: Part | None = None) -> None:
    """Run parts, a gateway and a proxy for the length of an act in a thread of its own; leave none behind."""
    if proxy is None:
        proxy = Part("haproxy", ("sleep", "1000"), tells_ready=False)

    def act_and_stop() -> None:
        try:
            act()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with ThreadPoolExecutor(1) as pool:
        done: list[Future[None]] = []
        gateway = listening_part("gateway", folder)
        Supervisor(parts, gateway, proxy, os.environ).run(lambda: done.append(pool.submit(act_and_stop)))
        done[0].result()
    assert not [pid for part in (*parts, gateway) for pid in pids_of(part.name, folder) if is_running(pid)]


@pytest.mark.parametrize("name", ["gateway", *by_night("worker-1")])
def test_a_process_that_answers_nothing_is_replaced_and_the_others_stay(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given processes that answer, if only that they are not ready
    monkeypatch.setattr(supervisor, "HANG_S", 1.5)
    monkeypatch.setattr(supervisor, "ASK_S", 0.1)
    parts = [listening_part("worker-1", tmp_path), listening_part("worker-2", tmp_path)]

    def stop_one() -> None:
        until(lambda: all(part.answers for part in parts))

        # when one of them is stopped, then it is killed, and another one answers in its place
        (stopped,) = pids_of(name, tmp_path)
        os.kill(stopped, signal.SIGSTOP)
        until(lambda: len(pids_of(name, tmp_path)) == 2 and not is_running(stopped))
        until(lambda: all(part.answers for part in parts))
        assert [len(pids_of(other, tmp_path)) for other in {"worker-1", "worker-2", "gateway"} - {name}] == [1, 1]

    supervise(tmp_path, parts, stop_one)


def test_a_proxy_that_answers_nothing_is_replaced_also_while_no_worker_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a proxy that says that it is well, and workers that never become so
    monkeypatch.setattr(supervisor, "HANG_S", 1.5)
    monkeypatch.setattr(supervisor, "UNREADY_S", 1.0)
    monkeypatch.setattr(supervisor, "ASK_S", 0.1)
    (tmp_path / "serving").write_text("haproxy")
    proxy, workers = listening_part("haproxy", tmp_path), [listening_part("worker-1", tmp_path)]

    def stop_it() -> None:
        until(lambda: proxy.answers)
        (stopped,) = pids_of("haproxy", tmp_path)

        # when it is stopped, then it is killed, and another one answers in its place
        os.kill(stopped, signal.SIGSTOP)
        until(lambda: len(pids_of("haproxy", tmp_path)) == 2 and not is_running(stopped))
        until(lambda: proxy.answers)

        # and that it is well alone ends no worker
        asked = count_asked("worker-1", tmp_path)
        until(lambda: count_asked("worker-1", tmp_path) > asked + 12)
        assert len(pids_of("worker-1", tmp_path)) == 1

    supervise(tmp_path, workers, stop_it, proxy)


def test_of_processes_that_answer_nothing_at_the_same_time_one_is_killed_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given two processes that do not become ready when they are started again
    monkeypatch.setattr(supervisor, "HANG_S", 1.5)
    monkeypatch.setattr(supervisor, "ASK_S", 0.1)
    parts = [listening_part("worker-1", tmp_path), listening_part("worker-2", tmp_path)]

    def stop_both() -> None:
        until(lambda: all(part.answers for part in parts))
        stopped = {part.name: pids_of(part.name, tmp_path)[0] for part in parts}
        programs = {part.name: part.command for part in parts}
        for part in parts:
            part.command = ("sh", "-c", SLEEP)

        # when both are stopped, then one is left alone
        for pid in stopped.values():
            os.kill(pid, signal.SIGSTOP)
        until(lambda: not all(is_running(pid) for pid in stopped.values()))
        killed, left = sorted(parts, key=lambda part: is_running(stopped[part.name]))
        until(lambda: left.health is not None and left.health.silent_s > 3 * supervisor.HANG_S)
        assert is_running(stopped[left.name])

        # until the other is there again
        for part in parts:
            part.command = programs[part.name]
        killed.send(signal.SIGKILL)
        until(lambda: not is_running(stopped[left.name]) and all(part.answers for part in parts))

    supervise(tmp_path, parts, stop_both)


@pytest.mark.nightly
def test_a_process_that_becomes_ready_and_answers_nothing_ends_the_replacing_and_is_replaced_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # given a worker whose second start answers nothing
    monkeypatch.setattr(supervisor, "START_S", 8.0)
    monkeypatch.setattr(supervisor, "HANG_S", 5.0)
    parts = [listening_part("worker-1", tmp_path, deaf_after=2), listening_part("worker-2", tmp_path)]

    def replace() -> None:
        until(lambda: all(part.answers for part in parts))
        os.kill(os.getpid(), signal.SIGHUP)

        # then it is told, no other one is ended, and the third start answers
        until(lambda: len(pids_of("worker-1", tmp_path)) == 3 and all(part.answers for part in parts))
        assert "worker-1 could not be started; the others stay as they are" in caplog.text
        assert len(pids_of("worker-2", tmp_path)) == 1

    supervise(tmp_path, parts, replace)


def count_asked(name: str, folder: Path) -> int:
    """Return how often a process was asked whether it is ready."""
    try:
        return (folder / f"{name}.asked").stat().st_size
    except OSError:
        return 0


@pytest.mark.parametrize("name", ["gateway", *by_night("worker-1")])
def test_a_process_that_is_not_ready_is_replaced_as_soon_as_others_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given processes of which none is ready, as while the database is away
    monkeypatch.setattr(supervisor, "UNREADY_S", 1.0)
    monkeypatch.setattr(supervisor, "ASK_S", 0.1)
    parts = [listening_part("worker-1", tmp_path), listening_part("worker-2", tmp_path)]
    names = ("worker-1", "worker-2", "gateway")
    others = [other for other in names if other != name]

    def let_others_be_ready() -> None:
        # then none is killed, also when each was asked for longer than that
        until(lambda: all(count_asked(other, tmp_path) >= 12 for other in names))
        assert [len(pids_of(other, tmp_path)) for other in names] == [1, 1, 1]

        # when all but one are ready, then that one is killed, and another one is started in its place
        (left,) = pids_of(name, tmp_path)
        (tmp_path / "serving").write_text(" ".join(others))
        until(lambda: len(pids_of(name, tmp_path)) > 1 and not is_running(left))

        # and the others stay
        (tmp_path / "serving").write_text(" ".join(names))
        until(lambda: all(part.answers for part in parts))
        assert [len(pids_of(other, tmp_path)) for other in others] == [1, 1]

    supervise(tmp_path, parts, let_others_be_ready)


def test_a_process_for_which_there_is_no_room_ends_no_hall(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a worker that cannot be started, as where handles or memory have run out
    monkeypatch.setattr(supervisor, "PATIENCE_S", 0.5)
    program = tmp_path / "program"
    impossible = Part("worker-2", (str(program),), tells_ready=False)

    def go_on() -> None:
        # then the others serve, and it is started as soon as it can be
        assert "worker-2 cannot be started" in caplog.text
        program.write_text(f"#!/bin/sh\n{SLEEP}\n")
        program.chmod(0o755)
        until(lambda: impossible.process is not None)

    supervise(tmp_path, [listening_part("worker-1", tmp_path), impossible], go_on)
