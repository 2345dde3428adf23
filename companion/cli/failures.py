"""Report failures as one line on stderr and an exit code."""

import logging
import os
import sys
import traceback
from typing import Any

import click

from calibration.errors import MatError, ProfileError
from companion.adapters.backup.archive import ArchiveError, FolderInUse
from companion.adapters.certificates.store import CertificateError
from companion.adapters.journal.sqlite import JournalFileError
from companion.adapters.recordings.errors import RecordingError
from companion.adapters.stores import SettingsError
from companion.adapters.system import describe_os_error
from companion.game_api.catalog_parsing import CatalogError

PROGRAM = "companion"
NO, UNUSABLE = 1, 2
"""Exit codes: a negative answer; a command that cannot be carried out, by its arguments or its files."""
_EXPECTED_ERRORS = (
    *(ArchiveError, CertificateError, FolderInUse, JournalFileError, SettingsError),
    *(MatError, ProfileError, RecordingError),
)
"""Errors whose message is meant for the operator."""


class DebugFlag:
    """The option ``--debug``, before the command or after it."""

    def __init__(self) -> None:
        """Start with tracebacks off."""
        self.debug = False

    def option(self) -> click.Option:
        """Return the option, for the group or for a command."""
        return click.Option(["--debug"], is_flag=True, expose_value=False, callback=self._set, help="Show tracebacks.")

    def _set(self, _context: click.Context, _option: click.Parameter, value: Any) -> None:
        if value:
            self.debug = True
            logging.getLogger().setLevel(logging.DEBUG)


def run_command_line(group: click.Group, debug_flag: DebugFlag) -> int:
    """Run the command line and return the exit code."""
    debug_flag.debug = False
    try:
        code = group.main(prog_name=PROGRAM, standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return NO
    except click.ClickException as error:
        return _unusable(error, error.format_message(), debug_flag)
    except BrokenPipeError:
        # The reader of our output has gone; this prevents another error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO
    except CatalogError as error:
        return _unusable(error, "; ".join(error.faults), debug_flag)
    except OSError as error:
        return _unusable(error, describe_os_error(error), debug_flag)
    except _EXPECTED_ERRORS as error:
        return _unusable(error, str(error), debug_flag)
    except Exception as error:  # noqa: BLE001 - the outermost place: users see no tracebacks
        return _unusable(error, f"{type(error).__name__}: {error} (run with --debug to see where)", debug_flag)
    return code if isinstance(code, int) else 0


def _unusable(error: BaseException, message: str, debug_flag: DebugFlag) -> int:
    if debug_flag.debug:
        traceback.print_exception(error)
    click.echo(f"companion: {_one_line(message)}", err=True)
    return UNUSABLE


def _one_line(message: str) -> str:
    return " ".join(message.split())
