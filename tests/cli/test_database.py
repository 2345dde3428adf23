"""``companion serve --database`` as real processes over a real PostgreSQL server."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.running import START, Serving, only_line, serving
from tests.postgres import Cluster, running_cluster
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow
HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}
SENTENCES = {
    "en": "The database cannot be reached.",
    "de": "Die Datenbank ist gerade nicht zu erreichen.",
    "fr": "La base de données est injoignable.",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


def over(database: str) -> tuple[str, ...]:
    return ("--camera", "none", "--database", database)


def page(running: Serving, path: str) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{running.port}{path}")
    request.add_header("Authorization", f"Bearer {running.token}")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return str(answer.read().decode())


def problem_of(running: Serving, path: str, body: object, **headers: str) -> tuple[int, str | None, str]:
    """Return status, Retry-After and sentence of an answer that is a problem."""
    with pytest.raises(urllib.error.HTTPError) as problem:
        running.ask(path, body, **headers)
    with problem.value as answer:
        return answer.code, answer.headers["Retry-After"], json.load(answer)["detail"]


@pytest.mark.nightly
def test_everything_is_there_after_the_process_was_killed(database: str, tmp_path: Path, run: Run) -> None:
    # given a game in a database, and a process that is killed
    data = tmp_path / "data"
    with serving(data, *over(database)) as first:
        first.log_in()
        table = f"/api/v1/tables/{first.ask('/api/v1/tables', START)['id']}"
        first.ask(f"{table}/commands", HIRE, If_Match="1", Idempotency_Key="k")
        before, token = first.ask(table), first.token
        first.kill()
    assert not (data / "journal.sqlite").exists()

    # when it starts again, then all is there, and the same request counts once
    with serving(data, *over(database)) as second:
        second.token = token
        assert second.ask(table) == before, "position, version and offers"
        assert [about["id"] for about in second.ask("/api/v1/tables")["tables"]] == [table.rpartition("/")[2]]
        assert second.ask(f"{table}/commands", HIRE, If_Match="1", Idempotency_Key="k")["seq"] == 2
        assert second.ask(f"{table}/commands", {"do": "undo"}, If_Match="2")["seq"] == 3
        assert second.stop() == (0, "")
    assert not [line for line in second.printed if "Traceback" in line or "ERROR" in line]

    # and doctor finds it
    result = run("doctor", "--data", data, "--database", database)
    assert any(line.startswith("ok  database: 1 tables, PostgreSQL") for line in result.out), result


def test_while_the_database_is_away_pages_go_on_and_commands_are_not_stored(cluster: Cluster, tmp_path: Path) -> None:
    # given a table, another one where the organiser is, and a database that ends as by a crash
    address = cluster.address("postgres", "admin")
    with serving(tmp_path / "data", *over(address)) as running:
        running.log_in()
        table_id, other = (running.ask("/api/v1/tables", START)["id"] for _ in range(2))
        table = f"/api/v1/tables/{table_id}"
        shown = running.ask(table)
        cluster.stop(signal.SIGQUIT)

        # when somebody plays on, then they are told in their language, each time
        for language, sentence in SENTENCES.items():
            path = f"{table}/commands?lang={language}"
            status, after, detail = problem_of(running, path, HIRE, If_Match="1", Idempotency_Key="k")
            assert (status, after) == (503, "1")
            assert sentence in detail

        # and what is open goes on being shown; nothing is begun
        assert running.ask(table) == shown
        assert 'data-version="1"' in page(running, f"/tables/{table_id}")
        assert {about["id"] for about in running.ask("/api/v1/tables")["tables"]} == {table_id, other}
        assert running.ask("/healthz") == {"status": "ok"}
        assert "companion backup hall.dump --database" in page(running, "/backups")
        assert problem_of(running, "/api/v1/tables", START)[0] == 503

        # and a page of a version that is not here yet waits: it is not answered from before
        with pytest.raises(urllib.error.HTTPError) as waits:
            page(running, f"/tables/{table_id}/live?part=tablet&at=2")
        with waits.value as answer:
            assert (answer.code, answer.headers["Retry-After"]) == (503, "1")

        # when the database is there again, then the same request counts once
        cluster.start()
        stored: list[int] = []

        def is_stored() -> bool:
            try:
                stored.append(running.ask(f"{table}/commands", HIRE, If_Match="1", Idempotency_Key="k")["seq"])
            except urllib.error.HTTPError as problem:
                problem.close()
                if problem.code != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
                return False
            return True

        until(is_stored)
        assert stored == [2]
        assert running.ask(f"{table}/commands", HIRE, If_Match="1", Idempotency_Key="k")["seq"] == 2
        assert [entry["seq"] for entry in running.ask(f"{table}/journal")["entries"]] == [1, 2]
        assert len(running.ask("/api/v1/tables")["tables"]) == 2
    assert not [line for line in running.printed if "Traceback" in line]


@pytest.mark.nightly
def test_whoever_heard_of_a_version_from_one_process_finds_it_in_the_other(database: str, tmp_path: Path) -> None:
    # given two processes over one database, and a table that both have open
    with serving(tmp_path / "a", *over(database)) as first, serving(tmp_path / "b", *over(database)) as second:
        for running in (first, second):
            running.log_in()
        table_id = first.ask("/api/v1/tables", START)["id"]
        table = f"/api/v1/tables/{table_id}"
        assert second.ask(table)["version"] == 1

        # when commands go to one, then whoever heard of them finds them in the other: as JSON, and on pages
        for seen in range(1, 20, 2):
            version = first.ask(f"{table}/commands", HIRE, If_Match=str(seen))["seq"]
            assert second.ask(table, If_Match=str(version)) == first.ask(table)
            version = second.ask(f"{table}/commands", {"do": "undo"}, If_Match=str(version))["seq"]
            assert f'data-version="{version}"' in page(first, f"/tables/{table_id}/live?part=tablet&at={version}")


def test_without_the_libraries_of_the_database_one_line_says_how_to_have_them(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['psycopg_pool'] = None; from companion.cli import main; sys.exit(main())"
    arguments = ("serve", "--data", str(tmp_path), *over("postgresql:///companion"))
    done = subprocess.run([sys.executable, "-c", hidden, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "deploy/requirements-hall.lock" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_there_is_told_in_one_line(tmp_path: Path, run: Run) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:9/none"
    line = only_line(run("serve", "--data", tmp_path, "--port", "0", *over(nowhere)))
    assert "the database cannot be used" in line
    result = run("doctor", "--data", tmp_path, "--database", nowhere)
    assert any("database: the database cannot be used" in line for line in result.out), result
