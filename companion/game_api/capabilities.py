"""Capabilities of a game besides being played: functions and values, each of which may be left out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from companion.engine.explanation import Explainer
from companion.engine.game import NumberSource, Offer, Position, StandingsRow
from companion.game_api.drawing import Drawing
from companion.game_api.house_rules import RuleValue, chosen_rules, chosen_variants, form_value, values_by_key
from companion.game_api.notes import Notes
from companion.game_api.ui import Language


@dataclass(frozen=True, slots=True)
class Advisor:
    """Advice on one kind of command.

    ``verb`` is the ``do`` of that command.  ``suggest`` returns the best command that a player could give now, and the
    reasons as JSON; it raises ``Refused`` where there is none.
    """

    verb: str
    suggest: Callable[[Position[Any], str], tuple[Any, Mapping[str, Any]]]


AskedCapability: TypeAlias = Literal["forecast", "advice", "needs", "explainer"]
"""The capabilities that programs ask for by an endpoint of their own."""
ArgumentName: TypeAlias = Literal["card", "amount", "account"]


@dataclass(frozen=True, slots=True)
class Argument:
    """A query parameter of a capability.

    ``name`` is that in the address, ``meaning`` what it stands for, ``expects`` what a program is told that gives
    another value, or that leaves out what is needed.
    """

    name: str
    meaning: str
    expects: str


DEFAULT_ARGUMENTS: Mapping[ArgumentName, Argument] = {
    "card": Argument(
        "card", "A card that counts as the player's.", "Say for which card the amount is: ?card=A01&amount=9000."
    ),
    "amount": Argument("amount", "What is paid for the card.", "An amount is a whole number."),
    "account": Argument(
        "account",
        "player:blue, bank, or another account or figure of the game.",
        "Say which account to explain, such as ?account=player:blue.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDescription:
    """How the JSON interface describes a capability to programs, in the game's own words.

    Attributes:
        summary: What is asked for.
        meaning: What the answer is.
        shape: The type of the JSON that the capability returns, which pydantic can describe, such as a ``TypedDict``
            (before Python 3.12 that of ``typing_extensions``); ``None``: any object.
        note: What is published about the members of that JSON.
        arguments: Those of its arguments that are not called as in ``DEFAULT_ARGUMENTS``.
    """

    summary: str
    meaning: str
    shape: Any = None
    note: str = ""
    arguments: Mapping[ArgumentName, Argument] = field(default_factory=dict[ArgumentName, Argument])

    def argument(self, name: ArgumentName) -> Argument:
        """Return one of its arguments."""
        return self.arguments.get(name) or DEFAULT_ARGUMENTS[name]


DEFAULT_DESCRIPTIONS: Mapping[AskedCapability, AnswerDescription] = {
    "forecast": AnswerDescription(
        summary="What a player's money comes to if they go on as they are; with a card and an amount, if they get it.",
        meaning="The forecast.",
    ),
    "advice": AnswerDescription(
        summary="The best that a player could do now. For themselves and the banker.",
        meaning="A command that may be given as it is, and why.",
    ),
    "needs": AnswerDescription(
        summary="What a player still lacks for what they have begun; out of what everybody sees.",
        meaning="What they need.",
    ),
    "explainer": AnswerDescription(
        summary="The entries and rules behind a figure, oldest first; what was undone does not count.",
        meaning="How it came about.",
    ),
}
"""Descriptions of capabilities for which a game has none of its own."""


@dataclass(frozen=True, slots=True)
class PreparationStep:
    """One thing to lay ready before the first act.

    ``count`` is its figure (0: none); ``shown`` of ``of`` piles are in view (0 of 0: cards prove nothing).
    """

    name: str
    count: int = 0
    shown: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class Preparation:
    """The set-up of a table.

    ``is_due`` returns whether the table still waits for its first act; ``steps`` returns what is laid ready, given the
    ids of the cards that were in view so far.
    """

    is_due: Callable[[Position[Any]], bool]
    steps: Callable[[Position[Any], frozenset[str]], Sequence[PreparationStep]]


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices of a table when it begins: house rules by key and variants, and what each player may choose.

    The first value of each is the usual one.  Words: contexts ``rule``, ``rule value`` (``key.value``), ``variant``,
    ``variant says``; of a player's choices the context is its key.
    """

    switches: Mapping[str, tuple[RuleValue, ...]] = field(default_factory=dict[str, "tuple[RuleValue, ...]"])
    variants: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """Capabilities of a game besides being played; ``None`` where it lacks one.

    Attributes:
        explainer: How the figures of players came about.
        forecast: ``(position, viewer, player, card, amount)``: what a player's money will come to, and what a card for
            an amount would change, as JSON.  ``None`` where the viewer may not see it; raises ``Refused``.
        advice: The best command of one kind.
        needs: ``(position, player, card)``: what a player still lacks for what they have begun, with ``card`` as if it
            were theirs, as JSON.  Raises ``Refused``.
        notes: The notes of the box.
        differences: ``(state, zones)``: where cards (by id, with the zone in which each lies) contradict the position,
            as JSON; ``difference`` names how.
        scores: ``(position, viewer)``: the standings if the game ended now, without what the viewer may not know.
        preparation: What is laid ready before the first act.
        consent: The player whose consent a command needs; ``None``: nobody's.
        as_known: ``(position, player)``: the position as a player may take it to be.  What is hidden from them is such
            that nothing which they ask of others fails by it.
        hidden_money: The players whose money only they and the banker may see now.  The house covers ``cash`` of the
            other players and ``bank`` in every view, and ``as_known`` is not needed.
        command_card: ``(position, offers, word)``: the command that the word of a command card stands for now, or a
            question first; ``None`` where it stands for none.
        choices: What a table may choose when it begins.
        descriptions: How programs are told of the capabilities that they can ask for.
    """

    explainer: Explainer | None = None
    forecast: Callable[[Position[Any], str, str, str | None, int | None], Mapping[str, Any] | None] | None = None
    advice: Advisor | None = None
    needs: Callable[[Position[Any], str, str | None], Mapping[str, Any]] | None = None
    notes: Notes | None = None
    differences: Callable[[Any, Mapping[str, str]], Sequence[dict[str, Any]]] | None = None
    scores: Callable[[Position[Any], str], Sequence[StandingsRow]] | None = None
    preparation: Preparation | None = None
    consent: Callable[[Any], str | None] | None = None
    as_known: Callable[[Position[Any], str], Position[Any]] | None = None
    hidden_money: Callable[[Position[Any]], Collection[str]] | None = None
    command_card: Callable[[Position[Any], Sequence[Offer], str], Any | None] | None = None
    choices: Choices | None = None
    descriptions: Mapping[AskedCapability, AnswerDescription] = field(
        default_factory=dict[AskedCapability, AnswerDescription]
    )

    def description(self, asked: AskedCapability) -> AnswerDescription:
        """Return how a capability is described, by the game or in general."""
        return self.descriptions.get(asked) or DEFAULT_DESCRIPTIONS[asked]


