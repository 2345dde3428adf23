"""The page of the rules, open to everybody; problem details and "Why?" lead to it."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.game_ui import manifest_face
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def rules() -> AnyResponse:
    """Show every rule and refusal of a game (``?game=``) under its id; ``?table=`` leads back to a table."""
    words, values = page_values()
    table = request.args.get("table", "")
    back = f"/tables/{table}" if table.isalnum() else "/"
    chapters = manifest_face(values["manifest"]).chapters(words)
    return remember_language(make_response(render_template("rules.html", **values, chapters=chapters, back=back)))


@blueprint.get("/rules/<name>")
def one(name: str) -> AnyResponse:
    """Give one rule, by its id or that of a refusal, to be laid over a page."""
    words, values = page_values()
    found = manifest_face(values["manifest"]).rule(words, name)
    if found is None:
        return make_response("", 404)
    return make_response(render_template("rule.html", **values, rule=found, refusal=name))
