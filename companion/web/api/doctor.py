"""What works on this machine, and a report for whoever helps.  For the banker alone."""

import io

from flask import Blueprint, Response, jsonify, send_file

from companion.service.services import Care
from companion.web.http.auth import services, the_banker
from companion.web.http.problems import Problem

blueprint = Blueprint("doctor", __name__, url_prefix="/doctor")


def care() -> Care:
    """Give what looks after the installation to the banker.  ``Problem``."""
    the_banker()
    found = services().care
    if found is None:
        raise Problem(404, "not_found", "Nothing is kept here.")
    return found


@blueprint.get("")
def doctor() -> Response:
    """Look at everything."""
    found = care().findings()
    could_serve = all(one.works for one in found if one.needed)
    return jsonify({"could_serve": could_serve, "findings": [one.as_json() for one in found]})


@blueprint.get("/report")
def report() -> Response:
    """Give the report as a zip archive."""
    packed = io.BytesIO(care().report())
    answer = send_file(packed, "application/zip", as_attachment=True, download_name="companion-report.zip")
    answer.headers["Cache-Control"] = "no-store"
    return answer
