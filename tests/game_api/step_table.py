"""A game of one step, on which tests play any step of ``game_api``: cards, money, and the end once the step is over."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.bot_games.games import filled_in
from companion.engine.game import Amount, Field, Offer, OneOf, Position, Refused, SomeOf
from companion.engine.ledger import Transaction
from companion.game_api.auctions import (
    AUCTION_COMMANDS,
    AUCTION_EVENTS,
    BidSealed,
    BidsOpened,
    LotSold,
    LotUnsold,
)
from companion.game_api.capabilities import Capabilities
from companion.game_api.cards import ListedCards, ListedCatalog
from companion.game_api.choices import (
    CardDrawn,
    CardPlayed,
    CardTurnedUp,
    DrawCard,
    DrawHand,
    DrawingEnded,
    HandDrawn,
    HandsFilled,
    Holdings,
    PlayCard,
    PlayCards,
    RowFilled,
    SecretChoice,
    Trade,
    Traded,
    TurnUp,
    trade_offers,
    trade_partner,
    traded,
)
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.manifest import LoadedGame, Manifest, Seats
from companion.game_api.messages import Actor, Card, Dollars, Messages, Person, Secret
from companion.game_api.step_game import GameState, Player, Started, StartGame, StepGame, dealt, hidden_purses
from companion.game_api.steps import Finished, PlayStep, cash
from companion.service.table.table import Request, Table
from tests.scenario import StoppedClock

SEATS = ("red", "blue", "yellow")


@dataclass(frozen=True, slots=True)
class Stone:
    id: str
    weight: int = 1


CATALOG = ListedCatalog("Stones", True, tuple(Stone(f"S0{number}", number) for number in range(1, 7)))


@dataclass(frozen=True, slots=True)
class Hide:
    player: Actor
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsHidden:
    player: Person
    cards: Annotated[tuple[Card, ...], Secret(until=("CardsShown",))]


@dataclass(frozen=True, slots=True)
class CardsShown:
    pass


@dataclass(frozen=True, slots=True)
class GameStarted(Started):
    stones: ListedCatalog[Stone]
    purses: tuple[Dollars, ...]


ENDS = (LotSold, LotUnsold, RowFilled, DrawingEnded, CardsShown, HandsFilled, CardPlayed)
MESSAGES = Messages(
    commands=(StartGame, *AUCTION_COMMANDS, TurnUp, DrawCard, DrawHand, PlayCard, Hide, Trade, RenamePlayer),
    events=(
        *(GameStarted, *AUCTION_EVENTS, BidSealed, BidsOpened, CardTurnedUp, RowFilled, CardDrawn, DrawingEnded),
        *(CardsHidden, CardsShown, HandDrawn, HandsFilled, CardPlayed, Traded, PlayerRenamed),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class State(GameState):
    hands: Holdings = field(default_factory=Holdings)


class Hiding(SecretChoice):
    """Everybody hides some of their stones."""

    phase, command, event = "hiding", Hide, CardsHidden

    def options(self, position: Position[Any], player: str) -> Sequence[tuple[str, Field]]:
        stones = position.state.hands.of(player)
        return (("cards", SomeOf(stones, 0, len(stones))),)

    def revealed(self, position: Position[Any]) -> Sequence[Any]:
        del position
        return [CardsShown()]


class Playing(PlayCards):
    """One player plays a stone."""


def first_hands(seats: Sequence[str]) -> Holdings:
    """Return what the players have at the beginning: four stones, dealt in turn."""
    hands = Holdings()
    for place, card in enumerate(CATALOG.ids[:4]):
        hands = hands.moved(seats[place % len(seats)], card)
    return hands


class OneStep(StepGame[State]):
    """Ends as soon as its step does."""

    name, label_code = "stones", "ST"
    seats = Seats(SEATS, 2, 3)
    messages = MESSAGES
    make: Callable[[Sequence[str]], PlayStep]
    purses: Sequence[int] = (7, 5, 3)
    trades = False

    def started(self, players: tuple[Player, ...], first: str, catalog: Any) -> Sequence[Any]:
        return [GameStarted(players, first, catalog, tuple(self.purses[: len(players)]))]

    def begun(self, event: GameStarted) -> State:
        seats = [player.id for player in event.players]
        step, hands = type(self).make(seats), first_hands(seats)
        return State(players=event.players, first=event.first, catalog=event.stones, step=step, hands=hands)

    def changed(self, state: State, event: Any) -> State:
        after = super().changed(state, event)
        if isinstance(event, HandDrawn):
            after = replace(after, hands=after.hands.drawn(event.player, *event.cards))
        if isinstance(event, Traded):
            hands = after.hands.moved(event.with_, *event.give).moved(event.player, *event.get)
            after = replace(after, hands=hands)
        return replace(after, step=Finished()) if isinstance(event, ENDS) else after

    def account_for(self, event: Any) -> Transaction | None:
        if isinstance(event, GameStarted):
            moves = [dealt([player], purse) for player, purse in zip(event.players, event.purses, strict=True)]
            return Transaction(tuple(posting for move in moves for posting in move.postings))
        return super().account_for(event)

    def free_offers(self, position: Position[State], player: str) -> Sequence[Offer]:
        state = position.state
        return trade_offers(position, player, state.seats, state.hands.of) if self.trades else ()

    def answer(self, position: Position[State], command: Any) -> Sequence[Any]:
        return [traded(command)] if isinstance(command, Trade) else super().answer(position, command)

    def scores(self, position: Position[State]) -> Mapping[str, Mapping[str, int]]:
        return {player: {"cash": cash(position, player)} for player in position.state.order}


def stones(
    make: Callable[[Sequence[str]], PlayStep], *, purses: Sequence[int] = (7, 5, 3), trades: bool = False
) -> LoadedGame:
    """Return a game of one step."""
    rules = type("Stones", (OneStep,), {"make": staticmethod(make), "purses": tuple(purses), "trades": trades})
    manifest = Manifest(
        name="stones",
        title="Stones",
        api_version=2,
        label_code="ST",
        kinds=(),
        seats=OneStep.seats,
        rules=rules,
        messages=lambda: MESSAGES,
        cards=lambda: ListedCards("stones", Stone, "stones", Path("house.toml")),
        conserved=("money",),
        capabilities=lambda: Capabilities(hidden_money=hidden_purses, consent=trade_partner),
    )
    return load_game(manifest, {"house": CATALOG})


def begun(game: LoadedGame, players: int = 3) -> Table:
    """Return a table at which the game has begun."""
    table = Table("t", game, InMemoryJournal(), StoppedClock())
    seats = [{"id": seat, "name": seat.title()} for seat in SEATS[:players]]
    give(table, {"do": "start_game", "game": "stones", "first": SEATS[0], "players": seats})
    return table


def give(table: Table, command: Mapping[str, Any], actor: str = "banker") -> Mapping[str, Any]:
    """Submit a command to a table, and return its entry."""
    return table.submit(Request(command, actor, "test", table.version))


def due(table: Table) -> list[Offer]:
    """Return what the table waits for."""
    rules, position = table.game.rules, table.position
    assert position is not None
    return [offer for player in rules.overview(position).waiting_for for offer in rules.offers(position, player)]


def command_of(offer: Offer, lots: random.Random) -> dict[str, Any]:
    """Return an offer filled in by chance."""
    return dict(filled_in(offer, lots))


def sold(table: Table) -> tuple[str | None, int]:
    """Return who has got the lot, and for how much."""
    event = next(event for event in table.journal("banker")[-1]["events"] if event["event"].startswith("Lot"))
    return event.get("player"), event.get("price", 0)


def accepts(table: Table, command: Any) -> bool:
    """Return whether the rules accept a command now."""
    try:
        table.game.rules.decide(table.position, command)
    except Refused:
        return False
    return True


def is_covered(table: Table, command: Any) -> bool:
    """Return whether some offer covers a command: its sender's, of its kind, each value among those of its field."""
    rules, position, written = table.game.rules, table.position, table.game.codec.command_json(command)
    assert position is not None
    return any(
        written.keys() <= {"do", "player", *dict(offer.given), *dict(offer.fields)}
        and all(written.get(name) == value for name, value in {"do": offer.do, **dict(offer.given)}.items())
        and all(_may_hold(field, written.get(name)) for name, field in offer.fields)
        for offer in rules.offers(position, command.player)
    )


def _may_hold(field: Field, value: Any) -> bool:
    """Return whether a field may hold a value; ``None``: it is left out, which says nothing or 0."""
    match field:
        case OneOf(values):
            return value in values
        case SomeOf(values, least, most):
            chosen = value or []
            return least <= len(set(chosen)) == len(chosen) <= most and set(chosen) <= set(values)
        case Amount(least, most, step):
            return (value or 0) in range(least, most + 1, step)
        case other:
            raise AssertionError(other)
