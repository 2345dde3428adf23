"""The stage of a game that brings no pages of its own: what a screen shows, as data that the house composes.

A game supplies sentences, figures and drawings; sizes, places and colours of the page are the house's.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, TypeAlias, Union, get_args, get_origin, get_type_hints

from companion.engine.journal import Json
from companion.game_api.boards import Surface, surface_faults
from companion.game_api.drawing import Drawing
from companion.game_api.ui import Language, TableView

LONGEST_VALUE = 60
"""Letters of a value in a line about what is wrong with it."""
Tone: TypeAlias = Literal["", "alarm", "joy"]
"""How a moment is shown: as usual, as something lost, as something won."""
StepState: TypeAlias = Literal["done", "now", "later"]
SeatState: TypeAlias = Literal["", "passed", "leads", "hit"]
"""``passed``: is out; ``leads``: is ahead or has won; ``hit``: has just lost something."""


@dataclass(frozen=True, slots=True)
class StageFact:
    """A figure of the table in the head, such as *Turn 18*; without a figure the label alone."""

    label: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class StageStep:
    """A step of a turn in the head."""

    label: str
    state: StepState = "later"


@dataclass(frozen=True, slots=True)
class DrawnCount:
    """A small drawing and how many there are; what it shows is what the drawing says."""

    drawn: Drawing
    count: int


@dataclass(frozen=True, slots=True)
class CountRow:
    """Small drawings with numbers under a label, such as a reserve."""

    label: str
    counts: tuple[DrawnCount, ...]


@dataclass(frozen=True, slots=True)
class Transfer:
    """Things that go from one player to another at one time.

    Attributes:
        giver: The player who has it before.
        taker: The player who has it then.
        amount: Money, in words; empty: none.
        pieces: Small drawings with their number.
        named: Drawings of single things, each with its name beside it (what the drawing says).
    """

    giver: str
    taker: str
    amount: str = ""
    pieces: tuple[DrawnCount, ...] = ()
    named: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """Something that a player has several of, as a small drawing for each.

    Attributes:
        title: What it is, for readers who hear it.
        drawn: One of them.
        count: How many the player has.
        most: How many they could have; the missing ones are shown too.  0: one drawing with the number beside it.
        missing: A missing one; ``None``: nothing is shown in its place.
    """

    title: str
    drawn: Drawing
    count: int
    most: int = 0
    missing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class StageSeat:
    """A player's seat: tokens, or an amount with its label; ``status`` in a word or two.

    ``amount`` is the player's money: it is covered where money is hidden, and a tap tells how it came about.  Other
    figures, such as points, go into ``status``.
    ``tool``: a drawing of what passes from player to player, in the seat of whoever has it.
    """

    tokens: tuple[Token, ...] = ()
    amount: str = ""
    label: str = ""
    status: str = ""
    state: SeatState = ""
    tool: Drawing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One scene of a game in the reader's words.

    Attributes:
        title: The headline, two or three words.
        kicker: A line above it.
        text: Sentences below it.
        picture: What everybody looks at, large beside the words.
        surfaces: Rows of cards, chips, tracks and boards below the picture; the house draws them, and their cells and
            cards are tapped.
        upright: The same picture for a phone, which is narrow; ``None``: ``picture``.
        plan: What values with an area are tapped on (``OfferValue.area``), from above enough that each is large.
        transfers: What has just gone from player to player: a strap from seat to seat on the big screen.
        legend: A small table beside the words, such as what things cost while somebody may pay for them.
        columns: A drawing for each player that stands on their seat, instead of ``picture``.
        lost: Tokens below the sentences, such as the certificates that are left.
        counts: Rows of small drawings with numbers.
        facts: Figures of the table in the head.
        steps: The steps of a turn in the head.
        tone: How the moment is shown.
        seats: What stands in the players' seats.
        now: What is expected, a few words behind the name of whoever acts; empty: the sentence of the moment.
        then: The player who comes after.
        losing: Verbs of commands by which something is lost: their buttons look like it.
        news: What has just happened, in a sentence that is said aloud before what is expected.
        advice: Sentences for each player who could use them, on devices that wish for advice.
    """

    title: str
    kicker: str = ""
    text: tuple[str, ...] = ()
    picture: Drawing | None = None
    surfaces: tuple[Surface, ...] = ()
    upright: Drawing | None = None
    plan: Drawing | None = None
    transfers: tuple[Transfer, ...] = ()
    legend: Drawing | None = None
    columns: Mapping[str, Drawing] = field(default_factory=dict[str, Drawing])
    lost: Token | None = None
    counts: tuple[CountRow, ...] = ()
    facts: tuple[StageFact, ...] = ()
    steps: tuple[StageStep, ...] = ()
    tone: Tone = ""
    seats: Mapping[str, StageSeat] = field(default_factory=dict[str, StageSeat])
    now: str = ""
    then: str | None = None
    losing: tuple[str, ...] = ()
    news: str = ""
    advice: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


