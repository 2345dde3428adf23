"""What went wrong, in one line on stderr, and the exit code that says so."""

import os
import sys
import traceback

import click

from companion.adapters.data_archive import ArchiveError
from companion.adapters.folder_lock import FolderInUse
from companion.adapters.settings_file import SettingsError
from companion.adapters.sqlite_journal import JournalFileError
from companion.games.master_builder.catalog_checks import CatalogError

DEBUG = "companion.debug"
NO, UNUSABLE = 1, 2


def told(group: click.Group) -> int:
    """Run the command line and give the exit code."""
    try:
        code = group.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return NO
    except click.ClickException as error:
        click.echo(f"companion: {_one_line(error.format_message())}", err=True)
        return UNUSABLE
    except BrokenPipeError:
        # Whoever read our output has gone; let Python not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO
    except CatalogError as error:
        return _unusable(error, "; ".join(error.faults))
    except (ArchiveError, FolderInUse, JournalFileError, SettingsError, OSError) as error:
        return _unusable(error, str(error))
    except Exception as error:  # noqa: BLE001 - the outermost place: nothing may reach the user as a traceback
        return _unusable(error, f"{type(error).__name__}: {error} (run with --debug to see where)")
    return code if isinstance(code, int) else 0


def _unusable(error: BaseException, message: str) -> int:
    if "--debug" in sys.argv:
        traceback.print_exception(error)
    click.echo(f"companion: {_one_line(message)}", err=True)
    return UNUSABLE


def _one_line(message: str) -> str:
    return " ".join(message.split())
