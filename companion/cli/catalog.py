"""``companion catalog``: check, import, export and compare catalogs."""

from pathlib import Path

import click

from companion import bootstrap
from companion.bootstrap import catalog_sharing as sharing
from companion.cli.options import GAME, data_option, hand_down_options, unused_data_option, unused_language_option
from companion.cli.output import NO, force_option, output_file, print_json_line, progress
from companion.config import resolve_data_folder
from companion.game_api.catalog_parsing import CatalogError
from companion.game_api.manifest import Manifest

FILE = click.Path(path_type=Path)


@click.group()
@data_option
@click.pass_context
@unused_language_option
def catalog(context: click.Context, data: str | None) -> None:
    """Check, import, export and compare catalogs of any game."""
    hand_down_options(context, data=data)


@catalog.command(short_help="Print every fault of a catalog.")
@click.argument("file", type=FILE)
@unused_data_option
@unused_language_option
def check(file: Path) -> int:
    """Print every fault of FILE as a line of JSON with its place; exit with 1 if there are any."""
    try:
        with progress(f"checking {file}"):
            sharing.check_file(bootstrap.find_games(), file)
    except CatalogError as error:
        return _print_faults(file, error)
    return 0


@catalog.command(name="import", short_help="Check a catalog and take it in.")
@click.argument("file", type=FILE)
@click.option("--name", metavar="NAME", help="Its name here (default: the name of the file).")
@data_option
@unused_language_option
def take_in(file: Path, *, name: str | None, data: str | None) -> int:
    """Check FILE and copy it into the data folder, so that tables can use it."""
    catalog_name = name or file.stem.lower()
    try:
        with progress(f"checking {file}"):
            catalogs = resolve_data_folder(data).catalogs
            manifest = sharing.import_file(bootstrap.find_games(), file, catalog_name, catalogs)
    except CatalogError as error:
        return _print_faults(file, error)
    print_json_line({"catalog": catalog_name, "game": manifest.name})
    return 0


@catalog.command()
@click.argument("name")
@click.argument("file", type=FILE)
@click.option("--game", metavar="NAME", type=GAME, help="The game, where several have a catalog of this name.")
@force_option
@data_option
@unused_language_option
def export(name: str, file: Path, *, game: Manifest | None, force: bool, data: str | None) -> int:
    """Write the catalog NAME to FILE."""
    try:
        files = sharing.find_files(bootstrap.find_games(), name, resolve_data_folder(data).catalogs)
        if game is not None and game.name not in files:
            message = f"no catalog of {game.title} is called {name[:40]!r}"
            raise click.ClickException(message)
        source = files[game.name] if game is not None else next(iter(files.values()))
    except CatalogError as error:
        raise click.ClickException(str(error)) from error
    with output_file(file, force=force) as path:
        path.write_bytes(source.read_bytes())
    return 0


@catalog.command(short_help="Print where two catalogs differ.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@data_option
@unused_language_option
def compare(a: str, b: str, *, data: str | None) -> int:
    """Print where the catalogs A and B (names or files) differ, one line of JSON each; exit with 1 if they do."""
    try:
        with progress("comparing"):
            differences = list(sharing.compare_files(bootstrap.find_games(), a, b, resolve_data_folder(data).catalogs))
    except CatalogError as error:
        raise click.ClickException(error.faults[0]) from error
    for difference in differences:
        print_json_line(difference)
    return NO if differences else 0


def _print_faults(file: Path, error: CatalogError) -> int:
    """Print every fault with its place and return the exit code; raise for a file that cannot be read at all."""
    if not error.placed:
        raise click.ClickException(error.faults[0]) from error
    for line, place, words in error.placed:
        print_json_line({"file": str(file), "line": line, "place": place, "fault": words})
    return NO