class StageDirector(Protocol):
    """Shows positions of a game on the stage; a game that derives it may leave out all but ``stage``."""

    def stage(self, scene: TableView) -> Stage:
        """Return the scene of a position, with the latest entry's moment while it is the newest thing."""
        ...

    def choices(self, scene: TableView, name: str, values: Sequence[str]) -> Mapping[str, Drawing]:
        """Draw values that an offer's field may hold, the likeliest first; those without a drawing are words.

        The scene's ``offers`` are those of the command that asks for it, and no others.
        More than twelve drawings of a field that is asked alone stand on a sheet of their own.
        """
        del scene, name, values
        return {}

    def deal(self, scene: TableView, command: Json) -> Sequence[Transfer]:
        """Return what a command that two players agree on brings to whom, in both directions; none of any other."""
        del scene, command
        return ()


# What the banker puts right by tapping the figure that is wrong.


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """A value of a figure: what it is called, and the command that sets it; ``None``: it is the value now."""

    says: str
    command: Json | None = None


@dataclass(frozen=True, slots=True)
class FigureAmount:
    """An amount that is set freely: the command's ``field``, what it holds now, and its limits.

    Where a game moves money instead of setting it, ``more`` and ``less`` are the commands that do, and ``field`` is how
    much they move.
    """

    field: str
    value: int
    least: int
    most: int
    step: int = 1
    more: Json | None = None
    less: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectableFigure:
    """A figure of the table that can be put right.

    A reason is asked for where the command has one.

    Attributes:
        key: Its name in the address of the sheet.
        title: What it is.
        now: Its value in words.
        player: Whose it is; ``None``: the table's.
        choices: All values that it may have, the present one among them.
        amount: An amount to be set instead of choices, as a field of ``command``.
        text: The command's field that takes words instead, such as a name.
        command: The command of ``amount`` and ``text`` without that field.
        account: The account of the ledger that it is the balance of, such as ``player:blue``; what made it so is shown
            beside it.  Empty: none.
    """

    key: str
    title: str
    now: str
    player: str | None = None
    choices: tuple[FigureChoice, ...] = ()
    amount: FigureAmount | None = None
    text: str = ""
    command: Json = field(default_factory=dict[str, Any])
    account: str = ""


class Corrections(Protocol):
    """Knows which figures of a position can be put right."""

    def figures(self, scene: TableView) -> Sequence[CorrectableFigure]:
        """Return all figures that the banker may put right now, player by player, those of the table last."""
        ...


# Words and symbols of a game, explained on a page of their own.


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A word or symbol: its id, how it is drawn, and the rule that says more, where there is one.

    Its words stand in the game's ``.po`` files: its title under ``term``, what it means under ``term says``.
    """

    id: str
    drawn: Drawing | None = None
    rule: str = ""


class Glossary(Protocol):
    """Knows the words and symbols that a game's pages use."""

    def groups(self, words: Language) -> Mapping[str, Sequence[GlossaryTerm]]:
        """Return all terms by the id of their group, whose title stands under ``term group``."""
        ...


# What is entered where a game begun without the app is taken over.


@dataclass(frozen=True, slots=True)
class TakenOption:
    """A choice: what it is called, and what it puts into the position, by paths whose parts are parted by dots.

    A path that ends with ``+`` is a list to which it adds.  ``{player}`` in ``says`` is what the ``player`` of that
    colour is called; the choice is there only while they play.
    """

    says: str
    sets: Json = field(default_factory=dict[str, Any])
    player: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenField:
    """A field of the page: a number at ``path``, cards by their numbers (``prefix``), or one of ``options``.

    A number without ``value`` may be left out: the position is as at the start there, which ``hint`` says.
    ``where``: house rules by their values, variants by ``True`` or ``False``, with which alone it is asked.
    """

    title: str
    path: str = ""
    value: int | None = None
    least: int = 0
    most: int = 0
    step: int = 1
    hint: str = ""
    prefix: str = ""
    options: tuple[TakenOption, ...] = ()
    where: Json = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class TakenGroup:
    """Fields under a title; ``note`` says more, ``where`` as in a field."""

    title: str
    fields: tuple[TakenField, ...]
    note: str = ""
    where: Json = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOverForm:
    """The page on which a game that is under way is entered; the command ``take_over`` gets what it holds.

    Attributes:
        player: What each player has besides name and colour; paths begin at the player.
        groups: What lies on the table.
        turn: The path of whoever is on turn.
        seats: Whether the position lists its seats.
    """

    player: tuple[TakenField, ...]
    groups: tuple[TakenGroup, ...]
    turn: str
    seats: bool = False


