"""``companion play``: decide the commands of a play file, line by line."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from companion import bootstrap
from companion.bootstrap.games import DEFAULT_GAME
from companion.cli.failures import NO
from companion.cli.options import catalog_option, data_option
from companion.config import resolve_data_folder
from companion.engine.errors import Detail, Refused
from companion.game_api.manifest import LoadedGame
from companion.service.table.amend import in_words, is_amend, is_confirmed
from companion.service.table.play_files import SOURCE, command_in, counted_lines
from companion.service.table.registry import game_of
from companion.service.table.request import Request
from companion.service.table.table import Table
from companion.words import Words


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--positions", is_flag=True, help="Add the resulting position to every line.")
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was refused.")
@catalog_option
@data_option
def play(file: str, *, positions: bool, strict: bool, catalog: str | None, data: str | None) -> int:
    """Decide the commands of FILE (JSON Lines; - reads standard input) and print what each leads to."""
    folder = resolve_data_folder(data)
    games = bootstrap.find_games()
    playing = _PlayedFile(bootstrap.load_games(games, folder.catalogs, catalog), games.broken)
    refusals = 0
    with _open_lines(file) as lines:
        for number, line in counted_lines(lines):
            result = {"line": number, **playing.answer(line)}
            refusals += "refused" in result
            if positions:
                result["position"] = playing.table.position_json("banker")
            _print_json(result)
    _print_json({"position": playing.table.position_json("banker")})
    return NO if strict and refusals else 0


@contextmanager
def _open_lines(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        lines = Path(file).open("rb")  # noqa: SIM115 - closed below; only errors of opening are handled here
    except OSError as error:
        message = f"{file}: {error.strerror}; name a play file, or - for standard input"
        raise click.ClickException(message) from error
    with lines:
        yield lines


class _PlayedFile:
    """The table of a play file; the first command selects the game."""

    def __init__(self, editions: Mapping[str, LoadedGame], broken: Mapping[str, str]) -> None:
        self._games = editions
        self._broken = broken
        first = editions.get(DEFAULT_GAME) or next(iter(editions.values()))
        self.table = bootstrap.create_in_memory_table(first)

    def answer(self, line: bytes) -> dict[str, Any]:
        """Decide one line and return its result."""
        try:
            command = command_in(line)
            if self.table.version == 0:
                game = str(game_of(command))
                if game in self._broken:
                    raise click.ClickException(f"the game {game} could not be loaded: {self._broken[game]}")
                begun = self._games.get(game)
                self.table = bootstrap.create_in_memory_table(begun) if begun is not None else self.table
            if is_amend(command) and not is_confirmed(command):
                return {"preview": _preview(self.table, command)}
            entry = self.table.submit(Request(command, "banker", SOURCE))
        except Refused as refused:
            return {"refused": _sentence(self.table, refused.rule, refused.details), "rule": refused.rule}
        return {"seq": entry["seq"], "events": entry["events"]}


def _preview(table: Table, command: dict[str, Any]) -> dict[str, Any]:
    preview = table.preview(Request(command, "banker", "tap"))
    return in_words(preview, lambda rule, details: _sentence(table, rule, details))


def _sentence(table: Table, rule: str, details: Mapping[str, Detail]) -> str:
    return Words("en", table.game.manifest).refusal(rule, details, table.names(), table.catalog_json())


def _print_json(result: dict[str, Any]) -> None:
    """Print one line of UTF-8, whatever the terminal's encoding; lone surrogates are escaped."""
    click.echo(json.dumps(result, ensure_ascii=False).encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
