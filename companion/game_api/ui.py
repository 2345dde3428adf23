"""User interface of a game: values for templates, which lie in a folder of their own.

A user interface knows no Flask, no files and no threads.  The program brings the page, its frame, what is the same
for every game (camera, journal, phones, menu), and a default UI for games that bring none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from companion.engine.game import OFFER_ONLY, Overview, StandingsRow
from companion.engine.journal import Json
from companion.game_api.letters import first_two_letters


def initials(names: Mapping[str, str]) -> dict[str, str]:
    """Return the letters of each player's badge: the first one of the name, or two where several would share it."""
    letters = {player: first_two_letters(name) for player, name in names.items()}
    first = {player: (of_name[0] or "?").upper() for player, of_name in letters.items()}
    shared = [letter for letter in first.values() if list(first.values()).count(letter) > 1]
    return {
        player: letter + letters[player][1].lower() if letter in shared else letter for player, letter in first.items()
    }


# What a page needs of a language: sentences, money, names of cards, the journal in words.


class Language(Protocol):
    """The words of a language, those of a game among them."""

    @property
    def language(self) -> str:
        """The code of the language: two letters."""
        ...

    def template(self, msgid: str, context: str = "") -> str:
        """Return a sentence with its placeholders."""
        ...

    def say(self, msgid: str, /, **values: object) -> str:
        """Return a sentence with its values; the English one is its own id."""
        ...

    def say_in(self, context: str, msgid: str, /, **values: object) -> str:
        """Return a sentence by its id within a context."""
        ...

    def several(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """Return a sentence that depends on a number."""
        ...

    def named(self, context: str, msgid: str) -> str:
        """Return the name of an id; an id without a name is made readable."""
        ...

    def verb(self, do: str) -> str:
        """Return the label of a command's button, in a word or two."""
        ...

    def money(self, amount: int, *, plus: bool = False) -> str:
        """Return an amount of whole dollars in words."""
        ...

    def listed(self, parts: Iterable[str], *, how: Literal["and", "or"] = "and") -> str:
        """Return parts as a list within a sentence."""
        ...

    def moment(self, at: str, how: Literal["time", "day", "day and time"] = "time") -> str:
        """Return an ISO moment in the reader's time zone."""
        ...

    def duration(self, minutes: int) -> str:
        """Return a duration in hours and minutes."""
        ...

    def card(self, card: str, catalog: Mapping[str, Any] | None = None) -> str:
        """Return the name of a card."""
        ...

    def described_figure(
        self, key: str, value: Any, names: Mapping[str, str], catalog: Mapping[str, Any]
    ) -> str | None:
        """Return a figure of a position in the game's words; ``None`` if the game has none for it."""
        ...

    def described_moment(
        self, position: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any]
    ) -> str:
        """Return what is to be done now in the game's words; ``""`` if the game has none for it."""
        ...

    def refusal(
        self, rule: str, details: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any] | None = None
    ) -> str:
        """Return the sentence of a refusal."""
        ...

    def event(
        self, event: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any] | None = None
    ) -> str:
        """Return an event as a sentence."""
        ...


# One version of one table as one viewer sees it, in one language.

Ahead: TypeAlias = Callable[[str, str | None], Json | None]
"""Look ahead for a player, and for a card that they could bid for; ``None`` where there is nothing to see."""
CameraState: TypeAlias = Literal["none", "lost", "elsewhere", "seeing"]


@dataclass(frozen=True, slots=True)
class CardOfAnotherGame:
    """A card of another game in view of the camera, with the title of that game."""

    card: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus:
    """State of the camera for one table.

    ``at_table``: it looks at this table.  ``zones`` are those of a simulated mat.  ``cards`` are in view, ``twins`` in
    view twice, ``moved`` while the program was not running; ``unknown`` holds for each unlabelled card the cards that
    it resembles.  ``differences`` between the table and the books are as the API shows them.
    """

    name: str = "none"
    state: CameraState = "none"
    at_table: bool = False
    simulated: bool = False
    zones: Sequence[str] = ()
    problem: str | None = None
    cards: Sequence[str] = ()
    twins: Sequence[str] = ()
    unknown: Sequence[Sequence[str]] = ()
    foreign_cards: Sequence[CardOfAnotherGame] = ()
    mat: str | None = None
    differences: Sequence[Json] = ()
    moved: Sequence[str] = ()


