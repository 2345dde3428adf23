"""``companion game``: install games of other people, begin one of one's own, and check it."""

import keyword
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Any

import click

from companion import bootstrap
from companion.adapters.backup.archive import FolderInUse, lock_folder
from companion.adapters.game_packages import (
    GamePackage,
    PackageError,
    discard_package,
    keep_package,
    list_packages,
    unpack_package,
)
from companion.bootstrap.games import InstalledGames, word_gaps
from companion.cli.options import (
    GAME,
    GameParameter,
    data_option,
    hand_down_options,
    unused_data_option,
    unused_language_option,
)
from companion.cli.output import NO, force_option, output_file, progress, require_writable
from companion.config import DataFolder, resolve_data_folder
from companion.game_api.catalog_parsing import CatalogError
from companion.resources import packaged_path

LONGEST_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)


WHEEL = click.Path(path_type=Path)


@click.group(short_help="Install, begin and check games.")
@data_option
@click.pass_context
@unused_language_option
def game(context: click.Context, data: str | None) -> None:
    """Install games of other people, begin one of your own, and check it."""
    hand_down_options(context, data=data)


class GameNameParameter(GameParameter):
    """The name of a game that is installed, also of one that cannot be loaded."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name itself."""
        del param, ctx
        return value


@game.command(short_help="Find what is wrong with a game.")
@click.argument("name", metavar="NAME|WHEEL|FOLDER", type=GameNameParameter())
@click.option("--games", type=click.IntRange(0), default=1000, show_default=True, help="So many random games.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Which random games.")
@click.option("--money", is_flag=True, help="Print what each kind of event paid to whom, once.")
@unused_data_option
@unused_language_option
def check(name: str, *, games: int, seed: int, money: bool) -> int:
    """Find what is wrong with the game NAME, or with one that is not installed, in a WHEEL or FOLDER.

    Prints a line for each fault, and exits with 1 if there are any. Where a game has the name of a folder, the folder
    is ./NAME. Its names, sentences and parts are examined, and random games are played by its offers alone: every offer
    is accepted, undo and restart are exact, nothing hidden is told, and an end is reached. Only you know which way
    money was meant to go: look at the lines of --money.
    """
    installed = bootstrap.find_games()
    if name in {*installed.manifests, *installed.broken} or not Path(name).exists():
        return _report_faults(name, installed, games, seed, money=money)
    with TemporaryDirectory() as folder:
        package = _or_in_words(lambda: unpack_package(Path(name), (), Path(folder)))
        before = installed.broken
        with _found_with(package, Path(name)) as installed:
            others = [*_broken_by(package, installed, before), *_names_apart(package, installed)]
            for line in others:
                click.echo(line)
            loadable = [each for each in package.games if each in {*installed.manifests, *installed.broken}]
            codes = [_report_faults(each, installed, games, seed, money=money) for each in loadable]
            return max(*codes, NO if others else 0, 0)


def _report_faults(name: str, installed: InstalledGames, games: int, seed: int, *, money: bool) -> int:
    """Print the faults of a game and what else was noticed; return the exit code."""
    if name in installed.broken:
        for line in installed.broken[name].splitlines():
            click.echo(f"{name}: {line}")
        return NO
    manifest = installed.manifests.get(name) or GAME.convert(name, None, None)
    from companion.bot_games.trial import declared_faults, played_faults
    from companion.bot_games.trial_report import ENOUGH_GAMES, TrialReport, remarks

    met = TrialReport()
    with progress(f"examining {manifest.title}"):
        faults = list(declared_faults(manifest))
    for fault in faults:
        click.echo(f"{name}: {fault}")
    with progress(f"playing {manifest.title}") as report:

        def report_played(played: int) -> None:
            noticed = f", {len(met.faults)} noticed" if met.faults else ""
            report(f"{played} of {games} games{noticed}")

        in_games = list(played_faults(manifest, games, seed, report_played, met))
    for fault in in_games:
        click.echo(f"{name}: {fault}")
    for payment in met.payments.values() if money else ():
        click.echo(f"{name}, money: {payment}", err=True)
    if games < ENOUGH_GAMES:
        few = f"what is never offered, never happens or is never met is looked for from --games {ENOUGH_GAMES} on"
        click.echo(f"{name}, no fault: {few}", err=True)
    for remark in (*word_gaps(manifest), *remarks(manifest, met)):
        click.echo(f"{name}, no fault: {remark}", err=True)
    number = len(faults) + len(in_games)
    counted = {0: "no fault", 1: "1 fault"}.get(number, f"{number} faults")
    played = f"{met.games} random games from seed {seed}" if met.games else "no random game was played"
    click.echo(f"{manifest.title}: {played}, {counted}", err=True)
    return NO if number else 0


