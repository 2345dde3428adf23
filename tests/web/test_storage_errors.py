"""A disk that takes no more is told apart from an error of the program, in the caller's language."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.keepsakes import SqliteKeepsakes
from companion.service.services import Services
from tests.web.conftest import HIRE


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The disk is full"), ("de", "Die Festplatte ist voll"), ("fr", "Le disque est plein")]
)
def test_on_a_full_disk_a_command_says_so_and_counts_once_there_is_room(
    banker: FlaskClient, table: str, journal: SqliteJournal, language: str, said: str
) -> None:
    # given a journal that can grow no more
    connection = journal._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    reason = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 1000, "reason": "x" * 290}

    # when somebody plays on until it is full
    version, headers, answer = 0, dict[str, str](), banker.get(table)
    while answer.status_code == 200:
        version += 1
        headers = {"If-Match": str(version), "Idempotency-Key": f"k{version}"}
        answer = banker.post(f"{table}/commands?lang={language}", json=reason, headers=headers)

    # then they are told, nothing has happened, and the same request counts when there is room
    problem = answer.get_json()
    assert (answer.status_code, problem["why"]) == (507, "full")
    assert said in problem["detail"]
    assert banker.get(table).get_json()["version"] == version
    connection.execute("PRAGMA max_page_count = 1000000")
    assert banker.post(f"{table}/commands?lang={language}", json=reason, headers=headers).status_code == 200


def test_a_journal_that_somebody_else_holds_asks_to_come_back(
    banker: FlaskClient, table: str, journal: SqliteJournal
) -> None:
    journal._connection.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    other.close()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert "journal is busy" in answer.get_json()["detail"]
    assert banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"}).status_code == 200


def test_a_journal_that_may_not_be_written_says_so(banker: FlaskClient, table: str, journal: SqliteJournal) -> None:
    journal._connection.execute("PRAGMA query_only = ON")
    answer = banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    assert (answer.status_code, answer.get_json()["why"]) == (507, "read_only")


@pytest.mark.own_app
@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, 507), (errno.EROFS, 507), (errno.ENOENT, 500)])
def test_what_the_system_refuses_to_write_is_told_too(
    app: Flask, banker: FlaskClient, number: int, status: int
) -> None:
    def refuse() -> str:
        raise OSError(number, "no")

    app.add_url_rule("/api/v1/refuse", view_func=refuse)
    assert banker.get("/api/v1/refuse").status_code == status


@pytest.fixture
def keepsakes(services: Services, tmp_path: Path) -> Iterator[SqliteKeepsakes]:
    """The file of dials and pictures, in place of the memory that tests have for it."""
    stored = SqliteKeepsakes(tmp_path / "keepsakes.sqlite")
    services.proposals.keepsakes = stored
    yield stored
    stored.close()


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The disk is full"), ("de", "Die Festplatte ist voll"), ("fr", "Le disque est plein")]
)
def test_the_dial_on_a_full_disk_answers_like_everything_else_and_stays_where_it_was(
    banker: FlaskClient, table: str, keepsakes: SqliteKeepsakes, language: str, said: str
) -> None:
    # given a file of dials that has no room for another row
    connection = keepsakes._connection
    connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")
    for size in (500, 50, 1):
        with suppress(sqlite3.OperationalError):
            for number in count():
                connection.execute("INSERT INTO dials VALUES (?, ?, '')", (f"{size}-{number}", "x" * size))

    # when the dial is turned
    answer = banker.post(f"{table}/dial?lang={language}", json={"dial": "automatic"})

    # then the banker is told, nothing has changed, and it can be turned once there is room
    problem = answer.get_json()
    assert (answer.status_code, problem["why"]) == (507, "full")
    assert said in problem["detail"]
    assert banker.get(f"{table}/dial").get_json()["dial"] == "suggest"
    connection.execute("PRAGMA max_page_count = 1000000")
    assert banker.post(f"{table}/dial", json={"dial": "automatic"}).get_json()["dial"] == "automatic"


def test_the_dial_on_a_disk_that_takes_nothing_says_so(
    banker: FlaskClient, table: str, keepsakes: SqliteKeepsakes
) -> None:
    keepsakes._connection.execute("PRAGMA query_only = ON")
    answer = banker.post(f"{table}/dial", json={"dial": "automatic"})
    assert (answer.status_code, answer.get_json()["why"]) == (507, "read_only")


@pytest.mark.own_app
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.ENOENT])
def test_the_log_names_the_route_and_no_invitation_where_something_went_wrong(
    app: Flask, banker: FlaskClient, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    # given a page of an invitation that cannot be shown
    def refuse(token: str) -> str:
        raise OSError(number, f"no {len(token)}")

    app.add_url_rule("/into/<token>", view_func=refuse)

    # when somebody opens it
    assert banker.get("/into/secret-invitation").status_code >= 500

    # then the log says where, and lets nobody else in
    assert "GET /into/<token>" in caplog.text
    assert "secret-invitation" not in caplog.text
