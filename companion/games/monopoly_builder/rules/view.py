"""The position as viewers see it, and its overview."""

from typing import Any

from companion.engine.game import Overview, Seat
from companion.engine.ledger import BANK
from companion.game_api.house_rules import changed_rules
from companion.game_api.messages import show_fields
from companion.games.monopoly_builder.rules.accounting import cash, chips, count_of, on_spaces, tray
from companion.games.monopoly_builder.rules.catalog import LIMIT, MONEY
from companion.games.monopoly_builder.rules.phases import expects, phase_of, waiting_for
from companion.games.monopoly_builder.rules.scoring import places, standings
from companion.games.monopoly_builder.rules.state import GamePosition, Player

# The position as JSON; where money is hidden the house leaves out that of others (MO-D48).


def view(position: GamePosition, viewer: str) -> dict[str, Any]:
    """Show the position, which is the same for every viewer."""
    del viewer
    state, auction = position.state, position.state.auction
    return {
        "game": "monopoly_builder",
        "catalog": state.catalog_name,
        "rules": changed_rules(state.rules),
        "turn": state.turn,
        "phase": phase_of(state),
        "waiting_for": list(waiting_for(state)),
        "expects": list(expects(state)),
        "due": due(position),
        "dice": list(state.dice) if state.dice is not None else None,
        "doubles": state.doubles,
        "players": {player.id: _player(position, player) for player in state.players},
        "board": {
            building.cell: {"owner": building.owner, "height": building.height}
            for building in sorted(state.board, key=lambda building: (building.cell[0], int(building.cell[1:])))
        },
        "spaces": {str(number): lying for number, lying in on_spaces(position).items()},
        "sites": {str(site.space): site.deed for site in state.sites},
        "unsold": list(state.unsold),
        "bank": position.ledger.balance(BANK),
        "tray": tray(position),
        "deck": {"chance": len(state.catalog.chances) - len(state.kept)},
        "money_in_play": MONEY,
        "offered": state.offered,
        "auction": auction and show_fields(auction, "deed", "bid", "leader", "may_bid", "passed"),
        "claims": [show_fields(claim) for claim in state.claims],
        "debts": [show_fields(debt) for debt in state.debts],
        "finished": state.finished,
        "standings": _standings(position),
    }


def due(position: GamePosition) -> int:
    """Return how many chips are to be discarded, taken or returned now."""
    state = position.state
    match phase_of(state):
        case "discard":
            return max(0, count_of(position, state.turn) - LIMIT)
        case "take" | "return_chips":
            return state.choosers[0].count
        case _:
            return 0


def _player(position: GamePosition, player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "cash": cash(position, player.id),
        "chips": chips(position, player.id),
        "deeds": list(player.deeds),
        "mortgaged": list(player.mortgaged),
        "cards": list(player.cards),
        "blocks": position.state.blocks(player.id),
        "space": player.space,
        "in_jail": player.in_jail,
        "tries": player.tries,
        "bankrupt": player.bankrupt,
    }


OF_STANDING = ("player", "buildings", "sets", "billionaire", "community", "points", "cash")


def _standings(position: GamePosition) -> list[dict[str, Any]] | None:
    if not position.state.finished:
        return None
    return [{**show_fields(standing, *OF_STANDING), "rank": rank} for standing, rank in standings(position)]


# The overview of a position for screens and services that do not know the game.


def overview(position: GamePosition) -> Overview:
    """Return which moment it is, whom the table waits for, and how the game ended."""
    state = position.state
    return Overview(
        phase=phase_of(state),
        players=tuple(Seat(player.id, player.name) for player in state.players),
        seats=state.seats,
        waiting_for=waiting_for(state),
        expects=expects(state),
        finished=state.finished,
        standings=places(position),
    )
