"""Proposals: commands that cards suggest, automation levels, and the pictures of cards that are kept with entries."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias, get_args

from companion.engine.game import BANKER, Placement, Question
from companion.game_api.manifest import LoadedGame
from companion.service.ports import UnknownProposal
from companion.service.table.table import Table

SourceKind: TypeAlias = Literal["camera", "scanner"]
"""How a card was seen, for the journal: in a picture, or by a hand scanner or its typed number."""


@dataclass(frozen=True, slots=True)
class CardSource:
    """The source of a sighting: the table's camera, a player's device, a hand scanner, a detector.

    ``name`` identifies it at its table.  ``viewer``: who may answer besides the banker, the owner of a player's own
    device.  Proposals of a source that is not ``automatic`` always wait for a tap, because it may be mistaken.
    ``is_private``: not even the banker may see what it shows.
    """

    name: str
    kind: SourceKind = "camera"
    viewer: str = BANKER
    automatic: bool = True
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A command that a card stands for, or a question about the card, waiting for an answer.

    ``picture``: the JPEG of the card as it was seen, empty if there is none.  ``version``: the only version of the
    table that the command applies to, if it is bound to one.  ``command_on_no``: the command that the answer *no*
    gives, if any.
    """

    number: int
    created_at: str
    placement: Placement
    picture: bytes
    command: Mapping[str, Any] | None
    question: Question | None
    source: CardSource
    version: int | None = None
    command_on_no: Mapping[str, Any] | None = None

    def is_visible_to(self, viewer: str) -> bool:
        """Return whether a viewer may see and answer it."""
        return viewer == self.source.viewer or (viewer == BANKER and not self.source.is_private)

    def as_json(self) -> dict[str, Any]:
        """Return the proposal as the API shows it, without the picture."""
        question = None
        if self.question is not None:
            details = {key: list(value) if isinstance(value, tuple) else value for key, value in self.question.details}
            question = {"rule": self.question.rule, "card": self.question.card, "details": details}
        return {
            "id": self.number,
            "at": self.created_at,
            "card": self.placement.card,
            "tag": self.placement.tag,
            "zone": self.placement.zone,
            "command": None if self.command is None else dict(self.command),
            "question": question,
            "source": self.source.kind,
        }


