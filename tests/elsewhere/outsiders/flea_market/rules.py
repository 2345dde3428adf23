"""The rules of the flea market: everybody sells out of a hidden hand, and buys from the others."""

# ruff: noqa: ARG002, RUF009 - written as docs/new-game.md has it

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import Position, clockwise_order
from companion.engine.ledger import Transaction
from companion.game_api.auctions import AuctionOpened, LotSold, LotUnsold
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import CardPlayed, FillHands, HandDrawn, HandsFilled, Holdings, PlayCard, PlayCards
from companion.game_api.manifest import Seats
from companion.game_api.step_game import GameState, Player, StepGame, dealt
from companion.game_api.steps import Finished, PlayStep, cash

from .messages import MESSAGES, GameEnded, GameStarted, Thing

PURSE, HAND, STEP = 50, 3, 5


class Selling(PlayCards):
    """Whoever's turn it is puts something of theirs up, and the others bid for it in steps of five."""

    def decide(self, position: Position["State"], command: PlayCard) -> Sequence[Any]:
        bidders = clockwise_order(self.order, self.player)[1:]
        opened = AuctionOpened(command.card, bidders, least=STEP, step=STEP, seller=self.player)
        return [CardPlayed(self.player, command.card), opened]

    def follow_up(self, position: Position["State"]) -> Sequence[Any]:
        return () if position.state.hands.of(self.player) else (GameEnded(),)


@dataclass(frozen=True, slots=True, kw_only=True)
class State(GameState):
    """``hands``: what is hidden, and what was sold; ``shelves``: who has bought what."""

    turn: Selling
    hands: Holdings = Holdings()
    shelves: Holdings = Holdings()

    def filling(self) -> PlayStep:
        """Return the step in which hands are filled; the next turn where the pile is empty."""
        pile = self.hands.unseen(self.catalog.ids, self.seats)
        fill = FillHands(players=self.order, hands=self.hands, pile=pile, size=HAND)
        return fill if fill.waiting_for() else self.turn

    def worth(self, player: str) -> int:
        """Return what a player's shelf is worth: three things of a sort count ten more."""
        things: list[Thing] = [self.catalog.card(card) for card in self.shelves.of(player)]
        sorts = Counter(thing.sort for thing in things)
        return sum(thing.worth for thing in things) + 10 * sum(number // 3 for number in sorts.values())


class FleaMarket(StepGame[State]):
    """Answers what the companion asks of a game."""

    name, label_code = "flea_market", "FM"
    seats = Seats(("red", "blue", "yellow", "green"), 2, 4)
    messages = MESSAGES

    def started(self, players: tuple[Player, ...], first: str, catalog: ListedCatalog[Thing]) -> Sequence[Any]:
        return [GameStarted(players, first, catalog, PURSE)]

    def begun(self, event: GameStarted) -> State:
        turn = Selling(clockwise_order([player.id for player in event.players], event.first), event.first)
        state = State(players=event.players, first=event.first, catalog=event.deck, step=turn, turn=turn)
        return replace(state, step=state.filling())

    def changed(self, state: State, event: Any) -> State:
        match event:
            case HandDrawn(player, cards):
                return replace(state, step=state.step.after(event), hands=state.hands.drawn(player, *cards))
            case HandsFilled():
                return replace(state, step=state.turn)
            case CardPlayed(player, card):
                return replace(state, hands=state.hands.moved("sold", card, source=player), turn=state.turn.next())
            case LotSold(player, lot):
                return self._after_sale(replace(state, shelves=state.shelves.moved(player, lot)))
            case LotUnsold():
                return self._after_sale(state)
            case GameEnded():
                return replace(state, step=Finished())
            case _:
                return super().changed(state, event)

    def _after_sale(self, state: State) -> State:
        """Go on with the next turn; hands are filled whenever everybody has sold."""
        is_round_over = state.turn.player == state.first
        return replace(state, step=state.filling() if is_round_over else state.turn)

    def account_for(self, event: Any) -> Transaction | None:
        return dealt(event.players, event.purse) if isinstance(event, GameStarted) else super().account_for(event)

    def figures(self, position: Position[State], player: str, viewer: str) -> Mapping[str, Any]:
        state = position.state
        hand = state.hands.view(player, viewer, secret=not isinstance(state.step, Finished))
        return {"hand": hand, "shelf": list(state.shelves.of(player)), "worth": state.worth(player)}

    def scores(self, position: Position[State]) -> Mapping[str, Mapping[str, int]]:
        state = position.state
        money = {player: cash(position, player) for player in state.order}
        return {
            player: {"total": money[player] + state.worth(player), "worth": state.worth(player)}
            for player in state.order
        }
