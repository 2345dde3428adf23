"""``companion pin``: for whoever cannot see what was printed at the start."""

import click

from companion.adapters.folder_lock import FolderInUse, held
from companion.adapters.settings_file import kept_settings
from companion.cli.options import data_option
from companion.config import data_folder


@click.command()
@click.argument("digits", required=False)
@data_option
def pin(*, digits: str | None, data: str | None) -> None:
    """Say the banker's PIN, or change it to 4 to 12 DIGITS."""
    from companion.adapters.sqlite_journal import SqliteJournal

    folder = data_folder(data)
    if not folder.settings.exists() and not folder.journal.exists():
        folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        SqliteJournal(folder.journal).close()  # settings without a journal mean that its disk is missing
    click.echo(kept_settings(folder.settings, digits).pin)
    if digits is None:
        return
    try:
        with held(folder.lock):
            pass
    except FolderInUse:
        click.echo("The companion that runs asks for it from its next start.", err=True)
