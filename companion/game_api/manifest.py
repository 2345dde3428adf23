"""The manifest: what a game says of itself before anything of it is loaded."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, get_args

from companion.engine.game import BANKER, LARGEST, Game, Position
from companion.engine.ledger import BANK, player_account, transfer
from companion.game_api.capabilities import Bots, Capabilities, Flights
from companion.game_api.cards import CardKind, Cards, codes_of_backs, kind_of
from companion.game_api.drawing import Drawings
from companion.game_api.handbook import Handbook
from companion.game_api.messages import Codec, Messages
from companion.game_api.stage import Corrections, Glossary, StageDirector, Storyteller, TakeOverForms
from companion.game_api.teaching import Teaching
from companion.game_api.ui import EventTexts, GameUI, OfferTexts, PositionTexts
from companion.vision.label.tag import COMMAND_CARDS

COLOURS = ("red", "blue", "yellow", "green", "grey", "purple")
"""The colours that a seat may have: each has a badge of its own shape, for those who do not see colours."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game: which of ``COLOURS``, in the order in which they are offered, and how many may play."""

    colours: tuple[str, ...]
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Lazy:
    """A part of a game that is imported when it is first needed.

    ``name`` is the ``package.module:Name`` of a class or function that makes the part, or of the part itself.
    """

    name: str

    def __call__(self, *arguments: Any) -> Any:
        """Return the part; ``arguments`` go to what makes it."""
        named = resolve_name(self.name)
        return named(*arguments) if callable(named) else named


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A game, as the registry finds it under the entry point ``companion.games``.

    Parts of a game are functions that return them, called when they are needed.  A game whose parts are heavy names
    them as ``Lazy("package.module:Name")``, so that a program that only lists games imports none of them.

    Attributes:
        api_version: The version of the plug-in API that the game was written for.
        label_code: Two capital letters on its labels.
        kinds: Kinds of cards.
        seats: The seats, and how many may play.
        rules: Returns the rules over catalogs by name.
        messages: Its commands and events.
        cards: Its cards, and how catalogs of them are read.
        beginnings: The commands with which a table begins.
        conserved: The quantities kept in double entry (``money``, ``chips`` ...); there may be none.
        capabilities: What it can do besides being played.
        bots: Its bots.
        ui: Its pages; without them default ones are drawn, for which ``position_texts`` words positions.
        words: The folder of its ``.po`` files, one a language.
        mats: The folder of its table mats; ``piles`` are the zones in which only the top card counts.
        dice: How many dice a camera looks for while an offer waits for a throw: the game reads ``3 + 4`` as a card.
        event_texts: Sentences that field types alone do not give.
        position_texts: Positions in words.
        offer_texts: Amounts and order of what is offered on the default pages.
        handbook: Its rules by name, for the page of the rules.
        drawings: Its cards on paper, and its table on the default pages; without it cards are set in type alone.
        flights: What comes to players, drawn on its way there.
        stage: Its positions as scenes of the default pages, which are lists without it.
        story: How an evening went: turning points and a picture for story and report.
        corrections: The figures that the banker puts right by tapping them.
        take_over: What is entered where a game begun without the app is taken over.
        glossary: Its words and symbols, for the page that explains them.
        teaching: What is asked of an owner about their cards; without it, what the game's own catalog holds of each.
        command_cards: Cards of its own that say a word (``{"X06": "done"}``), beside YES, NO, PASS, UNDO and SUGGEST;
            the capability ``command_card`` returns what a word means now.
        currency: The sign of its money: ``$`` stands where each language has it, any other behind the amount.
    """

    name: str
    title: str
    api_version: int
    label_code: str
    kinds: tuple[CardKind, ...]
    seats: Seats
    rules: Callable[[Mapping[str, Any]], Game[Any, Any, Any]]
    messages: Callable[[], Messages]
    cards: Callable[[], Cards]
    beginnings: tuple[str, ...] = ("start_game",)
    conserved: tuple[str, ...] = ()
    capabilities: Callable[[], Capabilities] = Capabilities
    bots: Callable[[], Bots] | None = None
    ui: Callable[[], GameUI] | None = None
    words: Path | None = None
    mats: Path | None = None
    piles: frozenset[str] = frozenset()
    dice: int = 0
    event_texts: Callable[[], EventTexts] | None = None
    position_texts: Callable[[], PositionTexts] | None = None
    offer_texts: Callable[[], OfferTexts] | None = None
    handbook: Callable[[], Handbook] | None = None
    drawings: Callable[[], Drawings] | None = None
    flights: Callable[[], Flights] | None = None
    stage: Callable[[], StageDirector] | None = None
    story: Callable[[], Storyteller] | None = None
    corrections: Callable[[], Corrections] | None = None
    take_over: Callable[[], TakeOverForms] | None = None
    glossary: Callable[[], Glossary] | None = None
    teaching: Callable[[], Teaching] | None = None
    command_cards: Mapping[str, str] = field(default_factory=dict[str, str])
    currency: str = "$"

    def __hash__(self) -> int:
        """Return a hash of the name alone: what is kept for each game is asked for many times a page."""
        return hash(self.name)


def make_part(manifest: Manifest, name: str) -> Any | None:
    """Return a part of a game by the name of its field; ``None`` where it has none."""
    make = getattr(manifest, name)
    return None if make is None else make()


def make_rules(manifest: Manifest, catalogs: Mapping[str, Any]) -> Any:
    """Return the rules of a game over catalogs; those of a game of steps are told whether it keeps money."""
    rules: Any = manifest.rules(catalogs)
    if "money" in manifest.conserved and hasattr(rules, "has_money"):
        rules.has_money = True
    return rules


# What a part of a game lacks of its protocol.


def protocol_made_by(hint: Any) -> type | None:
    """Return the protocol of the part that a field of a manifest makes; ``None`` for fields that make none."""
    for made in get_args(hint):
        part = made if inspect.isclass(made) else protocol_made_by(made)
        if part is not None and getattr(part, "_is_protocol", False):
            return part
    return None


def faults_of_part(name: str, part: Any, protocol: type) -> Iterator[str]:
    """Yield the functions and properties of a protocol that a part does not have, or that take other arguments."""
    for member, wanted in vars(protocol).items():
        if member.startswith("_") or not (callable(wanted) or isinstance(wanted, property)):
            continue
        function = getattr(part, member, None)
        if isinstance(wanted, property):
            if not hasattr(part, member):
                yield f"its {name} has no {member}"
        elif function is None and hasattr(wanted, "is_optional"):
            continue
        elif not callable(function):
            yield f"its {name} have no function {member}" if name == "rules" else f"its {name} has no function {member}"
        elif (given := _other_arguments(function, wanted)) is not None:
            yield f"its {name} has a function {member} that cannot be called with {given}"


def _other_arguments(function: Callable[..., Any], wanted: Callable[..., Any]) -> str | None:
    """Return the arguments of a protocol's function with which a function cannot be called; ``None`` if it can."""
    parameters = list(inspect.signature(wanted).parameters.values())[1:]
    keywords = {parameter.name: None for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    names = [parameter.name for parameter in parameters if parameter.name not in keywords]
    try:
        inspect.signature(function).bind(*names, **keywords)
    except TypeError:
        return f"({', '.join(names)})"
    except ValueError:  # a function that was not written in Python says nothing of its arguments
        return None
    return None


# A game opened over the catalogs of an installation: all that a table needs of it.


@dataclass(frozen=True)
class LoadedGame:
    """One game as tables play it, with the catalogs that are known here by name (a faulty one is ``Refused``)."""

    manifest: Manifest
    rules: Game[Any, Any, Any]
    codec: Codec
    messages: Messages
    cards: Cards
    catalogs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    can: Capabilities = field(default_factory=Capabilities)
    parts: Callable[[Manifest, str], Any | None] = make_part

    def part(self, name: str) -> Any | None:
        """Return a part that pages ask: ``story`` or ``corrections``; ``None`` where it has none."""
        return self.parts(self.manifest, name)

    @property
    def name(self) -> str:
        """The game's name in play files and addresses."""
        return self.manifest.name

    @property
    def command_words(self) -> Mapping[str, str]:
        """Return what the command cards say, by id: those of every game and this one's own."""
        return {**COMMAND_CARDS, **self.manifest.command_cards}

    def money_hidden_from(self, position: Position[Any], viewer: str) -> frozenset[str]:
        """Return the players whose money a viewer may not see now."""
        if self.can.hidden_money is None or viewer == BANKER:
            return frozenset()
        return frozenset(self.can.hidden_money(position)) - {viewer}

    def view(self, position: Position[Any], viewer: str) -> dict[str, Any]:
        """Return what a viewer may see of a position, without the money that is hidden from them."""
        shown = dict(self.rules.view(position, viewer))
        covered = self.money_hidden_from(position, viewer)
        if not covered:
            return shown
        players = {
            player: {**figures, "cash": None} if player in covered and "cash" in figures else figures
            for player, figures in shown.get("players", {}).items()
        }
        return {**shown, "players": players, **({"bank": None} if "bank" in shown else {})}

    def as_known(self, position: Position[Any], player: str) -> Position[Any]:
        """Return a position as a player may take it to be: with any sum in each purse that is hidden from them.

        It is the same whatever those purses and the bank hold, so that no answer tells it.
        """
        if self.can.as_known is not None:
            return self.can.as_known(position, player)
        ledger = position.ledger
        for other in self.money_hidden_from(position, player):
            account = player_account(other)
            ledger = ledger.post(transfer(BANK, account, LARGEST - ledger.balance(account)))
        return Position(position.state, ledger)

    def labelled(self, state: Any) -> frozenset[str]:
        """Return the ids of the cards that a position is played with, and the codes that several of them bear.

        Its own command cards are among them.
        """
        deck = self.cards.in_use(state)
        return frozenset(
            {*self.cards.ids(deck), *codes_of_backs(self.cards.labels(deck)), *self.manifest.command_cards}
        )

    def shared(self, state: Any) -> frozenset[str]:
        """Return the codes that several of the labels bear that a position is played with."""
        return codes_of_backs(self.cards.labels(self.cards.in_use(state)))

    def kind_of(self, card: str) -> str | None:
        """Return the name of a card's kind; ``None``: it is no card of this game."""
        kind = kind_of(self.manifest.kinds, card)
        return None if kind is None else kind.name