class Proposals:
    """The pending proposals of one table, oldest first.  Not thread-safe."""

    def __init__(self, next_number: Callable[[], int]) -> None:
        """Store what returns the next number; numbers are never used twice, at any table."""
        self._next_number = next_number
        self._by_number: dict[int, Proposal] = {}

    def _set(self, proposals: Mapping[int, Proposal]) -> None:
        self._by_number = dict(sorted(proposals.items()))

    def propose(
        self,
        table: Table,
        placement: Placement,
        picture: bytes,
        at: str,
        source: CardSource,
        only_at: int | None = None,
    ) -> Proposal | None:
        """Add the proposal of a placement, in place of an earlier one; ``None`` if the card has no meaning now.

        A card that was moved to where it has no meaning takes what it proposed elsewhere with it.  ``only_at``: the
        version of the table to which it applies, and no other.
        """
        reading = table.read(placement)
        if reading is None:
            self._leave(placement, source)
        if reading is None or not may_ask(table, source, reading) or only_at not in (None, table.version):
            return None
        command, question, on_no = _split_reading(reading)
        number = self._next_number()
        return self._replace(Proposal(number, at, placement, picture, command, question, source, only_at, on_no))

    def add(
        self,
        placement: Placement,
        picture: bytes,
        at: str,
        source: CardSource,
        reading: Mapping[str, Any] | Question,
        version: int,
    ) -> Proposal:
        """Add a proposal that applies to one version of the table only; it is dropped when the table advances."""
        command, question, on_no = _split_reading(reading)
        return self._replace(
            Proposal(self._next_number(), at, placement, picture, command, question, source, version, on_no)
        )

    def _replace(self, proposal: Proposal) -> Proposal:
        self.withdraw(proposal.placement.tag)
        self._set({**self._by_number, proposal.number: proposal})
        return proposal

    def _leave(self, placement: Placement, source: CardSource) -> None:
        earlier = next((other for other in self._by_number.values() if other.placement.tag == placement.tag), None)
        if placement.event == "remove" or earlier is None or earlier.source.name != source.name:
            return
        if earlier.placement.zone != placement.zone:
            self.withdraw(placement.tag)

    def withdraw(self, tag: str) -> None:
        """Remove the proposals about a label."""
        self._set({number: other for number, other in self._by_number.items() if other.placement.tag != tag})

    def refresh(self, table: Table) -> bool:
        """Read all pending cards again after the table has advanced.  Return whether anything changed.

        A card that has no meaning any more is dropped: its question was answered in another way.  So is a card whose
        command is now of another kind, such as one that has been bought meanwhile and could only be sold.  A card
        whose command changed otherwise gets a new number, so that a tap meant for the earlier question is not taken as
        the answer to this one.
        """
        before = self._by_number
        after: dict[int, Proposal] = {}
        for proposal in before.values():
            if proposal.version is not None:
                if proposal.version == table.version:
                    after[proposal.number] = proposal
                continue
            reading = table.read(proposal.placement)
            command, question, on_no = (None, None, None) if reading is None else _split_reading(reading)
            if reading is None or command is None or not _same_kind(proposal.command, command):
                continue
            if not may_ask(table, proposal.source, reading):
                continue
            number = proposal.number
            if (command, on_no) != (proposal.command, proposal.command_on_no):
                number = self._next_number()
            after[number] = replace(proposal, number=number, command=command, question=question, command_on_no=on_no)
        self._set(after)
        return before != self._by_number

    def pending(self) -> tuple[Proposal, ...]:
        """Return all pending proposals, oldest first."""
        return tuple(self._by_number.values())

    def get(self, number: int) -> Proposal:
        """Return a proposal.  Raise ``UnknownProposal`` if it is not pending."""
        if number not in self._by_number:
            raise UnknownProposal(str(number))
        return self._by_number[number]

    def take(self, number: int) -> Proposal:
        """Remove and return a proposal.  Raise ``UnknownProposal`` if it is not pending."""
        proposal = self.get(number)
        self._set({key: other for key, other in self._by_number.items() if key != number})
        return proposal

    def restore(self, proposal: Proposal) -> None:
        """Add a proposal that was taken again, unless its card has a newer one."""
        if all(other.placement.tag != proposal.placement.tag for other in self._by_number.values()):
            self._set({**self._by_number, proposal.number: proposal})

    def discard_from(self, source: str) -> bool:
        """Remove the proposals of a source, by its name.  Return whether there were any."""
        before = self._by_number
        self._set({number: other for number, other in before.items() if other.source.name != source})
        return before != self._by_number


def may_ask(table: Table, source: CardSource, reading: Mapping[str, Any] | Question) -> bool:
    """Return whether a source may propose a reading: a player's own device only commands of that player."""
    return source.viewer == BANKER or (not isinstance(reading, Question) and table.author(reading) == source.viewer)


def _split_reading(
    reading: Mapping[str, Any] | Question,
) -> tuple[Mapping[str, Any] | None, Question | None, Any]:
    """Return the command of a yes, the question, and the command of a no."""
    return (reading.yes, reading, reading.no) if isinstance(reading, Question) else (reading, None, None)


