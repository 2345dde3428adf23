"""Joining a game already begun: what lies on the table is entered on one page."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import WALL_NUMBERS, ContractKind
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.unsold import PREMIUM
from companion.web.auth import current_caller, services
from companion.web.pages.house_rules import lobby_rules
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.lobby import COLOURS, decks_to_choose
from companion.web.pages.scene import RANKING

blueprint = Blueprint("take_over", __name__)

CONTRACTS = 12


@blueprint.get("/take-over")
def take_over() -> AnyResponse:
    """Show the form to the banker; it is sent to ``POST /api/v1/tables``."""
    if current_caller().role != "banker":
        return redirect("/")
    words, values = page_values()
    page: Response = make_response(
        render_template(
            "take_over.html",
            **values,
            colours=COLOURS,
            lots=[_lot(number) for number in range(1, CONTRACTS + 1)],
            **decks_to_choose(services().tables.catalogs()),
            ranks=RANKING,
            box=MONEY,
            premium=PREMIUM,
            house=lobby_rules(words),
        )
    )
    return remember_language(page)


def _lot(number: int) -> dict[str, Any]:
    """Describe a contract by its number alone, which is printed on every deck's cards alike."""
    kind: ContractKind = "city_wall" if number in WALL_NUMBERS else "house"
    return {"id": f"C{number:02}", "number": number, "kind": kind, "sections": section_names(kind)}
