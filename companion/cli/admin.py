"""Commands for the operator: ``companion doctor``, ``backup``, ``restore``, ``pin`` and ``completion``."""

import json
from functools import partial
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from companion import bootstrap
from companion.adapters.backup.archive import (
    RESTORE_NOTE,
    ArchiveError,
    FolderInUse,
    finish_restore,
    lock_folder,
    make_private_folder,
    restore_backup,
    write_backup,
)
from companion.adapters.stores import load_settings, require_pin
from companion.cli.options import data_option, database_option, unused_data_option, unused_language_option
from companion.cli.output import NO, PROGRAM, force_option, output_file, progress
from companion.config import ExternalPaths, resolve_data_folder
from companion.engine.journal import Entry


@click.command(short_help="Check this machine and say how to fix what fails.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option(
    "--camera", metavar="SPEC", envvar="COMPANION_CAMERA", help="Ask this camera for a picture, as serve would open it."
)
@database_option
@data_option
@unused_language_option
def doctor(*, as_json: bool, camera: str | None, database: str | None, data: str | None) -> int:
    """Check this machine and say how to fix what does not work; exit 1 if the app could not serve."""
    from companion.adapters.health import examine_installation

    folder, games = resolve_data_folder(data), bootstrap.find_games()
    loaded_games, elsewhere = bootstrap.load_games(games, folder.catalogs), ExternalPaths(database=database)
    with progress("looking at everything"):
        results = list(examine_installation(folder, loaded_games, games.broken, camera, elsewhere=elsewhere))
    could_serve = all(finding.works for finding in results if finding.needed)
    if as_json:
        click.echo(json.dumps({"could_serve": could_serve, "findings": [finding.as_json() for finding in results]}))
    else:
        for finding in results:
            mark = "ok " if finding.works else ("NO " if finding.needed else "-  ")
            click.echo(f"{mark} {finding.name}: {finding.message}" + (f"; {finding.mend}" if finding.mend else ""))
    return 0 if could_serve else NO


@click.command(short_help="Write a backup of everything, also during a game.")
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@database_option
@data_option
@unused_language_option
def backup(file: Path, *, force: bool, database: str | None, data: str | None) -> None:
    """Write every table, catalog and setting to FILE, also during a game.

    With --database it is a dump of the database, made by PostgreSQL's own tools, and checked by restoring it.
    """
    with progress("writing the backup"), output_file(file, force=force) as unfinished:
        if database is None:
            tables = write_backup(resolve_data_folder(data), unfinished)
        else:
            from companion.adapters.backup.dump import dump_database

            tables = dump_database(database, unfinished, partial(_require_copied, database))
    click.echo(f"{_count(tables)} in {file}", err=True)


