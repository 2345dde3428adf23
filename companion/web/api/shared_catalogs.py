"""Catalogs as files: list, download, upload, copy, compare.  For the organiser."""

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, request

from companion.service.catalogs import CatalogFile, FaultyCatalog, SharedCatalogs, UnknownCatalog
from companion.web.http.auth import services
from companion.web.http.endpoint import (
    INSIDE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    Content,
    Parameter,
    described,
    endpoint,
)
from companion.web.http.problems import Problem, require

blueprint = Blueprint("shared_catalogs", __name__, url_prefix="/catalogs")

GameName = Annotated[str, "The game."]
CatalogName = Annotated[str, "The name of the catalog."]


class CatalogJson(ClosedShape):
    """A catalog that is kept as a file."""

    game: str
    name: str
    title: str
    own: Annotated[bool, described("Somebody has brought or taught it.")]
    fault: Annotated[str | None, described("Why it cannot be played with.")]


class CatalogsJson(ClosedShape):
    """The catalogs of all games."""

    catalogs: list[CatalogJson]


class CatalogDifferenceJson(ClosedShape):
    """A place at which two catalogs differ, with what stands in each."""

    place: str
    a: Any
    b: Any


class CatalogDifferencesJson(ClosedShape):
    """Where two catalogs differ."""

    differences: list[CatalogDifferenceJson]


class CopyCatalog(ClosedShape):
    """The name of a copy."""

    name: str


COPY_CATALOG = Body[CopyCatalog](CopyCatalog, 'Send {"name": "my-box-2"}.')
CATALOG_FILE = Content({"application/toml": Annotated[str, described("A catalog as TOML, of 200,000 bytes at most.")]})


def require_catalogs() -> SharedCatalogs:
    """Return the catalogs to the organiser.  Raise ``Problem``."""
    return require(services().shared_catalogs, "No catalogs are kept here.")


@blueprint.get("")
@endpoint("The catalogs of all games; for the organiser.", answers=Answer("Catalogs.", CatalogsJson), problems=INSIDE)
def list_catalogs() -> Response:
    """Return the catalogs of all games."""
    return jsonify({"catalogs": [_catalog_json(catalog) for catalog in require_catalogs().all()]})


@blueprint.get("/<game>/<name>.toml")
@endpoint(
    "A catalog's file; for the organiser.  Pictures of cards are in none.",
    answers=Answer("The file.", Content({"application/toml": str})),
    problems=INSIDE,
)
def save_catalog(game: GameName, name: CatalogName) -> Response:
    """Return a catalog's file."""
    try:
        text = require_catalogs().text(game, name)
    except UnknownCatalog:
        raise _unknown_problem() from None
    answer = Response(text, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.toml"'
    return answer


@blueprint.post("/<name>")
@endpoint(
    "Check a catalog file that somebody else wrote, and keep it under a name; for the organiser.",
    answers=Answer("Kept.", CatalogJson, 201),
    problems=(*INSIDE, *SENDING, "foreign_format", "catalog_faulty", "not_stored"),
    body=CATALOG_FILE,
    counts_once=True,
)
def take_in_catalog(name: Annotated[str, "What it is called here."]) -> tuple[Response, int]:
    """Check a file that is sent as ``application/toml``, and store it under a name."""
    catalogs = require_catalogs()
    if request.mimetype != "application/toml":
        raise Problem("foreign_format", "Send the file as application/toml.")
    return _stored(lambda: catalogs.take_in(name, request.get_data(cache=False)))


@blueprint.post("/<game>/<name>/copy")
@endpoint(
    "Keep a catalog under one more name; for the organiser.",
    answers=Answer("Kept.", CatalogJson, 201),
    problems=(*INSIDE, *SENDING, "catalog_faulty", "not_stored"),
    body=COPY_CATALOG,
    counts_once=True,
)
def copy_catalog(game: GameName, name: CatalogName) -> tuple[Response, int]:
    """Store a catalog under one more name."""
    catalogs = require_catalogs()
    new_name = COPY_CATALOG.read().name
    return _stored(lambda: catalogs.copy(game, name, new_name))


@blueprint.get("/<game>/<name>/differences")
@endpoint(
    "Where a catalog differs from another of the same game; for the organiser.",
    answers=Answer("Differences.", CatalogDifferencesJson),
    problems=(*INSIDE, "catalog_faulty"),
    parameters=(Parameter("from", "The catalog beside which it is held.", required=True),),
)
def compare_catalogs(game: GameName, name: CatalogName) -> Response:
    """Return where a catalog differs from another of the same game (``?from=``)."""
    try:
        differences = require_catalogs().compare(game, name, request.args.get("from", ""))
    except UnknownCatalog:
        raise _unknown_problem() from None
    except FaultyCatalog as faulty:
        raise _faulty_problem(faulty) from None
    return jsonify(
        {
            "differences": [
                {**difference, "a": _json_value(difference["a"]), "b": _json_value(difference["b"])}
                for difference in differences
            ]
        }
    )


def _stored(keep: Any) -> tuple[Response, int]:
    try:
        return jsonify(_catalog_json(keep())), 201
    except UnknownCatalog:
        raise _unknown_problem() from None
    except FaultyCatalog as faulty:
        raise _faulty_problem(faulty) from None


def _catalog_json(catalog: CatalogFile) -> dict[str, Any]:
    about = {"game": catalog.game, "name": catalog.name, "title": catalog.title}
    return {**about, "own": catalog.own, "fault": catalog.fault or None}


def _unknown_problem() -> Problem:
    return Problem("not_found", "There is no such catalog.")


def _faulty_problem(faulty: FaultyCatalog) -> Problem:
    faults = [{"line": line, "place": place, "detail": words} for line, place, words in faulty.faults]
    return Problem("catalog_faulty", "This catalog cannot be taken in.", faults=faults)


def _json_value(value: object) -> object:
    """Return a value of a file as JSON; dates and times, which no catalog has, as text."""
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)
