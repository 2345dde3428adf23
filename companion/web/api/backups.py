"""Backups: which there are, one more now, and their files.  For the banker alone."""

from typing import Any

from flask import Blueprint, Response, jsonify, send_file

from companion.service.backups import Backup, BackupFault, Backups, UnknownBackup
from companion.web.http.auth import services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem

blueprint = Blueprint("backups", __name__, url_prefix="/backups")


def backups() -> Backups:
    """Give the backups to the banker.  ``Problem``."""
    the_banker()
    found = services().backups
    if found is None:
        raise Problem(404, "not_found", "Nothing is kept here.")
    return found


def as_json(one: Backup) -> dict[str, Any]:
    """Write a backup."""
    return {"name": one.name, "made": one.made.isoformat(timespec="seconds"), "size": one.size}


@blueprint.get("")
def all_backups() -> Response:
    """List the backups, the newest first, and what kept the latest from being made."""
    found = backups()
    kept = [as_json(one) for one in found.all()]
    return jsonify({"place": found.place, "fault": found.fault, "backups": kept})


@blueprint.post("")
@once
def make() -> tuple[Response, int]:
    """Make a backup now."""
    try:
        return jsonify(as_json(backups().make())), 201
    except BackupFault as fault:
        raise Problem(507, "not_stored", f"No backup could be made: {fault}.", why="failing") from None


@blueprint.post("/<name>/restore")
@once
def restore(name: str) -> tuple[Response, int]:
    """Put a backup in place of all that is here: checked now, carried out while nobody is served for some seconds."""
    try:
        backups().go_back_to(name)
    except UnknownBackup:
        raise Problem(404, "not_found", "No such backup.") from None
    except BackupFault as fault:
        raise Problem(422, "backup_unfit", f"This backup cannot be put in place: {fault}.") from None
    return jsonify({"restores": name}), 202


@blueprint.get("/<name>")
def one(name: str) -> Response:
    """Give a backup's file."""
    try:
        file = backups().opened(name)
    except UnknownBackup:
        raise Problem(404, "not_found", "No such backup.") from None
    answer = send_file(file, mimetype="application/zip", as_attachment=True, download_name=name)
    answer.headers["Cache-Control"] = "no-store"  # the PIN is in it
    return answer