def _same_kind(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> bool:
    return before is None or before["do"] == now["do"]


# Automation: how much the camera may do by itself at a table

AutomationLevel: TypeAlias = Literal["ledger", "suggest", "automatic"]
"""``ledger``: cards are ignored; ``suggest``: they make proposals; ``automatic``: unambiguous ones are accepted."""

AUTOMATION_LEVELS: tuple[AutomationLevel, ...] = get_args(AutomationLevel)
DEFAULT_LEVEL: AutomationLevel = "suggest"
COMMAND = "command"
"""The kind of the command cards: YES, NO, PASS, UNDO, SUGGEST of every game, and those of a game itself."""


def automated_kinds(game: LoadedGame) -> tuple[str, ...]:
    """Return the kinds of cards that may have a level of their own: those of the game, and command cards."""
    return (*(kind.name for kind in game.manifest.kinds), COMMAND)


def kind_of_card(game: LoadedGame, card: str) -> str | None:
    """Return the kind of a card; ``None`` if it can have no level of its own."""
    return COMMAND if card in game.command_words else game.kind_of(card)


@dataclass(frozen=True, slots=True)
class AutomationSettings:
    """The automation levels of one table: ``level`` holds for every kind of card that is not in ``level_by_kind``."""

    level: AutomationLevel = DEFAULT_LEVEL
    level_by_kind: Mapping[str, AutomationLevel] = field(default_factory=lambda: MappingProxyType({}))

    def level_of(self, kind: str | None) -> AutomationLevel:
        """Return the level for a kind of card."""
        return self.level if kind is None else self.level_by_kind.get(kind, self._default_of(kind))

    def _default_of(self, kind: str) -> AutomationLevel:
        """Return the level of a kind that has none of its own; command cards are automatic only by their own level."""
        return "suggest" if kind == COMMAND and self.level == "automatic" else self.level

    def with_level(self, level: AutomationLevel, kind: str | None = None) -> "AutomationSettings":
        """Return the settings with the level of one kind changed; ``None`` sets the level of all kinds."""
        if kind is None:
            return AutomationSettings(level)
        others = {other: its_level for other, its_level in self.level_by_kind.items() if other != kind}
        return AutomationSettings(self.level, others if level == self._default_of(kind) else {**others, kind: level})


# Keepsakes: automation levels and pictures of cards, stored beside the journals. No game depends on them.

MOST_BYTES_OF_CROPS = 64_000_000
"""Bytes of all pictures together: dozens of evenings to step back through, little of an SD card."""


@dataclass(frozen=True, slots=True)
class Crop:
    """The piece of a frame that an entry was read from: a JPEG, and the viewer whose camera saw it."""

    picture: bytes
    viewer: str


class Keepsakes(Protocol):
    """Stored automation levels and crops, by table.  For any thread."""

    def settings(self, table_id: str) -> AutomationSettings:
        """Return the automation levels of a table; the defaults where nobody ever changed them."""
        ...

    def keep_settings(self, table_id: str, setting: AutomationSettings) -> None:
        """Store the automation levels of a table, durably before returning."""
        ...

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Return what an entry was read from; ``None`` where there is nothing (any more)."""
        ...

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Remember what an entry was read from; what was kept longest makes room."""
        ...

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Return the entries that have a crop, each with the viewer whose camera saw it (``banker`` or a player id)."""
        ...


class InMemoryKeepsakes:
    """Kept only as long as the program runs."""

    def __init__(self, most_bytes: int = MOST_BYTES_OF_CROPS) -> None:
        """Start with nothing."""
        self._most = most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._settings: dict[str, AutomationSettings] = {}
        self._crops: OrderedDict[tuple[str, int], Crop] = OrderedDict()

    def settings(self, table_id: str) -> AutomationSettings:
        """Return the automation levels of a table."""
        return self._settings.get(table_id, AutomationSettings())

    def keep_settings(self, table_id: str, setting: AutomationSettings) -> None:
        """Store the automation levels of a table."""
        self._settings[table_id] = setting

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Return what an entry was read from."""
        with self._lock:
            return self._crops.get((table_id, entry))

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Remember what an entry was read from; the oldest go first."""
        with self._lock:
            before = self._crops.pop((table_id, entry), None)
            self._crops[table_id, entry] = crop
            self._bytes += len(crop.picture) - (0 if before is None else len(before.picture))
            while self._bytes > self._most:
                self._bytes -= len(self._crops.popitem(last=False)[1].picture)

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Return the entries that have a crop, each with the viewer whose camera saw it."""
        with self._lock:
            return {entry: crop.viewer for (table, entry), crop in self._crops.items() if table == table_id}


# Who may see what the camera saw of the card behind an entry.


def visible_crops(keepsakes: Keepsakes, table: Table, viewer: str) -> frozenset[int]:
    """Return the numbers of the entries whose crop a viewer may see.

    The banker sees all.  A player sees what lay on the table or before their own device, unless the entry is held back
    from them.  A spectator may sit elsewhere: what else lies in the picture is not theirs to see.
    """
    kept = keepsakes.crops(table.id)
    if viewer == BANKER:
        return frozenset(kept)
    if not kept or viewer not in table.names():
        return frozenset()
    pairs = zip(table.journal(viewer), table.entries, strict=False)
    whole = {entry.seq for shown, entry in pairs if shown["command"] == entry.command}
    return frozenset(seq for seq, viewer_then in kept.items() if viewer_then in (BANKER, viewer) and seq in whole)


def crop_picture(keepsakes: Keepsakes, table: Table, entry: int, viewer: str) -> bytes | None:
    """Return the JPEG behind an entry; ``None`` where there is none that this viewer may see."""
    if entry not in visible_crops(keepsakes, table, viewer):
        return None
    crop = keepsakes.crop(table.id, entry)
    return None if crop is None else crop.picture