@dataclass(frozen=True)
class TableView:
    """View of a table for any page.  A game's user interface makes a scene of its own of it.

    ``words`` speak the viewer's language; ``decks`` are the tables of the catalog as JSON that hold cards, with titles.
    ``quiet`` events are no news of their own, ``corrected`` ones correct something.  ``covered``: the tablet lies in
    the middle, and shows nobody's money that others may not see; ``hides_money``: the game declares that
    it has such money.  ``scores``: the standings if the game ended now, in games that know them.
    """

    table: str
    version: int
    position: Json
    overview: Overview
    offers: tuple[Json, ...]
    catalog: Json
    words: Language
    entries: tuple[Json, ...] = ()
    proposals: tuple[Json, ...] = ()
    suggest: Json | None = None
    camera: CameraStatus = CameraStatus()
    ahead: Ahead = lambda _player, _card: None
    needs: Ahead = lambda _player, _card: None
    decks: tuple[tuple[str, str], ...] = ()
    quiet: frozenset[str] = frozenset()
    corrected: frozenset[str] = frozenset()
    covered: bool = False
    hides_money: bool = False
    scores: tuple[StandingsRow, ...] = ()

    @property
    def players(self) -> Json:
        """The players in turn order, with what the position says of each."""
        shown = self.position.get("players")
        return {seat.id: shown.get(seat.id, {}) if isinstance(shown, Mapping) else {} for seat in self.overview.players}

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of the players by their ids."""
        return self.overview.names

    @cached_property
    def initials(self) -> dict[str, str]:
        """Initials of the players by their ids: one letter, or two where one would be ambiguous."""
        return initials(self.names)

    @property
    def waiting(self) -> list[str]:
        """Ids of the players to act."""
        return list(self.overview.waiting_for)

    @property
    def turn(self) -> str | None:
        """Id of the player to act; ``None`` if there are several or none."""
        return self.waiting[0] if len(self.waiting) == 1 else None

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.overview.phase

    def offer(self, do: str, **settled: Any) -> Json | None:
        """Return the first offer of a kind whose settled fields are these; ``None`` if there is none."""
        return next(iter(self.offers_of(do, **settled)), None)

    def offers_of(self, do: str | None = None, **settled: Any) -> list[Json]:
        """Return the offers of a kind (``None``: of any) whose settled fields are these."""
        return [
            offer
            for offer in self.offers
            if do in (None, offer["do"]) and all(offer.get(key) == at for key, at in settled.items())
        ]

    @staticmethod
    def command(offer: Json) -> dict[str, Any]:
        """Return the command of an offer, still without its open fields."""
        return {key: value for key, value in offer.items() if key not in OFFER_ONLY}


@dataclass(frozen=True, slots=True)
class SeatFact:
    """A figure of a player on the big screen: its ``sign`` and CSS class ``kind``, the count and its name.

    One without a sign is written out, ``title`` before ``count``.
    """

    sign: str
    count: int | str
    title: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ScreenSeat:
    """A player on the big screen.

    ``state``: ``now`` (acts), ``passed`` (is out), ``leads``, ``locked`` or nothing, with the words for it; ``turns``:
    those taken and all, where they are counted; ``facts``: at most four, the most important first; ``tool``: an icon;
    ``label``: what the amount is of, where it does not say so itself.
    """

    player: str
    amount: str
    state: str = ""
    status: str = ""
    facts: tuple[SeatFact, ...] = ()
    turns: tuple[int, int] | None = None
    tool: str = ""
    label: str = ""


Values: TypeAlias = "dict[str, Any]"
"""What a template is drawn with."""


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """A sheet as it was asked for: the address's arguments, who looks, the player whom it is about, the table.

    ``table`` is the service's; a UI asks it for forecasts, explanations and earlier positions, and changes nothing.
    """

    args: Mapping[str, str]
    viewer: str
    player: str
    table: Any


class AmendForms(Protocol):
    """Forms that correct entries of this game's journal, as far as they are more than single fields."""

    def asked(
        self, scene: Any, table: Any, entry: Mapping[str, Any], draft: Mapping[str, Any], ask: SheetRequest
    ) -> Values:
        """Return the values of the sheet beside the entry: ``fields``, ``rest`` and those of the game's template."""
        ...

    def lines(self, scene: Any, command: Mapping[str, Any], instead: Mapping[str, Any]) -> Values:
        """Return the values of a replacement's preview beside its events."""
        ...


