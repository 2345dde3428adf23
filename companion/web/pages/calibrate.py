"""The page on which the camera is looked after: checked in words, its lens and the mat found out step by step."""

from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.web.auth import services, the_banker
from companion.web.pages.camera_sheet import watched
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("calibrate", __name__)


@blueprint.get("/calibrate")
def calibrate() -> AnyResponse:
    """Show the page to the banker."""
    the_banker()
    _, values = page_values()
    camera = watched(services(), "", services().scanner.sight(""))
    return remember_language(make_response(render_template("calibrate.html", **values, camera=camera)))
