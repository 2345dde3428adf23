"""A hall with more processes than its database has connections for says so at the start."""

import logging
import re
from pathlib import Path

import psycopg
import pytest

from companion.bootstrap.hall import open_gateway
from companion.config import DataFolder


def test_more_processes_than_the_database_has_connections_for_are_told_in_one_line(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given how many connections a server has for roles like ours
    with psycopg.connect(database) as connection:
        there, reserved = (
            int(connection.execute(f"SHOW {name}".encode()).fetchall()[0][0])
            for name in ("max_connections", "superuser_reserved_connections")
        )
    enough = (there - reserved) // 9

    # when a hall begins whose processes need all of them, and one with another process
    said: list[list[str]] = []
    for processes in (enough, enough + 1):
        with caplog.at_level(logging.WARNING, "companion"):
            open_gateway(DataFolder(tmp_path), database, processes).close()
        said.append([record.getMessage() for record in caplog.records if "max_connections" in record.getMessage()])
        caplog.clear()

    # then the second says what is missing
    assert said[0] == []
    (line,) = said[1]
    named = [int(number) for number in re.findall(r"\d+", line)]
    assert named == [enough + 1, 9 * (enough + 1), there - reserved, 9 * (enough + 1) - (there - reserved)]
