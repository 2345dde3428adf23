"""Output of commands: JSON lines, and files that replace nothing without ``--force`` and are never half written."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from companion.adapters.system import os_error_reason
from companion.game_api.codec import json_line

F = TypeVar("F", bound=Callable[..., Any])

SCRATCH_PREFIX = ".companion-"


def print_json_line(value: Any) -> None:
    """Print one line of JSON in UTF-8, whatever the terminal's encoding; lone surrogates are escaped."""
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
        if path.is_dir() and any(path.iterdir()) and not force:
            raise click.ClickException(
                f"{path}: is not empty; name another folder, or replace files in it with --force"
            )
        return
    if path.is_dir():
        raise click.ClickException(f"{path}: is a folder, not a file; name a file in it")
    if not path.parent.exists():
        raise click.ClickException(f"{path.parent}: there is no such folder; make it first, or name another")
    if not path.parent.is_dir():
        raise click.ClickException(f"{path.parent}: is a file, not a folder; name a file in a folder")
    if path.is_file() and not force:
        raise click.ClickException(f"{path}: is there already; name another file, or replace it with --force")
    try:
        with tempfile.TemporaryFile(dir=path.parent):  # permissions alone do not tell of full or read-only disks
            pass
    except OSError as error:
        message = f"{path.parent}: {os_error_reason(error)}; no file can be written there, name another folder"
        raise click.ClickException(message) from error


@contextmanager
def output_file(path: Path, *, force: bool) -> Iterator[Path]:
    """Yield a temporary path beside ``path``, which takes its place when the block ends without an error.

    A device or a pipe is written directly.

    Raises:
        ClickException: as ``require_writable`` does.
        OSError: when the file cannot be written; it names ``path``.

    """
    require_writable(path, force=force)
    if path.exists() and not path.is_file():
        yield path
        return
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=SCRATCH_PREFIX) as scratch:
            unfinished = Path(scratch) / path.name
            yield unfinished
            _move(unfinished, path, force=force)
    except OSError as error:
        if error.filename is None or SCRATCH_PREFIX in str(error.filename):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


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
