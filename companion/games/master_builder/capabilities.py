"""Optional functions of Master Builder, among them what is laid ready before the first act."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.engine.game import Offer
from companion.game_api.capabilities import (
    Advisor,
    AnswerDescription,
    Argument,
    AskedCapability,
    Capabilities,
    Preparation,
    PreparationStep,
)
from companion.game_api.messages import Command
from companion.game_api.notes import notes_of
from companion.games.master_builder.advice import NeedsJson, needs_view
from companion.games.master_builder.forecast.view import ForecastJson, SuggestionJson, forecast_view, suggested_plan
from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.rules.commands import HireOut, Pass
from companion.games.master_builder.rules.explanation import EXPLAINER
from companion.games.master_builder.rules.phases import waits
from companion.games.master_builder.rules.reading import differences
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, NOTES, START_CASH
from companion.games.master_builder.rules.state import ECONOMY_DECK, EVENT_HAND, FEWEST, GamePosition, Hire, State

PILES: Mapping[str, str] = {"workers": "W", "contracts": "C", "events": "E", "economy": "Y"}
"""Steps whose piles cards can show, by the letter of the cards' ids."""


def is_due(position: GamePosition) -> bool:
    """Return whether the table still waits for its first hire."""
    state = position.state
    bare = not any(player.crew or player.contracts for player in state.players)
    return state.round == 1 and isinstance(state.phase, Hire) and bare


def steps(position: GamePosition, seen: Collection[str]) -> list[PreparationStep]:
    """Return what is laid ready, in an order in which several people can help, and what of it the cards seen show."""
    state = position.state
    types = {card.id: card.type for card in state.catalog.workers}
    return [PreparationStep(name, count, *piles_shown(name, seen, types)) for name, count in _figures(state).items()]


def _figures(state: State) -> dict[str, int]:
    """Return the figure of each step; 0 where it has none."""
    players = len(state.seats)
    return {
        "sections": 0,
        "workers": 0,
        "contracts": BOXED_WITH_TWO if players == FEWEST else 0,
        "events": EVENT_HAND if "selective_events" in state.variants else 0,
        "economy": ECONOMY_DECK,
        "money": START_CASH,
        "ious": 0,
        "markers": players,
        "mallet": 0,
    }


def piles_shown(step: str, cards: Collection[str], types: Mapping[str, str]) -> tuple[int, int]:
    """Return how many piles of a step the cards seen show, and how many it has; ``(0, 0)``: cards prove nothing.

    The workers lie in four piles by type (``types``: worker to type); any card of another pile shows that pile.
    """
    letter = PILES.get(step)
    if letter is None:
        return 0, 0
    in_view = [card for card in cards if card.startswith(letter)]
    if step != "workers":
        return min(len(in_view), 1), 1
    return len({types[card] for card in in_view if card in types}), len(RANK)


def differences_view(state: State, zones: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return where cards in the zones of the mat contradict the books, as JSON."""
    return [
        {"difference": type(difference).__name__.lower(), **asdict(difference)}
        for difference in differences(state, zones)
    ]


def borrower(command: Command) -> str | None:
    """Return the player who must agree to borrow a worker; ``None`` for any other command."""
    return command.borrower if isinstance(command, HireOut) else None


def hidden_money(position: GamePosition) -> tuple[str, ...]:
    """Return the players whose money the others may not see (house rule ``money``, D40)."""
    return position.state.seats if position.state.money_is_hidden else ()


def command_card(position: GamePosition, offers: Sequence[Offer], word: str) -> Command | None:
    """Return the pass of the one player whose turn it is, where it is offered; no other word has a meaning."""
    waiting, _ = waits(position)
    if word != "pass" or len(waiting) != 1:
        return None
    offered = any((offer.do, offer.player) == ("pass", waiting[0]) for offer in offers)
    return Pass(waiting[0]) if offered else None


DESCRIPTIONS: Mapping[AskedCapability, AnswerDescription] = {
    "forecast": AnswerDescription(
        summary="What a player's money comes to until the end, if they go on as they are; with a contract, which bids "
        "force no loan; with a bid too, what that one leads to. Where money is hidden only their own, and the "
        "banker's.",
        meaning="The forecast.",
        shape=ForecastJson,
        note="Dated movements with the cash after each; the first shortage of wages; the lowest point until "
        "the next wages are paid and until the end, below 0 by what has to be borrowed, with the loans forced until "
        "then. `bid.safe`: the highest bids that force no loan until then; `bid.rounds`: the highest for each round's "
        "wages.",
        arguments={
            "card": Argument(
                "contract",
                "A contract on display, before or while contracts are chosen.",
                "Say for which contract the bid is: ?contract=C03&bid=9000.",
            ),
            "amount": Argument("bid", "What is paid for it.", "A bid is a whole number of dollars."),
        },
    ),
    "advice": AnswerDescription(
        summary="The best plan for a player's workers: most income now, then most progress; in the last round most "
        "money by the end. For themselves and the banker.",
        meaning="A command that may be given as it is, what it earns, and why.",
        shape=SuggestionJson,
    ),
    "needs": AnswerDescription(
        summary="Whom a player's contracts still ask for, what their workers get done this round, and what with one "
        "more of each type; out of what everybody sees.",
        meaning="What they need.",
        shape=NeedsJson,
        arguments={"card": Argument("contract", "A contract that counts as if it were theirs.", "")},
    ),
    "explainer": AnswerDescription(
        summary="The entries and rules behind a figure, oldest first; what was undone does not count.",
        meaning="How it came about.",
        arguments={
            "account": Argument(
                "account",
                "player:blue, bank, contract:C03; or beside the ledger: wages:blue, owes:blue, worth:blue.",
                "Say which account to explain, such as ?account=player:blue.",
            )
        },
    ),
}


CAPABILITIES = Capabilities(
    explainer=EXPLAINER,
    forecast=forecast_view,
    advice=Advisor("plan", suggested_plan),
    needs=needs_view,
    notes=notes_of(tuple(NOTES), tuple(NOTES.values())),
    differences=differences_view,
    preparation=Preparation(is_due, steps),
    consent=borrower,
    hidden_money=hidden_money,
    command_card=command_card,
    descriptions=DESCRIPTIONS,
)
