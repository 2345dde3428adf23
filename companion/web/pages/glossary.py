"""The page of words and symbols, open to everybody, like the rules."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.pages.glossary_page import groups
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("glossary", __name__)


@blueprint.get("/words")
def glossary() -> AnyResponse:
    """Explain every word and symbol under its id; ``?table=`` leads back to a table."""
    words, values = page_values()
    table = request.args.get("table", "")
    table = table if table.isalnum() else ""
    page = render_template("words.html", **values, groups=groups(words), table=table)
    return remember_language(make_response(page))
