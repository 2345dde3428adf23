"""A real PostgreSQL server for tests: a cluster of their own, of which each test gets an empty database.

The server's programs are Debian's (``postgresql``), or those on the path.  ``COMPANION_TEST_DATABASE`` names another
server, in whose databases the role may create more.  Without either the tests are skipped.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from companion.adapters.journal.database import Database, Link
from tests.waiting import until

ADDRESS = "COMPANION_TEST_DATABASE"
USERS = ("postgres", "nobody")
"""Whom the server runs as where the tests run as root, which PostgreSQL refuses to do."""
QUICK = {"fsync": "off", "autovacuum": "off", "max_connections": "60", "shared_buffers": "16MB", "listen_addresses": ""}
"""Settings of a cluster that is thrown away.

A killed server loses nothing without ``fsync``, only a machine does.  A database that is just being vacuumed can be
dropped by nobody but a superuser.
"""

_numbers = count(1)


def find_programs() -> Path | None:
    """Return the folder of the server's programs, the newest; ``None`` where there are none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
    on_path = shutil.which("postgres")
    candidates = [*folders, *([Path(on_path).parent] if on_path else [])]
    return next((folder for folder in candidates if (folder / "initdb").exists()), None)


def user_of_server() -> str | None:
    """Return whom the server runs as; ``None``: the user of the tests."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return next(user for user in USERS if user in names)


@dataclass(slots=True)
class Cluster:
    """A server on a socket in its own folder, which a test may stop and start again; with a ``port`` by network too."""

    programs: Path
    folder: Path
    user: str | None
    port: int | None = None
    process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Make the files of the cluster."""
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        data: list[str | Path] = [
            "-D",
            self.folder / "data",
            "-U",
            "admin",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ]
        subprocess.run(
            [self.programs / "initdb", *data], cwd="/", user=self.user, check=True, stdout=subprocess.DEVNULL
        )

    def start(self) -> None:
        """Start the server, and wait until it answers; it ends with the process of the tests, however that ends."""
        network = {} if self.port is None else {"listen_addresses": "127.0.0.1", "port": self.port}
        wanted = {**QUICK, "unix_socket_directories": self.folder, **network}
        settings = [f"--{name}={value}" for name, value in wanted.items()]
        server: list[str | Path] = [self.programs / "postgres", "-D", self.folder / "data", *settings]
        bound = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen([*bound, *server], cwd="/", user=self.user, stdout=log, stderr=log)
        until(self.answers, lambda: "the database server does not answer")

    def answers(self) -> bool:
        """Return whether the server accepts connections; it has a role of few rights then, as a club's."""
        try:
            with psycopg.connect(self.address("postgres", "admin"), connect_timeout=2) as connection:
                if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'companion'").fetchone() is None:
                    connection.execute("CREATE ROLE companion LOGIN CREATEDB")
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: ``SIGINT`` ends connections in order, ``SIGQUIT`` at once, as a crash does."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None

    def address(self, database: str, role: str = "companion") -> str:
        """Return the address of a database of this server."""
        port = "" if self.port is None else f"&port={self.port}"
        return f"postgresql://{role}@/{database}?host={self.folder}{port}"


@contextmanager
def running_cluster(port: int | None = None) -> Iterator[Cluster]:
    """Run a cluster of its own; skip the test where this machine has no server."""
    programs = find_programs()
    if programs is None:
        pytest.skip(f"no PostgreSQL server here: apt install postgresql, or name one with {ADDRESS}")
    folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
    cluster = Cluster(programs, folder, user_of_server(), port)
    try:
        cluster.create()
        cluster.start()
        yield cluster
    finally:
        cluster.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_name(f"{folder.name}.log").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server's maintenance database, of one server for each process of the tests."""
    if ADDRESS in os.environ:
        yield os.environ[ADDRESS]
        return
    with running_cluster() as cluster:
        yield cluster.address("postgres")


@pytest.fixture
def database(postgres_server: str) -> Iterator[str]:
    """The address of an empty database."""
    with new_database(postgres_server) as address:
        yield address


@contextmanager
def new_database(postgres_server: str, encoding: str = "UTF8") -> Iterator[str]:
    """Make an empty database, and drop it in the end."""
    name = f"companion_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        create = sql.SQL("CREATE DATABASE {} ENCODING {} TEMPLATE template0")
        connection.execute(create.format(sql.Identifier(name), sql.Literal(encoding)))
    yield make_conninfo(postgres_server, dbname=name)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def break_after_commit(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let the connection of the next transaction break once it is committed; return a list that is empty then."""
    run, breaks = database.run, [True]

    def run_and_break(act: Callable[[Link], Any], **options: Any) -> Any:
        def broken(connection: Link) -> Any:
            result = act(connection)
            if breaks and breaks.pop():
                connection.close()
                raise psycopg.OperationalError("the connection is lost")
            return result

        return run(broken, **options)

    monkeypatch.setattr(database, "run", run_and_break)
    return breaks
