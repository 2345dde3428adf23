"""The interface of a game: pure functions from positions and commands to events, and the values that rules work with.

``decide`` holds every rule, ``evolve`` none: a saved game is a fold over its events and never depends on the rules of a
later version.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

from companion.engine.journal import Json
from companion.engine.ledger import Ledger, Transaction

Detail: TypeAlias = "str | int | tuple[str, ...] | tuple[Mapping[str, object], ...]"
"""A number, an id, several ids; under ``faults`` several refusals in one, each ``{"rule", "details"}``."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer of the rules, not an error of the program
    """A command is not possible now.

    ``rule`` is a language-neutral id such as ``cannot_pay``; ``details`` are the figures and ids that its sentence
    contains.  The sentences themselves are in the translations.
    """

    def __init__(self, rule: str, /, **details: Detail) -> None:
        """Store the id of the rule and the details of its sentence."""
        super().__init__(rule)
        self.rule = rule
        self.details: Mapping[str, Detail] = MappingProxyType(details)

    def __str__(self) -> str:
        """Return rule and details, for logs and test failures; people see the translated sentence."""
        figures = ", ".join(f"{key}={value}" for key, value in self.details.items())
        return f"{self.rule} ({figures})" if figures else self.rule


# Game-independent summary of a position


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: id, name, and the generation of the seat (how many players have handed it over)."""

    id: str
    name: str
    seat_generation: int = 0


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the final standings; ``figures`` are the game's columns by name, the deciding one first.

    Ranks count from 1; players who are equal share a rank.
    """

    player: str
    rank: int
    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """Summary of a position for any game: phase, seats, who must act, standings.  It holds nothing secret.

    ``players`` are in turn order, ``seats`` clockwise; ``expects`` are the kinds of commands that would advance the
    game; ``round`` is ``None`` in a game without rounds; ``standings`` are empty before the end.
    """

    phase: str
    players: tuple[Seat, ...]
    seats: tuple[str, ...]
    waiting_for: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    round: int | None = None
    finished: bool = False
    standings: tuple[StandingsRow, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """Names of the players by id, in turn order."""
        return {seat.id: seat.name for seat in self.players}

    def seat_generation(self, player: str) -> int:
        """Return how often a player's seat was handed over; 0 if never, or if there is no such player."""
        return next((seat.seat_generation for seat in self.players if seat.id == player), 0)


# Offers: commands that may be given now; each open field describes its possible values

Site: TypeAlias = "tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of these ids."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Between ``least`` and ``most`` different ids of these."""

    values: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole dollars from ``least`` to ``most`` in steps."""

    least: int
    most: int
    step: int = 1_000


@dataclass(frozen=True, slots=True)
class Bag:
    """A mapping of kinds to positive counts.

    ``kinds``: each kind with its highest count; ``least`` and ``most`` bound the sum, ``most`` 0 means no bound.
    """

    kinds: tuple[tuple[str, int], ...]
    least: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Dice:
    """The result of ``count`` dice: a list of numbers from 1 to ``faces``."""

    count: int = 2
    faces: int = 6


@dataclass(frozen=True, slots=True)
class AnyOfThese:
    """Exactly one of these values, each a mapping from a card to the ids on it."""

    values: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


@dataclass(frozen=True, slots=True)
class AnySet:
    """Exactly one of these sets of ids."""

    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment of cards to open places: any subset of ``sites`` that the rules accept.

    ``sites``: for each card its open places, each with the codes of the teams that fit; ``workers``: ids with their
    rank code.  The empty assignment is always possible.
    """

    sites: tuple[Site, ...]
    workers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A mapping whose parts are themselves fields; a part may be omitted where it may be empty."""

    parts: "tuple[tuple[str, Field], ...]"


Field: TypeAlias = "OneOf | SomeOf | Amount | Bag | Dice | AnyOfThese | AnySet | Assignment | Parts"
Urgency: TypeAlias = Literal["due", "possible"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a player could give now.

    ``do`` and ``given`` are its fixed fields, ``fields`` those still to be chosen.  ``due`` offers advance the game;
    ``possible`` ones may be taken at any time (paying a debt back).  ``addressed``: the command names the player;
    otherwise the player is only the one who may give it (turning a card), or the banker alone may where ``player`` is
    ``BANKER`` (letting the hammer fall).
    """

    do: str
    player: str
    given: tuple[tuple[str, str | bool], ...] = ()
    fields: tuple[tuple[str, Field], ...] = ()
    urgency: Urgency = "due"
    addressed: bool = True


OFFER_ONLY = frozenset({"fields", "urgency", "by"})
"""The members of an offer in JSON that its command does not have."""

# A card at rest in the camera's view: the value that vision and rules share


@dataclass(frozen=True, slots=True)
class Placement:
    """A label that came to rest in a zone, moved to another zone, or left.

    ``tag`` is the text of the label (``MB1W07``), ``card`` the component that it stands for (``W07``).  ``zone`` is its
    zone now, for ``remove`` its last zone.  ``confidence`` is between 0 and 1.  ``tops``: by zone, the code on top of
    piles whose cards share one label.
    """

    event: Literal["place", "move", "remove"]
    tag: str
    card: str
    zone: str
    confidence: float
    tops: tuple[tuple[str, str], ...] = ()

    def top(self, zone: str) -> str | None:
        """Return the code on top of the pile in a zone; ``None`` if none was seen at rest."""
        return dict(self.tops).get(zone)


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


BANKER = "banker"
SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """State and ledger of a game at one version."""

    state: S
    ledger: Ledger


class FoldedEvents(tuple[E, ...]):  # noqa: SLOT001 - a tuple of any length can have no slots
    """Events together with the position after folding them, so that the engine need not fold them again.

    ``decide`` and ``follow_up`` may return any sequence; a game that folds each event before it decides the next
    returns this one.
    """

    position: Position[Any]


def folded_events(events: Sequence[E], position: Position[Any]) -> FoldedEvents[E]:
    """Return events with the position that they lead to."""
    folded: FoldedEvents[E] = FoldedEvents(events)
    folded.position = position
    return folded


@dataclass(frozen=True, slots=True)
class Question:
    """A card that was recognised but is no command by itself: the id of the rule and the details of its sentence.

    ``yes`` and ``no``: the commands that these answers would give; ``None`` where an answer gives none.
    """

    card: str
    rule: str
    details: tuple[tuple[str, Detail], ...] = ()
    yes: Any = None
    no: Any = None


class Game(Protocol[S, C, E]):
    """The functions of a game.  They are pure: no clock, no random numbers, no input or output."""

    name: str
    label_code: str

    def decide(self, position: Position[S] | None, command: C) -> Sequence[E]:
        """Return the events of a command, or raise ``Refused``.  ``position`` is ``None`` before the start."""
        ...

    def follow_up(self, position: Position[S]) -> Sequence[E]:
        """Return the events that follow without a command; empty when the game waits for somebody."""
        ...

    def evolve(self, state: S | None, event: E) -> S:
        """Return the state after an event.  Applies no rule and looks up no price: both are in the event."""
        ...

    def account_for(self, event: E) -> Transaction | None:
        """Return the transaction of an event; ``None`` if it moves no money."""
        ...

    def offers(self, position: Position[S], player: str) -> Sequence[Offer]:
        """Return the commands that a player could give now."""
        ...

    def read(self, position: Position[S], placement: Placement) -> C | Question | None:
        """Return the command or question that a placed card stands for now; ``None`` if it has no meaning."""
        ...

    def view(self, position: Position[S], viewer: str) -> Json:
        """Return what a viewer may see of the position: a player id, ``BANKER`` or ``SPECTATOR``."""
        ...

    def overview(self, position: Position[S]) -> Overview:
        """Return the game-independent summary of the position, without anything secret."""
        ...

    def players(self, position: Position[S]) -> Sequence[str]:
        """Return the ids of the players in turn order."""
        ...

    def author(self, position: Position[S] | None, command: C) -> str | None:
        """Return the only player who may give a command; ``None`` if only the banker may."""
        ...

    def secret_of(self, event: E) -> str | None:
        """Return the only player who may see an event until it is revealed; ``None`` if everybody may."""
        ...

    def overtakes(self, command: C, event: E) -> bool:
        """Return whether a command remains valid although its sender has not seen this event."""
        ...


# Values of rules: changed copies of frozen data classes, an English auction, turns in clockwise order, chance

DataclassT = TypeVar("DataclassT")

NumberSource: TypeAlias = Callable[[int], int]
"""Draws a whole number from 0 up to, not including, the one given.  Chance comes from outside."""


def copy_with(original: DataclassT, **changes: Any) -> DataclassT:
    """Return a copy of a data class with some fields changed.  All its fields must be positional.

    It takes half the time of ``dataclasses.replace``; a replay makes thousands of copies.

    Raises:
        KeyError: if there is no such field.

    """
    kind: Any = type(original)
    values_of, places = _layout(kind)
    values = list(values_of(original))
    for name, value in changes.items():
        values[places[name]] = value
    return cast("DataclassT", kind(*values))


@cache
def _layout(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    names = [field.name for field in fields(kind)]
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),), {names[0]: 0}
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Auction:
    """A lot being auctioned.

    ``still_in``: the remaining bidders in clockwise order, the leader included.  ``to_bid`` is the next to bid;
    ``None`` when only the leader remains, who has then won.
    """

    lot: str
    bid: int
    leader: str
    still_in: tuple[str, ...]
    to_bid: str | None

    @staticmethod
    def open(lot: str, bid: int, leader: str, bidders: tuple[str, ...]) -> "Auction":
        """Return an auction with its opening bid; ``bidders`` are in clockwise order and include the leader."""
        auction = Auction(lot, bid, leader, bidders, None)
        return copy_with(auction, to_bid=auction.next_after(leader))

    def next_after(self, bidder: str) -> str | None:
        """Return the next bidder after this one; ``None`` where that would be the leader."""
        return next_bidder(self.still_in, self.leader, bidder)

    def with_bid(self, amount: int) -> "Auction":
        """Return the auction after a higher bid of the player whose turn it is."""
        leading = copy_with(self, bid=amount, leader=self.to_bid or self.leader)
        return copy_with(leading, to_bid=leading.next_after(leading.leader))

    def without(self, bidder: str) -> "Auction":
        """Return the auction after a bidder has dropped out for good."""
        following = self.next_after(bidder) if bidder == self.to_bid else self.to_bid
        remaining = tuple(other for other in self.still_in if other != bidder)
        return copy_with(self, still_in=remaining, to_bid=None if remaining == (self.leader,) else following)


def next_bidder(still_in: Sequence[str], leader: str | None, bidder: str) -> str | None:
    """Return who bids after a bidder, in the order of those still in; ``None`` where only the leader could."""
    place = still_in.index(bidder)
    for following in (*still_in[place + 1 :], *still_in[:place]):
        if following != leader:
            return following
    return None


def clockwise_order(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """Return all players in clockwise order, beginning with ``first``."""
    place = seats.index(first)
    return tuple(seats[place:]) + tuple(seats[:place])


def left_neighbour(seats: Sequence[str], player: str) -> str:
    """Return the left neighbour of a player: the next one clockwise."""
    return seats[(seats.index(player) + 1) % len(seats)]


LARGEST = 1_000_000_000
"""Stands for no upper bound."""


# Results of rules are checked, because a missing comma shows far from its cause.


class WrongResult(TypeError):  # noqa: N818 - told to the author in one line
    """A function of a game returns something of another type than is read; the message says what."""


def _check_events(result: Any) -> None:
    """Raise ``WrongResult`` for what is no sequence of events, as for one event alone."""
    if result is None:
        message = "returns nothing, where a tuple of events is wanted: return ()"
        raise WrongResult(message)
    name = type(result).__name__
    if isinstance(result, str | Mapping) or not isinstance(result, Sequence):
        message = f"returns a {name}, no tuple of events: is a comma missing, as in ({name}(...),)?"
        raise WrongResult(message)


def _check_offers(result: Any) -> None:
    """Raise ``WrongResult`` for what are no offers, or offers whose fields are no pairs."""
    if result is None or isinstance(result, Offer | str):
        what = "nothing" if result is None else f"a {type(result).__name__}"
        message = f"returns {what}, no tuple of offers: is a comma missing, as in (Offer(...),)?"
        raise WrongResult(message)
    for offer in cast("Sequence[object]", result if isinstance(result, Sequence) else ()):
        if not isinstance(offer, Offer):
            message = f"returns a {type(offer).__name__} among the offers"
            raise WrongResult(message)
        for name in ("fields", "given"):
            pairs = getattr(offer, name)
            listed = cast("Sequence[Any]", pairs if isinstance(pairs, Sequence) else (None,))
            if not all(_is_pair(pair, is_field=name == "fields") for pair in listed):
                example = '(("card", OneOf(...)),)' if name == "fields" else '(("with", player),)'
                message = f"returns {offer.do} whose {name} are no pairs: is a comma missing, as in {name}={example}?"
                raise WrongResult(message)


def _is_pair(pair: Any, *, is_field: bool) -> bool:
    parts = cast("Sequence[Any]", pair if isinstance(pair, tuple | list) else ())
    is_named = len(parts) == 2 and isinstance(parts[0], str)  # noqa: PLR2004 - a pair
    return is_named and (is_dataclass(parts[1]) or not is_field)


def _check_view(result: Any) -> None:
    """Raise ``WrongResult`` for what is no mapping, or has players that are no figures by player."""
    if not isinstance(result, Mapping):
        message = f"returns a {type(result).__name__}, where a mapping is wanted"
        raise WrongResult(message)
    players = cast("Mapping[str, Any]", result).get("players", {})
    listed = cast("Mapping[str, Any]", players if isinstance(players, Mapping) else {"": None})
    if not all(isinstance(figures, Mapping) for figures in listed.values()):
        message = "returns players that are no figures by player: a figure of the table must be called otherwise"
        raise WrongResult(message)


def _check_overview(result: Any) -> None:
    """Raise ``WrongResult`` where those who are waited for are one text."""
    if isinstance(result.waiting_for, str):
        text = result.waiting_for
        message = f"waits for the text {text!r}, no tuple of players: waiting_for returns ({text!r},)"
        raise WrongResult(message)


RESULTS: Mapping[str, Callable[[Any], object]] = {
    "decide": _check_events,
    "follow_up": _check_events,
    "offers": _check_offers,
    "view": _check_view,
    "overview": _check_overview,
}
"""Functions of the rules whose results are examined, and by what."""
