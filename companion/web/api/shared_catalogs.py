"""Catalogs as files: which there are, one to save, one to take in, a copy, where two differ.  For the banker alone."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.service.catalogs import CatalogFile, FaultyCatalog, SharedCatalogs, UnknownCatalog
from companion.web.http.auth import services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("shared_catalogs", __name__, url_prefix="/catalogs")


def shared() -> SharedCatalogs:
    """Give the catalogs to the banker.  ``Problem``."""
    the_banker()
    found = services().shared_catalogs
    if found is None:
        raise Problem(404, "not_found", "No catalogs are kept here.")
    return found


@blueprint.get("")
def all_catalogs() -> Response:
    """List the catalogs of all games."""
    return jsonify({"catalogs": [_as_json(one) for one in shared().all()]})


@blueprint.get("/<game>/<name>.toml")
def save(game: str, name: str) -> Response:
    """Give a catalog's file."""
    try:
        text = shared().text(game, name)
    except UnknownCatalog:
        raise _unknown() from None
    answer = Response(text, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.toml"'
    return answer


@blueprint.post("/<name>")
@once
def take_in(name: str) -> tuple[Response, int]:
    """Take a file as ``application/toml``, check it, and keep it under a name."""
    found = shared()
    if request.mimetype != "application/toml":
        raise Problem(415, "foreign_format", "Send the file as application/toml.")
    return _kept(lambda: found.take_in(name, request.get_data(cache=False)))


@blueprint.post("/<game>/<name>/copy")
@once
def copy(game: str, name: str) -> tuple[Response, int]:
    """Take ``{"name": NEW}``: the same catalog under one more name."""
    found, given = shared(), json_object()
    new_name = given.get("name")
    if set(given) != {"name"} or not isinstance(new_name, str):
        raise Problem(400, "malformed", 'Send {"name": "my-box-2"}.')
    return _kept(lambda: found.copy(game, name, new_name))


@blueprint.get("/<game>/<name>/differences")
def compare(game: str, name: str) -> Response:
    """Say where a catalog differs from another of the same game (``?from=``)."""
    try:
        told = shared().compare(game, name, request.args.get("from", ""))
    except UnknownCatalog:
        raise _unknown() from None
    except FaultyCatalog as faulty:
        raise _faulty(faulty) from None
    return jsonify({"differences": [{**one, "a": _plain(one["a"]), "b": _plain(one["b"])} for one in told]})


def _kept(keep: Any) -> tuple[Response, int]:
    try:
        return jsonify(_as_json(keep())), 201
    except UnknownCatalog:
        raise _unknown() from None
    except FaultyCatalog as faulty:
        raise _faulty(faulty) from None


def _as_json(one: CatalogFile) -> dict[str, Any]:
    about = {"game": one.game, "name": one.name, "title": one.title}
    return {**about, "own": one.own, "fault": one.fault or None}


def _unknown() -> Problem:
    return Problem(404, "not_found", "There is no such catalog.")


def _faulty(faulty: FaultyCatalog) -> Problem:
    faults = [{"line": line, "place": place, "detail": words} for line, place, words in faulty.faults]
    return Problem(422, "catalog_faulty", "This catalog cannot be taken in.", faults=faults)


def _plain(value: object) -> object:
    """Write what stands in a file as JSON; dates and times, of which catalogs know none, as words."""
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)