@click.command(short_help="Go back to a backup; what was there is kept.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="With --database: also where that database is there already.")
@database_option
@data_option
@unused_language_option
def restore(file: Path, *, force: bool, database: str | None, data: str | None) -> None:
    """Replace the contents of the data folder by FILE; the old ones are kept in before-restore-N.

    With --database that database is replaced, once FILE is filled into a new one and sound; the old one is kept as
    NAME_before_restore_N.
    """
    if database is not None:
        _restore_database(file, database, force=force)
        return
    folder = resolve_data_folder(data)
    if folder.path.exists() and not folder.path.is_dir():
        raise click.ClickException(f"{folder.path}: is a file, not a folder; name a data folder")
    with lock_folder(folder.lock), progress("checking and restoring the backup"):
        tables = restore_backup(file, folder)
    click.echo(f"{_count(tables)} restored to {folder.path}", err=True)


def _restore_database(file: Path, address: str, *, force: bool) -> None:
    from companion.adapters.backup.dump import is_dump, restore_dump

    if not is_dump(file):
        message = f"{file}: no backup of a database"
        raise click.ClickException(message)
    with progress("checking and restoring the backup"):
        tables, aside = restore_dump(address, file, partial(_require_sound, force=force), force=force)
    kept = "" if aside is None else f"; what was there is kept as {aside}"
    click.echo(f"{_count(tables)} restored{kept}", err=True)


def _require_copied(database: str, copy: str) -> int:
    """Return the number of tables in a copy of a database.

    Tables that are damaged in both alike are named: whoever refused them would have no backup of all the others.
    Raise ``ArchiveError`` where the copy is not what is there.
    """
    from companion.adapters.backup.dump import is_copied

    tables, damaged = _examine(copy)
    for table, why in damaged.items():
        if not is_copied(database, copy, table):
            message = f"not sound: table {table}: {why}"
            raise ArchiveError(message)
        click.echo(f"table {table} is damaged there, and in the backup alike: {why}", err=True)
    return tables


def _require_sound(address: str, *, force: bool) -> int:
    """Return the number of tables in a database; raise ``ArchiveError`` where one is damaged and nobody insists."""
    tables, damaged = _examine(address)
    for table, why in damaged.items():
        if not force:
            message = f"not sound: table {table}: {why}; --force restores all tables, that one as it is"
            raise ArchiveError(message)
        click.echo(f"table {table} is damaged: {why}", err=True)
    return tables


def _examine(address: str) -> tuple[int, dict[str, str]]:
    """Fold every table of a database, and return their number, and why some are damaged, by their ids.

    Of a game that is not installed, checksums are compared.
    """
    from companion.adapters.journal.postgres import PostgresJournal

    journal = PostgresJournal(address, None)
    try:
        games = bootstrap.load_games(bootstrap.find_games(), None)
        opened = bootstrap.open_tables(games, journal)
        opened.examine()
        damaged = dict(opened.torn)
        tables = journal.tables()
        for table, game in tables:
            if game not in games:
                damaged.pop(table, None)
                entries = journal.entries(table)
                if not entries or any(_is_torn(entry) for entry in entries):
                    damaged[table] = "an entry was changed or cannot be read" if entries else "it has no entries"
    finally:
        journal.close()
    return len(tables), damaged


def _is_torn(entry: Entry) -> bool:
    """Return whether an entry stands in for one that was changed or cannot be read."""
    return any(event["event"] == "torn" for event in entry.events)


def _count(tables: int) -> str:
    return "1 table" if tables == 1 else f"{tables} tables"


@click.command()
@click.argument("digits", required=False)
@data_option
@unused_language_option
def pin(*, digits: str | None, data: str | None) -> None:
    """Print the banker's PIN, or change it to 4 to 12 DIGITS."""
    from companion.adapters.journal.sqlite import SqliteJournal

    folder = resolve_data_folder(data)
    if (folder.path / RESTORE_NOTE).exists():  # cut off where the old settings were away and the new ones not there yet
        with lock_folder(folder.lock):
            finish_restore(folder.path)
    begun = folder.settings.exists() or folder.journal.exists()
    if not begun and digits is None:
        message = f"{folder.path}: no companion was started there yet; its first start makes up a PIN"
        raise click.ClickException(f"{message}, and companion pin DIGITS chooses it before")
    if not begun:
        require_pin(digits)
        make_private_folder(folder.path)
        SqliteJournal(folder.journal).close()  # settings without a journal would mean that its disk is missing
    click.echo(load_settings(folder.settings, digits).pin)
    if digits is None:
        return
    try:
        with lock_folder(folder.lock):
            pass
    except FolderInUse:
        click.echo("The running companion uses it from its next start.", err=True)


COMPLETE_VARIABLE = f"_{PROGRAM.upper()}_COMPLETE"
"""Set by the script when it asks for completions; ``run`` knows it too."""
CHECKOUT = "./run"
OF_CHECKOUT = f"complete -o nosort -F _{PROGRAM}_completion {CHECKOUT}\n"
"""Bash completes the program of a checkout alike; the other shells look commands up by their name."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@unused_data_option
@click.pass_context
@unused_language_option
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    bash: add `eval "$(companion completion bash)"` to ~/.bashrc, or with the path of a checkout
    `eval "$(~/companion/run completion bash)"`.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click has all three
    script = kind(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source()
    click.echo(script + (OF_CHECKOUT if shell == "bash" else ""))
