"""A table of bots: whose moment it is, which card comes off its pile, and what is laid on the table for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.game import NumberSource, Offer
from companion.game_api.messages import Command
from companion.game_api.steps import fault_of
from companion.games.master_builder.bots.strong import strong
from companion.games.master_builder.bots.turn import Bot, BotTurn, as_known_to, taking
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules import phases
from companion.games.master_builder.rules.catalog import RANK, WorkerType
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.state import EVENT_HAND, GamePosition, State, worker_card

# The shuffled piles of a real box: which card lies on top is settled on the table, not by the rules.


@dataclass(frozen=True, slots=True)
class Piles:
    """Every pile from the top down, as it was shuffled before the game.  Only the dealer may look into them."""

    contracts: tuple[str, ...]
    workers: tuple[str, ...]
    events: tuple[str, ...]
    economy: tuple[str, ...]

    def next_contracts(self, state: State, number: int) -> tuple[str, ...]:
        """Return the contracts that come up next."""
        return tuple(card for card in self.contracts if card not in state.seen)[:number]

    def next_event(self, state: State) -> str:
        """Return the event on top of what was not dealt; of the hands, should the deck be used up."""
        dealt = _dealt(state)
        undealt = self.events[dealt:] + self.events[:dealt]
        return next(card for card in undealt if card not in state.turned_events)

    def hand(self, state: State, player: str) -> tuple[str, ...]:
        """Return the events that a player was dealt and still holds (variant ``selective_events``)."""
        first = state.seats.index(player) * EVENT_HAND
        dealt = self.events[first : first + EVENT_HAND] if _dealt(state) else ()
        return tuple(card for card in dealt if card not in state.turned_events)

    def next_economy(self, state: State) -> str:
        """Return the economic situation on top."""
        return next(card for card in self.economy if card not in state.turned_economy)

    def on_top(self, state: State) -> dict[WorkerType, str]:
        """Return the one worker of each type who can be seen."""
        employed = {worker.id for player in state.players for worker in player.crew}
        seen: dict[WorkerType, str] = {}
        for worker in self.workers:
            if worker not in employed:
                seen.setdefault(worker_card(state, worker).type, worker)
            if len(seen) == len(RANK):
                break
        return seen


def _dealt(state: State) -> int:
    """Return the number of events dealt to hands before the game."""
    return EVENT_HAND * len(state.seats) if "selective_events" in state.variants else 0


RULES = MasterBuilder({})
FROM_HAND = ("from_hand", True)


class NotOffered(Exception):  # noqa: N818 - said of the bot: what it wanted was not offered
    """A bot gave a command that was not among its offers: a mistake in the bot."""


@dataclass(frozen=True, slots=True)
class Act:
    """A command, and the cards that are laid on the table to give it (none: it is tapped)."""

    command: Command
    cards: tuple[str, ...] = ()


def next_act(
    position: GamePosition, piles: Piles, bots: Mapping[str, Bot] | None = None, below: NumberSource = lambda _: 0
) -> Act | None:
    """Return what happens next at a table of bots; ``None`` when the game is over.

    ``bots``: who plays for which player, a strong one where nobody is named; ``below`` draws their lots.
    """
    waiting, _ = phases.waits(position)
    if not waiting:
        return None
    player = waiting[0]
    offers = tuple(RULES.offers(position, player))
    command = _turned(position, offers, piles)
    if command is None:
        visible = as_known_to(position, player)
        turn = BotTurn(visible, player, offers, piles.on_top(position.state), piles.hand(position.state, player), below)
        command = (bots or {}).get(player, strong)(turn)
        if all(fault_of(offer, command) for offer in offers):
            message = f"{command!r} is not among {offers!r}"
            raise NotOffered(message)
    return Act(command, _laid(command))


def _turned(position: GamePosition, offers: tuple[Offer, ...], piles: Piles) -> Command | None:
    """Turn the card that is due, from the top of its pile; ``None``: a player decides."""
    for offer in offers:
        match offer.do:
            case "turn_economy":
                return taking(offer, card=piles.next_economy(position.state))
            case "reveal_contracts":
                return taking(offer, contracts=piles.next_contracts(position.state, 1))
            case "turn_event" if FROM_HAND not in offer.given:
                return taking(offer, card=piles.next_event(position.state))
            case _:
                continue
    return None


def _laid(command: Command) -> tuple[str, ...]:
    match command:
        case (
            c.HireWorker(_, card)
            | c.FireWorker(_, card)
            | c.OpenAuction(_, card)
            | c.TurnEconomy(card)
            | c.TurnEvent(card)
        ):
            return (card,)
        case c.RevealContracts(cards):
            return cards
        case c.ChooseWorkers(_, (card,)):
            return (card,)
        case _:
            return ()
