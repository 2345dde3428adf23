"""The schema of the journal file as a sequence of migrations.  A released migration is never edited."""

import logging
import re
import sqlite3
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database, Migrations

from companion.adapters.journal.rows import compute_checksum, fold_case

log = logging.getLogger(__name__)

MIGRATIONS = Migrations("companion_journal")


@MIGRATIONS()
def m001_tables_and_entries(db: Database) -> None:
    """Create tables and entries, and refuse to change or delete either."""
    db.execute("CREATE TABLE tables (id TEXT PRIMARY KEY, game TEXT NOT NULL, opened_at TEXT NOT NULL)")
    db.execute(
        "CREATE TABLE entries ("
        " table_id TEXT NOT NULL REFERENCES tables(id),"
        " seq INTEGER NOT NULL CHECK (seq >= 1),"
        " at TEXT NOT NULL,"
        " actor TEXT NOT NULL,"
        " source TEXT NOT NULL,"
        " command TEXT NOT NULL,"
        " events TEXT NOT NULL,"
        " key TEXT,"
        " PRIMARY KEY (table_id, seq)"
        ")"
    )
    db.execute("CREATE UNIQUE INDEX entries_by_key ON entries (table_id, key) WHERE key IS NOT NULL")
    for table in ("tables", "entries"):
        for act in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
            )
    db.execute(
        "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries "
        "WHEN NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM entries WHERE table_id = NEW.table_id) "
        "BEGIN SELECT RAISE(ABORT, 'entries are numbered without gaps'); END"
    )


