"""The JSON interface, one blueprint a file."""

from flask import Blueprint

from companion.web.api import (
    agreements,
    backups,
    box_pictures,
    boxes,
    calibration,
    camera,
    camera_check,
    commands,
    devices,
    dial,
    differences,
    doctor,
    explain,
    forecast,
    guests,
    hammer,
    invitations,
    journal,
    logins,
    notes,
    openapi,
    preparation,
    printer,
    proposals,
    reading,
    shared_catalogs,
    stream,
    tables,
    worth,
)

_PARTS = (
    logins,
    tables,
    commands,
    forecast,
    journal,
    explain,
    worth,
    notes,
    hammer,
    stream,
    proposals,
    dial,
    preparation,
    camera,
    camera_check,
    calibration,
    differences,
    devices,
    reading,
    agreements,
    invitations,
    guests,
    boxes,
    box_pictures,
    printer,
    shared_catalogs,
    backups,
    doctor,
    openapi,
)


def blueprint() -> Blueprint:
    """Put the whole interface together, under its first version's address."""
    whole = Blueprint("api", __name__, url_prefix="/api/v1")
    for part in _PARTS:
        whole.register_blueprint(part.blueprint)
    return whole
