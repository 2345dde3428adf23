"""The supervisor of a hall, with small programs in place of its processes."""

import os
import signal
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.cli import workers
from companion.cli.workers import Part, Supervisor
from tests.waiting import until

SLEEP = "exec sleep 1000"


def is_running(pid: int) -> bool:
    """Return whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("fault", ["exit 1", SLEEP], ids=["ends", "never becomes ready"])
def test_a_gateway_that_cannot_be_replaced_stays_and_is_watched(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a gateway whose second start fails
    monkeypatch.setattr(workers, "START_S", 0.5 if fault == SLEEP else workers.START_S)
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
