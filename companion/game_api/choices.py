"""Secret choices, cards in rows and in hands, and trades: steps of play and frozen values for the state of a game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar

from companion.engine.game import Amount, Field, Offer, OneOf, Position, SomeOf
from companion.game_api.messages import Actor, Card, Dollars, Person, Secret, spelled, verb_of
from companion.game_api.steps import PlayStep, TurnStep, cash

# All choose at once.


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretChoice(PlayStep, ABC):
    """All choose at once and in secret; what they chose is revealed together.

    A game derives its own step: ``phase``; ``command``, the class of what a player sends; ``event``, the class with the
    same fields that is recorded, those of the choice marked ``Secret``; ``options`` and ``revealed``.

    Attributes:
        players: Those who choose.
        chosen: The events of those who have chosen.
    """

    command: ClassVar[type]
    event: ClassVar[type]
    players: tuple[str, ...]
    chosen: tuple[Any, ...] = ()

    def options(self, position: Position[Any], player: str) -> Sequence[tuple[str, Field]]:
        """Return the open fields of a player's choice."""
        raise NotImplementedError

    @abstractmethod
    def revealed(self, position: Position[Any]) -> Sequence[Any]:
        """Return the events that follow once all have chosen; the first one reveals the choices."""

    def waiting_for(self) -> tuple[str, ...]:
        """Return everybody who has not chosen yet."""
        done = {choice.player for choice in self.chosen}
        return tuple(player for player in self.players if player not in done)

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer the choice."""
        return (Offer(verb_of(self.command), player, fields=tuple(self.options(position, player))),)

    def decide(self, position: Position[Any], command: Any) -> Sequence[Any]:
        """Record the choice."""
        del position
        return [self.event(**{declared.name: getattr(command, declared.name) for declared in fields(command)})]

    def after(self, event: Any) -> PlayStep:
        """Return the step with a choice."""
        return replace(self, chosen=(*self.chosen, event)) if isinstance(event, self.event) else self

    def follow_up(self, position: Position[Any]) -> Sequence[Any]:
        """Reveal once everybody has chosen."""
        return () if self.waiting_for() else self.revealed(position)

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return who has chosen, and what the viewer has chosen themselves."""
        own = next((choice for choice in self.chosen if choice.player == viewer), None)
        figures = {
            spelled(declared.name): getattr(own, declared.name)
            for declared in fields(self.event)
            if own is not None and declared.name != "player"
        }
        return {"chosen": [choice.player for choice in self.chosen], "own_choice": figures}


# Cards: who has them, a row that is filled from a pile, and drawing.


