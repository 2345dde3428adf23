"""What Master Builder can do besides being played."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.engine.game import Offer, Position
from companion.engine.ledger import BANK, BOX, player_account, transfer
from companion.game_api.capabilities import Advisor, Capabilities, Preparation
from companion.game_api.notes import Notes
from companion.games.master_builder.advice.needs import needs_view
from companion.games.master_builder.forecast.view import forecast_view, suggested_plan
from companion.games.master_builder.notes import NOTES, pay
from companion.games.master_builder.preparation import is_due, steps
from companion.games.master_builder.rules.commands import Command, HireOut, Pass
from companion.games.master_builder.rules.differences import differences
from companion.games.master_builder.rules.explanation import EXPLAINER
from companion.games.master_builder.rules.phases import waits
from companion.games.master_builder.rules.state import GamePosition, State, cash


def differences_view(state: State, zones: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return where cards in the zones of the mat contradict the books, as JSON."""
    return [
        {"difference": type(difference).__name__.lower(), **asdict(difference)}
        for difference in differences(state, zones)
    ]


def borrower(command: Command) -> str | None:
    """Return the player who must agree to borrow a worker; ``None`` for any other command."""
    return command.borrower if isinstance(command, HireOut) else None


def as_known(position: GamePosition, player: str) -> GamePosition:
    """Return the position with all money of the box in each purse that is hidden from a player."""
    ledger, all_money = position.ledger, -position.ledger.balance(BOX)
    if position.state.money_is_hidden:
        for other in position.state.seats:
            if other != player:
                ledger = ledger.post(transfer(BANK, player_account(other), all_money - cash(position, other)))
    return Position(position.state, ledger)


def command_card(position: GamePosition, offers: Sequence[Offer], word: str) -> Command | None:
    """Return the pass of the one player whose turn it is, where it is offered; no other word has a meaning."""
    waiting, _ = waits(position)
    if word != "pass" or len(waiting) != 1:
        return None
    offered = any((offer.do, offer.player) == ("pass", waiting[0]) for offer in offers)
    return Pass(waiting[0]) if offered else None


CAPABILITIES = Capabilities(
    explainer=EXPLAINER,
    forecast=forecast_view,
    advice=Advisor("plan", suggested_plan),
    needs=needs_view,
    notes=Notes(NOTES, pay),
    differences=differences_view,
    preparation=Preparation(is_due, steps),
    consent=borrower,
    as_known=as_known,
    command_card=command_card,
)
