"""The page on which the camera is looked after: checked in words, its lens and the mat found out step by step."""

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import services, the_banker
from companion.web.http.language import language
from companion.web.pages.calibrating_words import mat_title
from companion.web.pages.camera_sheet import watched
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("calibrate", __name__)


@blueprint.get("/calibrate")
def calibrate() -> AnyResponse:
    """Show the page to the banker; ``?table=`` leads back to a table."""
    the_banker()
    words, values = page_values()
    table = request.args.get("table", "")
    camera = watched(services(), "", services().scanner.sight(""))
    page = render_template(
        "calibrate.html",
        **values,
        camera=camera,
        can_calibrate=services().calibrating is not None and camera["state"] != "none",
        mats=[(mat.name, mat_title(words, mat)) for mat in services().mats],
        table=table if table.isalnum() else "",
    )
    return remember_language(make_response(page))


@blueprint.get("/calibrate/<name>.pdf")
def sheet(name: str) -> AnyResponse:
    """Give a sheet to be printed: ``board``, or a mat by its name."""
    the_banker()
    pdf = services().print_sheet(name, language())
    if pdf is None:
        raise NotFound
    return Response(pdf, mimetype="application/pdf")