@game.command(short_help="Write a new game that can be played at once.")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@force_option
@unused_data_option
@unused_language_option
def new(name: str, folder: Path | None, *, force: bool) -> None:
    """Write a game called NAME (small letters, digits and underscores) into FOLDER, by default one of its name.

    It has a few cards, one phase, sentences in three languages and tests; it can be installed and played at once.
    """
    _require_free(name)
    folder = Path(name.replace("_", "-")) if folder is None else folder
    require_writable(folder, force=force, names_folder=True)
    for file, text in sample_files(name, _free_label_code(name)).items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with output_file(path, force=force) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    click.echo(f"{folder}: companion game install {folder}, then companion game check {name}", err=True)


@game.command(short_help="Install a game from a wheel or a folder.")
@click.argument("source", metavar="WHEEL|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--with", "extra", metavar="WHEEL", multiple=True, type=click.Path(path_type=Path), help="A library of it."
)
@data_option
@unused_language_option
def install(source: Path, *, extra: tuple[Path, ...], data: str | None) -> None:
    """Install a game from a wheel, or from a folder with a pyproject.toml; an earlier version of it is replaced.

    It is kept in the data folder, where updates of the companion leave it. Nothing is downloaded.
    """
    folder = resolve_data_folder(data)
    before = bootstrap.find_games()
    with progress(f"unpacking {source}"):
        package = _or_in_words(lambda: unpack_package(source, extra, folder.games))
    try:
        with progress("trying the game"):
            _require_playable(source, package, before.broken)
        keep_package(package, folder.games)
    except BaseException:
        if package.folder.exists():
            discard_package(package)
        raise
    click.echo(f"{package.name} {package.version}: {', '.join(package.games)}{_from_next_start(folder)}", err=True)


@game.command(short_help="Remove a game that was installed; its saved games stay.")
@click.argument("name", type=GameNameParameter())
@data_option
@unused_language_option
def remove(name: str, *, data: str | None) -> None:
    """Remove the game NAME that was installed by this program; its saved games stay and wait for it."""
    folder = resolve_data_folder(data)
    packages = list_packages(folder.games)
    package = next((package for package in packages if name in (*package.games, package.name)), None)
    if package is None:
        installed = bootstrap.find_games()
        if name in installed.manifests or name in installed.broken:
            message = f"{name} was not installed by companion game install, so it cannot be removed by this command"
        else:
            games = ", ".join(game for package in packages for game in package.games) or "there is none"
            message = f"no game {name[:LONGEST_NAME]!r} is installed in {folder.games}: {games}"
        raise click.BadParameter(message, param_hint="NAME")
    discard_package(package)
    click.echo(f"{package.name} {package.version} is removed{_from_next_start(folder)}", err=True)


@game.command(name="list", short_help="List the games that can be played.")
@data_option
@unused_language_option
def list_games(*, data: str | None) -> None:
    """Print each game with its title and where it comes from, and why one cannot be played; one a line."""
    places = {game: package for package in list_packages(resolve_data_folder(data).games) for game in package.games}
    installed = bootstrap.find_games()
    for name, manifest in installed.manifests.items():
        package = places.get(name)
        version = "" if package is None else f", {package.name} {package.version}"
        click.echo(f"{name}: {manifest.title}{version}")
    for name, reason in installed.broken.items():
        click.echo(f"{name}: cannot be played: {reason}")


def _or_in_words(install_package: Callable[[], GamePackage]) -> GamePackage:
    """Return the package that a function installs; raise ``ClickException`` with its reason where it cannot be."""
    try:
        return install_package()
    except PackageError as error:
        raise click.ClickException(str(error)) from error


def _require_playable(source: Path, package: GamePackage, broken: Mapping[str, str]) -> None:
    """Raise ``ClickException`` unless a package's games can be loaded beside all others.

    ``broken`` are the games that could not be loaded before.
    """
    with _found_with(package, source) as installed:
        pass
    reasons = ["; ".join(installed.broken[game].splitlines()) for game in package.games if game in installed.broken]
    apart = [*_modules_elsewhere(package), *_names_apart(package, installed)]
    faults = [*reasons, *apart, *_broken_by(package, installed, broken)]
    if faults:
        message = f"{source}: cannot be played here: {faults[0]}"
        raise click.ClickException(message)


def _broken_by(package: GamePackage, installed: InstalledGames, before: Mapping[str, str]) -> list[str]:
    """Return a line about each other game that cannot be loaded beside those of a package."""
    others = [game for game in installed.broken if game not in {*before, *package.games}]
    return [f"{game}: {installed.broken[game]}" for game in others]


