"""Back up a PostgreSQL database to one file, and restore it into a new one, by PostgreSQL's own tools.

A restore fills a new database, which is checked before it takes the name of the old one, in one transaction.  The old
one stays under another name.
"""

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from companion.adapters.backup.archive import ArchiveError, sync_to_disk, write_beside

TOOLS = Path("/usr/lib/postgresql")
"""Where Debian has the tools of each version; a newer ``pg_dump`` reads older servers."""
FIRST_NEW_SETTING = 17
"""The version whose ``pg_restore`` sets what older servers do not know (``transaction_timeout``)."""
MAINTENANCE = "postgres"
"""The database from which others are created and renamed."""
LONGEST_NAME = 63
"""Bytes of the name of a database; PostgreSQL cuts what is longer, after which it may be the name of another one."""
RANDOM_BYTES = 5
MAGIC = b"PGDMP"
ENVIRONMENT = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
"""Parts of an address, and the variables by which tools learn of them: the words of a command are seen by others."""

Check = Callable[[str], int]
"""Examines the database at an address, and returns its number of tables; raises ``ArchiveError`` if it is not sound."""


def dump_database(address: str, to: Path, check: Check) -> int:
    """Write a database to a file that only its owner can read, and return its number of tables; games may go on.

    The file is restored into a new database and checked there before it gets its name.

    Raises:
        ArchiveError: where that is not possible; no file is written.

    """
    copy = _name_copy(address, "checking")
    with write_beside(to) as scratch:
        unfinished = scratch / "dump"
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        run_tool("pg_dump", address, "--format=custom", "--no-owner", "--no-acl", f"--file={unfinished}")
        with _filled(address, unfinished, copy):
            tables = check(make_conninfo(address, dbname=copy))
        sync_to_disk(unfinished)
        unfinished.replace(to)
        sync_to_disk(to.parent)
    return tables


def restore_dump(address: str, file: Path, check: Check, *, force: bool) -> tuple[int, str | None]:
    """Put the contents of a file in place of a database, when they are sound.

    Args:
        address: of the database; one that is not there is created.
        file: as ``dump_database`` wrote it.
        check: examines the new database before it gets its name.
        force: whether a database that is there may be replaced; it stays under another name.

    Returns:
        The number of tables, and the name under which the old database is kept (``None``: there was none).

    Raises:
        ArchiveError: where that is not possible; nothing was changed.

    """
    target, copy = _name_of(address), _name_copy(address, "restoring")
    with _filled(address, file, copy) as maintenance:
        aside = None
        existing = {row[0] for row in maintenance.execute("SELECT datname FROM pg_database").fetchall()}
        if target in existing and not force:
            message = (
                f"the database {target} is there already; --force puts the backup in its place and keeps the old one"
            )
            raise ArchiveError(message)
        tables = check(make_conninfo(address, dbname=copy))
        try:
            with maintenance.transaction():
                if target in existing:
                    numbers = (
                        re.fullmatch(f"{re.escape(target)}_before_restore_([0-9]+)", other) for other in existing
                    )
                    latest = max((int(number[1]) for number in numbers if number), default=0)
                    aside = _require_short(f"{target}_before_restore_{latest + 1}")
                    _rename(maintenance, target, aside)
                _rename(maintenance, copy, target)
        except errors.ObjectInUse as error:
            message = f"the database {target} is in use: stop what serves it, then again; nothing was changed"
            raise ArchiveError(message) from error
    return tables, aside


def is_copied(address: str, copy: str, table: str) -> bool:
    """Return whether a copy has each row of a table as the database has it, where there may be more by now."""
    query = "SELECT seq, entries::text FROM entries WHERE table_id = %s ORDER BY seq"
    with psycopg.connect(address) as original, psycopg.connect(copy) as copied:
        rows = copied.execute(query, (table,)).fetchall()
        return original.execute(query, (table,)).fetchall()[: len(rows)] == rows


def is_dump(file: Path) -> bool:
    """Return whether a file is one of ``pg_dump``, and no backup of a data folder."""
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


def _name_of(address: str) -> str:
    name = conninfo_to_dict(address).get("dbname")
    if not name:
        message = "the address names no database: postgresql:///NAME"
        raise ArchiveError(message)
    return str(name)


def _name_copy(address: str, purpose: str) -> str:
    """Return a name for a copy of a database that no other run uses."""
    return _require_short(f"{_name_of(address)}_{purpose}_{secrets.token_hex(RANDOM_BYTES)}")


def _require_short(name: str) -> str:
    if len(name.encode()) > LONGEST_NAME:
        message = f"the name of the database is too long: {name}, of a copy, has more than {LONGEST_NAME} bytes"
        raise ArchiveError(message)
    return name