# Bots of a game: a box shuffled by a seed, and what happens next at their table.

Rulebook: TypeAlias = "Mapping[str, Any]"
"""Fields of ``start_game`` by which bots play, such as house rules and variants; empty: as printed."""


@dataclass(frozen=True, slots=True)
class Act:
    """A command as the game knows it, and the cards laid to give it (none: it is tapped).

    ``zone``: where on a mat people lay them; ``None``: on the scan tray.
    """

    command: Any
    cards: tuple[str, ...] = ()
    zone: str | None = None


class Bots(Protocol):
    """Plays a game by its offers.  Chance comes from outside, as numbers."""

    @property
    def strengths(self) -> Sequence[str]:
        """The strengths of bots by name, the weakest first."""
        ...

    def shuffled(self, catalog: Any, seed: int) -> Any:
        """Shuffle the piles of a box; the same seed, the same piles."""
        ...

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Return the ``start_game`` command for a number of bots; who begins is drawn, without a seed the first."""
        ...

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words; ``Refused`` for what no rules know."""
        ...

    def drawn_rulebook(self, lots: Random) -> Rulebook:
        """Draw a value for every switch, and every variant with an even chance."""
        ...

    def next_act(
        self, position: Position[Any], piles: Any, strengths: Mapping[str, str], below: NumberSource
    ) -> Act | None:
        """Return what happens next; ``None``: the game is over.

        ``strengths`` by player, the strongest where nobody is named; ``below`` draws a number from 0 up to another.
        """
        ...

    def figures(self, position: Position[Any], player: str) -> Mapping[str, int]:
        """Return what a tournament compares at the end, the deciding figure first."""
        ...


BOT_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def seat_bots(game: str, seats: Sequence[str], seed: int | None) -> dict[str, Any]:
    """Return the ``start_game`` command that seats bots; who begins is drawn, without a seed the first."""
    first = seats[0] if seed is None else Random(seed).choice(seats)  # noqa: S311 - a lot, no secret
    named = [{"id": seat, "name": name} for seat, name in zip(seats, BOT_NAMES, strict=False)]
    return {"do": "start_game", "game": game, "first": first, "players": named}


class HouseRuleBots:
    """Bots of a game with house rules: they take seats, and read or draw a rulebook; a game derives it.

    Attributes:
        game: The name of the game.
        seats: Whose seats bots take, in their order.
        rules: The dataclass of the house rules.
        variants: The variants that may be played.
    """

    game: ClassVar[str]
    seats: ClassVar[Sequence[str]]
    rules: ClassVar[type]
    variants: ClassVar[Sequence[str]] = ()

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Return the ``start_game`` command for a number of bots; who begins is drawn, without a seed the first."""
        return seat_bots(self.game, self.seats[:players], seed)

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Return the rules that ``key=value`` and ``variant`` words name; raise ``Refused`` for what no rules know."""
        switches: dict[str, RuleValue] = {}
        chosen: list[str] = []
        for setting in settings:
            key, equals, value = setting.partition("=")
            if equals:
                by_word = {form_value(option): option for option in values_by_key(self.rules).get(key, ())}
                switches[key] = by_word.get(value, value)
            else:
                chosen.append(key)
        chosen_names = chosen_variants(self.variants, tuple(chosen))
        chosen_rules(self.rules, switches)
        return {"rules": switches, "variants": list(chosen_names)} if self.variants else {"rules": switches}

    def drawn_rulebook(self, lots: Random) -> Rulebook:
        """Return a value drawn for every house rule, and every variant with an even chance."""
        switches = {key: lots.choice(values) for key, values in values_by_key(self.rules).items()}
        if not self.variants:
            return {"rules": switches}
        return {"rules": switches, "variants": [variant for variant in self.variants if lots.random() < 1 / 2]}


# What comes to players, as the pages of the default UI show it flying there.


@dataclass(frozen=True, slots=True)
class Flight:
    """One piece: to which player it goes, and from which one; ``source`` is empty where it comes from the table."""

    to: str
    drawn: Drawing
    source: str = ""


class Flights(Protocol):
    """Knows what an event brings to whom."""

    def flights(self, event: Mapping[str, Any], words: Language) -> Sequence[Flight]:
        """Draw what comes to players by an event, a drawing for each piece; none where nothing does."""
        ...
