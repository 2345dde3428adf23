"""A system that gives few file handles: strangers may take none of those that a game needs."""

import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.running import START, serving
from tests.waiting import PATIENCE_S

FEW = 64
HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}


@pytest.mark.nightly
def test_with_64_handles_a_hundred_connections_keep_no_command_waiting(tmp_path: Path) -> None:
    # given a companion that may open 64 files, and a crowd that connects and says nothing
    with (
        ExitStack() as connections,
        serving(tmp_path / "data", wrapped=("sh", "-c", f'ulimit -n {FEW}; exec "$@"', "sh")) as running,
    ):
        running.log_in()
        table = running.ask("/api/v1/tables", START)["id"]
        for _ in range(100):
            connections.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE_S))

        # when the banker gives a command
        entry = running.ask(f"/api/v1/tables/{table}/commands", HIRE, If_Match="1")

        # then it is taken while they stay, and nothing is complained of
        assert entry["seq"] == 2
        assert not [line for line in running.printed if "Traceback" in line or "Too many" in line]