@contextmanager
def _filled(address: str, file: Path, name: str) -> Generator["psycopg.Connection[tuple[str, ...]]", None, None]:
    """Fill a new database from a file, and drop it in the end if it has kept its name.

    Yields a connection to another database.
    """
    try:
        with psycopg.connect(make_conninfo(address, dbname=MAINTENANCE), autocommit=True) as maintenance:
            _drop_left_copies(maintenance, _name_of(address))
            _lock(maintenance, name)
            maintenance.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
            )
            try:
                filled = make_conninfo(address, dbname=name)
                run_tool(
                    "pg_restore", filled, "--exit-on-error", "--no-owner", "--no-acl", f"--dbname={name}", str(file)
                )
                _take_rights(filled)
                yield maintenance
            finally:
                _drop_copy(maintenance, name)
    except errors.InsufficientPrivilege as error:
        message = "the role may not create databases: ALTER ROLE ... CREATEDB, as an administrator"
        raise ArchiveError(message) from error
    except psycopg.Error as error:
        message = f"the database cannot be used: {' '.join(str(error).split())}"
        raise ArchiveError(message) from error


def _drop_copy(maintenance: "psycopg.Connection[tuple[str, ...]]", name: str) -> None:
    """Drop a copy with whoever is connected to it.

    While it is being vacuumed only a superuser may end all connections to it; then none of ours is left there, and
    PostgreSQL ends the vacuuming itself.
    """
    dropped = sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name))
    try:
        maintenance.execute(dropped + sql.SQL(" WITH (FORCE)"))
    except errors.InsufficientPrivilege:
        maintenance.execute(dropped)


def _take_rights(address: str) -> None:
    """Revoke the rights of the role to change what triggers keep append-only, as in the database that was dumped."""
    with psycopg.connect(address, autocommit=True) as connection:
        kept = connection.execute(
            "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE '%\\_append\\_only'"
        ).fetchall()
        for (table,) in kept:
            connection.execute(
                sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {} FROM CURRENT_USER").format(sql.Identifier(table))
            )


def _drop_left_copies(maintenance: "psycopg.Connection[tuple[str, ...]]", target: str) -> None:
    """Drop the copies of runs that were killed: those that no run has locked, and to which nobody is connected."""
    pattern = re.compile(f"{re.escape(target)}_(checking|restoring)_[0-9a-f]{{{2 * RANDOM_BYTES}}}")
    unused = "SELECT datname FROM pg_database WHERE oid NOT IN (SELECT datid FROM pg_stat_activity WHERE datid > 0)"
    for (name,) in maintenance.execute(unused).fetchall():
        if pattern.fullmatch(name) and _lock(maintenance, name):
            with suppress(errors.ObjectInUse, errors.InsufficientPrivilege):
                maintenance.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def _lock(maintenance: "psycopg.Connection[tuple[str, ...]]", name: str) -> bool:
    """Return whether nobody else uses a copy, and tell other runs until the connection ends that this one does."""
    locked = maintenance.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (name,)).fetchone()
    return locked is not None and bool(locked[0])


def _rename(maintenance: "psycopg.Connection[tuple[str, ...]]", name: str, new: str) -> None:
    maintenance.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(name), sql.Identifier(new)))


def run_tool(tool: str, address: str, *words: str) -> None:
    """Run a tool of PostgreSQL on a database; raise ``ArchiveError`` with its last words where it fails."""
    program = _find_program(tool, address)
    if program is None:
        message = f"{tool} is missing: apt install postgresql-client"
        raise ArchiveError(message)
    parts = conninfo_to_dict(address)
    variables = {ENVIRONMENT[name]: str(value) for name, value in parts.items() if name in ENVIRONMENT and value}
    environment = {**os.environ, **variables, "PGDATABASE": _name_of(address), "LC_ALL": "C"}
    done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it failed"]
        message = f"{tool}: {lines[0].removeprefix(f'{tool}: ')}"
        raise ArchiveError(message)


def _find_program(tool: str, address: str) -> str | None:
    """Return a tool of the server's own version, or of one that gets on with it; ``None`` where there is none."""
    programs = {int(path.parts[-3]): str(path) for path in TOOLS.glob(f"*/bin/{tool}") if path.parts[-3].isdigit()}
    if not programs:
        return shutil.which(tool)
    newest = max(programs)
    try:
        with psycopg.connect(address) as connection:
            server = connection.info.server_version // 10_000
    except psycopg.Error:
        return programs[newest]  # which says why
    fitting = [version for version in programs if version == server or server < version < FIRST_NEW_SETTING]
    return programs[min(fitting, default=newest)]
