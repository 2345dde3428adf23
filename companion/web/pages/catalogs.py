"""The page of catalogs: saved as files, taken in, copied, held beside each other.  For the banker."""

from flask import Blueprint, make_response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import current_caller, services
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("catalogs", __name__)


@blueprint.get("/catalogs")
def catalogs() -> AnyResponse:
    """List the catalogs of all games."""
    found = services().shared_catalogs if current_caller().role == "banker" else None
    if found is None:
        return redirect("/")
    _, values = page_values()
    files = found.all()
    games = [
        (edition.manifest.title, [one for one in files if one.game == name])
        for name, edition in services().tables.editions.items()
    ]
    return remember_language(make_response(render_template("catalogs.html", **values, shelves=games)))
