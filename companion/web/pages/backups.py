"""The page of backups: which there are, where they lie, and one more now.  For the banker."""

from flask import Blueprint, make_response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import current_caller, services
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("backup_page", __name__, url_prefix="/backups")


@blueprint.get("")
def backups() -> AnyResponse:
    """List the backups."""
    found = services().backups if current_caller().role == "banker" else None
    if found is None:
        return redirect("/")
    _, values = page_values()
    kept = found.all()
    page = render_template("backups.html", **values, backups=kept, place=found.place, fault=found.fault)
    return remember_language(make_response(page))
