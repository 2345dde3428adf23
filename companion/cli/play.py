"""``companion play``: decide the commands of a play file, line by line."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import click

from companion import bootstrap
from companion.adapters.system import os_error_reason
from companion.bootstrap.games import DEFAULT_GAME
from companion.cli.options import catalog_option, data_option, language_option
from companion.cli.output import NO, Report, print_json_line, progress_beside_results
from companion.config import resolve_data_folder
from companion.engine.game import Detail, Refused
from companion.game_api.manifest import LoadedGame
from companion.service.table.amend import in_words, is_confirmed
from companion.service.table.history import is_amend
from companion.service.table.play_files import SOURCE, command_in, counted_lines
from companion.service.table.registry import game_of
from companion.service.table.table import Request
from companion.words import Words


@click.command(short_help="Decide the commands of a play file, line by line.")
@click.argument("file", metavar="FILE|-")
@click.option("--positions", is_flag=True, help="Add the resulting position to every line.")
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was refused.")
@language_option
@catalog_option
@data_option
def play(file: str, *, positions: bool, strict: bool, lang: str, catalog: str | None, data: str | None) -> int:
    """Decide the commands of FILE (JSON Lines; - reads standard input) and print what each leads to."""
    folder = resolve_data_folder(data)
    games = bootstrap.find_games()
    playing = _PlayedFile(bootstrap.load_games(games, folder.catalogs, catalog), games.broken, lang, catalog)
    refusals = 0
    with _open_lines(file) as lines, _progress_of(file) as report:
        for number, line in counted_lines(lines):
            report(f"line {number}")
            result = {"line": number, **playing.answer(line)}
            refusals += "refused" in result
            if positions:
                result["position"] = playing.table.position_json("banker")
            _print_json(result)
    _print_json({"position": playing.table.position_json("banker")})
    return NO if strict and refusals else 0


@contextmanager
def _open_lines(file: str) -> Iterator[BinaryIO]:
    """Yield the file or standard input; raise ``ClickException`` for what is neither."""
    if file == "-":
        standard_input: TextIO | None = sys.stdin  # closed by ``<&-``
        if standard_input is None:
            raise click.ClickException("standard input is closed; name a play file, or send one to standard input")
        yield standard_input.buffer
        return
    try:
        lines = Path(file).open("rb")  # noqa: SIM115 - closed below; only errors of opening are handled here
    except (OSError, ValueError) as error:
        reason = os_error_reason(error) if isinstance(error, OSError) else str(error)
        raise click.ClickException(f"{file}: {reason}; name a play file, or - for standard input") from error
    with lines:
        yield lines


@contextmanager
def _progress_of(file: str) -> Iterator[Report]:
    """Print progress of a file; not where somebody sends line by line."""
    if file == "-":
        yield lambda _state: None
        return
    with progress_beside_results(f"playing {file}") as report:
        yield report


class _PlayedFile:
    """The table of a play file; the first command selects the game."""

    def __init__(
        self, games: Mapping[str, LoadedGame], broken: Mapping[str, str], language: str, catalog: str | None
    ) -> None:
        self._catalog, self._game_of_catalog = catalog, bootstrap.declared_game_of(catalog)
        self._language = language
        self._games = games
        self._broken = broken
        first = games.get(DEFAULT_GAME) or next(iter(games.values()))
        self.table = bootstrap.create_in_memory_table(first)

    def answer(self, line: bytes) -> dict[str, Any]:
        """Decide one line and return its result."""
        try:
            command = command_in(line)
            if self.table.version == 0:
                self._choose_game(game_of(command))
            if is_amend(command) and not is_confirmed(command):
                return {"preview": self._preview(command)}
            entry = self.table.submit(Request(command, "banker", SOURCE))
        except Refused as refused:
            return {"refused": self._sentence(refused.rule, refused.details), "rule": refused.rule}
        return {"seq": entry["seq"], "events": entry["events"]}

    def _choose_game(self, game: object) -> None:
        """Open a table of the game that a command names; ``Refused`` where it is none that is installed here."""
        if not isinstance(game, str):
            return
        if game in self._broken:
            raise click.ClickException(f"the game {game} could not be loaded: {self._broken[game]}")
        if game not in self._games:
            raise Refused("unknown_game")
        if self._game_of_catalog not in {None, game}:
            titles = {name: loaded.manifest.title for name, loaded in self._games.items()}
            catalog_title = titles.get(self._game_of_catalog or "", self._game_of_catalog)
            raise click.ClickException(
                f"{self._catalog} is a catalog of {catalog_title}, and the play file of {titles[game]}"
            )
        self.table = bootstrap.create_in_memory_table(self._games[game])

    def _preview(self, command: dict[str, Any]) -> dict[str, Any]:
        return in_words(self.table.preview(Request(command, "banker", "tap")), self._sentence)

    def _sentence(self, rule: str, details: Mapping[str, Detail]) -> str:
        words = Words(self._language, self.table.game.manifest)
        return words.refusal(rule, details, self.table.names(), self.table.catalog_json())


def _print_json(result: dict[str, Any]) -> None:
    """Print one line at once, for whoever waits for its answer."""
    print_json_line(result)
    sys.stdout.flush()
