"""What people see of a game: values for templates, which lie in a folder of their own.

A face knows no Flask, no files and no threads.  The house brings the page, its frame, what is the same for every game
(camera, journal, phones, menu), and a plain face for games that bring none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from companion.gamekit.seen import Seen

Values: TypeAlias = "dict[str, Any]"
"""What a template is drawn with."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A sheet as it was asked for: the address's arguments, who looks, the player whom it is about, the table.

    ``table`` is the service's; a face asks it for forecasts, explanations and what stood when, and changes nothing.
    """

    args: Mapping[str, str]
    viewer: str
    player: str
    table: Any


class Amending(Protocol):
    """The forms by which entries of this game's journal are put right, as far as they are more than single fields."""

    def asked(self, scene: Any, table: Any, entry: Mapping[str, Any], draft: Mapping[str, Any], ask: Ask) -> Values:
        """Give what the sheet shows beside the entry: ``fields``, ``rest`` and whatever the game's template wants."""
        ...

    def lines(self, scene: Any, command: Mapping[str, Any], instead: Mapping[str, Any]) -> Values:
        """Give what a preview tells of a replacement beside the events."""
        ...


class Face(Protocol):
    """The pages of a game."""

    @property
    def folder(self) -> str:
        """Where its templates lie: ``tablet``, ``seat``, ``display``, ``proposal``, ``report``, ``sheets/``."""
        ...

    @property
    def quiet_events(self) -> frozenset[str]:
        """Events that pages show anyway; as consequences they would only make rows of the journal long."""
        ...

    @property
    def corrected_events(self) -> frozenset[str]:
        """Events by which the banker puts something right."""
        ...

    @property
    def sheets(self) -> frozenset[str]:
        """Its sheets over the tablet, beside those of the house."""
        ...

    @property
    def seat_sheets(self) -> frozenset[str]:
        """Those of its sheets that a player's own device may ask for."""
        ...

    @property
    def covered_sheets(self) -> frozenset[str]:
        """Those of its sheets that show what a tablet in the middle covers."""
        ...

    def covers(self, scene: Any) -> bool:
        """Whether a tablet in the middle has anything to cover: somebody's money that is nobody else's business."""
        ...

    @property
    def amending(self) -> Amending:
        """How its entries are put right."""
        ...

    def scene(self, seen: Seen) -> Seen:
        """Make a scene of its own of what is seen."""
        ...

    def sentence(self, scene: Any) -> tuple[str, Values]:
        """Give the id of the sentence that says what the table waits for, and its values apart from ``player``."""
        ...

    def values(self, scene: Any, me: str | None) -> Values:
        """Give what its living parts are drawn with; ``me``: the player whose own device it is."""
        ...

    def sheet(self, scene: Any, name: str, ask: Ask) -> Values:
        """Give what one of its sheets is drawn with."""
        ...

    def lay_values(self, scene: Any, wish: str | None) -> Values:
        """Say which ``deck`` the simulated camera's sheet offers cards of: the wished one, or the one that is due."""
        ...

    def question(self, scene: Any, command: Mapping[str, Any], asker: str) -> str:
        """Say what somebody asks another player to agree to."""
        ...

    def rules_here(self, scene: Any) -> Sequence[Mapping[str, str]]:
        """List what a table does not play as printed: ``title`` and ``says``."""
        ...

    def setup(self, words: Any) -> Values:
        """Give what the set-up of a new game is drawn with; ``template``, where it has choices of its own."""
        ...

    def chapters(self, words: Any) -> Sequence[Mapping[str, Any]]:
        """Tell all rules chapter by chapter."""
        ...

    def rule(self, words: Any, name: str) -> Mapping[str, Any] | None:
        """Tell one rule, by its id or that of a refusal."""
        ...

    def terms(self, words: Any) -> Sequence[Mapping[str, Any]]:
        """Explain words and symbols group by group."""
        ...

    @property
    def pages(self) -> Mapping[str, Callable[[Any, Sequence[Mapping[str, Any]]], Values]]:
        """Pages of its own by address and template name, such as ``take-over``; each from words and decks."""
        ...

    @property
    def drafts(self) -> Mapping[str, Callable[[Any, Mapping[str, Any], Any], Values]]:
        """What such a page shows of what was entered so far: from words, the catalogs, the command in the making."""
        ...

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """Filters that its templates use."""
        ...

    @property
    def static(self) -> Path | None:
        """The folder of its style sheets, scripts and drawings, served under ``/games/<name>/``."""
        ...
