"""Output of commands: JSON lines, files, failures as one line on stderr with an exit code, and progress.

Files replace nothing without ``--force`` and are never half written.
"""

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from companion.adapters.system import OperatorError, describe_os_error, os_error_reason, scratch_folder

F = TypeVar("F", bound=Callable[..., Any])

SCRATCH_PREFIX = ".companion-writing-"
"""Of a folder beside a file, in which it is written; nobody has one of that name by chance."""


def print_json_line(value: Any) -> None:
    """Print one line of JSON in UTF-8, whatever the terminal's encoding; lone surrogates are escaped."""
    from companion.game_api.codec import json_line

    click.echo(json_line(value, default=str).encode("utf-8", "backslashreplace"))


def force_option(command: F) -> F:
    """Add ``--force``."""
    return click.option("--force", is_flag=True, help="Replace what is there already.")(command)


def require_writable(path: Path, *, force: bool, names_folder: bool = False) -> None:
    """Raise ``ClickException`` if a command may not write this file, or files into this folder.

    Args:
        path: the file or folder to write.
        force: whether existing files may be replaced.
        names_folder: whether ``path`` is a folder; it may exist if it is empty.

    """
    if names_folder:
        if path.exists() and not path.is_dir():
            raise click.ClickException(f"{path}: is a file, not a folder; name a folder")
        if not force and path.is_dir() and any(not file.name.startswith(SCRATCH_PREFIX) for file in path.iterdir()):
            raise click.ClickException(
                f"{path}: is not empty; name another folder, or replace files in it with --force"
            )
        return
    if path.is_dir():
        raise click.ClickException(f"{path}: is a folder, not a file; name a file in it")
    if _is_written_directly(path):
        return
    if not path.parent.exists():
        raise click.ClickException(f"{path.parent}: there is no such folder; make it first, or name another")
    if not path.parent.is_dir():
        raise click.ClickException(f"{path.parent}: is a file, not a folder; name a file in a folder")
    if path.is_file() and not force:
        raise click.ClickException(f"{path}: is there already; name another file, or replace it with --force")
    try:
        with tempfile.TemporaryFile(
            dir=_real_path(path).parent
        ):  # permissions alone do not tell of full or read-only disks
            pass
    except OSError as error:
        message = f"{path.parent}: {os_error_reason(error)}; no file can be written there, name another folder"
        raise click.ClickException(message) from error


@contextmanager
def output_file(path: Path, *, force: bool) -> Iterator[Path]:
    """Yield a temporary path beside ``path``, which takes its place when the block ends without an error.

    A device, a pipe or an open file such as ``/dev/stdout`` gets the finished content; a link stays.

    Raises:
        ClickException: as ``require_writable`` does.
        OSError: when the file cannot be written; it names ``path``.

    """
    require_writable(path, force=force)
    if _is_written_directly(path):
        with tempfile.TemporaryDirectory() as scratch:
            unfinished = Path(scratch) / "whole"
            yield unfinished
            with unfinished.open("rb") as whole, path.open("wb") as out:
                shutil.copyfileobj(whole, out)
        return
    target = _real_path(path)
    with _faults_of(path), scratch_folder(target.parent, SCRATCH_PREFIX) as scratch:
        unfinished = scratch / target.name
        yield unfinished
        _move(unfinished, target, force=force)


@contextmanager
def output_folder(folder: Path, *, force: bool, last: str) -> Iterator[Path]:
    """Yield a temporary folder, whose files move into ``folder`` when the block ends without an error.

    ``last``: the file that moves last, and so tells that the others are there.

    Raises:
        ClickException: as ``require_writable`` does.
        OSError: when the files cannot be written; it names ``folder``.

    """
    require_writable(folder, force=force, names_folder=True)
    with _faults_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with scratch_folder(folder, SCRATCH_PREFIX) as scratch:
            yield scratch
            for file in sorted(scratch.iterdir(), key=lambda file: file.name == last):
                file.replace(folder / file.name)


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    """Raise errors of unfinished files as those of the place that people have named."""
    try:
        yield
    except OSError as error:
        if error.filename is None or SCRATCH_PREFIX in str(error.filename):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _real_path(path: Path) -> Path:
    """Return where links lead; those in a circle stay."""
    return Path(os.path.realpath(path))