def _names_apart(package: GamePackage, installed: InstalledGames) -> list[str]:
    """Return a line about each game of a package whose entry point has another name than its manifest."""
    apart = [game for game in package.games if game not in {*installed.manifests, *installed.broken}]
    return [f"{game}: its entry point is called so, and its manifest otherwise: give both one name" for game in apart]


@contextmanager
def _found_with(package: GamePackage, source: Path) -> Iterator[InstalledGames]:
    """Yield the games with those of a package, instead of an earlier version of it, for as long as a block runs.

    The package's own files are read, also where its modules can be imported from elsewhere.  Why a game cannot be
    loaded names the files of the ``source``, not their copies, and has a line for each fault of its cards.
    """
    with _without_earlier(package):
        sys.path.insert(0, str(package.folder))
        installed = bootstrap.find_games()
        broken = {game: _of_source(reason, package, source) for game, reason in installed.broken.items()}
        yield InstalledGames(installed.manifests, broken)


def _of_source(reason: str, package: GamePackage, source: Path) -> str:
    first, *places = reason.split(f"{package.folder}/")
    is_catalog = first == f"{CatalogError.__name__}: "
    return (
        "\n".join(f"{source}/{place.strip()}" for place in places)
        if is_catalog
        else f"{source}/".join([first, *places])
    )


@contextmanager
def _without_earlier(package: GamePackage) -> Iterator[None]:
    """Keep an earlier version of a package from being found for as long as a block runs."""
    earlier, before = re.sub(r"[-_.]+", "-", package.name).lower(), [*sys.path]
    sys.path[:] = [place for place in before if Path(place).name != earlier]
    _forget_modules(package)
    try:
        yield
    finally:
        sys.path[:] = before
        _forget_modules(package)


def _modules_elsewhere(package: GamePackage) -> Iterator[str]:
    """Yield a line about each module of a package that this Python environment has, so that the game's is never read.

    What lies in the folder in which the command is given is found there by this command alone.
    """
    with _without_earlier(package):
        sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path.cwd()]
        specs = {module: find_spec(module) for module in package.modules}
    for module, spec in specs.items():
        if spec is not None and spec.origin is not None:
            place = (
                f"its module {module} is in this Python environment already ({spec.origin}), and would be read there"
            )
            yield f"{place}: take it away there, or give the module another name"


def _forget_modules(package: GamePackage) -> None:
    """Let the next import of a package's modules read their files: an earlier version may have been imported."""
    modules = {top.name for top in package.folder.iterdir()}
    for module in [module for module in sys.modules if module.partition(".")[0] in modules]:
        del sys.modules[module]


def _from_next_start(folder: DataFolder) -> str:
    """Return that a running companion has to be started again; empty where none runs."""
    if not folder.path.exists():
        return ""
    try:
        with lock_folder(folder.lock):
            return ""
    except FolderInUse:
        return "; the running companion knows it from its next start"


def sample_files(name: str, label_code: str) -> dict[str, str]:
    """Return the files of a new game by their paths."""
    title = name.replace("_", " ").title()
    written = {"my_game": name, "my-game": name.replace("_", "-"), "My Game": title, "MyGame": title.replace(" ", "")}
    files = dict[str, str]()
    source = packaged_path("cli", "new_game")
    for path in sorted(source.rglob("*.txt")):
        file, text = path.relative_to(source).as_posix().removesuffix(".txt"), path.read_text(encoding="utf-8")
        for sample, instead in {**written, '"ZZ"': f'"{label_code}"'}.items():
            file, text = file.replace(sample, instead), text.replace(sample, instead)
        files[file] = text
    return files


def _require_free(name: str) -> None:
    """Raise ``BadParameter`` for a name that no new game can have."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME or keyword.iskeyword(name):
        message = f"{name[:LONGEST_NAME]!r} is no name for a game: take small letters, digits and underscores"
        raise click.BadParameter(message, param_hint="NAME")
    installed = bootstrap.find_games()
    if name in installed.manifests or name in installed.broken:
        raise click.BadParameter(f"a game is called {name} already", param_hint="NAME")
    if find_spec(name) is not None:
        raise click.BadParameter(f"a Python package is called {name} already", param_hint="NAME")


def _free_label_code(name: str) -> str:
    """Return two letters, of the name if possible, that stand on the labels of no other game."""
    taken = {manifest.label_code for manifest in bootstrap.find_games().manifests.values()}
    letters = [letter for letter in name.upper() if letter in ascii_uppercase]
    initials = [part[0].upper() for part in name.split("_") if part[0].upper() in ascii_uppercase]
    own = (first + second for first in letters[:1] for second in (*initials[1:], *letters[1:]))
    every = (first + second for first, second in product(ascii_uppercase, repeat=2))
    return next(code for code in (*own, *every) if code not in taken)
