"""What went wrong, in one line on stderr, and the exit code that says so."""

import logging
import os
import sys
import traceback
from typing import Any

import click

from calibration.mat import MatError, ProfileError
from companion.adapters.backup.archive import ArchiveError, FolderInUse
from companion.adapters.certificates.store import CertificateError
from companion.adapters.journal.sqlite import JournalFileError
from companion.adapters.recordings.recorded import RecordingError
from companion.adapters.stores import SettingsError
from companion.game_api.catalog_parsing import CatalogError

NO, UNUSABLE = 1, 2
_TOLD = (
    *(ArchiveError, CertificateError, FolderInUse, JournalFileError, SettingsError),
    *(MatError, ProfileError, RecordingError, OSError),
)
"""What says in its own words what is wrong."""


class DebugFlag:
    """Return whether ``--debug`` was given, before the command or after it."""

    def __init__(self) -> None:
        """Begin without."""
        self.debug = False

    def option(self) -> click.Option:
        """Return the option, for the group and for every command."""
        return click.Option(["--debug"], is_flag=True, expose_value=False, callback=self._take, help="Show tracebacks.")

    def _take(self, _context: click.Context, _option: click.Parameter, value: Any) -> None:
        if value:
            self.debug = True
            logging.getLogger().setLevel(logging.DEBUG)


def exit_code(group: click.Group, wish: DebugFlag) -> int:
    """Run the command line and give the exit code."""
    wish.debug = False
    try:
        code = group.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return NO
    except click.ClickException as error:
        return _unusable(error, error.format_message(), wish)
    except BrokenPipeError:
        # Whoever read our output has gone; let Python not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO
    except CatalogError as error:
        return _unusable(error, "; ".join(error.faults), wish)
    except _TOLD as error:
        return _unusable(error, str(error), wish)
    except Exception as error:  # noqa: BLE001 - the outermost place: nothing may reach the user as a traceback
        return _unusable(error, f"{type(error).__name__}: {error} (run with --debug to see where)", wish)
    return code if isinstance(code, int) else 0


def _unusable(error: BaseException, message: str, wish: DebugFlag) -> int:
    if wish.debug:
        traceback.print_exception(error)
    click.echo(f"companion: {_one_line(message)}", err=True)
    return UNUSABLE


def _one_line(message: str) -> str:
    return " ".join(message.split())
