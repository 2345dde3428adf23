"""Report failures as one line on stderr and an exit code."""

import logging
import os
import sys
import traceback
from typing import Any

import click

PROGRAM = "companion"
NO, UNUSABLE = 1, 2
"""Exit codes: a negative answer; a command that cannot be carried out, by its arguments or its files."""


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
    except Exception as error:  # noqa: BLE001 - the outermost place: users see no tracebacks
        return _unusable(error, _describe(error), debug_flag)
    return code if isinstance(code, int) else 0


def _describe(error: Exception) -> str:
    """Return a message for the operator; what defines the errors is loaded when there is one, and not with the help."""
    from calibration.bounded_toml import MatError, ProfileError
    from companion.adapters.backup.archive import ArchiveError, FolderInUse
    from companion.adapters.certificates.store import CertificateError
    from companion.adapters.journal.sqlite import JournalFileError
    from companion.adapters.recordings.errors import RecordingError
    from companion.adapters.stores import SettingsError
    from companion.adapters.system import describe_os_error
    from companion.game_api.catalog_parsing import CatalogError

    for_the_operator = (ArchiveError, CertificateError, FolderInUse, JournalFileError, SettingsError)
    of_cameras = (MatError, ProfileError, RecordingError)
    if isinstance(error, CatalogError):
        return "; ".join(error.faults)
    if isinstance(error, OSError):
        return describe_os_error(error)
    if isinstance(error, (*for_the_operator, *of_cameras)):
        return str(error)
    return f"{type(error).__name__}: {error} (run with --debug to see where)"


def _unusable(error: BaseException, message: str, debug_flag: DebugFlag) -> int:
    if debug_flag.debug:
        traceback.print_exception(error)
    click.echo(f"companion: {_one_line(message)}", err=True)
    return UNUSABLE


def _one_line(message: str) -> str:
    return " ".join(message.split())