class GameUI(Protocol):
    """The pages of a game."""

    @property
    def folder(self) -> str:
        """Folder of its templates: ``tablet``, ``seat``, ``display``, ``proposal``, ``report``, ``sheets/``."""
        ...

    @property
    def quiet_events(self) -> frozenset[str]:
        """Events that pages show anyway; as consequences they would only make rows of the journal long."""
        ...

    @property
    def corrected_events(self) -> frozenset[str]:
        """Events of the banker's corrections."""
        ...

    @property
    def sheets(self) -> frozenset[str]:
        """Its sheets over the tablet, in addition to those of the program."""
        ...

    @property
    def seat_sheets(self) -> frozenset[str]:
        """Sheets that a player's own device may ask for."""
        ...

    @property
    def covered_sheets(self) -> frozenset[str]:
        """Sheets that show what a tablet in the middle covers."""
        ...

    def covers(self, scene: Any) -> bool:
        """Return whether a tablet in the middle has anything to cover: money that other players may not see."""
        ...

    @property
    def amending(self) -> AmendForms:
        """Forms that correct its entries."""
        ...

    def scene(self, seen: TableView) -> TableView:
        """Return the game's own scene of a table view."""
        ...

    def sentence(self, scene: Any) -> tuple[str, Values]:
        """Return the id of the sentence that says what the table waits for, and its values apart from ``player``."""
        ...

    def values(self, scene: Any, me: str | None) -> Values:
        """Return the values of the parts that change with the game; ``me``: the player whose device it is."""
        ...

    def sheet(self, scene: Any, name: str, ask: SheetRequest) -> Values:
        """Return the values of a sheet."""
        ...

    def lay_values(self, scene: Any, wish: str | None) -> Values:
        """Return the ``deck`` that the simulated camera's sheet offers: the chosen one, or the one due."""
        ...

    def question(self, scene: Any, command: Mapping[str, Any], asker: str) -> str:
        """Return the question whether another player agrees to a command."""
        ...

    def deal(self, scene: Any, command: Mapping[str, Any]) -> Sequence[Values]:
        """Return the two sides of such a command, drawn beside the question; empty: words alone."""
        ...

    def counter(self, scene: Any, command: Mapping[str, Any], player: str) -> Values:
        """Return the offer of a counter-proposal (``like``) and its values (``chosen``); empty if there is none."""
        ...

    def rules_here(self, scene: Any) -> Sequence[Mapping[str, str]]:
        """Return the rules that a table does not play as printed: ``title`` and ``says``."""
        ...

    def setup(self, words: Any) -> Values:
        """Return the values of a new game's set-up; ``template``, where it has choices of its own."""
        ...

    def chapters(self, words: Any) -> Sequence[Mapping[str, Any]]:
        """Return all rules chapter by chapter."""
        ...

    def rule(self, words: Any, name: str) -> Mapping[str, Any] | None:
        """Return one rule, by its id or that of a refusal."""
        ...

    def terms(self, words: Any) -> Sequence[object]:
        """Return words and symbols group by group, for the game's ``words.html``."""
        ...

    @property
    def pages(self) -> Mapping[str, Callable[[Any, Sequence[Mapping[str, Any]]], Values]]:
        """Pages of its own by address and template name, such as ``take-over``; each from words and decks."""
        ...

    @property
    def drafts(self) -> Mapping[str, Callable[[Any, Mapping[str, Any], Any], Values]]:
        """Values of such a page for a draft, from words, the catalogs and the drafted command."""
        ...

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """Filters that its templates use."""
        ...

    @property
    def static(self) -> Path | None:
        """Folder of its style sheets, scripts and drawings, served under ``/games/<name>/``."""
        ...