@MIGRATIONS()
def m002_no_replacing(db: Database) -> None:
    """Refuse INSERT OR REPLACE, which deletes the row in its way without asking the DELETE triggers."""
    db.execute(
        "CREATE TRIGGER tables_no_replace BEFORE INSERT ON tables "
        "WHEN EXISTS (SELECT 1 FROM tables WHERE id = NEW.id OR rowid = NEW.rowid) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    )
    db.execute(
        "CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries "
        "WHEN EXISTS (SELECT 1 FROM entries WHERE rowid = NEW.rowid OR (table_id = NEW.table_id AND key = NEW.key)) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    )


@MIGRATIONS()
def m003_the_bin(db: Database) -> None:
    """Record which tables were put into the bin and taken out again, as rows that are only added."""
    db.execute(
        "CREATE TABLE moves ("
        " n INTEGER PRIMARY KEY,"
        " table_id TEXT NOT NULL REFERENCES tables(id),"
        " binned INTEGER NOT NULL CHECK (binned IN (0, 1)),"
        " at TEXT NOT NULL"
        ")"
    )
    for act in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER moves_no_{act.lower()} BEFORE {act} ON moves "
            f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        )
    db.execute(
        "CREATE TRIGGER moves_no_replace BEFORE INSERT ON moves WHEN EXISTS (SELECT 1 FROM moves WHERE n = NEW.n) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    )


@MIGRATIONS()
def m004_refusals_by_key(db: Database) -> None:
    """Record refusals by idempotency key; no key may belong to both an entry and a refusal.

    They only answer repeated requests and are no part of the journal: old ones may be deleted.
    """
    db.execute(
        "CREATE TABLE refusals ("
        " n INTEGER PRIMARY KEY,"
        " table_id TEXT NOT NULL,"
        " key TEXT NOT NULL,"
        " request TEXT NOT NULL,"
        " rule TEXT NOT NULL,"
        " details TEXT NOT NULL,"
        " at TEXT NOT NULL,"
        " UNIQUE (table_id, key)"
        ")"
    )
    db.execute("CREATE INDEX beginnings_by_key ON entries (key) WHERE seq = 1 AND key IS NOT NULL")
    db.execute(
        "CREATE TRIGGER entries_key_refused BEFORE INSERT ON entries "
        "WHEN EXISTS (SELECT 1 FROM refusals WHERE table_id = NEW.table_id AND key = NEW.key) "
        "BEGIN SELECT RAISE(ABORT, 'the key was used for a refusal'); END"
    )
    db.execute(
        "CREATE TRIGGER refusals_key_used BEFORE INSERT ON refusals "
        "WHEN EXISTS (SELECT 1 FROM entries WHERE table_id = NEW.table_id AND key = NEW.key) "
        "BEGIN SELECT RAISE(IGNORE); END"
    )


@MIGRATIONS()
def m005_sums(db: Database) -> None:
    """Add a checksum for every entry, existing ones as they are now."""
    db.execute(
        "CREATE TABLE sums ("
        " table_id TEXT NOT NULL,"
        " seq INTEGER NOT NULL,"
        " sum TEXT NOT NULL,"
        " PRIMARY KEY (table_id, seq)"
        ")"
    )
    for (table_id,) in db.execute("SELECT id FROM tables").fetchall():
        rows = db.execute(
            "SELECT seq, at, actor, source, command, events, key FROM entries WHERE table_id = ? ORDER BY seq",
            (table_id,),
        ).fetchall()
        sums: dict[int, str] = {}
        for row in rows:
            sums[row[0]] = compute_checksum(sums.get(row[0] - 1, ""), row)
        for number, checksum in sums.items():
            db.execute("INSERT INTO sums (table_id, seq, sum) VALUES (?, ?, ?)", (table_id, number, checksum))
    for act in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER sums_no_{act.lower()} BEFORE {act} ON sums "
            f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        )
    db.execute(
        "CREATE TRIGGER sums_no_replace BEFORE INSERT ON sums "
        "WHEN EXISTS (SELECT 1 FROM sums WHERE table_id = NEW.table_id AND seq = NEW.seq) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    )


@MIGRATIONS()
def m006_club_events(db: Database) -> None:
    """Record club events, for which many tables are opened at once, as rows that are only added."""
    db.execute(
        "CREATE TABLE club_events ("
        " n INTEGER PRIMARY KEY,"
        " id TEXT NOT NULL UNIQUE,"
        " key TEXT NOT NULL UNIQUE,"
        " at TEXT NOT NULL,"
        " plan TEXT NOT NULL"
        ")"
    )
    for act in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER club_events_no_{act.lower()} BEFORE {act} ON club_events "
            f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        )
    db.execute(
        "CREATE TRIGGER club_events_no_replace BEFORE INSERT ON club_events "
        "WHEN EXISTS (SELECT 1 FROM club_events WHERE n = NEW.n OR id = NEW.id OR key = NEW.key) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    )


@MIGRATIONS()
def m007_heads(db: Database) -> None:
    """Create heads: what lists show of each table, written with its latest entry, and whether it lies in the bin.

    They are derived, and no part of the journal: ``fill_heads`` adds what is missing.
    """
    db.execute(
        "CREATE TABLE heads ("
        " table_id TEXT PRIMARY KEY,"
        " game TEXT NOT NULL,"
        " number INTEGER NOT NULL UNIQUE,"
        " change INTEGER NOT NULL,"
        " seq INTEGER NOT NULL,"
        " at TEXT NOT NULL,"
        " sum TEXT NOT NULL,"
        " finished INTEGER,"
        " binned INTEGER NOT NULL,"
        " searched TEXT NOT NULL,"
        " program TEXT,"
        " described TEXT"
        ")"
    )
    db.execute("CREATE INDEX heads_by_time ON heads (at, change)")
    db.execute(
        "CREATE TRIGGER heads_of_moves AFTER INSERT ON moves "
        "BEGIN UPDATE heads SET binned = NEW.binned WHERE table_id = NEW.table_id; END"
    )


_STALE = "heads.seq IS NOT (SELECT COALESCE(MAX(seq), 0) FROM entries WHERE entries.table_id = tables.id)"


def fill_heads(connection: sqlite3.Connection) -> None:
    """Add the heads of tables that have none, from before there were heads; what lists show is not known of them yet.

    The same where an earlier version has stored entries since.  Nothing is written where all is there.  Players can be
    found by the names with which the table was begun; bytes that are no text are searched as such.
    """
    stale = f"SELECT tables.id FROM tables LEFT JOIN heads ON heads.table_id = tables.id WHERE {_STALE}"  # noqa: S608 - constants
    if connection.execute(f"{stale} LIMIT 1").fetchone() is None:
        return
    connection.create_function("fold_case", 1, lambda text: fold_case(bytes(text or b"").decode(errors="replace")))
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        connection.execute(f"DELETE FROM heads WHERE table_id IN ({stale})")  # noqa: S608 - constants
        connection.execute(
            "INSERT INTO heads (table_id, game, number, change, seq, at, sum, binned, searched)"
            " SELECT tables.id, game, tables.rowid, COALESCE(latest.rowid, 0), COALESCE(latest.seq, 0),"
            " COALESCE(latest.at, opened_at), COALESCE(sum, ''),"
            " COALESCE((SELECT binned FROM moves WHERE table_id = tables.id ORDER BY n DESC LIMIT 1), 0),"
            " fold_case(CAST(tables.id || char(10) || COALESCE((SELECT group_concat(value, char(10)) FROM json_tree("
            "  (SELECT CASE WHEN json_valid(command) THEN command END FROM entries"
            "   WHERE table_id = tables.id AND seq = 1))"
            "  WHERE key = 'name' AND type = 'text'), '') AS BLOB))"
            " FROM tables LEFT JOIN entries AS latest ON latest.table_id = tables.id"
            "  AND latest.seq = (SELECT MAX(seq) FROM entries WHERE table_id = tables.id)"
            " LEFT JOIN sums ON sums.table_id = tables.id AND sums.seq = latest.seq"
            " WHERE NOT EXISTS (SELECT 1 FROM heads WHERE table_id = tables.id) ORDER BY tables.rowid"
        )


class UnknownMigration(Exception):  # noqa: N818 - told to the operator in one line
    """A newer version has migrated the file; the message names the unknown migration."""


def migrate(connection: sqlite3.Connection) -> None:
    """Apply all missing migrations; raise ``UnknownMigration``, with nothing changed, for a file of a newer version."""
    database = Database(connection)
    _require_known(database)
    MIGRATIONS.apply(database)
    fill_heads(connection)


def _require_known(database: Database) -> None:
    known_names = {migration.name for migration in MIGRATIONS.pending(Database(memory=True))}
    unknown = sorted({migration.name for migration in MIGRATIONS.applied(database)} - known_names)
    if unknown:
        raise UnknownMigration(unknown[-1])


# What a file may hold: nothing but what these migrations make, so that no file runs anything of its own.

SchemaItem = tuple[str, str, str, str]
"""Kind, name and table of a table, index, trigger or view, and its SQL without white space."""
_LIST = "_sqlite_migrations"
_SQL_OF_LIST = re.compile(r"(?!.*(CHECK|DEFAULT|GENERATED|AS\())[\w,()\[\]`\"]+")
"""Without white space: names and types, and no expression."""
_OF_SQLITE = re.compile(r"CREATE TABLE sqlite_(sequence|stat[0-9])\([a-z,]*\)")


def read_schema(connection: sqlite3.Connection) -> frozenset[SchemaItem]:
    """Return what a database consists of, beside what SQLite adds by itself."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return frozenset(
        (str(kind), str(name), str(table), "".join(str(sql).split()))
        for kind, name, table, sql in rows
        if not (kind == "index" and sql is None) and not _OF_SQLITE.fullmatch(str(sql))
    )


def read_schema_of(script: str) -> frozenset[SchemaItem]:
    """Return what a script of SQL creates."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(script)
        return read_schema(made)


def read_own_schema() -> frozenset[SchemaItem]:
    """Return what a journal of this version consists of; the migrations of earlier ones make a part of it."""
    with closing(sqlite3.connect(":memory:")) as made:
        migrate(made)
        return read_schema(made)


def find_schema_fault(path: Path, own: AbstractSet[SchemaItem]) -> str | None:
    """Return what a file holds that is not ``own``, as a sentence without its subject; ``None``: nothing.

    Nothing in the file is run for that.  Of one that is no database at all others tell.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            foreign = sorted(item for item in read_schema(connection) - own if not _is_list(item))
    except sqlite3.Error:
        return None
    return f"it holds {foreign[0][0]} {foreign[0][1]!r}" if foreign else None


def find_journal_fault(path: Path) -> str | None:
    """Return why a file is no journal of this version or an earlier one; ``None``: it may be opened."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            schema = read_schema(connection)
            tables = {item[1] for item in schema if item[0] == "table"}
            lists = [item for item in schema if item[1] == _LIST]
            if not {"tables", "entries", _LIST} <= tables or not all(map(_is_list, lists)):
                return "its journal is not one of this companion"
            _require_known(Database(connection))
    except UnknownMigration:
        return "a newer companion has written it"
    except sqlite3.Error:
        return None
    fault = find_schema_fault(path, read_own_schema())
    return None if fault is None else f"its journal is not one of this companion ({fault})"


def drop_foreign(copy: Path, own: AbstractSet[SchemaItem]) -> None:
    """Drop from a copy what other programs have added to the file, with a line each; what differs from ours stays."""
    names = {item[1] for item in own}
    with closing(sqlite3.connect(copy)) as connection, connection:
        foreign = sorted(item for item in read_schema(connection) - own if item[1] not in names and not _is_list(item))
        for kind, name, *_ in sorted(foreign, key=lambda item: item[0] == "table"):
            quoted = name.replace('"', '""')
            connection.execute(f'DROP {kind} IF EXISTS "{quoted}"')  # the kinds are SQLite's own
            log.warning("left out of the copy: %s %a, which is not of this companion", kind, name)


def _is_list(item: SchemaItem) -> bool:
    """Return whether something belongs to the list of migrations, which versions of sqlite-utils write differently."""
    kind, _, table, sql = item
    return kind in ("table", "index") and table == _LIST and _SQL_OF_LIST.fullmatch(sql) is not None
