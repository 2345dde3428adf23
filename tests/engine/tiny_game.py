"""A second game, so that the engine is seen to know none: three nuts come under the hammer, one a round.

It needs the ledger, the auction, the turn order, offers and follow-ups, and runs through the same table as any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from companion.engine.game import (
    Amount,
    Auction,
    Offer,
    OneOf,
    Overview,
    Placement,
    Position,
    Question,
    Refused,
    Seat,
    clockwise_order,
    left_neighbour,
)
from companion.engine.ledger import BANK, BOX, Posting, Transaction, player_account, transfer
from companion.game_api import API_VERSION
from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import CardKind, Label
from companion.game_api.catalog_parsing import Fault, Place
from companion.game_api.codec import JsonCodec
from companion.game_api.manifest import LoadedGame, Manifest, Seats
from companion.game_api.messages import Messages
from tests.engine.tiny_messages import (
    AuctionOpened,
    Bid,
    BidderLeft,
    BidRaised,
    Command,
    Event,
    GameEnded,
    GameStarted,
    Give,
    Given,
    NutSold,
    OpenAuction,
    Pass,
    Ponder,
    RoundBegan,
    Spin,
    Spun,
    StartGame,
)

NUTS = ("acorn", "hazel", "walnut")
PURSE, BOXED = 10, 100


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[str, ...]
    first: str
    hands: tuple[tuple[str, str], ...] = ()
    auction: Auction | None = None
    sold: bool = False
    finished: bool = False
    spinning: bool = False

    @property
    def left(self) -> tuple[str, ...]:
        """The nuts nobody has yet."""
        taken = {nut for nut, _ in self.hands}
        return tuple(nut for nut in NUTS if nut not in taken)


GamePosition: TypeAlias = Position[State]


def purse(position: GamePosition, player: str) -> int:
    return position.ledger.balance(player_account(player))


class NutGame:
    """The rules."""

    name = "nuts"
    label_code = "NU"

    def decide(self, position: GamePosition | None, command: Command) -> Sequence[Event]:
        if isinstance(command, StartGame):
            if position is not None:
                raise Refused("started_already")
            return [GameStarted(command.players, PURSE, BOXED)]
        if position is None:
            raise Refused("not_started")
        match command:
            case Give(from_, to, amount):
                if amount > position.ledger.balance(from_ if from_ == BANK else player_account(from_)):
                    raise Refused("cannot_pay", player=from_, amount=amount)
                return [Given(from_, to, amount)]
            case Spin():
                return [Spun()]
            case Ponder():
                return []
            case _:
                return self._at_the_hammer(position, command)

    def _at_the_hammer(self, position: GamePosition, command: OpenAuction | Bid | Pass) -> Sequence[Event]:
        state, auction = position.state, position.state.auction
        if state.finished:
            raise Refused("game_over")
        if command.player != (auction.to_bid if auction else state.first):
            raise Refused("not_your_turn", player=command.player)
        match command, auction:
            case OpenAuction(player, nut, bid), None:
                if nut not in state.left:
                    raise Refused("unknown_nut", nut=nut)
                self._affordable(position, player, bid, 0)
                return [AuctionOpened(player, nut, bid)]
            case Bid(player, amount), Auction(bid=highest):
                self._affordable(position, player, amount, highest + 1)
                return [BidRaised(player, amount)]
            case Pass(player), Auction():
                return [BidderLeft(player)]
            case _:
                raise Refused("not_now")

    @staticmethod
    def _affordable(position: GamePosition, player: str, amount: int, least: int) -> None:
        if not least <= amount <= purse(position, player):
            raise Refused("bad_bid", amount=amount, least=least, most=purse(position, player))

    def follow_up(self, position: GamePosition) -> Sequence[Event]:
        state, auction = position.state, position.state.auction
        if state.spinning:
            return [Spun()]
        if state.sold:
            return [RoundBegan(left_neighbour(state.seats, state.first))] if state.left else [GameEnded()]
        if auction is None:
            return []
        if auction.to_bid is None:
            return [NutSold(auction.leader, auction.lot, auction.bid)]
        return [] if purse(position, auction.to_bid) > auction.bid else [BidderLeft(auction.to_bid)]

    def evolve(self, state: State | None, event: Event) -> State:
        if isinstance(event, GameStarted):
            return State(event.players, event.players[0])
        if state is None:
            message = f"{event} before the start"
            raise ValueError(message)
        match event:
            case AuctionOpened(player, nut, bid):
                opened = Auction.open(nut, bid, player, clockwise_order(state.seats, player))
                return replace(state, auction=opened)
            case BidRaised(_, amount) if state.auction:
                return replace(state, auction=state.auction.with_bid(amount))
            case BidderLeft(player) if state.auction:
                return replace(state, auction=state.auction.without(player))
            case NutSold(player, nut):
                return replace(state, hands=(*state.hands, (nut, player)), auction=None, sold=True)
            case RoundBegan(first):
                return replace(state, first=first, sold=False)
            case GameEnded():
                return replace(state, sold=False, finished=True)
            case Spun():
                return replace(state, spinning=True)
            case _:
                return state

    def account_for(self, event: Event) -> Transaction | None:
        match event:
            case GameStarted(players, each, boxed):
                dealt = tuple(Posting(player_account(player), each) for player in players)
                rest = Posting(BANK, boxed - each * len(players))
                return Transaction((Posting(BOX, -boxed), rest, *dealt))
            case NutSold(player, _, price):
                return transfer(player_account(player), BANK, price)
            case Given(from_, to, amount):
                ends = [side if side == BANK else player_account(side) for side in (from_, to)]
                return transfer(ends[0], ends[1], amount)
            case _:
                return None

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        state, auction, most = position.state, position.state.auction, purse(position, player)
        if state.finished or player != (auction.to_bid if auction else state.first):
            return ()
        if auction is None:
            return (Offer("open_auction", player, fields=(("nut", OneOf(state.left)), ("bid", Amount(0, most, 1)))),)
        bid = Offer("bid", player, fields=(("amount", Amount(auction.bid + 1, most, 1)),))
        return (bid, Offer("pass", player))

    def read(self, position: GamePosition, placement: Placement) -> Command | Question | None:
        if placement.card not in position.state.left:
            return Question(placement.card, "unknown_nut")
        return OpenAuction(position.state.first, placement.card, 0) if position.state.auction is None else None

    def view(self, position: GamePosition, viewer: str) -> Mapping[str, Any]:
        state, auction = position.state, position.state.auction
        players = {player: {"name": player, "cash": purse(position, player)} for player in state.seats}
        under = None if auction is None else {"nut": auction.lot, "bid": auction.bid, "leader": auction.leader}
        shown = {"players": players, "hands": dict(state.hands), "auction": under, "finished": state.finished}
        return {**shown, "bank": position.ledger.balance(BANK), "viewer": viewer}

    def overview(self, position: GamePosition) -> Overview:
        state, auction = position.state, position.state.auction
        waiting = () if state.finished else (auction.to_bid if auction and auction.to_bid else state.first,)
        players = tuple(Seat(player, player) for player in self.players(position))
        expects = ("bid", "pass") if auction else ("open_auction",)
        return Overview(
            "finished" if state.finished else "auction" if auction else "choice",
            players,
            state.seats,
            waiting_for=waiting,
            expects=expects if waiting else (),
            finished=state.finished,
        )

    def players(self, position: GamePosition) -> Sequence[str]:
        return clockwise_order(position.state.seats, position.state.first)

    def author(self, position: GamePosition | None, command: Command) -> str | None:
        del position
        return command.player if isinstance(command, OpenAuction | Bid | Pass) else None

    def secret_of(self, event: Event) -> str | None:
        del event
        return None

    def overtakes(self, command: Command, event: Event) -> bool:
        """Let a correction pass whatever was bid meanwhile."""
        return isinstance(command, Give) and isinstance(event, AuctionOpened | BidRaised | BidderLeft)


class NutCards:
    """Three nuts, whatever the catalog says."""

    bundled: Mapping[str, Path] = MappingProxyType({"house": Path("nuts.toml")})

    def parse(self, data: Mapping[str, object]) -> tuple[Any, Sequence[Fault]]:
        return data, ()

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        del data
        return str(place)

    def in_use(self, state: State) -> Any:
        del state
        return NUTS

    def title(self, catalog: Any) -> str:
        del catalog
        return "Nuts"

    def is_invented(self, catalog: Any) -> bool:
        del catalog
        return True

    def ids(self, catalog: Any) -> Sequence[str]:
        del catalog
        return NUTS

    def labels(self, catalog: Any) -> Sequence[Label]:
        del catalog
        return [Label(nut, nut.upper()) for nut in NUTS]

    def as_json(self, catalog: Any) -> dict[str, Any]:
        del catalog
        return {"nuts": list(NUTS)}


MESSAGES = Messages(get_args(Command), get_args(Event))
MANIFEST = Manifest(
    name="nuts",
    title="Nuts",
    api_version=API_VERSION,
    label_code="NU",
    kinds=(CardKind("nut", "[a-z]+", "nuts"),),
    seats=Seats(("ada", "ben", "cleo"), 2, 3),
    rules=lambda _: NutGame(),
    messages=lambda: MESSAGES,
    cards=NutCards,
    conserved=("money",),
)


def nut_game(game: NutGame | None = None, messages: Messages = MESSAGES, **can: Any) -> LoadedGame:
    """Open the game as tables need it; with another game, other messages, or what else it can do."""
    codec = JsonCodec(messages.commands, messages.events, messages.upcasts)
    cards, rules = NutCards(), game or NutGame()
    return LoadedGame(
        manifest=MANIFEST, rules=rules, codec=codec, messages=messages, cards=cards, can=Capabilities(**can)
    )