class TakeOverForms(Protocol):
    """Knows what of a position is entered."""

    def form(self, words: Language, cards: Json, colours: Sequence[str]) -> TakeOverForm:
        """Return the form; ``cards`` are those of a box as JSON, ``colours`` the seats that may play."""
        ...


# How a game that is over is told: on screens, in one picture to send, on paper.


@dataclass(frozen=True, slots=True)
class RoundWorth:
    """Worth of each player at the end of a round; of the round being played, as it stands now.

    Where the game has no rounds, ``round`` counts equal parts of the evening.  Round 0 is the start.
    """

    round: int
    worth: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point: ``when`` it came, such as *Turn 12*, what is said of it, and whose it was."""

    when: str
    says: str
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an evening went, in the reader's words.

    Attributes:
        facts: The result in numbers, a few words each; how long it took is added by the house.
        turns: Turning points, the earliest first.
        results: What each player ended with, such as *34 points*; without it the deciding figure of the standings.
        picture: What stands there at the end; without it the columns of the stage, or a podium.
        explained: How the figures of the standings come about.
    """

    facts: tuple[str, ...] = ()
    turns: tuple[TurningPoint, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict[str, str])
    picture: Drawing | None = None
    explained: str = ""


class Storyteller(Protocol):
    """Shows how an evening of a game went."""

    def ending(self, scene: Any, events: Sequence[Json], worths: Sequence[RoundWorth]) -> Ending:
        """Return the story of a game that is over.

        Args:
            scene: The finished game as its pages see it.
            events: All events that stand, the earliest first.
            worths: What everybody was worth over the rounds, in games that say it.
        """
        ...


# What is wrong with a scene, for ``companion game check``.


def stage_faults(stage: Stage, players: Collection[str], verbs: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with a scene whose values have the right types: what lies where, people and verbs.

    Args:
        stage: The scene.
        players: The players of the game.
        verbs: The commands of the game.

    """
    people = {*stage.seats, *stage.columns, *stage.advice, *(() if stage.then is None else (stage.then,))}
    people |= {player for transfer in stage.transfers for player in (transfer.giver, transfer.taker)}
    yield from (f"the stage names {player!r}, who does not play" for player in sorted(people - {*players}))
    yield from (
        f"the stage names {verb!r} as losing, which is no command" for verb in stage.losing if verb not in verbs
    )
    yield from surface_faults(stage.surfaces, players)


def type_faults(value: Any, wanted: Any, place: str) -> Iterator[str]:
    """Yield where a value, or something in it, is of another type than declared; ``place`` names it."""
    origin, args, declared = get_origin(wanted), get_args(wanted), wanted
    if wanted is Any:
        return
    if origin is Literal:
        if value not in args:
            yield f"{place} is {value!r}, and may be {', '.join(map(repr, args))}"
    elif origin in (Union, UnionType):
        yield from _faults_of_union(value, args, place)
    elif isinstance(origin, type):
        yield from _faults_of_parts(value, origin, args, place)
    elif isinstance(wanted, type) and not isinstance(value, (int, float) if wanted is float else wanted):
        yield f"{place} is {_kind(value)}, and no {wanted.__name__}"
    elif is_dataclass(wanted):
        for name, kind in _fields_of(declared).items():
            yield from type_faults(getattr(value, name), kind, f"{place}.{name}")


def _faults_of_union(value: Any, kinds: Sequence[Any], place: str) -> Iterator[str]:
    """Yield the faults of a value by that of its types which it comes nearest to; none where it is of one."""
    tried = [list(type_faults(value, kind, place)) for kind in kinds]
    if all(tried):
        deepest = (faults for faults in tried if faults[0].startswith((f"{place}.", f"{place}[")))
        yield from next(deepest, [f"{place} is {_kind(value)}, which it may not be"])


def _faults_of_parts(value: Any, origin: type, args: Sequence[Any], place: str) -> Iterator[str]:
    """Yield the faults of a mapping or a sequence, and of what is in it."""
    wanted: tuple[type, ...] = (tuple, list) if issubclass(origin, Sequence) else (origin,)
    if not isinstance(value, wanted):
        yield f"{place} is {_kind(value)}, and no {origin.__name__.lower()}"
    elif isinstance(value, Mapping):
        parts: Mapping[Any, Any] = value
        for key, part in parts.items():
            yield from type_faults(part, args[1], f"{place}[{key!r}]")
    elif isinstance(value, tuple | list):
        members: Sequence[Any] = value
        kinds = args if origin is tuple and ... not in args else (args[0],) * len(members)
        if len(kinds) != len(members):
            yield f"{place} has {len(members)} members, and not {len(kinds)}"
        for number, (part, kind) in enumerate(zip(members, kinds, strict=False)):
            yield from type_faults(part, kind, f"{place}[{number}]")


@cache
def _fields_of(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _kind(value: Any) -> str:
    return "None" if isinstance(value, NoneType) else f"the {type(value).__name__} {value!r}"[:LONGEST_VALUE]
