"""``companion demo`` with pages: the bots play while people look on, and play along."""

import socket
import urllib.error
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.running import Serving, only_line, serving
from tests.waiting import until


def beyond(running: Serving, table: str, version: int) -> Any:
    """Wait until the game has gone on beyond a version, and give what is shown then."""
    until(lambda: running.ask(table)["version"] > version, lambda: running.printed)
    return running.ask(table)


@pytest.mark.nightly
def test_people_can_look_on_and_play_along(tmp_path: Path) -> None:
    with serving(tmp_path, "--speed", "100", "--players", "2", command="demo") as running:
        running.log_in()
        (begun,) = running.ask("/api/v1/tables")["tables"]
        table = f"/api/v1/tables/{begun['id']}"
        shown = beyond(running, table, 2)
        for _ in range(100):
            try:
                running.ask(f"{table}/commands", {"do": "undo"}, If_Match=str(shown["version"]))
                break
            except urllib.error.HTTPError as stale:
                stale.close()
                shown = running.ask(table)
        entries = beyond(running, table, shown["version"] + 3) and running.ask(f"{table}/journal")["entries"]

        assert running.stop() == (0, "")

    assert "undo" in [entry["command"]["do"] for entry in entries]
    assert {entry["source"] for entry in entries if entry["command"]["do"] == "hire_worker"} == {"camera"}
    assert not [line for line in running.printed if "Traceback" in line or "stopped" in line]


def test_a_port_that_is_taken_is_one_line(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "cannot be used" in only_line(run("demo", "--host", "127.0.0.1", "--port", port))
