"""``companion backup`` and ``companion restore``."""

from pathlib import Path

import click

from companion.adapters.data_archive import restore_backup, write_backup
from companion.adapters.folder_lock import held
from companion.cli.options import data_option
from companion.config import data_folder


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(file: Path, data: str | None) -> None:
    """Write every table, catalog and setting to FILE, also while a game goes on."""
    tables = write_backup(data_folder(data), file)
    click.echo(f"{_counted(tables)} in {file}", err=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def restore(file: Path, data: str | None) -> None:
    """Put FILE in place of what is in the data folder; what was there stays in before-restore-N."""
    folder = data_folder(data)
    with held(folder.lock):
        tables = restore_backup(file, folder)
    click.echo(f"{_counted(tables)} restored to {folder.path}", err=True)


def _counted(tables: int) -> str:
    return "1 table" if tables == 1 else f"{tables} tables"
