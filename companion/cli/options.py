"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def data_option(command: F) -> F:
    """Add ``--data DIR``."""
    return click.option(
        "--data",
        metavar="DIR",
        help="Where tables, catalogs and settings live (default: $XDG_DATA_HOME/companion).",
    )(command)


def catalog_option(command: F) -> F:
    """Add ``--catalog NAME|FILE``."""
    return click.option("--catalog", metavar="NAME|FILE", help="The deck: a name known here, or a file.")(command)
