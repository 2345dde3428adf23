"""Optional functions of Monopoly Builder, among them what is laid ready before the first act."""

from dataclasses import replace

from companion.engine.game import BANKER, StandingsRow
from companion.game_api.capabilities import (
    AnswerDescription,
    Argument,
    Capabilities,
    Choices,
    Preparation,
    PreparationStep,
)
from companion.game_api.house_rules import values_by_key
from companion.game_api.messages import Command
from companion.game_api.notes import notes_of
from companion.game_api.seating import rank_players
from companion.games.monopoly_builder.rules.advice import FloorNeedsJson, MoneyAheadJson, money_ahead, needs_of
from companion.games.monopoly_builder.rules.catalog import BLOCKS, NOTES, START_CASH, START_CHIPS
from companion.games.monopoly_builder.rules.commands import Trade
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.scoring import figures, points, ranking
from companion.games.monopoly_builder.rules.state import GamePosition


def is_due(position: GamePosition) -> bool:
    """Return whether everybody stands on GO and nothing was bought or built yet."""
    state = position.state
    begun = any(
        player.space or player.deeds or player.cards or player.in_jail or player.bankrupt for player in state.players
    )
    return not (begun or state.board or state.dice)


def steps(position: GamePosition, seen: frozenset[str]) -> list[PreparationStep]:
    """Return what is laid ready, in an order in which several people can help; cards in view prove nothing."""
    del seen
    deeds = "deeds_shuffled" if position.state.rules.deeds == "shuffled" else "deeds_beside"
    return [
        PreparationStep("board"),
        PreparationStep(deeds),
        PreparationStep("chance"),
        PreparationStep("bank"),
        PreparationStep("money", START_CASH),
        PreparationStep("chips", START_CHIPS),
        PreparationStep("blocks", BLOCKS),
        PreparationStep("token"),
        PreparationStep("dice"),
    ]


SECRET = ("billionaire", "cash")
"""Columns of the standings that would reveal a hidden purse."""


def trade_partner(command: Command) -> str | None:
    """Return the other side of a trade, who must agree to it; ``None`` for any other command."""
    return command.with_ if isinstance(command, Trade) else None


def hidden_money(position: GamePosition) -> tuple[str, ...]:
    """Return the players whose money the others may not see."""
    return position.state.seats if position.state.money_is_hidden else ()


def forecast(
    position: GamePosition, viewer: str, player: str, card: str | None, amount: int | None
) -> MoneyAheadJson | None:
    """Return what a player's next roll may cost; ``None``: their money is not for this viewer's eyes."""
    is_hidden = player in hidden_money(position) and viewer not in (BANKER, player)
    return None if is_hidden else money_ahead(position, player, card, amount)


def scores(position: GamePosition, viewer: str) -> list[StandingsRow]:
    """Return the standings if the game ended now; hidden money counts for nothing, nor does a bonus for it."""
    state = position.state
    if not state.money_is_hidden or viewer == BANKER:
        return [StandingsRow(score.player, rank, figures(score)) for score, rank in ranking(position)]
    open_points = {earned.player: replace(earned, billionaire=0, cash=0) for earned in points(position)}
    return [
        StandingsRow(player, rank, tuple(figure for figure in figures(open_points[player]) if figure[0] not in SECRET))
        for player, rank in rank_players({player: earned.points for player, earned in open_points.items()})
    ]


CAPABILITIES = Capabilities(
    scores=scores,
    forecast=forecast,
    needs=needs_of,
    notes=notes_of(tuple(NOTES), tuple(NOTES.values())),
    consent=trade_partner,
    hidden_money=hidden_money,
    preparation=Preparation(is_due, steps),
    choices=Choices(values_by_key(Rules)),
    descriptions={
        "forecast": AnswerDescription(
            summary="What a player's next roll may cost, and how much can be spent before it; with a deed and an "
            "amount, what that leaves. Where money is hidden only their own, and the banker's.",
            meaning="Rents ahead, the dearest first, and the money for them.",
            shape=MoneyAheadJson,
            arguments={
                "card": Argument("card", "A deed.", "Say for which deed the amount is: ?card=D02&amount=120."),
            },
        ),
        "needs": AnswerDescription(
            summary="Chips that are short of a player's next floors, and what a deed is worth to whom; out of what "
            "everybody sees.",
            meaning="The floors, the least short first; the deed that is asked for, else the one on offer or under the "
            "hammer.",
            shape=FloorNeedsJson,
            arguments={"card": Argument("card", "A deed whose worth is asked for.", "")},
        ),
    },
)
