"""Diagnostics and backups, for the organiser alone: its findings, a report for helpers, and backups."""

import io
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, send_file

from companion.service.backups import Backup, BackupFault, Backups, UnknownBackup
from companion.service.services import Diagnostics
from companion.web.api.shapes import Timestamp
from companion.web.http.auth import services
from companion.web.http.endpoint import INSIDE, SENDING, Answer, ClosedShape, Content, described, endpoint
from companion.web.http.problems import Problem, require

ZIP = Content({"application/zip": bytes})

blueprint = Blueprint("admin", __name__)


class FindingJson(ClosedShape):
    """State of a part of the installation: whether it works and is needed, and advice."""

    name: str
    works: bool
    needed: bool
    told: str
    mend: str


class FindingsJson(ClosedShape):
    """State of all parts, and whether games can be served."""

    could_serve: bool
    findings: list[FindingJson]


class BackupJson(ClosedShape):
    """A backup that is kept."""

    name: str
    made: Timestamp
    size: Annotated[int, described("Bytes.")]


class BackupsJson(ClosedShape):
    """The backups, where they are, and what kept the latest from being made."""

    place: str
    fault: str | None
    backups: list[BackupJson]


class RestoringJson(ClosedShape):
    """The backup that is put in place."""

    restores: str


BackupName = Annotated[str, "The name of the backup."]


@blueprint.get("/doctor")
@endpoint(
    "What works on this machine, and what to do about what does not; for the organiser.",
    answers=Answer("Findings.", FindingsJson),
    problems=INSIDE,
)
def look_at_everything() -> Response:
    """Return what works and what does not."""
    findings = _require_care().findings()
    could_serve = all(finding.works for finding in findings if finding.needed)
    return jsonify({"could_serve": could_serve, "findings": [finding.as_json() for finding in findings]})


@blueprint.get("/doctor/report")
@endpoint(
    "A report for whoever helps: findings, versions, log, sizes of tables; for the organiser.",
    answers=Answer("The file.", ZIP),
    problems=INSIDE,
)
def report() -> Response:
    """Return the report as a zip archive."""
    packed = io.BytesIO(_require_care().report())
    answer = send_file(packed, "application/zip", as_attachment=True, download_name="companion-report.zip")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _require_care() -> Diagnostics:
    """Return what looks after the installation, to the organiser.  Raise ``Problem``."""
    return require(services().diagnostics, "Nothing is kept here.")


@blueprint.get("/backups")
@endpoint(
    "The backups that are kept, the newest first; for the organiser.",
    answers=Answer("Backups, where they are, and what kept the latest from being made.", BackupsJson),
    problems=INSIDE,
)
def list_backups() -> Response:
    """Return the backups, the newest first, and what kept the latest from being made."""
    backups = _require_backups()
    kept = [_backup_json(backup) for backup in backups.all()]
    return jsonify({"place": backups.location, "fault": backups.fault, "backups": kept})


@blueprint.post("/backups")
@endpoint(
    "Make a backup now; for the organiser.",
    answers=Answer("Made.", BackupJson, 201),
    problems=(*INSIDE, *SENDING, "not_stored"),
    counts_once=True,
)
def make_backup() -> tuple[Response, int]:
    """Make a backup now."""
    try:
        return jsonify(_backup_json(_require_backups().make())), 201
    except BackupFault as fault:
        raise Problem("not_stored", f"No backup could be made: {fault}.", why="failing") from None


@blueprint.post("/backups/<name>/restore")
@endpoint(
    "Put a backup in place of all that is here, for the organiser; then nobody is served for some seconds.",
    answers=Answer("It does, and is put in place now.", RestoringJson, 202),
    problems=(*INSIDE, *SENDING, "backup_unfit"),
    counts_once=True,
)
def restore_backup(name: BackupName) -> tuple[Response, int]:
    """Put a backup in place of all that is here: checked now, carried out while nobody is served for some seconds."""
    try:
        _require_backups().request_restore(name)
    except UnknownBackup:
        raise Problem("not_found", "No such backup.") from None
    except BackupFault as fault:
        raise Problem("backup_unfit", f"This backup cannot be put in place: {fault}.") from None
    return jsonify({"restores": name}), 202


@blueprint.get("/backups/<name>")
@endpoint(
    "The file of a backup: tables, catalogs, settings and the PIN among them; for the organiser.",
    answers=Answer("The file.", ZIP),
    problems=INSIDE,
)
def download_backup(name: BackupName) -> Response:
    """Return a backup's file."""
    try:
        file = _require_backups().open(name)
    except UnknownBackup:
        raise Problem("not_found", "No such backup.") from None
    answer = send_file(file, mimetype="application/zip", as_attachment=True, download_name=name)
    answer.headers["Cache-Control"] = "no-store"  # the PIN is in it
    return answer


def _require_backups() -> Backups:
    """Return the backups to the organiser.  Raise ``Problem``."""
    return require(services().backups, "Nothing is kept here.")


def _backup_json(backup: Backup) -> dict[str, Any]:
    return {"name": backup.name, "made": backup.made.isoformat(timespec="seconds"), "size": backup.size}
