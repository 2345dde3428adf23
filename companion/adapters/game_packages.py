"""Games of other people in the data folder: unpacked from wheels or copied from folders, and found from there.

The environment of the program is never changed: an update makes a new one, and on a Raspberry Pi it belongs to root.
Each package has a folder of its own in ``games/``, which comes last on ``sys.path``, so that no package of a game can
stand in for one of the program's.  Nothing is ever downloaded.
"""

import re
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, PackageNotFoundError, PathDistribution, distribution
from pathlib import Path

from calibration.bounded_toml import decode_text, parse_toml

GROUP = "companion.games"
PROGRAM = "companion-table"
"""The program itself, which every game needs and none brings."""
OWN_MODULES = ("companion", "calibration")
ANY_MACHINE = "-none-any.whl"
MAKING_PREFIX = ".making-"
EARLIER = ".old"
LONGEST_INSTALL_S = 3600.0
"""Seconds after which a folder is no longer that of an install under way."""
MAX_UNPACKED_BYTES = 200_000_000
_LIMIT = re.compile(r"(<=|>=|==|!=|~=|<|>)\s*([0-9]+(?:\.[0-9]+)*)\s*(?=[,)]|$)")
_CONDITION = re.compile(r"\(?(python_version|sys_platform)\s*(<=|>=|==|!=|<|>)\s*['\"]([^'\"]+)['\"]\)?")
_NAME_OF_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