def _is_written_directly(path: Path) -> bool:
    """Return whether nothing can take the place of what is there: a device, a pipe, an open file of a process."""
    place = _real_path(path.parent)
    is_open_file = path.is_symlink() and any(place.is_relative_to(system) for system in ("/dev", "/proc"))
    return path.exists() and (is_open_file or not path.is_file())


def _move(unfinished: Path, path: Path, *, force: bool) -> None:
    """Move a finished file to its place; without ``force`` also a file that appeared meanwhile is kept."""
    if force:
        unfinished.replace(path)
        return
    try:
        os.link(unfinished, path)
    except FileExistsError as error:
        raise click.ClickException(f"{path}: is there already; replace it with --force") from error
    except OSError:  # a file system without links, such as that of a stick
        unfinished.replace(path)


# Failures: one line on stderr and an exit code

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


def run_command_line(group: click.Command, debug_flag: DebugFlag) -> int:
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
    from companion.game_api.catalog_parsing import CatalogError

    if isinstance(error, CatalogError):
        return "; ".join(error.faults)
    if isinstance(error, OSError):
        return describe_os_error(error)
    if isinstance(error, OperatorError | MatError | ProfileError):
        return str(error)
    return f"{type(error).__name__}: {error} (run with --debug to see where)"


def _unusable(error: BaseException, message: str, debug_flag: DebugFlag) -> int:
    if debug_flag.debug:
        traceback.print_exception(error)
    click.echo(f"companion: {_one_line(message)}", err=True)
    return UNUSABLE


def _one_line(message: str) -> str:
    return " ".join(message.split())


# Progress of long commands: silent for the first seconds, then what is being done and for how long, on stderr

FIRST_AFTER_S = 2.0
"""Commands that are done sooner print no progress."""
TERMINAL_EVERY_S = 1.0
FILE_EVERY_S = 10.0
"""Between two lines where stderr is no terminal, so that logs stay short."""
CLEAR_LINE = "\r\x1b[K"

Report = Callable[[str], None]
"""Stores how far a command is, in words: ``120 of 1000 games``."""


class _Ticker(threading.Thread):
    """Prints the latest report at intervals, on a terminal always in the same line."""

    def __init__(self, activity: str) -> None:
        super().__init__(name="progress", daemon=True)
        self._activity = activity
        self._begun_at = time.monotonic()
        self._ended = threading.Event()
        self._terminal = _is_terminal()
        self.latest = ""

    def run(self) -> None:
        """Print until the command ends, or nobody reads stderr any more."""
        every = TERMINAL_EVERY_S if self._terminal else FILE_EVERY_S
        wait = FIRST_AFTER_S
        with contextlib.suppress(BrokenPipeError):
            while not self._ended.wait(wait):
                self._print(f"{CLEAR_LINE}{self._line()}" if self._terminal else f"{self._line()}\n")
                wait = every
            if self._terminal and wait == every:
                self._print(CLEAR_LINE)

    def end(self) -> None:
        """Stop printing; return once the line is free for other output."""
        self._ended.set()
        self.join()

    def _line(self) -> str:
        seconds = time.monotonic() - self._begun_at
        return f"{self._activity}: {self.latest + ', ' if self.latest else ''}{seconds:.0f} s"

    @staticmethod
    def _print(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def print_beside_progress(line: str) -> None:
    """Print a line on stderr during a block with ``progress``, whose line on a terminal makes room."""
    click.echo(f"{CLEAR_LINE if _is_terminal() else ''}{line}", err=True)


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb")


@contextmanager
def progress(activity: str) -> Iterator[Report]:
    """Print progress during the block if it takes longer than ``FIRST_AFTER_S``.

    Args:
        activity: what is being done: ``drawing cards``.

    Yields:
        A function that stores how far it is.

    """
    ticker = _Ticker(activity)

    def report(state: str) -> None:
        ticker.latest = state

    ticker.start()
    try:
        yield report
    finally:
        ticker.end()


@contextmanager
def progress_beside_results(activity: str) -> Iterator[Report]:
    """Print progress as ``progress`` does, unless results appear meanwhile on a terminal and tell enough."""
    if sys.stdout is not None and sys.stdout.isatty():
        yield lambda _state: None
        return
    with progress(activity) as report:
        yield report
