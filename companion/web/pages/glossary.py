"""The page of words and symbols, open to everybody, like the rules."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.game_ui import manifest_face
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("glossary", __name__)


@blueprint.get("/words")
def glossary() -> AnyResponse:
    """Explain every word and symbol under its id; ``?table=`` leads back to a table."""
    words, values = page_values()
    table = request.args.get("table", "")
    table = table if table.isalnum() else ""
    face = manifest_face(values["manifest"])
    page = render_template(f"{face.folder}/words.html", **values, groups=face.terms(words), table=table)
    return remember_language(make_response(page))
