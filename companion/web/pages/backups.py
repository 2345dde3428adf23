"""The page of backups and of what works here: which there are, where they lie, one more now.  For the banker."""

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import current_caller, services
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("backup_page", __name__, url_prefix="/backups")


@blueprint.get("")
def backups() -> AnyResponse:
    """List the backups; with ``?look`` say what works, too."""
    found = services().backups if current_caller().role == "banker" else None
    if found is None:
        return redirect("/")
    _, values = page_values()
    kept = found.all()
    looked = services().care if "look" in request.args else None
    findings = None if looked is None else looked.findings()
    page = render_template(
        "backups.html", **values, backups=kept, place=found.location, fault=found.fault, findings=findings
    )
    return remember_language(make_response(page))
