"""Whether a SQLite file is whole."""

import sqlite3


def check_intact(connection: sqlite3.Connection) -> None:
    """Look through the file, as far as can be done quickly.  Raises ``sqlite3.DatabaseError`` where it is torn."""
    fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(fault)