# The texts of a game that its field types alone do not give.


@dataclass(frozen=True, slots=True)
class TextContext:
    """Context of a sentence: the language's words, cards and players by id, the catalog as JSON, forecasts."""

    words: Language
    card: Callable[[str], str]
    person: Callable[[str], str]
    catalog: Json = field(default_factory=dict[str, Any])
    ahead: Ahead = lambda _player, _card: None


class EventTexts(Protocol):
    """Knows which of several sentences an event is told by, and how records and cards are called."""

    def variant(self, event: Json) -> str:
        """Return which of an event's sentences fits: appended to its name; ``""`` for the one."""
        ...

    def record(self, of: str, value: Any, telling: TextContext) -> str:
        """Put a field that holds a ``record``, or a list of them, into words."""
        ...

    def card(self, card: str, catalog: Json, words: Language) -> str | None:
        """Return a card that no table of the catalog names; ``None``: by its id."""
        ...


class PositionTexts(Protocol):
    """Puts a position into words, for pages and ears of a game that brings no pages of its own."""

    def figure(self, key: str, value: Any, telling: TextContext) -> str | None:
        """Put a figure of a position or of a player into words; ``None``: as any other; ``""``: leave it out."""
        ...

    def moment(self, position: Json, telling: TextContext) -> str:
        """Return what is to be done now, as it is said aloud; ``""``: no more than whom the table waits for."""
        ...


# How a game's offers look on a page of a game that brings no pages of its own.


@dataclass(frozen=True, slots=True)
class OfferValue:
    """A value of an open field: what it is called, with its amount.

    ``area``: where it is tapped on the stage's ``plan``: left, top, width and height in millimetres of that drawing, a
    lozenge within; ``note``: what is said once it is chosen; ``fills``: how many of each kind the form's bag then
    suggests.
    """

    says: str
    note: str = ""
    area: tuple[float, float, float, float] | None = None
    fills: Mapping[str, int] = field(default_factory=dict[str, int])


AmountOutlook: TypeAlias = tuple[int, tuple[tuple[int, str], ...]]
"""Money that a player has, and sentences, each with the highest amount that it holds for; ``{left}``: what is left."""


@dataclass(frozen=True, slots=True)
class OfferWording:
    """The words of an offer on a page, and its place there.

    ``title``: what its button says, ``{amount}`` in it being the amount that is set; ``note``: a line below it;
    ``rank``: lower ones come first; ``fold``: offers of a word (context ``fold``) are folded away behind one button;
    ``is_joined``: offers of this command are one form, in which a value settles which of them is meant; ``values``:
    how values of its fields are called, also within parts; ``sides``: whose things a field of parts holds, by its name:
    the two sides of a deal, which are laid side by side; ``is_in_bar``: the form is opened from the action bar;
    ``outlooks``: what an amount leaves each player who may set it.
    """

    title: str = ""
    note: str = ""
    rank: int = 0
    fold: str = ""
    is_joined: bool = False
    is_in_bar: bool = False
    values: Mapping[str, OfferValue] = field(default_factory=dict[str, OfferValue])
    sides: Mapping[str, str] = field(default_factory=dict[str, str])
    outlooks: Mapping[str, AmountOutlook] = field(default_factory=dict[str, AmountOutlook])


class OfferTexts(Protocol):
    """Words what may be done, with its amounts, and puts it in order."""

    def offer(self, offer: Json, position: Json, telling: TextContext) -> OfferWording:
        """Return the words of an offer, and where it stands."""
        ...

    def not_yet(self, position: Json, player: str, telling: TextContext) -> Sequence[tuple[str, str]]:
        """Return what a player cannot do yet though it is their turn: what it is called, and what is missing."""
        ...
