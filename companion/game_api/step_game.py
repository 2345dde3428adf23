"""A game made of steps: what the engine asks of any game, so that only its own rules are left to write."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from companion.engine.game import (
    Offer,
    OneOf,
    Overview,
    Placement,
    Position,
    Question,
    Refused,
    Seat,
    StandingsRow,
    clockwise_order,
)
from companion.engine.ledger import BANK, BOX, Posting, Transaction, player_account, transfer
from companion.game_api.auctions import AuctionOpened, LotBought, LotSold, auction_of, require_no_leader
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import Trade, Traded
from companion.game_api.corrections import PlayerRenamed, RenamePlayer, renamed
from companion.game_api.manifest import Seats
from companion.game_api.messages import Holds, Messages, Person, field_types, spelled
from companion.game_api.seating import (
    UNNAMED,
    known_catalog,
    player_name,
    rank_players,
    require_distinct_names,
    require_seated,
    require_seats,
)
from companion.game_api.steps import Finished, PlayStep, cash, require_offered

StateT = TypeVar("StateT", bound="GameState")


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the id of the seat, and the name."""

    id: str
    name: str = UNNAMED


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a game."""

    game: str
    players: tuple[Player, ...]
    first: Person
    catalog: str = "house"


@dataclass(frozen=True, slots=True)
class Started:
    """The event that begins a game; each game derives its own, with its cards and figures."""

    players: Annotated[tuple[Player, ...], Holds("seat")]
    first: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """The state of a game: its players, the cards that it is played with, and the step that it is in."""

    players: tuple[Player, ...]
    first: str
    catalog: ListedCatalog[Any]
    step: PlayStep

    @property
    def seats(self) -> tuple[str, ...]:
        """The players clockwise."""
        return tuple(player.id for player in self.players)

    @property
    def order(self) -> tuple[str, ...]:
        """The players clockwise, from the one who began."""
        return clockwise_order(self.seats, self.first)


class StepGame(ABC, Generic[StateT]):
    """The rules of a game that is made of steps.

    Attributes:
        name: Of the game, as in its manifest.
        label_code: Two capital letters on its labels.
        seats: Who may play, as in its manifest.
        messages: Its commands and events; ``start_game`` is ``StartGame``, or a class of that name derived from it.
        corrections: Commands that the banker alone gives, at any time and without an offer; ``answer`` decides them.
        has_money: Whether money is among what its manifest names under ``conserved``; set when it is loaded.
    """

    name: str
    label_code: str
    seats: ClassVar[Seats]
    messages: ClassVar[Messages]
    corrections: ClassVar[tuple[type, ...]] = ()
    has_money: bool = False

    def __init__(self, catalogs: Mapping[str, Any]) -> None:
        """Store the catalogs that ``start_game`` may name."""
        self.catalogs = catalogs

    # What a game says.

    @abstractmethod
    def started(self, players: tuple[Player, ...], first: str, catalog: Any) -> Sequence[Any]:
        """Return the events that begin a game, its ``Started`` first.

        Fields that the game's own ``start_game`` has besides those of ``StartGame``, such as ``rules``, are given to it
        by their names.
        """

    @abstractmethod
    def begun(self, event: Any) -> StateT:
        """Return the state after the event that begins a game."""

    @abstractmethod
    def scores(self, position: Position[StateT]) -> Mapping[str, Mapping[str, int]]:
        """Return the figures by which players are ranked at the end, the deciding one first."""

    def taken_over(self, command: Any) -> Sequence[Any]:
        """Return the events that begin a game by another command than ``start_game``, such as ``take_over``.

        Such a command has no ``player``; ``checked_table`` examines whom and what it names.
        """
        del command
        raise Refused("not_started")

    def changed(self, state: StateT, event: Any) -> StateT:
        """Return the state after an event; by default only the step changes, which an opened auction replaces."""
        match event:
            case AuctionOpened():
                return replace(state, step=auction_of(event))
            case PlayerRenamed(renamed, name):
                players = tuple(Player(renamed, name) if player.id == renamed else player for player in state.players)
                return replace(state, players=players)
            case _:
                return replace(state, step=state.step.after(event))

    def answer(self, position: Position[StateT], command: Any) -> Sequence[Any]:
        """Return the events of a command that was offered, or of a correction; by default those of the step."""
        return position.state.step.decide(position, command)

    def free_offers(self, position: Position[StateT], player: str) -> Sequence[Offer]:
        """Return what a player may do at any time, such as trades; ``answer`` decides it."""
        del position, player
        return ()

    def figures(self, position: Position[StateT], player: str, viewer: str) -> Mapping[str, Any]:
        """Return what a viewer sees of a player, besides name and money."""
        del position, player, viewer
        return {}

    def table(self, position: Position[StateT], viewer: str) -> Mapping[str, Any]:
        """Return what a viewer sees of the table, besides the step."""
        del position, viewer
        return {}

    # What the engine asks.

    def decide(self, position: Position[StateT] | None, command: Any) -> Sequence[Any]:
        """Return the events of a command; raise ``Refused`` where no offer covers it."""
        player = getattr(command, "player", None)
        if isinstance(command, StartGame):
            return self._start(position, command)
        if position is None and player is None:
            return self.taken_over(command)
        if position is None:
            raise Refused("not_started")
        state = position.state
        if player is not None:
            require_seated(state.seats, player)
        if isinstance(command, RenamePlayer):
            return [renamed(state.players, command.player, command.name)]
        if not isinstance(command, self.corrections):
            if player is None:
                raise Refused("started_already")
            require_offered(self.offers(position, player), command, state.step)
        if isinstance(command, Trade) and cash(position, command.with_) + command.pay < command.ask:  # money is hidden
            raise Refused("too_much", refused_amount=command.ask)
        events = self.answer(position, command)
        require_no_leader(events)
        return events

    def _start(self, position: Position[StateT] | None, command: StartGame) -> Sequence[Any]:
        if position is not None:
            raise Refused("started_already")
        players, catalog = self.checked_table(command.players, command.first, command.catalog)
        names = {declared.name for declared in fields(StartGame)}
        own = {each.name: getattr(command, each.name) for each in fields(command) if each.name not in names}
        return self.started(players, command.first, catalog, **own)

    def checked_table(self, players: Sequence[Player], first: str, catalog: str) -> tuple[tuple[Player, ...], Any]:
        """Return the players with their names, and the catalog; raise ``Refused`` where no game begins with these."""
        ids = [player.id for player in players]
        require_seats(ids, self.seats.fewest, self.seats.most)
        for player in (*ids, first):
            require_seated(self.seats.colours, player)
        require_seated(ids, first)
        deck = known_catalog(self.catalogs, catalog)
        named = tuple(Player(player.id, player_name(player.name, player.id.title())) for player in players)
        require_distinct_names(player.name for player in named)
        return named, deck

    def follow_up(self, position: Position[StateT]) -> Sequence[Any]:
        """Return what follows unasked: by default how the step ends."""
        events = position.state.step.follow_up(position)
        require_no_leader(events)
        return events

    def evolve(self, state: StateT | None, event: Any) -> StateT:
        """Return the state after an event."""
        return self.begun(event) if state is None else self.changed(state, event)

    def account_for(self, event: Any) -> Transaction | None:
        """Return how an event moves money: by default what sold lots and trades cost."""
        match event:
            case LotBought(player, price=price, seller=seller) if price:
                return transfer(player_account(player), player_account(seller), price)
            case LotSold(player, price=price) if price:
                return transfer(player_account(player), BANK, price)
            case Traded(player, partner, pay=pay, ask=ask) if pay != ask:
                return transfer(player_account(player), player_account(partner), pay - ask)
            case _:
                return None

    def offers(self, position: Position[StateT], player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        step = position.state.step
        due = step.offers(position, player) if player in step.waiting_for() else ()
        free = () if isinstance(step, Finished) else self.free_offers(position, player)
        return (*due, *free)

    def read(self, position: Position[StateT], placement: Placement) -> Any:
        """Return the command that a card stands for: the only offer whose one open field may be that card.

        It means nothing while several players are waited for, or where several cards are chosen together.
        """
        step, card = position.state.step, placement.card
        if isinstance(step, Finished) or placement.event == "remove":
            return None
        waiting = step.waiting_for()
        offers = self.offers(position, waiting[0]) if len(waiting) == 1 else ()
        commands = [command for offer in offers if (command := self._command_of_card(offer, card)) is not None]
        return commands[0] if len(commands) == 1 else Question(card, "card_means_nothing", (("card", card),))

    def _command_of_card(self, offer: Offer, card: str) -> Any | None:
        kind = self.messages.command(offer.do)
        if kind is None or len(offer.fields) != 1:
            return None
        name, field = offer.fields[0]
        if not isinstance(field, OneOf) or card not in field.values:
            return None
        given = {**({"player": offer.player} if offer.addressed else {}), **dict(offer.given), name: card}
        names = {spelled(declared.name): declared.name for declared in fields(kind)}
        return kind(**{names[key]: value for key, value in given.items()})

    def view(self, position: Position[StateT], viewer: str) -> Mapping[str, Any]:
        """Return what a viewer may see; the house covers money that is hidden."""
        overview = self.overview(position)
        step = position.state.step
        return {
            "game": self.name,
            "viewer": viewer,
            "phase": step.phase,
            "waiting_for": list(overview.waiting_for),
            "players": {
                player.id: {
                    "name": player.name,
                    **self._money(position, player.id),
                    **self.figures(position, player.id, viewer),
                }
                for player in position.state.players
            },
            **step.view(viewer),
            **self.table(position, viewer),
            "finished": overview.finished,
        }

    def _money(self, position: Position[StateT], player: str) -> Mapping[str, int]:
        """Return a player's money; nothing in a game without money.

        One has money whose manifest names it under ``conserved``, or in which a player has an account.
        """
        accounts = dict(position.ledger.balances)
        has_money = self.has_money or any(player_account(seat) in accounts for seat in position.state.seats)
        return {"cash": cash(position, player)} if has_money else {}

    def overview(self, position: Position[StateT]) -> Overview:
        """Return phase, players, for whom the table waits and what it expects, and the standings at the end."""
        state, step = position.state, position.state.step
        names = {player.id: player.name for player in state.players}
        waiting = step.waiting_for()
        due = [offer for player in waiting for offer in step.offers(position, player) if offer.urgency == "due"]
        finished = isinstance(step, Finished)
        return Overview(
            phase=step.phase,
            players=tuple(Seat(player, names[player]) for player in state.order),
            seats=state.seats,
            waiting_for=waiting,
            expects=tuple(dict.fromkeys(offer.do for offer in due)),
            round=getattr(state, "round", getattr(step, "round", None)),
            finished=finished,
            standings=ranking(self.scores(position), state.order) if finished else (),
        )

    def players(self, position: Position[StateT]) -> Sequence[str]:
        """Return the players in turn order."""
        return position.state.order

    def author(self, position: Position[StateT] | None, command: Any) -> str | None:
        """Return the player of a command; ``None``: only the banker may give it."""
        del position
        of_banker = isinstance(command, (StartGame, RenamePlayer, *self.corrections))
        return None if of_banker else getattr(command, "player", None)

    def secret_of(self, event: Any) -> str | None:
        """Return the player of an event that has a secret field."""
        kind: type = type(event)
        secret = any(field.secret is not None for field in field_types(kind).values())
        return str(event.player) if secret else None

    def overtakes(self, command: Any, event: Any) -> bool:
        """Let a command pass what others have done in secret meanwhile."""
        owner = self.secret_of(event)
        return owner is not None and owner != getattr(command, "player", owner)


def dealt(players: Sequence[Player], amount: int) -> Transaction:
    """Return the transaction that gives each player an amount out of the box."""
    each = tuple(Posting(player_account(player.id), amount) for player in players)
    return Transaction((Posting(BOX, -amount * len(players)), *each))


def ranking(scores: Mapping[str, Mapping[str, int]], order: Sequence[str]) -> tuple[StandingsRow, ...]:
    """Return the standings: higher figures first, by the first figure that differs; equal players share a rank."""
    if left_out := [player for player in order if player not in scores]:
        message = f"scores has no figures of {', '.join(left_out)}"
        raise LookupError(message)
    points = {player: tuple(scores[player].values()) for player in order}
    return tuple(StandingsRow(player, rank, tuple(scores[player].items())) for player, rank in rank_players(points))


def hidden_purses(position: Position[Any]) -> tuple[str, ...]:
    """Return the players whose money is hidden: all, until the game is over.  For the capability ``hidden_money``."""
    state: GameState = position.state
    return () if isinstance(state.step, Finished) else state.seats
