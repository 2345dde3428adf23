"""The page of the rules, open to everybody; problem details and "Why?" lead to it."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.games.master_builder.rules.rulebook import rule_about
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.rulebook_page import chapters, rule

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def rules() -> AnyResponse:
    """Show every rule and refusal under its id; ``?table=`` leads back to a table."""
    words, values = page_values()
    table = request.args.get("table", "")
    back = f"/tables/{table}" if table.isalnum() else "/"
    return remember_language(
        make_response(render_template("rules.html", **values, chapters=chapters(words), back=back))
    )


@blueprint.get("/rules/<name>")
def one(name: str) -> AnyResponse:
    """Give one rule, by its id or that of a refusal, to be laid over a page."""
    found = rule_about(name)
    if found is None:
        return make_response("", 404)
    words, values = page_values()
    return make_response(render_template("rule.html", **values, rule=rule(words, found), refusal=name))