@dataclass(frozen=True, slots=True)
class Holdings:
    """Which cards are where: pairs of a card and the player or place that has it, in the order in which they came."""

    pairs: tuple[tuple[str, str], ...] = ()

    def of(self, place: str) -> tuple[str, ...]:
        """Return the cards of a player or a place."""
        return tuple(card for card, owner in self.pairs if owner == place)

    def owner(self, card: str) -> str | None:
        """Return who has a card; ``None``: it is nowhere yet."""
        return next((owner for other, owner in self.pairs if other == card), None)

    def moved(self, place: str, *cards: str, source: str | None = None) -> "Holdings":
        """Return the holdings after cards have come to a player or a place, from wherever they were.

        With a ``source`` they come from there alone: two hands that were ``drawn`` in secret may name the same card.
        """
        rest = tuple(pair for pair in self.pairs if pair[0] not in cards or source not in (None, pair[1]))
        return Holdings((*rest, *((card, place) for card in cards)))

    def drawn(self, player: str, *cards: str) -> "Holdings":
        """Return the holdings after a player has drawn cards in secret.

        Others may not learn who has one, so it is taken from nobody: a card that two players name was read wrongly.
        """
        return Holdings((*self.pairs, *((card, player) for card in cards)))

    def rest(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return those of these cards that are nowhere yet: what is still in the pile."""
        placed = {card for card, _ in self.pairs}
        return tuple(card for card in cards if card not in placed)

    def unseen(self, cards: Sequence[str], players: Sequence[str]) -> tuple[str, ...]:
        """Return those of these cards that lie open nowhere: in the pile, or in the hand of one of these players."""
        open_cards = {card for card, place in self.pairs if place not in players}
        return tuple(card for card in cards if card not in open_cards)

    def view(self, player: str, viewer: str, *, secret: bool = False) -> Any:
        """Return a player's cards; where hands are secret, others see only how many they are."""
        cards = list(self.of(player))
        return cards if not secret or player == viewer else len(cards)


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Turn up the next card of the pile."""

    player: Actor
    card: Card


@dataclass(frozen=True, slots=True)
class CardTurnedUp:
    """A card has come up and lies in the row."""

    player: Person
    card: Card


@dataclass(frozen=True, slots=True)
class RowFilled:
    """Every place of the row has a card, or the pile is empty."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FillRow(PlayStep):
    """A player turns cards up until a row of ``size`` is full or the ``pile`` is empty.

    ``pile``: the cards that may come up; which one does is what the player says, or the camera sees.
    """

    phase: ClassVar[str] = "row"
    player: str
    size: int
    pile: tuple[str, ...]
    row: tuple[str, ...] = ()

    def waiting_for(self) -> tuple[str, ...]:
        """Return who turns cards up, while a place is empty."""
        return (self.player,) if len(self.row) < self.size and self.pile else ()

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer every card that may come up."""
        del position
        return (Offer("turn_up", player, fields=(("card", OneOf(self.pile)),)),)

    def decide(self, position: Position[Any], command: TurnUp) -> Sequence[Any]:
        """Record the card."""
        del position
        return [CardTurnedUp(command.player, command.card)]

    def after(self, event: Any) -> PlayStep:
        """Return the step with one card more in the row."""
        if not isinstance(event, CardTurnedUp):
            return self
        pile = tuple(card for card in self.pile if card != event.card)
        return replace(self, row=(*self.row, event.card), pile=pile)

    def follow_up(self, position: Position[Any]) -> Sequence[Any]:
        """End once the row is full."""
        del position
        return () if self.waiting_for() else (RowFilled(self.row),)

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return the row, and how many cards are left in the pile."""
        del viewer
        return {"row": list(self.row), "pile": len(self.pile)}


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw a card from the pile."""

    player: Actor
    card: Annotated[Card, Secret()]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A player has drawn a card, which only they see until an event of the game's ``revealing`` happens."""

    player: Person
    card: Annotated[Card, Secret()]


@dataclass(frozen=True, slots=True)
class DrawingEnded:
    """A player has drawn as many cards as they were to."""

    player: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCards(PlayStep):
    """A player draws ``count`` cards, as far as the pile has them; only they see which.

    Attributes:
        pile: The cards that they may have drawn for all that everybody knows, those of hidden hands among them: a list
            without these would tell what others hold.
        hands: What is in hidden hands, and so not in the pile; a player draws no card that they have already.
    """

    phase: ClassVar[str] = "draw"
    player: str
    count: int
    pile: tuple[str, ...]
    hands: Holdings = Holdings()

    def left(self) -> int:
        """Return how many cards the pile still has."""
        return len(self.pile) - sum(card in self.pile for card, _ in self.hands.pairs)

    def waiting_for(self) -> tuple[str, ...]:
        """Return who draws, while a card is due."""
        return (self.player,) if self.count > 0 and self.left() > 0 else ()

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer every card that may be drawn."""
        del position
        may_be_drawn = tuple(card for card in self.pile if card not in self.hands.of(player))
        return (Offer("draw_card", player, fields=(("card", OneOf(may_be_drawn)),)),)

    def decide(self, position: Position[Any], command: DrawCard) -> Sequence[Any]:
        """Record the card."""
        del position
        return [CardDrawn(command.player, command.card)]

    def after(self, event: Any) -> PlayStep:
        """Return the step with one card less to draw."""
        if not isinstance(event, CardDrawn):
            return self
        return replace(self, count=self.count - 1, hands=self.hands.drawn(event.player, event.card))

    def follow_up(self, position: Position[Any]) -> Sequence[Any]:
        """End once all cards are drawn."""
        del position
        return () if self.waiting_for() else (DrawingEnded(self.player),)

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return how many cards are still to be drawn, and how many there are."""
        del viewer
        return {"to_draw": max(0, self.count), "pile": self.left()}


@dataclass(frozen=True, slots=True)
class DrawHand:
    """Draw cards from the pile into one's hand."""

    player: Actor
    cards: Annotated[tuple[Card, ...], Secret()]


@dataclass(frozen=True, slots=True)
class HandDrawn:
    """A player has drawn cards, which only they see until an event of the game's ``revealing`` happens."""

    player: Person
    cards: Annotated[tuple[Card, ...], Secret()]


@dataclass(frozen=True, slots=True)
class HandsFilled:
    """Everybody has drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FillHands(SecretChoice):
    """All draw at once until they have ``size`` cards, at the deal or later; only they see which.

    Where the pile does not last for all, the first of the ``players`` draw.  Cards are chosen on each player's screen:
    one that is laid under a camera does not say who has drawn it.

    Attributes:
        hands: What the players have in their hands now.
        pile: The cards that lie open nowhere; those of all hands are among them, so that no list tells a hand.
        size: How many cards a full hand has.
    """

    phase: ClassVar[str] = "draw"
    command: ClassVar[type] = DrawHand
    event: ClassVar[type] = HandDrawn
    hands: Holdings
    pile: tuple[str, ...]
    size: int

    def due(self) -> Mapping[str, int]:
        """Return how many cards each player draws, of what is in nobody's hand, drawing or not."""
        in_hands = sum(card in self.pile for card, _ in self.hands.pairs)
        left, due = len(self.pile) - in_hands, dict[str, int]()
        for player in self.players:
            due[player] = max(0, min(self.size - len(self.hands.of(player)), left))
            left -= due[player]
        return due

    def waiting_for(self) -> tuple[str, ...]:
        """Return everybody who has not drawn yet, and is to."""
        due = self.due()
        return tuple(player for player in SecretChoice.waiting_for(self) if due[player])

    def options(self, position: Position[Any], player: str) -> Sequence[tuple[str, Field]]:
        """Return that as many cards are drawn as are due, none of which is in the hand already."""
        del position
        own, due = self.hands.of(player), self.due()[player]
        return (("cards", SomeOf(tuple(card for card in self.pile if card not in own), due, due)),)

    def revealed(self, position: Position[Any]) -> Sequence[Any]:
        """End; nothing is shown."""
        del position
        return [HandsFilled()]

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return who has drawn, and what the viewer has drawn themselves."""
        due = {"to_draw": self.due()[viewer]} if viewer in self.waiting_for() else {}
        return {**due, **SecretChoice.view(self, viewer)}


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card of one's hand."""

    player: Actor
    card: Annotated[Card, Secret()]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A player has played a card, which everybody sees."""

    player: Person
    card: Card


class PlayCards(TurnStep):
    """One player after the other plays a card of their hand; a game derives it for what follows.

    Whoever's hand is empty is to be passed over by the game, as by ``without``, before it is their turn.
    """

    phase: ClassVar[str] = "play"

    def hand(self, position: Position[Any], player: str) -> Sequence[str]:
        """Return the cards that a player may play: by default all that they have in ``state.hands``."""
        return tuple(position.state.hands.of(player))

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer every card that may be played."""
        hand = tuple(self.hand(position, player))
        return (Offer("play_card", player, fields=(("card", OneOf(hand)),)),) if hand else ()

    def decide(self, position: Position[Any], command: PlayCard) -> Sequence[Any]:
        """Record the card."""
        del position
        return [CardPlayed(command.player, command.card)]

    def after(self, event: Any) -> PlayStep:
        """Return the next player's turn once a card was played."""
        return self.next() if isinstance(event, CardPlayed) else self


# Trades by agreement: the house asks the other player (capability ``consent``), and decides once they say yes.


@dataclass(frozen=True, slots=True)
class Trade:
    """Exchange cards and money with another player, who must agree."""

    needs_consent: ClassVar[bool] = True
    player: Actor
    with_: Person
    give: tuple[Card, ...] = ()
    get: tuple[Card, ...] = ()
    pay: Dollars = 0
    ask: Dollars = 0


@dataclass(frozen=True, slots=True)
class Traded:
    """Two players have exchanged cards and money."""

    player: Person
    with_: Person
    give: tuple[Card, ...]
    get: tuple[Card, ...]
    pay: Dollars
    ask: Dollars


def trade_offers(
    position: Position[Any],
    player: str,
    partners: Sequence[str],
    cards_of: Callable[[str], Sequence[str]],
    *,
    hidden_money: bool = False,
    most_asked: int = 0,
) -> Sequence[Offer]:
    """Return the offers of trades that a player may propose: cards, for cards or money, or cards for money alone.

    ``hidden_money``: of others' money up to ``most_asked`` is asked for, whatever they have: a limit that followed
    their purses would tell how much is in them.
    """
    mine, purse = tuple(cards_of(player)), cash(position, player)
    pay: tuple[tuple[str, Field], ...] = (("pay", Amount(0, purse, 1)),) if purse else ()
    offers: list[Offer] = []
    for partner in (partner for partner in partners if partner != player):
        theirs, rich = tuple(cards_of(partner)), most_asked if hidden_money else cash(position, partner)
        ask: tuple[tuple[str, Field], ...] = (("ask", Amount(0, rich, 1)),) if rich else ()
        get: tuple[tuple[str, Field], ...] = (("get", SomeOf(theirs, 0, len(theirs))),) if theirs else ()
        given = (("with", partner),)
        if mine:
            give = (("give", SomeOf(mine, 1, len(mine))),)
            offers.append(Offer("trade", player, given, (*give, *get, *pay, *ask), "possible"))
        if theirs:
            bought = (("get", SomeOf(theirs, 1, len(theirs))),)
            offers.append(Offer("trade", player, given, (*bought, *pay), "possible"))
    return offers


def traded(command: Trade) -> Traded:
    """Return the event of a trade that was agreed on."""
    return Traded(command.player, command.with_, command.give, command.get, command.pay, command.ask)


def trade_partner(command: Any) -> str | None:
    """Return the other side of a trade, who must agree to it: the capability ``consent`` of a game with trades."""
    return command.with_ if isinstance(command, Trade) else None
