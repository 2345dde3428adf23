"""``companion catalog``: check, import, export and compare catalogs."""

import json
from pathlib import Path
from typing import Any

import click

from companion import bootstrap
from companion.bootstrap import catalog_sharing as sharing
from companion.cli.failures import NO
from companion.cli.options import GAME, data_option
from companion.config import resolve_data_folder
from companion.game_api.catalog_parsing import CatalogError
from companion.game_api.manifest import Manifest

FILE = click.Path(path_type=Path)


@click.group()
@data_option
@click.pass_context
def catalog(context: click.Context, data: str | None) -> None:
    """Check, import, export and compare catalogs of any game."""
    context.default_map = {name: {"data": data} for name in catalog.commands}


@catalog.command()
@click.argument("file", type=FILE)
@click.option("--data", metavar="DIR", expose_value=False, help="Accepted as by other commands; a check needs no data.")
def check(file: Path) -> int:
    """Print every fault of FILE as a line of JSON with its place; exit with 1 if there are any."""
    try:
        sharing.check_file(bootstrap.find_games(), file)
    except CatalogError as error:
        return _print_faults(file, error)
    return 0


@catalog.command(name="import")
@click.argument("file", type=FILE)
@click.option("--name", metavar="NAME", help="Its name here (default: the name of the file).")
@data_option
def take_in(file: Path, *, name: str | None, data: str | None) -> int:
    """Check FILE and copy it into the data folder, so that tables can use it."""
    catalog_name = name or file.stem.lower()
    try:
        manifest = sharing.import_file(bootstrap.find_games(), file, catalog_name, resolve_data_folder(data).catalogs)
    except CatalogError as error:
        return _print_faults(file, error)
    _print_json({"catalog": catalog_name, "game": manifest.name})
    return 0


@catalog.command()
@click.argument("name")
@click.argument("file", type=FILE)
@click.option("--game", metavar="NAME", type=GAME, help="The game, where several have a catalog of this name.")
@data_option
def export(name: str, file: Path, *, game: Manifest | None, data: str | None) -> int:
    """Write the catalog NAME to FILE, which must not exist yet."""
    try:
        files = sharing.find_files(bootstrap.find_games(), name, resolve_data_folder(data).catalogs)
        if game is not None and game.name not in files:
            message = f"no catalog of {game.title} is called {name[:40]!r}"
            raise click.ClickException(message)
        source = files[game.name] if game is not None else next(iter(files.values()))
        with file.open("xb") as target:
            target.write(source.read_bytes())
    except CatalogError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        message = f"{file}: {error.strerror}: name a file that does not exist yet"
        raise click.ClickException(message) from error
    return 0


@catalog.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@data_option
def compare(a: str, b: str, *, data: str | None) -> int:
    """Print where the catalogs A and B (names or files) differ, one line of JSON each; exit with 1 if they do."""
    try:
        differences = list(sharing.compare_files(bootstrap.find_games(), a, b, resolve_data_folder(data).catalogs))
    except CatalogError as error:
        raise click.ClickException(error.faults[0]) from error
    for difference in differences:
        _print_json(difference)
    return NO if differences else 0


def _print_faults(file: Path, error: CatalogError) -> int:
    """Print every fault with its place and return the exit code; raise for a file that cannot be read at all."""
    if not error.placed:
        raise click.ClickException(error.faults[0]) from error
    for line, place, words in error.placed:
        _print_json({"file": str(file), "line": line, "place": place, "fault": words})
    return NO


def _print_json(line: dict[str, Any]) -> None:
    click.echo(json.dumps(line, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace"))
