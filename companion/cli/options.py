"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from companion import bootstrap
from companion.game_api.manifest import Manifest

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


class GameParameter(click.ParamType):  # type: ignore[type-arg]
    """The name of an installed game; games are loaded only when one is named."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Manifest:
        """Return the game's manifest."""
        if isinstance(value, Manifest):
            return value
        games = bootstrap.find_games()
        if value in games.manifests:
            return games.manifests[value]
        if value in games.broken:
            self.fail(f"{value!r} could not be loaded: {games.broken[value]}", param, ctx)
        return self.fail(f"{value!r} is none of the games here: {', '.join(games.manifests)}.", param, ctx)


GAME = GameParameter()
