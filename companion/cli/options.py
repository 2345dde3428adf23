"""Options that several commands share."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from companion import bootstrap
from companion.adapters.game_packages import use_packages
from companion.config import resolve_data_folder
from companion.game_api.manifest import COLOURS, Manifest
from companion.words import LANGUAGES

F = TypeVar("F", bound=Callable[..., Any])
USUAL_PLAYERS = 3


def _use_installed_games(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Make the games that are installed in a data folder importable before any other option names one."""
    use_packages(resolve_data_folder(value).games)
    return value


def data_option(command: F) -> F:
    """Add ``--data DIR``."""
    return click.option(
        "--data",
        metavar="DIR",
        is_eager=True,
        callback=_use_installed_games,
        help="Where tables, catalogs and settings live (default: $XDG_DATA_HOME/companion).",
    )(command)


def hand_down_options(context: click.Context, **values: str | None) -> None:
    """Make options that were named before a step of a group the defaults of each of its steps."""
    steps = context.command.commands if isinstance(context.command, click.Group) else ()
    context.default_map = dict.fromkeys(steps, values)


def players_option(command: F) -> F:
    """Add ``--players``, which ``number_of_players`` reads."""
    return click.option(
        "--players",
        type=click.IntRange(1, len(COLOURS)),
        help="How many bots play (default: 3, where 3 may).",
    )(command)


def number_of_players(players: int | None, game: Manifest) -> int:
    """Return how many play: by default as near to three as the game allows; raise ``click.BadParameter``."""
    seats = game.seats
    if players is None:
        return min(max(USUAL_PLAYERS, seats.fewest), seats.most)
    if not seats.fewest <= players <= seats.most:
        message = f"{game.title} is for {seats.fewest} to {seats.most} players"
        raise click.BadParameter(message, param_hint="--players")
    return players


def database_option(command: F) -> F:
    """Add ``--database ADDRESS``."""
    return click.option(
        "--database",
        metavar="ADDRESS",
        envvar="COMPANION_DATABASE",
        callback=_require_libraries,
        help="Keep the tables in PostgreSQL, and not in the data folder: postgresql://...  For a hall.",
    )(command)


def _require_libraries(_context: click.Context, _option: click.Parameter, address: str | None) -> str | None:
    """Return the address; raise ``click.UsageError`` where the libraries of the database are not installed."""
    if address is not None:
        require_database_libraries()
    return address


def require_database_libraries() -> None:
    """Raise ``click.UsageError`` where the libraries of a database are not installed."""
    if find_spec("psycopg_pool") is None:
        message = "a database needs more libraries: pip install --require-hashes -r deploy/requirements-hall.lock"
        raise click.UsageError(message)


def unused_data_option(command: F) -> F:
    """Add ``--data DIR`` to a command that needs no data but its games, so that it may be named for every command."""
    return click.option(
        "--data",
        metavar="DIR",
        expose_value=False,
        is_eager=True,
        callback=_use_installed_games,
        help="Where installed games are; this command needs no other data.",
    )(command)


def catalog_option(command: F) -> F:
    """Add ``--catalog NAME|FILE``."""
    return click.option("--catalog", metavar="NAME|FILE", help="The deck: a name known here, or a file.")(command)


def language_option(command: F) -> F:
    """Add ``--lang``; ``--language`` is what one command called it earlier."""
    option = click.option(
        "--lang",
        "--language",
        "lang",
        type=click.Choice(LANGUAGES),
        default="en",
        show_default=True,
        help="Language of cards, sheets, names and refusals.",
    )
    return option(command)


def unused_language_option(command: F) -> F:
    """Add ``--lang`` to a command that says nothing in another language, so that it may be named for every command."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help="Accepted everywhere; this command has English words alone.",
    )(command)


def paper_option(command: F) -> F:
    """Add ``--paper``."""
    return click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)(command)


def refuse_options(*names: str, because: str) -> None:
    """Raise ``click.UsageError`` where the command line names one of these options, which would change nothing."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            message = f"--{name.replace('_', '-')} {because}"
            raise click.UsageError(message)


def only_option(command: F) -> F:
    """Add ``--only W01,C03``."""
    return click.option("--only", metavar="W01,C03", type=CardList(), default=(), help="Only these cards.")(command)


def game_option(command: F) -> F:
    """Add ``--game NAME``; without it the command chooses the default game."""
    return click.option("--game", metavar="NAME", type=GAME, help="Which game; Master Builder where none is named.")(
        command
    )


class CardList(click.ParamType):  # type: ignore[type-arg]
    """Ids of cards with commas between them."""

    name = "cards"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the ids in capitals."""
        if isinstance(value, tuple):
            return value
        cards = tuple(card for part in value.split(",") if (card := part.strip().upper()))
        return cards or self.fail("names no card; without it all are meant", param, ctx)


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

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the installed games that begin like this, for the shell."""
        del ctx, param
        games = bootstrap.find_games().manifests
        return [CompletionItem(name, help=game.title) for name, game in games.items() if name.startswith(incomplete)]


GAME = GameParameter()
