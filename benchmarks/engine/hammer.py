"""The auction that both engines play: four players, sixty lots that come up again and again, whole thousands.

``peer/hammer.cjs`` is the same game for boardgame.io, rule for rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from benchmarks.engine.hammer_messages import (
    AuctionOpened,
    Bid,
    BidderLeft,
    BidRaised,
    Command,
    Event,
    GameStarted,
    Lot,
    LotSold,
    OpenAuction,
    Pass,
    StartGame,
)
from companion.engine.game import (
    Amount,
    Auction,
    Offer,
    OneOf,
    Overview,
    Placement,
    Position,
    Refused,
    Seat,
    clockwise_order,
    left_neighbour,
)
from companion.engine.ledger import BANK, BOX, Posting, Transaction, player_account
from companion.game_api import API_VERSION
from companion.game_api.cards import CardKind, Label
from companion.game_api.catalog_parsing import Fault, Place
from companion.game_api.codec import JsonCodec
from companion.game_api.manifest import LoadedGame, Manifest, Seats
from companion.game_api.messages import Messages

THOUSAND = 1_000
PURSE, DIVIDEND, COST = 100 * THOUSAND, 3 * THOUSAND, 5 * THOUSAND
SEATS = ("0", "1", "2", "3")
KEPT, LOTS, RAISES = 12, 60, 7


@dataclass(frozen=True, slots=True)
class Bidder:
    """A player and the lots they won last; their money is in the ledger."""

    id: str
    name: str
    lots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """The bidders, the lots for sale, and the player who names the next lot."""

    bidders: tuple[Bidder, ...]
    chooser: str
    lots: tuple[Lot, ...]
    auction: Auction | None = None
    sold: int = 0

    @property
    def seats(self) -> tuple[str, ...]:
        """Players clockwise."""
        return tuple(bidder.id for bidder in self.bidders)


GamePosition: TypeAlias = Position[State]


def purse(position: GamePosition, player: str) -> int:
    """Return what a player holds, in dollars."""
    return position.ledger.balance(player_account(player))


class Hammer:
    """The rules."""

    name = "hammer"
    label_code = "HA"

    def decide(self, position: GamePosition | None, command: Command) -> Sequence[Event]:
        """Answer a command with events, or raise ``Refused``."""
        if isinstance(command, StartGame):
            lots = tuple(Lot(f"L{number:02}", f"Lot {number}", COST) for number in range(LOTS))
            return [GameStarted(command.players, PURSE, lots)]
        if position is None:
            raise Refused("not_started")
        auction = position.state.auction
        if command.player != (auction.to_bid if auction else position.state.chooser):
            raise Refused("not_your_turn", player=command.player)
        match command, auction:
            case OpenAuction(player, lot, bid), None:
                offered_lot = next((candidate for candidate in position.state.lots if candidate.id == lot), None)
                if offered_lot is None:
                    raise Refused("unknown_lot", lot=lot)
                self._affordable(position, player, bid, offered_lot.cost)
                return [AuctionOpened(player, lot, bid)]
            case Bid(player, amount), Auction(bid=highest):
                self._affordable(position, player, amount, highest + THOUSAND)
                return [BidRaised(player, amount)]
            case Pass(player), Auction():
                return [BidderLeft(player)]
            case _:
                raise Refused("not_now")

    @staticmethod
    def _affordable(position: GamePosition, player: str, amount: int, least: int) -> None:
        if amount % THOUSAND or not least <= amount <= purse(position, player):
            raise Refused("bad_bid", amount=amount, least=least)

    def follow_up(self, position: GamePosition) -> Sequence[Event]:
        """Knock the lot down when only one is left."""
        auction = position.state.auction
        if auction is None or auction.to_bid is not None:
            return ()
        return (LotSold(auction.leader, auction.lot, auction.bid, DIVIDEND),)

    def evolve(self, state: State | None, event: Event) -> State:
        """Record an event."""
        if isinstance(event, GameStarted):
            bidders = tuple(Bidder(player, f"Player {player}") for player in event.players)
            return State(bidders, event.players[0], event.lots)
        if state is None:
            raise ValueError(event)
        match event:
            case AuctionOpened(player, lot, bid):
                opened = Auction.open(lot, bid, player, clockwise_order(state.seats, player))
                return replace(state, auction=opened)
            case BidRaised(_, amount) if state.auction:
                return replace(state, auction=state.auction.with_bid(amount))
            case BidderLeft(player) if state.auction:
                return replace(state, auction=state.auction.without(player))
            case LotSold(player, lot):
                won = tuple(
                    replace(bidder, lots=(*bidder.lots, lot)[-KEPT:]) if bidder.id == player else bidder
                    for bidder in state.bidders
                )
                chooser = left_neighbour(state.seats, state.chooser)
                return replace(state, bidders=won, chooser=chooser, auction=None, sold=state.sold + 1)
            case _:
                raise ValueError(event)

    def account_for(self, event: Event) -> Transaction | None:
        """Return which money an event moved."""
        match event:
            case GameStarted(players, each):
                dealt = tuple(Posting(player_account(player), each) for player in players)
                return Transaction((Posting(BOX, -each * len(players)), *dealt))
            case LotSold(player, _, price, dividend):
                shares = tuple(Posting(player_account(seat), dividend) for seat in SEATS)
                paid = (Posting(player_account(player), -price), Posting(BANK, price - dividend * len(SEATS)))
                return Transaction((*paid, *shares))
            case _:
                return None

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        state, auction, most = position.state, position.state.auction, purse(position, player)
        if player != (auction.to_bid if auction else state.chooser):
            return ()
        if auction is None:
            lots = OneOf(tuple(lot.id for lot in state.lots))
            return (Offer("open_auction", player, fields=(("lot", lots), ("bid", Amount(COST, most)))),)
        bid = Offer("bid", player, fields=(("amount", Amount(auction.bid + THOUSAND, most)),))
        return (bid, Offer("pass", player))

    def read(self, position: GamePosition, placement: Placement) -> Command | None:
        """No cards lie here."""
        del position, placement
        return None

    def view(self, position: GamePosition, viewer: str) -> Mapping[str, Any]:
        """Show who holds what."""
        del viewer
        return {"cash": {player: purse(position, player) for player in position.state.seats}}

    def overview(self, position: GamePosition) -> Overview:
        """Outline the position."""
        state = position.state
        return Overview("auction", tuple(Seat(bidder.id, bidder.name) for bidder in state.bidders), state.seats)

    def players(self, position: GamePosition) -> Sequence[str]:
        """Name the players."""
        return position.state.seats

    def author(self, position: GamePosition | None, command: Command) -> str | None:
        """Return the player who alone may give a command."""
        del position
        return None if isinstance(command, StartGame) else command.player

    def secret_of(self, event: Event) -> str | None:
        """Nothing is secret."""
        del event
        return None

    def overtakes(self, command: Command, event: Event) -> bool:
        """Nothing passes what has not been seen."""
        del command, event
        return False


class HammerCards:
    """The lots, as tables ask for cards."""

    bundled: Mapping[str, Path] = MappingProxyType({"lots": Path("lots.toml")})

    def parse(self, data: Mapping[str, object]) -> tuple[Any, Sequence[Fault]]:
        """Return the data unchanged, without faults."""
        return data, ()

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        """Return a place as text."""
        del data
        return str(place)

    def in_use(self, state: State) -> tuple[Lot, ...]:
        """Return the lots of a position."""
        return state.lots

    def title(self, catalog: Any) -> str:
        """Name them."""
        del catalog
        return "Lots"

    def is_invented(self, catalog: Any) -> bool:
        """Return True: no printed box is behind them."""
        del catalog
        return True

    def ids(self, catalog: Sequence[Lot]) -> Sequence[str]:
        """Name the lots."""
        return [lot.id for lot in catalog]

    def labels(self, catalog: Sequence[Lot]) -> Sequence[Label]:
        """Return their labels."""
        return [Label(lot.id, lot.id) for lot in catalog]

    def as_json(self, catalog: Sequence[Lot]) -> dict[str, Any]:
        """Return the lots."""
        return {lot.id: {"name": lot.name, "cost": lot.cost} for lot in catalog}


MESSAGES = Messages(get_args(Command), get_args(Event))


def hammer_edition() -> LoadedGame:
    """Open the game as tables need it."""
    cards = HammerCards()
    manifest = Manifest(
        name="hammer",
        title="Hammer",
        api_version=API_VERSION,
        label_code="HA",
        kinds=(CardKind("lot", "L[0-9]{2}"),),
        seats=Seats(SEATS, 4, 4),
        rules=lambda _: Hammer(),
        messages=lambda: MESSAGES,
        cards=HammerCards,
    )
    codec = JsonCodec(MESSAGES.commands, MESSAGES.events)
    return LoadedGame(manifest=manifest, rules=Hammer(), codec=codec, messages=MESSAGES, cards=cards)


START: dict[str, Any] = {"do": "start_game", "game": "hammer", "players": list(SEATS)}


def commands(number: int) -> list[dict[str, Any]]:
    """Submit so many commands after the start: an opening bid, seven raises and three passes a lot."""
    return [command for command, _ in zip(_endless(), range(number), strict=False)]


def _endless() -> Iterator[dict[str, Any]]:
    sold = 0
    while True:
        yield {"do": "open_auction", "player": SEATS[sold % 4], "lot": f"L{sold % LOTS:02}", "bid": COST}
        for turn in range(1, RAISES + 1):
            yield {"do": "bid", "player": SEATS[(sold + turn) % 4], "amount": COST + turn * THOUSAND}
        for turn in range(RAISES + 1, RAISES + 4):
            yield {"do": "pass", "player": SEATS[(sold + turn) % 4]}
        sold += 1
