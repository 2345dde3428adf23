"""The manifest: what a game says of itself before anything of it is loaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.engine.game import Game
from companion.gamekit.capabilities import Capabilities
from companion.gamekit.cards import CardKind, Cards
from companion.gamekit.draws import Draws
from companion.gamekit.face import Face
from companion.gamekit.flying import Flies
from companion.gamekit.handbook import Handbook
from companion.gamekit.messages import Messages
from companion.gamekit.simulates import Simulates
from companion.gamekit.teaching import Teaches
from companion.gamekit.tells import Describes, Tells

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