class PackageError(Exception):
    """A package that cannot be installed or removed; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class GamePackage:
    """A package with games: its folder in ``games/``, its name and version, and the games that it names.

    ``modules``: the top-level modules of its entry points.
    """

    folder: Path
    name: str
    version: str
    games: tuple[str, ...]
    modules: tuple[str, ...]


def use_packages(folder: Path) -> None:
    """Make the packages of a folder importable, those of the program before them.

    Packages that an install that was killed had moved away are put back before.
    """
    _clear_unfinished(folder)
    for package in list_packages(folder):
        if str(package.folder) not in sys.path:
            sys.path.append(str(package.folder))


def _clear_unfinished(folder: Path) -> None:
    """Put back the packages that an install that was killed has moved away, and delete what it has left since long."""
    for path in folder.glob(f"{MAKING_PREFIX}*") if folder.is_dir() else ():
        place = folder / path.name.removeprefix(MAKING_PREFIX).removesuffix(EARLIER)
        with suppress(OSError):  # of another user, or gone just now
            if path.name.endswith(EARLIER) and not place.exists():
                path.rename(place)
            elif time.time() - path.stat().st_mtime > LONGEST_INSTALL_S:
                shutil.rmtree(path)


def list_packages(folder: Path) -> list[GamePackage]:
    """Return the packages in a folder ``games/``, by name; none where there is no such folder."""
    if not folder.is_dir():
        return []
    places = sorted(place for place in folder.iterdir() if place.is_dir() and not place.name.startswith("."))
    return [package for place in places if (package := _package_in(place)) is not None]


def unpack_package(source: Path, extra_wheels: tuple[Path, ...], folder: Path) -> GamePackage:
    """Unpack a wheel, or the package of a project's folder, into a new folder beside the installed ones.

    Args:
        source: a wheel, or a folder with a ``pyproject.toml``.
        extra_wheels: wheels of libraries that the game needs and the program does not have.
        folder: the folder ``games/``.

    Raises:
        PackageError: where it is no game, or needs what is not here; nothing is left of it.
        OSError: where it cannot be read or written.

    """
    for each in (folder.parent, folder):  # the mode is that of the last one only
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=MAKING_PREFIX, dir=folder))
    try:
        for wheel in extra_wheels:
            _unpack_wheel(wheel, making)
        _copy_project(source, making) if source.is_dir() else _unpack_wheel(source, making)
        package = _require_game(making, source)
        _require_unshared(package, source, folder)
        _require_libraries(making, source)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise
    return package


def keep_package(package: GamePackage, folder: Path) -> GamePackage:
    """Put an unpacked package in its place, instead of an earlier version of it; the files of that are deleted."""
    place, earlier = folder / _normal(package.name), folder / f"{MAKING_PREFIX}{_normal(package.name)}{EARLIER}"
    shutil.rmtree(earlier, ignore_errors=True)
    if place.exists():
        place.rename(earlier)
    package.folder.rename(place)
    shutil.rmtree(earlier, ignore_errors=True)
    return replace(package, folder=place)


def discard_package(package: GamePackage) -> None:
    """Delete the files of a package."""
    going = package.folder.with_name(f"{MAKING_PREFIX}{package.folder.name.removeprefix(MAKING_PREFIX)}.gone")
    package.folder.rename(going)  # at a stroke: half a package would be a broken game
    shutil.rmtree(going)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _distributions(place: Path) -> Iterator[Distribution]:
    return (PathDistribution(info) for info in sorted(place.glob("*.dist-info")))


def _package_in(place: Path) -> GamePackage | None:
    """Return the package with games of a folder; ``None`` where there is none."""
    for installed in _distributions(place):
        points = sorted(point for point in installed.entry_points if point.group == GROUP)
        if points:
            games = tuple(point.name for point in points)
            modules = tuple(dict.fromkeys(point.value.partition(":")[0].partition(".")[0].strip() for point in points))
            return GamePackage(place, installed.metadata["Name"], installed.version, games, modules)
    return None


def _require_game(place: Path, source: Path) -> GamePackage:
    package = _package_in(place)
    if package is None:
        message = f"{source}: is no game: it names none under the entry point {GROUP}"
        raise PackageError(message)
    return package


def _require_unshared(package: GamePackage, source: Path, folder: Path) -> None:
    """Raise ``PackageError`` where a game or module of a package is another package's, or the program's own."""
    taken = next((name for name in OWN_MODULES if (package.folder / name).exists()), None)
    if taken is not None:
        message = f"{source}: brings a module {taken}, as the program itself is called: give it another name"
        raise PackageError(message)
    for other in (other for other in list_packages(folder) if _normal(other.name) != _normal(package.name)):
        game = next((game for game in package.games if game in other.games), None)
        module = next((module for module in package.modules if module in other.modules), None)
        first = f"companion game remove {game or other.games[0]} first"
        if game is not None:
            message = f"{source}: {game} is a game of the package {other.name}: {first}"
            raise PackageError(message)
        if module is not None:
            message = f"{source}: the package {other.name} has a module {module} too: give it another name, or {first}"
            raise PackageError(message)


def _unpack_wheel(wheel: Path, place: Path) -> None:
    if not wheel.name.endswith(".whl"):
        message = f"{wheel}: is no wheel; name a .whl file, or a folder with a pyproject.toml"
        raise PackageError(message)
    if not wheel.name.endswith(ANY_MACHINE):
        message = f"{wheel}: is built for one kind of machine only; a wheel for any (py3{ANY_MACHINE}) survives updates"
        raise PackageError(message)
    try:
        with zipfile.ZipFile(wheel) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED_BYTES:
                message = f"{wheel}: is larger than a game can be"
                raise PackageError(message)
            archive.extractall(place)
    except zipfile.BadZipFile as error:
        message = f"{wheel}: is no whole wheel; build or copy it again"
        raise PackageError(message) from error


def _copy_project(project: Path, place: Path) -> None:
    """Copy the packages of a project and describe them as a wheel would; nothing is built, so nothing is needed."""
    file = project / "pyproject.toml"
    if not file.is_file():
        is_package = (project.resolve().parent / "pyproject.toml").is_file()
        message = f"{project}: is no game: it has no pyproject.toml"
        message += "; the folder above it has: name that" if is_package else ""
        raise PackageError(message)
    try:
        about = parse_toml(decode_text(file.read_bytes())).get("project", {})
        name, version = str(about["name"]), str(about["version"])
        points = {str(game): str(target) for game, target in about.get("entry-points", {}).get(GROUP, {}).items()}
        needs = [str(need) for need in about.get("dependencies", ())]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{file}: does not say name and version ({error}); build a wheel, and install that"
        raise PackageError(message) from error
    if not points:
        message = f'{project}: is no game: its pyproject.toml has no [project.entry-points."{GROUP}"]'
        raise PackageError(message)
    for target in points.values():
        module = target.partition(":")[0].partition(".")[0]
        source = next((root / module for root in (project, project / "src") if (root / module).is_dir()), None)
        if source is None:
            message = f"{project}: has no folder {module}, which its entry point names"
            raise PackageError(message)
        if not (place / module).exists():
            shutil.copytree(source, place / module, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    info = place / f"{re.sub('[-_.]+', '_', name)}-{version}.dist-info"
    info.mkdir()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {need}" for need in needs),
    ]
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    named = [f"[{GROUP}]", *(f"{game} = {target}" for game, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(named) + "\n", encoding="utf-8")


def _require_libraries(place: Path, source: Path) -> None:
    """Raise ``PackageError`` where a library is needed that is not here, or in another version.

    What a marker says is read as far as it compares ``python_version`` and ``sys_platform``; with any other a library
    is taken as not needed.
    """
    there = {_normal(installed.metadata["Name"]) for installed in _distributions(place)} | {PROGRAM}
    for installed in _distributions(place):
        for need in installed.requires or ():
            name, (wanted, _, marker) = _NAME_OF_REQUIREMENT.match(need), need.partition(";")
            if name is None or _normal(name[1]) in there or not _holds(marker):
                continue
            try:
                version = distribution(name[1]).version
            except PackageNotFoundError as error:
                message = f"{source}: needs the library {need}, which is not here; name its wheel too: --with WHEEL"
                raise PackageError(message) from error
            if not all(_fits(version, *limit) for limit in _LIMIT.findall(wanted)):
                message = f"{source}: needs the library {need}, and its version here is {version}"
                raise PackageError(message)


def _holds(marker: str) -> bool:
    """Return whether the marker of a requirement holds here; an empty one does."""
    ways = (way.split(" and ") for way in marker.split(" or "))
    return not marker.strip() or any(all(map(_holds_alone, conditions)) for conditions in ways)


def _holds_alone(condition: str) -> bool:
    match = _CONDITION.fullmatch(condition.strip())
    if match is None:
        return False
    variable, relation, value = match.groups()
    if variable == "sys_platform":
        return relation in ("==", "!=") and (sys.platform == value) is (relation == "==")
    return _fits(f"{sys.version_info[0]}.{sys.version_info[1]}", relation, value)


def _fits(version: str, relation: str, limit: str) -> bool:
    """Return whether a version is within a limit, by its leading numbers."""
    texts = (re.split("[^0-9.]", text, maxsplit=1)[0] for text in (version, limit))
    ours, theirs = ([int(number) for number in text.split(".") if number] for text in texts)
    length = max(len(ours), len(theirs))
    ours, shared = ours + [0] * (length - len(ours)), theirs[:-1]
    theirs += [0] * (length - len(theirs))
    fits = {
        "<": ours < theirs,
        "<=": ours <= theirs,
        ">": ours > theirs,
        ">=": ours >= theirs,
        "==": ours == theirs,
        "!=": ours != theirs,
        "~=": ours >= theirs and ours[: len(shared)] == shared,
    }
    return fits[relation]
