"""The rules of the tea house: draw, serve or sell a tea, trade; the pots are sold by sealed bids at the end."""

# ruff: noqa: ARG002, RUF009 - written as docs/new-game.md has it

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import Offer, OneOf, Position, clockwise_order
from companion.engine.ledger import BANK, Transaction, player_account, transfer
from companion.game_api.auctions import AuctionOpened, LotSold, LotUnsold
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import CardDrawn, DrawCards, DrawingEnded, Holdings, Trade, Traded, trade_offers, traded
from companion.game_api.manifest import Seats
from companion.game_api.step_game import GameState, Player, StepGame, dealt
from companion.game_api.steps import Finished, PlayStep, TurnStep, cash

from .messages import MESSAGES, Auction, GameEnded, GameStarted, Pot, Serve, Tea, TeaServed, TeaShown

PURSE, DRAWN, LEAST = 20, 2, 2


class Counter(TurnStep):
    """Whoever's turn it is serves a tea, or puts one up for which the others bid once each."""

    phase = "counter"

    def offers(self, position: Position["State"], player: str) -> Sequence[Offer]:
        hand = position.state.hands.of(player)
        return tuple(Offer(do, player, fields=(("tea", OneOf(hand)),)) for do in ("serve", "auction"))

    def decide(self, position: Position["State"], command: Serve | Auction) -> Sequence[Any]:
        if isinstance(command, Serve):
            return [TeaServed(self.player, command.tea, position.state.catalog.card(command.tea).worth)]
        bidders = clockwise_order(self.order, self.player)[1:]
        opened = AuctionOpened(command.tea, bidders, least=LEAST, kind="once_round", seller=self.player)
        return [TeaShown(self.player, command.tea), opened]


@dataclass(frozen=True, slots=True, kw_only=True)
class State(GameState):
    """``hands``: hidden teas, and those that were served; ``shelves``: teas and pots that were bought."""

    turn: Counter
    hands: Holdings = Holdings()
    shelves: Holdings = Holdings()

    def pots(self) -> tuple[str, ...]:
        """Return the pots that nobody has bought."""
        return self.shelves.rest(self.catalog.of(Pot))

    def next_step(self) -> PlayStep:
        """Return the step of the player whose turn it is: they draw while there are teas."""
        pile = self.hands.unseen(self.catalog.of(Tea), self.seats)
        drawing = DrawCards(player=self.turn.player, count=DRAWN, pile=pile, hands=self.hands)
        return drawing if drawing.waiting_for() else self.turn


class TeaHouse(StepGame[State]):
    """Answers what the companion asks of a game."""

    name, label_code = "tea_house", "TH"
    seats = Seats(("red", "blue", "yellow", "green"), 2, 4)
    messages = MESSAGES

    def started(self, players: tuple[Player, ...], first: str, catalog: ListedCatalog[Tea | Pot]) -> Sequence[Any]:
        return [GameStarted(players, first, catalog, PURSE)]

    def begun(self, event: GameStarted) -> State:
        turn = Counter(clockwise_order([player.id for player in event.players], event.first), event.first)
        state = State(players=event.players, first=event.first, catalog=event.deck, step=turn, turn=turn)
        return replace(state, step=state.next_step())

    def follow_up(self, position: Position[State]) -> Sequence[Any]:
        """End a player's turns when their hand is empty; then the pots are sold, one after the other."""
        state = position.state
        if isinstance(state.step, Counter) and not state.hands.of(state.step.player):
            pots = state.pots()
            return [AuctionOpened(pots[0], state.order, kind="sealed")] if pots else [GameEnded()]
        return super().follow_up(position)

    def free_offers(self, position: Position[State], player: str) -> Sequence[Offer]:
        state = position.state
        if not isinstance(state.step, Counter) or player != state.step.player:
            return ()
        others = [other for other in state.order if other != player]
        hidden = state.hands.of(player)
        return trade_offers(
            position,
            player,
            others,
            lambda owner: hidden if owner == player else (),
            hidden_money=True,
            most_asked=len(others) * PURSE,
        )

    def answer(self, position: Position[State], command: Any) -> Sequence[Any]:
        return [traded(command)] if isinstance(command, Trade) else super().answer(position, command)

    def changed(self, state: State, event: Any) -> State:
        match event:
            case CardDrawn(player, tea):
                return replace(state, step=state.step.after(event), hands=state.hands.drawn(player, tea))
            case DrawingEnded():
                return replace(state, step=state.turn)
            case TeaServed(player, tea):
                return self._after_turn(replace(state, hands=state.hands.moved("served", tea, source=player)))
            case TeaShown(player, tea):
                return replace(state, hands=state.hands.moved("shown", tea, source=player))
            case Traded(player, partner, give=given):
                return replace(state, hands=state.hands.moved(partner, *given, source=player))
            case LotSold(player, lot):
                return self._after_turn(replace(state, shelves=state.shelves.moved(player, lot)))
            case LotUnsold(lot):
                return self._after_turn(replace(state, shelves=state.shelves.moved("nobody", lot)))
            case GameEnded():
                return replace(state, step=Finished())
            case _:
                return super().changed(state, event)

    def _after_turn(self, state: State) -> State:
        after = replace(state, turn=state.turn.next())
        return replace(after, step=after.next_step())

    def account_for(self, event: Any) -> Transaction | None:
        match event:
            case GameStarted(players, purse=purse):
                return dealt(players, purse)
            case TeaServed(player, income=income):
                return transfer(BANK, player_account(player), income)
            case _:
                return super().account_for(event)

    def figures(self, position: Position[State], player: str, viewer: str) -> Mapping[str, Any]:
        state = position.state
        hand = state.hands.view(player, viewer, secret=not isinstance(state.step, Finished))
        return {"hand": hand, "shelf": list(state.shelves.of(player))}

    def table(self, position: Position[State], viewer: str) -> Mapping[str, Any]:
        return {"pots": list(position.state.pots())}

    def scores(self, position: Position[State]) -> Mapping[str, Mapping[str, int]]:
        state = position.state
        charm = {player: self._charm(state, player) for player in state.order}
        money = {player: cash(position, player) for player in state.order}
        return {player: {"total": money[player] + charm[player], "charm": charm[player]} for player in state.order}

    @staticmethod
    def _charm(state: State, player: str) -> int:
        """Return what a player's shelf is worth at the end."""
        cards = [state.catalog.card(card) for card in state.shelves.of(player)]
        return sum(card.charm if isinstance(card, Pot) else card.worth for card in cards)
