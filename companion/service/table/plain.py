"""What a card may do without a tap, where the table's dial lets it."""

from collections.abc import Mapping
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import BANKER
from companion.service.table.table import Table


def is_plain(table: Table, command: Mapping[str, Any]) -> bool:
    """Say whether a command that was read may be carried out without a tap.

    It is the only offer of its kind, leaves no amount to choose, and moves no money of its own: what the rules make
    follow from it they force, whoever gives it.
    """
    offers = [offer for offer in table.show(BANKER)["offers"] if offer["do"] == command["do"]]
    if len(offers) != 1 or any(field["kind"] == "amount" for field in offers[0]["fields"].values()):
        return False
    edition, position = table.edition, table.position
    try:
        events = edition.game.decide(position, edition.codec.command(command))
    except Refused:
        return False
    return all(edition.game.account_for(event) is None for event in events)
