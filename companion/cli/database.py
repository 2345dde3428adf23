"""Commands for a hall's database: ``companion move`` and ``migrate``."""

import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion import __version__, bootstrap
from companion.adapters.backup.archive import finish_restore, lock_folder, make_private_folder
from companion.adapters.journal.sqlite import LatestNumbers
from companion.cli.options import (
    database_option,
    language_option,
    require_database_libraries,
    unused_data_option,
    unused_language_option,
)
from companion.cli.output import NO, progress
from companion.config import DataFolder
from companion.words import Words

if TYPE_CHECKING:
    from companion.adapters.journal.transfer import RowStore, Transferred
    from companion.service.access.guests import GuestList
    from companion.service.access.preferences import PreferenceValues
    from companion.service.ports import Journal, Store

SCHEMES = ("postgresql://", "postgres://")
PLACE = "DATA|ADDRESS"


@click.command(short_help="Move all tables between a data folder and a database.")
@click.option(
    "--from", "source", metavar=PLACE, required=True, help="Where they are: a data folder, or postgresql://..."
)
@click.option("--to", "target", metavar=PLACE, required=True, help="Where they go: one of them is a database.")
@language_option
@unused_data_option
def move(source: str, target: str, lang: str) -> int:
    """Copy every table from a data folder into a database, or back, and compare each row afterwards.

    Ids, keys, checksums, refusals, the bin and times stay the same, and nothing is removed where it was. Guests and
    preferences go along where there are none yet. It may be
    begun again at any time: it goes on where it was stopped, and takes along what was played since. Exit 1 if a table
    could not be moved; if a table has another history there, nothing is.
    """
    if not _is_address(source) and not _is_address(target):
        message = "one of --from and --to is the address of a database: postgresql://..."
        raise click.UsageError(message)
    require_database_libraries()
    from companion.adapters.journal.transfer import transfer_tables

    with ExitStack() as opened:
        from_rows = _open_rows(source, opened, is_source=True)
        to_rows = _open_rows(target, opened, is_source=False)
        with progress("moving tables") as report:
            done = transfer_tables(from_rows, to_rows, report)
            unreadable = _fold_all(target)
        kept = _move_people(_open_people(source, opened), _open_people(target, opened))
    return _print_result(done, unreadable, kept, Words(lang))


@click.command(short_help="Bring a database's schema up to date.")
@click.option("--rolling", is_flag=True, help="Only what an older version goes on working with; else exit 1.")
@database_option
@unused_data_option
@unused_language_option
def migrate(*, rolling: bool, database: str | None) -> int:
    """Apply to a database what is new in its schema, and print each change.

    Every start does so by itself; an update of a hall does it before, while the older version serves.
    """
    if database is None:
        message = "which database? --database postgresql:///companion"
        raise click.UsageError(message)
    from companion.adapters.journal.database import find_pending
    from companion.adapters.journal.postgres import PostgresJournal

    with progress("looking for what is new in the schema"):
        pending = find_pending(database)
    breaking = [name for _, name, is_additive in pending if not is_additive]
    if rolling and breaking:
        click.echo(f"an older version cannot go on with: {', '.join(breaking)}; nothing was changed", err=True)
        return NO
    with progress("changing the schema"):
        PostgresJournal(database, None).close()
    for number, name, _ in pending:
        click.echo(f"{number}: {name}")
    return 0


def _is_address(place: str) -> bool:
    """Return whether a place is a database: by its address, or a connection string of PostgreSQL."""
    return place.startswith(SCHEMES) or "dbname=" in place


def _open_rows(place: str, opened: ExitStack, *, is_source: bool) -> "RowStore":
    """Open a journal until ``opened`` is closed; a data folder is locked meanwhile."""
    from companion.adapters.journal.transfer import PostgresRows, SqliteRows

    folder = DataFolder(Path(place))
    if not _is_address(place) and is_source and not folder.journal.is_file():
        message = f"{place}: holds no tables"
        raise click.ClickException(message)
    rows: RowStore
    if _is_address(place):
        rows = PostgresRows(place, is_source=is_source)
    else:
        opened.enter_context(lock_folder(folder.lock))
        finish_restore(folder.path)
        rows = SqliteRows(folder.journal, None if is_source else LatestNumbers(folder.latest))
        make_private_folder(folder.path)
    opened.callback(rows.close)
    return rows


def _open_people(place: str, opened: ExitStack) -> "tuple[Store[GuestList], Store[PreferenceValues]]":
    """Open guests and preferences until ``opened`` is closed."""
    from companion.adapters import shared
    from companion.adapters.journal.database import Database
    from companion.adapters.stores import guests_store, preferences_store

    if not _is_address(place):
        folder = DataFolder(Path(place))
        return guests_store(folder.guests), preferences_store(folder.preferences)
    database = Database(place)
    opened.callback(database.close)
    return shared.SharedStore(database, shared.GUESTS), shared.SharedStore(database, shared.PREFERENCES)


def _move_people(source: "tuple[Store[Any], ...]", target: "tuple[Store[Any], ...]") -> bool:
    """Copy guests and preferences where the target has none; return whether it keeps others of its own."""
    keeps_own = False
    for ours, theirs in zip(source, target, strict=True):
        value, there = ours.read(), theirs.read()
        if there == type(there)():
            theirs.write(value)
        keeps_own |= theirs.read() != value
    return keeps_own


def _fold_all(place: str) -> int:
    """Fold every table that nobody has described yet, so that lists are quick; return how many cannot be read."""
    from companion.adapters.journal.postgres import PostgresJournal

    if not _is_address(place):  # one process alone opens a folder, and folds what it needs
        return 0
    journal: Journal = PostgresJournal(place, __version__)
    try:
        tables = bootstrap.open_tables(bootstrap.load_games(bootstrap.find_games(), None), journal)
        tables.summarise_some(budget_s=math.inf)
        return tables.count_unplayable()
    finally:
        journal.close()


def _print_result(done: "Transferred", unreadable: int, keeps_people: bool, words: Words) -> int:  # noqa: FBT001
    """Print what was moved, and what was not; return the exit code."""
    lines = [
        words.say(
            "{tables} tables with {entries} entries are there, each row compared; {added} entries are new.",
            tables=done.tables,
            entries=done.entries,
            added=done.added,
        )
    ]
    if done.ahead:
        ahead = words.listed(done.ahead)
        lines.append(words.say("Played on there since, and left as they are: {tables}.", tables=ahead))
    if done.renumbered:
        lines.append(
            words.say(
                "Other tables had their numbers, so they have new letters; print their sheets again: {tables}.",
                tables=words.listed(done.renumbered),
            )
        )
    if keeps_people:
        lines.append(words.say("Its guests and preferences differ and were left alone."))
    if unreadable:
        lines.append(words.say("{count} tables cannot be played on; companion doctor names them.", count=unreadable))
    for table, why in done.left.items():
        lines.append(words.say("Table {table} was not moved: {reason}.", table=table, reason=why))
    click.echo("\n".join(lines), err=True)
    return NO if done.left else 0
