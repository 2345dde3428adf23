"""Pages that games bring beside those of a table: joining a game already begun, and the like."""

from flask import Blueprint, Response, make_response, redirect, render_template
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.web.faces import manifest_face
from companion.web.http.auth import current_caller, services
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.lobby import decks_to_choose

blueprint = Blueprint("take_over", __name__)


@blueprint.get("/take-over")
def take_over() -> AnyResponse:
    """Show the form for what lies on the table to the banker; ``?game=`` says of which game."""
    return _own_page("take-over")


def _own_page(name: str) -> AnyResponse:
    if current_caller().role != "banker":
        return redirect("/")
    words, values = page_values()
    manifest = values["manifest"]
    face = manifest_face(manifest)
    if name not in face.pages:
        raise NotFound
    decks = [deck for deck in services().tables.catalogs() if deck["game"] == manifest.name]
    own = face.pages[name](words, decks)
    template = f"{face.folder}/{name.replace('-', '_')}.html"
    about = {**decks_to_choose(decks), "colours": manifest.seats.colours, **own}
    page: Response = make_response(render_template(template, **values, **about))
    return remember_language(page)
