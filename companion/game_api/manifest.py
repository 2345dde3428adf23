"""The manifest: what a game says of itself before anything of it is loaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.engine.game import Game
from companion.game_api.capabilities import Capabilities, Flies, Simulates
from companion.game_api.cards import CardKind, Cards, codes_of_backs, kind_of
from companion.game_api.drawing import Draws
from companion.game_api.handbook import Handbook
from companion.game_api.messages import Codec, Messages
from companion.game_api.teaching import Teaches
from companion.game_api.ui import Describes, Face, Tells
from companion.vision.label.tag import COMMAND_CARDS

COLOURS = ("red", "blue", "yellow", "green", "grey", "purple")
"""The colours that a seat may have: each has a badge of its own shape, for those who do not see colours."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game: which of ``COLOURS``, in the order in which they are offered, and how many may play."""

    colours: tuple[str, ...]
    fewest: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A game, as the registry finds it under the entry point ``companion.games``.

    ``kit`` is the version of the kit that it was written for; ``label_code`` two capital letters on its labels;
    ``beginnings`` the commands with which a table begins; ``conserved`` the quantities that it keeps in double entry
    (``money``, ``chips`` ...; none is possible).  ``rules`` gives the rules over catalogs by name.  What is heavy comes
    from functions, which are called when it is needed: a program that only lists games loads none.  ``words`` is the
    folder of its ``.po`` files, one a language, and ``mats`` that of its table mats; ``piles`` are those of their zones
    in which only what lies on top counts.  ``tells`` puts into words what field types alone do not say.  Without a
    ``face`` a plain one is drawn, for which ``describes`` words positions.
    ``handbook`` tells its rules by name, for the page of the rules.
    ``draws`` is how its cards look on paper, and its table on the plain face; without it they are set in type alone.
    ``flies`` draws what comes to players, so that pages show it on its way.
    ``dice`` is how many a camera looks for at rest whenever an offer waits for a throw: the game reads ``3 + 4`` as it
    reads a card.
    ``teaches`` asks an owner what is printed on the cards of his box; without it, what the game's own catalog holds of
    each card is asked for, where that is a list of cards.
    ``command_cards`` are cards of its own that say a word (``{"X06": "done"}``), beside YES, NO, PASS, UNDO and
    SUGGEST; what a word means now its capability ``hears_cards`` knows.
    ``currency`` is the sign of its money: ``$`` stands where each language has it, any other behind the amount.
    """

    name: str
    title: str
    kit: int
    label_code: str
    kinds: tuple[CardKind, ...]
    seats: Seats
    rules: Callable[[Mapping[str, Any]], Game[Any, Any, Any]]
    messages: Callable[[], Messages]
    cards: Callable[[], Cards]
    beginnings: tuple[str, ...] = ("start_game",)
    conserved: tuple[str, ...] = ()
    capabilities: Callable[[], Capabilities] = Capabilities
    simulates: Callable[[], Simulates] | None = None
    face: Callable[[], Face] | None = None
    words: Path | None = None
    mats: Path | None = None
    piles: frozenset[str] = frozenset()
    dice: int = 0
    tells: Callable[[], Tells] | None = None
    describes: Callable[[], Describes] | None = None
    handbook: Callable[[], Handbook] | None = None
    draws: Callable[[], Draws] | None = None
    flies: Callable[[], Flies] | None = None
    teaches: Callable[[], Teaches] | None = None
    command_cards: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    currency: str = "$"


# --- edition
# A game opened over the catalogs of an installation: all that a table needs of it.


@dataclass(frozen=True)
class Edition:
    """One game as tables play it, with the catalogs that are known here by name (a faulty one is ``Refused``)."""

    manifest: Manifest
    game: Game[Any, Any, Any]
    codec: Codec
    messages: Messages
    cards: Cards
    catalogs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    can: Capabilities = field(default_factory=Capabilities)

    @property
    def name(self) -> str:
        """The game's name in play files and addresses."""
        return self.manifest.name

    @property
    def command_words(self) -> Mapping[str, str]:
        """Return what the command cards say, by id: those of every game and this one's own."""
        return {**COMMAND_CARDS, **self.manifest.command_cards}

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
        """Return of which kind a card is; ``None``: of none of this game's."""
        kind = kind_of(self.manifest.kinds, card)
        return None if kind is None else kind.name
